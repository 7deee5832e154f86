// Mutants that do not answer as a library has to: they crash, hang, leave, or say nothing.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

void Crash() { std::raise(SIGSEGV); }

// Where no process has memory, at another address in each run.
void CrashSomewhere() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const uintptr_t address = 0x1000 + (static_cast<uintptr_t>(now) * 0x9e3779b1u) % 0xe000;
  *reinterpret_cast<volatile char*>(address) = 1;
}

void LeaveAProcess() {
  if (fork() != 0) return;
  sleep(30);
  _exit(0);
}

[[noreturn]] void Hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

bool IsF16(const poolproof_call& call) { return call.inputs[0]->element_type == POOLPROOF_F16; }
bool IsOfRank5(const poolproof_call& call) { return call.inputs[0]->rank == 5; }
bool RoundsUp(const poolproof_call& call) { return Asks(call, Role::kRounding, Meaning::kRoundUp); }
bool PadsBelow(const poolproof_call& call) { return Asks(call, Role::kAutoPad, Meaning::kPadMoreInFront); }

template <bool (*kApplies)(const poolproof_call&), void (*kMisbehave)()>
void Where(const poolproof_call& call, State&) {
  if (kApplies(call)) kMisbehave();
}

// Neither the reference's answer nor an output: what was there stays.
void KeepOutputs(const poolproof_call& call, State& state) {
  const auto* bytes = static_cast<const std::byte*>(call.outputs[0]->data);
  state.kept.assign(bytes, bytes + call.outputs[0]->size_bytes);
}

poolproof_status PutOutputsBack(const poolproof_call& call, State& state, poolproof_status status) {
  std::copy(state.kept.begin(), state.kept.end(), static_cast<std::byte*>(call.outputs[0]->data));
  return status;
}

poolproof_status RefuseWhere(bool refused, poolproof_status answer, poolproof_status status) {
  return refused && status == POOLPROOF_OK ? answer : status;
}

constexpr Mutant kBehaviours[] = {
    {.id = "crash",
     .title = "rounding up crashes",
     .effect = "the process ends",
     .verdicts = "crash",
     .operators = kSliding,
     .hooks = {.before_run = Where<RoundsUp, Crash>}},
    {.id = "abort",
     .title = "five-dimensional input fails an assertion",
     .effect = "the process ends with SIGABRT",
     .verdicts = "crash",
     .operators = kSliding | kAdaptive,
     .hooks = {.before_run = Where<IsOfRank5, std::abort>}},
    {.id = "exit",
     .title = "f64 ends the process with status 0",
     .effect = "the program is over without a message",
     .verdicts = "crash",
     .operators = kSliding | kAdaptive,
     .hooks = {.before_run =
                   [](const poolproof_call& call, State&) {
                     if (call.inputs[0]->element_type == POOLPROOF_F64) std::_Exit(0);
                   }}},
    {.id = "throws",
     .title = "an exception leaves run",
     .effect = "the process ends in std::terminate",
     .verdicts = "crash",
     .hooks = {.before_run =
                   [](const poolproof_call& call, State&) {
                     if (call.inputs[0]->dims[0] == 1) throw std::runtime_error("batch of one");
                   }}},
    {.id = "always-crashes",
     .title = "every call crashes",
     .effect = "nothing can be computed; all is set aside and the rest of the cases is missing",
     .verdicts = "missing",
     .hooks = {.before_run = [](const poolproof_call&, State&) { Crash(); }}},
    {.id = "always-crashes-in-f16",
     .title = "every call for f16 crashes",
     .effect = "one element type cannot be computed; it is set aside, the others are judged",
     .verdicts = "crash",
     .operators = kSliding | kAdaptive,
     .hooks = {.before_run = Where<IsF16, Crash>}},
    {.id = "crash-at-random-addresses",
     .title = "rounding up writes through a wild pointer",
     .effect = "the process ends, at another address in each run",
     .verdicts = "crash",
     .operators = kSliding,
     .hooks = {.before_run = Where<RoundsUp, CrashSomewhere>}},
    {.id = "hangs-in-f16",
     .title = "calls for f16 never return",
     .effect = "one element type cannot be computed; it is set aside, the others are judged",
     .verdicts = "timeout",
     .operators = kSliding | kAdaptive,
     .hooks = {.before_run = Where<IsF16, Hang>}},
    {.id = "hang",
     .title = "padding with its odd element in front never returns",
     .effect = "the program stands still",
     .verdicts = "timeout",
     .operators = kSliding,
     .hooks = {.before_run = Where<PadsBelow, Hang>}},
    {.id = "crash-on-invalid-call",
     .title = "an invalid call crashes",
     .effect = "bad input ends the process instead of being refused",
     .verdicts = "crash",
     .pure = false,
     .hooks = {.after_infer =
                   [](const poolproof_call&, poolproof_status status) {
                     if (status == POOLPROOF_INVALID_ARGUMENT) Crash();
                     return status;
                   }}},
    {.id = "hang-on-invalid-call",
     .title = "an invalid call never returns",
     .effect = "bad input stops the program instead of being refused",
     .verdicts = "timeout",
     .pure = false,
     .hooks = {.after_infer =
                   [](const poolproof_call&, poolproof_status status) {
                     if (status == POOLPROOF_INVALID_ARGUMENT) Hang();
                     return status;
                   }}},
    {.id = "crashes-in-destroy",
     .title = "destroy crashes",
     .effect = "the program dies when it is done",
     .verdicts = "process-fault",
     .hooks = {.destroy = Crash}},
    {.id = "leaves-a-process",
     .title = "destroy leaves a process behind",
     .effect = "processes pile up",
     .verdicts = "process-fault",
     .hooks = {.destroy = LeaveAProcess}},
    {.id = "leaks-descriptors",
     .title = "each call leaves a file open",
     .effect = "the program runs out of descriptors",
     .verdicts = "process-fault",
     .hooks = {.before_run = [](const poolproof_call&, State&) { (void)!open("/dev/null", O_RDONLY | O_CLOEXEC); }}},
    {.id = "returns-without-writing",
     .title = "run answers OK and does nothing",
     .effect = "outputs are whatever was in memory",
     .verdicts = "unwritten",
     .hooks = {.before_run = KeepOutputs, .after_run = PutOutputsBack}},
    {.id = "supports-nothing",
     .title = "every call is unsupported",
     .effect = "nothing works, and nothing fails",
     .verdicts = "unsupported",
     .hooks = {.after_infer = [](const poolproof_call&, poolproof_status) -> poolproof_status {
       return POOLPROOF_UNSUPPORTED;
     }}},
    {.id = "internal-error",
     .title = "batches of more than one end in an internal error",
     .effect = "a valid call is answered with an error",
     .verdicts = "fail wrongly-rejected",
     .hooks = {.after_run =
                   [](const poolproof_call& call, State&, poolproof_status status) {
                     return RefuseWhere(call.inputs[0]->dims[0] > 1, POOLPROOF_INTERNAL_ERROR, status);
                   }}},
    {.id = "describes-nothing",
     .title = "infer_shapes answers OK and describes no output",
     .effect = "a caller allocates nothing",
     .pure = false,
     .hooks = {.after_infer =
                   [](const poolproof_call& call, poolproof_status status) {
                     for (size_t i = 0; status == POOLPROOF_OK && i < call.output_count; ++i) {
                       poolproof_tensor& output = *call.outputs[i];
                       output.element_type = 0;
                       output.rank = 0;
                       output.size_bytes = 0;
                     }
                     return status;
                   }}},
    {.id = "last-channel-wrong",
     .title = "one element of the last channel is wrong",
     .effect = "a single value is off, far from the beginning",
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     Result result = Reduce(pool, window);
                     const bool last = window.channel == pool.channels - 1 && window.batch == pool.batches - 1 &&
                                       window.at[0] == pool.axes[0].out - 1 && window.at[1] == pool.axes[1].out - 1 &&
                                       window.at[2] == pool.axes[2].out - 1;
                     if (last && pool.channels > 1) result.value = result.value == 1 ? 2 : 1;
                     return result;
                   }}},
};

}  // namespace

std::span<const Mutant> BehaviourMutants() { return kBehaviours; }

}  // namespace poolproof::mutants
