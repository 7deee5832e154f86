// Maxima without index over large windows, one apart, of planes whose rows are short, for one target: a row is in two
// vectors with the padding around it. Across, maxima of two, four and eight columns are picked from them; down, a
// window is the end of one block of rows and the begin of the next, after van Herk and Gil and Werman.
//
// Among equal values the first in row-major order counts.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_ROW_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_ROW_BLOCKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_ROW_BLOCKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_ROW_BLOCKS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/pick_groups-inl.h"

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE hn::Vec512<float> LoadOr(hn::Vec512<float> other, hn::Mask512<float> inside, const float* p) {
  return hn::Vec512<float>{_mm512_mask_loadu_ps(other.raw, inside.raw, p)};
}
HWY_INLINE hn::Vec512<int32_t> LoadOr(hn::Vec512<int32_t> other, hn::Mask512<int32_t> inside, const int32_t* p) {
  return hn::Vec512<int32_t>{_mm512_mask_loadu_epi32(other.raw, inside.raw, p)};
}

// L: of 32 bits. kVectors: of an output row, 1 or 2.
template <typename L, int kVectors>
class RowBlocks {
 public:
  using Groups = PickGroups<L, 1, false>;

  RowBlocks(const Plan& plan, Scratch& scratch)
      : height_(plan.axis[1]),
        width_(plan.axis[2]),
        block_(std::min(height_.kernel, height_.in)),
        rows_(scratch.Get<L>(kWorkSlot, height_.in * kRow)) {}

  // Whether the plan is one for this kernel, and it is the fastest.
  static bool Pays(const Plan& plan) {
    const auto near = [](const Axis& a) {
      return !a.adaptive && a.stride == 1 && a.dilation == 1 && a.kernel >= kLeast && a.pad < a.kernel &&
             a.out <= a.in + a.pad && a.out + a.kernel - 1 >= a.in + a.pad;
    };
    const Axis& width = plan.axis[2];
    const bool few = width.kernel < kMost;
    return plan.index_type == 0 && plan.inner == 1 && plan.IsFlat() && near(plan.axis[1]) && near(width) &&
           width.kernel < 2 * kMost && width.out + width.kernel - 1 <= 2 * kLanes &&
           width.pad + width.in <= 2 * kLanes && (width.out > kLanes) == (kVectors == 2) &&
           width.out >= (few ? kLeastOfFew : kLeastOfMany);
  }

  HWY_ATTR void Run(const Groups& groups, int64_t begin, int64_t end) const {
    PoolMaxGroups(groups, begin, end, [&](int64_t, int64_t planes, const L* from, L* to) HWY_ATTR {
      width_.kernel < kMost ? Planes<2>(planes, from, to) : Planes<3>(planes, from, to);
    });
  }

 private:
  using D = hn::ScalableTag<L>;
  using DI = hn::RebindToSigned<D>;
  using V = hn::Vec<D>;
  using VI = hn::Vec<DI>;
  static constexpr int64_t kLanes = RowTap::kLanes;
  static constexpr int64_t kRow = kVectors * kLanes;
  static constexpr int64_t kLeast = 5;                           // taps
  static constexpr int64_t kMost = 8;                            // columns of which maxima are picked
  static constexpr int64_t kLeastOfFew = 10, kLeastOfMany = 14;  // windows of a row
  static constexpr int64_t kAhead = 512;                         // elements

  // Vectors of an output row; the second one ends with it.
  struct Row {
    V v[kVectors];
    static HWY_INLINE Row Load(const L* p) {
      Row row;
      for (int i = 0; i < kVectors; ++i) row.v[i] = hn::Load(D(), p + i * kLanes);
      return row;
    }
    static HWY_INLINE Row None() {
      Row row;
      for (int i = 0; i < kVectors; ++i) row.v[i] = hn::Set(D(), IdentityOfMax<L>());
      return row;
    }
    HWY_INLINE void Store(L* p) const {
      for (int i = 0; i < kVectors; ++i) hn::Store(v[i], D(), p + i * kLanes);
    }
    HWY_INLINE Row Join(const Row& later) const {
      Row joined;
      for (int i = 0; i < kVectors; ++i) joined.v[i] = MaxOf(v[i], later.v[i]);
      return joined;
    }
  };

  // To rows of the output, one after the other.
  struct Writer {
    explicit HWY_INLINE Writer(int64_t windows) : out(windows), inside(hn::FirstN(D(), static_cast<size_t>(windows))) {}
    HWY_INLINE void Next(const Row& row, L*& to) const {
      if constexpr (kVectors == 1) {
        hn::BlendedStore(row.v[0], inside, D(), to);
      } else {
        hn::StoreU(row.v[0], D(), to);
        hn::StoreU(row.v[1], D(), to + out - kLanes);
        hwy::Prefetch(to + out - kLanes + kAhead);
      }
      hwy::Prefetch(to + kAhead);
      to += out;
    }
    int64_t out;
    hn::Mask<D> inside;
  };

  // The windows of a row for themselves. Columns count from the first one of the padding.
  template <int kLevels>
  struct Across {
    explicit HWY_INLINE Across(const Axis& width)
        : pad(width.pad),
          none(hn::Set(D(), IdentityOfMax<L>())),
          inside(Inside(width, 0)),
          inside_second(Inside(width, kLanes)) {
      for (int i = 0; i < kLevels; ++i) {
        next[i] = From(int64_t{1} << i);
        next_second[i] = From(kLanes + (int64_t{1} << i));
      }
      const int64_t further = width.kernel - (int64_t{1} << kLevels), last = width.out - kLanes;
      rest = From(further);
      if (kVectors == 2) {
        last_begin = From(last);
        last_rest = From(last + further);
      }
    }
    static HWY_INLINE hn::Mask<D> Inside(const Axis& width, int64_t begin) {
      const auto before = [&](int64_t column) HWY_ATTR {
        return hn::FirstN(D(), static_cast<size_t>(std::clamp<int64_t>(column - begin, 0, kLanes)));
      };
      return hn::AndNot(before(width.pad), before(width.pad + width.in));
    }
    // Lanes of the columns from `column` on; there is none behind the last one.
    static HWY_INLINE VI From(int64_t column) {
      return hn::Min(hn::Iota(DI(), static_cast<int32_t>(column)), hn::Set(DI(), 2 * kLanes - 1));
    }
    HWY_INLINE Row Of(const L* row) const {
      V a = LoadOr(none, inside, row - pad), b = LoadOr(none, inside_second, row - pad + kLanes);
      for (int i = 0; i < kLevels; ++i) {
        const V after = PickLanes(a, b, next[i]);
        b = MaxOf(b, PickLanes(a, b, next_second[i]));
        a = MaxOf(a, after);
      }
      Row windows;
      windows.v[0] = MaxOf(a, PickLanes(a, b, rest));
      if constexpr (kVectors == 2) windows.v[1] = MaxOf(PickLanes(a, b, last_begin), PickLanes(a, b, last_rest));
      return windows;
    }

    int64_t pad;
    V none;
    hn::Mask<D> inside, inside_second;
    VI next[kLevels], next_second[kLevels], rest, last_begin, last_rest;
  };

  template <int kLevels>
  HWY_NOINLINE void Planes(int64_t planes, const L* from, L* to) const {
    const Across<kLevels> across(width_);
    const Writer write(width_.out);
    for (; planes > 0; --planes) Plane(across, write, from, to);
  }

  template <class A>
  HWY_INLINE void Plane(const A& across, const Writer& write, const L*& from, L*& to) const {
    const int64_t in = height_.in, width = width_.in, kernel = height_.kernel, block = block_;
    const int64_t last_first = height_.out - 1 - height_.pad;  // row that the last window begins in
    L* const rows = rows_;
    int64_t first = -height_.pad;  // row that the next window begins in
    for (int64_t begin = 0, row = 0;; begin = row) {
      const int64_t end = std::min(begin + block, in);
      Row best = Row::None();  // of the rows of the block so far
      const auto next = [&]() HWY_ATTR {
        const Row here = across.Of(from);
        hwy::Prefetch(from + Groups::kElements);
        from += width;
        best = best.Join(here);
        here.Store(rows + row++ * kRow);
      };
      // Windows that end within the block, and begin before it, or with it.
      while (row < std::min(end, first + kernel - 1)) next();
      const int64_t joined = begin == 0 ? row : std::min(end, begin + kernel - 1);
      for (; row < joined; ++first) {
        next();
        write.Next(Row::Load(rows + first * kRow).Join(best), to);
      }
      for (; row < end; ++first) {
        next();
        write.Next(best, to);
      }
      if (begin < last_first) Suffixes(begin, end);
      if (end < in) continue;
      // Windows that end with the plane.
      for (; first <= last_first; ++first) {
        const Row above = first > 0 && first != begin ? Row::Load(rows + first * kRow) : best;
        write.Next(first < begin ? above.Join(best) : above, to);
      }
      return;
    }
  }

  // From rows of a block to their maxima with all rows below, but for the first one.
  HWY_INLINE void Suffixes(int64_t begin, int64_t end) const {
    L* row = rows_ + (end - 1) * kRow;
    Row best = Row::Load(row);
    for (L* const stop = rows_ + (begin + 1) * kRow; row > stop;) {
      row -= kRow;
      best = Row::Load(row).Join(best);
      best.Store(row);
    }
  }

  const Axis &height_, &width_;
  const int64_t block_;  // rows
  L* const rows_;        // pooled across
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
