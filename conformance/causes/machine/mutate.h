// Calls that transform.py writes in the place of operators and constants: each asks one global number
// whether it is to be computed as written or in one of the other ways that stand next to it.
//
// A place in the sources has a number, its ways are counted from 0, and place * kWays + way is the
// number of a mutant. A way that the types of a place have no meaning for (the difference of two
// strings) makes no mutant: which there are is known when the library has been loaded, since every
// way that is compiled enters itself.
#pragma once

#include <algorithm>
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
// it would have made none at its place has the same answer with it and without.
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

// Ways that the standard library has no functor for.
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
template <typename T = void>
struct Min {
  template <typename A>
  constexpr auto operator()(A a, auto b) const {
    return std::min<std::conditional_t<std::is_void_v<T>, A, T>>(a, b);
  }
};
template <typename T = void>
struct Max {
  template <typename A>
  constexpr auto operator()(A a, auto b) const {
    return std::max<std::conditional_t<std::is_void_v<T>, A, T>>(a, b);
  }
};
struct More {
  constexpr auto operator()(auto x) const { return x + 1; }
};
struct Less {
  constexpr auto operator()(auto x) const { return x - 1; }
};
struct Zero {
  constexpr auto operator()(auto) const { return 0; }
};
struct Truth {
  constexpr bool operator()(const auto& x) const { return static_cast<bool>(x); }
};

// Whether the way surely results in `plain`: a floating-point 0 may have either sign, and a division by 0 or -1 may
// be impossible.
template <typename Way, typename Result>
constexpr bool IsSame(const Result& plain, const auto&... x) {
  if constexpr (std::is_same_v<Way, std::divides<>> || std::is_same_v<Way, std::modulus<>>) {
    const auto divisor = (x, ...);
    if (divisor == 0 || divisor == static_cast<decltype(divisor)>(-1)) return false;
  }
  return static_cast<Result>(Way{}(x...)) == plain && (!std::is_floating_point_v<Result> || plain != Result{});
}

// Puts into `result` what it is in this way, if that is switched on; notes whether it differs from `plain`.
template <uint32_t kPlace, uint32_t kWay, typename Way, typename Result>
constexpr void Take(const Result& plain, Result* result, const auto&... x) {
  if constexpr (requires {
                  { Way{}(x...) } -> std::convertible_to<Result>;
                }) {
    if (On<kPlace, kWay>()) *result = static_cast<Result>(Way{}(x...));
    if (tracing) Trace<kPlace, kWay>(!IsSame<Way>(plain, x...));
  }
}

// The operation `Way` on one operand or two, or another one.
template <uint32_t kPlace, typename Way, typename... Others>
constexpr auto Change(auto&&... x) {
  using Result = std::decay_t<std::invoke_result_t<Way, decltype(x)...>>;
  // Strings add up, and have to be moved: there is no other way to take.
  if constexpr (!std::is_trivially_copyable_v<Result>) {
    return Way{}(std::forward<decltype(x)>(x)...);
  } else if (!std::is_constant_evaluated() && (chosen / kWays == kPlace || tracing)) {
    const Result plain = chosen / kWays == kPlace ? Result{} : Result(Way{}(x...));
    Result result = plain;
    [&]<uint32_t... kWay>(std::integer_sequence<uint32_t, kWay...>) {
      (Take<kPlace, kWay, Others>(plain, &result, x...), ...);
    }(std::make_integer_sequence<uint32_t, sizeof...(Others)>());
    return result;
  } else {
    return Result(Way{}(x...));
  }
}

// a += b and the like, as a = Way(a, b).
template <uint32_t kPlace, typename Way, typename... Others, typename A>
constexpr void Assign(A& a, const auto& b) {
  if constexpr (std::is_arithmetic_v<A>) {
    a = static_cast<A>(Change<kPlace, Way, Others...>(a, b));
  } else {
    a = Way{}(std::move(a), b);
  }
}

// a && b or a || b, where `b` is a function, called only where the operator computes it. Ways: the other of the two;
// a alone, b being computed in vain; b alone.
template <uint32_t kPlace, bool kAnd>
constexpr bool Logical(const auto& a, const auto& b) {
  const bool left = static_cast<bool>(a);
  bool is_and = kAnd;  // not const, or it would be computed when compiling
  if (On<kPlace, 0>()) is_and = !kAnd;
  Trace<kPlace, 0>();
  Trace<kPlace, 2>(left != kAnd);
  if (!On<kPlace, 2>() && left != is_and) return !is_and;
  const bool right = static_cast<bool>(b());
  Trace<kPlace, 1>(right != kAnd);
  return On<kPlace, 1>() ? kAnd : right;
}

}  // namespace poolproof::machine
