#include "fuzz/against_reference.h"

#include <algorithm>
#include <cstring>

#include "conformance/cases/fill.h"
#include "fuzz/agreement.h"
#include "fuzz/problem_from_bytes.h"
#include "reference/reference.h"

namespace poolproof::fuzz {
namespace {

constexpr int64_t kMaxCapacity = 1 << 20;

std::string StatusName(poolproof_status status) {
  switch (status) {
    case POOLPROOF_OK: return "OK";
    case POOLPROOF_UNSUPPORTED: return "UNSUPPORTED";
    case POOLPROOF_INVALID_ARGUMENT: return "INVALID_ARGUMENT";
    case POOLPROOF_INTERNAL_ERROR: return "INTERNAL_ERROR";
    default: return "status " + std::to_string(status);
  }
}

std::string Dims(const poolproof_tensor& tensor, size_t bytes) {
  std::string text;
  for (int32_t d = 0; d < std::clamp(tensor.rank, 0, POOLPROOF_MAX_RANK); ++d) {
    text += (d > 0 ? "x" : "") + std::to_string(tensor.dims[d]);
  }
  return std::string(ElementTypeName(tensor.element_type)) + " " + text + " of " + std::to_string(bytes) + " bytes";
}

// memcmp, which sanitizers replace by a loop over bytes that also reports to the fuzzer.
bool SameBytes(const void* a, const void* b, size_t size) {
  const auto* x = static_cast<const std::byte*>(a);
  const auto* y = static_cast<const std::byte*>(b);
  for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
    uint64_t left, right;
    std::memcpy(&left, x, sizeof(left));
    std::memcpy(&right, y, sizeof(right));
    if (left != right) return false;
    x += sizeof(left);
    y += sizeof(right);
  }
  return std::equal(x, x + size, y);
}

}  // namespace

void AgainstReference::Allocate(Side* side) {
  side->call.inputs[0].data = side->input.Get(side->call.inputs[0].size_bytes);
  for (size_t i = 0; i < side->call.call.output_count; ++i) {
    poolproof_tensor& output = side->call.outputs[i];
    side->needed[i] = output.size_bytes;
    const int64_t bytes =
        static_cast<int64_t>(output.size_bytes) + std::clamp(problem_->capacity, -kMaxCapacity, kMaxCapacity);
    output.size_bytes = static_cast<size_t>(std::max<int64_t>(0, bytes));
    output.data = side->outputs[i].Get(output.size_bytes);
  }
}

bool AgainstReference::Prepare(const Problem& problem) {
  problem_ = &problem;
  filled_ = false;
  reference::Context context;
  context.readings = readings_;
  want_.call.Bind(problem);
  expected_ = reference::InferShapes(want_.call.call, context);
  if (expected_ == POOLPROOF_OK) {
    if (!IsQuick(problem, want_.call.call)) return false;
    Allocate(&want_);
    FillInput(problem, want_.call.inputs[0].data);
    filled_ = true;
    expected_ = reference::Run(want_.call.call, context);
  }
  refusal_ = context.error;
  may_refuse_ = MayRefuse(context.touched);
  return true;
}

// The oracle's input, or the problem's where the oracle has refused.
void AgainstReference::FillGot() {
  const poolproof_tensor& input = got_.call.inputs[0];
  if (filled_) {
    std::memcpy(input.data, want_.input.data(), input.size_bytes);
  } else {
    FillInput(*problem_, input.data);
  }
}

std::string AgainstReference::Compare(const poolproof_backend& backend, poolproof_instance* instance,
                                      std::byte prefill) {
  got_.call.Bind(*problem_);
  poolproof_status status = backend.infer_shapes(instance, &got_.call.call);
  if (status == POOLPROOF_OK) {
    std::string difference = expected_ == POOLPROOF_OK ? CompareShapes() : "";
    if (!difference.empty() || !IsQuick(*problem_, got_.call.call)) return difference;
    Allocate(&got_);
    FillGot();
    for (size_t i = 0; i < got_.call.call.output_count; ++i) {
      poolproof_tensor& output = got_.call.outputs[i];
      std::memset(output.data, static_cast<int>(prefill), output.size_bytes);
    }
    status = backend.run(instance, &got_.call.call);
  }
  if (status == POOLPROOF_UNSUPPORTED) return "";
  if (status == expected_) return status == POOLPROOF_OK ? CompareData() : "";
  if (may_refuse_) return "";
  return "answered " + StatusName(status) + " (" + backend.last_error(instance) + "), expected " +
         StatusName(expected_) + " (" + refusal_ + ")";
}

std::string AgainstReference::CompareData() {
  if (!SameBytes(got_.input.data(), want_.input.data(), got_.call.inputs[0].size_bytes)) {
    return "changed its input";
  }
  silences_ = {};
  for (size_t i = 0; i < want_.call.call.output_count; ++i) {
    std::string difference = CompareOutput(i);
    if (!difference.empty()) return difference;
  }
  return silences_.Empty() ? "" : CompareReadings();
}

// Each element is right under some reading; whether all are under the same one.
std::string AgainstReference::CompareReadings() {
  scratch_.Bind(*problem_);
  scratch_.inputs[0].data = want_.call.inputs[0].data;
  selected_.Compute(scratch_, readings_, false, problem_->capacity);
  Result got = selected_.result();
  for (size_t i = 0; i < got.output_count; ++i) got.outputs[i].data = got_.call.outputs[i].data;
  const auto explanation = explainer_.Explain(scratch_, selected_, got, {}, false);
  if (!explanation) return "is a result that no readings explain";
  std::string mixed;
  for (const Candidate& candidate : explanation->candidates) {
    const auto& evidence = candidate.evidence;
    const auto none = std::find_if(evidence.begin(), evidence.end(), [](const Evidence& e) {
      return e.readings == 0 || (e.answers & e.answers >> reference::kRoundingQuestions) != 0;
    });
    if (none == evidence.end()) return "";
    mixed = reference::EntryId(none->entry);
  }
  return mixed.empty() ? "" : "mixes readings of " + mixed + " in one call";
}

std::string AgainstReference::CompareShapes() const {
  for (size_t i = 0; i < want_.call.call.output_count; ++i) {
    const poolproof_tensor& got = got_.call.outputs[i];
    if (SameDescription(want_.call.outputs[i], got) && got.size_bytes == want_.needed[i]) continue;
    return "describes output " + std::to_string(i) + " as " + Dims(got, got.size_bytes) + ", expected " +
           Dims(want_.call.outputs[i], want_.needed[i]);
  }
  return "";
}

std::string AgainstReference::CompareOutput(size_t output) {
  const poolproof_tensor& want = want_.call.outputs[output];
  const poolproof_tensor& got = got_.call.outputs[output];
  const size_t size = ElementSize(want.element_type);
  int64_t elements = 1;
  for (int32_t d = 0; d < want.rank; ++d) elements *= want.dims[d];
  if (SameBytes(want.data, got.data, static_cast<size_t>(elements) * size)) return "";
  const reference::Operator* op = reference::FindOperator(want_.call.call.op);
  for (int64_t i = 0; i < elements; ++i) {
    const std::byte* w = static_cast<const std::byte*>(want.data) + static_cast<size_t>(i) * size;
    const std::byte* g = static_cast<const std::byte*>(got.data) + static_cast<size_t>(i) * size;
    if (SameBytes(w, g, size)) continue;
    const reference::ElementJudgement judgement = op->judge(want_.call.call, readings_, output, i, g);
    if (judgement.acceptance == reference::Acceptance::kSilence && reference::ComputableReadings(judgement.entry) > 1) {
      silences_.Add(judgement.entry);
    }
    if (judgement.acceptance != reference::Acceptance::kRejected) continue;
    return "element " + std::to_string(i) + " of output " + std::to_string(output) + " is " +
           ElementAsText(got.element_type, got.data, i) + ", expected " +
           ElementAsText(want.element_type, want.data, i);
  }
  return "";
}

}  // namespace poolproof::fuzz
