// What transform.py writes in the place of operators and constants: each asks one global number
// whether it is to be computed as written or in one of the other ways that stand beside it.
//
// A place in the sources has a number, its ways are counted from 0, and place * kWays + way is the
// number of a mutant. A way that the types of a place have no meaning for (the difference of two
// strings) makes no mutant: which there are is known when the library has been loaded, since every
// way that is compiled enters itself.
#ifndef POOLPROOF_CONFORMANCE_CAUSES_MACHINE_MUTATE_H_
#define POOLPROOF_CONFORMANCE_CAUSES_MACHINE_MUTATE_H_

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace poolproof::machine {

inline constexpr uint32_t kWays = 8;

// The mutant that is switched on; 0: none.
extern uint32_t chosen;
// Whether, with none switched on, it is noted where one would have made a difference. A case in which
// it would have made none at its place gives what it gives without it.
extern bool tracing;
void Note(uint32_t mutant);
// Enters a mutant into the list. For the library's own start.
bool Enter(uint32_t mutant);

template <uint32_t kMutant>
struct Entered {
  static inline const bool done = Enter(kMutant);
};

// Whether the way is switched on, entering it into the list.
template <uint32_t kPlace, uint32_t kWay>
constexpr bool On() {
  static_assert(kWay < kWays);
  if (std::is_constant_evaluated()) return false;
  static_cast<void>(&Entered<kPlace * kWays + kWay>::done);
  return chosen == kPlace * kWays + kWay;
}

// Notes that the way would have made a difference, if `differs`.
template <uint32_t kPlace, uint32_t kWay>
constexpr void Trace(bool differs = true) {
  if (!std::is_constant_evaluated() && tracing && differs) Note(kPlace * kWays + kWay);
}

struct ShiftLeft {
  constexpr auto operator()(auto a, auto b) const -> decltype(a << b) { return a << b; }
};
struct ShiftRight {
  constexpr auto operator()(auto a, auto b) const -> decltype(a >> b) { return a >> b; }
};
struct First {
  template <typename A>
  constexpr auto operator()(const A& a, const auto&) const -> std::enable_if_t<std::is_arithmetic_v<A>, A> {
    return a;
  }
};

// Whether the two are surely the same; a floating-point 0 may have either sign.
template <typename T>
constexpr bool Same(const T& a, const T& b) {
  return a == b && (!std::is_floating_point_v<T> || a != T{});
}

// Gives what `Result` holds in this way, if it is switched on; notes whether it differs from `plain`.
template <uint32_t kPlace, uint32_t kWay, typename Way, typename Result, typename A, typename B>
constexpr void Take(const A& a, const B& b, const Result& plain, Result* result) {
  if constexpr (requires {
                  { Way{}(a, b) } -> std::convertible_to<Result>;
                }) {
    if (On<kPlace, kWay>()) *result = static_cast<Result>(Way{}(a, b));
    if (!tracing) return;
    constexpr bool kDivides = std::is_same_v<Way, std::divides<>> || std::is_same_v<Way, std::modulus<>>;
    if constexpr (kDivides) {  // which 0 and -1 may make impossible
      Trace<kPlace, kWay>(b == B{} || b == static_cast<B>(-1) || !Same(static_cast<Result>(Way{}(a, b)), plain));
    }
    if constexpr (!kDivides) Trace<kPlace, kWay>(!Same(static_cast<Result>(Way{}(a, b)), plain));
  }
}

template <uint32_t kPlace, typename Way, typename... Others, typename A, typename B>
constexpr auto Binary(A&& a, B&& b) {
  using Result = std::invoke_result_t<Way, A, B>;
  // Strings add up, and have to be moved: there is no other way to take.
  if constexpr (!std::is_trivially_copyable_v<Result>) {
    return Way{}(std::forward<A>(a), std::forward<B>(b));
  } else if (!std::is_constant_evaluated() && (chosen / kWays == kPlace || tracing)) {
    const Result plain = chosen / kWays == kPlace ? Result{} : Result(Way{}(a, b));
    Result result = plain;
    [&]<uint32_t... kWay>(std::integer_sequence<uint32_t, kWay...>) {
      (Take<kPlace, kWay, Others>(a, b, plain, &result), ...);
    }(std::make_integer_sequence<uint32_t, sizeof...(Others)>());
    return result;
  } else {
    return Result(Way{}(a, b));
  }
}

// a += b and the like, as a = Way(a, b).
template <uint32_t kPlace, typename Way, typename... Others, typename A, typename B>
constexpr void Assign(A& a, const B& b) {
  if constexpr (std::is_arithmetic_v<A>) {
    a = static_cast<A>(Binary<kPlace, Way, Others...>(a, b));
  } else {
    a += b;
  }
}

template <uint32_t kPlace, bool kMinimum, typename T>
constexpr T Extreme(const T& a, const T& b) {
  bool minimum = kMinimum;  // not const, or it would be computed when compiling
  if (On<kPlace, 0>()) minimum = !minimum;
  Trace<kPlace, 0>(!Same(a, b));
  if (minimum) return b < a ? b : a;
  return a < b ? b : a;
}

struct More {
  constexpr auto operator()(auto x) const { return x + 1; }
};
struct Less {
  constexpr auto operator()(auto x) const { return x - 1; }
};
struct Zero {
  constexpr auto operator()(auto) const { return 0; }
};
struct Opposite {
  constexpr bool operator()(bool x) const { return !x; }
};

template <uint32_t kPlace, typename... Others, typename T>
constexpr T Constant(T x) {
  T result = x;
  [&]<uint32_t... kWay>(std::integer_sequence<uint32_t, kWay...>) {
    ((On<kPlace, kWay>() ? void(result = static_cast<T>(Others{}(x))) : Trace<kPlace, kWay>()), ...);
  }(std::make_integer_sequence<uint32_t, sizeof...(Others)>());
  return result;
}

template <uint32_t kPlace, typename T>
constexpr auto Minus(T x) {
  Trace<kPlace, 0>();
  return On<kPlace, 0>() ? +x : -x;
}

template <uint32_t kPlace, typename T>
constexpr bool Not(const T& x) {
  Trace<kPlace, 0>();
  return static_cast<bool>(x) == On<kPlace, 0>();
}

template <uint32_t kPlace, typename T>
constexpr bool Condition(const T& x) {
  Trace<kPlace, 0>();
  return static_cast<bool>(x) != On<kPlace, 0>();
}

template <uint32_t kPlace, int kStep, typename T>
constexpr T& Step(T& x) {
  Trace<kPlace, 0>();
  Trace<kPlace, 1>();
  if (On<kPlace, 0>()) return x = static_cast<T>(x - kStep);
  if (On<kPlace, 1>()) return x;
  return x = static_cast<T>(x + kStep);
}

// a && b is written as (Left(a) ? Right(b) : Short()), so that b is computed only where it was
// before; likewise a || b. Ways: the other of the two; a alone, b being computed in vain; b alone.
template <uint32_t kPlace, bool kAnd>
constexpr bool IsAnd() {
  return On<kPlace, 0>() ? !kAnd : kAnd;
}
template <uint32_t kPlace, bool kAnd, typename T>
constexpr bool Left(const T& a) {
  const bool left = static_cast<bool>(a);
  Trace<kPlace, 0>();
  Trace<kPlace, 2>(left != kAnd);
  return On<kPlace, 2>() || left == IsAnd<kPlace, kAnd>();
}
template <uint32_t kPlace, bool kAnd, typename T>
constexpr bool Right(const T& b) {
  const bool right = static_cast<bool>(b);
  Trace<kPlace, 1>(right != kAnd);
  return On<kPlace, 1>() ? kAnd : right;
}
template <uint32_t kPlace, bool kAnd>
constexpr bool Short() {
  return !IsAnd<kPlace, kAnd>();
}

}  // namespace poolproof::machine

#endif  // POOLPROOF_CONFORMANCE_CAUSES_MACHINE_MUTATE_H_
