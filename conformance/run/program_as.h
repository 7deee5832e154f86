// A problem as a program, or a line, that its maker's own people run without poolproof.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/cases/plan.h"
#include "conformance/judge/oracle.h"

namespace poolproof {

// Python for PyTorch or for ONNX Runtime, a line for oneDNN's benchdnn, and C with a call to fill in.
inline constexpr std::string_view kProgramForms[] = {"torch", "onnx", "benchdnn", "c"};

// The text of the case in one of these forms, with its input and the results that are expected, but for benchdnn, which
// has values of its own. Nothing where the form cannot say just this call, and one sentence why.
std::optional<std::string> ProgramAs(const Specs& specs, std::string_view form, const reference::Selection& selection,
                                     const PlannedCase& planned, Error* error);

}  // namespace poolproof
