// The schemas of conformance/format/schema hold what the program writes, and nothing that is like it but for one thing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace poolproof {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

json ReadJson(const fs::path& path) {
  std::ifstream stream(path);
  return json::parse(stream);
}

class Schema {
 public:
  explicit Schema(const std::string& name) : text_(ReadJson(fs::path(POOLPROOF_SCHEMAS) / (name + ".schema.json"))) {
    valijson::SchemaParser().populateSchema(Adapter(text_), schema_);
  }
  bool Holds(const json& document) const { return Check(document).empty(); }
  // The first thing that is wrong; empty where nothing is.
  std::string Check(const json& document) const {
    valijson::ValidationResults results;
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    if (validator.validate(schema_, Adapter(document), &results)) return "";
    std::string text;
    for (valijson::ValidationResults::Error error; results.popError(error);) {
      for (const std::string& step : error.context) text += step;
      text += ": " + error.description + " ";
    }
    return text;
  }
  const json& text() const { return text_; }

 private:
  json text_;
  valijson::Schema schema_;
};

// Results of runs that differ in all that results can hold, once for all tests.
class Outputs {
 public:
  Outputs() : folder_(fs::path(testing::TempDir()) / fmt::format("poolproof-schema-{}", getpid())) {
    const std::string named = Mutant("index-counts-from-one") + " --level=documented";
    const std::string few = " --level=documented --random=600 --no-shrink";
    Run("failing", Mutant("ties-last-only-in-3d") + " --level=quick --random=1000");
    Run("shapes", named);
    Call("baseline --results=" + In("failing/results.jsonl") + " --write=" + In("failing.txt"));
    Call("baseline --results=" + In("shapes/results.jsonl") + " --write=" + In("shapes.txt"));
    Run("expected", named + " --no-shrink --baseline=" + In("shapes.txt"));
    Run("changed", named + " --no-shrink --random=100 --baseline=" + In("failing.txt"));
    Run("right", Backend("poolproof_optimized_backend") + " --level=quick --random=500 --profile=openvino");
    Run("late", Mutant("crashes-in-destroy") + few);
    Run("dead", Mutant("always-crashes-in-f16") + " --level=documented --random=300 --filter=f16 --no-shrink");
    Run("after", Mutant("depends-on-previous-call") + few);
    Run("explained", Mutant("tensorflow-125965") + few);
    Call("vectors --filter=MaxPool-8 --out=" + In("vectors"));
    Claim("failing", Explained("failing.txt"));
    Call("judge " + In("vectors") + " --out=" + In("judged"));
    Call("report " + In("shapes/results.jsonl") + " " + In("expected/results.jsonl") + " --out=" + In("compared"));
  }
  ~Outputs() { fs::remove_all(folder_); }

  std::vector<json> Lines() const {
    std::vector<json> lines;
    for (const fs::path& path : Named("results.jsonl")) {
      std::ifstream file(path);
      for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
    }
    return lines;
  }
  std::vector<json> Files(const std::string& name) const {
    std::vector<json> files;
    for (const fs::path& path : Named(name)) files.push_back(ReadJson(path));
    return files;
  }

 private:
  static std::string Backend(const std::string& name) {
    return fmt::format("--backend={}/lib{}.so", POOLPROOF_LIBRARIES, name);
  }
  static std::string Mutant(const std::string& name) {
    return Backend("poolproof_mutants") + " --backend-option=mutant=" + name;
  }
  std::string In(const std::string& name) const { return (folder_ / name).string(); }
  void Run(const std::string& name, const std::string& arguments) { Call(arguments + " --out=" + In(name)); }
  // The baseline as a claim takes it, with reasons.
  std::string Explained(const std::string& name) const {
    std::ifstream before(In(name));
    std::ofstream after(In("explained-" + name));
    for (std::string line; std::getline(before, line);) {
      after << (line.starts_with("# reason: ") ? "# reason: r" : line) << "\n";
    }
    return In("explained-" + name);
  }
  void Claim(const std::string& name, const std::string& baseline) {
    const std::string results = In(name) + "/results.jsonl", tar = In(name) + "/claim.tar";
    Call("claim --product=p --product-version=1 --results=" + results + " --baseline=" + baseline + " --write=" + tar);
    EXPECT_EQ(std::system(fmt::format("tar -C {} -xf {} statement.json", In(name), tar).c_str()), 0);
  }
  // The verdict is no matter of this test.
  void Call(const std::string& arguments) {
    fs::create_directories(folder_);
    const std::string command = fmt::format("{} {} > {} 2>&1", POOLPROOF_PROGRAM, arguments, In("said"));
    const int status = std::system(command.c_str());
    std::ifstream said(In("said"));
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1)
        << command << std::string(std::istreambuf_iterator<char>(said), {});
  }
  std::vector<fs::path> Named(const std::string& name) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.path().filename() == name) found.push_back(entry.path());
    }
    return found;
  }

  const fs::path folder_;
};

const Outputs& AllOutputs() {
  static const Outputs outputs;
  return outputs;
}

// Calls visit with each object of `value`, from the outside in.
template <typename Visit>
void ForEachObject(json& value, const Visit& visit) {
  if (value.is_object()) visit(value);
  if (!value.is_structured()) return;
  for (json& item : value) ForEachObject(item, visit);
}

std::string KeysOf(const json& object) {
  std::string keys;
  for (const auto& [key, value] : object.items()) keys += key + " ";
  return keys;
}

// One object of each set of keys: with a key more, and with a value of a type that nothing has.
void CheckChanged(const Schema& schema, std::vector<json> documents) {
  std::set<std::string> seen;  // sets of keys
  for (json& document : documents) {
    ForEachObject(document, [&](json& object) {
      if (!seen.insert(KeysOf(object)).second) return;
      object["no_such_key"] = {{"x", nullptr}};
      EXPECT_FALSE(schema.Holds(document)) << "takes another key beside " << KeysOf(object);
      object.erase("no_such_key");
      for (auto& [key, value] : object.items()) {
        const json kept = std::exchange(value, json::array({json::array({json::object()})}));
        EXPECT_FALSE(schema.Holds(document)) << "takes anything as " << key;
        value = kept;
      }
    });
  }
}

void CheckHeld(const Schema& schema, const std::vector<json>& documents) {
  ASSERT_FALSE(documents.empty());
  for (const json& document : documents) ASSERT_EQ(schema.Check(document), "") << document.dump().substr(0, 2000);
}

TEST(Schema, HoldsEveryLineOfResults) { CheckHeld(Schema("results"), AllOutputs().Lines()); }

TEST(Schema, HoldsNoOtherLine) {
  const Schema schema("results");
  // The longest lines of each kind have the most keys.
  std::map<std::string, std::vector<json>> kinds;
  for (json& line : AllOutputs().Lines()) {
    std::vector<json>& kind = kinds[KeysOf(line)];
    if (kind.size() < 3) kind.push_back(std::move(line));
  }
  EXPECT_GE(kinds.size(), 8u);
  for (const auto& [keys, lines] : kinds) CheckChanged(schema, lines);
}

TEST(Schema, NeedsWhatALineIsNothingWithout) {
  const Schema schema("results");
  const json& definitions = schema.text().at("definitions");
  std::set<std::string> done;
  for (const json& line : AllOutputs().Lines()) {
    const std::string kind = line.contains("poolproof_results") ? "header"
                             : line.contains("footer")          ? "footer"
                             : line.contains("planned")         ? "planned"
                             : line.contains("alike")           ? "alike"
                             : line.contains("counted")         ? "counted"
                             : line.contains("n")               ? "case"
                                                                : "group";
    if (!done.insert(kind).second) continue;
    for (const json& key : definitions.at(kind).at("required")) {
      json without = line;
      (kind == "footer" ? without["footer"] : without).erase(key.get<std::string>());
      EXPECT_FALSE(schema.Holds(without)) << kind << " does without " << key;
    }
  }
  EXPECT_EQ(done.size(), 7u);
}

TEST(Schema, HoldsSummaries) {
  const Schema schema("summary");
  CheckHeld(schema, AllOutputs().Files("summary.json"));
  for (const json& summary : AllOutputs().Files("summary.json")) CheckChanged(schema, {summary});
}

TEST(Schema, HoldsStatementsOfClaims) {
  const Schema schema("claim");
  const std::vector<json> all = AllOutputs().Files("statement.json");
  CheckHeld(schema, all);
  CheckChanged(schema, all);
  for (const json& key : schema.text().at("required")) {
    json without = all[0];
    without.erase(key.get<std::string>());
    EXPECT_FALSE(schema.Holds(without)) << key;
  }
}

// A key that nothing writes is untested. Those of pairs that are set aside, of fixed point and dilations in what fails,
// and of a seed that is drawn take other runs than these.
const std::set<std::string> kRare = {"operator", "why", "frac_bits", "seed_drawn", "dilation", "corpus", "from"};

TEST(Schema, NamesNoKeyOfALineThatIsNeverWritten) {
  std::set<std::string> written;
  for (json line : AllOutputs().Lines()) {
    ForEachObject(line, [&](const json& object) {
      for (const auto& [key, value] : object.items()) written.insert(key);
    });
  }
  json schema = Schema("results").text();
  ForEachObject(schema, [&](const json& object) {
    if (!object.contains("properties")) return;
    for (const auto& [key, value] : object["properties"].items()) {
      EXPECT_TRUE(written.contains(key) || kRare.contains(key)) << "nothing writes \"" << key << "\"";
    }
  });
}

}  // namespace
}  // namespace poolproof
