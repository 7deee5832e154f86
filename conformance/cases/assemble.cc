#include "conformance/cases/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "conformance/cases/derive.h"
#include "conformance/cases/digest.h"
#include "conformance/cases/family.h"
#include "conformance/cases/formulas.h"
#include "conformance/cases/names.h"
#include "conformance/cases/read.h"

namespace poolproof {
namespace {

constexpr std::string_view kDocuments = "documents.json";
constexpr std::string_view kNetworks = "networks.json";
constexpr std::string_view kRules = "derived.json";

template <typename T>
void Append(std::vector<T> from, std::vector<T>* to) {
  std::move(from.begin(), from.end(), std::back_inserter(*to));
}

// "/clauses/3/title" with the key of the entry in place of its number: in an expanded list the number says nothing.
std::string WithKeys(const std::string& pointer, const Json& value) {
  const size_t end = pointer.find('/', 1), size = std::min(end, pointer.size());
  if (!pointer.starts_with('/')) return pointer;
  const std::string step = pointer.substr(0, size), rest = pointer.substr(size);
  if (!value.is_structured()) return pointer;
  for (const auto& [name, item] : value.items()) {
    if (step != json::PointerStep(name)) continue;
    const std::string_view key = value.is_array() ? json::KeyOf(item) : "";
    return (key.empty() ? step : json::PointerStep(key)) + WithKeys(rest, item);
  }
  return pointer;
}

// Calls read(node) with the expanded form of a file. False, and `error`, where it cannot be read.
template <typename Read>
bool ReadExpanded(const Json& value, FirstError* first, Error* error, const Read& read) {
  if (!first->Found()) read(Node(value, first));
  if (!first->Found()) return true;
  std::string message = first->error.message;
  const size_t begin = first->file.size() + 2, end = message.find(": ", begin);
  if (first->file.ends_with(", expanded") && end != message.npos) {
    message.replace(begin, end - begin, WithKeys(message.substr(begin, end - begin), value));
  }
  return Fail(message, error);
}

// Clauses that name no operators are about those of their document.
void WriteOperatorsOut(Json* document) {
  const Json* found = json::Find(std::as_const(*document), "operators");
  if (found == nullptr) return;
  const Json operators = *found;
  Json* clauses = json::Find(document, "clauses");
  if (clauses == nullptr || !clauses->is_array()) return;
  for (Json& clause : *clauses) {
    const bool bare = clause.is_object() && json::Find(clause, "operators") == nullptr;
    if (bare) json::Set(&clause, "operators", operators);
  }
  json::Erase(document, "operators");
}

// A document that extends one above it. Where it has the id of that one, it adds its clauses to it.
void AddExtended(const Node& document, const Node& extends, FirstError* first, json::Items* documents) {
  const size_t base = json::PlaceOf(*documents, extends.AsString());
  if (base == documents->size()) return extends.Fail(Describe(extends.value()) + " is the id of no document above");
  Json made = family::Extend((*documents)[base], document);
  family::ArrangeAll(&made, {first, document.Pointer().to_string()});
  WriteOperatorsOut(&made);
  const size_t same = json::PlaceOf(*documents, json::KeyOf(made));
  Json* clauses = same == documents->size() ? nullptr : json::Find(&(*documents)[same], "clauses");
  if (clauses == nullptr || !clauses->is_array()) return documents->push_back(std::move(made));
  Append(json::ItemsOf(made, "clauses"), &json::ItemsIn(clauses));
}

Json JoinDocuments(const Node& root, FirstError* first) {
  Json joined = root.value();
  Json* list = json::Find(&joined, "documents");
  if (list == nullptr || !list->is_array()) return joined;
  list->clear();
  family::At(root, "documents")->AsList<bool>([&](const Node& document) {
    const std::optional<Node> extends = family::At(document, "extends");
    if (extends) {
      AddExtended(document, *extends, first, &json::ItemsIn(list));
    } else {
      list->push_back(document.value());
      WriteOperatorsOut(&list->back());
    }
    return true;
  });
  return joined;
}

class Assembler {
 public:
  Assembler(const std::vector<SpecFile>& files, Error* error)
      : files_(files), operators_(files.size()), error_(error) {}

  std::optional<Specs> Assemble(std::vector<ExpandedFile>* expanded) {
    if (!ReadRules()) return std::nullopt;
    Specs specs;
    // Over the expanded forms: how a file is laid out, and whether a fact is stated or follows, makes no difference.
    Digest digest;
    for (size_t i = 0; i < files_.size(); ++i) {
      if (files_[i].path == kRules) continue;
      Json whole;
      if (IsOperator(i) ? !Expand(i) : !ReadShared(files_[i], &specs, &whole)) return std::nullopt;
      if (IsOperator(i)) whole = std::move(operators_[i].whole);
      json::AddTo(&digest.Add(files_[i].path).Add("\n"), whole);
      if (expanded != nullptr) expanded->push_back({files_[i].path, json::Print(whole)});
    }
    for (size_t i = 0; i < files_.size(); ++i) {
      if (!IsOperator(i)) continue;
      Operator& made = operators_[i];
      files_of_documents_.resize(files_of_documents_.size() + made.read.documents.size(), files_[i].name);
      Append(std::move(made.read.documents), &specs.documents);
      files_of_operators_.push_back(files_[i].name);
      specs.operators.push_back(std::move(made.read.spec));
    }
    if (!AddSharedEntries(&specs.ledger)) return std::nullopt;
    specs.digest = fmt::format("{:016x}", digest.Value().high);
    if (!specs.operators.empty() && !CompileConditions(&specs)) return std::nullopt;
    return specs;
  }

 private:
  enum class State : uint8_t { kUntouched, kBusy, kDone };
  struct Operator {
    State state = State::kUntouched;
    Json stated;  // with what it extends, before anything is derived
    read::OperatorFile read;
    Json whole;
  };

  bool IsOperator(size_t file) const {
    const std::string& path = files_[file].path;
    return !IsNamed(path, kDocuments) && !IsNamed(path, kLedgerFile) && path != kNetworks && path != kRules;
  }

  // In the folder itself or in one of a family.
  static bool IsNamed(std::string_view path, std::string_view name) { return path.substr(path.rfind('/') + 1) == name; }

  bool ReadRules() {
    for (const SpecFile& file : files_) {
      if (file.path != kRules) continue;
      has_rules_ = true;
      FirstError first{file.name, {}};
      return ReadExpanded(file.value, &first, error_, [&](const Node& node) { rules_ = family::ReadRules(node); });
    }
    return true;
  }

  bool ReadShared(const SpecFile& file, Specs* specs, Json* whole) {
    FirstError first{file.name, {}};
    *whole = IsNamed(file.path, kDocuments) ? JoinDocuments(Node(file.value, &first), &first) : file.value;
    return ReadExpanded(*whole, &first, error_, [&](const Node& root) {
      if (IsNamed(file.path, kDocuments)) {
        Append(read::ReadDocumentsFile(root), &specs->documents);
        files_of_documents_.resize(specs->documents.size(), file.name);
      }
      if (IsNamed(file.path, kLedgerFile)) AddLedger(file, root, specs);
      if (file.path == kNetworks) Append(read::ReadNetworksFile(root), &specs->networks);
    });
  }

  void AddLedger(const SpecFile& file, const Node& root, Specs* specs) {
    read::LedgerFile read = read::ReadLedgerFile(root);
    Append(std::move(read.entries), &specs->ledger);
    for (LedgerEntry& entry : read.shared) shared_entries_.emplace_back(file.name, std::move(entry));
  }

  // Adds what other files say of an entry, wherever that stands.
  bool AddSharedEntries(std::vector<LedgerEntry>* ledger) {
    for (auto& [file, from] : shared_entries_) {
      const auto has_id = [&id = from.id](const LedgerEntry& entry) { return entry.id == id; };
      const auto to = std::find_if(ledger->begin(), ledger->end(), has_id);
      const std::string place = fmt::format("{}: shared, {}", file, JsonQuoted(from.id));
      if (to == ledger->end()) return Fail(place + " is the id of no entry of the ledger", error_);
      Append(std::move(from.clauses), &to->clauses);
      for (const auto& [profile, reading] : from.profiles) {
        if (to->profiles.emplace(profile, reading).second) continue;
        return Fail(fmt::format("{}: profiles: {} is in another file as well", place, JsonQuoted(profile)), error_);
      }
    }
    return true;
  }

  // Conditions may name what any operator has, so that all of these are read before.
  bool CompileConditions(Specs* specs) {
    specs->names = std::make_shared<const expression::Vocabulary>(NamesOf(*specs));
    specs->formula_names = std::make_shared<const expression::Vocabulary>(FormulaNamesOf(*specs->names));
    for (size_t i = 0; i < specs->operators.size(); ++i) {
      for (AttributeSpec& attribute : specs->operators[i].attributes) {
        if (attribute.required_unless.empty()) continue;
        attribute.absent_when = expression::Expression::Condition(*specs->names, attribute.required_unless, error_);
        if (attribute.absent_when) continue;
        const std::string& file = files_of_operators_[i];
        return Fail(fmt::format("{}: {}, required_unless: {}", file, attribute.name, error_->message), error_);
      }
    }
    for (size_t i = 0; i < specs->documents.size(); ++i) {
      for (Clause& clause : specs->documents[i].clauses) {
        if (CompileCondition(*specs, &clause)) continue;
        const std::string& file = files_of_documents_[i];
        return Fail(fmt::format("{}: {}, {}", file, clause.id, error_->message), error_);
      }
    }
    return true;
  }

  bool CompileCondition(const Specs& specs, Clause* clause) {
    const auto fail = [&](const char* key) { return Fail(fmt::format("{}: {}", key, error_->message), error_); };
    if (!expression::Expression::Condition(*specs.names, clause->exercised_by, error_)) return fail("exercised_by");
    std::string words;
    for (const std::string& id : clause->operators) {
      const auto has_id = [&](const OperatorSpec& spec) { return spec.id == id; };
      const auto spec = std::find_if(specs.operators.begin(), specs.operators.end(), has_id);
      if (spec == specs.operators.end())
        return Fail("operators: " + JsonQuoted(id) + " is the id of no operator", error_);
      words.append(words.empty() ? "" : ", ").append(OperatorWord(*spec));
    }
    const std::string text = fmt::format("op in {{{}}} and ({})", words, clause->exercised_by);
    clause->exercised_when = expression::Expression::Condition(*specs.names, text, error_);
    if (!clause->exercised_when) return fail("exercised_by");
    for (Formula& formula : clause->formulas) {
      if (!Compile(*specs.formula_names, &formula, error_)) return false;
    }
    return true;
  }

  // Expands the extended file first, so that an error is reported where it is made.
  bool Expand(size_t i) {
    Operator& made = operators_[i];
    if (made.state == State::kDone) return true;
    made.state = State::kBusy;
    FirstError first{files_[i].name, {}};
    const Node node(files_[i].value, &first);
    const std::optional<Node> extends = family::At(node, "extends");
    made.stated = files_[i].value;
    if (extends && !ExtendBase(node, *extends, &made.stated)) return false;
    if (extends || has_rules_) first.file += ", expanded";
    made.whole = first.Found() ? made.stated : family::Derive(made.stated, rules_, &first);
    made.state = State::kDone;
    return ReadExpanded(made.whole, &first, error_, [&](const Node& root) {
      made.read = read::ReadOperatorFile(root);
      made.read.spec.file = "specs/" + files_[i].path;
      made.read.spec.family = files_[i].path.substr(0, files_[i].path.find('/'));
    });
  }

  // False where the file that is extended cannot be read.
  bool ExtendBase(const Node& node, const Node& extends, Json* stated) {
    const std::string id = extends.AsString();
    size_t base = 0;
    while (base < files_.size() && (!IsOperator(base) || json::TextOf(files_[base].value, "id") != id)) ++base;
    if (base == files_.size()) {
      extends.Fail(JsonQuoted(id) + " is the id of no operator");
    } else if (operators_[base].state == State::kBusy) {
      extends.Fail(JsonQuoted(id) + " extends this file in turn");
    } else if (!Expand(base)) {
      return false;
    } else {
      *stated = family::Extend(operators_[base].stated, node);
    }
    return true;
  }

  const std::vector<SpecFile>& files_;
  std::vector<Operator> operators_;                                   // parallel to files_
  std::vector<std::string> files_of_documents_, files_of_operators_;  // by name, parallel to those of the specs
  std::vector<std::pair<std::string, LedgerEntry>> shared_entries_;   // with the file that adds to them
  bool has_rules_ = false;
  family::Rules rules_;
  Error* error_;
};

}  // namespace

std::optional<Specs> AssembleSpecs(const std::vector<SpecFile>& files, std::vector<ExpandedFile>* expanded,
                                   Error* error) {
  return Assembler(files, error).Assemble(expanded);
}

}  // namespace poolproof
