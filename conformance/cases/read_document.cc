#include "conformance/cases/read.h"

namespace poolproof::read {
namespace {

// {"out": "...", "start": "..."}
std::vector<Formula> ReadFormulas(const Node& node) {
  std::vector<Formula> formulas;
  Object object(node);
  for (size_t i = 0; i < std::size(kGives); ++i) {
    Formula formula{static_cast<Gives>(i), {}, {}};
    object.ReadOptional(kGives[i], &Node::AsString, &formula.text);
    if (!formula.text.empty()) formulas.push_back(std::move(formula));
  }
  return formulas;
}

Clause ReadClause(const Node& node) {
  Clause clause;
  Object object(node);
  object.Read("id", &Node::AsString, &clause.id);
  object.Read("title", &Node::AsString, &clause.title);
  object.Read("statement", &Node::AsString, &clause.statement);
  object.ReadOptional("operators", &Node::AsStrings, &clause.operators);
  object.Read("exercised_by", &Node::AsString, &clause.exercised_by);
  if (const std::optional<Node> formulas = object.Optional("formulas")) clause.formulas = ReadFormulas(*formulas);
  return clause;
}

LedgerReading ReadReading(const Node& node) {
  LedgerReading reading;
  Object object(node);
  object.Read("name", &Node::AsString, &reading.name);
  object.Read("statement", &Node::AsString, &reading.statement);
  object.Read("followed_by", &Node::AsStrings, &reading.followed_by);
  object.ReadOptional("rare", &Node::AsBool, &reading.rare);
  return reading;
}

// {"openvino": "zero", "openvino f16": "tap"}: the keys are names of profiles, and what differs of operators and types.
std::map<std::string, std::string> ReadProfiles(const Node& node) {
  std::map<std::string, std::string> profiles;
  Object object(node);
  for (const auto& [profile, value] : node.value().items()) {
    object.Read(profile, &Node::AsString, &profiles[profile]);
  }
  return profiles;
}

// Where the point is open, and who reads it otherwise.
void ReadPlaces(Object* object, LedgerEntry* entry) {
  object->ReadOptional("clauses", &Node::AsStrings, &entry->clauses);
  if (const std::optional<Node> profiles = object->Optional("profiles")) entry->profiles = ReadProfiles(*profiles);
}

LedgerEntry ReadEntry(const Node& node) {
  LedgerEntry entry;
  Object object(node);
  object.Read("id", &Node::AsString, &entry.id);
  if (const std::optional<Node> kind = object.Required("kind")) {
    entry.kind = kind->AsChoice<std::string>({{"contradiction", "contradiction"},
                                              {"silence", "silence"},
                                              {"erratum", "erratum"},
                                              {"divergence", "divergence"}});
  }
  object.Read("title", &Node::AsString, &entry.title);
  object.Read("evidence", &Node::AsString, &entry.evidence);
  object.Read("effect", &Node::AsString, &entry.effect);
  object.Read("computed", &Node::AsBool, &entry.computed);
  if (const std::optional<Node> scope = object.Optional("scope")) {
    entry.scope = scope->AsChoice<std::string>(
        {{"run", "run"}, {"rule", "rule"}, {"operator", "operator"}, {"type", "type"}, {"none", "none"}});
  }
  ReadPlaces(&object, &entry);
  object.ReadList("readings", &ReadReading, &entry.readings);
  return entry;
}

LedgerEntry ReadShared(const Node& node) {
  LedgerEntry entry;
  Object object(node);
  object.Read("id", &Node::AsString, &entry.id);
  ReadPlaces(&object, &entry);
  return entry;
}

}  // namespace

Document ReadDocument(const Node& node) {
  Document document;
  Object object(node);
  object.Read("id", &Node::AsString, &document.id);
  object.Read("title", &Node::AsString, &document.title);
  object.Read("version", &Node::AsString, &document.version);
  object.Read("link", &Node::AsString, &document.link);
  object.ReadList("clauses", &ReadClause, &document.clauses);
  return document;
}

std::vector<Document> ReadDocumentsFile(const Node& node) {
  std::vector<Document> documents;
  Object object(node);
  object.ReadList("documents", &ReadDocument, &documents);
  return documents;
}

LedgerFile ReadLedgerFile(const Node& node) {
  LedgerFile file;
  Object object(node);
  object.ReadList("discrepancies", &ReadEntry, &file.entries);
  object.ReadOptionalList("shared", &ReadShared, &file.shared);
  return file;
}

}  // namespace poolproof::read
