// The backend "poolproof-optimized": the C ABI around the operators.
//
// Options: threads=N (default 1) splits the planes of large calls over N threads; target=NAME restricts
// dispatch to one instruction set (AVX2, SSE4, ...), and kernel=NAME every call that it takes to one kernel
// (kernels/kernels.h), both for tests; they hold for the whole process.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "conformance/backend.h"
#include "optimized/core/executor.h"
#include "optimized/core/operator.h"
#include "optimized/core/target.h"
#include "optimized/core/tensors.h"
#include "optimized/kernels/kernels.h"

struct poolproof_instance {
  explicit poolproof_instance(int threads) : executor(threads) {}
  poolproof::optimized::Executor executor;
  std::string error;
};

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

poolproof_status Create(const char* const* texts, size_t count, poolproof_instance** instance, char* error,
                        size_t error_size) {
  Result result;
  try {
    Options options;
    for (size_t i = 0; i < count && result.ok(); ++i) result = ReadOption(texts[i], options);
    if (result.ok()) {
      *instance = new poolproof_instance(options.threads);
      return POOLPROOF_OK;
    }
  } catch (const std::exception& e) {
    result = {POOLPROOF_INTERNAL_ERROR, e.what()};
  }
  if (error != nullptr && error_size > 0) {
    std::snprintf(error, error_size, "%s", result.message.c_str());
  }
  return result.status;
}

void Destroy(poolproof_instance* instance) { delete instance; }

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

template <typename F>
poolproof_status Guarded(poolproof_instance* instance, const F& body) {
  instance->error.clear();
  try {
    Result result = body();
    instance->error = std::move(result.message);
    return result.status;
  } catch (const std::exception& e) {
    instance->error = e.what();
    return POOLPROOF_INTERNAL_ERROR;
  }
}

poolproof_status InferShapes(poolproof_instance* instance, const poolproof_call* call) {
  return Guarded(instance, [&] {
    const Operator* op;
    Parsed parsed;
    Result result = Parse(*call, &op, parsed);
    if (!result.ok()) return result;
    for (int i = 0; i < parsed.outputs; ++i) {
      Describe(parsed.output[i], *call->outputs[i]);
      call->outputs[i]->size_bytes = BytesOf(parsed.output[i]);
    }
    return result;
  });
}

poolproof_status Run(poolproof_instance* instance, const poolproof_call* call) {
  return Guarded(instance, [&] {
    const Operator* op;
    Parsed parsed;
    Result result = Parse(*call, &op, parsed);
    if (result.ok()) result = CheckMemory(*call, parsed);
    if (!result.ok()) return result;
    const Buffers buffers = {call->inputs[0]->data, call->outputs[0]->data,
                             parsed.outputs > 1 ? call->outputs[1]->data : nullptr};
    op->compute(parsed.plan, buffers, instance->executor);
    return result;
  });
}

const char* LastError(poolproof_instance* instance) { return instance->error.c_str(); }

constexpr poolproof_backend kBackend = {
    sizeof(poolproof_backend),
    POOLPROOF_ABI_VERSION,
    "poolproof-optimized",
    POOLPROOF_VERSION,
    Create,
    Destroy,
    InferShapes,
    Run,
    LastError,
};

}  // namespace

const poolproof_backend& Backend() { return kBackend; }

}  // namespace poolproof::optimized
