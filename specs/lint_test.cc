// Rules of the specs that a schema cannot say: ids are unique, whatever is named exists, texts are texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "conformance/cases/spec.h"

namespace poolproof {
namespace {

// Keys of a problem line that belong to no attribute.
const std::set<std::string> kReservedKeys = {"in", "sizes", "sizestype", "frac", "fill", "seed", "data", "capacity"};

// Calls visit(clause id, what names it) for every place of an operator that names a clause.
template <typename Visit>
void ForEachClauseReference(const OperatorSpec& spec, const Visit& visit) {
  for (const Function& function : spec.functions) visit(function.clause, function.name);
  for (const InputSpec& input : spec.inputs) visit(input.clause, input.name);
  for (const OutputSpec& output : spec.outputs) {
    visit(output.clause, output.name);
    visit(output.value_clause, output.name);
  }
  for (const AttributeSpec& attribute : spec.attributes) visit(attribute.clause, attribute.name);
  for (const Example& example : spec.examples) visit(example.clause, example.id);
  for (const InvalidCall& call : spec.invalid_calls) visit(call.clause, call.rule);
}

class Ids {
 public:
  explicit Ids(std::string what) : what_(std::move(what)) {}
  void Add(const std::string& id) { EXPECT_TRUE(seen_.insert(id).second) << what_ << " occurs twice: " << id; }

 private:
  std::string what_;
  std::set<std::string> seen_;
};

TEST(SpecLint, IdsAreUnique) {
  Ids documents("document"), clauses("clause"), ledger("ledger entry"), specs("operator"), functions("function");
  for (const Document& document : BuiltInSpecs().documents) {
    documents.Add(document.id);
    for (const Clause& clause : document.clauses) clauses.Add(clause.id);
  }
  for (const LedgerEntry& entry : BuiltInSpecs().ledger) ledger.Add(entry.id);
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    specs.Add(spec.id);
    for (const Function& function : spec.functions) functions.Add(function.name);
  }
}

TEST(SpecLint, NamesInsideAnOperatorAreUnique) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    Ids names(spec.id + " attribute"), examples(spec.id + " example"), rules(spec.id + " rule"),
        lines(spec.id + " line");
    for (const AttributeSpec& attribute : spec.attributes) {
      names.Add(attribute.name);
      if (attribute.key != attribute.name) names.Add(attribute.key);
      EXPECT_FALSE(kReservedKeys.contains(attribute.key)) << spec.id << " " << attribute.key;
    }
    for (const Example& example : spec.examples) examples.Add(example.id);
    for (const InvalidCall& call : spec.invalid_calls) {
      rules.Add(call.rule);
      for (const std::string& line : call.lines) lines.Add(line);
    }
  }
}

TEST(SpecLint, ClausesStandInTheirDocument) {
  for (const Document& document : BuiltInSpecs().documents) {
    for (const Clause& clause : document.clauses) {
      EXPECT_TRUE(clause.id.starts_with(document.id + "/")) << clause.id;
      EXPECT_FALSE(clause.exercised_by.empty()) << clause.id;
    }
  }
}

TEST(SpecLint, ClausesThatAreNamedExist) {
  const Specs& specs = BuiltInSpecs();
  for (const OperatorSpec& spec : specs.operators) {
    ForEachClauseReference(spec, [&](const std::string& id, const std::string& by) {
      EXPECT_NE(specs.FindClause(id), nullptr) << spec.id << ", " << by << ": " << id;
    });
  }
  for (const LedgerEntry& entry : specs.ledger) {
    for (const std::string& id : entry.clauses) {
      EXPECT_NE(specs.FindClause(id), nullptr) << entry.id << ": " << id;
    }
  }
}

TEST(SpecLint, DocumentsThatAreNamedExist) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    EXPECT_TRUE(std::any_of(BuiltInSpecs().documents.begin(), BuiltInSpecs().documents.end(),
                            [&](const Document& d) { return d.id == spec.document; }))
        << spec.id << ": " << spec.document;
  }
}

TEST(SpecLint, LedgerEntriesThatAreNamedExist) {
  const auto check = [](const std::string& id, const std::string& by) {
    EXPECT_NE(BuiltInSpecs().FindLedger(id), nullptr) << by << ": " << id;
  };
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Example& example : spec.examples) {
      for (const std::string& id : example.ledger) check(id, spec.id + " " + example.id);
    }
    for (const InvalidCall& call : spec.invalid_calls) {
      if (!call.ledger.empty()) check(call.ledger, spec.id + " " + call.rule);
    }
  }
}

TEST(SpecLint, EveryLedgerEntryConcernsAnOperator) {
  for (const LedgerEntry& entry : BuiltInSpecs().ledger) {
    EXPECT_TRUE(std::any_of(entry.clauses.begin(), entry.clauses.end(), [&](const std::string& id) {
      const Clause* clause = BuiltInSpecs().FindClause(id);
      return clause != nullptr && !clause->operators.empty();
    })) << entry.id;
  }
}

TEST(SpecLint, GenericFunctionsExist) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Function& function : spec.functions) {
      if (function.generic.empty()) continue;
      const Function* generic = spec.FindFunction(function.generic);
      ASSERT_NE(generic, nullptr) << function.name;
      EXPECT_EQ(generic->types, function.types) << function.name;
      EXPECT_EQ(generic->layout, function.layout) << function.name;
    }
  }
}

void CheckRange(const OperatorSpec& spec, const AttributeSpec& attribute) {
  const std::string name = spec.id + " " + attribute.name;
  if (attribute.valid_min) {
    EXPECT_GE(*attribute.valid_min, attribute.min.value()) << name;
  }
  for (int64_t value : attribute.boundaries) {
    if (attribute.range_is_rank) continue;
    EXPECT_GE(value, attribute.valid_min.value_or(attribute.min.value())) << name;
    EXPECT_LE(value, attribute.max.value_or(INT64_MAX)) << name;
  }
}

TEST(SpecLint, AttributesAreConsistent) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const AttributeSpec& attribute : spec.attributes) {
      const std::string name = spec.id + " " + attribute.name;
      const bool number = attribute.type == AttributeType::kInt || attribute.type == AttributeType::kIntList;
      const bool has_default =
          attribute.default_integer || !attribute.default_word.empty() || attribute.default_is_kernel;
      // A divisor replaces what is counted, of which there is no number by default.
      EXPECT_NE(has_default, attribute.required || attribute.role == Role::kDivisor) << name;
      EXPECT_EQ(number, attribute.min.has_value() || attribute.range_is_rank) << name;
      EXPECT_EQ(number, !attribute.boundaries.empty()) << name;
      if (number) CheckRange(spec, attribute);
      const std::vector<std::string>& words = attribute.words;
      EXPECT_EQ(attribute.type == AttributeType::kWord, !words.empty()) << name;
      if (!attribute.default_word.empty()) {
        EXPECT_NE(std::find(words.begin(), words.end(), attribute.default_word), words.end()) << name;
      }
    }
  }
}

TEST(SpecLint, OutputTypesHaveASource) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const OutputSpec& output : spec.outputs) {
      if (output.type_from == "input" || ParseElementType(output.type_from) != 0) continue;
      const AttributeSpec* attribute = spec.FindAttribute(output.type_from);
      ASSERT_NE(attribute, nullptr) << spec.id << " " << output.name;
      for (const std::string& word : attribute->words) EXPECT_NE(ParseElementType(word), 0) << word;
    }
  }
}

void ExpectSentence(const std::string& text, const std::string& of) {
  EXPECT_GE(text.size(), 10u) << of;
  EXPECT_TRUE(text.ends_with('.')) << of << ": " << text;
  EXPECT_EQ(text.find('{'), text.npos) << of << ": " << text;  // a placeholder that stands for nothing
}

TEST(SpecLint, TextsAreSentences) {
  for (const Document& document : BuiltInSpecs().documents) {
    for (const Clause& clause : document.clauses) ExpectSentence(clause.statement, clause.id);
  }
  for (const LedgerEntry& entry : BuiltInSpecs().ledger) {
    ExpectSentence(entry.evidence, entry.id);
    ExpectSentence(entry.effect, entry.id);
    for (const LedgerReading& reading : entry.readings) {
      EXPECT_TRUE(reading.statement.ends_with('.')) << entry.id << " " << reading.name;
    }
  }
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const InvalidCall& call : spec.invalid_calls) ExpectSentence(call.statement, call.rule);
    for (const Example& example : spec.examples) EXPECT_GE(example.description.size(), 8u);
  }
}

}  // namespace
}  // namespace poolproof
