// The mutants by themselves: that the computation they bend is right, and that each bends it.
#include "conformance/causes/mutant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/generate.h"
#include "conformance/causes/cases.h"
#include "conformance/causes/forms.h"
#include "conformance/causes/plain_pool.h"
#include "conformance/causes/wrong_backend.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/test_call.h"

namespace poolproof::mutants {
namespace {

constexpr int kRandomProblems = 20000;

// How an answer differs from the reference's, at most.
enum class Answer { kEqual, kTolerated, kSilence, kWrong };

// One problem, answered by the reference and by mutants in process.
class TestProblem {
 public:
  explicit TestProblem(const Problem& problem, const reference::Readings& readings = {})
      : test_(problem), call_(test_.call) {
    test_.Compute(readings, &expected_);
  }

  // nullptr: the mutants' own computation with nothing wrong.
  Answer Compare(const Mutant* mutant) {
    const poolproof::Result got = Ask(mutant);
    const Comparison comparison = poolproof::Compare(call_, expected_, got);
    if (!comparison.Matches()) return Answer::kWrong;
    if (!comparison.silences.Empty()) return Answer::kSilence;
    return SameBytes(expected_.result(), got) ? Answer::kEqual : Answer::kTolerated;
  }

  // The second output of the last answer, of a problem where that is of 64 bits.
  std::vector<int64_t> Indices() const {
    std::vector<int64_t> indices(memory_[1].size() / sizeof(int64_t));
    std::memcpy(indices.data(), memory_[1].data(), indices.size() * sizeof(int64_t));
    return indices;
  }

 private:
  poolproof::Result Ask(const Mutant* mutant) {
    poolproof::Result got;
    reference::Context context;
    got.output_count = call_.call.output_count;
    got.status = mutant != nullptr ? InferMutant(*mutant, call_.call) : reference::InferShapes(call_.call, context);
    for (size_t i = 0; got.status == POOLPROOF_OK && i < got.output_count; ++i) {
      memory_[i].assign(call_.outputs[i].size_bytes, std::byte{0xA5});
      call_.outputs[i].data = memory_[i].data();
    }
    if (got.status == POOLPROOF_OK && mutant == nullptr) PlainPool(Hooks(), call_.call);
    if (got.status == POOLPROOF_OK && mutant != nullptr) {
      got.status = RunMutant(*mutant, call_.call, expected_.readings());
    }
    std::copy_n(call_.outputs, kMaxOutputs, got.outputs.begin());
    return got;
  }

  TestCall test_;
  Call& call_;
  Expected expected_;
  std::array<std::vector<std::byte>, kMaxOutputs> memory_;
};

// The hooks change single steps of PlainPool, so a mutant is wrong in one way only if PlainPool
// itself is right.
TEST(PlainPool, AgreesWithTheReference) {
  for (uint64_t i = 0; i < kRandomProblems; ++i) {
    const Problem problem = RandomProblem(BuiltInSpecs(), 1, i);
    EXPECT_LE(TestProblem(problem).Compare(nullptr), Answer::kTolerated) << PrintLine(problem);
    if (HasFailure()) break;
  }
}

TEST(Mutants, HaveAllThatATableShows) {
  std::set<std::string_view> ids;
  for (const Mutant& mutant : Mutants()) {
    EXPECT_TRUE(ids.insert(mutant.id).second) << mutant.id << " is there twice";
    EXPECT_EQ(FindMutant(mutant.id), &mutant);
    EXPECT_EQ(mutant.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos)
        << mutant.id;
    EXPECT_FALSE(mutant.title.empty()) << mutant.id;
    EXPECT_FALSE(mutant.effect.empty() || mutant.effect.ends_with('.')) << mutant.id;
    EXPECT_NE(mutant.operators, 0u) << mutant.id;
  }
  EXPECT_EQ(FindMutant("no-such-mutant"), nullptr);
}

TEST(Mutants, ExpectVerdictsThatExist) {
  const std::set<std::string> verdicts = {"deviates",       "fail",         "wrongly-accepted", "wrongly-rejected",
                                          "unsupported",    "crash",        "timeout",          "out-of-bounds",
                                          "input-modified", "written-late", "unwritten",        "nondeterministic",
                                          "inconsistent",   "missing",      "process-fault"};
  std::set<std::string> seen;
  for (const Mutant& mutant : Mutants()) {
    std::istringstream words{std::string(mutant.verdicts)};
    for (std::string word; words >> word;) {
      EXPECT_TRUE(verdicts.count(word)) << mutant.id << ": " << word;
      seen.insert(word);
    }
  }
  EXPECT_EQ(seen, verdicts);
}

// Each public report of a pooling defect that the suite has to catch.
TEST(Mutants, CoverThePublishedReports) {
  for (const char* id : {"openvino-18731",    "openvino-35935",    "openvino-start-value",
                         "onednn-1094",       "onednn-1205",       "onednn-1387",
                         "cudnn-f16-lowest",  "cudnn-s8-lowest",   "onnxruntime-15446",
                         "onnxruntime-29637", "onnxruntime-27375", "onnxruntime-24681",
                         "onnxruntime-29629", "pytorch-57178",     "pytorch-1465",
                         "tvm-18641",         "tt-metal-11044",    "onnx2tf-207",
                         "tensorflow-125965", "embarc-mli-krnpad", "embarc-mli-hwc-capacity"}) {
    const Mutant* mutant = FindMutant(id);
    ASSERT_NE(mutant, nullptr) << id;
    EXPECT_TRUE(mutant->link.starts_with("https://github.com/")) << id;
  }
}

// Whether a name is a reading, or several of one entry: "subnormals=flushed|flushed-input".
bool IsReading(const std::string& name) {
  const size_t equals = name.find('=');
  const std::optional<reference::Entry> entry = reference::FindEntry(name.substr(0, equals));
  if (!entry || equals == name.npos) return false;
  std::istringstream words(name.substr(equals + 1));
  for (std::string word; std::getline(words, word, '|');) {
    if (!reference::FindReading(*entry, word)) return false;
  }
  return true;
}

// Whether a name of field.txt exists: a known cause, a reading, a bound, a rule, what happens to a process.
bool CanBeNamed(const std::string& name) {
  const std::set<std::string> others = {"crash", "maxima-have-a-floor", "results-have-a-ceiling"};
  return FindMutant(name) != nullptr || IsReading(name) || others.contains(name) || name.starts_with("by:");
}

TEST(Forms, OfTheFieldAreListedAndSayWhoseTheyAre) {
  std::set<std::string> made, listed;
  for (const auto forms : FieldForms()) {
    for (const Mutant& form : forms) {
      EXPECT_NE(form.title.find(": "), std::string_view::npos) << form.id;
      EXPECT_EQ(FindMutant(form.id), nullptr) << form.id << " is a known cause as well";
      made.emplace(form.id);
    }
  }
  for (const FaultLine& line : FieldLines()) {
    listed.insert(line.faults);
    ASSERT_EQ(line.names.size(), 1U) << line.faults;
    for (const std::string& name : line.names[0]) EXPECT_TRUE(CanBeNamed(name)) << line.faults << ": " << name;
  }
  EXPECT_EQ(made, listed);
}

// cases.txt names one problem per pure mutant on which its answer is another one than the
// reference's: wrong, or another reading of a silence where mixing readings is the defect.
TEST(Mutants, DifferFromTheReference) {
  std::set<std::string_view> shown;
  for (const Case& c : Cases()) {
    const Mutant* mutant = FindMutant(c.mutant);
    ASSERT_NE(mutant, nullptr) << c.mutant;
    Error error;
    const auto problem = ParseLine(BuiltInSpecs(), c.line, &error);
    ASSERT_TRUE(problem.has_value()) << c.line << ": " << error.message;
    const bool mixes = mutant->verdicts.find("inconsistent") != std::string_view::npos;
    EXPECT_GE(TestProblem(*problem).Compare(mutant), mixes ? Answer::kSilence : Answer::kWrong)
        << c.mutant << ": " << c.line;
    shown.insert(c.mutant);
  }
  for (const Mutant& mutant : Mutants()) {
    EXPECT_EQ(shown.count(mutant.id), mutant.IsPure() ? 1u : 0u) << mutant.id;
  }
}

// Those that only refuse calls follow all readings where they take one, so that they explain a library of any profile.
TEST(Mutants, FollowReadingsWhereTheyOnlyRefuse) {
  using reference::Entry;
  Error error;
  const char* line =
      "torch.LPPool f32 in=1x1x2x3x3 k=2 s=2 ceil_mode=true p=3 data=-1,2,-3,4,5,-6,7,8,-9,1,2,3,4,5,6,7,8,9";
  const auto problem = ParseLine(BuiltInSpecs(), line, &error);
  ASSERT_TRUE(problem.has_value()) << error.message;
  reference::Readings readings;
  readings[Entry::kTorchLpOverhang] = static_cast<uint8_t>(reference::TorchLpOverhang::kScaled);
  readings[Entry::kTorchLpNegative] = static_cast<uint8_t>(reference::TorchLpNegative::kNan);
  TestProblem test(*problem, readings);
  EXPECT_GE(test.Compare(nullptr), Answer::kSilence) << "the problem tells the readings apart";
  EXPECT_EQ(test.Compare(FindMutant("rejects-kernel-beyond-input-in-3d")), Answer::kEqual);
}

// A library that counts in its padded copy counts planes where the operator does, and only there.
TEST(Mutants, CountPaddedPlanesWhereIndicesCountPlanes) {
  for (const auto& [line, indices] : std::map<std::string, std::vector<int64_t>>{
           {"torch.MaxPool f32 in=1x2x2 k=2 s=1 pad=1 data=1,2,3,4", {1, 2, 2, 1, 2, 2}},
           {"onnx.MaxPool-22 f32 in=1x2x2 k=2 s=1 pb=1 pe=1 data=1,2,3,4", {1, 2, 2, 5, 6, 6}},
       }) {
    Error error;
    const std::optional<Problem> problem = ParseLine(BuiltInSpecs(), line, &error);
    ASSERT_TRUE(problem) << error.message;
    TestProblem test(*problem);
    EXPECT_EQ(test.Compare(FindMutant("index-in-padded-input")), Answer::kWrong);
    EXPECT_EQ(test.Indices(), indices) << line;
  }
}

// Divided toward zero, a size that is rounded up is right.
TEST(Mutants, TruncateOnlySizesThatAreRoundedDown) {
  for (const auto& [rounding, answer] : {std::pair("ceil", Answer::kEqual), std::pair("floor", Answer::kWrong)}) {
    Error error;
    const std::string line = std::string("AvgPool-1 f32 in=1x1x4 k=5 s=2 pb=0 pe=0 exclude_pad=false rounding=") +
                             rounding + " data=1,2,3,4";
    const std::optional<Problem> problem = ParseLine(BuiltInSpecs(), line, &error);
    ASSERT_TRUE(problem) << error.message;
    EXPECT_EQ(TestProblem(*problem).Compare(FindMutant("accepts-kernel-beyond-by-less-than-stride")), answer) << line;
  }
}

TEST(Mutants, LeaveOtherOperatorsAlone) {
  for (uint64_t i = 0; i < 200; ++i) {
    const Problem problem = RandomProblem(BuiltInSpecs(), 2, i);
    TestProblem test(problem);
    for (const Mutant& mutant : Mutants()) {
      if (!mutant.IsPure() || mutant.AppliesTo(problem.function->name)) continue;
      EXPECT_EQ(test.Compare(&mutant), Answer::kEqual) << mutant.id << PrintLine(problem);
    }
  }
}

}  // namespace
}  // namespace poolproof::mutants
