// Failures of the program, in sentences of ours.
#pragma once

#include <exception>
#include <string>

namespace poolproof {

// Describes an unexpected failure.
std::string FailureSentence(const std::exception& failure);

}  // namespace poolproof
