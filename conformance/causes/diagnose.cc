#include "conformance/causes/diagnose.h"

#include <algorithm>

#include "conformance/causes/mutant.h"
#include "conformance/causes/pool.h"
#include "conformance/judge/compare.h"

namespace poolproof {

const std::vector<Cause>& Causes() {
  static const std::vector<Cause> causes = [] {
    std::vector<Cause> all;
    for (const mutants::Mutant& mutant : mutants::Mutants()) {
      if (!mutant.explains) break;
      all.push_back({std::string(mutant.id), std::string(mutant.title), std::string(mutant.effect),
                     std::string(mutant.link), mutant.role});
    }
    return all;
  }();
  return causes;
}

bool CauseAppliesTo(size_t m, std::string_view op) {
  const mutants::Mutant& mutant = mutants::Mutants()[m];
  return m < kMaxCauses && mutant.IsPure() && mutant.explains && mutant.AppliesTo(op);
}

bool BoundAppliesTo(const Bound& bound, std::string_view op) {
  const unsigned family = mutants::FamilyOf(op);
  return (family & mutants::kFixedPoint) == 0 && (!bound.is_floor || (family & mutants::kMaxima) != 0);
}

namespace {

// Computing a problem once for each known cause takes about a tenth of a second for this number of taps and inputs;
// larger ones are diagnosed when they have been shrunk.
constexpr int64_t kMaxTaps = 250'000;

bool TooLarge(const Call& call, const Expected& expected) {
  const Result& want = expected.result();
  if (want.status != POOLPROOF_OK || !want.computed) return false;
  int64_t outputs = 1, taps = 1, inputs = 1;
  for (int d = 0; d < want.outputs[0].rank; ++d) outputs *= want.outputs[0].dims[d];
  for (int d = 0; d < call.inputs[0].rank; ++d) inputs *= call.inputs[0].dims[d];
  if (outputs == 0) return false;
  const reference::Window window = reference::FindOperator(call.call.op)->window(call.call, expected.readings(), 0);
  for (int axis = 0; axis < window.spatial_rank; ++axis) {
    taps *= std::max<int64_t>(window.taps[static_cast<size_t>(axis)], 1);
  }
  return outputs > std::max<int64_t>(kMaxTaps - inputs, 0) / std::min(taps, kMaxTaps);
}

}  // namespace

bool Diagnostician::Infer(size_t m, Call& call, const Expected& expected, bool compute) {
  const mutants::Mutant& mutant = mutants::Mutants()[m];
  if (!mutant.IsPure() || !mutant.explains || !mutant.AppliesTo(call.call.op)) return false;
  result_.output_count = call.call.output_count;
  result_.computed = compute;
  result_.status = mutants::InferMutant(mutant, call.call, expected.readings());
  std::copy_n(call.outputs, result_.output_count, result_.outputs.begin());
  return true;
}

void Diagnostician::Run(size_t m, Call& call, const Expected& expected) {
  for (size_t i = 0; i < result_.output_count; ++i) {
    memory_[i].resize(std::max<size_t>(call.outputs[i].size_bytes, 1));
    call.outputs[i].data = result_.outputs[i].data = memory_[i].data();
    size_t& bytes = call.outputs[i].size_bytes;
    bytes = static_cast<size_t>(expected.capacity().Room(i, static_cast<int64_t>(bytes)));
  }
  result_.status = mutants::RunMutant(mutants::Mutants()[m], call.call, expected.readings());
}

const Result* Diagnostician::Give(size_t m, Call& call, const Expected& expected) {
  if (m >= mutants::Mutants().size() || !Infer(m, call, expected, expected.result().computed)) {
    return nullptr;
  }
  inferred_ = result_.status;
  if (result_.status == POOLPROOF_OK && result_.computed) Run(m, call, expected);
  return &result_;
}

const Result& Diagnostician::GiveBounded(const Bound& bound, const Expected& expected) {
  result_ = expected.result();
  inferred_ = result_.status;
  if (result_.status != POOLPROOF_OK || !result_.computed) return result_;
  for (size_t i = 0; i < result_.output_count; ++i) {
    poolproof_tensor& output = result_.outputs[i];
    const auto* data = static_cast<const std::byte*>(output.data);
    memory_[i].assign(data, data + output.size_bytes);
    output.data = memory_[i].data();
  }
  const poolproof_element_type type = result_.outputs[0].element_type;
  const size_t size = reference::ElementSize(type), elements = result_.outputs[0].size_bytes / size;
  const mutants::Value value = mutants::Rounded(type, bound.value);
  for (size_t i = 0; i < elements; ++i) {
    const mutants::Value have = mutants::LoadValue(type, memory_[0].data(), static_cast<int64_t>(i));
    // A start value that nothing is above keeps its index.
    if (!(bound.is_floor ? have <= bound.value : have > value)) continue;
    mutants::StoreValue(type, value, memory_[0].data(), static_cast<int64_t>(i));
    if (result_.output_count > 1 && bound.is_floor) {
      const size_t width = result_.outputs[1].size_bytes / elements;
      std::fill_n(memory_[1].begin() + static_cast<ptrdiff_t>(i * width), width, std::byte{0});
    }
  }
  return result_;
}

CauseSet Diagnostician::Diagnose(Call& call, const Expected& expected, const Result& got) {
  CauseSet causes;
  if (TooLarge(call, expected)) return causes;
  for (size_t m = 0; m < std::min(mutants::Mutants().size(), kMaxCauses); ++m) {
    if (!Infer(m, call, expected, got.computed)) continue;
    if (result_.status == POOLPROOF_OK && got.computed) {
      if (got.status == POOLPROOF_OK && !SameShapes(result_, got)) continue;
      Run(m, call, expected);
    }
    causes[m] = SameBytes(result_, got) && !SameBytes(result_, expected.result());
  }
  return causes;
}

}  // namespace poolproof
