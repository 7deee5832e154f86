// Planes are pooled each for itself: their order and number do not matter.
#include <algorithm>

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/properties/compare.h"
#include "conformance/properties/draw.h"
#include "conformance/properties/list.h"

namespace poolproof {
namespace {

// Where flat position `i` of a tensor goes when dimension `dim` is reversed.
int64_t Reversed(const int64_t* dims, int rank, int dim, int64_t i) {
  int64_t inner = 1;
  for (int d = dim + 1; d < rank; ++d) inner *= dims[d];
  const int64_t position = i / inner % dims[dim];
  return i + (dims[dim] - 1 - 2 * position) * inner;
}

// Indices that count inside a plane do not depend on where the plane lies.
void CountInsidePlanes(Problem* problem) {
  if (CountsWholeTensor(*problem->spec)) problem->outputs = 1;
  const auto axis = AttributeIndex(*problem->spec, Role::kAxis);
  if (!axis) return;
  problem->attributes[*axis].present = true;
  problem->attributes[*axis].integer = LayoutOf(*problem->function).spatial;
}

int ReversedDimension(const Problem& problem, bool batch) {
  const Layout layout = LayoutOf(*problem.function);
  return batch ? layout.batch : layout.channels;
}

void DrawReversed(const Specs& specs, uint64_t seed, bool batch, std::vector<Problem>* problems) {
  const auto suits = [](const OperatorSpec&) { return true; };
  const auto first = DrawProblem(specs, seed, suits, [&](Problem* problem) {
    const int dim = ReversedDimension(*problem, batch);
    if (dim < 0) return false;
    CountInsidePlanes(problem);
    int64_t& size = problem->shape[static_cast<size_t>(dim)];
    size = std::max<int64_t>(size, 2);
    return problem->Elements() < 4000;
  });
  if (!first) return;
  const std::vector<Number> values = InputValues(*first);
  std::vector<Number> reversed(values.size());
  const int dim = ReversedDimension(*first, batch);
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t to = Reversed(first->shape.begin(), first->shape.size, dim, static_cast<int64_t>(i));
    reversed[static_cast<size_t>(to)] = values[i];
  }
  problems->push_back(*first);
  problems->push_back(WithData(*first, std::move(reversed)));
}

void DrawReversedChannels(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  DrawReversed(specs, seed, false, problems);
}
void DrawReversedBatch(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  DrawReversed(specs, seed, true, problems);
}

std::string CheckReversed(const Round& round, bool batch) {
  const int dim = ReversedDimension(round.problems[0], batch);
  const poolproof_tensor& values = round.answers[0].outputs[0];
  if (values.rank <= dim) return "the output has too few dimensions";
  return Difference(round, 0, 1, [&](int64_t i) { return Reversed(values.dims, values.rank, dim, i); });
}
std::string CheckReversedChannels(const Round& round) { return CheckReversed(round, false); }
std::string CheckReversedBatch(const Round& round) { return CheckReversed(round, true); }

// Problem 0 has a batch of several; then one problem for each of its entries.
void DrawSplitBatch(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  DrawReversed(specs, seed, true, problems);
  if (problems->empty()) return;
  problems->pop_back();
  const Problem whole = problems->back();
  const std::vector<Number> values = InputValues(whole);
  const int64_t batch = whole.shape[0];
  const auto plane = static_cast<ptrdiff_t>(whole.Elements() / batch);
  for (int64_t n = 0; n < batch; ++n) {
    Problem part = whole;
    part.shape[0] = 1;
    problems->push_back(
        WithData(part, std::vector<Number>(values.begin() + n * plane, values.begin() + (n + 1) * plane)));
  }
}

std::string CheckSplitBatch(const Round& round) {
  const auto parts = static_cast<int64_t>(round.problems.size()) - 1;
  const OperatorSpec& spec = *round.problems[0].spec;
  for (size_t output = 0; output < round.problems[0].OutputCount(); ++output) {
    const poolproof_tensor& whole = round.answers[0].outputs[output];
    const Compare compare = spec.outputs[output].compare;
    const bool rounds = compare == Compare::kMean || compare == Compare::kNorm;
    const Number tolerance = rounds ? MeanTolerance(round.problems[0], whole) : 0;
    for (int64_t n = 0; n < parts; ++n) {
      const poolproof_tensor& part = round.answers[static_cast<size_t>(n) + 1].outputs[output];
      const int64_t elements = Elements(part);
      if (elements * parts != Elements(whole)) return "the shape depends on the batch";
      for (int64_t i = 0; i < elements; ++i) {
        const Number a = ElementOf(whole, n * elements + i), b = ElementOf(part, i);
        if (SameValue(a, b) || (a - b <= tolerance && b - a <= tolerance)) continue;
        return "element " + std::to_string(i) + " of entry " + std::to_string(n) + " is " +
               Text(whole, n * elements + i) + " in the batch and " + Text(part, i) + " alone";
      }
    }
  }
  return "";
}

}  // namespace

void AddOrderProperties(std::vector<Property>* properties) {
  properties->push_back({"channel-order", "Permuting channels permutes the outputs", DrawReversedChannels, nullptr,
                         CheckReversedChannels});
  properties->push_back(
      {"batch-order", "Permuting the batch permutes the outputs", DrawReversedBatch, nullptr, CheckReversedBatch});
  properties->push_back(
      {"batch-split", "A batch of N is pooled as N batches of 1", DrawSplitBatch, nullptr, CheckSplitBatch});
}

}  // namespace poolproof
