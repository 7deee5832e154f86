// Options of our two backends: every list of options is accepted or refused with a sentence, a list
// exactly if each of its options is, and an instance that was made computes.
#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>
#include <vector>

#include "conformance/cases/fill.h"
#include "conformance/properties/guarded.h"
#include "fuzz/harness.h"
#include "fuzz/problem_from_bytes.h"
#include "optimized/core/backend.h"

namespace {

constexpr size_t kMaxOptions = 6;
constexpr size_t kErrorSizes[] = {0, 1, 8, 256};

std::vector<std::string> Words(const uint8_t* data, size_t size) {
  std::vector<std::string> words(1);
  for (const char c : std::string(reinterpret_cast<const char*>(data), size)) {
    if (c != ' ' && c != '\n') {
      words.back() += c;
    } else if (words.size() < kMaxOptions) {
      words.emplace_back();
    }
  }
  return words;
}

void Computes(const poolproof_backend& backend, poolproof_instance* instance) {
  static const std::string line = "MaxPool-8 f32 in=1x2x5x7 k=2 s=1 pb=0 pe=0 fill=distinct seed=1";
  poolproof::Error error;
  const auto problem = poolproof::ParseLine(poolproof::BuiltInSpecs(), line, &error);
  poolproof::Call call;
  call.Bind(*problem);
  assert(backend.infer_shapes(instance, &call.call) == POOLPROOF_OK);
  std::vector<std::byte> input(call.inputs[0].size_bytes), outputs[poolproof::kMaxOutputs];
  FillInput(*problem, input.data());
  call.inputs[0].data = input.data();
  for (size_t i = 0; i < call.call.output_count; ++i) {
    outputs[i].resize(call.outputs[i].size_bytes);
    call.outputs[i].data = outputs[i].data();
  }
  assert(backend.run(instance, &call.call) == POOLPROOF_OK);
  assert(*backend.last_error(instance) == '\0');
}

poolproof_status Create(const poolproof_backend& backend, const std::vector<std::string>& options, size_t error_size) {
  static poolproof::GuardedMemory buffer;
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  char* error =
      error_size == 0 ? nullptr : reinterpret_cast<char*>(buffer.Get(error_size, poolproof::Placement::kAtBegin));
  if (error != nullptr) std::memset(error, 'x', error_size);
  poolproof_instance* instance = nullptr;
  const poolproof_status status = backend.create(texts.data(), texts.size(), &instance, error, error_size);
  if (status == POOLPROOF_OK) {
    assert(instance != nullptr);
    Computes(backend, instance);
    backend.destroy(instance);
  } else {
    assert(status == POOLPROOF_INVALID_ARGUMENT && instance == nullptr);
    if (error != nullptr) {
      const char* end = std::find(error, error + error_size, '\0');
      assert(end != error + error_size && (end != error || error_size == 1));
    }
  }
  return status;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<std::string> options = Words(data, size);
  const poolproof_backend* backends[] = {&poolproof::optimized::Backend(),
                                         poolproof_get_backend(POOLPROOF_ABI_VERSION)};
  assert(poolproof_get_backend(POOLPROOF_ABI_VERSION + 1) == nullptr);
  for (const poolproof_backend* backend : backends) {
    const poolproof_status all = Create(*backend, options, kErrorSizes[size % std::size(kErrorSizes)]);
    bool each = true;
    for (const std::string& option : options) {
      each &= Create(*backend, {option}, 256) == POOLPROOF_OK;
    }
    assert(each == (all == POOLPROOF_OK));
  }
  return 0;
}
