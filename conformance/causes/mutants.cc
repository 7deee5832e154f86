#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "conformance/causes/mutant.h"
#include "conformance/causes/wrong_backend.h"
#include "reference/reference.h"

namespace poolproof::mutants {
namespace {

std::vector<Mutant> Collect() {
  std::vector<Mutant> all;
  for (const std::span<const Mutant> theme :
       {ValueMutants(), TypeMutants(), IndexMutants(), ShapeMutants(), WindowMutants(), AxisMutants(), AverageMutants(),
        AdaptiveMutants(), MliMutants(), MemoryMutants(), BehaviourMutants(), AnswerMutants(), SizeMutants(),
        BorderMutants(), ConventionMutants(), DeviceMutants(), UnbatchedMutants()}) {
    all.insert(all.end(), theme.begin(), theme.end());
  }
  // Causes end where the first mutant is that explains nothing.
  std::stable_partition(all.begin(), all.end(), [](const Mutant& mutant) { return mutant.explains; });
  return all;
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

poolproof_status InferMutant(const Mutant& mutant, const poolproof_call& call, const reference::Readings& readings) {
  const WrongPart part{&mutant, {}, {}, {}};
  Memory memory;
  std::string error;
  return Infer({&part, 1}, readings, &memory, call, &error);
}

poolproof_status RunMutant(const Mutant& mutant, const poolproof_call& call, const reference::Readings& readings) {
  const WrongPart part{&mutant, {}, {}, {}};
  Memory memory;
  std::string error;
  return Run({&part, 1}, readings, &memory, call, &error);
}

void HideCapacity(const poolproof_call& call, size_t output, State& state) {
  state.size_bytes = std::exchange(call.outputs[output]->size_bytes, SIZE_MAX);
}

void Resize(poolproof_tensor* output) {
  size_t bytes = reference::ElementSize(output->element_type);
  for (int i = 0; i < output->rank; ++i) bytes *= static_cast<size_t>(output->dims[i]);
  output->size_bytes = bytes;
}

}  // namespace poolproof::mutants
