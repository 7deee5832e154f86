// All that averages have to know of an element type, for one target: functions from rows of elements to rows
// of lanes and back. They are called through pointers, so that the rest is compiled once per type of lanes.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_ELEMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ELEMENTS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ELEMENTS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_ELEMENTS_INL_H_
#endif

#include "optimized/kernels/element_rows-inl.h"
#include "optimized/kernels/means-inl.h"
#include "optimized/kernels/quotient-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Rows that are to be added up: to[r * pitch + i] = sum over t < count of element r * step + i of taps[t], for
// r < rows and i < lanes. Whole vectors are read and written, the rows in order.
template <typename L>
struct Band {
  const void* const* taps;
  int64_t count;
  int64_t step;  // elements
  int64_t rows;
  int64_t lanes;
  L* to;
  int64_t pitch;
};

template <typename L>
struct Elements {
  int64_t bytes;  // of one
  void (*sum)(const Band<L>& band);
  // `count` elements to lanes; nullptr if elements are lanes.
  void (*widen)(const void* from, int64_t count, L* to);
  // The way back; nullptr if means are stored as lanes.
  void (*narrow)(const L* from, int64_t count, void* to);
  void (*divide)(const Quotients<L>& rows);  // integers only
};

// A codec that gives lanes at once.
template <class C>
struct ByLanes : C {
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const typename C::Stored* p) {
    return C::FromPart(d, C::LoadPart(typename C::template PartTag<D>(), p));
  }
};

template <class C, int kCount, typename L = typename C::Lane>
HWY_NOINLINE void SumFewRows(const Band<L>& band) {
  using T = typename C::Stored;
  const hn::ScalableTag<L> d;
  const typename C::template PartTag<decltype(d)> dp;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = band.lanes, step = band.step, pitch = band.pitch;
  const T* p[kCount];
  for (int t = 0; t < kCount; ++t) p[t] = static_cast<const T*>(band.taps[t]);
  L* to = band.to;
  for (int64_t r = band.rows; r > 0; --r, to += pitch) {
    for (int64_t i = 0; i < lanes; i += n) {
      auto sum = C::LoadPart(dp, p[0] + i);
      for (int t = 1; t < kCount; ++t) sum = hn::Add(sum, C::LoadPart(dp, p[t] + i));
      hn::StoreU(C::FromPart(d, sum), d, to + i);
    }
    for (int t = 0; t < kCount; ++t) p[t] += step;
  }
}

template <class C, typename L = typename C::Lane>
HWY_NOINLINE void SumManyRows(const Band<L>& band) {
  using T = typename C::Stored;
  const hn::ScalableTag<L> d;
  const typename C::template PartTag<decltype(d)> dp;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const int64_t count = band.count, lanes = band.lanes;
  const auto row = [&](int64_t t) { return static_cast<const T*>(band.taps[t]); };
  for (int64_t r = 0; r < band.rows; ++r) {
    const int64_t first = r * band.step;
    L* to = band.to + r * band.pitch;
    int64_t i = 0;
    for (; i + n < lanes; i += 2 * n) {
      auto a = hn::Zero(dp), b = hn::Zero(dp);
      for (int64_t t = 0; t < count; ++t) {
        a = hn::Add(a, C::LoadPart(dp, row(t) + first + i));
        b = hn::Add(b, C::LoadPart(dp, row(t) + first + i + n));
      }
      hn::StoreU(C::FromPart(d, a), d, to + i);
      hn::StoreU(C::FromPart(d, b), d, to + i + n);
    }
    if (i < lanes) {
      auto sum = hn::Zero(dp);
      for (int64_t t = 0; t < count; ++t) sum = hn::Add(sum, C::LoadPart(dp, row(t) + first + i));
      hn::StoreU(C::FromPart(d, sum), d, to + i);
    }
  }
}

template <class C, typename L = typename C::Lane>
void SumRows(const Band<L>& band) {
  switch (band.count) {
    case 1: return SumFewRows<C, 1>(band);
    case 2: return SumFewRows<C, 2>(band);
    case 3: return SumFewRows<C, 3>(band);
    default: return SumManyRows<C>(band);
  }
}

// Elements that are lanes themselves, which means stay.
template <typename L>
constexpr Elements<L> FloatLanes() {
  return {sizeof(L), SumRows<FloatMean<L>>, nullptr, nullptr, nullptr};
}
template <class C>
constexpr Elements<typename C::Lane> FloatsOf() {
  return {sizeof(typename C::Stored), SumRows<C>, WidenRow<ByLanes<C>>, NarrowRow<ByLanes<C>>, nullptr};
}
template <class C>
constexpr Elements<typename C::Lane> IntegersOf() {
  return {sizeof(typename C::Stored), SumRows<C>, WidenRow<ByLanes<C>>, NarrowRow<ByLanes<C>>, DivideRows<C>};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
