# poolproof_ledger(HEADER JSON...): writes the entries of the ledger whose readings are computed as C++ (readings.h).

# "avg-overhang" as AvgOverhang.
function(poolproof_camel name out)
  set(camel "")
  string(REPLACE "-" ";" parts "${name}")
  foreach(part IN LISTS parts)
    string(SUBSTRING "${part}" 0 1 first)
    string(SUBSTRING "${part}" 1 -1 rest)
    string(TOUPPER "${first}" first)
    string(APPEND camel "${first}${rest}")
  endforeach()
  set(${out} "${camel}" PARENT_SCOPE)
endfunction()

# Appends what the profiles of an entry say, or of what a file adds to one.
function(poolproof_ledger_profiles entry)
  string(JSON id GET "${entry}" id)
  poolproof_camel("${id}" name)
  string(JSON count ERROR_VARIABLE absent LENGTH "${entry}" profiles)
  while(NOT absent AND count GREATER 0)
    math(EXPR count "${count} - 1")
    string(JSON key MEMBER "${entry}" profiles ${count})
    string(JSON reading GET "${entry}" profiles "${key}")
    poolproof_camel("${reading}" reading)
    string(REGEX MATCH "^[^ ]+" profile "${key}")
    string(LENGTH "${profile}" begin)
    string(SUBSTRING "${key} " ${begin} -1 op)
    string(STRIP "${op}" op)
    set(type 0)
    if(op MATCHES "^(.* )?([a-z]+[0-9]+)$")
      string(TOUPPER "POOLPROOF_${CMAKE_MATCH_2}" type)
      string(STRIP "${CMAKE_MATCH_1}" op)
    endif()
    list(APPEND profiles "\"${profile}\"")
    string(APPEND stated " \\\n  STATED(\"${profile}\", \"${op}\", ${type}, ${name}, k${reading})")
  endwhile()
  set(stated "${stated}" PARENT_SCOPE)
  set(profiles "${profiles}" PARENT_SCOPE)
endfunction()

# Appends an entry: its enumerator, the enum of its readings, its row, and what profiles say of it.
function(poolproof_ledger_entry entry)
  string(JSON id GET "${entry}" id)
  string(JSON kind GET "${entry}" kind)
  string(JSON scope ERROR_VARIABLE absent GET "${entry}" scope)
  if(absent)
    set(scope run)
  endif()
  poolproof_camel("${id}" name)
  poolproof_camel("${scope}" scope)
  set(readings "")
  set(names "")
  string(JSON count LENGTH "${entry}" readings)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON reading GET "${entry}" readings ${i} name)
    string(APPEND names ", \"${reading}\"")
    poolproof_camel("${reading}" reading)
    string(APPEND readings "k${reading}, ")
    string(JSON is_rare ERROR_VARIABLE absent GET "${entry}" readings ${i} rare)
    if(NOT absent AND is_rare)
      string(APPEND rare " \\\n  RARE(${name}, k${reading})")
    endif()
  endforeach()
  poolproof_ledger_profiles("${entry}")
  set(entries "${entries}k${name}, " PARENT_SCOPE)
  set(enums "${enums}enum class ${name} : uint8_t { ${readings}};\n" PARENT_SCOPE)
  set(rows "${rows} \\\n  ENTRY(${name}, \"${id}\", \"${kind}\", k${scope}${names})" PARENT_SCOPE)
  set(stated "${stated}" PARENT_SCOPE)
  set(rare "${rare}" PARENT_SCOPE)
  set(profiles "${profiles}" PARENT_SCOPE)
endfunction()

# The list `key` of `text`, a file, entry by entry; nothing where it has none.
macro(poolproof_ledger_list key)
  string(JSON count ERROR_VARIABLE absent LENGTH "${text}" ${key})
  set(i 0)
  while(NOT absent AND i LESS count)
    string(JSON entry GET "${text}" ${key} ${i})
    string(JSON computed ERROR_VARIABLE text_only GET "${entry}" computed)
    if("${key}" STREQUAL "shared")
      poolproof_ledger_profiles("${entry}")
    elseif(computed)
      poolproof_ledger_entry("${entry}")
    endif()
    math(EXPR i "${i} + 1")
  endwhile()
endmacro()

function(poolproof_ledger header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(profiles "\"documented\"")
  foreach(json IN LISTS ARGN)
    file(READ "${json}" text)
    poolproof_ledger_list(discrepancies)
    poolproof_ledger_list(shared)
  endforeach()
  list(REMOVE_DUPLICATES profiles)
  list(SORT profiles)
  list(JOIN profiles ", " profiles)
  file(CONFIGURE OUTPUT "${header}" @ONLY CONTENT "// Made of specs/discrepancies.json and of those of the families.
#pragma once

#include <cstdint>

namespace poolproof::reference {

enum class Entry : uint8_t { @entries@kCount };
@enums@
}  // namespace poolproof::reference

#define POOLPROOF_LEDGER(ENTRY)@rows@

#define POOLPROOF_STATED(STATED)@stated@

#define POOLPROOF_RARE(RARE)@rare@

#define POOLPROOF_PROFILES @profiles@
")
endfunction()
