// The problem lines inside the specs: each is read, is in canonical form, and gets the answer that
// the documents require of it.
#include <gtest/gtest.h>

#include <set>

#include "conformance/cases/spec.h"
#include "specs/run_reference.h"

namespace poolproof {
namespace {

// The words that a line without data has in canonical form beyond those of a spec.
constexpr std::string_view kDefaultFill = " fill=distinct seed=0";

void ExpectCanonical(const std::string& line) {
  Error error;
  const std::optional<Problem> problem = ParseLine(BuiltInSpecs(), line, &error);
  ASSERT_TRUE(problem) << line << ": " << error.message;
  const bool filled = line.find(" fill=") != std::string::npos;
  EXPECT_EQ(PrintLine(*problem), line + std::string(filled ? "" : kDefaultFill));
}

TEST(SpecLines, AreCanonical) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Example& example : spec.examples) {
      ExpectCanonical(example.line);
      if (!example.printed_line.empty()) ExpectCanonical(example.printed_line);
    }
    for (const InvalidCall& call : spec.invalid_calls) {
      for (const std::string& line : call.lines) ExpectCanonical(line);
    }
  }
}

TEST(SpecLines, InvalidCallsAreInvalid) {
  Error error;
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const InvalidCall& call : spec.invalid_calls) {
      for (const std::string& line : call.lines) {
        const std::optional<Problem> problem = ParseLine(BuiltInSpecs(), line, &error);
        ASSERT_TRUE(problem) << line << ": " << error.message;
        EXPECT_EQ(problem->spec, &spec) << line;
        const ReferenceAnswer answer = RunReference(*problem);
        EXPECT_EQ(answer.status, POOLPROOF_INVALID_ARGUMENT) << call.rule << ": " << line;
        EXPECT_FALSE(answer.error.empty()) << line;
      }
    }
  }
}

TEST(SpecLines, SilencesOfInvalidCallsAreSilencesOfTheLedger) {
  const std::set<std::string> silences = {
      "zero-size",      "adaptive-size-zero", "index-overflow",  "mli-release-checks",  "onnx-ranges",
      "onnx-no-window", "torch-ranges",       "torch-no-window", "torch-divisor-range", "torch-lp-power"};
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const InvalidCall& call : spec.invalid_calls) {
      if (call.ledger.empty()) continue;
      const LedgerEntry* entry = BuiltInSpecs().FindLedger(call.ledger);
      ASSERT_NE(entry, nullptr) << call.ledger;
      EXPECT_EQ(entry->kind == "silence", silences.contains(entry->id)) << call.rule;
      EXPECT_EQ(entry->readings.front().name, "reject") << call.rule;
    }
  }
}

// An invalid call breaks one rule and is valid otherwise. Shown for the rule whose lines look valid.
TEST(SpecLines, CapacityIsAllThatIsWrongWithItsLines) {
  Error error;
  int lines = 0;
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const InvalidCall& call : spec.invalid_calls) {
      if (call.rule != "capacity") continue;
      for (const std::string& line : call.lines) {
        std::optional<Problem> problem = ParseLine(BuiltInSpecs(), line, &error);
        ASSERT_TRUE(problem) << error.message;
        EXPECT_EQ(problem->capacity, -1) << line;
        problem->capacity = 0;
        EXPECT_EQ(RunReference(*problem).status, POOLPROOF_OK) << line;
        ++lines;
      }
    }
  }
  EXPECT_GE(lines, static_cast<int>(BuiltInSpecs().operators.size()));
}

bool HasRule(const OperatorSpec& spec, const std::string& rule) {
  for (const InvalidCall& call : spec.invalid_calls) {
    if (call.rule == rule) return true;
  }
  return false;
}

TEST(SpecLines, EveryAttributeHasRulesForWhatItExcludes) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const char* rule : {"rank-2", "element-type", "capacity"}) {
      const bool any_rank = spec.functions.front().any_rank && std::string_view(rule) == "rank-2";
      EXPECT_EQ(HasRule(spec, rule), !any_rank) << spec.id << " " << rule;
    }
    for (const AttributeSpec& attribute : spec.attributes) {
      const auto expect = [&](const char* rule) {
        EXPECT_TRUE(HasRule(spec, rule)) << spec.id << " " << attribute.name << " " << rule;
      };
      if (attribute.role == Role::kRounding && attribute.call_kind == POOLPROOF_WORD) expect("unknown-rounding");
      if (attribute.role == Role::kAutoPad) expect("unknown-auto-pad");
      if (attribute.role == Role::kIndexType) expect("unknown-index-type");
      if (attribute.role == Role::kAxis) expect("axis-below");
      if (attribute.role == Role::kAxis) expect("axis-above");
      if (attribute.role == Role::kKernel) expect("kernel-zero");
      if (attribute.role == Role::kDilation) expect("dilation-zero");
    }
  }
}

}  // namespace
}  // namespace poolproof
