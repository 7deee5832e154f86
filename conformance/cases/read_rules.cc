#include "conformance/cases/derive.h"
#include "conformance/cases/value.h"

namespace poolproof::family {
namespace {

void ReadWhen(const Node& node, Template* made) {
  Object object(node);
  for (const auto& [key, list] : node.value().items()) {
    const std::optional<Node> values = object.Required(key);
    made->when.emplace_back(key, values->AsList<Json>([](const Node& value) { return value.value(); }));
  }
}

template <size_t kCount>
Template ReadTemplate(const Node& node, const char* const (&entry_keys)[kCount]) {
  Template made;
  made.entry = Json::object();
  Object object(node);
  if (const std::optional<Node> when = object.Optional("when")) ReadWhen(*when, &made);
  object.ReadOptional("has", &Node::AsStrings, &made.has);
  object.ReadOptional("lacks", &Node::AsStrings, &made.lacks);
  object.ReadOptional("each", &Node::AsString, &made.each);
  object.ReadOptional("of_operator", &Node::AsBool, &made.of_operator);
  for (const char* key : entry_keys) {
    if (const std::optional<Node> value = object.Optional(key)) json::Set(&made.entry, key, value->value());
  }
  return made;
}

Template ReadClause(const Node& node) { return ReadTemplate(node, {"id", "title", "statement", "exercised_by"}); }

Template ReadCall(const Node& node) { return ReadTemplate(node, {"rule", "clause", "statement", "lines", "ledger"}); }

template <typename T>
void ReadPairs(Object* parent, std::string_view name, T (*read)(const Node&),
               std::vector<std::pair<std::string, T>>* pairs) {
  const std::optional<Node> node = parent->Required(name);
  if (!node) return;
  Object object(*node);
  for (const auto& [key, value] : node->value().items()) pairs->emplace_back(key, read(*object.Required(key)));
}

}  // namespace

Rules ReadRules(const Node& node) {
  Rules rules;
  Object object(node);
  ReadPairs<std::string>(&object, "plain", [](const Node& value) { return value.AsString(); }, &rules.plain);
  object.ReadList("clauses", &ReadClause, &rules.clauses);
  ReadPairs<Template>(&object, "examples", &ReadClause, &rules.examples);
  if (const std::optional<Node> groups = object.Required("invalid_calls")) {
    rules.invalid_calls =
        groups->AsList<std::vector<Template>>([](const Node& group) { return group.AsList<Template>(&ReadCall); });
  }
  return rules;
}

}  // namespace poolproof::family
