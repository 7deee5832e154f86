// Maximum over windows of 3 x 3 elements, one around each element of small planes, for one target. Rows are short for
// vectors, so a plane is taken as if it were one row: above and below are the elements one row away, and those to the
// left and to the right are masked where a row begins and ends.
//
// As in max_rows-inl.h, of zeros of either sign the first down the first column that has one counts, and only rows that
// see NaN are pooled element by element.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_FLAT_THREES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_FLAT_THREES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_FLAT_THREES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_FLAT_THREES_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/element_rows-inl.h"
#include "optimized/kernels/max_codecs-inl.h"
#include "optimized/kernels/plain.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// C: how elements become lanes (max_codecs-inl.h).
template <class C>
class FlatThrees {
 public:
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;
  using I = hwy::MakeSigned<L>;

  FlatThrees(const Plan& plan, const Buffers& buffers, Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        width_(plan.axis[2].in),
        count_(plan.InPlane()),
        plane_(Framed(scratch, kRowSlot)),
        high_(Framed(scratch, kPhaseSlot)),
        begins_(scratch.Get<I>(kTableSlot, 2 * count_)),
        ends_(begins_ + count_) {
    std::fill_n(begins_, 2 * count_, I{0});
    for (int64_t i = 0; i < count_; i += width_) begins_[i] = ends_[i + width_ - 1] = I{-1};
  }

  // Whether the plan is one for this kernel, and it is faster than row by row.
  static bool Pays(const Plan& plan) {
    constexpr int64_t kMostBytes = 4096;
    const int64_t bytes = plan.InPlane() * static_cast<int64_t>(sizeof(L));
    return plan.inner == 1 && plan.IsFlat() && IsAround(plan.axis[1], 3) && IsAround(plan.axis[2], 3) &&
           plan.axis[2].in <= kLongest && plan.InPlane() >= static_cast<int64_t>(hn::Lanes(D())) && bytes <= kMostBytes;
  }

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const L* from = static_cast<const L*>(buffers_.in) + plane * count_;
      const bool suspicious = Load(from);
      Pool(static_cast<L*>(buffers_.out) + plane * count_);
      if (suspicious) Replace(plane, from);
    }
  }

 private:
  static constexpr int64_t kLongest = 48;  // row

  // Room for a plane, with identities before and after it.
  L* Framed(Scratch& scratch, int slot) const {
    const int64_t frame = RoundUp(width_, kMaxLanes), count = count_ + 2 * frame;
    L* lanes = scratch.Get<L>(slot, count);
    std::fill_n(lanes, count, C::kIdentity);
    return lanes + frame;
  }

  // Returns whether there may be NaN.
  HWY_NOINLINE bool Load(const L* from) const {
    const D d;
    typename C::Watch watch;
    ForVectors([&](int64_t i) HWY_ATTR {
      const V v = C::Load(d, from + i);
      watch.Elements(v);
      watch.Maximum(v);
      hn::StoreU(v, d, plane_ + i);
    });
    return watch.Suspicious();
  }

  HWY_NOINLINE void Pool(L* to) const {
    const D d;
    ForVectors([&](int64_t i) HWY_ATTR {
      const L* at = plane_ + i;
      const V upper = MaxOf(hn::LoadU(d, at - width_), hn::LoadU(d, at));
      hn::StoreU(MaxOf(upper, hn::LoadU(d, at + width_)), d, high_ + i);
    });
    const V none = hn::Set(d, C::kIdentity);
    ForVectors([&](int64_t i) HWY_ATTR {
      const L* at = high_ + i;
      const V left = hn::IfVecThenElse(Bits(begins_ + i), none, hn::LoadU(d, at - 1));
      const V right = hn::IfVecThenElse(Bits(ends_ + i), none, hn::LoadU(d, at + 1));
      C::Store(MaxOf(MaxOf(left, hn::LoadU(d, at)), right), d, to + i);
    });
  }

  // Rows that see NaN.
  HWY_NOINLINE void Replace(int64_t plane, const L* from) const {
    const int64_t rows = count_ / width_;
    bool above = false, here = RowHasNan(from);
    for (int64_t row = 0; row < rows; ++row) {
      from += width_;
      const bool below = row + 1 < rows && RowHasNan(from);
      if (above || here || below) PlainMaxRow(plan_, buffers_, plane, 0, row);
      above = here;
      here = below;
    }
  }
  bool RowHasNan([[maybe_unused]] const L* row) const {
    if constexpr (C::kHasNan) {
      L some[kLongest + kMaxLanes] = {};
      std::copy_n(row, width_, some);
      return HasNan<typename C::Nan>(some, width_);
    }
    return false;
  }

  static HWY_INLINE V Bits(const I* p) { return hn::BitCast(D(), hn::LoadU(hn::RebindToSigned<D>(), p)); }

  // A plane is at least one vector.
  template <class Vector>
  HWY_INLINE void ForVectors(const Vector& vector) const {
    ForVectorsOf(static_cast<int64_t>(hn::Lanes(D())), count_, vector, [] {});
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t width_, count_;  // elements of a row and of a plane
  L* const plane_;               // lanes, with identities around them
  L* const high_;                // their maxima along the height
  I* const begins_;              // all bits where a row begins,
  I* const ends_;                // and where it ends
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
