// Shared by the tests of results: a small plan, runs of it with any verdicts, folders that go away.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "conformance/results/finish.h"
#include "conformance/results/header.h"

namespace poolproof {

class TestFolder {
 public:
  TestFolder() : path_(testing::TempDir() + "poolproof-results-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string In(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void WriteText(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The documented cases and some random ones.
inline RunRequest TestRequest(uint64_t seed = 1) {
  RunRequest request;
  request.plan.level = Level::kDocumented;
  request.plan.seed = seed;
  request.plan.random_count = 200;
  return request;
}

inline Plan TestPlan(const RunRequest& request) {
  Error error;
  auto plan = Plan::Make(BuiltInSpecs(), request.plan, &error);
  EXPECT_TRUE(plan) << error.message;
  return *std::move(plan);
}

// The cases of a plan, in order.
inline std::vector<PlannedCase> TestCases(const RunRequest& request) {
  const Plan plan = TestPlan(request);
  std::vector<PlannedCase> cases;
  PlannedCase planned;
  for (uint64_t n = 0; n < plan.Size(); ++n) {
    if (plan.Get(n, &planned)) cases.push_back(planned);
  }
  return cases;
}

// Runs the plan of a request in which each case is what `judge` makes of it.
inline RunResult TestRun(const std::string& folder, const RunRequest& request,
                         const std::function<void(Record*)>& judge) {
  const Specs& specs = BuiltInSpecs();
  const Json header = MakeHeader(specs, request, BackendInfo{"test", "1", 0, {}});
  Error error;
  ResultsFile file;
  RunResult result;
  result.tally = RunCloser::EmptyTally(header, nullptr);
  EXPECT_TRUE(file.Create(folder, &error)) << error.message;
  std::string lines = Line(header);
  for (const PlannedCase& planned : TestCases(request)) {
    Record record = RecordOf(planned);
    record.judgement.verdict = Verdict::kPass;
    judge(&record);
    Closing closing;
    closing.group = result.tally.Add(record);
    AppendRecord(record, closing, &lines);
  }
  EXPECT_TRUE(file.Append(lines, &error)) << error.message;
  RunCloser closer(specs, request.selection, header, nullptr, &file, &result, &error);
  EXPECT_TRUE(closer.Recount() && closer.Write()) << error.message;
  return result;
}

}  // namespace poolproof
