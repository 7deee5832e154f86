#include "conformance/cases/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/cases/geometry.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

using nlohmann::ordered_json;

constexpr char kAll[] = "all";

void AddAxisFeatures(const Problem& problem, std::set<std::string>* features) {
  const auto value = [&](Role role, int axis) { return AxisValue(problem, role, axis, 0); };
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    if (value(Role::kDilation, axis) > 1) features->insert("d>1");
    if (value(Role::kStride, axis) > 1) features->insert("s>1");
    if (value(Role::kStride, axis) > value(Role::kKernel, axis)) features->insert("s>k");
    if (!PadsCount(problem)) continue;
    const int64_t begin = value(Role::kPadBegin, axis), end = value(Role::kPadEnd, axis);
    if (begin > 0) features->insert("pb>0");
    if (end > 0) features->insert("pe>0");
    if (begin != end) features->insert("pb!=pe");
  }
  for (Role role : {Role::kKernel, Role::kStride, Role::kDilation}) {
    for (int axis = 1; axis < problem.SpatialRank(); ++axis) {
      if (value(role, axis) != value(role, 0)) features->insert("axes differ");
    }
  }
}

// Whether the function, if any, may be called with the element type.
bool TakesType(const Function* function, const std::string& name) {
  const poolproof_element_type type = ParseElementType(name);
  if (function == nullptr) return type != 0;
  return std::find(function->types.begin(), function->types.end(), type) != function->types.end();
}

// Reads what one function and element type lack; false where the value says nothing of the kind.
bool ReadLacking(const ordered_json& value, std::set<std::string>* features, bool* all) {
  *all = value == kAll;
  if (*all) return true;
  if (!value.is_array() || value.empty()) return false;
  for (const ordered_json& feature : value) {
    if (!feature.is_string() || !features->insert(feature.get<std::string>()).second) return false;
  }
  return true;
}

}  // namespace

std::set<std::string> FeaturesOf(const Problem& problem) {
  std::set<std::string> features = {fmt::format("rank={}", problem.shape.size)};
  const std::vector<AttributeSpec>& specs = problem.spec->attributes;
  for (size_t i = 0; i < specs.size(); ++i) {
    const AttributeValue& value = problem.attributes[i];
    if (!value.present) {
      features.insert("no " + specs[i].key);
    } else if (specs[i].type == AttributeType::kWord) {
      features.insert(specs[i].key + "=" + value.word);
    } else if (specs[i].type == AttributeType::kBool) {
      features.insert(specs[i].key + (value.integer != 0 ? "=true" : "=false"));
    }
  }
  if (problem.HasSizes()) {
    features.insert(fmt::format("sizestype={}", ElementTypeName(problem.sizes_type)));
  }
  AddAxisFeatures(problem, &features);
  return features;
}

const Support::Lacking* Support::Find(const Function& function, poolproof_element_type type) const {
  if (lacks_.empty()) return nullptr;
  const auto it = lacks_.find({function.name, std::string(ElementTypeName(type))});
  return it == lacks_.end() ? nullptr : &it->second;
}

void Support::MarkAllUnsupported(const Function& function, poolproof_element_type type) {
  lacks_[{function.name, std::string(ElementTypeName(type))}] = {true, {}};
}

void Support::MarkUnsupported(const Function& function, poolproof_element_type type, const std::string& feature) {
  lacks_[{function.name, std::string(ElementTypeName(type))}].features.insert(feature);
}

bool Support::Supports(const Problem& problem) const {
  const Lacking* lacking = Find(*problem.function, problem.type);
  if (lacking == nullptr) return true;
  if (lacking->all) return false;
  const std::set<std::string> features = FeaturesOf(problem);
  return std::none_of(lacking->features.begin(), lacking->features.end(),
                      [&](const std::string& feature) { return features.contains(feature); });
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
      offers[function.name][std::string(ElementTypeName(function.types[i]))] =
          lacking == nullptr ? std::set<std::string>() : lacking->features;
    }
  }
  return offers;
}

ordered_json Support::ToJson() const {
  ordered_json value = ordered_json::object();
  for (const auto& [key, lacking] : lacks_) {
    value[key.first][key.second] = lacking.all ? ordered_json(kAll) : ordered_json(lacking.features);
  }
  return value;
}

std::optional<Support> Support::FromJson(const Specs* specs, const ordered_json& value, Error* error) {
  const auto fail = [&](std::string what) {
    error->message = std::move(what);
    return std::nullopt;
  };
  if (!value.is_object()) return fail(fmt::format("\"lacks\" is {}, not an object", ShortenedJson(value)));
  Support support;
  for (const auto& [name, types] : value.items()) {
    const OperatorSpec* spec = specs == nullptr ? nullptr : specs->FindOperator(name);
    if ((spec == nullptr && specs != nullptr) || !types.is_object()) {
      return fail(fmt::format("\"lacks\" names \"{}\", which no operator of the specs is called",
                              EscapeForTerminal(Shorten(name, 60))));
    }
    for (const auto& [type_name, what] : types.items()) {
      Lacking lacking;
      if (!TakesType(spec == nullptr ? nullptr : spec->FindFunction(name), type_name) ||
          !ReadLacking(what, &lacking.features, &lacking.all)) {
        return fail(fmt::format("\"lacks\" has {} for \"{}\" of {}", ShortenedJson(what),
                                EscapeForTerminal(Shorten(type_name, 60)), name));
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
    for (const std::string& feature : lacking.features) {
      if (!lacked.contains(feature)) lost.push_back(name + " " + feature);
    }
  }
  return lost;
}

}  // namespace poolproof
