#include "conformance/run/program_as.h"

#include <fmt/format.h>

#include "conformance/cases/run_limits.h"
#include "conformance/results/detail.h"
#include "conformance/run/program_parts.h"

namespace poolproof {
namespace {

// Why no program has the tensors of a case; empty where one can.
std::string WhyNoLiteral(const Problem& problem) {
  if (problem.ShapesAlone()) return "the case has no values, its shapes alone are asked for";
  if (const std::string why = WhyTooLarge(problem); !why.empty()) return why;
  if (problem.Elements() <= kMaxDetailElements) return "";
  return fmt::format("its input has {} values, and more than {} are not written out", problem.Elements(),
                     kMaxDetailElements);
}

// Why there is nothing to compare a result with; empty where there is.
std::string WhyNoResult(const Result& expected) {
  if (expected.status != POOLPROOF_OK) return "the call is invalid, and has no result to compare with";
  return expected.outputs[0].size_bytes == 0 ? "the result has no elements" : "";
}

std::optional<std::string> Refuse(std::string_view form, const PlannedCase& planned, const std::string& why,
                                  Error* error) {
  error->message = fmt::format("--as={} cannot say \"{}\": {}.", form, planned.line, why);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ProgramAs(const Specs& specs, std::string_view form, const reference::Selection& selection,
                                     const PlannedCase& planned, Error* error) {
  std::string why = WhyNoLiteral(planned.problem);
  if (!why.empty()) return Refuse(form, planned, why, error);
  Vector vector;
  vector.planned = planned;
  vector.Compute(selection);
  if (form == "c") return CText(planned, vector);
  why = WhyNoResult(vector.expected.result());
  if (!why.empty()) return Refuse(form, planned, why, error);
  const bool torch = form == "torch";
  Vector other;
  std::optional<std::string> text;
  if (form == "benchdnn") {
    text = BenchdnnText(planned, vector, &why);
  } else if (!torch && NamesOfType(planned.problem.type).numpy.empty()) {
    why = "NumPy, which hands over the values, has no such type";
  } else if (Translate(specs, torch ? "pytorch" : "onnx", selection, vector, &other, &why)) {
    text = torch ? TorchText(planned, other) : OnnxText(planned, other);
  }
  return text ? text : Refuse(form, planned, why, error);
}

}  // namespace poolproof
