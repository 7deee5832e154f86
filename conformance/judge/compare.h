// Compares a result with an expected one, element by element. No element is left out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/judge/oracle.h"

namespace poolproof {

// Where a comparison first went wrong.
enum class Difference : uint8_t { kNone, kStatus, kShape, kValue };

struct Comparison {
  Difference difference = Difference::kNone;
  size_t output = 0;             // kValue: of the first wrong element
  int64_t element = 0;           // kValue
  double ulp = 0;                // largest distance that a tolerance allowed
  reference::EntrySet silences;  // silences by which an element other than the expected one passed
  reference::EntrySet others;    // those of them where the answer is none of the listed readings

  bool Matches() const { return difference == Difference::kNone; }
};

// `call` is the call both results answer; its inputs have data. Ends at the first element that passes only by the
// silence `last`, where one is named.
Comparison Compare(const Call& call, const Expected& expected, const Result& got,
                   std::optional<reference::Entry> last = {});

// Flat positions of all wrong elements of output `output`, for drawings.
std::vector<int64_t> WrongElements(const Call& call, const Expected& expected, const Result& got, size_t output);

// True where two results are equal bit for bit, any NaN being equal to any other.
bool SameBytes(const Result& a, const Result& b);

// True where element `i` of a tensor of `type` is the same at `a` and `b`, any NaN equal to any.
bool SameElement(poolproof_element_type type, const void* a, const void* b, int64_t i);

}  // namespace poolproof
