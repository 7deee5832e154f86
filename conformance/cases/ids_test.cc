// The id of a case is a promise: in every version with the same first number it stands for the same call with
// the same input. testdata/ids.txt keeps ids of all sections and operators with what they stand for:
//
//   section TAB id TAB problem line, where the id is none TAB digest of the call and its input
//
// POOLPROOF_WRITE_IDS=FILE writes such a file of the plan as it is, for a version that may break the promise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "conformance/cases/digest.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/plan.h"

namespace poolproof {
namespace {

constexpr int64_t kMostElements = 1 << 16;  // of an input that is filled to be compared
constexpr size_t kPerSectionAndOperator = 4;

struct Known {
  std::string section, id, line, digest;
};

void AddAttribute(const poolproof_attribute& attribute, Digest* digest) {
  digest->Add(fmt::format("{} {} {} {}\n", attribute.name, attribute.kind, attribute.integer, attribute.count));
  if (attribute.count > 0) digest->Add(attribute.integers, attribute.count * sizeof(int64_t));
  if (attribute.kind == POOLPROOF_WORD) digest->Add(attribute.word);
}

// Digest of everything that a backend is given.
std::string DigestOfCall(const Problem& problem) {
  Call call;
  call.Bind(problem);
  Digest digest;
  digest.Add(call.call.op);
  for (size_t i = 0; i < call.call.attribute_count; ++i) AddAttribute(*call.call.attributes[i], &digest);
  for (size_t i = 0; i < call.call.input_count; ++i) {
    const poolproof_tensor& input = *call.call.inputs[i];
    digest.Add(fmt::format("{} {} {}\n", input.element_type, input.rank, input.frac_bits));
    digest.Add(input.dims, static_cast<size_t>(input.rank) * sizeof(int64_t));
    if (i > 0 && input.data != nullptr) digest.Add(input.data, input.size_bytes);
  }
  if (problem.ShapesAlone() || problem.Elements() > kMostElements) return digest.Hex();
  std::vector<std::byte> bytes(static_cast<size_t>(problem.InputBytes()));
  FillInput(problem, bytes.data());
  return digest.Add(bytes.data(), bytes.size()).Hex();
}

const Plan& FullPlan() {
  static const Plan plan = [] {
    Error error;
    PlanOptions options;
    options.level = Level::kFull;
    options.random_count = 2000;
    return *Plan::Make(BuiltInSpecs(), options, &error);
  }();
  return plan;
}

using Places = std::map<std::pair<std::string, std::string>, std::vector<uint64_t>>;

// Places in the plan by section and operator.
Places PlacesOfPlan() {
  Places places;
  PlannedCase planned;
  for (uint64_t n = 0; n < FullPlan().Size(); ++n) {
    if (!FullPlan().Get(n, &planned)) continue;
    places[{std::string(SectionName(planned.section)), planned.problem.spec->id}].push_back(n);
  }
  return places;
}

std::vector<Known> ReadKnown() {
  std::ifstream file(POOLPROOF_IDS_FILE);
  std::vector<Known> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Known& known = all.emplace_back();
    std::getline(words, known.section, '\t');
    std::getline(words, known.id, '\t');
    std::getline(words, known.line, '\t');
    std::getline(words, known.digest, '\t');
  }
  return all;
}

TEST(Ids, StandForWhatTheyHaveAlwaysStoodFor) {
  std::map<std::string, PlannedCase> fixed;
  PlannedCase planned;
  for (uint64_t n = 0; n < FullPlan().FixedSize(); ++n) {
    if (FullPlan().Get(n, &planned)) fixed[planned.id] = planned;
  }
  const std::vector<Known> all = ReadKnown();
  ASSERT_GE(all.size(), 250u);
  for (const Known& known : all) {
    const std::string line = known.line.empty() ? known.id : known.line;
    Error error;
    const std::optional<Problem> problem = ParseLine(BuiltInSpecs(), line, &error);
    ASSERT_TRUE(problem) << line << ": " << error.message;
    EXPECT_EQ(PrintLine(*problem), line);
    const auto found = fixed.find(known.id);
    if (known.section != "random") {
      ASSERT_NE(found, fixed.end()) << "the plan has lost " << known.id;
      EXPECT_EQ(SectionName(found->second.section), known.section) << known.id;
      EXPECT_EQ(found->second.line, line);
    }
    // The data of a documented example are those that its document prints.
    EXPECT_EQ(DigestOfCall(found == fixed.end() ? *problem : found->second.problem), known.digest) << known.id;
  }
}

TEST(Ids, AreKeptOfEverySectionAndOperator) {
  std::map<std::pair<std::string, std::string>, size_t> kept;
  for (const Known& known : ReadKnown()) {
    Error error;
    const auto problem = ParseLine(BuiltInSpecs(), known.line.empty() ? known.id : known.line, &error);
    if (problem) ++kept[{known.section, problem->spec->id}];
  }
  for (const auto& [key, places] : PlacesOfPlan()) {
    EXPECT_GE(kept[key], std::min(places.size(), kPerSectionAndOperator)) << key.first << " " << key.second;
  }
}

TEST(Ids, AreWrittenWhereAsked) {
  const char* path = std::getenv("POOLPROOF_WRITE_IDS");
  if (path == nullptr) GTEST_SKIP() << "POOLPROOF_WRITE_IDS is not set";
  std::ofstream file(path);
  PlannedCase planned;
  for (const auto& [key, places] : PlacesOfPlan()) {
    const size_t count = std::min(places.size(), kPerSectionAndOperator);
    for (size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(FullPlan().Get(places[i * places.size() / count], &planned));
      file << fmt::format("{}\t{}\t{}\t{}\n", key.first, planned.id, planned.id == planned.line ? "" : planned.line,
                          DigestOfCall(planned.problem));
    }
  }
  EXPECT_TRUE(file.flush());
}

}  // namespace
}  // namespace poolproof
