#include "conformance/cases/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/cases/geometry.h"
#include "conformance/cases/names.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

using nlohmann::ordered_json;

constexpr char kAll[] = "all";

// On windows; each where the operator has all of the roles.
struct WindowCondition {
  std::vector<Role> roles;
  const char* text;
};
const WindowCondition kWindows[] = {
    {{Role::kDilation}, "any(dilation > 1)"},
    {{Role::kStride}, "any(stride > 1)"},
    {{Role::kStride, Role::kKernel}, "any(stride > kernel)"},
    {{Role::kPadBegin}, "any(pad_begin > 0)"},
    {{Role::kPadEnd}, "any(pad_end > 0)"},
    {{Role::kPadBoth}, "any(pad_begin > 0)"},
    {{Role::kPadBegin, Role::kPadEnd}, "any(pad_begin != pad_end)"},
    {{Role::kKernel}, "any(kernel != kernel[0])"},
    {{Role::kStride}, "any(stride != stride[0])"},
    {{Role::kDilation}, "any(dilation != dilation[0])"},
};

// Whether the function may be called with the element type.
bool TakesType(const Function& function, const std::string& name) {
  return std::find(function.types.begin(), function.types.end(), ParseElementType(name)) != function.types.end();
}

}  // namespace

std::vector<std::string> ConditionsOf(const OperatorSpec& spec) {
  std::vector<std::string> conditions;
  int least = spec.min_rank;
  for (const Function& function : spec.functions) least = std::min(least, RanksOf(spec, function).least);
  for (int rank = least; rank <= spec.max_rank; ++rank) conditions.push_back(fmt::format("rank = {}", rank));
  for (const AttributeSpec& attribute : spec.attributes) {
    const std::string& name = attribute.name;
    conditions.push_back(fmt::format("not given({})", name));
    for (const std::string& word : attribute.words) {
      const bool truth = attribute.call_kind == POOLPROOF_BOOL;
      conditions.push_back(fmt::format("{} = {}", name, truth ? (word == "true" ? "1" : "0") : word));
    }
    if (attribute.type == AttributeType::kBool) conditions.insert(conditions.end(), {name, "not " + name});
  }
  if (spec.outputs.back().optional) conditions.insert(conditions.end(), {"has_indices", "not has_indices"});
  for (const InputSpec& input : spec.inputs) {
    if (!input.sizes) continue;
    for (const poolproof_element_type type : input.types) {
      conditions.push_back(fmt::format("sizes_type = {}", ElementTypeName(type)));
    }
  }
  for (const WindowCondition& condition : kWindows) {
    const auto has = [&](Role role) { return HasRole(spec, role); };
    if (std::all_of(condition.roles.begin(), condition.roles.end(), has)) conditions.emplace_back(condition.text);
  }
  return conditions;
}

const Support::Lacking* Support::Find(const Function& function, poolproof_element_type type) const {
  if (lacks_.empty()) return nullptr;
  const auto it = lacks_.find({function.name, std::string(ElementTypeName(type))});
  return it == lacks_.end() ? nullptr : &it->second;
}

void Support::MarkAllUnsupported(const Function& function, poolproof_element_type type) {
  lacks_[{function.name, std::string(ElementTypeName(type))}] = {true, {}};
}

void Support::MarkUnsupported(const Function& function, poolproof_element_type type, expression::Expression condition) {
  std::string text = condition.Text();
  lacks_[{function.name, std::string(ElementTypeName(type))}].where.try_emplace(std::move(text), std::move(condition));
}

bool Support::Supports(const Problem& problem) const {
  const Function& function = *problem.function;
  const auto lacks = [&](poolproof_element_type type) {
    const Lacking* lacking = Find(function, type);
    return lacking != nullptr && lacking->all;
  };
  const Lacking* lacking = Find(function, problem.type);
  // A type that the function must not be called with is not asked for: it is lacking where all others are.
  if (lacking == nullptr) return function.types.empty() || !std::ranges::all_of(function.types, lacks);
  return !lacking->all && std::none_of(lacking->where.begin(), lacking->where.end(), [&](const auto& where) {
    return where.second.Holds(ProblemSubject(where.second.names(), problem));
  });
}

std::vector<Callable> Support::Callables(const Specs& specs) const {
  std::vector<Callable> callables;
  for (const OperatorSpec& spec : specs.operators) {
    for (const Function& function : spec.functions) {
      Callable callable{&spec, &function};
      for (size_t i = 0; i < function.types.size(); ++i) {
        const Lacking* lacking = Find(function, function.types[i]);
        if (lacking != nullptr && lacking->all) callable.without |= 1u << i;
      }
      if (callable.without + 1 != 1u << function.types.size()) callables.push_back(callable);
    }
  }
  return callables;
}

Offers Support::OffersOf(const Specs& specs) const {
  Offers offers;
  for (const Callable& callable : Callables(specs)) {
    const Function& function = *callable.function;
    for (size_t i = 0; i < function.types.size(); ++i) {
      if ((callable.without >> i & 1u) != 0) continue;
      const Lacking* lacking = Find(function, function.types[i]);
      std::set<std::string>& offered = offers[function.name][std::string(ElementTypeName(function.types[i]))];
      if (lacking == nullptr) continue;
      for (const auto& [text, condition] : lacking->where) offered.insert(text);
    }
  }
  return offers;
}

ordered_json Support::ToJson() const {
  ordered_json value = ordered_json::object();
  for (const auto& [key, lacking] : lacks_) {
    ordered_json& types = value[key.first][key.second];
    if (lacking.all) types = kAll;
    for (const auto& [text, condition] : lacking.where) types.push_back(text);
  }
  return value;
}

// Reads what one function and element type lack; on failure `error` says why, unless the value is no list of texts.
bool Support::ReadLacking(const expression::Vocabulary& names, const ordered_json& value, Lacking* lacking,
                          Error* error) {
  lacking->all = value == kAll;
  if (lacking->all) return true;
  if (!value.is_array() || value.empty()) return false;
  for (const ordered_json& text : value) {
    if (!text.is_string()) return false;
    auto condition = expression::Expression::Condition(names, text.get<std::string>(), error);
    if (!condition) return false;
    std::string canonical = condition->Text();
    if (!lacking->where.try_emplace(std::move(canonical), *std::move(condition)).second) return false;
  }
  return true;
}

std::optional<Support> Support::FromJson(const Specs& specs, const ordered_json& value, Error* error) {
  const auto fail = [&](std::string what) {
    error->message = std::move(what);
    return std::nullopt;
  };
  if (!value.is_object()) return fail(fmt::format("\"lacks\" is {}, not an object", ShortenedJson(value)));
  Support support;
  for (const auto& [name, types] : value.items()) {
    const OperatorSpec* spec = specs.FindOperator(name);
    if (spec == nullptr || !types.is_object()) {
      return fail(fmt::format("\"lacks\" names \"{}\", which no operator of the specs is called",
                              EscapeForTerminal(Shorten(name, 60))));
    }
    for (const auto& [type_name, what] : types.items()) {
      Lacking lacking;
      Error reason;
      if (!TakesType(*spec->FindFunction(name), type_name) || !ReadLacking(*specs.names, what, &lacking, &reason)) {
        return fail(fmt::format("\"lacks\" has {} for \"{}\" of {}{}{}", ShortenedJson(what),
                                EscapeForTerminal(Shorten(type_name, 60)), name, reason.message.empty() ? "" : ": ",
                                reason.message));
      }
      support.lacks_[{name, type_name}] = std::move(lacking);
    }
  }
  return support;
}

std::vector<std::string> Support::LostSince(const Offers& before) const {
  std::vector<std::string> lost;
  for (const auto& [key, lacking] : lacks_) {
    const auto function = before.find(key.first);
    if (function == before.end() || !function->second.contains(key.second)) continue;
    const std::set<std::string>& lacked = function->second.at(key.second);
    const std::string name = key.first + " " + key.second;
    if (lacking.all) lost.push_back(name);
    for (const auto& [text, condition] : lacking.where) {
      if (!lacked.contains(text)) lost.push_back(name + " where " + text);
    }
  }
  return lost;
}

}  // namespace poolproof
