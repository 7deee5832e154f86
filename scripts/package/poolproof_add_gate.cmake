# poolproof_add_gate(NAME TARGET [BASELINE file] [OPTIONS option...]): a test NAME that fails unless TARGET pools as
# the documents say. TARGET is a backend: a library, or a program that speaks the protocol. OPTIONS go to the program
# (--level=quick). Results and reports are written to poolproof/NAME in the build folder.
function(poolproof_add_gate name target)
  cmake_parse_arguments(PARSE_ARGV 2 GATE "" "BASELINE" "OPTIONS")
  if(GATE_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "poolproof_add_gate(${name}): \"${GATE_UNPARSED_ARGUMENTS}\" is neither BASELINE nor OPTIONS.")
  elseif(NOT TARGET ${target})
    message(FATAL_ERROR "poolproof_add_gate(${name}): there is no target \"${target}\" (yet); the gate judges a target.")
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set(backend "process:'$<TARGET_FILE:${target}>'")
  elseif(type MATCHES "^(MODULE|SHARED)_LIBRARY$")
    set(backend "$<TARGET_FILE:${target}>")
  else()
    message(FATAL_ERROR "poolproof_add_gate(${name}): \"${target}\" is of type ${type}; a backend is a MODULE or SHARED "
      "library, or a program.")
  endif()
  if(GATE_BASELINE)
    get_filename_component(GATE_BASELINE "${GATE_BASELINE}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(PREPEND GATE_OPTIONS "--baseline=${GATE_BASELINE}")
  endif()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/poolproof)
  add_test(NAME ${name} COMMAND $<TARGET_FILE:poolproof::program> "--backend=${backend}"
    --out=${CMAKE_CURRENT_BINARY_DIR}/poolproof/${name} ${GATE_OPTIONS})
  # It uses every core, and a slow library takes hours for a million problems.
  set_tests_properties(${name} PROPERTIES RUN_SERIAL ON TIMEOUT 86400)
  # Where poolproof is part of the build, nothing else may ask for the program.
  get_target_property(built poolproof::program ALIASED_TARGET)
  if(built)
    add_custom_target(${name}-program ALL)
    add_dependencies(${name}-program ${built})
  endif()
endfunction()
