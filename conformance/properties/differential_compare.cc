#include "conformance/properties/differential_compare.h"

#include <cstdio>
#include <cstring>

#include "conformance/cases/fill.h"
#include "optimized/core/backend.h"
#include "optimized/core/target.h"
#include "reference/reference.h"

namespace poolproof {
namespace {

constexpr size_t kCapacity = 1 << 28;  // of memory that is only reserved until it is written
constexpr unsigned char kUnwritten = 0xA5;

using optimized::Backend;

}  // namespace

Comparer::Comparer(const std::vector<std::string>& options)
    : in_(kCapacity), out_{GuardedBuffer(kCapacity), GuardedBuffer(kCapacity)} {
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  char error[200];
  if (Backend().create(texts.data(), texts.size(), &instance_, error, sizeof(error)) != POOLPROOF_OK) {
    std::fprintf(stderr, "%s\n", error);
    std::abort();
  }
}

Comparer::~Comparer() { Backend().destroy(instance_); }

Comparer::Result Comparer::Reference() {
  Result result;
  reference::Context context;
  poolproof_call& call = call_.call;
  call_.inputs[0].data = nullptr;
  result.status = reference::InferShapes(call, context);
  result.error = context.error;
  if (result.status != POOLPROOF_OK) return result;
  call_.inputs[0].data = data_.data();
  for (size_t i = 0; i < call.output_count; ++i) {
    result.bytes[i].resize(call.outputs[i]->size_bytes);
    call.outputs[i]->data = result.bytes[i].data();
    result.shape[i] = *call.outputs[i];
  }
  result.status = reference::Run(call, context);
  result.error = context.error;
  return result;
}

Comparer::Result Comparer::Optimized(bool at_end) {
  Result result;
  poolproof_call& call = call_.call;
  call_.inputs[0].data = nullptr;
  result.status = Backend().infer_shapes(instance_, &call);
  result.error = Backend().last_error(instance_);
  if (result.status != POOLPROOF_OK) return result;
  const size_t in_bytes = data_.size();
  call_.inputs[0].data = at_end ? in_.AtEnd(in_bytes) : in_.AtBegin();
  std::memcpy(call_.inputs[0].data, data_.data(), in_bytes);
  for (size_t i = 0; i < call.output_count; ++i) {
    poolproof_tensor& out = *call.outputs[i];
    if (out.size_bytes > kCapacity) {
      result.status = POOLPROOF_INTERNAL_ERROR;
      result.error = "an output of " + std::to_string(out.size_bytes) + " bytes is more than is compared";
      return result;
    }
    out.data = at_end ? out_[i].AtEnd(out.size_bytes) : out_[i].AtBegin();
    std::memset(out.data, kUnwritten, out.size_bytes);
    result.shape[i] = out;
  }
  result.status = Backend().run(instance_, &call);
  result.error = Backend().last_error(instance_);
  if (std::memcmp(call_.inputs[0].data, data_.data(), in_bytes) != 0) {
    result.status = POOLPROOF_INTERNAL_ERROR;
    result.error = "the input was modified";
  }
  for (size_t i = 0; i < call.output_count; ++i) {
    const auto* bytes = static_cast<const unsigned char*>(call.outputs[i]->data);
    result.bytes[i].assign(bytes, bytes + call.outputs[i]->size_bytes);
  }
  return result;
}

std::string Comparer::ElementDifference(const Result& want, const Result& got, size_t output) {
  if (want.bytes[output] == got.bytes[output]) return "";
  const size_t size = ElementSize(want.shape[output].element_type);
  call_.inputs[0].data = data_.data();
  const reference::Operator* op = reference::FindOperator(call_.call.op);
  for (size_t at = 0; at < want.bytes[output].size(); at += size) {
    const unsigned char* g = got.bytes[output].data() + at;
    if (std::memcmp(want.bytes[output].data() + at, g, size) == 0) continue;
    const int64_t element = static_cast<int64_t>(at / size);
    const reference::ElementJudgement judgement = op->judge(call_.call, reference::Readings{}, output, element, g);
    // Of the silences only that of zeros is left open; the others have one answer here.
    const bool zero =
        judgement.acceptance == reference::Acceptance::kSilence && judgement.entry == reference::Entry::kSignedZero;
    if (judgement.acceptance == reference::Acceptance::kTolerated || zero) continue;
    char text[160];
    uint64_t want_bits = 0, got_bits = 0;
    std::memcpy(&want_bits, want.bytes[output].data() + at, size);
    std::memcpy(&got_bits, g, size);
    std::snprintf(text, sizeof(text), "output %zu element %lld is %llx, expected %llx", output,
                  static_cast<long long>(element), static_cast<unsigned long long>(got_bits),
                  static_cast<unsigned long long>(want_bits));
    return text;
  }
  return "";
}

std::string Comparer::Difference(const Result& want, const Result& got) {
  if (want.status != got.status) {
    return "status " + std::to_string(got.status) + " (" + got.error + "), expected " + std::to_string(want.status) +
           " (" + want.error + ")";
  }
  if (want.status != POOLPROOF_OK) return "";
  for (size_t i = 0; i < call_.call.output_count; ++i) {
    const poolproof_tensor &a = want.shape[i], &b = got.shape[i];
    if (a.element_type != b.element_type || a.rank != b.rank || a.size_bytes != b.size_bytes ||
        a.frac_bits != b.frac_bits || std::memcmp(a.dims, b.dims, sizeof(int64_t) * static_cast<size_t>(a.rank)) != 0) {
      return "type or shape of output " + std::to_string(i);
    }
    std::string difference = ElementDifference(want, got, i);
    if (!difference.empty()) return difference;
  }
  return "";
}

Comparison Comparer::Compare(const Problem& problem, const std::vector<std::string>& targets) {
  Comparison comparison;
  call_.Bind(problem);
  data_.resize(static_cast<size_t>(problem.InputBytes()));
  FillInput(problem, data_.data());
  call_.inputs[0].size_bytes = data_.size();
  const Result want = Reference();
  comparison.unsupported = want.status == POOLPROOF_UNSUPPORTED;
  comparison.rejected = want.status == POOLPROOF_INVALID_ARGUMENT;
  const size_t runs = targets.empty() ? 1 : targets.size();
  Result first;
  for (size_t i = 0; i < 2 * runs; ++i) {
    if (!targets.empty()) optimized::SelectTarget(targets[i / 2]);
    const Result got = Optimized(i % 2 == 0);
    comparison.difference = Difference(want, got);
    if (i == 0) first = got;
    if (comparison.difference.empty() && (first.bytes[0] != got.bytes[0] || first.bytes[1] != got.bytes[1])) {
      comparison.difference = "other bits than on " + (targets.empty() ? "" : targets[0]);
    }
    if (comparison.difference.empty()) continue;
    if (!targets.empty()) comparison.difference = targets[i / 2] + ": " + comparison.difference;
    return comparison;
  }
  return comparison;
}

}  // namespace poolproof
