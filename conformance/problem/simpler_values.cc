// Simpler values of the feature map.
#include <algorithm>
#include <cmath>

#include "conformance/problem/fill.h"
#include "conformance/problem/number.h"
#include "conformance/problem/simpler.h"

namespace poolproof {
namespace {

std::vector<Number> FilledValues(const Problem& problem) {
  const auto elements = static_cast<size_t>(problem.Elements());
  std::vector<uint64_t> memory(elements);  // 8 bytes serve every type
  FillInput(problem, memory.data());
  std::vector<Number> values(elements);
  for (size_t i = 0; i < elements; ++i) {
    values[i] = ElementAsNumber(problem.type, memory.data(), static_cast<int64_t>(i));
  }
  return values;
}

// The same order of values with small integers: what a maximum depends on. Values that are no
// ordinary numbers stay.
std::vector<Number> Ranked(const Problem& problem) {
  std::vector<Number> sorted;
  for (Number value : problem.data) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto zero = std::lower_bound(sorted.begin(), sorted.end(), Number{0});
  const bool has_zero = zero != sorted.end() && *zero == 0;
  std::vector<Number> ranked = problem.data;
  for (Number& value : ranked) {
    if (!std::isfinite(value) || value == 0) continue;
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
    const auto rank = static_cast<Number>(place - zero);
    value = RoundToType(problem.type, rank + (rank >= 0 && !has_zero ? 1 : 0));
  }
  return ranked;
}

bool IsPlainZero(Number value) { return value == 0 && !std::signbit(value); }

// How far data are from simple: zeros cost nothing, small integers little, NaN and infinities most.
Number Cost(const std::vector<Number>& data) {
  Number cost = 0;
  for (Number value : data) {
    if (IsPlainZero(value)) continue;
    const bool whole = std::trunc(value) == value;
    cost += std::isfinite(value) ? std::log2(1 + std::fabs(value)) + (whole ? 1 : 30) : 20000;
  }
  return cost;
}

void AddData(const Problem& problem, std::vector<Number> data, Problems* out) {
  if (!(Cost(data) < Cost(problem.data))) return;
  out->push_back(problem);
  out->back().data = std::move(data);
}

void AddZeroedBlocks(const Problem& problem, Problems* out) {
  const size_t elements = problem.data.size();
  for (size_t block = elements; block > 0; block /= 2) {
    for (size_t first = 0; first < elements; first += block) {
      const auto begin = problem.data.begin() + static_cast<ptrdiff_t>(first);
      const size_t behind = std::min(first + block, elements);
      const auto end = problem.data.begin() + static_cast<ptrdiff_t>(behind);
      if (std::all_of(begin, end, IsPlainZero)) continue;
      std::vector<Number> data = problem.data;
      std::fill(data.begin() + (begin - problem.data.begin()), data.begin() + (end - problem.data.begin()), Number{0});
      AddData(problem, std::move(data), out);
    }
  }
}

}  // namespace

void SimplerFill(const Problem& problem, const ShrinkOptions& options, Problems* out) {
  if (!problem.data.empty()) return;
  if (problem.fill != "distinct") {
    out->push_back(problem);
    out->back().fill = "distinct";
  }
  if (problem.seed != 0) {
    out->push_back(problem);
    out->back().seed = 0;
  }
  const int64_t elements = problem.Elements();
  if (elements < 1 || elements > options.max_explicit_elements) return;
  Problem with_data = problem;
  with_data.data = FilledValues(problem);
  with_data.fill = Problem().fill;
  with_data.seed = 0;
  out->push_back(std::move(with_data));
}

void SimplerData(const Problem& problem, Problems* out) {
  if (problem.data.empty()) return;
  AddZeroedBlocks(problem, out);
  AddData(problem, Ranked(problem), out);
  for (size_t i = 0; i < problem.data.size(); ++i) {
    const Number value = problem.data[i];
    if (IsPlainZero(value) || std::isnan(value)) continue;
    for (Number simple : {std::copysign(Number{1}, value), std::trunc(value / 2)}) {
      std::vector<Number> data = problem.data;
      data[i] = RoundToType(problem.type, simple);
      if (!std::isnan(data[i])) AddData(problem, std::move(data), out);
    }
  }
}

}  // namespace poolproof
