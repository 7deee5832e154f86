// A short rule that tells some problems from others: "width >= 32 and type = f32".
#pragma once

#include <optional>
#include <span>

#include "conformance/diagnosis/features.h"

namespace poolproof {

struct Literal {
  enum class Sense : uint8_t { kIs, kIsNot, kAtLeast, kAtMost };
  Feature feature{};
  Sense sense = Sense::kIs;
  int64_t value = 0;

  bool Holds(const Features& features) const;
  std::string Text(const WordNumbers& words) const;  // a condition (docs/expressions.md)
  friend bool operator==(const Literal&, const Literal&) = default;
};

// All of its conditions hold; an empty rule holds always.
struct Rule {
  std::vector<Literal> literals;

  bool Holds(const Features& features) const;
  std::string Text(const WordNumbers& words) const;  // "" for an empty rule
  double Cost() const;
};

// Share of the problems that a loose rule has to hold for.
inline constexpr double kLooseShare = 0.95;

struct FitOptions {
  double share = 1;        // of `inside` that the rule holds for, where there are many
  size_t spare = 0;        // number of `outside` that may fit as well
  bool with_fill = false;  // conditions on how the input is filled, which no backend knows
  size_t most = 3;         // conditions, at most 3
};

// The simplest rule of at most `most` conditions that holds for `inside` and for none of `outside`;
// nothing where there is none.
std::optional<Rule> FitRule(std::span<const Features> inside, std::span<const Features> outside,
                            const FitOptions& options);

}  // namespace poolproof
