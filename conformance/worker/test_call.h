// Calls for tests, built by hand, and lanes to run them in.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/backend.h"
#include "conformance/worker/lane.h"

namespace poolproof::worker {

// A call that owns what it points to.
class TestCall {
 public:
  TestCall(const std::string& op, poolproof_element_type type, const std::vector<int64_t>& dims, size_t outputs = 1);
  TestCall(const TestCall&) = delete;
  TestCall& operator=(const TestCall&) = delete;

  TestCall& Word(const std::string& name, const std::string& word);
  TestCall& Int(const std::string& name, int64_t value);
  TestCall& Ints(const std::string& name, const std::vector<int64_t>& values);
  TestCall& Sizes(const std::vector<int64_t>& sizes);  // a second input, i64

  const poolproof_call& Get();
  poolproof_tensor& Input(size_t i) { return inputs_[i]; }

 private:
  std::string op_;
  std::deque<std::string> strings_;
  std::deque<std::vector<int64_t>> lists_;
  std::vector<poolproof_attribute> attributes_;
  std::vector<const poolproof_attribute*> attribute_pointers_;
  std::vector<poolproof_tensor> inputs_;
  std::vector<const poolproof_tensor*> input_pointers_;
  std::vector<int64_t> sizes_;
  std::vector<poolproof_tensor> outputs_;
  std::vector<poolproof_tensor*> output_pointers_;
  poolproof_call call_{};
};

// "process:..." that runs a script below conformance/, with the helper found as an author's own
// program would find it. `before` is shell text that comes first: "echo hello; ".
std::string PythonCommand(const std::string& script, const std::string& before = "");

// Waits until a process that was killed is dead, if need be unburied.
void WaitUntilGone(int pid);

// lib/lib<name>.so of the build.
std::string BackendPath(const std::string& name);

// A lane, or a failed test and nullptr.
std::unique_ptr<Lane> StartOrFail(const LaneOptions& options);

// Adds the call with feature map 0, 1, 2, ... (f32; other types: bytes of 7) and checks that there
// is room.
void AddCounting(Lane* lane, TestCall* call, Capacity capacity = {});

// Adds these calls so and runs them as one batch. The results are valid until the next call.
std::span<const CaseResult> RunCounting(Lane* lane, std::initializer_list<TestCall*> calls);

// Runs one "Copy" call of 2x5 f32 with this fault alone. The result is valid until the next call.
const CaseResult& RunFault(Lane* lane, const std::string& fault, size_t outputs = 1);

// Output `output` of placement `p` as `count` elements.
template <typename T>
std::vector<T> Values(const CaseResult& result, int p, int output, size_t count) {
  const auto* data = reinterpret_cast<const T*>(result.data[static_cast<size_t>(p)][static_cast<size_t>(output)]);
  return data == nullptr ? std::vector<T>() : std::vector<T>(data, data + count);
}

}  // namespace poolproof::worker
