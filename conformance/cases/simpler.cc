#include "conformance/cases/simpler.h"

#include <algorithm>
#include <cmath>

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/number.h"
#include "conformance/cases/plain.h"

namespace poolproof {
namespace {

// Explicit data of a problem whose dimension `dim` loses the slices [first, first + count).
std::vector<Number> Without(const Problem& problem, size_t dim, int64_t first, int64_t count) {
  int64_t inner = 1;
  for (size_t d = dim + 1; d < problem.shape.size; ++d) inner *= problem.shape[d];
  std::vector<Number> kept;
  for (int64_t i = 0; i < static_cast<int64_t>(problem.data.size()); ++i) {
    const int64_t position = i / inner % problem.shape[dim];
    if (position < first || position >= first + count) {
      kept.push_back(problem.data[static_cast<size_t>(i)]);
    }
  }
  return kept;
}

// Slices leave at either end; a single slice leaves anywhere. Without explicit data all are the
// same.
void AddShape(const Problem& problem, size_t dim, int64_t size, Problems* out) {
  const int64_t lost = problem.shape[dim] - size;
  const bool choice = !problem.data.empty();
  for (int64_t first = size; first >= 0; first -= lost == 1 ? 1 : size) {
    Problem simpler = problem;
    simpler.data = Without(problem, dim, first, lost);
    simpler.shape[dim] = size;
    out->push_back(std::move(simpler));
    if (!choice) break;
  }
}

// Values between `simplest` and `value`, nearest to the simplest first.
std::vector<int64_t> Towards(int64_t simplest, int64_t value) {
  std::vector<int64_t> steps;
  if (value == simplest) return steps;
  const int64_t middle = simplest + (value - simplest) / 2;
  const int64_t next = value > simplest ? value - 1 : value + 1;
  for (int64_t step : {simplest, middle, next}) {
    if (step != value && (steps.empty() || steps.back() != step)) steps.push_back(step);
  }
  return steps;
}

// Distances and counts that would overflow on the way are not worth halving.
bool IsSane(int64_t value) { return value > -(int64_t{1} << 40) && value < (int64_t{1} << 40); }

int64_t SimplestNumber(const AttributeSpec& spec) {
  if (spec.default_integer) return *spec.default_integer;
  return IntoRange(spec, 0);
}

void SimplerList(const Problem& problem, size_t attribute, Problems* out) {
  const int64_t simplest = SimplestNumber(problem.spec->attributes[attribute]);
  const IntList& list = problem.attributes[attribute].list;
  Problem all = problem;
  for (size_t i = 0; i < list.size; ++i) all.attributes[attribute].list[i] = simplest;
  if (!(all.attributes[attribute].list == list)) out->push_back(std::move(all));
  for (size_t i = 0; i < list.size; ++i) {
    if (!IsSane(list[i])) continue;
    for (int64_t step : Towards(simplest, list[i])) {
      Problem simpler = problem;
      simpler.attributes[attribute].list[i] = step;
      out->push_back(std::move(simpler));
    }
  }
}

void SimplerInteger(const Problem& problem, size_t attribute, Problems* out) {
  const int64_t value = problem.attributes[attribute].integer;
  if (!IsSane(value)) return;
  for (int64_t step : Towards(SimplestNumber(problem.spec->attributes[attribute]), value)) {
    Problem simpler = problem;
    simpler.attributes[attribute].integer = step;
    out->push_back(std::move(simpler));
  }
}

bool IsWindowRole(Role role) {
  return role == Role::kKernel || role == Role::kStride || role == Role::kDilation || role == Role::kPadBegin ||
         role == Role::kPadEnd || role == Role::kPadBoth;
}

void SimplerAttribute(const Problem& problem, size_t i, Problems* out) {
  const AttributeSpec& spec = problem.spec->attributes[i];
  const AttributeValue& value = problem.attributes[i];
  if (!value.present) return;
  if (MayBeAbsent(problem, i)) {
    out->push_back(problem);
    out->back().attributes[i] = AttributeValue();
  }
  if (spec.type == AttributeType::kWord && !spec.words.empty() && value.word != spec.words[0]) {
    out->push_back(problem);
    out->back().attributes[i].word = spec.words[0];
  }
  const bool number = spec.type == AttributeType::kInt && !IsWindowRole(spec.role);
  if (number || spec.type == AttributeType::kBool) SimplerInteger(problem, i, out);
}

bool ConvertData(Problem* problem) {
  for (Number& value : problem->data) {
    const Number rounded = RoundToType(problem->type, value);
    if (std::isnan(rounded) && !std::isnan(value)) return false;
    value = rounded;
  }
  return true;
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

// How far data are from simple: zeros cost nothing, small integers little, minus zero, which is easily taken for zero,
// more than all other numbers, NaN and infinities most.
Number Cost(const std::vector<Number>& data) {
  Number cost = 0;
  for (Number value : data) {
    if (IsPlainZero(value)) continue;
    if (value == 0) cost += 10000;
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

void SimplerShape(const Problem& problem, Problems* out) {
  for (size_t dim = 0; dim < problem.shape.size; ++dim) {
    if (problem.shape[dim] < 1) continue;
    for (int64_t size : Towards(1, problem.shape[dim])) AddShape(problem, dim, size, out);
  }
  for (size_t axis = 0; axis < problem.sizes.size; ++axis) {
    if (!IsSane(problem.sizes[axis])) continue;
    for (int64_t size : Towards(1, problem.sizes[axis])) {
      out->push_back(problem);
      out->back().sizes[axis] = size;
    }
  }
}

void SimplerWindow(const Problem& problem, Problems* out) {
  for (size_t i = 0; i < problem.spec->attributes.size(); ++i) {
    const AttributeSpec& spec = problem.spec->attributes[i];
    if (!problem.attributes[i].present || !IsWindowRole(spec.role)) continue;
    if (spec.type == AttributeType::kIntList) {
      SimplerList(problem, i, out);
    } else {
      SimplerInteger(problem, i, out);
    }
  }
}

void SimplerAttributes(const Problem& problem, Problems* out) {
  for (size_t i = 0; i < problem.spec->attributes.size(); ++i) SimplerAttribute(problem, i, out);
  for (const int64_t step : Towards(0, problem.frac_bits)) {
    out->push_back(problem);
    out->back().frac_bits = static_cast<int32_t>(step);
  }
  if (problem.capacity != 0 && problem.capacity != -1) {
    out->push_back(problem);
    for (int64_t& more : out->back().capacity.more) more = more < 0 ? -1 : 0;
    if (out->back().capacity == problem.capacity) out->pop_back();
  }
  if (problem.outputs == 0 && problem.spec->outputs.back().optional) {
    out->push_back(problem);
    out->back().outputs = 1;
    out->back().capacity = problem.capacity.more[0];
  }
  if (problem.HasSizes() && problem.sizes_type != POOLPROOF_I64) {
    out->push_back(problem);
    out->back().sizes_type = POOLPROOF_I64;
  }
  const Function* generic = problem.spec->FindFunction(problem.function->generic);
  if (generic != nullptr && generic != problem.function) {
    out->push_back(problem);
    out->back().function = generic;
  }
}

void SimplerType(const Problem& problem, const ShrinkOptions& options, Problems* out) {
  std::vector<poolproof_element_type> order = problem.function->types;
  const auto simple = std::find(order.begin(), order.end(), options.simple_type);
  if (simple != order.end()) std::rotate(order.begin(), simple, simple + 1);
  for (poolproof_element_type type : order) {
    if (type == problem.type) return;
    Problem simpler = problem;
    simpler.type = type;
    if (ConvertData(&simpler)) out->push_back(std::move(simpler));
  }
}

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
  with_data.data = InputValues(problem);
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
