#include <algorithm>
#include <array>
#include <initializer_list>

#include "conformance/causes/mutant.h"
#include "conformance/causes/plain_pool.h"
#include "reference/reference.h"

namespace poolproof::mutants {
namespace {

std::vector<Mutant> Collect() {
  std::vector<Mutant> all;
  for (const std::span<const Mutant> theme :
       {ValueMutants(), TypeMutants(), IndexMutants(), ShapeMutants(), WindowMutants(), AverageMutants(),
        AdaptiveMutants(), MliMutants(), MemoryMutants(), BehaviourMutants(), AnswerMutants(),
        SizeMutants()}) {  // last what is no cause, so that causes keep their numbers
    all.insert(all.end(), theme.begin(), theme.end());
  }
  return all;
}

// What the mutant makes of a call before anything is computed.
struct Misread {
  Misread(const Session& session, const poolproof_call& call) : edit(call) {
    context.readings = session.readings;
    active = call.op != nullptr && session.mutant->Concerns(call.op);
    if (!active) return;
    hooks = session.mutant->hooks;
    if (hooks.edit != nullptr) hooks.edit(edit);
    if (hooks.readings != nullptr) hooks.readings(context.readings);
  }
  // Whether a step is bent that the reference does not have.
  bool ComputesItself() const {
    return hooks.after_infer || hooks.pool || hooks.range || hooks.taps || hooks.reduce || hooks.index;
  }

  CallEdit edit;
  reference::Context context;
  Hooks hooks;
  bool active = false;
};

poolproof_status InferMisread(Misread& misread, const poolproof_call& call) {
  const poolproof_status status = reference::InferShapes(call, misread.context);
  return misread.hooks.after_infer == nullptr ? status : misread.hooks.after_infer(call, status);
}

poolproof_status Compute(Misread& misread, const poolproof_call& call) {
  if (!misread.ComputesItself()) return reference::Run(call, misread.context);
  const auto infer = [&](const poolproof_call& c) { return InferMisread(misread, c); };
  const poolproof_status status = CheckOutputs(call, infer, &misread.context.error);
  if (status == POOLPROOF_OK) PlainPool(misread.hooks, call);
  return status;
}

}  // namespace

std::span<const Mutant> Mutants() {
  static const std::vector<Mutant> all = Collect();
  return all;
}

const Mutant* FindMutant(std::string_view id) {
  const auto all = Mutants();
  const auto found = std::ranges::find(all, id, &Mutant::id);
  return found == all.end() ? nullptr : &*found;
}

poolproof_status Infer(Session& session, const poolproof_call& call) {
  Misread misread(session, call);
  const poolproof_status status = InferMisread(misread, misread.edit.Call());
  session.error = status == POOLPROOF_OK ? "" : misread.context.error;
  return status;
}

poolproof_status Run(Session& session, const poolproof_call& call) {
  Misread misread(session, call);
  const poolproof_call& misread_call = misread.edit.Call();
  if (misread.hooks.before_run != nullptr) misread.hooks.before_run(misread_call, session.state);
  poolproof_status status = Compute(misread, misread_call);
  if (misread.hooks.after_run != nullptr) {
    status = misread.hooks.after_run(misread_call, session.state, status);
  }
  ++session.state.runs;
  session.error = status == POOLPROOF_OK ? "" : misread.context.error;
  return status;
}

poolproof_status InferMutant(const Mutant& mutant, const poolproof_call& call, const reference::Readings& readings) {
  Session session{&mutant, readings, {}, {}};
  return Infer(session, call);
}

poolproof_status RunMutant(const Mutant& mutant, const poolproof_call& call, const reference::Readings& readings) {
  Session session{&mutant, readings, {}, {}};
  return Run(session, call);
}

void Resize(poolproof_tensor* output) {
  size_t bytes = reference::ElementSize(output->element_type);
  for (int i = 0; i < output->rank; ++i) bytes *= static_cast<size_t>(output->dims[i]);
  output->size_bytes = bytes;
}

}  // namespace poolproof::mutants
