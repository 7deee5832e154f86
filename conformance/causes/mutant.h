// Deliberately wrong backends. Each mutant is one published defect, or one family of defects, in a
// few lines: what it is called, what a user would see, which verdicts the gate may give it, and
// hooks that bend one step of an otherwise right computation.
//
// They prove the suite (every mutant has to be caught) and explain failures (a backend whose
// outputs equal a mutant's has, most likely, the mutant's defect).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend.h"
#include "conformance/causes/asked.h"
#include "conformance/causes/pool.h"
#include "reference/readings.h"

namespace poolproof::mutants {

// State that a mutant which misbehaves keeps from call to call.
struct State {
  uint64_t runs = 0;
  std::optional<size_t> size_bytes;  // that are hidden
  std::vector<std::byte> kept;
  unsigned char* last_output = nullptr;
};

// Steps of a call, each nullptr where the mutant does it right. `edit` and `readings` come before
// the reference infers shapes; if no other hook is set, the reference computes as well. Otherwise
// the mutants' own loops do, with the hooks from `pool` to `index`.
struct Hooks {
  void (*edit)(Asked& asked) = nullptr;
  void (*readings)(reference::Readings& readings) = nullptr;
  // May change the outputs' descriptions and the answer.
  poolproof_status (*after_infer)(const poolproof_call& call, poolproof_status status) = nullptr;
  void (*pool)(Pool& pool) = nullptr;
  // Changes the taps of output position `at` of axes[axis].
  void (*range)(const Pool& pool, size_t axis, int64_t at, Range& range) = nullptr;
  void (*taps)(const Pool& pool, Window& window) = nullptr;
  Result (*reduce)(const Pool& pool, const Window& window) = nullptr;
  // The index to store for `result`; `right` is what it should be made of.
  int64_t (*index)(const Pool& pool, const Window& window, const Result& result, int64_t right) = nullptr;
  void (*before_run)(const poolproof_call& call, State& state) = nullptr;
  // May change outputs and the answer.
  poolproof_status (*after_run)(const poolproof_call& call, State& state, poolproof_status status) = nullptr;
  // When the instance is destroyed.
  void (*destroy)() = nullptr;
};

struct Mutant {
  std::string_view id;         // "onnxruntime-29629", "pads-swapped"
  std::string_view title;      // the cause, as a clause: "divisor counts taps past the padded end"
  std::string_view effect;     // what a user sees, one sentence without full stop
  std::string_view link = {};  // public report; none for a family
  // Those that the gate may give, separated by spaces.
  std::string_view verdicts = "fail";
  unsigned operators = kEveryOperator;  // families; calls of others are answered rightly
  std::optional<Role> role = {};        // of the attribute that is misread, the clause of which is broken
  std::string_view where = {};  // a condition (docs/expressions.md); where it does not hold, calls are answered rightly
  // False where a hook that only computes is one that does more, such as crash.
  bool pure = true;
  // Whether a failure may be named after it; not where it is one of many like it, such as other sizes: then it
  // has to fail in many cases, so that those like it are not caught by luck.
  bool explains = true;
  Hooks hooks;

  // It only computes a wrong answer, the same for every equal call, and touches nothing else: it
  // may be run in process to explain a failure.
  bool IsPure() const {
    return pure && hooks.before_run == nullptr && hooks.after_run == nullptr && hooks.destroy == nullptr;
  }
  bool AppliesTo(std::string_view op) const { return (FamilyOf(op) & operators) != 0; }
};

// All mutants, sorted by theme; ids are unique.
std::span<const Mutant> Mutants();
const Mutant* FindMutant(std::string_view id);

// As poolproof_backend::infer_shapes and run. `readings` are those of a backend that is right but
// for the mutant. Safe for any call that the reference survives if the mutant is pure.
poolproof_status InferMutant(const Mutant& mutant, const poolproof_call& call,
                             const reference::Readings& readings = {});
poolproof_status RunMutant(const Mutant& mutant, const poolproof_call& call, const reference::Readings& readings = {});

// ---- for hooks

// Sets size_bytes of a described output from its type and shape.
void Resize(poolproof_tensor* output);

// Calls change(pool, axis, out) for every spatial dimension of an accepted sliding call and writes what
// it makes of `out` to all outputs.
template <typename Change>
poolproof_status ChangeSizes(const poolproof_call& call, poolproof_status status, Change change) {
  if (status != POOLPROOF_OK) return status;
  const Pool pool = ReadPool(call);
  for (size_t i = pool.FirstAxis(); i < 3; ++i) {
    const int64_t size = change(pool, pool.axes[i], pool.axes[i].out);
    for (size_t o = 0; o < call.output_count; ++o) {
      call.outputs[o]->dims[pool.DimensionOf(i)] = size;
      Resize(call.outputs[o]);
    }
  }
  return status;
}

// Refuses an accepted call where `refused` holds.
template <typename Refused>
poolproof_status RefuseIf(const poolproof_call& call, poolproof_status status, Refused refused) {
  return status == POOLPROOF_OK && refused(call) ? POOLPROOF_INVALID_ARGUMENT : status;
}

// Makes the room of an output look endless, in before_run; and puts it right again, in after_run.
void HideCapacity(const poolproof_call& call, size_t output, State& state);
template <size_t kOutput>
poolproof_status ShowCapacity(const poolproof_call& call, State& state, poolproof_status status) {
  if (state.size_bytes) call.outputs[kOutput]->size_bytes = *state.size_bytes;
  state.size_bytes.reset();
  return status;
}

// The mutants of each theme.
std::span<const Mutant> ValueMutants();
std::span<const Mutant> TypeMutants();
std::span<const Mutant> IndexMutants();
std::span<const Mutant> ShapeMutants();
std::span<const Mutant> WindowMutants();
std::span<const Mutant> AxisMutants();
std::span<const Mutant> AverageMutants();
std::span<const Mutant> AdaptiveMutants();
std::span<const Mutant> MliMutants();
std::span<const Mutant> MemoryMutants();
std::span<const Mutant> SizeMutants();
std::span<const Mutant> BorderMutants();
std::span<const Mutant> ConventionMutants();
std::span<const Mutant> DeviceMutants();
std::span<const Mutant> UnbatchedMutants();
std::span<const Mutant> BehaviourMutants();
std::span<const Mutant> AnswerMutants();

}  // namespace poolproof::mutants
