// The example of README.md is a spec: the reader takes it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "conformance/cases/spec.h"
#include "conformance/cases/test_folder.h"

namespace poolproof {
namespace {

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

TEST(SpecReadme, ItsExampleIsRead) {
  const std::filesystem::path root = POOLPROOF_SPECS_FOLDER;
  const std::string readme = ReadText(root / "README.md");
  const std::string_view fence = "```json\n";
  const size_t begin = readme.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const size_t end = readme.find("```", begin + fence.size());
  ASSERT_NE(end, std::string::npos);

  const TestFolder folder;
  folder.Write("example/global_max_pool.json", readme.substr(begin + fence.size(), end - begin - fence.size()));
  folder.Write("discrepancies.json", ReadText(root / "discrepancies.json"));
  Error error;
  const std::optional<Specs> specs = LoadSpecs(folder.Path(), &error);
  ASSERT_TRUE(specs) << error.message;
  ASSERT_EQ(specs->operators.size(), 1u);
  const OperatorSpec& spec = specs->operators[0];
  EXPECT_EQ(spec.functions[0].types.size(), 2u);
  EXPECT_EQ(spec.examples[0].outputs[0].values.size(), 2u);
  for (const Clause& clause : specs->documents[0].clauses) {
    EXPECT_EQ(clause.operators, std::vector<std::string>{spec.id});
  }
}

}  // namespace
}  // namespace poolproof
