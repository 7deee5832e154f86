// Makes the Operator table of an operator out of the two things that are its own: how a call is
// read (into a Plan) and what is computed (Computation).
#pragma once

#include <cstring>
#include <string_view>

#include "reference/divisor.h"
#include "reference/max_pooling.h"
#include "reference/mean_pooling.h"
#include "reference/norm_pooling.h"
#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

// The function of each window.
struct Computation {
  void (*compute)(const Plan&, const poolproof_call&, Context&);
  ElementJudgement (*judge)(const Plan&, const poolproof_call&, const Readings&, size_t output, int64_t element,
                            const void* got);
  RoundingAnswers (*rounding)(const Plan&, const poolproof_call&, const Readings&,
                              const void* got);  // nullptr where nothing is rounded
};
inline constexpr Computation kMaximum = {ComputeMaxima, JudgeMaximum, nullptr};
inline constexpr Computation kNorm = {ComputeNorms, JudgeNorm, nullptr};
inline constexpr Computation kMean = {ComputeMeans, JudgeMean, RoundingOfMeans};

// Handles: bool(std::string_view op). Prepare: bool(const poolproof_call&, Context&, Plan*), false
// and context.error where the call is refused.
template <auto Handles, auto Prepare, const Computation& kComputation>
constexpr Operator MakeOperator() {
  Operator op{};
  op.handles = Handles;
  op.infer_shapes = [](const poolproof_call& call, Context& context) -> poolproof_status {
    Plan plan;
    if (!Prepare(call, context, &plan)) return POOLPROOF_INVALID_ARGUMENT;
    DescribeOutputs(plan, call);
    return POOLPROOF_OK;
  };
  op.run = [](const poolproof_call& call, Context& context) -> poolproof_status {
    Plan plan;
    if (!Prepare(call, context, &plan) || !CheckData(plan, call, context)) {
      return POOLPROOF_INVALID_ARGUMENT;
    }
    kComputation.compute(plan, call, context);
    return POOLPROOF_OK;
  };
  op.judge = [](const poolproof_call& call, const Readings& readings, size_t output, int64_t element,
                const void* got) -> ElementJudgement {
    Context context{readings, {}, {}};
    Plan plan;
    if (!Prepare(call, context, &plan) || element < 0 || element >= plan.OutElements()) return {};
    return kComputation.judge(plan, call, readings, output, element, got);
  };
  op.judge_different = [](const poolproof_call& call, const Readings& readings, size_t output, const void* expected,
                          const void* got, const JudgementVisitor& visit) {
    Context context{readings, {}, {}};
    Plan plan;
    if (!Prepare(call, context, &plan)) return;
    const size_t size = ElementSize(call.outputs[output]->element_type);
    const auto* a = static_cast<const unsigned char*>(expected);
    const auto* b = static_cast<const unsigned char*>(got);
    for (int64_t i = 0, n = plan.OutElements(); i < n; ++i, a += size, b += size) {
      if (std::memcmp(a, b, size) == 0) continue;
      if (!visit(i, kComputation.judge(plan, call, readings, output, i, b))) return;
    }
  };
  op.rounding = [](const poolproof_call& call, const Readings& readings, const void* got) -> RoundingAnswers {
    Context context{readings, {}, {}};
    Plan plan;
    if (kComputation.rounding == nullptr || !Prepare(call, context, &plan)) return {};
    return kComputation.rounding(plan, call, readings, got);
  };
  op.window = [](const poolproof_call& call, const Readings& readings, int64_t element) -> Window {
    Context context{readings, {}, {}};
    Plan plan;
    if (!Prepare(call, context, &plan) || element < 0 || element >= plan.OutElements()) return {};
    Window window = DrawWindow(plan, element);
    if (kComputation.rounding == nullptr) return window;
    const OutputPosition at = PositionOf(plan, element);
    window.divisor = DivisorOf(plan, at, TapsAt(plan, at), context);
    return window;
  };
  return op;
}

}  // namespace poolproof::reference
