// The reference as a backend, loaded as a vendor's would be.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

class Plugin : public testing::Test {
 protected:
  void SetUp() override {
    library_ = dlopen(POOLPROOF_REFERENCE_BACKEND, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    get_ = reinterpret_cast<poolproof_get_backend_fn>(dlsym(library_, "poolproof_get_backend"));
    ASSERT_NE(get_, nullptr);
    backend_ = get_(POOLPROOF_ABI_VERSION);
    ASSERT_NE(backend_, nullptr);
  }
  void TearDown() override {
    if (library_ != nullptr) dlclose(library_);
  }

  poolproof_status Create(const std::vector<const char*>& options, std::string* error) {
    char text[200] = "";
    const poolproof_status status = backend_->create(options.data(), options.size(), &instance_, text, sizeof(text));
    *error = text;
    return status;
  }

  void* library_ = nullptr;
  poolproof_get_backend_fn get_ = nullptr;
  const poolproof_backend* backend_ = nullptr;
  poolproof_instance* instance_ = nullptr;
};

TEST_F(Plugin, ServesItsOwnAbiVersionOnly) {
  EXPECT_EQ(backend_->struct_size, sizeof(poolproof_backend));
  EXPECT_EQ(backend_->abi_version, POOLPROOF_ABI_VERSION);
  EXPECT_STREQ(backend_->name, "poolproof-reference");
  EXPECT_STRNE(backend_->version, "");
  EXPECT_EQ(get_(POOLPROOF_ABI_VERSION + 1), nullptr);
}

TEST_F(Plugin, OptionsChooseReadings) {
  // The window of the second output lies past the input.
  TestCall call("MaxPool-1", POOLPROOF_F32, {1, 1, 2}, 1);
  call.List("kernel", {1}).List("strides", {2}).List("pads_begin", {0}).List("pads_end", {0});
  call.Word("rounding_type", "ceil");
  const std::pair<std::vector<const char*>, float> cases[] = {
      {{}, -std::numeric_limits<float>::infinity()},
      {{"profile=openvino"}, std::numeric_limits<float>::lowest()},
      {{"reading.empty-window-value=zero", "profile=openvino"}, 0.0f}};
  for (const auto& [options, last] : cases) {
    std::string error;
    ASSERT_EQ(Create(options, &error), POOLPROOF_OK) << error;
    ASSERT_EQ(backend_->infer_shapes(instance_, &call.Get()), POOLPROOF_OK);
    float values[2] = {9, 9};
    ASSERT_EQ(call.Output(0).size_bytes, sizeof(values));
    call.Output(0).data = values;
    EXPECT_EQ(backend_->run(instance_, &call.Get()), POOLPROOF_OK);
    EXPECT_STREQ(backend_->last_error(instance_), "");
    EXPECT_EQ(values[0], 0);
    EXPECT_EQ(values[1], last);
    backend_->destroy(instance_);
  }
}

TEST_F(Plugin, UnknownOptionsAreRefusedWithASentence) {
  const std::pair<const char*, const char*> cases[] = {
      {"threads=2", "unknown option \"threads=2\": profile=NAME or reading.ID=READING"},
      {"profile=caffe", "no profile is named \"caffe\", but documented, onnx, onnxruntime, openvino, pytorch"},
      {"reading.tie=first", "no ledger entry is named tie"},
      {"reading.ties=other", "entry ties has no reading \"other\", but first, last"},
      {"reading.ties", "entry ties has no reading \"\", but first, last"}};
  for (const auto& [option, sentence] : cases) {
    std::string error;
    EXPECT_EQ(Create({option}, &error), POOLPROOF_INVALID_ARGUMENT);
    EXPECT_EQ(error, sentence);
  }
  char small[8];
  const char* option = "threads=2";
  EXPECT_EQ(backend_->create(&option, 1, &instance_, small, sizeof(small)), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_STREQ(small, "unknown");
  EXPECT_EQ(backend_->create(&option, 1, &instance_, nullptr, 0), POOLPROOF_INVALID_ARGUMENT);
}

TEST_F(Plugin, LastErrorIsOfTheLastCall) {
  std::string error;
  ASSERT_EQ(Create({}, &error), POOLPROOF_OK);
  TestCall bad("MaxPool-3", POOLPROOF_F32, {1, 1, 2}, 1);
  EXPECT_EQ(backend_->infer_shapes(instance_, &bad.Get()), POOLPROOF_UNSUPPORTED);
  EXPECT_STREQ(backend_->last_error(instance_), "no operator is named MaxPool-3");
  TestCall good("AdaptiveAvgPool-8", POOLPROOF_F32, {1, 1, 2}, 1);
  good.Sizes(POOLPROOF_I64, {1});
  EXPECT_EQ(backend_->infer_shapes(instance_, &good.Get()), POOLPROOF_OK);
  EXPECT_STREQ(backend_->last_error(instance_), "");
  backend_->destroy(instance_);
}

}  // namespace
}  // namespace poolproof::reference
