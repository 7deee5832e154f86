// Named fills: what the feature map holds. Each is chosen to tell a wrong result from a right one.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "conformance/cases/problem.h"

namespace poolproof {

// distinct        a permutation, as far as the type has values: every wrong tap shows
// ties            few different values: every tie rule shows
// negative        below zero only (unsigned: small values): padding that takes part as zero shows
// lowest          mostly the type's lowest value: start values that were never replaced show
// minus-infinity  mostly -inf (integers: as lowest)
// specials        NaN, infinities, both zeros, lowest, at first, last, corner and pad-adjacent taps
// exact           small integers whose means are exact or at rounding midpoints
// extreme         values next to the type's limits: overflowing accumulators show
// random          any finite value
// highest         mostly the type's highest value: counters and sums that are too narrow show
std::span<const std::string_view> FillNames();
// Mostly small values, here and there one beside which these vanish in a sum: of no use but for means, so that it is
// planned for these and never drawn.
inline constexpr std::string_view kOutliers = "outliers";
// Whole numbers in each plane, a window of their own, whose mean would be another one by one element more (in every
// other plane less): planned for means of halves and never drawn.
inline constexpr std::string_view kQuotients = "quotients";
// A name of FillNames, kOutliers, kQuotients or kNoFill.
bool IsFill(std::string_view name);
// A problem without data, of which only shapes are asked for; it may be larger than any memory.
inline constexpr std::string_view kNoFill = "none";

// Writes problem.Elements() elements of problem.type at `data`, from problem.data if that is not
// empty, otherwise by fill and seed. The same problem always gives the same bytes.
void FillInput(const Problem& problem, void* data);
// The same as numbers.
std::vector<Number> InputValues(const Problem& problem);

// The value of element `i` at `data`, exactly, and as text that a problem line reads back to the
// same value ("nan", "-inf", "-0.0", "127").
Number ElementAsNumber(poolproof_element_type type, const void* data, int64_t i);
std::string ElementAsText(poolproof_element_type type, const void* data, int64_t i);
// Stores `value`, rounded to nearest for floats; false, and nothing stored, if an integer type does
// not hold it (out of range, fraction, NaN).
bool StoreElement(poolproof_element_type type, Number value, void* data, int64_t i);

}  // namespace poolproof
