// Loads one adapter and runs the numeric examples of MaxPool-8 through its ABI. Expected values are
// those of the document, example 1 with its erratum corrected (value 3, index 2 at row 1, column 3).
//
// Compiled once per adapter: SMOKE_BACKEND is the library, SMOKE_OPTIONS its options, and
// SMOKE_UNSUPPORTED the examples, "3,4", that it must answer with UNSUPPORTED and a reason.

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/backend.h"
#include "gtest/gtest.h"

namespace poolproof {
namespace {

using Ints = std::vector<int64_t>;

struct ExampleCase {
  int number;
  Ints shape;
  std::vector<float> input;
  Ints strides, dilations, pads_begin, pads_end, kernel;  // empty: not written in the document
  const char* rounding;
  const char* auto_pad;
  int64_t axis;  // 0 where not written
  Ints out_shape;
  std::vector<float> values;
  Ints indices;
};

const std::vector<float> kSigned = {-1, 2, 3, 4, 5, -6, -7, 8, 9};

std::vector<ExampleCase> Examples() {
  return {
      {1,
       {1, 1, 3, 3},
       kSigned,
       {1, 1},
       {},
       {1, 1},
       {1, 1},
       {2, 2},
       "floor",
       "explicit",
       0,
       {1, 1, 4, 4},
       {-1, 2, 3, 3, 4, 5, 5, 3, 4, 8, 9, 9, -7, 8, 9, 9},
       {0, 1, 2, 2, 3, 4, 4, 2, 3, 7, 8, 8, 6, 7, 8, 8}},
      {2,
       {1, 1, 7},
       {-1, 2, 3, 5, -7, 9, 1},
       {1},
       {},
       {},
       {},
       {3},
       "floor",
       "valid",
       0,
       {1, 1, 5},
       {3, 5, 5, 9, 9},
       {2, 3, 3, 5, 5}},
      {3,
       {1, 1, 3, 3},
       kSigned,
       {1, 1},
       {},
       {},
       {},
       {2, 2},
       "floor",
       "same_lower",
       0,
       {1, 1, 3, 3},
       {-1, 2, 3, 4, 5, 5, 4, 8, 9},
       {0, 1, 2, 3, 4, 4, 3, 7, 8}},
      {4,
       {1, 2, 3, 3},
       {-1, 2, 3, 4, 5, -6, -7, 8, 9, 2, -1, 5, 6, -7, 1, 8, 2, -3},
       {1, 1},
       {},
       {},
       {},
       {2, 2},
       "floor",
       "same_upper",
       0,
       {1, 2, 3, 3},
       {5, 5, 3, 8, 9, 9, 8, 9, 9, 6, 5, 5, 8, 2, 1, 8, 2, -3},
       {4, 4, 2, 7, 8, 8, 7, 8, 8, 12, 11, 11, 15, 16, 14, 15, 16, 17}},
      {5,
       {1, 1, 3, 3},
       kSigned,
       {2, 2},
       {},
       {},
       {},
       {2, 2},
       "ceil",
       "valid",
       0,
       {1, 1, 2, 2},
       {5, 3, 8, 9},
       {4, 2, 7, 8}},
      {6,
       {1, 1, 3, 3},
       {1, 2, 3, 4, 5, 6, 7, 8, 9},
       {1, 1},
       {2, 2},
       {1, 1},
       {1, 1},
       {2, 2},
       "floor",
       "explicit",
       0,
       {1, 1, 3, 3},
       {5, 6, 5, 8, 9, 8, 5, 6, 5},
       {4, 5, 4, 7, 8, 7, 4, 5, 4}},
      {7,
       {1, 2, 3, 3},
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18},
       {1, 1},
       {1, 1},
       {0, 0},
       {0, 0},
       {2, 2},
       "floor",
       "explicit",
       2,
       {1, 2, 2, 2},
       {5, 6, 8, 9, 14, 15, 17, 18},
       {4, 5, 7, 8, 4, 5, 7, 8}},
  };
}

// A call of an example, with room for its outputs.
class ExampleCall {
 public:
  explicit ExampleCall(const ExampleCase& example) : example_(example) {
    AddList("strides", example_.strides);
    AddList("dilations", example_.dilations);
    AddList("pads_begin", example_.pads_begin);
    AddList("pads_end", example_.pads_end);
    AddList("kernel", example_.kernel);
    AddWord("rounding_type", example_.rounding);
    AddWord("auto_pad", example_.auto_pad);
    attributes_.push_back({sizeof(poolproof_attribute), "axis", POOLPROOF_INT, example_.axis, nullptr, 0, nullptr});
    for (const poolproof_attribute& attribute : attributes_) pointers_.push_back(&attribute);
    input_.struct_size = sizeof(input_);
    input_.element_type = POOLPROOF_F32;
    input_.rank = static_cast<int32_t>(example_.shape.size());
    std::copy(example_.shape.begin(), example_.shape.end(), input_.dims);
    input_.size_bytes = example_.input.size() * sizeof(float);
    for (poolproof_tensor& output : outputs_) output.struct_size = sizeof(output);
    call_ = {sizeof(call_), "MaxPool-8", pointers_.data(), pointers_.size(), inputs_, 1, output_pointers_, 2};
  }

  // Lets the outputs, as inferred, point to memory.
  void Allocate() {
    input_.data = example_.input.data();
    values.assign(outputs_[0].size_bytes / sizeof(float), -12345.0f);
    indices.assign(outputs_[1].size_bytes / sizeof(int64_t), -12345);
    outputs_[0].data = values.data();
    outputs_[1].data = indices.data();
  }

  const poolproof_call* Get() const { return &call_; }
  Ints Shape(size_t output) const { return {outputs_[output].dims, outputs_[output].dims + outputs_[output].rank}; }

  std::vector<float> values;
  Ints indices;

 private:
  void AddList(const char* name, const Ints& list) {
    if (list.empty()) return;
    attributes_.push_back(
        {sizeof(poolproof_attribute), name, POOLPROOF_INT_LIST, 0, list.data(), list.size(), nullptr});
  }
  void AddWord(const char* name, const char* word) {
    attributes_.push_back({sizeof(poolproof_attribute), name, POOLPROOF_WORD, 0, nullptr, 0, word});
  }

  ExampleCase example_;
  std::vector<poolproof_attribute> attributes_;
  std::vector<const poolproof_attribute*> pointers_;
  poolproof_tensor input_{};
  poolproof_tensor outputs_[2]{};
  const poolproof_tensor* inputs_[1] = {&input_};
  poolproof_tensor* output_pointers_[2] = {&outputs_[0], &outputs_[1]};
  poolproof_call call_{};
};

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

class SmokeTest : public testing::Test {
 protected:
  void SetUp() override {
    library_ = dlopen(SMOKE_BACKEND, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    auto* get = reinterpret_cast<poolproof_get_backend_fn>(dlsym(library_, "poolproof_get_backend"));
    ASSERT_NE(get, nullptr);
    EXPECT_EQ(get(POOLPROOF_ABI_VERSION + 1), nullptr);
    backend_ = get(POOLPROOF_ABI_VERSION);
    ASSERT_NE(backend_, nullptr);
  }

  poolproof_status Create(const std::vector<std::string>& options, std::string* error) {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    char text[500] = "";
    const poolproof_status status = backend_->create(pointers.data(), pointers.size(), &instance_, text, sizeof(text));
    *error = text;
    return status;
  }

  void TearDown() override {
    if (instance_ != nullptr) backend_->destroy(instance_);
  }

  void* library_ = nullptr;
  const poolproof_backend* backend_ = nullptr;
  poolproof_instance* instance_ = nullptr;
};

TEST_F(SmokeTest, UnknownOptionIsRejectedByName) {
  std::string error;
  EXPECT_EQ(Create({"no_such_option=1"}, &error), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_NE(error.find("no_such_option"), std::string::npos) << error;
}

TEST_F(SmokeTest, RulesAreListedWithConditionAndReason) {
  auto* rules = reinterpret_cast<const char* const* (*)(size_t*)>(dlsym(library_, "poolproof_adapter_rules"));
  ASSERT_NE(rules, nullptr);
  size_t count = 0;
  const char* const* texts = rules(&count);
  for (size_t i = 0; i < count; ++i) {
    EXPECT_NE(std::string(texts[i]).find(": "), std::string::npos) << texts[i];
  }
}

TEST_F(SmokeTest, DocumentedExamplesComeOutAsPrinted) {
  std::string error;
  ASSERT_EQ(Create(Split(SMOKE_OPTIONS), &error), POOLPROOF_OK) << error;
  const std::vector<std::string> unsupported = Split(SMOKE_UNSUPPORTED);
  for (const ExampleCase& example : Examples()) {
    SCOPED_TRACE("MaxPool-8 example " + std::to_string(example.number));
    ExampleCall call(example);
    const poolproof_status status = backend_->infer_shapes(instance_, call.Get());
    if (std::count(unsupported.begin(), unsupported.end(), std::to_string(example.number)) > 0) {
      EXPECT_EQ(status, POOLPROOF_UNSUPPORTED);
      EXPECT_STRNE(backend_->last_error(instance_), "");
      continue;
    }
    ASSERT_EQ(status, POOLPROOF_OK) << backend_->last_error(instance_);
    EXPECT_STREQ(backend_->last_error(instance_), "");
    EXPECT_EQ(call.Shape(0), example.out_shape);
    EXPECT_EQ(call.Shape(1), example.out_shape);
    call.Allocate();
    ASSERT_EQ(backend_->run(instance_, call.Get()), POOLPROOF_OK) << backend_->last_error(instance_);
    EXPECT_EQ(call.values, example.values);
    EXPECT_EQ(call.indices, example.indices);
  }
}

}  // namespace
}  // namespace poolproof
