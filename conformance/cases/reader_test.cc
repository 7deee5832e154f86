// Bad spec files. Each test makes one thing wrong in a small file that is right, and expects the
// whole sentence that the user gets: file, place, value.
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/cases/spec.h"
#include "conformance/cases/test_folder.h"

namespace poolproof {
namespace {

constexpr std::string_view kDocuments = R"({"documents": [{"id": "paper", "title": "Paper",
  "version": "1", "link": "https://example.org/paper", "clauses": [{"id": "paper/size",
  "title": "Size", "statement": "There is a size.",
  "operators": ["pool"], "exercised_by": "true"}]}]})";

constexpr std::string_view kLedger = R"({"discrepancies": [{"id": "ties", "kind": "silence",
  "title": "Ties", "evidence": "Nothing is said.", "effect": "Indices differ.", "computed": true,
  "clauses": ["paper/size"], "readings": [{"name": "first", "statement": "The first.",
  "followed_by": []}], "profiles": {"openvino": "first"}}]})";

// Words in angle brackets are what the tests replace.
constexpr std::string_view kOperator = R"({"id": "pool", "title": "Pool", "document": "paper",
  "functions": [{"name": "Pool-1", "layout": "NC...", "types": ["f32"], "clause": "paper/size"}],
  "min_rank": 3, "max_rank": 5,
  "inputs": [{"name": "data", "clause": "paper/size"}],
  "outputs": [{"name": "values", "compare": "exact", "type_from": "input", "clause": "paper/size"}],
  "attributes": [{"name": "kernel", "key": "k", "type": "int list", "role": "kernel",
    "required": true, "min": 1, "clause": "paper/size"}],
  "examples": [{"id": "example-1", "clause": "paper/size", "description": "One window",
    "line": "Pool-1 f32 in=1x1x4 k=4",
    "inputs": [{"shape": [1, 1, 4], "values": [1, 2.5, "nan", -0.0]}],
    "outputs": [{"shape": [1, 1, 1], "values": ["-inf"]}]}],
  "invalid_calls": [{"rule": "kernel-zero", "clause": "paper/size", "statement": "A kernel of 0.",
    "lines": ["Pool-1 f32 in=1x1x4 k=0"]}]})";

class ReaderTest : public testing::Test {
 protected:
  ReaderTest() {
    folder_.Write("documents.json", kDocuments);
    folder_.Write("discrepancies.json", kLedger);
    folder_.Write("a/pool.json", kOperator);
  }

  // The message after `from` became `to` in the operator file; without the path of the folder.
  std::string MessageWith(std::string_view from, std::string_view to) {
    std::string text(kOperator);
    const size_t at = text.find(from);
    if (at == text.npos || text.find(from, at + 1) != text.npos) return "not exactly once";
    text.replace(at, from.size(), to);
    return MessageFor(text);
  }
  std::string MessageFor(std::string_view text) {
    folder_.Write("a/pool.json", text);
    return Message();
  }
  std::string Message() {
    Error error;
    if (LoadSpecs(folder_.Path(), &error)) return "";
    const std::string folder = folder_.Path() + "/";
    const size_t at = error.message.find(folder);
    return at == 0 ? error.message.substr(folder.size()) : error.message;
  }

  TestFolder folder_;
};

TEST_F(ReaderTest, TheFileThatTheTestsBreakIsRight) {
  Error error;
  const std::optional<Specs> specs = LoadSpecs(folder_.Path(), &error);
  ASSERT_TRUE(specs) << error.message;
  ASSERT_EQ(specs->operators.size(), 1u);
  const std::vector<Number>& values = specs->operators[0].examples[0].inputs[0].values;
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[1], 2.5L);
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_TRUE(values[3] == 0 && std::signbit(values[3]));
  EXPECT_EQ(specs->operators[0].examples[0].outputs[0].values[0], -std::numeric_limits<Number>::infinity());
  EXPECT_EQ(specs->ledger[0].profiles.at("openvino"), "first");
}

TEST_F(ReaderTest, UnknownKey) {
  EXPECT_EQ(
      MessageWith(R"("min": 1)", R"("mn": 1)"),
      "a/pool.json, /attributes/0: the key \"mn\" is unknown; known here are \"name\", "
      "\"part_of\", \"key\", \"type\", \"role\", \"spatial_axis\", \"required\", \"required_unless\", "
      "\"min\", \"max\", \"range_is_rank\", \"valid_min\", \"keeps_sign\", \"least_axes\", \"words\", \"default\", "
      "\"default_is_kernel\", \"boundaries\", \"clause\"");
  EXPECT_EQ(MessageWith(R"("rule": "kernel-zero")", R"("rule": "x", "a/b~c": 1)"),
            "a/pool.json, /invalid_calls/0: the key \"a/b~c\" is unknown; known here are \"rule\", "
            "\"clause\", \"statement\", \"lines\", \"ledger\"");
}

TEST_F(ReaderTest, MissingKey) {
  EXPECT_EQ(MessageWith(R"("role": "kernel",)", ""), "a/pool.json, /attributes/0: the key \"role\" is missing");
  EXPECT_EQ(MessageFor("{}"), "a/pool.json, top level: the key \"id\" is missing");
}

TEST_F(ReaderTest, DuplicateKey) {
  EXPECT_EQ(MessageWith(R"("min": 1)", R"("min": 1, "min": 2)"),
            "a/pool.json, /attributes/0: the key \"min\" occurs twice");
  EXPECT_EQ(MessageFor(R"({"id": "a", "id": "b"})"), "a/pool.json, top level: the key \"id\" occurs twice");
}

TEST_F(ReaderTest, WrongType) {
  EXPECT_EQ(MessageWith(R"("min": 1)", R"("min": "1")"), "a/pool.json, /attributes/0/min: \"1\" is not an integer");
  EXPECT_EQ(MessageWith(R"("required": true)", R"("required": 1)"),
            "a/pool.json, /attributes/0/required: 1 is not true or false");
  EXPECT_EQ(MessageWith(R"("title": "Pool")", R"("title": null)"), "a/pool.json, /title: null is not a string");
  EXPECT_EQ(MessageWith(R"("title": "Pool")", R"("title": "")"),
            "a/pool.json, /title: the string is empty; leave the key out instead");
  EXPECT_EQ(MessageWith(R"("types": ["f32"])", R"("types": "f32")"),
            "a/pool.json, /functions/0/types: \"f32\" is not an array");
  EXPECT_EQ(MessageWith(R"("types": ["f32"])", R"("types": [{}])"),
            "a/pool.json, /functions/0/types/0: an object is not an element type");
  EXPECT_EQ(MessageFor("[]"), "a/pool.json, top level: an array is not an object");
}

TEST_F(ReaderTest, Integers) {
  EXPECT_EQ(MessageWith(R"("min": 1)", R"("min": 3.7)"), "a/pool.json, /attributes/0/min: 3.7 is not an integer");
  EXPECT_EQ(MessageWith(R"("min": 1)", R"("min": 1.0)"), "a/pool.json, /attributes/0/min: 1.0 is not an integer");
  EXPECT_EQ(MessageWith(R"("min": 1)", R"("min": 9223372036854775808)"),
            "a/pool.json, /attributes/0/min: 9223372036854775808 is outside int64");
  EXPECT_EQ(MessageWith(R"("min": 1)", R"("min": -9223372036854775809)"),
            "a/pool.json, /attributes/0/min: -9223372036854775809 is outside int64");
  EXPECT_EQ(MessageWith(R"("min": 1)", R"("min": -9223372036854775808)"), "");
  EXPECT_EQ(MessageWith(R"("max_rank": 5)", R"("max_rank": 5000000000)"),
            "a/pool.json, /max_rank: 5000000000 is outside [-1000, 1000]");
}

TEST_F(ReaderTest, Numbers) {
  constexpr std::string_view kSpellings[] = {"NaN", "NAN", "Infinity", "+inf", "-nan", "1"};
  for (std::string_view word : kSpellings) {
    EXPECT_EQ(MessageWith(R"("nan")", "\"" + std::string(word) + "\""),
              "a/pool.json, /examples/0/inputs/0/values/2: \"" + std::string(word) +
                  "\" is not a number; what is not finite is \"nan\", \"inf\" or \"-inf\"");
  }
  EXPECT_EQ(MessageWith(R"("nan")", "true"),
            "a/pool.json, /examples/0/inputs/0/values/2: true is not a number; what is not finite "
            "is \"nan\", \"inf\" or \"-inf\"");
  EXPECT_EQ(MessageWith(R"("nan")", "18446744073709551615"), "");
}

TEST_F(ReaderTest, UnknownWord) {
  EXPECT_EQ(MessageWith(R"("layout": "NC...")", R"("layout": "NCHW")"),
            "a/pool.json, /functions/0/layout: \"NCHW\" is not one of \"NC...\", \"C...\", \"CHW\", \"HWC\"");
  EXPECT_EQ(MessageWith(R"("types": ["f32"])", R"("types": ["f32", "float"])"),
            "a/pool.json, /functions/0/types/1: \"float\" is not an element type");
}

TEST_F(ReaderTest, WhatDoesNotFitTogether) {
  EXPECT_EQ(MessageWith(R"("shape": [1, 1, 4])", R"("shape": [1, 1, 5])"),
            "a/pool.json, /examples/0/inputs/0: the shape has 5 elements, \"values\" has 4");
  EXPECT_EQ(MessageWith(R"("shape": [1, 1, 4])", R"("shape": [1000000, 1000000, 4])"),
            "a/pool.json, /examples/0/inputs/0: the shape has a negative dimension or more than "
            "1048576 elements");
  EXPECT_EQ(MessageWith(R"("max_rank": 5)", R"("max_rank": 9)"),
            "a/pool.json, top level: the ranks 3 to 9 are not inside [1, 8]");
  EXPECT_EQ(MessageWith(R"("type": "int list")", R"("type": "word")"),
            "a/pool.json, /attributes/0: an attribute of type \"word\" needs \"words\"");
  EXPECT_EQ(MessageWith(R"([{"name": "data", "clause": "paper/size"}])", "[]"),
            "a/pool.json, top level: \"inputs\" has 0 entries, not 1 to 2");
}

TEST_F(ReaderTest, NotJson) {
  EXPECT_EQ(MessageFor(""), "a/pool.json: the file is empty");
  EXPECT_EQ(MessageFor(" \n\t"), "a/pool.json: the file is empty");
  EXPECT_EQ(MessageFor("{\n  \"id\": \"x\"\n  \"title\": \"y\"\n}"),
            "a/pool.json, line 3, column 9: not JSON: \"\\\"title\\\"\" needs a comma before it");
  EXPECT_EQ(MessageFor(kOperator.substr(0, kOperator.find("min_rank"))),
            "a/pool.json, line 3, column 4: not JSON: the text ends too early");
  EXPECT_EQ(MessageWith(R"("nan")", "nan"), "a/pool.json, line 10, column 57: not JSON: \"na\" cannot stand here");
  EXPECT_EQ(MessageWith(R"("nan")", "1e999"),
            "a/pool.json, line 10, column 60: not JSON: the number 1e999 is too large");
  EXPECT_EQ(MessageFor("{} {}"), "a/pool.json, line 1, column 4: not JSON: \"{\" stands after its end");
}

TEST_F(ReaderTest, DeepNestingIsAnErrorAndNotAFullStack) {
  EXPECT_EQ(MessageFor(std::string(1000000, '[')).substr(0, 17), "a/pool.json, /0/0");
  EXPECT_TRUE(MessageFor(std::string(1000000, '[')).ends_with(": nested more than 32 levels deep"));
}

TEST_F(ReaderTest, OtherFiles) {
  folder_.Write("documents.json", R"({"documents": [{"id": 1}]})");
  EXPECT_EQ(Message(), "documents.json, /documents/0/id: 1 is not a string");
  folder_.Write("documents.json", kDocuments);
  std::string ledger(kLedger);
  ledger.replace(ledger.find("silence"), 7, "quiet");
  folder_.Write("discrepancies.json", ledger);
  EXPECT_EQ(Message(),
            "discrepancies.json, /discrepancies/0/kind: \"quiet\" is not one of "
            "\"contradiction\", \"silence\", \"erratum\", \"divergence\"");
}

TEST_F(ReaderTest, AFamilyAddsToTheLedger) {
  folder_.Write("b/discrepancies.json", R"({"discrepancies": [],
    "shared": [{"id": "ties", "clauses": ["paper/other"], "profiles": {"pytorch": "first"}}]})");
  Error error;
  const std::optional<Specs> specs = LoadSpecs(folder_.Path(), &error);
  ASSERT_TRUE(specs) << error.message;
  EXPECT_EQ(specs->ledger[0].clauses, (std::vector<std::string>{"paper/size", "paper/other"}));
  EXPECT_EQ(specs->ledger[0].profiles.size(), 2u);
  folder_.Write("b/discrepancies.json", R"({"discrepancies": [], "shared": [{"id": "tie"}]})");
  EXPECT_EQ(Message(), "b/discrepancies.json: shared, \"tie\" is the id of no entry of the ledger");
  folder_.Write("b/discrepancies.json", R"({"discrepancies": [], "shared": [{"id": "ties", "title": "Ties"}]})");
  EXPECT_EQ(Message(),
            "b/discrepancies.json, /shared/0: the key \"title\" is unknown; known here are "
            "\"id\", \"clauses\", \"profiles\"");
  folder_.Write("b/discrepancies.json",
                R"({"discrepancies": [], "shared": [{"id": "ties", "profiles": {"openvino": "first"}}]})");
  EXPECT_EQ(Message(), "b/discrepancies.json: shared, \"ties\": profiles: \"openvino\" is in another file as well");
}

TEST_F(ReaderTest, FilesThatAreNotThere) {
  folder_.Remove("discrepancies.json");
  EXPECT_EQ(Message(), "discrepancies.json: there is no such file");
  folder_.Write("discrepancies.json", kLedger);
  folder_.Remove("a/pool.json");
  Error error;
  EXPECT_FALSE(LoadSpecs(folder_.Path(), &error));
  EXPECT_EQ(error.message, folder_.Path() + ": holds no operator, no file such as openvino/max_pool_8.json");
  EXPECT_FALSE(LoadSpecs("/no/such/folder", &error));
  EXPECT_EQ(error.message, "/no/such/folder: cannot be read: No such file or directory");
}

TEST_F(ReaderTest, SchemasAndOtherFilesAreNotSpecs) {
  folder_.Write("schema/operator.schema.json", "no JSON");
  folder_.Write("README.md", "no JSON");
  EXPECT_EQ(Message(), "");
}

TEST_F(ReaderTest, DigestTellsFilesAndFactsApartButNotHowTheyAreWritten) {
  Error error;
  const std::string before = LoadSpecs(folder_.Path(), &error)->digest;
  EXPECT_EQ(before.size(), 16u);
  EXPECT_EQ(LoadSpecs(folder_.Path(), &error)->digest, before);
  folder_.Write("a/pool.json", std::string(kOperator) + "\n");
  EXPECT_EQ(LoadSpecs(folder_.Path(), &error)->digest, before);
  std::string text(kOperator);
  text.replace(text.find("A kernel of 0."), 14, "A kernel of 1.");
  folder_.Write("a/pool.json", text);
  EXPECT_NE(LoadSpecs(folder_.Path(), &error)->digest, before);
  folder_.Remove("a/pool.json");
  folder_.Write("b/pool.json", kOperator);
  EXPECT_NE(LoadSpecs(folder_.Path(), &error)->digest, before);
}

TEST_F(ReaderTest, ClausesOfAnOperatorsOwnDocumentAreAboutIt) {
  std::string text(kOperator);
  const std::string document(kDocuments.substr(kDocuments.find('['), kDocuments.size() - kDocuments.find('[') - 1));
  text.insert(1, R"("documents": )" + document + ", ");
  folder_.Write("a/pool.json", text);
  folder_.Write("documents.json", R"({"documents": []})");
  Error error;
  const std::optional<Specs> specs = LoadSpecs(folder_.Path(), &error);
  ASSERT_TRUE(specs) << error.message;
  const Clause* clause = specs->FindClause("paper/size");
  ASSERT_NE(clause, nullptr);
  EXPECT_EQ(clause->operators, std::vector<std::string>{"pool"});
  EXPECT_EQ(clause->exercised_when->Text(), "op in {Pool-1} and true");
}

TEST_F(ReaderTest, Conditions) {
  const auto message_for = [&](const std::string& condition) {
    std::string text(kDocuments);
    text.replace(text.find("\"true\""), 6, "\"" + condition + "\"");
    folder_.Write("documents.json", text);
    return Message();
  };
  EXPECT_EQ(message_for("any(kernel >= 2)"), "");
  EXPECT_EQ(message_for("any(kernle >= 2)"),
            "documents.json: paper/size, exercised_by: column 5: there is no name \"kernle\" (nearest: kernel)");
  EXPECT_EQ(message_for("rule = kernel-none"),
            "documents.json: paper/size, exercised_by: column 8: \"kernel-none\" is no rule (nearest: kernel-zero)");
}

TEST_F(ReaderTest, Formulas) {
  const auto message_for = [&](const std::string& formulas) {
    std::string text(kDocuments);
    text.replace(text.find("\"true\""), 6, "\"true\", \"formulas\": " + formulas);
    folder_.Write("documents.json", text);
    return Message();
  };
  const std::string place = "documents.json: paper/size, formulas, ";
  EXPECT_EQ(message_for(R"({"start": "at - pad_before", "index": "tap"})"), "");
  EXPECT_EQ(message_for(R"({"begin": "at"})").find("documents.json, /documents/0/clauses/0/formulas: the key"), 0u);
  EXPECT_EQ(message_for(R"({"out": "sizze"})"), place + "out: it gives no number");
  EXPECT_EQ(message_for(R"({"out": "size + 1 +"})"), place + "out: column 11: the text ends early");
  EXPECT_EQ(message_for(R"({"start": "start + 1"})"), place + "start: it may not name start");
  EXPECT_EQ(message_for(R"({"pad_before": "at + end"})"), place + "pad_before: it may not name end");
}

TEST_F(ReaderTest, LayersOfNetworks) {
  const auto message_for = [&](std::string_view layer) {
    folder_.Write("networks.json", R"({"networks": [{"name": "Net", "layers": [)" + std::string(layer) + "]}]}");
    return Message();
  };
  EXPECT_EQ(message_for(R"({"pool": "max", "input": [1, 2, 5, 5], "kernel": [3, 3]})"), "");
  EXPECT_EQ(message_for(R"({"pool": "mean", "input": [1, 2, 5], "output": [2]})"), "");
  const std::string place = "networks.json, /networks/0/layers/0";
  EXPECT_EQ(message_for(R"({"pool": "sum", "input": [1, 2, 5], "output": [2]})"),
            place + "/pool: \"sum\" is not one of \"max\", \"mean\"");
  EXPECT_EQ(message_for(R"({"pool": "max", "input": [5, 5], "kernel": []})"),
            place + "/input: does not have 3 to 5 dimensions");
  EXPECT_EQ(message_for(R"({"pool": "max", "input": [1, 0, 5], "kernel": [3]})"), place + "/input: 0 is less than 1");
  EXPECT_EQ(message_for(R"({"pool": "max", "input": [1, 2, 5], "kernel": [3, 3]})"),
            place + "/kernel: does not have one entry per spatial axis");
  EXPECT_EQ(message_for(R"({"pool": "max", "input": [1, 2, 5], "kernel": [3], "strides": [0]})"),
            place + "/strides: 0 is less than 1");
  EXPECT_EQ(message_for(R"({"pool": "max", "input": [1, 2, 5]})"),
            place + ": has to have either an output or a kernel");
}

}  // namespace
}  // namespace poolproof
