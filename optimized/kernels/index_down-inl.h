// Maximum with index along height and depth, for one target: from the field to output rows (index_shape.h).
//
// Each function is kept out of its caller: g++ runs out of registers where they are parts of one.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INDEX_DOWN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INDEX_DOWN_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INDEX_DOWN_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INDEX_DOWN_INL_H_
#endif

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/index_shape.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Rows of the field for one output row.
template <class B>
struct DownRows {
  using L = typename B::L;
  using I = typename B::I;
  using D = typename B::D;
  using DI = typename B::DI;

  typename B::Field from;  // the first row
  const I* begin;          // IndexTables
  const I* inside;
  int64_t out;              // length of the output row
  int64_t base;             // index of the first column of the first row
  int64_t in, pitch;        // positions and elements of the field from row to row
  int64_t step, last;       // rows from tap to tap along the height, and to the last one
  int64_t high;             // taps along the height
  int64_t deep_step, deep;  // the same along the depth

  HWY_INLINE void Run(L* to, IndexArray index) const {
    if (deep > 1 || high > 3) return Many(to, index);
    if (high == 3) return Few<3>(to, index);
    return high == 2 ? Few<2>(to, index) : Few<1>(to, index);
  }

 private:
  static HWY_INLINE hn::Vec<DI> Position(int64_t position) { return hn::Set(DI(), static_cast<I>(position)); }

  // kHigh: high, up to 3.
  template <int kHigh>
  HWY_NOINLINE void Few(L* HWY_RESTRICT to, IndexArray index) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const auto rows = from;
    const int64_t count = out, start = base;
    const int64_t next_offset = step * pitch, last_offset = last * pitch;
    const auto next = Position(step * in), final = Position(last * in);
    const I* columns = begin;
    const I* padding = inside;
    for (int64_t i = 0; i < count; i += n) {
      B best = B::Load(rows, i);
      if (kHigh == 3) best.JoinBest(B::Load(rows, i + next_offset), next);
      if (kHigh >= 2) best.JoinBest(B::Load(rows, i + last_offset), final);
      best.Finish(padding + i, columns + i, start, count - i, to + i, index.From(i));
    }
  }

  HWY_NOINLINE void Many(L* HWY_RESTRICT to, IndexArray index) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t depth = deep_step * (deep - 1);
    const int64_t row_positions = in, row_pitch = pitch, row_step = step, last_row = last;
    for (int64_t i = 0; i < out; i += n) {
      B best = B::Load(from, i);
      for (int64_t first = 0; first <= depth; first += deep_step) {
        // The very first row is joined with itself, to no effect.
        for (int64_t row = first; row < first + last_row; row += row_step) {
          best.JoinBest(B::Load(from, row * row_pitch + i), Position(row * row_positions));
        }
        const int64_t row = first + last_row;
        best.JoinBest(B::Load(from, row * row_pitch + i), Position(row * row_positions));
      }
      best.Finish(inside + i, begin + i, base, out - i, to + i, index.From(i));
    }
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
