// The specs that are built in: what can be looked up, and the names of the specializations.
#include "conformance/cases/spec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace poolproof {
namespace {

TEST(ElementTypes, NamesAndTypesBelongTogether) {
  std::set<std::string_view> names;
  for (poolproof_element_type type = POOLPROOF_F64; type <= POOLPROOF_FX16; ++type) {
    EXPECT_TRUE(names.insert(ElementTypeName(type)).second);
    EXPECT_EQ(ParseElementType(ElementTypeName(type)), type);
  }
  EXPECT_EQ(ParseElementType("bf16"), POOLPROOF_BF16);
  EXPECT_EQ(ElementSize(POOLPROOF_BF16), 2u);
  EXPECT_EQ(ElementSize(POOLPROOF_U64), 8u);
  EXPECT_EQ(ElementSize(POOLPROOF_FX16), 2u);
  EXPECT_TRUE(IsFloat(POOLPROOF_F16));
  EXPECT_FALSE(IsFloat(POOLPROOF_FX8));
  EXPECT_EQ(ParseElementType("float"), 0);
  EXPECT_EQ(ParseElementType(""), 0);
  EXPECT_EQ(ElementTypeName(0), "?");
  EXPECT_EQ(ElementTypeName(15), "?");
  EXPECT_EQ(ElementSize(-1), 0u);
}

TEST(BuiltInSpecs, AreThoseOfTheFolder) {
  Error error;
  const std::optional<Specs> folder = LoadSpecs(POOLPROOF_SPECS_FOLDER, &error);
  ASSERT_TRUE(folder) << error.message;
  EXPECT_EQ(folder->digest, BuiltInSpecs().digest);
}

TEST(BuiltInSpecs, CanBeLookedUp) {
  const Specs& specs = BuiltInSpecs();
  const OperatorSpec* max_pool = specs.FindOperator("MaxPool-8");
  ASSERT_NE(max_pool, nullptr);
  EXPECT_EQ(max_pool->id, "max_pool_8");
  EXPECT_EQ(max_pool->FindAttribute("pads_begin"), max_pool->FindAttribute("pb"));
  EXPECT_NE(max_pool->FindAttribute("pb"), nullptr);
  EXPECT_EQ(max_pool->FindAttribute("exclude-pad"), nullptr);
  EXPECT_EQ(specs.FindOperator("MaxPool-2"), nullptr);
  EXPECT_EQ(specs.FindOperator("mli_krn_avepool_hwc_fx8")->id, "mli_avepool");
  EXPECT_EQ(specs.FindClause("maxpool-14/axis")->title, "Attributes, axis");
  EXPECT_EQ(specs.FindClause("maxpool-14/none"), nullptr);
  EXPECT_EQ(specs.FindLedger("ties")->kind, "silence");
  EXPECT_EQ(specs.FindLedger("tie"), nullptr);
}

TEST(BuiltInSpecs, HaveAllElementTypesOfTheDocuments) {
  for (const char* name : {"MaxPool-1", "MaxPool-8", "MaxPool-14", "AvgPool-1", "AvgPool-14"}) {
    EXPECT_EQ(BuiltInSpecs().FindOperator(name)->FindFunction(name)->types.size(), 12u) << name;
  }
  for (const char* name : {"AdaptiveMaxPool-8", "AdaptiveAvgPool-8"}) {
    EXPECT_EQ(BuiltInSpecs().FindOperator(name)->FindFunction(name)->types.size(), 4u) << name;
  }
}

// Names that begin with `prefix`, the switching function apart.
int64_t CountVariants(const char* function, std::string_view prefix) {
  const OperatorSpec& spec = *BuiltInSpecs().FindOperator(function);
  return std::count_if(spec.functions.begin(), spec.functions.end(), [&](const Function& f) {
    return f.name.starts_with(prefix) && f.name != prefix.substr(0, prefix.size() - 1);
  });
}

TEST(Specializations, AreAsManyAsTheCodeDeclares) {
  EXPECT_EQ(CountVariants("mli_krn_maxpool_chw_fx8", "mli_krn_maxpool_chw_fx8_"), 78);
  EXPECT_EQ(CountVariants("mli_krn_maxpool_chw_fx16", "mli_krn_maxpool_chw_fx16_"), 78);
  EXPECT_EQ(CountVariants("mli_krn_avepool_chw_fx8", "mli_krn_avepool_chw_fx8_"), 40);
  EXPECT_EQ(CountVariants("mli_krn_avepool_chw_fx16", "mli_krn_avepool_chw_fx16_"), 40);
}

const Function* Find(const std::string& name) {
  const OperatorSpec* spec = BuiltInSpecs().FindOperator(name);
  return spec != nullptr ? spec->FindFunction(name) : nullptr;
}

TEST(Specializations, HaveTheRestrictionsOfTheirNames) {
  const Function* f = Find("mli_krn_maxpool_chw_fx16_k2x2_ch3_str1_krnpad");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->generic, "mli_krn_maxpool_chw_fx16_generic");
  EXPECT_EQ(f->types, std::vector<poolproof_element_type>{POOLPROOF_FX16});
  EXPECT_EQ(f->layout, "CHW");
  EXPECT_FALSE(f->required);
  EXPECT_EQ(f->kernel_width, 2);
  EXPECT_EQ(f->kernel_height, 2);
  EXPECT_EQ(f->channels, 3);
  EXPECT_EQ(f->stride, 1);
  EXPECT_EQ(f->padding, Function::Padding::kKernel);

  f = Find("mli_krn_avepool_chw_fx8_k6x8_str1_nopad");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->kernel_width, 6);
  EXPECT_EQ(f->kernel_height, 8);
  EXPECT_FALSE(f->channels.has_value());
  EXPECT_EQ(f->padding, Function::Padding::kNone);
}

TEST(Specializations, LeaveOpenWhatTheirNamesLeaveOut) {
  const Function* f = Find("mli_krn_maxpool_chw_fx8_k1xn_str1");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->kernel_width, 1);
  EXPECT_FALSE(f->kernel_height.has_value());
  EXPECT_EQ(f->padding, Function::Padding::kAny);

  f = Find("mli_krn_maxpool_chw_fx8_ch1_str1");
  ASSERT_NE(f, nullptr);
  EXPECT_FALSE(f->kernel_width.has_value());
  EXPECT_EQ(f->channels, 1);

  f = Find("mli_krn_avepool_chw_fx16_k10x10_krnpad");
  ASSERT_NE(f, nullptr);
  EXPECT_FALSE(f->stride.has_value());
  EXPECT_EQ(f->padding, Function::Padding::kAny);
  EXPECT_EQ(Find("mli_krn_avepool_chw_fx8_k4x6_str1_nopad"), nullptr);
  EXPECT_EQ(Find("mli_krn_maxpool_chw_fx8_k11x11_str1_nopad"), nullptr);
}

TEST(Specializations, OnlyThemselvesAreOptional) {
  for (const char* name : {"mli_krn_maxpool_chw_fx8", "mli_krn_maxpool_hwc_fx16", "mli_krn_avepool_chw_fx16_generic"}) {
    ASSERT_NE(Find(name), nullptr) << name;
    EXPECT_TRUE(Find(name)->required) << name;
  }
}

}  // namespace
}  // namespace poolproof
