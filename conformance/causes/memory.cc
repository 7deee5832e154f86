// Mutants that touch memory they must not touch, or leave alone what they must write.
#include <setjmp.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

// A read that the compiler cannot leave out.
void Touch(const void* at) { static_cast<void>(*static_cast<const volatile unsigned char*>(at)); }

const unsigned char* InputBytes(const poolproof_call& call) {
  return static_cast<const unsigned char*>(call.inputs[0]->data);
}

unsigned char* OutputBytes(const poolproof_call& call, size_t output = 0) {
  return static_cast<unsigned char*>(call.outputs[output]->data);
}

void Write(unsigned char* at) { *static_cast<volatile unsigned char*>(at) = 0x3C; }

void Flip(unsigned char* at) {
  volatile unsigned char* byte = at;
  *byte = static_cast<unsigned char>(*byte ^ 1u);
}

constexpr std::string_view kLateEffect = "a consumer that reads at once sees what was there before";

enum class Thread { kDetached, kKept };

// Writes as a stream does for which no call waits.
template <int64_t kMicroseconds, Thread kThread>
poolproof_status WriteLate(const poolproof_call& call, State&, poolproof_status status) {
  if (status != POOLPROOF_OK || call.outputs[0]->size_bytes == 0) return status;
  std::thread writer([byte = OutputBytes(call)] {
    std::this_thread::sleep_for(std::chrono::microseconds(kMicroseconds));
    Flip(byte);
  });
  if (kThread == Thread::kDetached) {
    writer.detach();
    return status;
  }
  static auto& kept = *new std::vector<std::thread>;  // never destroyed: its threads may run on
  constexpr size_t kMost = 64;
  if (kept.size() == kMost) {
    for (std::thread& thread : kept) thread.join();
    kept.clear();
  }
  kept.push_back(std::move(writer));
  return status;
}

sigjmp_buf g_after_fault;

void TouchUnderHandler(const void* at) {
  struct sigaction action = {};
  action.sa_handler = [](int) { siglongjmp(g_after_fault, 1); };
  action.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
  if (sigsetjmp(g_after_fault, 1) == 0) Touch(at);
}

size_t ElementBytes(const poolproof_tensor& tensor) {
  int64_t elements = 1;
  for (int i = 0; i < tensor.rank; ++i) elements *= tensor.dims[i];
  return elements == 0 ? 0 : tensor.size_bytes / static_cast<size_t>(elements);
}

// Keeps the last `count` bytes of an output as they are before the run, to put them back after it.
void KeepTail(const poolproof_call& call, State& state, size_t output, size_t count) {
  const auto* bytes = reinterpret_cast<const std::byte*>(OutputBytes(call, output));
  const size_t size = call.outputs[output]->size_bytes;
  count = std::min(count, size);
  state.kept.assign(bytes + size - count, bytes + size);
}

poolproof_status PutTailBack(const poolproof_call& call, State& state, poolproof_status status, size_t output) {
  if (status == POOLPROOF_OK && !state.kept.empty()) {
    unsigned char* bytes = OutputBytes(call, output);
    std::memcpy(bytes + call.outputs[output]->size_bytes - state.kept.size(), state.kept.data(), state.kept.size());
  }
  return status;
}

// Flips a bit of the first value where `wrong`.
poolproof_status SpoilIf(bool wrong, const poolproof_call& call, poolproof_status status) {
  const bool any = call.outputs[0]->size_bytes > 0;
  if (wrong && any && status == POOLPROOF_OK) Flip(OutputBytes(call));
  return status;
}

poolproof_status SpoilUnaligned(const poolproof_call& call, State&, poolproof_status status) {
  return SpoilIf(reinterpret_cast<uintptr_t>(call.inputs[0]->data) % 64 != 0, call, status);
}

// Noise in every byte, so that two runs of any case differ.
poolproof_status AddNoise(const poolproof_call& call, State&, poolproof_status status) {
  static std::minstd_rand noise(std::random_device{}());
  if (status != POOLPROOF_OK) return status;
  unsigned char* bytes = OutputBytes(call);
  for (size_t i = 0; i < call.outputs[0]->size_bytes; ++i) {
    bytes[i] = static_cast<unsigned char>(bytes[i] ^ (noise() >> 8));
  }
  return status;
}

// The first value has bits of the previous call's in it.
poolproof_status MixInPrevious(const poolproof_call& call, State& state, poolproof_status status) {
  if (status != POOLPROOF_OK || call.outputs[0]->size_bytes == 0) return status;
  const std::byte own = static_cast<std::byte>(InputBytes(call)[0]);
  if (!state.kept.empty()) {
    OutputBytes(call)[0] |= static_cast<unsigned char>(state.kept[0]);
  }
  state.kept.assign(1, own);
  return status;
}

poolproof_status MixInOutput(const poolproof_call& call, State& state, poolproof_status status) {
  if (status != POOLPROOF_OK || state.kept.empty()) return status;
  OutputBytes(call)[call.outputs[0]->size_bytes - state.kept.size()] ^= static_cast<unsigned char>(state.kept[0]);
  return status;
}

// Writes indices of 8 bytes whatever type was asked for.
poolproof_status WriteWideIndex(const poolproof_call& call, State&, poolproof_status status) {
  if (status != POOLPROOF_OK || call.output_count < 2) return status;
  const poolproof_tensor& indices = *call.outputs[1];
  if (indices.element_type != POOLPROOF_I32 || indices.size_bytes == 0) return status;
  unsigned char* last = OutputBytes(call, 1) + indices.size_bytes - 4;
  volatile unsigned char* past = last + 4;
  for (int i = 0; i < 4; ++i) past[i] = 0;
  return status;
}

constexpr Mutant kMemory[] = {
    {.id = "reads-past-end",
     .title = "the byte after the input is read",
     .effect = "the process ends where a tensor lies at the end of a mapping",
     .verdicts = "out-of-bounds",
     .hooks = {.before_run = [](const poolproof_call& call,
                                State&) { Touch(InputBytes(call) + call.inputs[0]->size_bytes); }}},
    {.id = "reads-before-begin",
     .title = "the byte before the input is read",
     .effect = "the process ends where a tensor lies at the beginning of a mapping",
     .verdicts = "out-of-bounds",
     .hooks = {.before_run = [](const poolproof_call& call, State&) { Touch(InputBytes(call) - 1); }}},
    {.id = "reads-whole-vectors",
     .title = "the last partial vector of 16 bytes is read whole",
     .effect = "up to 15 bytes past the input are read",
     .verdicts = "out-of-bounds",
     .hooks = {.before_run =
                   [](const poolproof_call& call, State&) {
                     const size_t whole = (call.inputs[0]->size_bytes + 15) / 16 * 16;
                     for (size_t i = call.inputs[0]->size_bytes; i < whole; ++i) Touch(InputBytes(call) + i);
                   }}},
    {.id = "writes-past-end",
     .title = "the byte after the output is written",
     .effect = "a neighbour in memory is destroyed",
     .verdicts = "out-of-bounds",
     .hooks = {.before_run = [](const poolproof_call& call,
                                State&) { Write(OutputBytes(call) + call.outputs[0]->size_bytes); }}},
    {.id = "writes-before-begin",
     .title = "the byte before the output is written",
     .effect = "a neighbour in memory is destroyed",
     .verdicts = "out-of-bounds",
     .hooks = {.before_run = [](const poolproof_call& call, State&) { Write(OutputBytes(call) - 1); }}},
    {.id = "writes-i64-index-as-i32",
     .title = "an i32 index is written as eight bytes",
     .effect = "four bytes past the index output are destroyed",
     .verdicts = "out-of-bounds",
     .operators = kIndices,
     .hooks = {.after_run = WriteWideIndex}},
    {.id = "index-capacity-unchecked",
     .title = "the capacity of the value output is checked, that of the index output is not",
     .effect = "an index buffer that is too small is written past its end",
     .verdicts = "out-of-bounds wrongly-accepted",
     .operators = kIndices,
     .explains = false,
     .hooks = {.before_run = [](const poolproof_call& call, State& state) { HideCapacity(call, 1, state); },
               .after_run = ShowCapacity<1>}},
    {.id = "input-modified",
     .title = "the input is used as scratch memory",
     .effect = "other consumers of the same tensor see changed data",
     .verdicts = "input-modified",
     .hooks = {.before_run = [](const poolproof_call& call,
                                State&) { Write(const_cast<unsigned char*>(InputBytes(call))); }}},
    {.id = "written-1us-late",
     .title = "a thread that is not waited for writes an output 1 us after run has returned",
     .effect = kLateEffect,
     .verdicts = "written-late nondeterministic unwritten",
     .hooks = {.after_run = WriteLate<1, Thread::kDetached>}},
    {.id = "written-30us-late",
     .title = "a thread that is not waited for writes an output 30 us after run has returned",
     .effect = kLateEffect,
     .verdicts = "written-late",
     .hooks = {.after_run = WriteLate<30, Thread::kDetached>}},
    {.id = "written-1ms-late",
     .title = "a worker thread writes an output 1 ms after run has returned",
     .effect = kLateEffect,
     .verdicts = "written-late",
     .hooks = {.after_run = WriteLate<1'000, Thread::kKept>}},
    {.id = "written-10ms-late",
     .title = "a worker thread writes an output 10 ms after run has returned",
     .effect = kLateEffect,
     .verdicts = "written-late",
     .hooks = {.after_run = WriteLate<10'000, Thread::kKept>}},
    {.id = "written-in-next-call",
     .title = "an output is written when the next call comes",
     .effect = kLateEffect,
     .verdicts = "written-late",
     .hooks = {.before_run =
                   [](const poolproof_call&, State& state) {
                     if (state.last_output != nullptr) Flip(state.last_output);
                     state.last_output = nullptr;
                   },
               .after_run =
                   [](const poolproof_call& call, State& state, poolproof_status status) {
                     if (call.outputs[0]->size_bytes > 0) state.last_output = OutputBytes(call);
                     return status;
                   }}},
    {.id = "hides-faults",
     .title = "a signal handler swallows the fault of a read past the input",
     .effect = "the process lives on after a read that should have ended it",
     .verdicts = "out-of-bounds",
     .hooks = {.before_run = [](const poolproof_call& call,
                                State&) { TouchUnderHandler(InputBytes(call) + call.inputs[0]->size_bytes); }}},
    {.id = "last-element-unwritten",
     .title = "the last output element is not written",
     .effect = "the last value is whatever was in memory",
     .verdicts = "unwritten",
     .hooks = {.before_run = [](const poolproof_call& call,
                                State& state) { KeepTail(call, state, 0, ElementBytes(*call.outputs[0])); },
               .after_run = [](const poolproof_call& call, State& state,
                               poolproof_status status) { return PutTailBack(call, state, status, 0); }}},
    {.id = "indices-unwritten",
     .title = "the index output is not written",
     .effect = "indices are whatever was in memory",
     .verdicts = "unwritten",
     .operators = kIndices,
     .hooks = {.before_run = [](const poolproof_call& call,
                                State& state) { KeepTail(call, state, 1, call.outputs[1]->size_bytes); },
               .after_run = [](const poolproof_call& call, State& state,
                               poolproof_status status) { return PutTailBack(call, state, status, 1); }}},
    {.id = "output-read-before-written",
     .title = "the result depends on what the output held before",
     .effect = "results change with the history of the memory",
     .verdicts = "nondeterministic unwritten",
     .hooks = {.before_run = [](const poolproof_call& call, State& state) { KeepTail(call, state, 0, 1); },
               .after_run = MixInOutput}},
    {.id = "depends-on-alignment",
     .title = "inputs that are not aligned to 64 bytes are computed otherwise",
     .effect = "results change with the address of the tensor",
     .verdicts = "nondeterministic",
     .hooks = {.after_run = SpoilUnaligned}},
    {.id = "depends-on-chance",
     .title = "the result is not the same every time",
     .effect = "results change from run to run",
     .verdicts = "nondeterministic",
     .hooks = {.after_run = AddNoise}},
    {.id = "depends-on-previous-call",
     .title = "state is kept from the previous call",
     .effect = "results change with the order of the calls",
     .verdicts = "nondeterministic",
     .hooks = {.after_run = MixInPrevious}},
    {.id = "depends-on-call-count",
     .title = "every second call is wrong",
     .effect = "results change with the number of calls before",
     .verdicts = "nondeterministic",
     .hooks = {.after_run = [](const poolproof_call& call, State& state,
                               poolproof_status status) { return SpoilIf(state.runs % 2 == 1, call, status); }}},
};

}  // namespace

std::span<const Mutant> MemoryMutants() { return kMemory; }

}  // namespace poolproof::mutants
