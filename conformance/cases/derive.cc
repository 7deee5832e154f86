#include "conformance/cases/derive.h"

#include <algorithm>
#include <sstream>

#include "conformance/cases/family.h"
#include "conformance/cases/value.h"

namespace poolproof::family {
namespace {

using json::Find;
using json::Items;
using json::ItemsIn;
using json::ItemsOf;
using json::TextOf;

// Placeholder without its braces, and what stands for it.
using Facts = std::vector<std::pair<std::string, Json>>;

int64_t IntegerOf(const Json& object, std::string_view key, int64_t otherwise) {
  const Json* value = Find(object, key);
  return value != nullptr && value->is_number_integer() ? value->get<int64_t>() : otherwise;
}

// A string or number as a sentence has it.
std::string Words(const Json& value) { return value.is_string() ? value.get<std::string>() : Describe(value); }

// A string that is a placeholder and nothing else becomes what stands for it, a number too.
Json Fill(Json pattern, const Facts& facts) {
  if (pattern.is_structured()) {
    for (Json& item : pattern) item = Fill(std::move(item), facts);
  }
  if (!pattern.is_string()) return pattern;
  std::string& text = pattern.get_ref<std::string&>();
  for (const auto& [name, value] : facts) {
    const std::string placeholder = "{" + name + "}", words = Words(value);
    if (text == placeholder) return value;
    for (size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += words.size()) {
      text.replace(at, placeholder.size(), words);
    }
  }
  return pattern;
}

bool Follows(const Template& from, const Json& facts) {
  const auto is_there = [&](const std::string& key) { return Find(facts, key) != nullptr; };
  for (const auto& [key, values] : from.when) {
    const Json* fact = Find(facts, key);
    if (fact == nullptr) return false;
    if (std::none_of(values.begin(), values.end(), [&](const Json& value) { return value == *fact; })) return false;
  }
  return std::all_of(from.has.begin(), from.has.end(), is_there) &&
         std::none_of(from.lacks.begin(), from.lacks.end(), is_there);
}

void AddEntries(const Template& from, Facts facts, const Json& of, Items* entries) {
  if (from.each.empty()) return entries->push_back(Fill(from.entry, facts));
  facts.emplace_back("word", Json());
  for (const Json& word : ItemsOf(of, from.each)) {
    facts.back().second = word;
    entries->push_back(Fill(from.entry, facts));
  }
}

std::string PlainOf(const Rules& rules, std::string_view word) {
  for (const auto& [name, value] : rules.plain) {
    if (name == word) return value;
  }
  return "";
}

std::string_view ClauseOfFirst(const Json& spec, std::string_view list) {
  const Items& entries = ItemsOf(spec, list);
  return entries.empty() ? "" : TextOf(entries[0], "clause");
}

Facts OperatorFacts(const Json& spec) {
  return {{"document", std::string(TextOf(spec, "document"))},
          {"input", std::string(ClauseOfFirst(spec, "inputs"))},
          {"output", std::string(ClauseOfFirst(spec, "outputs"))}};
}

Facts AttributeFacts(const Json& spec, const Json& attribute, const Rules& rules) {
  Facts facts = OperatorFacts(spec);
  for (const char* key : {"clause", "name", "key", "role"})
    facts.emplace_back(key, std::string(TextOf(attribute, key)));
  std::string dashed(TextOf(attribute, "name"));
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  facts.emplace_back("dashed", std::string(dashed));
  const int64_t min = IntegerOf(attribute, "min", 0), least = IntegerOf(attribute, "valid_min", min);
  facts.emplace_back("min", Json(min));
  facts.emplace_back("least", Json(least));
  facts.emplace_back("above", Json(least < INT64_MAX ? least + 1 : least));
  facts.emplace_back("plain", std::string(PlainOf(rules, TextOf(attribute, "role"))));
  if (const Json* value = Find(attribute, "default")) facts.emplace_back("default", *value);
  return facts;
}

// The clause of an attribute or example is that of its name in the operator's document, where it states no other.
void NameClauses(const std::string& document, Json* list) {
  if (list == nullptr) return;
  if (!list->is_array()) return;
  for (Json& entry : *list) {
    if (!entry.is_object() || Find(entry, "clause") != nullptr) continue;
    json::Set(&entry, "clause", std::string(document + "/" + std::string(json::KeyOf(entry))));
  }
}

void AddExampleClause(const Json& example, const Rules& rules, Items* clauses) {
  const std::string id(TextOf(example, "id"));
  const size_t dash = id.find('-') + 1;  // npos + 1 is 0
  std::string sentence = std::string(TextOf(example, "description")) + ".";
  sentence[0] = sentence[0] >= 'a' && sentence[0] <= 'z' ? static_cast<char>(sentence[0] - 'a' + 'A') : sentence[0];
  const Facts facts = {{"clause", std::string(TextOf(example, "clause"))},
                       {"id", std::string(id)},
                       {"number", std::string(id.substr(dash))},
                       {"sentence", std::string(sentence)}};
  for (const auto& [kind, from] : rules.examples) {
    if (dash > 0 && id.substr(0, dash - 1) == kind) clauses->push_back(Fill(from.entry, facts));
  }
}

Derived DeriveClauses(const Json& spec, const std::string& document, const Rules& rules) {
  Derived derived;
  derived.before = ClauseOfFirst(spec, "inputs");
  const auto is_own = [&](const Json& entry) { return TextOf(entry, "clause").starts_with(document + "/"); };
  for (const Json& attribute : ItemsOf(spec, "attributes")) {
    if (!is_own(attribute)) continue;
    const Facts facts = AttributeFacts(spec, attribute, rules);
    for (const Template& from : rules.clauses) {
      if (Follows(from, attribute)) AddEntries(from, facts, attribute, &derived.entries);
    }
  }
  for (const Json& example : ItemsOf(spec, "examples")) {
    if (is_own(example)) AddExampleClause(example, rules, &derived.last);
  }
  return derived;
}

Derived DeriveCalls(const Json& spec, const Rules& rules) {
  Derived derived;
  const Items& functions = ItemsOf(spec, "functions");
  for (const std::vector<Template>& group : rules.invalid_calls) {
    for (const Json& attribute : ItemsOf(spec, "attributes")) {
      const Facts facts = AttributeFacts(spec, attribute, rules);
      for (const Template& from : group) {
        if (!from.of_operator && Follows(from, attribute)) AddEntries(from, facts, attribute, &derived.entries);
      }
    }
    for (const Template& from : group) {
      if (!from.of_operator || functions.empty() || !Follows(from, functions[0])) continue;
      AddEntries(from, OperatorFacts(spec), functions[0], &derived.entries);
    }
  }
  return derived;
}

// The words of a problem line, in their order. One without a value is absent.
struct Word {
  std::string key, value;
  bool list = false;  // one value per spatial axis
};

std::vector<Word> PlainCall(const Json& spec, const Rules& rules) {
  std::vector<Word> words = {{"in", PlainOf(rules, "in")}};
  for (const Json& attribute : ItemsOf(spec, "attributes")) {
    const Json* required = Find(attribute, "required");
    const bool present = required != nullptr && required->is_boolean() && required->get<bool>();
    words.push_back({std::string(TextOf(attribute, "key")), present ? PlainOf(rules, TextOf(attribute, "role")) : "",
                     TextOf(attribute, "type") == "int list"});
  }
  for (const Json& input : ItemsOf(spec, "inputs")) {
    const Items& types = ItemsOf(input, "types");
    if (Find(input, "sizes") == nullptr || types.empty()) continue;
    words.push_back({"sizes", PlainOf(rules, "sizes"), true});
    words.push_back({"sizestype", Words(types.back())});
  }
  return words;
}

// "k=3" sets a word, "-k" leaves it out, "*=[]" sets all lists that are there.
void ChangeWord(std::string_view change, std::vector<Word>* words) {
  const bool absent = change.starts_with('-');
  const std::string key(change.substr(absent ? 1 : 0, absent ? change.npos : change.find('=')));
  const std::string value(absent ? "" : change.substr(std::min(change.size(), key.size() + 1)));
  bool found = key == "*";
  for (Word& word : *words) {
    if (word.key != key && (key != "*" || !word.list || word.value.empty())) continue;
    word.value = value;
    found = true;
  }
  if (!found) words->push_back({key, value});
}

// A line that names no function is the plain call with changes.
std::string WholeLine(const Json& spec, const Rules& rules, const std::string& line) {
  const std::string first = line.substr(0, line.find(' '));
  if (first.find('=') == std::string::npos && !first.starts_with('-')) return line;
  std::string type = PlainOf(rules, "type");
  std::vector<Word> words = PlainCall(spec, rules);
  std::istringstream stream(line);
  for (std::string change; stream >> change;) {
    if (change.starts_with("type=")) {
      type = change.substr(5);
    } else {
      ChangeWord(change, &words);
    }
  }
  const Items& functions = ItemsOf(spec, "functions");
  std::string whole(functions.empty() ? "" : TextOf(functions[0], "name"));
  whole += " " + type;
  for (const Word& word : words) {
    if (!word.value.empty()) whole.append(" ").append(word.key).append("=").append(word.value);
  }
  return whole;
}

void WriteLinesOut(const Rules& rules, Json* spec) {
  Json* calls = Find(spec, "invalid_calls");
  if (calls == nullptr || !calls->is_array()) return;
  for (Json& call : *calls) {
    Json* lines = Find(&call, "lines");
    if (lines == nullptr || !lines->is_array()) continue;
    for (Json& line : *lines) {
      if (line.is_string()) line = WholeLine(*spec, rules, line.get<std::string>());
    }
  }
}

void ReplaceList(Json* list, const Derived& derived, const ListPlace& place) {
  if (list != nullptr && list->is_array()) ItemsIn(list) = Arrange(ItemsIn(list), derived, place);
}

}  // namespace

Json Derive(Json spec, const Rules& rules, FirstError* error) {
  const std::string document(TextOf(spec, "document"));
  for (const char* key : {"attributes", "examples"}) {
    ArrangeAll(Find(&spec, key), {error, json::PointerStep(key)});
    NameClauses(document, Find(&spec, key));
  }
  Json* documents = Find(&spec, "documents");
  for (size_t i = 0; documents != nullptr && documents->is_array() && i < documents->size(); ++i) {
    Json* own = &(*documents)[i];
    if (document.empty() || TextOf(*own, "id") != document) continue;
    ReplaceList(Find(own, "clauses"), DeriveClauses(spec, document, rules),
                {error, "/documents/" + std::to_string(i) + "/clauses"});
  }
  ReplaceList(Find(&spec, "invalid_calls"), DeriveCalls(spec, rules), {error, "/invalid_calls"});
  ArrangeAll(&spec, {error, ""});
  WriteLinesOut(rules, &spec);
  return spec;
}

}  // namespace poolproof::family
