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

#include "optimized/kernels/mean_elements-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Whether blocks beat adding up each window.
inline bool BlocksPay(const Axis& axis) {
  return !axis.adaptive && axis.dilation == 1 && axis.kernel >= 6 && axis.kernel > 3 * axis.stride && axis.in > 1;
}

// Sums of rows.
template <typename L>
class RowBlocks {
 public:
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // `lanes` per row; `axis` is that of the rows. Rows are written in whole vectors.
  RowBlocks(const Axis& axis, int64_t lanes, const Elements<L>& elements, Scratch& scratch)
      : block_(std::min(axis.kernel, axis.in)),
        rows_(axis.in),
        lanes_(lanes),
        pitch_(RoundUp(lanes, kMaxLanes)),
        widen_(elements.widen),
        prefix_(scratch.Get<L>(kBlockSlot, (block_ + 2) * pitch_)),
        wide_(prefix_ + pitch_),
        suffix_(wide_ + pitch_) {}

  void Start() { suffix_block_ = prefix_block_ = -1; }

  // The sum of the rows [first, last], which are those of a window clipped to the input; windows come in order.
  // row_at(r) points to row r. The sum is at `to` or elsewhere, until the next call.
  template <class RowAt>
  HWY_INLINE const L* Sum(int64_t first, int64_t last, const RowAt& row_at, L* to) {
    const int64_t block = first / block_, begin = block * block_;
    if (last < begin + block_) {
      if (first == begin) {
        Advance(last, row_at);
        return prefix_;
      }
      MakeSuffix(block, row_at);  // up to the end of the input
      return suffix_ + (first - begin) * pitch_;
    }
    MakeSuffix(block, row_at);
    if (last != begin + block_) Advance(last - 1, row_at);
    Join(suffix_ + (first - begin) * pitch_, last, row_at, to);
    return to;
  }

 private:
  // A row in lanes, which may have been put to `room`.
  HWY_INLINE const L* Lanes(const void* row, L* room) const {
    if (widen_ == nullptr) return static_cast<const L*>(row);
    widen_(row, lanes_, room);
    return room;
  }

  template <class RowAt>
  HWY_INLINE void MakeSuffix(int64_t block, const RowAt& row_at) {
    if (suffix_block_ == block) return;
    suffix_block_ = block;
    const int64_t begin = block * block_, end = std::min(begin + block_, rows_);
    const L* above = nullptr;
    for (int64_t r = end - 1; r >= begin; --r) {
      L* suffix = suffix_ + (r - begin) * pitch_;
      AddRows(above, Lanes(row_at(r), wide_), suffix);
      above = suffix;
    }
  }

  // to = a + b, where a may be nullptr, which is 0.
  HWY_NOINLINE void AddRows(const L* a, const L* b, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    if (a == nullptr) {
      for (int64_t i = 0; i < lanes_; i += n) hn::StoreU(hn::Add(hn::Zero(d), hn::LoadU(d, b + i)), d, to + i);
      return;
    }
    for (int64_t i = 0; i < lanes_; i += n) {
      hn::StoreU(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, to + i);
    }
  }

  // The prefix holds the rows of the block of `last` up to `last`.
  template <class RowAt>
  HWY_INLINE void Advance(int64_t last, const RowAt& row_at) {
    if (prefix_block_ != last / block_) Restart(last / block_);
    for (; next_ <= last; ++next_) AddRows(prefix_, Lanes(row_at(next_), wide_), prefix_);
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
    if (next_ == last) {
      AddBoth(Lanes(row_at(last), wide_), suffix, to);
    } else {
      AddRows(suffix, prefix_, to);
    }
    next_ = last + 1;
  }
  // prefix += row, to = suffix + prefix.
  HWY_NOINLINE void AddBoth(const L* row, const L* suffix, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < lanes_; i += n) {
      const V prefix = hn::Add(hn::LoadU(d, prefix_ + i), hn::LoadU(d, row + i));
      hn::StoreU(prefix, d, prefix_ + i);
      hn::StoreU(hn::Add(hn::LoadU(d, suffix + i), prefix), d, to + i);
    }
  }

  const int64_t block_, rows_, lanes_, pitch_;
  void (*const widen_)(const void*, int64_t, L*);
  L* const prefix_;
  L* const wide_;  // one row of elements as lanes
  L* const suffix_;
  int64_t suffix_block_ = -1, prefix_block_ = -1;
  int64_t next_ = 0;  // first row of the block that is not in the prefix
};

// Sums of the cells of a row, one vector of each cell at a time.
template <typename L>
class CellBlocks {
 public:
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // Room that is needed for cells along `axis`, of L and of Pick.
  static int64_t Room(const Axis& axis) { return 2 * (axis.in + 1) * kMaxLanes; }
  struct Pick {
    int64_t suffix, prefix;  // what adds up to the sum of a window
  };

  CellBlocks(const Axis& axis, L* room, Pick* picks)
      : block_(std::min(axis.kernel, axis.in)),
        cells_(axis.in),
        suffix_(room),
        prefix_(room + (axis.in + 1) * kMaxLanes),
        picks_(picks) {
    for (int64_t j = 0; j < axis.out; ++j) picks[j] = PickOf(axis.SpanAt(j));
    std::fill_n(suffix_ + cells_ * N(), N(), L{0});
    std::fill_n(prefix_ + cells_ * N(), N(), L{0});
  }

  // Prepares the vectors that begin at `from` and every `inner` lanes on.
  HWY_INLINE void Start(const L* from, int64_t inner) {
    const D d;
    const int64_t n = N();
    for (int64_t begin = 0; begin < cells_; begin += block_) {
      const int64_t end = std::min(begin + block_, cells_);
      V sum = hn::Zero(d);
      for (int64_t x = begin; x < end; ++x) {
        sum = hn::Add(sum, hn::LoadU(d, from + x * inner));
        hn::StoreU(sum, d, prefix_ + x * n);
      }
      sum = hn::Zero(d);
      for (int64_t x = end - 1; x >= begin; --x) {
        sum = hn::Add(sum, hn::LoadU(d, from + x * inner));
        hn::StoreU(sum, d, suffix_ + x * n);
      }
    }
  }
  // Of window `j`.
  HWY_INLINE V Sum(int64_t j) const {
    const D d;
    const Pick pick = picks_[j];
    return hn::Add(hn::LoadU(d, suffix_ + pick.suffix), hn::LoadU(d, prefix_ + pick.prefix));
  }

 private:
  static int64_t N() { return static_cast<int64_t>(hn::Lanes(D())); }
  Pick PickOf(Span span) const {
    const int64_t first = span.first, last = first + span.taps - 1, none = cells_;
    Pick pick = {first, last};
    const bool one_block = span.taps == 0 || first / block_ == last / block_;
    if (one_block && first % block_ == 0) pick.suffix = none;
    if (one_block && first % block_ != 0) pick.prefix = none;  // up to the end of the input
    if (span.taps == 0) pick = {none, none};
    return {pick.suffix * N(), pick.prefix * N()};
  }

  const int64_t block_, cells_;
  L* const suffix_;  // by cell: the sum from it to the end of its block, and last, zero
  L* const prefix_;  // from the begin of its block to it
  const Pick* const picks_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
