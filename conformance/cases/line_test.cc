// The line is the case id in every report: it has to carry the whole problem, and a wrong line has
// to be refused with the word that is wrong.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "conformance/cases/fill.h"
#include "conformance/cases/number.h"
#include "conformance/cases/problem.h"
#include "conformance/cases/test_specs.h"

namespace poolproof {
namespace {

std::string Refusal(std::string_view line) {
  Error error;
  EXPECT_FALSE(ParseLine(TestSpecs(), line, &error)) << line;
  return error.message;
}

TEST(LineTest, ReadsEveryKey) {
  const Problem p = Parsed(
      "Pool f32 in=1x3x8x9 k=3x2 s=2 pb=1x0 rounding=ceil exclude=true index=i32 axis=-2 "
      "fill=ties seed=18446744073709551615");
  EXPECT_EQ(p.function->name, "Pool");
  EXPECT_EQ(p.type, POOLPROOF_F32);
  EXPECT_EQ(p.Elements(), 216);
  EXPECT_EQ(p.Find(Role::kKernel)->list[1], 2);
  EXPECT_EQ(p.Find(Role::kStride)->list.size, 2);
  EXPECT_FALSE(p.Find(Role::kPadEnd)->present);
  EXPECT_EQ(p.Find(Role::kExcludePad)->integer, 1);
  EXPECT_EQ(p.Find(Role::kAxis)->integer, -2);
  EXPECT_EQ(p.seed, ~uint64_t{0});
}

TEST(LineTest, OneNumberStandsForAllAxesAndBracketsForJustThatList) {
  EXPECT_EQ(Parsed("Pool f32 in=1x1x4x4x4 k=2").Find(Role::kKernel)->list.size, 3);
  EXPECT_EQ(Parsed("Pool f32 in=1x1x4x4x4 k=[2]").Find(Role::kKernel)->list.size, 1);
  EXPECT_EQ(Parsed("Pool f32 in=1x1x4x4x4 k=2x2").Find(Role::kKernel)->list.size, 2);
  EXPECT_EQ(Parsed("Pool f32 in=1x1x4x4x4 k=[]").Find(Role::kKernel)->list.size, 0);
  EXPECT_EQ(Parsed("Pool f32 in=4x4 k=2").Find(Role::kKernel)->list.size, 1);
}

TEST(LineTest, CanonicalFormIsShortAndKeepsOrder) {
  EXPECT_EQ(PrintLine(Parsed("Pool f32   in=1x1x4x4 seed=3 fill=ties s=2x2 k=[3x2] pb=[1]")),
            "Pool f32 in=1x1x4x4 k=3x2 s=2 pb=[1] fill=ties seed=3");
  EXPECT_EQ(PrintLine(Parsed("Adaptive f16 in=1x1x4x4 sizes=7")),
            "Adaptive f16 in=1x1x4x4 sizes=7 sizestype=i64 fill=distinct seed=0");
  EXPECT_EQ(PrintLine(Parsed("fixed_hwc fx8 in=4x4x1 kw=2 kh=3 frac=7 capacity=-1")),
            "fixed_hwc fx8 in=4x4x1 kw=2 kh=3 frac=7 capacity=-1 fill=distinct seed=0");
}

TEST(LineTest, CapacityIsOneNumberOrOneForEachOutput) {
  const Problem p = Parsed("Pool f32 in=1x1x4 k=2 capacity=0x-1");
  EXPECT_EQ(p.capacity.Room(0, 8), 8);
  EXPECT_EQ(p.capacity.Room(1, 8), 7);
  EXPECT_EQ(p.capacity.Room(1, 0), 0);
  EXPECT_EQ(PrintLine(p), "Pool f32 in=1x1x4 k=2 capacity=0x-1 fill=distinct seed=0");
  EXPECT_EQ(PrintLine(Parsed("Pool f32 in=1x1x4 k=2 capacity=-3x-3")),
            "Pool f32 in=1x1x4 k=2 capacity=-3 fill=distinct seed=0");
  Error error;
  EXPECT_FALSE(ParseLine(TestSpecs(), "Pool f32 in=1x1x4 k=2 capacity=0x0x-1", &error));
  EXPECT_NE(error.message.find("a number for each output"), std::string::npos) << error.message;
}

TEST(LineTest, DataAreKeptExactly) {
  const std::string line = "Pool f32 in=1x1x7 data=1,-2.5,nan,-inf,-0.0,0.1,3.4028235e+38";
  const Problem p = Parsed(line);
  EXPECT_EQ(PrintLine(p), line);
  EXPECT_TRUE(std::signbit(p.data[4]));
  EXPECT_EQ(p.data[5], Number{0.1f});
  EXPECT_EQ(Parsed("Pool u64 in=1x1x1 data=18446744073709551615").data[0], Number{0x1p64L - 1});
}

TEST(LineTest, RefusalsNameWordAndPlace) {
  const std::string pool = "Pool f32 in=1x1x4x4 ";
  EXPECT_EQ(Refusal(""), "the line ends before the operator, its first word");
  EXPECT_EQ(Refusal("Pol f32 in=1x1x4x4"), "word 1 (column 1), 'Pol': no operator of this name; is Pool meant?");
  EXPECT_NE(Refusal("Convolution f32 in=1x1x4x4").find("; the command 'list' names them"), std::string::npos);
  EXPECT_NE(Refusal("Pool f31 in=1x1x4x4").find("word 2 (column 6), 'f31'"), std::string::npos);
  EXPECT_NE(Refusal("Pool f32 k=2").find("the third word is the shape"), std::string::npos);
  EXPECT_NE(Refusal("Pool f32 in=1x-1x4").find("at least 0"), std::string::npos);
  EXPECT_NE(Refusal(pool + "k=2 k=3").find("'k=3': the key was given before"), std::string::npos);
  EXPECT_NE(Refusal(pool + "q=2").find("no such key; allowed are k s d pb pe"), std::string::npos);
  EXPECT_NE(Refusal(pool + "kernl=2").find("no such key; is k meant, for kernel?; allowed are"), std::string::npos);
  EXPECT_NE(Refusal(pool + "fill=distict").find("no such fill; is distinct meant?; one of"), std::string::npos);
  EXPECT_NE(Refusal(pool + "sizes=2").find("no such key"), std::string::npos);
  EXPECT_NE(Refusal(pool + "k=").find("the value is empty"), std::string::npos);
  EXPECT_NE(Refusal(pool + "=3").find("key=value"), std::string::npos);
  EXPECT_NE(Refusal(pool + "k").find("key=value"), std::string::npos);
  EXPECT_NE(Refusal(pool + "k=3x").find("'' is no integer"), std::string::npos);
  EXPECT_NE(Refusal(pool + "k=9223372036854775808").find("64 bits"), std::string::npos);
  EXPECT_NE(Refusal(pool + "axis=1.5").find("integer"), std::string::npos);
  EXPECT_NE(Refusal(pool + "exclude=1").find("true or false"), std::string::npos);
  EXPECT_NE(Refusal(pool + "k=1x1x1x1x1x1x1x1x1").find("at most 8"), std::string::npos);
  EXPECT_NE(Refusal(pool + "fill=zeros").find("one of distinct ties"), std::string::npos);
  EXPECT_NE(Refusal(pool + "seed=-1").find("2^64"), std::string::npos);
  EXPECT_NE(Refusal(pool + "data=1,2").find("16 elements, the data 2"), std::string::npos);
  EXPECT_NE(Refusal("Pool u8 in=1x1x1 data=256").find("no value of the"), std::string::npos);
  EXPECT_NE(Refusal("Pool f32 in=1x1x1 data=infinity").find("no number"), std::string::npos);
  EXPECT_NE(Refusal("Adaptive f32 in=1x1x4").find("ends before the key sizes"), std::string::npos);
  EXPECT_NE(Refusal("Adaptive f32 in=1x1x4 sizes=4294967296 sizestype=i32").find("i32"), std::string::npos);
}

TEST(LineTest, LongLinesAreRefusedAndQuotedInPart) {
  EXPECT_NE(Refusal(std::string(2 << 20, 'a')).find("at most 1048576"), std::string::npos);
  EXPECT_LT(Refusal("Pool f32 in=1x1x4 " + std::string(100000, 'a')).size(), 200u);
}

IntList SomeList(size_t size, int64_t from, int64_t to) {
  IntList list;
  for (size_t i = 0; i < size; ++i) list.push_back(*rc::gen::inRange(from, to));
  return list;
}

AttributeValue SomeValue(const AttributeSpec& spec) {
  AttributeValue value;
  value.present = *rc::gen::arbitrary<bool>();
  if (!value.present) return value;
  switch (spec.type) {
    case AttributeType::kInt: value.integer = *rc::gen::arbitrary<int64_t>(); break;
    case AttributeType::kBool: value.integer = *rc::gen::inRange(0, 2); break;
    case AttributeType::kIntList: value.list = SomeList(*rc::gen::inRange<size_t>(0, 9), -2, 3); break;
    case AttributeType::kWord: value.word = *rc::gen::element<std::string>("ceil", "x", "[]"); break;
  }
  return value;
}

// Any problem that a line can say, valid or not.
Problem SomeProblem() {
  Problem p;
  p.spec = &TestSpecs().operators[*rc::gen::inRange<size_t>(0, TestSpecs().operators.size())];
  p.function = &p.spec->functions[*rc::gen::inRange<size_t>(0, p.spec->functions.size())];
  p.type = *rc::gen::inRange(1, 15);
  p.shape = SomeList(*rc::gen::inRange<size_t>(0, 9), 0, 3);
  for (size_t i = 0; i < p.spec->attributes.size(); ++i) {
    p.attributes[i] = SomeValue(p.spec->attributes[i]);
  }
  if (p.HasSizes()) {
    p.sizes = SomeList(*rc::gen::inRange<size_t>(0, 9), -1, 9);
    p.sizes_type = *rc::gen::element<poolproof_element_type>(POOLPROOF_I32, POOLPROOF_I64);
  }
  p.frac_bits = *rc::gen::arbitrary<int32_t>();
  for (size_t i = 0; i < kMaxOutputs; ++i) {
    p.capacity.more[i] = i < p.spec->outputs.size() ? *rc::gen::arbitrary<int64_t>() : p.capacity.more[0];
  }
  p.fill = std::string(*rc::gen::elementOf(std::vector<std::string_view>(FillNames().begin(), FillNames().end())));
  p.seed = *rc::gen::arbitrary<uint64_t>();
  if (p.Elements() > 0 && *rc::gen::arbitrary<bool>()) {
    std::vector<uint64_t> bytes(static_cast<size_t>(p.Elements()));
    FillInput(p, bytes.data());
    for (int64_t i = 0; i < p.Elements(); ++i) {
      p.data.push_back(ElementAsNumber(p.type, bytes.data(), i));
    }
  }
  return p;
}

bool SameNumber(Number a, Number b) {
  return std::signbit(a) == std::signbit(b) && (std::isnan(a) ? std::isnan(b) : a == b);
}

RC_GTEST_PROP(LineTest, ReadingAPrintedLineGivesTheProblemAgain, ()) {
  const Problem p = SomeProblem();
  const std::string line = PrintLine(p);
  Error error;
  const std::optional<Problem> read = ParseLine(TestSpecs(), line, &error);
  if (!read) RC_FAIL(line + ": " + error.message);
  RC_ASSERT(read->spec == p.spec && read->function == p.function && read->type == p.type);
  RC_ASSERT(read->shape == p.shape && read->attributes == p.attributes && read->sizes == p.sizes);
  RC_ASSERT(read->sizes_type == p.sizes_type && read->frac_bits == p.frac_bits);
  RC_ASSERT(read->capacity == p.capacity && read->fill == p.fill && read->seed == p.seed);
  RC_ASSERT(std::equal(p.data.begin(), p.data.end(), read->data.begin(), read->data.end(), SameNumber));
  RC_ASSERT(PrintLine(*read) == line);
}

}  // namespace
}  // namespace poolproof
