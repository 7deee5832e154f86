// Accidents in what a backend refuses, computes and writes.
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <thread>
#include <vector>

#include "conformance/worker/testdata/accidents/accident.h"

namespace poolproof::accidents {
namespace {

Answer UnsupportedUnless(bool has, const char* sentence) {
  return has ? Answer() : Answer{POOLPROOF_UNSUPPORTED, sentence};
}

char* Bytes(const poolproof_tensor& tensor) { return static_cast<char*>(tensor.data); }

size_t ElementBytes(const poolproof_tensor& tensor) { return backend::ElementSize(tensor.element_type); }

// Another address of the outputs' pages, such as the one that a device writes to: no protection of theirs is seen
// there.
char* AsDevice(char* output, size_t bytes) {
  constexpr uintptr_t kPage = 4096;
  const uintptr_t start = reinterpret_cast<uintptr_t>(output) / kPage * kPage;
  const size_t length = reinterpret_cast<uintptr_t>(output) + bytes - start;
  void* mapped = mremap(reinterpret_cast<void*>(start), 0, (length + kPage - 1) / kPage * kPage, MREMAP_MAYMOVE);
  return static_cast<char*>(mapped) + (reinterpret_cast<uintptr_t>(output) - start);
}

// Windows of stride 1, without pads or with those that keep the size, over a tensor without elements.
Answer DescribeNothing(const CallView& call) {
  std::vector<int64_t> dims = call.InputDims(0);
  if (dims.size() < 3 || std::find(dims.begin(), dims.end(), 0) == dims.end()) return {};
  const std::vector<int64_t> kernel = call.List("kernel", dims.size() - 2, 1);
  const bool same = call.Word("auto_pad", "").starts_with("same");
  for (size_t axis = 2; axis < dims.size() && !same; ++axis) dims[axis] -= kernel[axis - 2] - 1;
  if (*std::min_element(dims.begin(), dims.end()) < 0) return {};
  call.DescribeOutput(0, call.Input(0).element_type, dims);
  call.DescribeOutput(1, call.Word("index_element_type", "i64") == "i64" ? POOLPROOF_I64 : POOLPROOF_I32, dims);
  return {kAnswered, ""};
}

std::vector<char> g_prefill;

Answer KeepPrefill(const CallView& call) {
  const poolproof_tensor& output = call.Output(0);
  g_prefill.assign(Bytes(output), Bytes(output) + output.size_bytes);
  return {};
}

// The answer comes from a device, kMicroseconds after run has returned.
template <int kMicroseconds>
Answer WriteAsDevice(const CallView& call) {
  const poolproof_tensor& output = call.Output(0);
  char* device = AsDevice(Bytes(output), output.size_bytes);
  std::vector<char> answer(Bytes(output), Bytes(output) + output.size_bytes);
  std::memcpy(Bytes(output), g_prefill.data(), g_prefill.size());
  const auto write = [device, answer] {
    Sleep(kMicroseconds * 1e-6);
    std::memcpy(device, answer.data(), answer.size());
  };
  kMicroseconds == 0 ? write() : std::thread(write).detach();
  return {};
}

// Leaves of the first output what was in memory, from `from` to `to` on.
void Forget(const CallView& call, size_t from, size_t to) {
  std::copy(g_prefill.begin() + static_cast<ptrdiff_t>(from), g_prefill.begin() + static_cast<ptrdiff_t>(to),
            Bytes(call.Output(0)) + from);
}

Answer WriteFirstImage(const CallView& call) {
  const size_t bytes = call.Output(0).size_bytes, images = static_cast<size_t>(call.Output(0).dims[0]);
  if (bytes > 0) Forget(call, bytes / images, bytes);
  return {};
}

// Whole vectors of 16 bytes alone are written.
Answer WriteWholeVectors(const CallView& call) {
  const size_t bytes = call.Output(0).size_bytes;
  Forget(call, bytes / 16 * 16, bytes);
  return {};
}

// Results go through a buffer of 64 elements, in which those of a larger problem overwrite the first ones.
Answer WrapScratch(const CallView& call) {
  const poolproof_tensor& output = call.Output(0);
  const size_t room = 64 * ElementBytes(output);
  for (size_t at = room; at < output.size_bytes; at += room) {
    std::memcpy(Bytes(output), Bytes(output) + at, std::min(room, output.size_bytes - at));
  }
  return {};
}

// Adds to what is in memory, which it takes for zeros.
Answer Accumulate(const CallView& call) {
  const poolproof_tensor& output = call.Output(0);
  for (size_t i = 0; i < output.size_bytes; ++i) Bytes(output)[i] = static_cast<char>(Bytes(output)[i] ^ g_prefill[i]);
  return {};
}

// A kernel compiled for the first call of a shape, type and window serves all of them, whatever their pads.
Answer TakeStale(const CallView& call) {
  static std::map<std::pair<backend::Dims, std::string>, std::vector<char>> results;
  const poolproof_tensor& input = call.Input(0);
  const poolproof_tensor& output = call.Output(0);
  backend::Dims key = call.InputDims(0);
  for (const char* name : {"kernel", "strides"}) {
    for (const int64_t value : call.List(name, key.size() > 2 ? static_cast<size_t>(input.rank) - 2 : 0, 1)) {
      key.push_back(value);
    }
  }
  key.push_back(input.element_type);
  const std::string data(Bytes(input), input.size_bytes);
  const std::vector<char> result(Bytes(output), Bytes(output) + output.size_bytes);
  const auto& known = results.try_emplace({key, data}, result).first->second;
  std::memcpy(Bytes(output), known.data(), std::min(known.size(), output.size_bytes));
  return {};
}

volatile char g_sink;

Answer ReadPastEnd(const CallView& call) {
  const poolproof_tensor& input = call.Input(0);
  g_sink = static_cast<const volatile char*>(Bytes(input))[input.size_bytes + 3];
  return {};
}

Answer WritePastEnd(const CallView& call) {
  const poolproof_tensor& output = call.Output(0);
  static_cast<volatile char*>(Bytes(output))[output.size_bytes] = 0;
  return {};
}

Answer SortInPlace(const CallView& call) {
  const poolproof_tensor& input = call.Input(0);
  std::reverse(Bytes(input), Bytes(input) + input.size_bytes);
  return {};
}

void AddRefusals(Accidents* accidents) {
  accidents->merge(Accidents{
      {"channels-of-8",
       {.infer =
            [](const CallView& call) {
              const poolproof_tensor& input = call.Input(0);
              return UnsupportedUnless(input.rank < 2 || input.dims[1] % 8 == 0, "channels have to be a multiple of 8");
            }}},
      {"axis-2",
       {.infer = [](const CallView& call) { return UnsupportedUnless(call.Int("axis", 0) == 2, "axis has to be 2"); }}},
      {"rank-3",
       {.infer = [](const CallView& call) { return UnsupportedUnless(call.Input(0).rank == 3, "1D alone"); }}},
      {"f16-alone",
       {.infer =
            [](const CallView& call) {
              return UnsupportedUnless(call.Input(0).element_type == POOLPROOF_F16, "f16 alone");
            }}},
      {"one-image",
       {.infer =
            [](const CallView& call) {
              return UnsupportedUnless(call.Input(0).rank == 0 || call.Input(0).dims[0] == 1, "one image at a time");
            }}},
      {"explicit-pads",
       {.infer =
            [](const CallView& call) {
              return UnsupportedUnless(call.Word("auto_pad", "") == "explicit", "auto_pad has to be explicit");
            }}},
      {"internal-for-unsupported", {.infer = [](const CallView& call) -> Answer {
         if (call.Input(0).rank != 5) return {};
         return {POOLPROOF_INTERNAL_ERROR, "3D is not implemented"};
       }}},
      {"status-of-errno", {.infer = [](const CallView& call) -> Answer {
         if (call.Input(0).rank != 5) return {};
         return {95, "operation not supported"};
       }}},
      {"invalid-for-unsupported", {.infer = [](const CallView& call) -> Answer {
         if (call.Input(0).rank != 5) return {};
         return {POOLPROOF_INVALID_ARGUMENT, "3D is not implemented"};
       }}},
      {"unsupported-in-run",
       {.before = [](const CallView& call) { return UnsupportedUnless(call.Input(0).rank != 5, "no kernel for 3D"); }}},
      {"unsupported-for-invalid",
       {.infer =
            [](const CallView& call) {
              const bool valid = call.Input(0).rank >= 3 && call.Input(0).rank <= 5;
              return UnsupportedUnless(valid, "no such number of dimensions");
            }}},
  });
}

}  // namespace

void AddAnswers(Accidents* accidents) {
  AddRefusals(accidents);
  accidents->merge(Accidents{
      {"device-at-once", {.before = &KeepPrefill, .after = &WriteAsDevice<0>}},
      {"device-late-0.5-ms", {.before = &KeepPrefill, .after = &WriteAsDevice<500>}},
      {"device-late-8-ms", {.before = &KeepPrefill, .after = &WriteAsDevice<8'000>}},
      {"device-late-30-ms", {.before = &KeepPrefill, .after = &WriteAsDevice<30'000>}},
      {"writes-nothing-where-nothing-is",
       {.infer = &DescribeNothing,
        .before =
            [](const CallView& call) {
              return Answer{call.Output(0).size_bytes == 0 ? kAnswered : POOLPROOF_OK, ""};
            }}},
      {"first-image-alone", {.before = &KeepPrefill, .after = &WriteFirstImage}},
      {"whole-vectors-alone", {.before = &KeepPrefill, .after = &WriteWholeVectors}},
      {"scratch-too-small", {.after = &WrapScratch}},
      {"memory-taken-for-zeros", {.before = &KeepPrefill, .after = &Accumulate}},
      {"stale-cache", {.after = &TakeStale}},
      {"reads-past-end", {.before = &ReadPastEnd}},
      {"writes-past-end", {.after = &WritePastEnd}},
      {"input-as-scratch", {.after = &SortInPlace}},
  });
}

}  // namespace poolproof::accidents
