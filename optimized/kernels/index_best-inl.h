// Maxima with their positions, as vectors and in memory, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INDEX_BEST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INDEX_BEST_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INDEX_BEST_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INDEX_BEST_INL_H_
#endif

#include "optimized/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Elements to lanes and back: of unsigned integers, `code` is the sign bit, which flipped gives signed ones of the same
// order; of other integers it is 0.
struct SignCode {
  template <class V>
  static HWY_INLINE V Enter(V v, hn::TFromV<V> code) {
    if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
      return v;
    } else {
      return hn::Xor(v, hn::Set(hn::DFromV<V>(), code));
    }
  }
  template <class V>
  static HWY_INLINE V Leave(V v, hn::TFromV<V> code) {
    return Enter(v, code);
  }
};

// f16 and bf16 as integers of the same order. `code`: the key of -infinity, which what is below it becomes, and so
// windows without taps.
struct HalfCode {
  template <class V>
  static HWY_INLINE V Enter(V v, int16_t) {
    return FlipHalf(v);
  }
  template <class V>
  static HWY_INLINE V Leave(V v, int16_t code) {
    return FlipHalf(hn::Max(v, hn::Set(hn::DFromV<V>(), code)));
  }
};

// Elements as lanes L of the same size or larger ones, and back.
template <typename L, class V>
HWY_INLINE hn::Vec<hn::Rebind<L, hn::DFromV<V>>> ToLanes(V v) {
  if constexpr (sizeof(L) == sizeof(hn::TFromV<V>)) {
    return v;
  } else {
    return hn::PromoteTo(hn::Rebind<L, hn::DFromV<V>>(), v);
  }
}
template <typename T, class V>
HWY_INLINE hn::Vec<hn::Rebind<T, hn::DFromV<V>>> ToElements(V v) {
  if constexpr (sizeof(T) == sizeof(hn::TFromV<V>)) {
    return v;
  } else {
    return hn::DemoteTo(hn::Rebind<T, hn::DFromV<V>>(), v);
  }
}

// A value and, in an integer lane of its own, its distance from the begin of the window. Element: what is coded, and
// may be narrower than a lane. kTwoZeros: lanes -1 and 0 are equal, keys of the zeros of halves (HalfCode).
template <typename Lane, typename Element = Lane, bool kTwoZeros = false>
struct Pair {
  using L = Lane;
  using D = hn::ScalableTag<L>;
  using DI = hn::RebindToSigned<D>;
  using I = hn::TFromD<DI>;
  using V = hn::Vec<D>;
  using VI = hn::Vec<DI>;

  // Arrays of both.
  struct Field {
    L* value;
    I* at;
    Field From(int64_t i) const { return {value + i, at + i}; }
  };
  static constexpr bool kHasPosition = true;
  using Raw = Element;  // before they are pooled
  static constexpr int64_t kGroup = 64 / sizeof(Raw);
  static HWY_INLINE V LoadRaw(const Raw* p) { return ToLanes<L>(hn::LoadU(hn::Rebind<Raw, D>(), p)); }
  static constexpr int64_t kFieldBytes = sizeof(L) + sizeof(I);
  static Field MakeField(void* memory, int64_t count) {
    L* value = static_cast<L*>(memory);
    return {value, reinterpret_cast<I*>(value + count)};
  }

  V value;
  VI at;

  static HWY_INLINE Pair First(V v) { return {v, hn::Zero(DI())}; }
  static HWY_INLINE Pair At(V v, VI position) { return {v, position}; }
  // The result of windows without taps.
  static HWY_INLINE Pair None() { return First(hn::Set(D(), IdentityOfMax<L>())); }
  static HWY_INLINE Pair Load(Field field, int64_t i) {
    return {hn::LoadU(D(), field.value + i), hn::LoadU(DI(), field.at + i)};
  }
  HWY_INLINE void Store(Field field, int64_t i) const {
    hn::StoreU(value, D(), field.value + i);
    hn::StoreU(at, DI(), field.at + i);
  }
  // Takes the other where its value is larger.
  HWY_INLINE void Join(V other, VI position) {
    // A zero is not larger than the other one, and larger than all that is below -1.
    V compared = other;
    if constexpr (kTwoZeros) {
      compared = hn::IfThenElse(hn::Eq(other, hn::Zero(D())), hn::Set(D(), L{-1}), other);
    }
    const auto larger = hn::Gt(compared, value);
    at = hn::IfThenElse(hn::RebindMask(DI(), larger), position, at);
    value = kTwoZeros ? hn::IfThenElse(larger, other, value) : MaxOf(value, other);
  }
  HWY_INLINE void Join(const Pair& other) { Join(other.value, other.at); }
  // Takes the value of a tap, or the maximum of a window, `distance` further on where it is larger.
  HWY_INLINE void JoinTap(V other, int64_t distance) { Join(other, Distance(distance)); }
  HWY_INLINE void JoinBest(Pair other, int64_t distance) { Join(other.value, hn::Add(other.at, Distance(distance))); }
  static HWY_INLINE VI Distance(int64_t distance) { return hn::Set(DI(), static_cast<I>(distance)); }
};

template <typename L>
struct ValueField {
  L* value;
  ValueField From(int64_t i) const { return {value + i}; }
};

// Lanes of F (fold-inl.h) without their positions. kBytes: of the elements that a lane
// is of.
template <class F, int64_t kBytes = 0>
struct Single {
  using L = typename F::Lane;
  using D = hn::ScalableTag<L>;
  using DI = hn::RebindToSigned<D>;
  using I = hn::TFromD<DI>;
  using V = hn::Vec<D>;
  using VI = hn::Vec<DI>;
  using Field = ValueField<L>;
  static constexpr bool kHasPosition = false;
  using Raw = typename F::Stored;
  static constexpr int64_t kGroup = 64 / (kBytes > 0 ? kBytes : sizeof(Raw));
  static HWY_INLINE V LoadRaw(const Raw* p) { return F::LoadEntered(D(), p); }
  static constexpr int64_t kFieldBytes = sizeof(L);
  static Field MakeField(void* memory, int64_t) { return {static_cast<L*>(memory)}; }

  V value;

  static HWY_INLINE Single First(V v) { return {v}; }
  static HWY_INLINE Single At(V v, VI) { return {v}; }
  static HWY_INLINE Single None() { return {hn::Set(D(), F::None())}; }
  static HWY_INLINE Single Load(Field field, int64_t i) { return {hn::LoadU(D(), field.value + i)}; }
  HWY_INLINE void Store(Field field, int64_t i) const { hn::StoreU(value, D(), field.value + i); }
  HWY_INLINE void Join(V other, VI) { value = F::Join(value, other); }
  HWY_INLINE void Join(const Single& other) { value = F::Join(value, other.value); }
  HWY_INLINE void JoinTap(V other, int64_t) { value = F::Join(value, other); }
  HWY_INLINE void JoinBest(Single other, int64_t) { value = F::Join(value, other.value); }
};

// Where indices go: int64_t or int32_t.
struct IndexArray {
  void* data;
  bool is_wide;
  HWY_INLINE IndexArray From(int64_t i) const { return {static_cast<char*>(data) + i * (is_wide ? 8 : 4), is_wide}; }
};

#if POOLPROOF_HAS_VECTORS
// Stores `v` + base as indices; only the first `count` lanes matter.
template <class D, class V>
HWY_INLINE void StoreIndex(D d, V v, int64_t base, IndexArray to, [[maybe_unused]] int64_t count) {
  using L = hn::TFromD<D>;
  if constexpr (hn::MaxLanes(D()) == 1) {
    const int64_t index = hn::GetLane(v) + base;
    to.is_wide ? *static_cast<int64_t*>(to.data) = index
               : *static_cast<int32_t*>(to.data) = static_cast<int32_t>(index);
  } else if constexpr (sizeof(L) == 2) {
    const hn::Repartition<int32_t, D> half;
    const int64_t n = static_cast<int64_t>(hn::Lanes(half));
    StoreIndex(half, hn::PromoteTo(half, hn::LowerHalf(v)), base, to, count);
    StoreIndex(half, hn::PromoteTo(half, hn::UpperHalf(hn::Half<D>(), v)), base, to.From(n), count - n);
  } else if constexpr (sizeof(L) == 4) {
    constexpr bool kHalves = hn::MaxLanes(D()) > hn::MaxLanes(hn::ScalableTag<int64_t>());
    if (!to.is_wide) {
      hn::StoreU(hn::Add(v, hn::Set(d, static_cast<L>(base))), d, static_cast<L*>(to.data));
    } else if constexpr (kHalves) {
      const hn::Half<D> half;
      const int64_t n = static_cast<int64_t>(hn::Lanes(half));
      StoreIndex(half, hn::LowerHalf(v), base, to, count);
      if (count > n) StoreIndex(half, hn::UpperHalf(half, v), base, to.From(n), count - n);
    } else {
      const hn::Rebind<int64_t, D> wide;
      StoreIndex(wide, hn::PromoteTo(wide, v), base, to, count);
    }
  } else {
    const auto sum = hn::Add(v, hn::Set(d, base));
    const hn::Rebind<uint32_t, D> narrow;
    if (to.is_wide) return hn::StoreU(sum, d, static_cast<L*>(to.data));
    const auto bits = hn::BitCast(hn::RebindToUnsigned<D>(), sum);
    hn::StoreU(hn::TruncateTo(narrow, bits), narrow, static_cast<uint32_t*>(to.data));
  }
}
#endif

// Asks for the memory of n values and their indices, since memory is read before it is written: where vectors are
// written that are far apart, the processor does not foresee it.
template <typename T>
HWY_INLINE void PrefetchOutput(const T* to, IndexArray index, int64_t n) {
  constexpr int64_t kLine = 64;
  hwy::Prefetch(to);
  const char* next = static_cast<const char*>(index.data);
  for (int64_t i = 0; i < n * (index.is_wide ? 8 : 4); i += kLine) hwy::Prefetch(next + i);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
