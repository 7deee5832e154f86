// Specs that extend another one, and what is derived: the expanded forms, and the sentence for each mistake.
#include <gtest/gtest.h>

#include "conformance/cases/assemble.h"
#include "conformance/cases/test_folder.h"

namespace poolproof {
namespace {

constexpr std::string_view kBase = R"({"id": "pool_1", "title": "Pool-1", "document": "pool-1",
  "documents": [{"id": "pool-1", "title": "Pool-1", "version": "1", "link": "https://example.org",
    "clauses": [
      {"id": "pool-1/value", "title": "Value", "statement": "The largest.", "exercised_by": "true"},
      {"id": "pool-1/kernel", "statement": "The size of the window."},
      {"id": "pool-1/input", "title": "Input", "statement": "Three axes.", "exercised_by": "true"}]}],
  "functions": [{"name": "Pool-1", "layout": "NC...", "types": ["f32"], "clause": "pool-1/value"}],
  "min_rank": 3, "max_rank": 3,
  "inputs": [{"name": "data", "clause": "pool-1/input"}],
  "outputs": [{"name": "values", "compare": "exact", "type_from": "input", "clause": "pool-1/value"}],
  "attributes": [{"name": "kernel", "key": "k", "type": "int list", "role": "kernel",
    "required": true, "min": 1, "boundaries": [1, 2]}],
  "examples": [],
  "invalid_calls": [{"rule": "two-axes", "after": "kernel-zero", "clause": "pool-1/input",
    "statement": "An input of two axes.", "lines": ["in=5x5"]}]})";

constexpr std::string_view kRules = R"json({"plain": {"type": "f32", "in": "1x1x5", "kernel": "2", "stride": "1"},
  "clauses": [
    {"when": {"type": ["int list"]}, "id": "{clause}", "title": "Attributes, {name}",
     "exercised_by": "any({name} >= {above})"},
    {"has": ["min"], "lacks": ["default"], "id": "{clause}-range", "title": "Range of {name}",
     "statement": "From {min}.", "exercised_by": "rule = {role}-zero"}],
  "examples": {},
  "invalid_calls": [
    [{"when": {"role": ["kernel", "stride"]}, "rule": "{role}-zero", "clause": "{clause}-range",
      "statement": "A {role} of 0.", "lines": ["{key}=0", "{key}={plain}x0"]}],
    [{"of_operator": true, "rule": "no-kernel", "clause": "{input}", "statement": "Without a kernel.",
      "lines": ["-k", "*=[] capacity=-1", "Pool-9 f32 in=1x1x5"]}]]})json";

class FamilyTest : public testing::Test {
 protected:
  FamilyTest() {
    folder_.Write("documents.json", R"({"documents": []})");
    folder_.Write("discrepancies.json", R"({"discrepancies": []})");
    folder_.Write("derived.json", kRules);
    folder_.Write("a/pool_1.json", kBase);
  }
  // The message after a/pool_2.json became this, without the path of the folder.
  std::string MessageFor(std::string_view text) {
    folder_.Write("a/pool_2.json", text);
    Error error;
    specs_ = LoadSpecs(folder_.Path(), &error);
    const std::string folder = folder_.Path() + "/";
    return error.message.starts_with(folder) ? error.message.substr(folder.size()) : error.message;
  }
  std::string MessageWith(const std::string& differences) {
    return MessageFor(R"({"id": "pool_2", "extends": "pool_1", "rename": {"pool-1": "pool-2", "Pool-1": "Pool-2"}, )" +
                      differences + "}");
  }
  const OperatorSpec& Made() { return *specs_->FindOperator("Pool-2"); }
  std::vector<std::string> Clauses() {
    std::vector<std::string> ids;
    for (const Clause& clause : specs_->documents.back().clauses) ids.push_back(clause.id);
    return ids;
  }

  TestFolder folder_;
  std::optional<Specs> specs_;
};

TEST_F(FamilyTest, WhatFollowsStandsAtItsPlaceAndWhatIsStatedWins) {
  ASSERT_EQ(MessageWith(R"("invalid_calls": {"change": []})"), "");
  EXPECT_EQ(Clauses(),
            (std::vector<std::string>{"pool-2/value", "pool-2/kernel", "pool-2/kernel-range", "pool-2/input"}));
  const std::vector<Clause>& clauses = specs_->documents.back().clauses;
  EXPECT_EQ(clauses[1].title, "Attributes, kernel");
  EXPECT_EQ(clauses[1].statement, "The size of the window.");
  EXPECT_EQ(clauses[1].exercised_by, "any(kernel >= 2)");
  EXPECT_EQ(clauses[2].statement, "From 1.");
  EXPECT_EQ(Made().attributes[0].clause, "pool-2/kernel");
  const std::vector<InvalidCall>& calls = Made().invalid_calls;
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].lines, (std::vector<std::string>{"Pool-2 f32 in=1x1x5 k=0", "Pool-2 f32 in=1x1x5 k=2x0"}));
  EXPECT_EQ(calls[1].rule, "two-axes");
  EXPECT_EQ(calls[1].lines, (std::vector<std::string>{"Pool-2 f32 in=5x5 k=2"}));
  EXPECT_EQ(calls[2].lines, (std::vector<std::string>{"Pool-2 f32 in=1x1x5", "Pool-2 f32 in=1x1x5 k=[] capacity=-1",
                                                      "Pool-9 f32 in=1x1x5"}));
}

TEST_F(FamilyTest, DifferencesAreMadeEntryByEntry) {
  ASSERT_EQ(MessageWith(R"("documents": {"change": [{"id": "pool-2", "version": "2", "clauses": {
      "remove": ["pool-2/value"], "change": [{"id": "pool-2/input", "statement": "No axis."}],
      "add": [{"id": "pool-2/a", "after": "pool-2/kernel", "title": "A", "statement": "A.", "exercised_by": "true"},
              {"id": "pool-2/b", "title": "B", "statement": "B.", "exercised_by": "true"}]}}]},
      "max_rank": 4, "functions": {"change": [{"name": "Pool-2", "types": {"add": ["f16"]}}]},
      "attributes": {"change": [{"name": "kernel", "boundaries": [3]}],
        "add": [{"name": "strides", "key": "s", "type": "int list", "role": "stride", "required": true, "min": 0,
                 "boundaries": [1], "clause": "pool-2/a"}]},
      "invalid_calls": {"add": [{"rule": "kernel-zero", "lines": {"add": ["k=7"]}}]})"),
            "");
  EXPECT_EQ(Clauses(), (std::vector<std::string>{"pool-2/kernel", "pool-2/a", "pool-2/b", "pool-2/kernel-range",
                                                 "pool-2/a-range", "pool-2/input"}));
  EXPECT_EQ(specs_->documents.back().version, "2");
  EXPECT_EQ(Made().functions[0].types.size(), 2u);
  EXPECT_EQ(Made().max_rank, 4);
  EXPECT_EQ(Made().attributes[0].boundaries, std::vector<int64_t>{3});
  EXPECT_EQ(Made().invalid_calls[0].lines.back(), "Pool-2 f32 in=1x1x5 k=7 s=1");
  EXPECT_EQ(specs_->FindOperator("Pool-1")->attributes.size(), 1u);
}

TEST_F(FamilyTest, MistakesInDifferences) {
  const std::string file = "a/pool_2.json, ";
  EXPECT_EQ(MessageWith(R"("examples": {"remove": ["1"]})"), file + "/examples/remove/0: there is no \"1\" to remove");
  EXPECT_EQ(MessageWith(R"("attributes": {"change": [{"name": "k"}]})"),
            file + "/attributes/change/0: there is no \"k\" to change");
  EXPECT_EQ(MessageWith(R"("attributes": {"add": [{"name": "kernel"}]})"),
            file + "/attributes/add/0: there is a \"kernel\" already; \"change\" changes it");
  EXPECT_EQ(MessageWith(R"("attributes": {"changes": []})"),
            file + "/attributes: the key \"changes\" is unknown; known here are \"remove\", \"change\", \"add\"");
  EXPECT_EQ(MessageWith(R"("attribute": [])").substr(0, 74),
            file + "expanded, top level: the key \"attribute\" is unknown; known ");
  EXPECT_EQ(MessageWith(R"("attributes": {"change": [{"name": "kernel", "min": "one"}]})"),
            file + "expanded, /attributes/kernel/min: \"one\" is not an integer");
  EXPECT_EQ(MessageWith(R"("invalid_calls": {"change": [{"rule": "two-axes", "after": "none"}]})"),
            file + "expanded, /invalid_calls: \"two-axes\" is to stand after \"none\", and there is none above it");
}

TEST_F(FamilyTest, MistakesInWhatIsExtended) {
  EXPECT_EQ(MessageFor(R"({"id": "pool_2", "extends": "pool_3"})"),
            "a/pool_2.json, /extends: \"pool_3\" is the id of no operator");
  EXPECT_EQ(MessageFor(R"({"id": "pool_2", "extends": "pool_2"})"),
            "a/pool_2.json, /extends: \"pool_2\" extends this file in turn");
  folder_.Write("a/pool_1.json", R"({"id": "pool_1", "extends": "pool_2"})");
  EXPECT_EQ(MessageFor(R"({"id": "pool_2", "extends": "pool_1"})"),
            "a/pool_2.json, /extends: \"pool_1\" extends this file in turn");
  EXPECT_EQ(MessageFor(R"({"id": "pool_2", "extends": 2})"), "a/pool_2.json, /extends: 2 is not a string");
}

TEST_F(FamilyTest, AMistakeIsReportedWhereItIsMade) {
  std::string text(kBase);
  text.replace(text.find("\"min\": 1"), 8, "\"min\": []");
  folder_.Write("a/pool_9.json", text);
  folder_.Remove("a/pool_1.json");
  EXPECT_EQ(MessageWith(R"("max_rank": 4)"),
            "a/pool_9.json, expanded, /attributes/kernel/min: an array is not an integer");
}

TEST_F(FamilyTest, DocumentsExtendThoseAboveThem) {
  folder_.Write("documents.json", R"({"documents": [
    {"id": "paper", "title": "Paper", "version": "1", "link": "https://example.org", "operators": ["pool_1"],
     "clauses": [{"id": "paper/max", "title": "Max", "statement": "One.", "exercised_by": "true"}]},
    {"extends": "paper", "rename": {"paper/max": "paper/mean"}, "operators": ["pool_9"],
     "clauses": {"change": [{"id": "paper/mean", "statement": "Two."}]}}]})");
  Error error;
  specs_ = LoadSpecs(folder_.Path(), &error);
  ASSERT_TRUE(specs_) << error.message;
  const std::vector<Clause>& clauses = specs_->documents[0].clauses;
  ASSERT_EQ(clauses.size(), 2u);
  EXPECT_EQ(clauses[0].operators, std::vector<std::string>{"pool_1"});
  EXPECT_EQ(clauses[1].id, "paper/mean");
  EXPECT_EQ(clauses[1].statement, "Two.");
  folder_.Write("documents.json", R"({"documents": [{"extends": "paper"}]})");
  EXPECT_FALSE(LoadSpecs(folder_.Path(), &error));
  EXPECT_TRUE(error.message.ends_with("documents.json, /documents/0/extends: \"paper\" is the id of no document above"))
      << error.message;
}

TEST_F(FamilyTest, MistakesInDerivedFile) {
  folder_.Write("derived.json", R"({"plain": {}, "clauses": [{"whem": {}}], "examples": {}, "invalid_calls": []})");
  EXPECT_EQ(MessageWith(R"("max_rank": 4)"),
            "derived.json, /clauses/0: the key \"whem\" is unknown; known here are \"when\", \"has\", \"lacks\", "
            "\"each\", \"of_operator\", \"id\", \"title\", \"statement\", \"exercised_by\"");
}

TEST(ExpandedFiles, NeedNothingElse) {
  Error error;
  const auto files = LoadExpandedFiles("", &error);
  ASSERT_TRUE(files) << error.message;
  std::vector<SpecFile> again;
  for (const ExpandedFile& file : *files) {
    EXPECT_EQ(file.text.find("\"after\":"), std::string::npos) << file.path;
    again.push_back({file.path, file.path, ParseDocument(file.path, file.text, &error).value()});
  }
  const std::optional<Specs> specs = AssembleSpecs(again, nullptr, &error);
  ASSERT_TRUE(specs) << error.message;
  EXPECT_EQ(specs->digest, BuiltInSpecs().digest);
}

}  // namespace
}  // namespace poolproof
