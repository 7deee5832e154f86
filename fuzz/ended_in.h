// Says whose code was running when a harness is ended: that of the library under test, or the harness itself.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace poolproof::fuzz {

// From now on the process says so before a signal, a sanitizer or exit() ends it. Handlers that were there are called
// after that. `known`: whether a signature ("MaxPool-8|received signal SIGSEGV in run") is of a known cause.
void SayWhereItEnds(std::function<bool(std::string_view signature)> known);

// The operator of the next calls of the library.
void SetOperator(std::string_view op);

// The end that follows is a finding that is printed already.
void EndIsExplained();

}  // namespace poolproof::fuzz
