#include "conformance/causes/test_problem.h"

#include <algorithm>
#include <cstring>

#include "conformance/cases/fill.h"
#include "conformance/causes/plain_pool.h"
#include "reference/reference.h"

namespace poolproof::mutants {
namespace {

bool SameDescription(const poolproof_tensor& a, const poolproof_tensor& b) {
  return a.element_type == b.element_type && a.rank == b.rank && a.size_bytes == b.size_bytes &&
         a.frac_bits == b.frac_bits && std::equal(a.dims, a.dims + a.rank, b.dims);
}

}  // namespace

TestProblem::TestProblem(const Problem& problem) : problem_(problem) {
  call_.Bind(problem_);
  const int64_t elements = std::max<int64_t>(problem_.Elements(), 0);
  input_.resize(static_cast<size_t>(elements) * ElementSize(problem_.type));
  FillInput(problem_, input_.data());
  call_.inputs[0].data = input_.data();
}

template <typename InferStep, typename RunStep>
TestProblem::Answer TestProblem::Ask(InferStep infer, RunStep run) {
  Answer answer;
  answer.status = infer(call_.call);
  if (answer.status != POOLPROOF_OK) return answer;
  for (size_t i = 0; i < call_.call.output_count; ++i) {
    answer.data[i].assign(call_.outputs[i].size_bytes, std::byte{0xA5});
    call_.outputs[i].data = answer.data[i].data();
  }
  answer.status = run(call_.call);
  std::copy_n(call_.outputs, kMaxOutputs, answer.outputs.begin());
  return answer;
}

TestProblem::Answer TestProblem::AskMutant(const Mutant* mutant) {
  if (mutant != nullptr) {
    return Ask([&](const poolproof_call& call) { return InferMutant(*mutant, call); },
               [&](const poolproof_call& call) { return RunMutant(*mutant, call); });
  }
  reference::Context context;
  return Ask([&](const poolproof_call& call) { return reference::InferShapes(call, context); },
             [&](const poolproof_call& call) {
               PlainPool(Hooks(), call);
               return POOLPROOF_OK;
             });
}

void TestProblem::Show(Answer& answer) {
  for (size_t i = 0; i < call_.call.output_count; ++i) {
    call_.outputs[i] = answer.outputs[i];
    call_.outputs[i].data = answer.data[i].data();
  }
}

Difference TestProblem::Judge(const poolproof_tensor& expected, size_t output, int64_t element, const void* got) {
  const size_t size = ElementSize(expected.element_type);
  const auto* bytes = static_cast<const std::byte*>(expected.data);
  if (std::memcmp(bytes + static_cast<size_t>(element) * size, got, size) == 0) {
    return Difference::kNone;
  }
  const auto judged = reference::FindOperator(call_.call.op)->judge(call_.call, {}, output, element, got);
  switch (judged.acceptance) {
    case reference::Acceptance::kTolerated: return Difference::kTolerated;
    case reference::Acceptance::kSilence: return Difference::kSilence;
    default: return Difference::kWrong;
  }
}

// The worst difference of any element.
Difference TestProblem::Worst(Answer& expected, Answer& got) {
  if (expected.status != got.status) return Difference::kWrong;
  if (expected.status != POOLPROOF_OK) return Difference::kNone;
  Show(expected);
  Difference worst = Difference::kNone;
  for (size_t i = 0; i < call_.call.output_count; ++i) {
    const poolproof_tensor& output = call_.outputs[i];
    if (!SameDescription(output, got.outputs[i])) return Difference::kWrong;
    const size_t size = ElementSize(output.element_type);
    for (size_t at = 0; at + size <= output.size_bytes; at += size) {
      worst = std::max(worst, Judge(output, i, static_cast<int64_t>(at / size), &got.data[i][at]));
    }
  }
  return worst;
}

Difference TestProblem::Compare(const Mutant* mutant) {
  reference::Context context;
  Answer expected = Ask([&](const poolproof_call& call) { return reference::InferShapes(call, context); },
                        [&](const poolproof_call& call) { return reference::Run(call, context); });
  Answer got = AskMutant(mutant);
  return Worst(expected, got);
}

}  // namespace poolproof::mutants
