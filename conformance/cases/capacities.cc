// Section "sizes": outputs that are too small, one of two at a time, and of each function.
#include "conformance/cases/boundaries.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

// Lacks of one byte in all outputs; and, in each output alone, of one byte and of all elements.
std::vector<Capacity> TooSmall(size_t outputs) {
  std::vector<Capacity> all = {-1};
  for (size_t short_one = 0; short_one < outputs && outputs > 1; ++short_one) {
    for (const int64_t bytes : {-1, -1'000'000}) all.emplace_back().more[short_one] = bytes;
  }
  return all;
}

}  // namespace

Problems CapacityProblems(const OperatorSpec& spec) {
  Problems problems;
  size_t row = 0;
  for (const Function& function : spec.functions) {
    for (const poolproof_element_type type : function.types) {
      for (const Capacity& capacity : TooSmall(spec.outputs.size())) {
        Choices choices(++row);
        const bool any = IsUnrestricted(function);
        Problem problem = any ? PlainProblem(spec, function, type, RankInTurn(spec, function, row))
                              : RandomProblem(spec, function, choices);
        if (any) VaryRest(&problem, row);
        problem.outputs = 0;
        problem.capacity = capacity;
        if (IsValid(problem)) problems.push_back(std::move(problem));
      }
    }
  }
  return problems;
}

}  // namespace poolproof
