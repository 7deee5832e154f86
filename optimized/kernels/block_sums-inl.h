// Sums over windows that overlap much, for one target: three additions per element, however large the window.
//
// Elements are cut into blocks of the size of the window, so that a window touches two at most. Its sum
// is a suffix of the first block (computed backwards, once per block) and a prefix of the second (which grows
// as windows advance). Nothing is ever subtracted: only elements of the window enter its sum.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_BLOCK_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_BLOCK_SUMS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_BLOCK_SUMS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_BLOCK_SUMS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/means-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Whether blocks beat adding up each window.
inline bool BlocksPay(const Axis& axis) {
  return !axis.adaptive && axis.dilation == 1 && axis.kernel >= 6 && axis.kernel > 3 * axis.stride &&
         axis.in > 1;
}

// Sums of rows.
template <class C>
class RowBlocks {
 public:
  using T = typename C::Stored;
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // `lanes` per row; `axis` is that of the rows. Rows are written in whole vectors.
  RowBlocks(const Axis& axis, int64_t lanes, Scratch& scratch)
      : block_(std::min(axis.kernel, axis.in)), rows_(axis.in), lanes_(lanes),
        pitch_(RoundUp(lanes, kMaxLanes)),
        prefix_(scratch.Get<L>(kBlockSlot, (block_ + 1) * pitch_)), suffix_(prefix_ + pitch_) {}

  void Start() { suffix_block_ = prefix_block_ = -1; }

  // to = sum of the rows [first, last], which are those of a window clipped to the input; windows come in
  // order. row_at(r) points to row r.
  template <class RowAt>
  HWY_INLINE void Sum(int64_t first, int64_t last, const RowAt& row_at, L* to) {
    const bool one_block = first / block_ == last / block_;
    if (one_block && first % block_ != 0) {  // up to the end of the input
      MakeSuffix(first / block_, row_at);
      std::copy_n(suffix_ + first % block_ * pitch_, lanes_, to);
    } else if (one_block) {
      Advance(last, row_at);
      std::copy_n(prefix_, lanes_, to);
    } else {
      MakeSuffix(first / block_, row_at);
      if (last % block_ != 0) Advance(last - 1, row_at);
      Join(suffix_ + first % block_ * pitch_, last, row_at, to);
    }
  }

 private:
  template <class RowAt>
  HWY_INLINE void MakeSuffix(int64_t block, const RowAt& row_at) {
    if (suffix_block_ == block) return;
    suffix_block_ = block;
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t begin = block * block_, end = std::min(begin + block_, rows_);
    for (int64_t i = 0; i < lanes_; i += 2 * n) {
      V a = hn::Zero(d), b = hn::Zero(d);
      const bool both = i + n < lanes_;
      for (int64_t r = end - 1; r >= begin; --r) {
        const T* row = row_at(r) + i;
        L* suffix = suffix_ + (r - begin) * pitch_ + i;
        a = hn::Add(a, C::Load(d, row));
        hn::StoreU(a, d, suffix);
        if (both) {
          b = hn::Add(b, C::Load(d, row + n));
          hn::StoreU(b, d, suffix + n);
        }
      }
    }
  }

  // The prefix holds the rows of the block of `last` up to `last`.
  template <class RowAt>
  HWY_INLINE void Advance(int64_t last, const RowAt& row_at) {
    if (prefix_block_ != last / block_) Restart(last / block_);
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (; next_ <= last; ++next_) {
      const T* row = row_at(next_);
      for (int64_t i = 0; i < lanes_; i += n) {
        hn::StoreU(hn::Add(hn::LoadU(d, prefix_ + i), C::Load(d, row + i)), d, prefix_ + i);
      }
    }
  }
  void Restart(int64_t block) {
    prefix_block_ = block;
    next_ = block * block_;
    std::fill_n(prefix_, pitch_, L{0});
  }

  // Takes row `last` into the prefix, if it is not in it, and adds the suffix.
  template <class RowAt>
  HWY_INLINE void Join(const L* suffix, int64_t last, const RowAt& row_at, L* to) {
    if (prefix_block_ != last / block_) Restart(last / block_);
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const bool fresh = next_ == last;
    next_ = last + 1;
    const T* row = row_at(last);
    for (int64_t i = 0; i < lanes_; i += n) {
      V prefix = hn::LoadU(d, prefix_ + i);
      if (fresh) {
        prefix = hn::Add(prefix, C::Load(d, row + i));
        hn::StoreU(prefix, d, prefix_ + i);
      }
      hn::StoreU(hn::Add(hn::LoadU(d, suffix + i), prefix), d, to + i);
    }
  }

  const int64_t block_, rows_, lanes_, pitch_;
  L* prefix_;
  L* suffix_;
  int64_t suffix_block_ = -1, prefix_block_ = -1;
  int64_t next_ = 0;  // first row of the block that is not in the prefix
};

// Sums of the cells of a row, one vector of each cell at a time.
template <typename L>
class CellBlocksOf {
 public:
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // `row` has `inner` lanes per cell. `suffix` has room for a vector per cell.
  CellBlocksOf(const Axis& axis, int64_t inner, const L* row, L* suffix)
      : block_(std::min(axis.kernel, axis.in)), cells_(axis.in), inner_(inner), row_(row), suffix_(suffix) {}

  // Begins with the vector at lane `c` of the cells.
  void Start(int64_t c) {
    from_ = row_ + c;
    suffix_block_ = prefix_block_ = -1;
  }

  // Sum of the cells of a window; windows come in order. `prefix` is kept by the caller.
  HWY_INLINE V Sum(Span window, V& prefix) {
    const D d;
    if (window.taps == 0) return hn::Zero(d);
    const int64_t first = window.first, last = first + window.taps - 1;
    const bool one_block = first / block_ == last / block_;
    if (one_block && first % block_ == 0) {
      Advance(last, prefix);
      return prefix;
    }
    MakeSuffix(first / block_);
    const V suffix = hn::LoadU(d, Suffix(first % block_));
    if (one_block) return suffix;
    Advance(last, prefix);
    return hn::Add(suffix, prefix);
  }

 private:
  L* Suffix(int64_t i) const { return suffix_ + i * static_cast<int64_t>(hn::Lanes(D())); }

  HWY_INLINE void MakeSuffix(int64_t block) {
    if (suffix_block_ == block) return;
    suffix_block_ = block;
    const D d;
    const int64_t begin = block * block_, end = std::min(begin + block_, cells_);
    V sum = hn::Zero(d);
    for (int64_t x = end - 1; x >= begin; --x) {
      sum = hn::Add(sum, hn::LoadU(d, from_ + x * inner_));
      hn::StoreU(sum, d, Suffix(x - begin));
    }
  }

  HWY_INLINE void Advance(int64_t last, V& prefix) {
    const D d;
    if (prefix_block_ != last / block_) {
      prefix_block_ = last / block_;
      next_ = prefix_block_ * block_;
      prefix = hn::Zero(d);
    }
    for (; next_ <= last; ++next_) prefix = hn::Add(prefix, hn::LoadU(d, from_ + next_ * inner_));
  }

  const int64_t block_, cells_, inner_;
  const L* const row_;
  L* const suffix_;
  const L* from_ = nullptr;
  int64_t suffix_block_ = -1, prefix_block_ = -1;
  int64_t next_ = 0;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
