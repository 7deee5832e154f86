// Failures of the program, in sentences of ours.
#ifndef POOLPROOF_CONFORMANCE_GATE_FAILURE_H_
#define POOLPROOF_CONFORMANCE_GATE_FAILURE_H_

#include <exception>
#include <string>

namespace poolproof {

// Describes an unexpected failure.
std::string FailureSentence(const std::exception& failure);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_GATE_FAILURE_H_
