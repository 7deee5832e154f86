// The backend "poolproof-optimized": the C ABI around the operators.
//
// Options: threads=N (default 1) splits the planes of large calls over N threads; target=NAME restricts
// dispatch to one instruction set (AVX2, SSE4, ...), and kernel=NAME every call that it takes to one kernel
// (kernels/kernels.h), both for tests; they hold for the whole process.
#include "optimized/core/backend.h"

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend_helper.h"
#include "optimized/core/executor.h"
#include "optimized/core/operator.h"
#include "optimized/core/target.h"
#include "optimized/core/tensors.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

constexpr int kMaxThreads = 1024;

struct Options {
  int threads = 1;
  std::string target;
};

Result ReadOption(std::string_view text, Options& options) {
  const size_t equals = text.find('=');
  const std::string_view key = text.substr(0, equals);
  const std::string_view value = equals == text.npos ? "" : text.substr(equals + 1);
  if (key == "threads") {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.threads);
    if (error == std::errc() && end == value.data() + value.size() && options.threads >= 1 &&
        options.threads <= kMaxThreads) {
      return Result::Ok();
    }
    return Result::Invalid("option threads must be in [1, " + std::to_string(kMaxThreads) + "]");
  }
  if (key == "target") {
    options.target = value;
    return SelectTarget(value)
               ? Result::Ok()
               : Result::Invalid("option target is " + std::string(value) + ", this machine has " + TargetNames());
  }
  if (key == "kernel") {
    if (ForceKernel(value)) return Result::Ok();
    std::string names;
    for (const std::string& name : KernelNames()) names += (names.empty() ? "" : ", ") + name;
    return Result::Invalid("option kernel is " + std::string(value) + ", there are " + names);
  }
  return Result::Invalid("unknown option " + std::string(key));
}

Options ReadOptions(const std::vector<std::string>& texts) {
  Options options;
  for (const std::string& text : texts) {
    const Result result = ReadOption(text, options);
    if (!result.ok()) throw backend::InvalidArgument(result.message);
  }
  return options;
}

Result Parse(const poolproof_call& call, const Operator** op, Parsed& parsed) {
  *op = FindOperator(call.op);
  if (*op == nullptr) return Result::Unsupported("no operator " + std::string(call.op));
  if (Result r = (*op)->parse(call, parsed); !r.ok()) return r;
  if (call.output_count != static_cast<size_t>(parsed.outputs)) {
    return Result::Invalid(std::string(call.op) + " has " + std::to_string(parsed.outputs) + " outputs, the call has " +
                           std::to_string(call.output_count));
  }
  return Result::Ok();
}

void Describe(const OutputShape& shape, poolproof_tensor& tensor) {
  tensor.element_type = shape.element_type;
  tensor.rank = shape.rank;
  std::memcpy(tensor.dims, shape.dims, sizeof(tensor.dims));
  tensor.frac_bits = shape.frac_bits;
}

Result CheckMemory(const poolproof_call& call, const Parsed& parsed) {
  const poolproof_tensor& in = *call.inputs[0];
  size_t need = BytesOf(in.element_type);
  for (int32_t i = 0; i < in.rank; ++i) need *= static_cast<size_t>(in.dims[i]);
  if (in.data == nullptr || in.size_bytes < need) {
    return Result::Invalid("the input has " + std::to_string(in.size_bytes) + " bytes, needs " + std::to_string(need));
  }
  for (int i = 0; i < parsed.outputs; ++i) {
    const poolproof_tensor& out = *call.outputs[i];
    const OutputShape& shape = parsed.output[i];
    if (out.element_type != shape.element_type || out.rank != shape.rank ||
        std::memcmp(out.dims, shape.dims, sizeof(int64_t) * static_cast<size_t>(shape.rank)) != 0) {
      return Result::Invalid("output " + std::to_string(i) + " does not have the type and shape of the result");
    }
    need = BytesOf(parsed.output[i]);
    if (out.data == nullptr || out.size_bytes < need) {
      return Result::Invalid("output " + std::to_string(i) + " has " + std::to_string(out.size_bytes) +
                             " bytes, needs " + std::to_string(need));
    }
  }
  return Result::Ok();
}

Result InferShapes(const poolproof_call* call) {
  const Operator* op;
  Parsed parsed;
  Result result = Parse(*call, &op, parsed);
  if (!result.ok()) return result;
  for (int i = 0; i < parsed.outputs; ++i) {
    Describe(parsed.output[i], *call->outputs[i]);
    call->outputs[i]->size_bytes = BytesOf(parsed.output[i]);
  }
  return result;
}

Result Run(const poolproof_call* call, Executor& executor) {
  const Operator* op;
  Parsed parsed;
  Result result = Parse(*call, &op, parsed);
  if (result.ok()) result = CheckMemory(*call, parsed);
  if (!result.ok()) return result;
  const Buffers buffers = {call->inputs[0]->data, call->outputs[0]->data,
                           parsed.outputs > 1 ? call->outputs[1]->data : nullptr};
  op->compute(parsed.plan, buffers, executor);
  return result;
}

class OptimizedBackend {
 public:
  explicit OptimizedBackend(const std::vector<std::string>& options) : executor_(ReadOptions(options).threads) {}

  backend::Answer InferShapes(const backend::CallView& call) { return ToAnswer(optimized::InferShapes(&call.Call())); }
  backend::Answer Run(const backend::CallView& call) { return ToAnswer(optimized::Run(&call.Call(), executor_)); }

 private:
  static backend::Answer ToAnswer(Result result) { return {result.status, std::move(result.message)}; }

  Executor executor_;
};

}  // namespace

const poolproof_backend& Backend() {
  return *backend::Table<OptimizedBackend>(POOLPROOF_ABI_VERSION, "poolproof-optimized", POOLPROOF_VERSION);
}

}  // namespace poolproof::optimized
