// A library of mutants made by machine: a backend that also lists them.
//
// As a backend it takes the option mutant=NAME, where NAME is FILE:LINE:COLUMN:BECOMES, "none" or
// nothing; the other options are those of the backend that it was made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace poolproof::machine {

struct Mutant {
  uint32_t number;  // of mutate.h
  uint32_t line, column;
  const char* file;
  const char* function;        // around it, "" at none
  const char* was;             // "<="; "" for a whole condition
  const char* becomes;         // "<", "drop", "!"
  const char *before, *after;  // of the same line

  std::string Name() const {
    return std::string(file) + ":" + std::to_string(line) + ":" + std::to_string(column) + ":" + becomes;
  }
  // "reference/window.h CeilDiv: return a [/ -> *] b;", with "-" outside of functions.
  std::string Key() const {
    return std::string(file) + " " + (*function == '\0' ? "-" : function) + ": " + before + "[" + was + " -> " +
           becomes + "]" + after;
  }
};

}  // namespace poolproof::machine

// The mutants of the library, in the order of their numbers.
extern "C" [[gnu::visibility("default")]] const poolproof::machine::Mutant* poolproof_machine_mutants(size_t* count);
// From now on notes the mutants that would have made a difference, or does not, if no mutant is switched on.
extern "C" [[gnu::visibility("default")]] void poolproof_machine_trace(bool on);
// The numbers of those noted since the last time, each once.
extern "C" [[gnu::visibility("default")]] const uint32_t* poolproof_machine_noted(size_t* count);
