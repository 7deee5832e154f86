// Common to harnesses: preconditions are checked, and a problem that shows a defect is printed.
#pragma once

#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <cstdio>
#include <cstdlib>
#include <string>

#include "conformance/cases/problem.h"

namespace poolproof::fuzz {

// Ends the process with what is wrong, one line, and the problem line that shows it.
[[noreturn]] inline void Fail(const Problem& problem, const std::string& what) {
  std::fprintf(stderr, "%s\nPROBLEM: %s\n", what.c_str(), PrintLine(problem).c_str());
  std::abort();
}

// The answer to a call and the expected one, with the sentences of refusals.
inline std::string Answers(poolproof_status status, const char* error, poolproof_status expected,
                           const std::string& refusal) {
  return "status " + std::to_string(status) + " (" + error + "), expected " + std::to_string(expected) + " (" +
         refusal + ")";
}

}  // namespace poolproof::fuzz
