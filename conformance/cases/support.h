// The calls that a backend supports: which calls of the specs it does not answer with "unsupported". Found by asking
// it (probe.h), kept in the header of a run and in baselines, so that every shard draws the same
// random problems and a backend that loses something is found out.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/cases/generate.h"
#include "conformance/cases/problem.h"

namespace poolproof {

// Conditions on calls of an operator that a backend may lack on their own (docs/expressions.md): "rank = 5",
// "rounding_type = ceil", "not given(dilations)", "any(dilation > 1)".
std::vector<std::string> ConditionsOf(const OperatorSpec& spec);

// By function and element type, what calls may not have: {"MaxPool-8": {"i8": {}, "f32": {"rank = 5"}}}. A pair
// that is not there is lacking altogether.
using Offers = std::map<std::string, std::map<std::string, std::set<std::string>>>;

class Support {
 public:
  // Lacks nothing.
  Support() = default;

  void MarkAllUnsupported(const Function& function, poolproof_element_type type);
  void MarkUnsupported(const Function& function, poolproof_element_type type, expression::Expression condition);
  bool Supports(const Problem& problem) const;
  // The functions and element types that it has, operator by operator; none where it has nothing.
  std::vector<Callable> Callables(const Specs& specs) const;
  Offers OffersOf(const Specs& specs) const;

  // {"MaxPool-8": {"i8": "all", "f32": ["rank = 5"]}}: what is lacking, by function and element type.
  nlohmann::ordered_json ToJson() const;
  // One sentence without file where `value` is anything else, or names what the specs do not have. They have to outlive
  // what is read.
  static std::optional<Support> FromJson(const Specs& specs, const nlohmann::ordered_json& value, Error* error);

  // Names each thing that this one lacks and `before` offers: "MaxPool-8 f16", "MaxPool-8 f32 where rank = 5".
  std::vector<std::string> LostSince(const Offers& before) const;

 private:
  struct Lacking {
    bool all = false;
    std::map<std::string, expression::Expression> where;  // by their texts
  };
  static bool ReadLacking(const expression::Vocabulary& names, const nlohmann::ordered_json& value, Lacking* lacking,
                          Error* error);
  using Key = std::pair<std::string, std::string>;  // function and element type, by name
  const Lacking* Find(const Function& function, poolproof_element_type type) const;

  std::map<Key, Lacking> lacks_;
};

}  // namespace poolproof
