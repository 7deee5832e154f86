#include "conformance/results/baseline_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace poolproof {
namespace {

BaselineFile Read(const std::string& text) {
  const std::string path = testing::TempDir() + "baseline-" + std::to_string(getpid()) + ".txt";
  std::ofstream(path, std::ios::binary) << text;
  Error error;
  const auto file = ReadBaselineFile(path, &error);
  EXPECT_TRUE(file) << error.message;
  std::filesystem::remove(path);
  return file.value_or(BaselineFile());
}

// As it is written: blocks by cause, cases by id.
constexpr char kText[] =
    "# poolproof baseline 3\n"
    "# of a library\n"
    "# has: AvgPool-1 f32\n"
    "# has: MaxPool-8 f32 i8\n"
    "# lacks: MaxPool-8 f32 not given(dilations)\n"
    "# lacks: MaxPool-8 f32 rank = 5\n"
    "# random: 600 of seed 1\n"
    "# random: 20000 of seed 7\n"
    "\n"
    "# reason: counted\n"
    "# case: MaxPool-* f16 *\n"
    "# verdict: crash\n"
    "# varies: by=run within=7 why=a race\n"
    "\n"
    "# http://example.org/1\n"
    "# reason: r s\n"
    "# cause: a\n"
    "# also: nan\n"
    "# also: ties\n"
    "# owner: o\n"
    "# expires: 2027-06-30\n"
    "MaxPool-8 f32 in=1x1x3x3 k=2 fill=distinct\tdeviates\tfedcba9876543210\n"
    "MaxPool-8/example-1\tfail\t0123456789abcdef\n"
    "\n"
    "# reason: r\n"
    "# cause: b\n"
    "# varies: by=cpu within=answers why=w\n"
    "MaxPool-8/example-1\tfail\t0000000000000001\n"
    "MaxPool-8/example-1\tfail\t0000000000000002\n";

TEST(BaselineFile, ReadsWhatItWrites) {
  const BaselineFile file = Read(kText);
  EXPECT_EQ(BaselineText(file), kText);
  EXPECT_EQ(BaselineText({}), "# poolproof baseline 3\n");
  EXPECT_EQ(file.offers.at("MaxPool-8").at("f32"), (std::set<std::string>{"not given(dilations)", "rank = 5"}));
  EXPECT_EQ(file.random, (RandomCounts{{1, 600}, {7, 20000}}));
  ASSERT_EQ(file.blocks.size(), 3u);
  EXPECT_EQ(file.CasesOf("MaxPool-8/example-1").size(), 3u);
  EXPECT_EQ(file.CasesOf("MaxPool-8/example-1")[0].answer, 0x0123456789abcdefu);
  EXPECT_TRUE(file.CasesOf("MaxPool-8/example-").empty());
}

TEST(BaselineFile, TakesLinesInAnyOrderAndEmptyLinesAnywhere) {
  const std::string text =
      "# poolproof baseline 3\n\n\n# cause: b\n# reason: r\nb\tfail\t0000000000000001\na\tfail\t0000000000000002\n"
      "# reason: r\n# cause: a\n#\nc\tcrash\t0000000000000003\n \n# has: MaxPool-8 f32\n\n";
  EXPECT_EQ(BaselineText(Read(text)),
            "# poolproof baseline 3\n# has: MaxPool-8 f32\n\n#\n# reason: r\n# cause: a\nc\tcrash\t0000000000000003\n"
            "\n# reason: r\n# cause: b\na\tfail\t0000000000000002\nb\tfail\t0000000000000001\n");
}

TEST(BaselineFile, CountsCasesByVerdictCauseAndPattern) {
  const BaselineFile file = Read(kText);
  const BaselineBlock& block = file.blocks.front();
  EXPECT_TRUE(block.Counts("MaxPool-8 f16 in=1x1x3", Verdict::kCrash, {}));
  EXPECT_FALSE(block.Counts("MaxPool-8 f32 in=1x1x3", Verdict::kCrash, {}));
  EXPECT_FALSE(block.Counts("MaxPool-8 f16 in=1x1x3", Verdict::kFail, {}));
  EXPECT_FALSE(file.blocks.back().Counts("MaxPool-8 f16 in=1x1x3", Verdict::kFail, {"b"}));
  EXPECT_TRUE(file.blocks.back().Takes({"c", "b"}));
  EXPECT_FALSE(file.blocks.back().Takes({"c"}));
  EXPECT_TRUE(file.blocks[1].Takes({"nan"}));
  EXPECT_FALSE(file.blocks[1].Takes({"zero-size"}));
}

}  // namespace
}  // namespace poolproof
