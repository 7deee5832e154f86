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
#include "reference/plan.h"

namespace poolproof::reference {

template <typename E>
bool IsNan(typename E::Stored stored) {
  if constexpr (E::kIsFloat) return std::isnan(E::Load(stored));
  return false;
}

// The taps of a window. Offsets count elements of the input.
template <typename E>
struct TapScan {
  int64_t plane = 0;  // offset of the first element of the plane
  int64_t taps = 0;
  int64_t nans = 0;
  int64_t first_nan = 0, last_nan = 0;
  typename E::Value max{};      // of the taps that are no NaN
  int64_t first = 0, last = 0;  // taps that equal max
  bool both_zeros = false;      // max is zero, and taps of either sign equal it
};

template <typename E>
TapScan<E> ScanTaps(const Plan& plan, const typename E::Stored* input, const WindowTaps& window) {
  TapScan<E> scan;
  scan.plane = window.origin;
  scan.taps = window.Count();
  bool found = false;
  ForEachTap(window, plan.in, [&](int64_t offset) {
    const typename E::Value x = E::Load(input[offset]);
    if (IsNan<E>(input[offset])) {
      if (scan.nans++ == 0) scan.first_nan = offset;
      scan.last_nan = offset;
    } else if (!found || x > scan.max) {
      found = true;
      scan.max = x;
      scan.first = scan.last = offset;
      scan.both_zeros = false;
    } else if (x == scan.max) {
      scan.last = offset;
      if constexpr (E::kIsFloat) scan.both_zeros |= std::signbit(x) != std::signbit(scan.max);
    }
  });
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
Maximum<E> EmptyMaximum(const Plan& plan, Context& context) {
  Maximum<E> result;
  result.index_is_open = true;
  if (plan.has_index) context.touched.Add(Entry::kEmptyWindowIndex);
  if (E::kIsFloat || E::kLowest != E::kZero) context.touched.Add(Entry::kEmptyWindowValue);
  result.value = E::kLowest;
  if constexpr (E::kIsFloat) {
    if (context.readings.Is(Entry::kEmptyWindowValue, EmptyWindowValue::kMinusInfinity)) {
      result.value = E::kMinusInfinity;
    }
  }
  if (context.readings.Is(Entry::kEmptyWindowValue, EmptyWindowValue::kZero)) {
    result.value = E::kZero;
  }
  return result;
}

// The tap that `ties` chooses among equal ones from `first` to `last`.
template <typename E>
Maximum<E> TiedMaximum(const Plan& plan, typename E::Stored value, int64_t first, int64_t last, Context& context) {
  if (plan.has_index && first != last) context.touched.Add(Entry::kTies);
  const bool take_last = context.readings.Is(Entry::kTies, Ties::kLast);
  return {value, true, false, take_last ? last : first};
}

// The value of the maximum, which of equal zeros being decided by `signed-zero`.
template <typename E>
typename E::Stored ZeroOf(const typename E::Stored* input, const TapScan<E>& scan, Context& context) {
  if (!scan.both_zeros) return input[scan.first];
  context.touched.Add(Entry::kSignedZero);
  if (context.readings.Is(Entry::kSignedZero, SignedZero::kPositive)) return E::kZero;
  return input[context.readings.Is(Entry::kSignedZero, SignedZero::kLast) ? scan.last : scan.first];
}

// The maximum of taps that are no NaN, at least one.
template <typename E>
Maximum<E> OrdinaryMaximum(const Plan& plan, const typename E::Stored* input, const TapScan<E>& scan,
                           Context& context) {
  assert(scan.taps > scan.nans);
  if constexpr (E::kIsFloat) {
    if (scan.max == E::Load(E::kMinusInfinity)) {
      context.touched.Add(Entry::kMinusInfinityInput);
      if (context.readings.Is(Entry::kMinusInfinityInput, MinusInfinityInput::kLowestFinite)) {
        return {E::kLowest, false, false, scan.plane};
      }
    }
  }
  if (plan.has_index && scan.max == E::Load(E::kLowest)) {
    context.touched.Add(Entry::kLowestInputIndex);
    if (context.readings.Is(Entry::kLowestInputIndex, LowestInputIndex::kZero)) {
      return {E::kLowest, false, false, scan.plane};
    }
  }
  return TiedMaximum<E>(plan, ZeroOf(input, scan, context), scan.first, scan.last, context);
}

template <typename E>
Maximum<E> MaximumOf(const Plan& plan, const typename E::Stored* input, const TapScan<E>& scan, Context& context) {
  if (scan.taps == 0) return EmptyMaximum<E>(plan, context);
  if (scan.nans > 0) {
    context.touched.Add(Entry::kNan);
    const bool propagate = context.readings.Is(Entry::kNan, Nan::kPropagate);
    const bool all = scan.nans == scan.taps;
    if (propagate || (all && context.readings.Is(Entry::kNan, Nan::kIgnore))) {
      return TiedMaximum<E>(plan, input[scan.first_nan], scan.first_nan, scan.last_nan, context);
    }
    if (all) return EmptyMaximum<E>(plan, context);
  }
  return OrdinaryMaximum<E>(plan, input, scan, context);
}

// The index output for a chosen tap: its position in the flattened input, modulo the bound, in the
// index type (an i32 wraps where the bound is above 2^31).
template <typename E>
int64_t IndexOf(const Plan& plan, const Maximum<E>& maximum) {
  assert(plan.has_index && plan.index_bound > 0);
  const int64_t index = maximum.tap % plan.index_bound;
  return plan.index_type == POOLPROOF_I32 ? static_cast<int32_t>(index) : index;
}

}  // namespace poolproof::reference
