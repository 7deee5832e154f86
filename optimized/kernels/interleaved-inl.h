// Pooling with a lane per plane, for one target: any window, stride, dilation or adaptive bounds along every axis, the
// maximum, with or without index, and the mean.
//
// A few rows of a group of planes are brought into [row][column][plane] in the first-level cache. They are pooled
// along themselves, then down, then along the depth, each time by whole vectors, and what comes out is brought back
// into [plane][row][column]. So no lane is idle whatever the windows, and positions need no care: among equal values
// the first in row-major order stays.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "optimized/kernels/cells-inl.h"
#include "optimized/kernels/interleaved_outputs-inl.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// O: what becomes of the results, and of rows of which some plane has a suspicious element (interleaved_outputs-inl.h).
template <class O>
class Interleaved {
 public:
  using B = typename O::B;
  using L = typename B::L;
  using Raw = typename B::Raw;
  using Field = typename B::Field;
  using Fold = typename O::Fold;
  static constexpr int64_t kGroup = B::kGroup;

  Interleaved(const Lanes& lanes, const Buffers& buffers, const Fold& fold, Scratch& scratch)
      : lanes_(lanes),
        plan_(lanes_.plan),
        buffers_(buffers),
        fold_(fold),
        shape_(plan_, scratch),
        outputs_(lanes_, buffers, fold, shape_, scratch),
        in_(scratch.Get<Raw>(kGroupSlot, shape_.chunk * shape_.most_elements * kGroup)),
        rows_(Cells(scratch, kWideSlot, shape_.kept * shape_.most_windows)),
        slices_(Cells(scratch, kBlockSlot,
                      shape_.one_slice ? 0 : shape_.kept_slices * plan_.axis[1].out * shape_.most_windows)),
        out_(shape_.one_row ? rows_ : Cells(scratch, kGroupOutSlot, shape_.out_rows * shape_.most_windows)),
        taps_(scratch.Get<Field>(kPointerSlot, std::max(shape_.kept, shape_.kept_slices))) {}

  // Planes [begin, end).
  HWY_ATTR void Run(int64_t begin, int64_t end) {
    const int64_t parts = lanes_.parts;
    for (int64_t first = begin * parts; first < end * parts; first += kGroup) {
      count_ = std::min(kGroup, end * parts - first);
      lanes_.FillIn(first, count_, begins_);
      std::fill(begins_ + count_, begins_ + kGroup, begins_[count_ - 1]);
      outputs_.Begin(first, count_, begins_);
      for (int64_t s = 0; s < shape_.segment_count; ++s) Segment(shape_.segments[s]);
      outputs_.Repair(first, count_);
    }
  }

 private:
  // Floats are watched as they come, in passing.
  static constexpr bool kWatch = Fold::kWatches && hwy::IsFloat<Raw>();

  static Field Cells(Scratch& scratch, int slot, int64_t count) {
    // A few more keep values and positions from being whole pages apart, where the processor takes them for each other.
    constexpr int64_t kMore = 8;
    const int64_t lanes = (count + kMore) * kGroup;
    return B::MakeField(scratch.Get<char>(slot, lanes * B::kFieldBytes), lanes);
  }

  HWY_INLINE void Segment(const RowSegment& segment) {
    const Axis& depth = plan_.axis[0];
    int64_t next = 0;  // slice to be pooled
    for (int64_t d = 0; d < depth.out; ++d) {
      const Span deep = shape_.deep[d];
      if (deep.taps == 1 && shape_.one_slice) {
        Slice(segment, deep.first, d);
        continue;
      }
      next = std::max(next, shape_.deep_from[d]);
      for (const int64_t end = End(depth, deep); next < end; ++next) Slice(segment, next, -1);
      JoinSlices(segment, deep, d);
    }
  }

  Field SliceAt(const RowSegment& segment, int64_t slice) const {
    return slices_.From(slice % shape_.kept_slices * plan_.axis[1].out * segment.Windows() * kGroup);
  }
  Field RowAt(const RowSegment& segment, int64_t row) const {
    return rows_.From(row % shape_.kept * segment.Windows() * kGroup);
  }

  // The rows of a window.
  HWY_INLINE const Field* Rows(const RowSegment& segment, Span high) const {
    const int64_t pitch = segment.Windows() * kGroup, step = plan_.axis[1].dilation;
    int64_t place = high.first % shape_.kept;
    for (int64_t t = 0; t < high.taps; ++t) {
      taps_[t] = rows_.From(place * pitch);
      place += step;
      if (place >= shape_.kept) place = step < shape_.kept ? place - shape_.kept : place % shape_.kept;
    }
    return taps_;
  }

  // Pools a slice into slice d of the output, or, if that is below 0, into one that is kept.
  HWY_INLINE void Slice(const RowSegment& segment, int64_t slice, int64_t d) {
    const Axis& height = plan_.axis[1];
    const int64_t lanes = segment.Windows() * kGroup;
    int64_t next = 0, stored = 0;
    for (int64_t b = 0; b < shape_.batch_count; ++b) {
      const RowBatch& batch = shape_.batches[b];
      const int64_t h = batch.begin, last = h + batch.count - 1;
      next = std::max(next, shape_.high_from[h]);
      for (const int64_t end = End(height, shape_.high[last]); next < end;) {
        const int64_t count = std::min(shape_.chunk, height.in - next);
        PoolRows(segment, slice, next, count);
        next += count;
      }
      if (!shape_.one_row || d < 0) {
        const Field to = d < 0 ? SliceAt(segment, slice).From(h * lanes) : out_.From((h - stored) * lanes);
        JoinDown(segment, batch, to);
      }
      if (d < 0 || (last + 1 - stored < shape_.out_rows && last + 1 < height.out)) continue;
      Store(segment, d, stored, last + 1);
      stored = last + 1;
    }
  }

  HWY_INLINE void JoinDown(const RowSegment& segment, const RowBatch& batch, Field to) {
    Span all = shape_.high[batch.begin];
    const int64_t count = all.taps;
    if (batch.nested == Nested::kNone) all.taps += (batch.count - 1) * batch.shift;
    if (batch.nested == Nested::kGrow) all.taps += (batch.count - 1) * batch.more;
    JoinBatch<B>(Rows(segment, all), count, batch, segment.Windows() * kGroup, to);
  }

  HWY_INLINE void JoinSlices(const RowSegment& segment, Span deep, int64_t d) {
    const int64_t lanes = segment.Windows() * kGroup, rows = plan_.axis[1].out;
    for (int64_t h = 0; h < rows; h += shape_.out_rows) {
      const int64_t end = std::min(rows, h + shape_.out_rows);
      for (int64_t t = 0; t < deep.taps; ++t) {
        taps_[t] = SliceAt(segment, deep.first + t * plan_.axis[0].dilation).From(h * lanes);
      }
      JoinCells<B>(taps_, deep.taps, (end - h) * lanes, out_);
      Store(segment, d, h, end);
    }
  }

  // Rows [begin, end) of slice d of the output, of a group.
  HWY_INLINE void Store(const RowSegment& segment, int64_t d, int64_t begin, int64_t end) {
    outputs_.Store(count_, d * plan_.axis[1].out + begin, end - begin, segment, out_);
  }

  // Brings `count` rows of a slice into the cache and pools them along themselves.
  HWY_INLINE void PoolRows(const RowSegment& segment, int64_t slice, int64_t row, int64_t count) {
    const Axis &height = plan_.axis[1], &width = plan_.axis[2];
    const int64_t elements = segment.Elements(), first = slice * height.in + row;
    if (Gather(first * width.in + segment.first, count * elements, in_)) outputs_.Watch(in_, count * elements);
    // Rows are kept in a ring.
    for (int64_t done = 0, part; done < count; done += part) {
      part = std::min(count - done, shape_.kept - (row + done) % shape_.kept);
      const RowBand band = {part, elements, segment.Windows()};
      const int64_t position = (first + done) * width.in + segment.first;
      Field to = RowAt(segment, row + done);
      for (int64_t k = 0; k < segment.run_count; ++k) {
        const WindowRun& run = segment.runs[k];
        PoolRun<B>(run, band, in_ + done * elements * kGroup, position, width.dilation, to);
        to = to.From(run.count * kGroup);
      }
    }
  }

  // `count` neighbours of each lane, from element `at` on. Whether one may be suspicious.
  HWY_NOINLINE bool Gather(int64_t at, int64_t count, Raw* to) const {
    const auto enter = [fold = fold_](auto, auto v) HWY_ATTR { return fold.Enter(v); };
    const Raw* const from = static_cast<const Raw*>(buffers_.in) + at;
    if (lanes_.parts > 1 || count_ < kGroup) {
      const auto run = [from, this](int64_t k) { return from + begins_[k]; };
      return GatherRuns<kGroup, kWatch>(run, count, to, enter) || !kWatch;
    }
    // Runs that are equally far apart are found quicker: those of whole planes, or of the same part of each.
    const auto run = [first = from + begins_[0], pitch = lanes_.planes.InPlane()](int64_t k) {
      return first + k * pitch;
    };
    return GatherRuns<kGroup, kWatch>(run, count, to, enter) || !kWatch;
  }

  const Lanes lanes_;
  const Plan& plan_;  // of a lane
  const Buffers& buffers_;
  const Fold fold_;
  const InterleavedShape shape_;
  O outputs_;
  Raw* const in_;  // [row][column][plane]
  // [row][window][plane]: rows pooled along themselves, each at its number modulo how many are kept; slices pooled down
  // as well, kept in the same way; and results.
  const Field rows_, slices_, out_;
  Field* const taps_;
  int64_t count_ = 0;       // lanes of the group
  int64_t begins_[kGroup];  // of the elements of each; those behind the last are the last
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
