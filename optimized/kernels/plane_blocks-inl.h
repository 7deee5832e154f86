// Maxima or sums along an axis at a cost that does not grow with the windows, for one target: by blocks as long as a
// window, after van Herk and Gil and Werman. A window is the end of one block and the begin of the next.
//
// Among equal values the first along the axis counts.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_PLANE_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_PLANE_BLOCKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_PLANE_BLOCKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_PLANE_BLOCKS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/axis_windows.h"
#include "optimized/kernels/index_best-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Lines of lanes: element t of line l at l * apart + t * step, both in lanes.
template <class Field>
struct PlaneLines {
  Field field;
  int64_t step, apart;
};

// Whether what is read and written exceeds a second-level cache.
inline bool IsFar(const Plan& plan) {
  constexpr int64_t kNear = 2 << 20;
  const int64_t bytes = static_cast<int64_t>(BytesOf(plan.type));
  const int64_t index_bytes = static_cast<int64_t>(BytesOf(plan.index_type));  // 0 where there is none
  return plan.InElements() * bytes + plan.OutElements() * (bytes + index_bytes) > kNear;
}

// Memory that is going to be written, asked for a few cache lines at a time while there is something to compute, since
// memory is read before it is written.
class WriteAhead {
 public:
  // Nothing.
  WriteAhead() = default;
  // `times`: how often Ask() is called.
  WriteAhead(const void* value, int64_t value_bytes, const void* index, int64_t index_bytes, int64_t times)
      : value_(static_cast<const char*>(value)), index_(static_cast<const char*>(index)),
        value_end_(Step(value_bytes, times)), index_end_(Step(index_bytes, times)) {}
  bool IsNothing() const { return value_end_ == 0; }
  HWY_INLINE void Ask() {
    for (int64_t i = 0; i < value_end_; i += kLine) hwy::Prefetch(value_ + i);
    for (int64_t i = 0; i < index_end_; i += kLine) hwy::Prefetch(index_ + i);
    value_ += value_end_;
    index_ += index_end_;
  }

 private:
  static constexpr int64_t kLine = 64;
  static int64_t Step(int64_t bytes, int64_t times) {
    return times == 0 ? 0 : (bytes + kLine * times - 1) / (kLine * times) * kLine;
  }

  const char *value_ = nullptr, *index_ = nullptr;
  int64_t value_end_ = 0, index_end_ = 0;  // bytes at a time
};

// B: a vector of maxima (index_best-inl.h), or of sums.
template <class B>
struct BlockLines {
  using Field = typename B::Field;
  using D = typename B::D;
  using DI = hn::RebindToSigned<D>;

  const AxisWindows& axis;  // with blocks
  PlaneLines<Field> from, to;
  int64_t positions_apart;  // of lines whose elements have no positions yet, but count on
  Field suffixes;           // room for kWays vectors of each element
  WriteAhead& ahead;

  static constexpr int kWays = 4;  // lines at a time, since a maximum waits for the one before

  // How often Run() asks for what is written next.
  static int64_t Asks(const AxisWindows& axis, int64_t count, int64_t lanes) {
    return lanes / static_cast<int64_t>(hn::Lanes(D())) * (count / kWays) * (axis.end - axis.begin);
  }
  // `count` lines of groups of `lanes` lanes. kFresh: whether the elements have no positions yet.
  template <bool kFresh>
  HWY_INLINE void Run(int64_t count, int64_t lanes) const {
    ahead.IsNothing() ? Run<kFresh, false>(count, lanes) : Run<kFresh, true>(count, lanes);
  }

 private:
  static HWY_INLINE hn::Vec<DI> Position(int64_t at) { return hn::Set(DI(), static_cast<hn::TFromD<DI>>(at)); }

  template <bool kFresh, bool kAsks>
  HWY_INLINE void Run(int64_t count, int64_t lanes) const {
    for (int64_t i = 0; i < lanes; i += static_cast<int64_t>(hn::Lanes(D()))) {
      int64_t line = 0;
      for (; line + kWays <= count; line += kWays) Some<kFresh, kAsks, kWays>(line, i);
      for (; line < count; ++line) Some<kFresh, false, 1>(line, i);
    }
  }

  template <bool kFresh, bool kAsks, int kSome>
  HWY_NOINLINE void Some(int64_t line, int64_t i) const {
    const int64_t apart = from.apart, step = from.step, out_apart = to.apart, next = positions_apart;
    const Field in = from.field.From(line * apart + i), out = to.field.From(line * out_apart + i);
    const auto at = [=](int way, int64_t t) HWY_ATTR {
      const int64_t lane = way * apart + t * step;
      if constexpr (kFresh) return B::At(in, lane, Position(t));
      return B::Load(in, lane);
    };
    hn::Vec<DI> starts[kSome];  // of the lines, where positions are counted from there
    for (int w = 0; w < kSome; ++w) starts[w] = Position(kFresh ? (line + w) * next : 0);
    const auto store = [=](B result, int way, int64_t lane) HWY_ATTR {
      if constexpr (kFresh) result.Move(starts[way]);
      result.Store(out, way * out_apart + lane);
    };
    const int64_t length = axis.in, block = axis.block, last_first = axis.last_first;
    const AxisWindow* window = axis.windows + axis.begin;
    int64_t put = axis.begin * to.step;
    for (int64_t begin = 0; begin < length; begin += block) {
      const int64_t end = std::min(begin + block, length);
      if (begin < last_first) Suffixes<kSome>(begin, end, at);
      Windows<kAsks, kSome>(begin, end, at, store, window, put);
    }
    // Last, since they may take the place of what was read.
    const auto clear = [&](int64_t j) HWY_ATTR {
      for (int w = 0; w < kSome; ++w) B::None().Store(out, w * out_apart + j * to.step);
    };
    for (int64_t j = 0; j < axis.begin; ++j) clear(j);
    for (int64_t j = axis.end; j < axis.out; ++j) clear(j);
  }

  // Of the elements of a block but the first.
  template <int kSome, class At>
  HWY_INLINE void Suffixes(int64_t begin, int64_t end, const At& at) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const Field ends = suffixes;
    B best[kSome];
    for (int w = 0; w < kSome; ++w) {
      best[w] = at(w, end - 1);
      best[w].Store(ends, ((end - 1) * kSome + w) * n);
    }
    for (int64_t t = end - 2; t > begin; --t) {
      for (int w = 0; w < kSome; ++w) {
        B first = at(w, t);
        first.Join(best[w]);
        best[w] = first;
        first.Store(ends, (t * kSome + w) * n);
      }
    }
  }

  // The windows that end in a block, from `window` on.
  template <bool kAsks, int kSome, class At, class StoreAt>
  HWY_INLINE void Windows(int64_t begin, int64_t end, const At& at, const StoreAt& store, const AxisWindow*& window,
                          int64_t& put) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), step = to.step;
    const Field ends = suffixes;
    const AxisWindow* const windows_end = axis.windows + axis.end;
    const auto suffix = [=](int64_t first, int way) HWY_ATTR { return B::Load(ends, (first * kSome + way) * n); };
    B best[kSome];
    for (int w = 0; w < kSome; ++w) best[w] = at(w, begin);
    int64_t t = begin;
    const auto advance = [&](int64_t last) HWY_ATTR {
      while (t < last) {
        ++t;
        for (int w = 0; w < kSome; ++w) best[w].Join(at(w, t));
      }
    };
    const auto ends_here = [&] { return window < windows_end && window->last < end; };
    // The end of a block and the begin of this one,
    for (; ends_here() && window->first < begin; ++window, put += step) {
      if (kAsks) ahead.Ask();
      advance(window->last);
      for (int w = 0; w < kSome; ++w) {
        B both = suffix(window->first, w);
        both.Join(best[w]);
        store(both, w, put);
      }
    }
    // the begin alone,
    for (; ends_here() && window->first == begin; ++window, put += step) {
      if (kAsks) ahead.Ask();
      advance(window->last);
      for (int w = 0; w < kSome; ++w) store(best[w], w, put);
    }
    // and the end alone.
    for (; ends_here(); ++window, put += step) {
      if (kAsks) ahead.Ask();
      for (int w = 0; w < kSome; ++w) store(suffix(window->first, w), w, put);
    }
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
