#include "conformance/worker/test_call.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "conformance/backend_helper.h"

namespace poolproof::worker {
namespace {

// A copy of the build is elsewhere and says where.
std::string Folder(const char* variable, const char* built) {
  const char* value = getenv(variable);
  return value == nullptr ? built : value;
}

}  // namespace

TestCall::TestCall(const std::string& op, poolproof_element_type type, const std::vector<int64_t>& dims, size_t outputs)
    : op_(op), inputs_(1), outputs_(outputs) {
  poolproof_tensor& input = inputs_[0];
  input.struct_size = sizeof(input);
  input.element_type = type;
  input.rank = static_cast<int32_t>(dims.size());
  input.size_bytes = backend::ElementSize(type);
  for (size_t i = 0; i < dims.size(); ++i) {
    input.dims[i] = dims[i];
    input.size_bytes *= static_cast<size_t>(dims[i]);
  }
}

TestCall& TestCall::Word(const std::string& name, const std::string& word) {
  const char* kept_name = strings_.emplace_back(name).c_str();
  const char* kept_word = strings_.emplace_back(word).c_str();
  attributes_.push_back({sizeof(poolproof_attribute), kept_name, POOLPROOF_WORD, 0, nullptr, 0, kept_word});
  return *this;
}

TestCall& TestCall::Int(const std::string& name, int64_t value) {
  const char* kept_name = strings_.emplace_back(name).c_str();
  attributes_.push_back({sizeof(poolproof_attribute), kept_name, POOLPROOF_INT, value, nullptr, 0, nullptr});
  return *this;
}

TestCall& TestCall::Ints(const std::string& name, const std::vector<int64_t>& values) {
  const char* kept_name = strings_.emplace_back(name).c_str();
  const std::vector<int64_t>& kept = lists_.emplace_back(values);
  attributes_.push_back(
      {sizeof(poolproof_attribute), kept_name, POOLPROOF_INT_LIST, 0, kept.data(), kept.size(), nullptr});
  return *this;
}

TestCall& TestCall::Sizes(const std::vector<int64_t>& sizes) {
  sizes_ = sizes;
  poolproof_tensor& input = inputs_.emplace_back();
  input.struct_size = sizeof(input);
  input.element_type = POOLPROOF_I64;
  input.rank = 1;
  input.dims[0] = static_cast<int64_t>(sizes.size());
  input.size_bytes = sizes.size() * sizeof(int64_t);
  return *this;
}

const poolproof_call& TestCall::Get() {
  attribute_pointers_.clear();
  for (const auto& attribute : attributes_) attribute_pointers_.push_back(&attribute);
  if (inputs_.size() > 1) inputs_[1].data = sizes_.data();
  input_pointers_.clear();
  for (const auto& input : inputs_) input_pointers_.push_back(&input);
  output_pointers_.clear();
  for (auto& output : outputs_) output_pointers_.push_back(&output);
  call_ = {sizeof(call_),          op_.c_str(),    attribute_pointers_.data(), attributes_.size(),
           input_pointers_.data(), inputs_.size(), output_pointers_.data(),    outputs_.size()};
  return call_;
}

std::string PythonCommand(const std::string& script, const std::string& before) {
  const std::string source = Folder("POOLPROOF_SOURCE_DIR", POOLPROOF_SOURCE_DIR);
  return "process:" + before + "exec env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" + source +
         "/conformance/backends/python' '" POOLPROOF_PYTHON "' '" + source + "/conformance/" + script + "'";
}

void WaitUntilGone(int pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  std::string state;
  while (kill(pid, 0) == 0 && state != "Z" && state != "X") {
    std::ifstream(path) >> state >> state >> state;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string BackendPath(const std::string& name) {
  return Folder("POOLPROOF_LIBRARY_DIR", POOLPROOF_LIBRARY_DIR) + "/lib" + name + ".so";
}

std::unique_ptr<Lane> StartOrFail(const LaneOptions& options) {
  Error error;
  std::unique_ptr<Lane> lane = StartLane(options, &error);
  EXPECT_NE(lane, nullptr) << error.message;
  return lane;
}

void AddCounting(Lane* lane, TestCall* call, Capacity capacity) {
  void* data = lane->Add(call->Get(), capacity);
  ASSERT_NE(data, nullptr);
  const poolproof_tensor& input = call->Input(0);
  if (input.element_type != POOLPROOF_F32) {
    std::memset(data, 7, input.size_bytes);
    return;
  }
  auto* values = static_cast<float*>(data);
  for (size_t i = 0; i < input.size_bytes / sizeof(float); ++i) values[i] = static_cast<float>(i);
}

std::span<const CaseResult> RunCounting(Lane* lane, std::initializer_list<TestCall*> calls) {
  for (TestCall* call : calls) AddCounting(lane, call);
  lane->Submit();
  return lane->Wait();
}

const CaseResult& RunFault(Lane* lane, const std::string& fault, size_t outputs) {
  static const CaseResult kNone;
  TestCall call("Copy", POOLPROOF_F32, {2, 5}, outputs);
  call.Word("fault", fault);
  const std::span<const CaseResult> results = RunCounting(lane, {&call});
  EXPECT_EQ(results.size(), 1u);
  return results.empty() ? kNone : results[0];
}

}  // namespace poolproof::worker
