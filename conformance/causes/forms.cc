// Ways to be wrong that are no mutants: the diagnosis does not know them, and must not take them for
// one that it knows.
#include <algorithm>
#include <cmath>

#include "conformance/causes/forms.h"
#include "conformance/causes/wrong_backend.h"

namespace poolproof::mutants {
namespace {

// Padding at the end counts in the divisor although padding is excluded.
Result EndPadsCounted(const Pool& pool, const Window& window) {
  if (!pool.Is(kSlidingMean) || !pool.LeavesOutPadding()) return Reduce(pool, window);
  int64_t divisor = 1;
  for (const Range& range : window.ranges) {
    divisor *= range.Inside() + std::max<int64_t>(range.padded_end - range.end, 0);
  }
  return ReduceMean(pool, window, divisor);
}

Result OneTapLess(const Pool& pool, const Window& window) {
  const int64_t divisor = RightDivisor(pool, window);
  return divisor < 3 ? Reduce(pool, window) : ReduceMean(pool, window, divisor - 1);
}

Result SecondLargest(const Pool& pool, const Window& window) {
  const Result largest = ReduceMax(pool, window);
  if (window.taps.size() < 3 || std::isnan(largest.value)) return largest;
  Window rest = window;
  std::erase_if(rest.taps, [&](const Tap& tap) { return tap.offset == largest.tap; });
  return ReduceMax(pool, rest);
}

void FirstRowLost(const Pool&, size_t axis, int64_t at, Range& range) {
  if (axis == 1 && at == 0 && range.Inside() > 1) ++range.first;
}

void Mirrored(const Pool& pool, size_t axis, int64_t at, Range& range) {
  if (axis != 2) return;
  const Axis& a = pool.axes[axis];
  range.start = (a.out - 1 - at) * a.stride - a.pad_begin;
  range.Clip(a);
}

int64_t OneLessInLastColumn(const Pool& pool, const Window& window, const Result&, int64_t right) {
  return window.at[2] + 1 == pool.axes[2].out && right > 0 ? right - 1 : right;
}

Result SixBits(const Pool& pool, const Window& window) {
  Result result = Reduce(pool, window);
  if (!pool.Float() || !std::isfinite(result.value) || result.value == 0) return result;
  int exponent = 0;
  const Value fraction = std::frexp(result.value, &exponent);
  result.value = std::ldexp(std::nearbyint(fraction * 64) / 64, exponent);
  return result;
}

// A start value that somebody thought to be low enough.
Result FromMinusThree(const Pool& pool, const Window& window) {
  const Result result = ReduceMax(pool, window);
  return pool.Float() && result.value < -3 ? Result{-3, -1} : result;
}

constexpr Mutant kForms[] = {
    Form("pads-at-end-counted", "padding at the end counts in the divisor although padding is excluded", kSlidingMean,
         {.reduce = EndPadsCounted}),
    Form("mean-of-one-tap-less", "the divisor is one less than the taps", kSlidingMean, {.reduce = OneTapLess}),
    Form("maxima-from-minus-3", "maxima start at -3", kMaxima, {.reduce = FromMinusThree}),
    Form("second-largest", "the second largest tap wins", kSlidingMax, {.reduce = SecondLargest}),
    Form("first-row-lost", "the first row of the first windows is left out", kSliding, {.range = FirstRowLost}),
    Form("plane-mirrored", "the output is mirrored", kSlidingMax, {.range = Mirrored}),
    Form("index-one-less-in-last-column", "indices of the last column are one too small", kIndexedMax,
         {.index = OneLessInLastColumn}),
    Form("values-rounded-to-6-bits", "results keep six bits", kSliding, {.reduce = SixBits}),
};

std::vector<Mutant> Collect() {
  std::vector<Mutant> all(std::begin(kForms), std::end(kForms));
  for (const std::span<const Mutant> part : FieldForms()) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::span<const Mutant> Forms() {
  static const std::vector<Mutant> all = Collect();
  return all;
}

const Mutant* FindForm(std::string_view id) {
  const auto all = Forms();
  const auto found = std::ranges::find(all, id, &Mutant::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace poolproof::mutants
