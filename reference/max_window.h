// The maximum of one window: first what its taps are, then what the readings make of them.
//
//   value = max over the taps inside the input, index = flat input offset of that tap
//
// The documents speak of ordinary numbers only. What is open (NaN, ties, zeros of both signs,
// nothing but -inf or the type's lowest value, no tap at all) is decided by Context::readings, and
// the entry is added to Context::touched exactly where a window has such taps.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "reference/element.h"
#include "reference/input.h"
#include "reference/plan.h"

namespace poolproof::reference {

template <typename E>
bool IsNan(typename E::Stored stored) {
  if constexpr (E::kIsFloat && sizeof(stored) == 2) return (stored & 0x7FFF) > (E::kMinusInfinity & 0x7FFF);
  if constexpr (E::kIsFloat && sizeof(stored) != 2) return std::isnan(stored);
  return false;
}

// The largest of some taps that are no NaN. Offsets count elements of the input.
template <typename E>
struct Largest {
  int64_t taps = 0;  // 0: there is none
  typename E::Value max{};
  int64_t first = 0, last = 0;  // taps that equal max
  bool both_zeros = false;      // max is zero, and taps of either sign equal it

  void Add(typename E::Value x, int64_t offset) {
    if (taps++ == 0 || x > max) {
      max = x;
      first = last = offset;
      both_zeros = false;
    } else if (x == max) {
      last = offset;
      if constexpr (E::kIsFloat) both_zeros |= std::signbit(x) != std::signbit(max);
    }
  }
};

// The taps of a window.
template <typename E>
struct TapScan {
  int64_t plane = 0;  // offset of the first element of the plane
  int64_t taps = 0;
  int64_t nans = 0;
  int64_t first_nan = 0, last_nan = 0;
  bool begins_with_nan = false;
  bool has_subnormal = false;
  Largest<E> numbers;     // of all taps
  Largest<E> behind_nan;  // of those behind the last NaN
};

template <typename E>
TapScan<E> ScanTaps(const Plan& plan, Input<E> input, const WindowTaps& window) {
  TapScan<E> scan;
  scan.plane = window.origin;
  ForEachTap(window, plan.in, [&](int64_t offset) {
    const bool first = scan.taps++ == 0;
    scan.has_subnormal |= input.IsSubnormalAt(offset);
    if (IsNan<E>(input[offset])) {
      scan.begins_with_nan |= first;
      if (scan.nans++ == 0) scan.first_nan = offset;
      scan.last_nan = offset;
      scan.behind_nan = {};
    } else {
      scan.numbers.Add(E::Load(input[offset]), offset);
      if (scan.nans > 0) scan.behind_nan.Add(E::Load(input[offset]), offset);
    }
  });
  if (scan.nans == 0) scan.behind_nan = scan.numbers;
  return scan;
}

// The result of a window. Taps [first, last] in scan order that hold the value are equal choices for
// the index; without such a tap the index is 0, or by some readings the first of the plane.
template <typename E>
struct Maximum {
  typename E::Stored value{};
  bool has_tap = false;
  bool index_is_open = false;  // any index would do: there is nothing to point at
  int64_t tap = 0;             // offset that the index is made of
};

template <typename E>
Maximum<E> EmptyMaximum(const Plan& plan, int64_t plane, Context& context) {
  Maximum<E> result;
  if (context.readings.Is(Entry::kEmptyWindowIndex, EmptyWindowIndex::kFirstOfChannel)) result.tap = plane;
  result.index_is_open = true;
  if (plan.has_index) context.touched.Add(Entry::kEmptyWindowIndex);
  if (E::kIsFloat || E::kLowest != E::kZero) context.touched.Add(plan.empty_window);
  result.value = E::kLowest;
  if constexpr (E::kIsFloat) {
    if (context.readings.Is(plan.empty_window, EmptyWindowValue::kMinusInfinity)) {
      result.value = E::kMinusInfinity;
    }
  }
  if (context.readings.Is(plan.empty_window, EmptyWindowValue::kZero)) {
    result.value = E::kZero;
  }
  return result;
}

// The NaN that `nan-index` chooses.
template <typename E>
Maximum<E> NanMaximum(const Plan& plan, Input<E> input, const TapScan<E>& scan, Context& context) {
  if (plan.has_index && scan.nans > 1) context.touched.Add(Entry::kNanIndex);
  const bool last = plan.has_index && context.readings.Is(Entry::kNanIndex, NanIndex::kLast);
  const int64_t tap = last ? scan.last_nan : scan.first_nan;
  return {input[tap], true, false, tap};
}

// The value of the maximum, which of equal zeros being decided by `signed-zero`.
template <typename E>
typename E::Stored ZeroOf(Input<E> input, const Largest<E>& numbers, Context& context) {
  if (!numbers.both_zeros) return input[numbers.first];
  context.touched.Add(Entry::kSignedZero);
  if (context.readings.Is(Entry::kSignedZero, SignedZero::kPositive)) return E::kZero;
  return input[context.readings.Is(Entry::kSignedZero, SignedZero::kLast) ? numbers.last : numbers.first];
}

// The maximum of taps that are no NaN, at least one; `plane`: offset of the first element of their plane.
template <typename E>
Maximum<E> OrdinaryMaximum(const Plan& plan, Input<E> input, const Largest<E>& numbers, int64_t plane,
                           Context& context) {
  assert(numbers.taps > 0);
  if constexpr (E::kIsFloat) {
    if (numbers.max == E::Load(E::kMinusInfinity)) {
      context.touched.Add(Entry::kMinusInfinityInput);
      if (context.readings.Is(Entry::kMinusInfinityInput, MinusInfinityInput::kLowestFinite)) {
        return {E::kLowest, false, false, plane};
      }
    }
  }
  if (plan.has_index && numbers.max == E::Load(E::kLowest)) {
    context.touched.Add(Entry::kLowestInputIndex);
    if (context.readings.Is(Entry::kLowestInputIndex, LowestInputIndex::kZero)) {
      return {E::kLowest, false, false, plane};
    }
  }
  if (plan.has_index && numbers.first != numbers.last) context.touched.Add(Entry::kTies);
  const bool take_last = context.readings.Is(Entry::kTies, Ties::kLast);
  return {ZeroOf(input, numbers, context), true, false, take_last ? numbers.last : numbers.first};
}

// The maximum of taps of which some are NaN.
template <typename E>
Maximum<E> MaximumBesideNan(const Plan& plan, Input<E> input, const TapScan<E>& scan, Context& context) {
  context.touched.Add(Entry::kNan);
  const bool all = scan.nans == scan.taps;
  switch (static_cast<Nan>(context.readings[Entry::kNan])) {
    case Nan::kPropagate: return NanMaximum(plan, input, scan, context);
    case Nan::kIgnore:
      if (all) return NanMaximum(plan, input, scan, context);
      break;
    case Nan::kIgnoreAll:
      if (all) return EmptyMaximum<E>(plan, scan.plane, context);
      break;
    case Nan::kFirstTap:
      if (scan.begins_with_nan) return {input[scan.first_nan], true, false, scan.first_nan};
      break;
    case Nan::kLastTap:
      if (scan.behind_nan.taps == 0) return {input[scan.last_nan], true, false, scan.last_nan};
      return OrdinaryMaximum<E>(plan, input, scan.behind_nan, scan.plane, context);
  }
  return OrdinaryMaximum<E>(plan, input, scan.numbers, scan.plane, context);
}

// Whether the largest is 0 or nearer to it than a normal number.
template <typename E>
bool IsTiny(const Largest<E>& numbers) {
  if constexpr (E::kIsFloat) return numbers.taps > 0 && std::fabs(numbers.max) < kSmallestNormal<E>;
  return false;
}

// The value is not yet flushed as `subnormals` has it of outputs.
template <typename E>
Maximum<E> MaximumOf(const Plan& plan, Input<E> input, const TapScan<E>& scan, Context& context) {
  if (scan.has_subnormal && (IsTiny(scan.numbers) || IsTiny(scan.behind_nan))) context.touched.Add(Entry::kSubnormals);
  if (scan.taps == 0) return EmptyMaximum<E>(plan, scan.plane, context);
  if (scan.nans > 0) return MaximumBesideNan<E>(plan, input, scan, context);
  return OrdinaryMaximum<E>(plan, input, scan.numbers, scan.plane, context);
}

// The position of the element at `offset` where the first coordinate is the one that counts by ones.
inline int64_t ColumnMajorPosition(const Plan& plan, int64_t offset) {
  const auto& [d, h, w] = plan.axes;
  const int64_t plane = offset / plan.in.plane, in_plane = offset % plan.in.plane;
  const int64_t x = in_plane % w.size, y = in_plane / w.size % h.size, z = in_plane / w.size / h.size;
  const int64_t spatial = z + d.size * (y + h.size * x);
  if (plan.column_major == ColumnMajor::kPlanes) return plane * plan.in.plane + spatial;
  return plane / plan.channels + plan.batches * (plane % plan.channels + plan.channels * spatial);
}

// The index output for a chosen tap: its position in the flattened input, modulo the bound, in the
// index type (an i32 wraps where the bound is above 2^31).
template <typename E>
int64_t IndexOf(const Plan& plan, const Maximum<E>& maximum) {
  assert(plan.has_index && plan.index_bound > 0);
  const int64_t position =
      plan.column_major == ColumnMajor::kNot ? maximum.tap : ColumnMajorPosition(plan, maximum.tap);
  const int64_t index = position % plan.index_bound;
  return plan.index_type == POOLPROOF_I32 ? static_cast<int32_t>(index) : index;
}

}  // namespace poolproof::reference
