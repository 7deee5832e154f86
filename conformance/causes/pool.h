// A pooling call as the mutants see it: geometry without names.
//
// Mutants compute with loops of their own, so that each way to be wrong is a small change to one
// step: where a window lies, which taps it has, what is made of them, which index is reported.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "conformance/causes/asked.h"

namespace poolproof::mutants {

// Holds every value of every element type exactly.
using Value = long double;

// One spatial axis.
struct Axis {
  int64_t size = 1, out = 1, kernel = 1, stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;
};

// Distances between neighbours, in elements.
struct Steps {
  int64_t batch = 0, channel = 0;
  std::array<int64_t, 3> axis{};
};

struct Pool {
  const poolproof_call* call = nullptr;
  unsigned family = 0;
  poolproof_element_type type = POOLPROOF_F32;
  std::optional<Meaning> rounding;  // none where the operator does not round
  bool exclude_pad = true;
  int64_t divisor = 0;        // of a mean, as the call gives it; 0: the number of taps that count
  int64_t power = 2;          // of a norm
  bool column_major = false;  // positions
  bool whole_planes = false;  // each window is a plane
  int rank = 0, spatial_rank = 0;
  int64_t batches = 1, channels = 1;
  std::array<Axis, 3> axes;  // the last spatial_rank are the operator's, the others have size 1
  Steps in, out;
  int64_t axis = 0;         // that the index is relative to, as written
  int64_t index_bound = 0;  // indices are taken modulo this; 0: no index output

  // The first offset of each value of one plane, for mutants that look for it; made when asked for.
  mutable int64_t seen_plane = -1;
  mutable std::unordered_map<Value, int64_t> first_seen;
  // Sums of the elements of one row so far, for mutants that take windows from these; made when asked for.
  mutable int64_t summed_row = -1;
  mutable std::vector<Value> row_sums;

  // Whether the divisor of a mean counts taps in the padding.
  bool CountsPadding() const { return !exclude_pad && divisor == 0; }
  // Whether it counts none there.
  bool LeavesOutPadding() const { return exclude_pad && divisor == 0; }
  bool Is(unsigned families) const { return (family & families) != 0; }
  size_t FirstAxis() const { return static_cast<size_t>(3 - spatial_rank); }
  // The dimension of axes[i], i >= FirstAxis(), where channels are not the last one.
  size_t DimensionOf(size_t i) const { return static_cast<size_t>(rank) + i - 3; }
  bool Float() const { return type <= POOLPROOF_BF16; }
};

// The taps of a window along one axis: start + k * step for k in [0, full); those with k in
// [first, end) lie inside the input, those in [padded_first, padded_end) in the padded input.
struct Range {
  int64_t start = 0, step = 1, full = 1;
  int64_t first = 0, end = 1, padded_first = 0, padded_end = 1;

  int64_t Inside() const { return end - first; }
  int64_t Padded() const { return padded_end - padded_first; }
  // Finds [first, end) and [padded_first, padded_end) again after start or full were changed.
  void Clip(const Axis& axis);
};

struct Tap {
  int64_t offset = 0;  // flat, in the input
  Value value = 0;
};

struct Window {
  int64_t batch = 0, channel = 0;
  std::array<int64_t, 3> at{};  // output position
  int64_t element = 0;          // flat offset in the output
  std::array<Range, 3> ranges;
  std::vector<Tap> taps;  // inside the input, row-major

  int64_t Full() const { return ranges[0].full * ranges[1].full * ranges[2].full; }
  int64_t Padded() const { return ranges[0].Padded() * ranges[1].Padded() * ranges[2].Padded(); }
  int64_t Inside() const { return ranges[0].Inside() * ranges[1].Inside() * ranges[2].Inside(); }
};

// The result of a window. `tap` is the input offset that the index is made of, -1: none.
struct Result {
  Value value = 0;
  int64_t tap = -1;
};

// Reads a call that infer_shapes has accepted and whose outputs are described. Output sizes are
// those of output 0, whatever the formulas say.
Pool ReadPool(const poolproof_call& call);

Value LoadValue(poolproof_element_type type, const void* data, int64_t i);
// Rounds floats to nearest; integers lose their fraction and wrap around.
void StoreValue(poolproof_element_type type, Value value, void* data, int64_t i);
// `value` as `type` holds it.
Value Rounded(poolproof_element_type type, Value value);
Value Lowest(poolproof_element_type type);
bool IsSigned(poolproof_element_type type);
int Bits(poolproof_element_type type);

// The right answers, for mutants that are wrong only sometimes. Documented readings: NaN
// propagates, the first of equal taps, -inf without taps; means truncate, full kernel as divisor; norms do not
// overflow.
Result Reduce(const Pool& pool, const Window& window);
Result ReduceMax(const Pool& pool, const Window& window);
Result ReduceMean(const Pool& pool, const Window& window, int64_t divisor);
// The divisor of a mean.
int64_t RightDivisor(const Pool& pool, const Window& window);
Result ReduceNorm(const Pool& pool, const Window& window);
Value SumOf(const Window& window);
Value PowerOf(Value value, int64_t power);
// Power of an element of a norm: its own where odd powers keep signs, otherwise that of its magnitude.
Value PowerIn(const Pool& pool, Value value);
// Root of a sum of powers; below 0 that of the magnitude, below 0.
Value RootIn(const Pool& pool, Value sum);
// The position that the index names a tap by.
int64_t IndexPosition(const Pool& pool, int64_t tap);

}  // namespace poolproof::mutants
