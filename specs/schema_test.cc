// Every spec file satisfies its schema in its expanded form, and the schemas leave no object open.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "conformance/cases/assemble.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

json ReadJson(const fs::path& path) {
  std::ifstream stream(path);
  return json::parse(stream);
}

fs::path Root() { return POOLPROOF_SPECS_FOLDER; }

// Schemas refer to each other by file name.
const json* FetchSchema(const std::string& uri) {
  return new json(ReadJson(Root() / "schema" / fs::path(uri).filename()));
}
void FreeSchema(const json* document) { delete document; }

class Schema {
 public:
  explicit Schema(const std::string& name) {
    const json text = ReadJson(Root() / "schema" / (name + ".schema.json"));
    valijson::SchemaParser parser;
    parser.populateSchema(Adapter(text), schema_, FetchSchema, FreeSchema);
  }
  // The first thing that is wrong; empty where nothing is.
  std::string Check(const json& document) const {
    valijson::ValidationResults results;
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    if (validator.validate(schema_, Adapter(document), &results)) return "";
    valijson::ValidationResults::Error error;
    results.popError(error);
    std::string place;
    for (const std::string& step : error.context) place += step;
    return place + ": " + error.description;
  }

 private:
  valijson::Schema schema_;
};

std::string SchemaOf(const fs::path& relative) {
  if (relative.filename() == "documents.json") return "documents";
  if (relative.filename() == "discrepancies.json") return "discrepancies";
  if (relative == "networks.json") return "networks";
  return "operator";
}

std::vector<fs::path> SpecFiles() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(Root())) {
    const fs::path relative = fs::relative(entry.path(), Root());
    if (relative.extension() == ".json" && *relative.begin() != "schema") files.push_back(relative);
  }
  return files;
}

std::vector<ExpandedFile> ExpandedFiles() {
  Error error;
  std::optional<std::vector<ExpandedFile>> files = LoadExpandedFiles(Root(), &error);
  EXPECT_TRUE(files) << error.message;
  return files ? *std::move(files) : std::vector<ExpandedFile>();
}

json Expanded(const std::string& path) {
  for (const ExpandedFile& file : ExpandedFiles()) {
    if (file.path == path) return json::parse(file.text);
  }
  ADD_FAILURE() << path;
  return {};
}

TEST(SpecSchema, EveryFileSatisfiesItsSchema) {
  const std::vector<ExpandedFile> files = ExpandedFiles();
  EXPECT_EQ(files.size() + 1, SpecFiles().size());
  for (const ExpandedFile& file : files) {
    EXPECT_EQ(Schema(SchemaOf(file.path)).Check(json::parse(file.text)), "") << file.path;
  }
  EXPECT_EQ(Schema("derived").Check(ReadJson(Root() / "derived.json")), "");
}

// Calls visit with each object of `value`, from the outside in.
template <typename Visit>
void ForEachObject(json& value, const Visit& visit) {
  if (value.is_object()) visit(value);
  if (!value.is_structured()) return;
  for (json& item : value) ForEachObject(item, visit);
}

// One object of each set of keys, so that the test stays short.
TEST(SpecSchema, NoObjectTakesAnUnknownKey) {
  for (const char* file : {"openvino/documents.json", "discrepancies.json", "openvino/discrepancies.json",
                           "networks.json", "openvino/max_pool_8.json", "embarc_mli/avepool.json"}) {
    const Schema schema(SchemaOf(file));
    json document = Expanded(file);
    std::set<std::string> seen;
    ForEachObject(document, [&](json& object) {
      std::string keys;
      for (const auto& [key, value] : object.items()) keys += key + " ";
      if (!seen.insert(keys).second) return;
      object["no_such_key"] = 1;
      EXPECT_NE(schema.Check(document), "") << file << ": object with " << keys;
      object.erase("no_such_key");
    });
    EXPECT_GE(seen.size(), 3u);
  }
}

TEST(SpecSchema, ADocumentMayMissNoRequiredKey) {
  const Schema schema("operator");
  const json document = Expanded("openvino/max_pool_8.json");
  for (const char* key : {"id", "functions", "attributes", "examples", "invalid_calls"}) {
    json without = document;
    without.erase(key);
    EXPECT_NE(schema.Check(without), "") << key;
  }
}

TEST(SpecSchema, TextIsAscii) {
  for (const fs::path& file : SpecFiles()) {
    std::ifstream stream(Root() / file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    const auto bad = std::find_if(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) >= 0x7f || (c < 0x20 && c != '\n');
    });
    EXPECT_EQ(bad, text.end()) << file << ", byte " << bad - text.begin();
  }
}

}  // namespace
}  // namespace poolproof
