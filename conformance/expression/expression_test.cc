#include "conformance/expression/expression.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace poolproof::expression {
namespace {

enum : size_t { kOp, kRank, kSize, kKernel, kPad, kRounding, kExclude, kTouched, kMissing, kBig };
const Vocabulary kNames = {
    {"op", Kind::kWord, false, {"MaxPool-8", "AvgPool-1"}},
    {"rank", Kind::kNumber, false, {}},
    {"size", Kind::kNumber, true, {}},
    {"kernel", Kind::kNumber, true, {}},
    {"pad_begin", Kind::kNumber, true, {}},
    {"rounding_type", Kind::kWord, false, {}},
    {"exclude_pad", Kind::kTruth, false, {}},
    {"touched", Kind::kWords, false, {}},
    {"missing", Kind::kNumber, false, {}},
    {"big", Kind::kNumber, false, {}},
};

// MaxPool-8 over 7x9 with kernel 3x2, pad_begin 1x0, rounding_type floor.
class Pool : public Subject {
 public:
  Value ValueOf(size_t name, int axis) const override {
    const auto at = [&](int64_t a, int64_t b) { return Value::Of(axis == 0 ? a : b); };
    switch (name) {
      case kOp: return Value::Of(std::string_view("MaxPool-8"));
      case kRank: return Value::Of(int64_t{4});
      case kSize: return at(7, 9);
      case kKernel: return at(3, 2);
      case kPad: return at(1, 0);
      case kRounding: return Value::Of(std::string_view("floor"));
      case kExclude: return Value::Of(int64_t{1});
      case kBig: return Value::Of(INT64_MAX);
      default: return {};
    }
  }
  int Axes() const override { return 2; }
  bool IsGiven(size_t name) const override { return name != kPad; }
  bool Has(size_t, std::string_view word) const override { return word == "ties" || word == "nan"; }
};

bool Holds(const char* text) {
  Error error;
  const auto condition = Expression::Condition(kNames, text, &error);
  EXPECT_TRUE(condition) << text << ": " << error.message;
  return condition && condition->Holds(Pool());
}

std::optional<int64_t> NumberOf(const char* text, int axis = 0) {
  Error error;
  const auto formula = Expression::Formula(kNames, text, &error);
  EXPECT_TRUE(formula) << text << ": " << error.message;
  return formula ? formula->NumberAt(Pool(), axis) : std::nullopt;
}

std::string Refusal(std::string_view text) {
  Error error;
  EXPECT_FALSE(Expression::Condition(kNames, text, &error)) << text;
  return error.message;
}

TEST(Expression, Conditions) {
  for (const char* text : {"op = MaxPool-8",
                           "op in {AvgPool-1, MaxPool-8}",
                           "rank = 4 and op != AvgPool-1",
                           "any(kernel = 2)",
                           "all(kernel >= 2)",
                           "kernel[0] = 3",
                           "size[-1] = 9",
                           "size[rank - 4] = 7",
                           "rounding_type = \"floor\"",
                           "rounding_type = floor",
                           "exclude_pad",
                           "exclude_pad = true",
                           "not not exclude_pad",
                           "ties in touched",
                           "given(kernel)",
                           "not given(pad_begin)",
                           "size[-1] mod 4 = 1",
                           "any(size = 7 and kernel = 3)",
                           "rank in {3, 2 + 2}",
                           "if rank = 4 then exclude_pad else false",
                           "rank = 5 or rank = 4",
                           "min(rank, 3) = 3 and max(rank, 3) = 4"}) {
    EXPECT_TRUE(Holds(text)) << text;
  }
  for (const char* text : {"op = AvgPool-1", "all(kernel = 3)", "any(size = 7 and kernel = 2)", "kernel[2] = 3",
                           "\"signed-zero\" in touched", "rank < 4", "rank > 4 or rank != 4", "not exclude_pad"}) {
    EXPECT_FALSE(Holds(text)) << text;
  }
}

TEST(Expression, Formulas) {
  EXPECT_EQ(NumberOf("floor((size + pad_begin - kernel) / 2) + 1"), 3);
  EXPECT_EQ(NumberOf("ceil((size - kernel) / 2) + 1", 1), 5);
  EXPECT_EQ(NumberOf("2 + 3 * 4 - 10 mod 4"), 12);
  EXPECT_EQ(NumberOf("10 - 3 - 2"), 5);
  EXPECT_EQ(NumberOf("floor(-7 / 2)"), -4);
  EXPECT_EQ(NumberOf("ceil(-7 / 2)"), -3);
  EXPECT_EQ(NumberOf("-7 mod 4"), 1);
  EXPECT_EQ(NumberOf("abs(-7) + abs(7)"), 14);
  EXPECT_EQ(NumberOf("if kernel = 3 then 1 else 2", 0), 1);
  EXPECT_EQ(NumberOf("if kernel = 3 then 1 else 2", 1), 2);
  EXPECT_EQ(NumberOf("if any(kernel = 3) and not all(kernel = 3) then kernel else 0", 1), 2);
}

TEST(Expression, WhatHasNoValueDoesNotHold) {
  for (const char* text : {"floor(1 / 0)", "1 mod 0", "floor(1 / -2)", "big + 1", "-big - 2", "big * 2", "missing",
                           "abs(-big - 1)", "size[5]", "size[-3]"}) {
    EXPECT_EQ(NumberOf(text), std::nullopt) << text;
  }
  EXPECT_FALSE(Holds("missing = 1"));
  EXPECT_FALSE(Holds("not missing = 1"));
  EXPECT_FALSE(Holds("missing in {1, 2}"));
  EXPECT_TRUE(Holds("missing = 1 or rank = 4"));
  EXPECT_TRUE(Holds("not (missing = 1 and rank = 5)"));
  EXPECT_FALSE(Holds("if missing = 1 then true else true"));
}

TEST(Expression, TextReadsBackAsItself) {
  const std::map<std::string, std::string> texts = {
      {"rank=4 and(op=MaxPool-8 or not exclude_pad)", "rank = 4 and (op = MaxPool-8 or not exclude_pad)"},
      {"(rank = 4 and exclude_pad) or false", "rank = 4 and exclude_pad or false"},
      {"rank - (3 - 2) = 1", "rank - (3 - 2) = 1"},
      {"rank - 3 - 2 = 1", "rank - 3 - 2 = 1"},
      {"(rank - 1) * 2 mod 3 in {1,-2}", "(rank - 1) * 2 mod 3 in {1, -2}"},
      {"any(floor((size+1)/kernel)=2)", "any(floor((size + 1) / kernel) = 2)"},
      {"rounding_type = rank", "rounding_type = \"rank\""},
      {"\"two words\" in touched", "\"two words\" in touched"},
      {"(if exclude_pad then 1 else 2) = abs(size[(1)])", "(if exclude_pad then 1 else 2) = abs(size[1])"},
      {"(rank = 4) = (rank = 5)", "(rank = 4) = (rank = 5)"},
  };
  for (const auto& [text, canonical] : texts) {
    Error error;
    const auto once = Expression::Condition(kNames, text, &error);
    ASSERT_TRUE(once) << text << ": " << error.message;
    EXPECT_EQ(once->Text(), canonical);
    const auto twice = Expression::Condition(kNames, once->Text(), &error);
    ASSERT_TRUE(twice) << once->Text() << ": " << error.message;
    EXPECT_EQ(twice->Text(), canonical);
  }
}

TEST(Expression, TextWithValues) {
  Error error;
  const auto formula = Expression::Formula(kNames, "floor((size + pad_begin - kernel) / 2) + missing", &error);
  ASSERT_TRUE(formula) << error.message;
  EXPECT_EQ(formula->TextWithValues(Pool(), 0), "floor((7 + 1 - 3) / 2) + ?");
  const auto branches = Expression::Formula(kNames, "2 * (if rank = 4 then size + 1 else 0)", &error);
  ASSERT_TRUE(branches) << error.message;
  EXPECT_EQ(branches->TextWithValues(Pool(), 0), "2 * (7 + 1)");
}

TEST(Expression, RefusalsNameColumnAndWord) {
  const std::map<std::string, std::string> texts = {
      {"rnk = 4", "column 1: there is no name \"rnk\" (nearest: rank)"},
      {"rank = for", "column 8: there is no name \"for\" (nearest: op)"},
      {"op = MaxPol-8", "column 6: \"MaxPol-8\" is no op (nearest: MaxPool-8)"},
      {"op in {MaxPool-8, AvgPool-2}", "column 19: \"AvgPool-2\" is no op (nearest: AvgPool-1)"},
      {"any(kernl = 3)", "column 5: there is no name \"kernl\" (nearest: kernel)"},
      {"kernel = 3", "column 1: kernel has a value for each axis: any(kernel ...), all(kernel ...) or kernel[0]"},
      {"any(any(kernel = 3))", "column 5: an axis is chosen already"},
      {"rank = 4 rank", "column 10: \"rank\" follows the end"},
      {"rank =", "column 7: the text ends early"},
      {"rank", "column 1: a condition is expected, not a number"},
      {"rank = 4 and 3", "column 14: a condition is expected, not a number"},
      {"op < 3", "column 1: a number is expected, not a word"},
      {"(rank = 4", "column 10: \")\" is expected, not \"\""},
      {"rank = 99999999999999999999", "column 8: the number does not fit into 64 bits"},
      {"rank = 4 / 2", "column 10: \"/ 2\" follows the end"},
      {"floor(rank) = 2", "column 11: \"/\" is expected, not \") = 2\""},
      {"touched = nan", "column 1: touched is a set, of which WORD in touched asks"},
      {"nan in rank", "column 8: \"rank\" is no set of words"},
      {"nan in {rank}", "column 1: there is no name \"nan\" (nearest: rank)"},
      {"given(wide)", "column 7: there is no name \"wide\" (nearest: size)"},
      {"op = \"MaxPool", "column 6: the quotation mark has no second one"},
      {"rank = and", "column 8: \"and\" begins no value"},
      {"some(kernel = 3)", "column 1: there is no function \"some\": any all given floor ceil min max abs"},
      {"rank = $", "column 8: \"$\" begins no value"},
  };
  for (const auto& [text, refusal] : texts) EXPECT_EQ(Refusal(text), refusal) << text;
  EXPECT_EQ(Refusal(std::string(5000, 'a')), "column 1: the text is longer than 4096 bytes");
  EXPECT_NE(Refusal(std::string(300, '(')).find("is nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace poolproof::expression
