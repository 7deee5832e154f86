// The oracle under another reading of the documents, against itself under the documented ones.
//
// - a reading changes nothing of a computation that says it does not depend on its entry
// - the judge explains every result of a known reading
// - windows lie inside the input, taps in order
#include <algorithm>
#include <functional>

#include "conformance/cases/choices.h"
#include "conformance/cases/fill.h"
#include "conformance/judge/explain.h"
#include "conformance/properties/guarded.h"
#include "fuzz/harness.h"
#include "fuzz/problem_from_bytes.h"
#include "reference/reference.h"

namespace {

using poolproof::reference::Entry;
using poolproof::reference::Readings;

// One changed entry, or a profile.
struct Change {
  Readings readings;
  bool one = true;
  Entry entry = Entry::kValidCeil;
  std::string name;
};

// Found by its name, as options of backends and of the suite name it.
Change DrawChange(poolproof::Choices& choices) {
  Change change;
  if (choices.Percent(15)) {
    change.one = false;
    change.name = choices.Of(poolproof::reference::ProfileNames());
    change.readings = poolproof::reference::FindProfile(change.name)->readings;
    return change;
  }
  change.entry = static_cast<Entry>(choices.Below(poolproof::reference::kEntryCount));
  const auto names = poolproof::reference::ReadingNames(change.entry);
  const uint8_t count = poolproof::reference::ComputableReadings(change.entry);
  const std::string_view id = poolproof::reference::EntryId(change.entry);
  const std::string_view reading = names[choices.Below(count)];
  if (poolproof::reference::FindEntry(id) != change.entry) std::abort();
  change.readings[change.entry] = *poolproof::reference::FindReading(change.entry, reading);
  change.name = std::string(id) + "=" + std::string(reading);
  return change;
}

bool IsQuickUnder(const poolproof::Problem& problem, poolproof::Call* call, const Readings& readings) {
  poolproof::reference::Context context{readings, {}, {}};
  call->Bind(problem);
  const poolproof_status status = poolproof::reference::InferShapes(call->call, context);
  return status != POOLPROOF_OK || poolproof::IsQuick(problem, call->call, {2000, 5000});
}

bool WindowsAreInside(const poolproof::Problem& problem, const poolproof::Call& call, const Readings& readings,
                      const poolproof::Result& result) {
  const auto* op = poolproof::reference::FindOperator(call.call.op);
  int64_t elements = 1;
  for (int32_t d = 0; d < result.outputs[0].rank; ++d) elements *= result.outputs[0].dims[d];
  for (int64_t i = 0; i < elements; i += 1 + elements / 8) {
    const auto window = op->window(call.call, readings, i);
    if (window.spatial_rank != problem.SpatialRank() ||
        std::adjacent_find(window.offsets.begin(), window.offsets.end(), std::greater_equal<>()) !=
            window.offsets.end() ||
        (!window.offsets.empty() && (window.offsets.front() < 0 || window.offsets.back() >= problem.Elements()))) {
      return false;
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  static Call call;
  static GuardedMemory input;
  static Expected documented, other;
  static Explainer explainer;
  const Problem& problem = fuzz::RecentProblem(data, size);
  Choices choices(fuzz::HashOf(data, size));
  const Change change = DrawChange(choices);
  if (problem.Elements() > 2000 || !IsQuickUnder(problem, &call, {}) ||
      !IsQuickUnder(problem, &call, change.readings)) {
    return 0;
  }
  call.Bind(problem);
  call.inputs[0].data = input.Get(call.inputs[0].size_bytes, Placement::kAtBegin);
  FillInput(problem, call.inputs[0].data);
  documented.Compute(call, {}, false, problem.capacity);
  other.Compute(call, change.readings, false, problem.capacity);
  const Result& got = other.result();
  const std::string under = "with " + change.name + ": ";
  if (change.one && !documented.touched().Has(change.entry) && !SameBytes(documented.result(), got)) {
    fuzz::Fail(problem, under + "another result, of which nothing was said");
  }
  if (!explainer.Explain(call, documented, got, {}, choices.Percent(50))) {
    fuzz::Fail(problem, under + "a result that no reading explains");
  }
  if (got.status == POOLPROOF_OK && !WindowsAreInside(problem, call, change.readings, got)) {
    fuzz::Fail(problem, under + "a window with taps outside of the input");
  }
  return 0;
}
