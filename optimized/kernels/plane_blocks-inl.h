// Maxima or sums along an axis for one target, by blocks (axis_blocks.h): their cost does not grow with the windows.
//
// Among equal values the first along the axis counts.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_PLANE_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_PLANE_BLOCKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_PLANE_BLOCKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_PLANE_BLOCKS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/axis_blocks.h"
#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/plane_squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// B: a vector of maxima (index_best-inl.h), or of sums. A cell is an element of each plane of a group. kAcross: the
// cells of a line are neighbours, and have no positions yet; otherwise cells of neighbouring lines are.
template <class B, bool kAcross>
struct BlockLines {
  using L = typename B::L;
  using D = typename B::D;
  using DI = typename B::DI;
  using Field = typename B::Field;

  const AxisBlocks& axis;
  Field from;
  int64_t pitch;  // in lanes: of lines, or of the cells of a line
  Field to;
  int64_t to_pitch;
  int64_t positions_apart;  // of lines, where positions are counted
  Field suffixes;           // room for kWays cells of each element

  static constexpr int kWays = 4;  // lines at a time, since a maximum waits for the one before

  // Pools `count` lines.
  HWY_INLINE void Run(int64_t count) const {
    for (int64_t i = 0; i < kGroup; i += static_cast<int64_t>(hn::Lanes(D()))) {
      int64_t line = 0;
      for (; line + kWays <= count; line += kWays) Some<kWays>(line, i);
      for (; line < count; ++line) Some<1>(line, i);
    }
  }

 private:
  static constexpr int64_t kGroup = kGroupOf<L>;
  static constexpr bool kFresh = kAcross && B::kHasPosition;

  static HWY_INLINE hn::Vec<DI> Position(int64_t at) { return hn::Set(DI(), static_cast<hn::TFromD<DI>>(at)); }

  // The same element of neighbouring lines. Its position is a vector that is counted on, quicker than made anew.
  struct Place {
    Field cell;
    int64_t pitch;
    hn::Vec<DI> position;

    // Element `at` of lines whose first cells begin at `lines`.
    static HWY_INLINE Place At(Field lines, int64_t pitch, int64_t at) {
      return {lines.From(at * (kAcross ? kGroup : pitch)), pitch, Position(kFresh ? at : 0)};
    }
    // Between the cells of a line.
    HWY_INLINE int64_t Lanes() const { return kAcross ? kGroup : pitch; }
    HWY_INLINE void Step(int direction) {
      cell = cell.From(direction * Lanes());
      if constexpr (kFresh) position = hn::Add(position, Position(direction));
    }
    HWY_INLINE Field Of(int way) const { return cell.From(way * (kAcross ? pitch : kGroup)); }
    HWY_INLINE B Load(int way) const {
      if constexpr (kFresh) {
        // Where the position goes if the maximum takes the place of the value: it was not read.
        hwy::Prefetch(Of(way).at);
        return B::At(Of(way), 0, position);
      }
      return B::Load(Of(way), 0);
    }
  };

  template <int kSome>
  HWY_NOINLINE void Some(int64_t line, int64_t i) const {
    const Field in = from.From(line * (kAcross ? pitch : kGroup) + i);
    Place out = Place::At(to.From(line * (kAcross ? to_pitch : kGroup) + i), to_pitch, 0);
    Place next = out;
    next.cell = next.cell.From(axis.begin * out.Lanes());
    hn::Vec<DI> starts[kSome];  // of the lines, where positions are counted from there
    for (int w = 0; w < kSome; ++w) starts[w] = Position(kFresh ? (line + w) * positions_apart : 0);
    const BlockRun *run = axis.runs, *const runs_end = run + axis.run_count;
    for (int64_t begin = 0; run < runs_end; begin += axis.block) {
      if (begin < axis.last_first) Suffixes<kSome>(in, begin, std::min(begin + axis.block, axis.in));
      Place place = Place::At(in, pitch, begin);
      B best[kSome];
      for (int w = 0; w < kSome; ++w) best[w] = place.Load(w);
      for (; run < runs_end && run->block == begin; ++run) Windows(*run, starts, place, best, next);
    }
    // Last, since they may take the place of what was read.
    for (int64_t j = 0; j < axis.begin; ++j, out.Step(1)) Clear<kSome>(out);
    for (int64_t j = axis.end; j < axis.out; ++j, next.Step(1)) Clear<kSome>(next);
  }
  template <int kSome>
  static HWY_INLINE void Clear(const Place& out) {
    for (int w = 0; w < kSome; ++w) B::None().Store(out.Of(w), 0);
  }

  // Maxima from an element to the end of its block: of one line, and lanes of all lines.
  static HWY_INLINE Field SuffixOf(Field suffix, int way) {
    return suffix.From(way * static_cast<int64_t>(hn::Lanes(D())));
  }
  template <int kSome>
  static HWY_INLINE int64_t SuffixLanes() {
    return kSome * static_cast<int64_t>(hn::Lanes(D()));
  }

  // Of the elements of a block but the first.
  template <int kSome>
  HWY_INLINE void Suffixes(Field in, int64_t begin, int64_t end) const {
    Place place = Place::At(in, pitch, end - 1);
    Field suffix = suffixes.From((end - 1) * SuffixLanes<kSome>());
    B best[kSome];
    for (int w = 0; w < kSome; ++w) {
      best[w] = place.Load(w);
      best[w].Store(SuffixOf(suffix, w), 0);
    }
    for (int64_t t = end - 2; t > begin; --t) {
      place.Step(-1);
      suffix = suffix.From(-SuffixLanes<kSome>());
      for (int w = 0; w < kSome; ++w) {
        B first = place.Load(w);
        first.Join(best[w]);
        best[w] = first;
        first.Store(SuffixOf(suffix, w), 0);
      }
    }
  }

  // The windows of a run. best: of the begin of the block up to `place`.
  template <int kSome>
  HWY_INLINE void Windows(const BlockRun run, const hn::Vec<DI>* starts, Place& place, B (&best)[kSome],
                          Place& out) const {
    const auto pool = [&](auto parts, auto advances) HWY_ATTR {
      Field suffix = suffixes.From(run.first * SuffixLanes<kSome>());
      const int64_t further = axis.stride * SuffixLanes<kSome>();
      for (int32_t c = 0; c < run.count; ++c, out.Step(1), suffix = suffix.From(further)) {
        if (advances()) Advance(run.advance, place, best);
        for (int w = 0; w < kSome; ++w) {
          B result = best[w];
          if (parts() != BlockParts::kBegin) result = B::Load(SuffixOf(suffix, w), 0);
          if (parts() == BlockParts::kBoth) result.Join(best[w]);
          if constexpr (kFresh) result.Move(starts[w]);
          result.Store(out.Of(w), 0);
        }
      }
    };
    constexpr std::integral_constant<BlockParts, BlockParts::kBoth> both;
    constexpr std::integral_constant<BlockParts, BlockParts::kBegin> begin;
    constexpr std::integral_constant<BlockParts, BlockParts::kEnd> end;
    // Loops without jumps within: the processor does not foresee those.
    switch (run.parts) {
      case BlockParts::kBoth: return run.advance > 0 ? pool(both, std::true_type()) : pool(both, std::false_type());
      case BlockParts::kBegin: return run.advance > 0 ? pool(begin, std::true_type()) : pool(begin, std::false_type());
      case BlockParts::kEnd: return pool(end, std::false_type());
    }
  }
  template <int kSome>
  static HWY_INLINE void Advance(int32_t count, Place& place, B (&best)[kSome]) {
    do {
      place.Step(1);
      for (int w = 0; w < kSome; ++w) best[w].Join(place.Load(w));
    } while (--count > 0);
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
