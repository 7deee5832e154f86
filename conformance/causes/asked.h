// A call's request, as a problem whose parts can be changed: how a wrong backend misreads it. Wrong backends know
// attributes by what their spec says of them, never by name, so that each is wrong in every operator that has the like.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "conformance/backend.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/problem.h"

namespace poolproof::mutants {

// Kinds of operators and traits, as bits: a mutant concerns the operators that have one of its bits.
enum Family : unsigned {
  kPlainMax = 1,    // sliding windows, values alone
  kIndexedMax = 2,  // and indices
  kSlidingMean = 4,
  kAdaptiveMax = 8,
  kAdaptiveMean = 16,
  kFixedPointMax = 32,
  kFixedPointMean = 64,
  kRoundsUpInside = 128,  // has a rounding that is up, but only as far as the input reaches
  kDilates = 256,
  kIndexAxis = 512,  // indices are relative to an axis that the caller names
  kSlidingNorm = 1024,
  kStoresOrders = 2048,  // positions are row or column major
  kTakesDivisor = 4096,  // of a mean
  kKeepsSigns = 8192,    // of odd powers
  kSlidingMax = kPlainMax | kIndexedMax,
  kSliding = kSlidingMax | kSlidingMean | kSlidingNorm,
  kAdaptive = kAdaptiveMax | kAdaptiveMean,
  kFixedPoint = kFixedPointMax | kFixedPointMean,
  kMaxima = kSlidingMax | kAdaptiveMax | kFixedPointMax,
  kIndices = kIndexedMax | kAdaptiveMax,
  kMeans = kSlidingMean | kAdaptiveMean | kFixedPointMean,
  kEveryOperator = kSliding | kAdaptive | kFixedPoint,
};
unsigned FamilyOf(const Problem& problem);
// 0 where no spec has the operator.
unsigned FamilyOf(std::string_view op);

struct Asked : Problem {
  std::array<uint8_t, kMaxAttributes> order{};  // of the attributes in the call; those that are not in it come last
};

// Nothing where the call says what no problem can say: it is then answered rightly. Reads no data but the sizes.
std::optional<Asked> ReadCall(const poolproof_call& call);
// Whether the call asks for this, in words or by default.
bool Asks(const poolproof_call& call, Role role, Meaning meaning);

// ---- changes; none where the attribute is not given

// The list with this role; nullptr where it is not given.
IntList* ListOf(Asked& asked, Role role);
// Exchanges the axes of a list, or of the attributes that there are for each axis.
void ReverseAxes(Asked& asked, Role role);
// Exchanges the values of two roles, of one axis where there is an attribute for each.
void Exchange(Asked& asked, Role a, Role b, int axis = -1);
void Remove(Asked& asked, Role role);
// Where `from` is asked for in words, asks for `to`.
void Replace(Asked& asked, Role role, Meaning from, Meaning to);

}  // namespace poolproof::mutants
