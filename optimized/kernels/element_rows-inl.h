// Rows of elements as rows of lanes, and back, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_ELEMENT_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_ELEMENT_ROWS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_ELEMENT_ROWS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_ELEMENT_ROWS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Calls vector(i) for every vector of [0, count), the last of which may overlap the one before, and otherwise
// part() for what is less than a vector.
template <class Vector, class Part>
HWY_INLINE void ForVectorsOf(int64_t n, int64_t count, const Vector& vector, const Part& part) {
  if (count < n) return part();
  for (int64_t i = 0; i + n <= count; i += n) vector(i);
  if (count % n != 0) vector(count - n);
}

// `count` elements from `elements` on become lanes. Of C: Stored is the element, Lane the type of the lanes,
// Load(d, p) gives a vector of lanes and Store(v, d, p) is the way back.
template <class C>
HWY_NOINLINE void WidenRow(const void* elements, int64_t count, typename C::Lane* to) {
  const hn::ScalableTag<typename C::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  using T = typename C::Stored;
  const T* from = static_cast<const T*>(elements);
  const auto vector = [&](int64_t i) HWY_ATTR {
    hwy::Prefetch(from + i + count);  // what is wanted next
    hn::StoreU(C::Load(d, from + i), d, to + i);
  };
  const auto part = [&]() HWY_ATTR {
    T some[kMaxLanes] = {};
    std::copy_n(from, count, some);
    typename C::Lane lanes[kMaxLanes];
    hn::StoreU(C::Load(d, some), d, lanes);
    std::copy_n(lanes, count, to);
  };
  ForVectorsOf(n, count, vector, part);
}

template <class C>
HWY_NOINLINE void NarrowRow(const typename C::Lane* from, int64_t count, void* elements) {
  const hn::ScalableTag<typename C::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  using T = typename C::Stored;
  T* to = static_cast<T*>(elements);
  const auto vector = [&](int64_t i) HWY_ATTR { C::Store(hn::LoadU(d, from + i), d, to + i); };
  const auto part = [&]() HWY_ATTR {
    typename C::Lane lanes[kMaxLanes] = {};
    std::copy_n(from, count, lanes);
    T some[kMaxLanes];
    C::Store(hn::LoadU(d, lanes), d, some);
    std::copy_n(some, count, to);
  };
  ForVectorsOf(n, count, vector, part);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
