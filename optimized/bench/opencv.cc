// OpenCV's dnn module. Its layers pool f32, and 8-bit integers as quantized values, in [N,C,...].
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn/all_layers.hpp>
#include <vector>

#include "optimized/bench/contestant.h"

namespace poolproof::optimized {
namespace {

using cv::dnn::DictValue;
using cv::dnn::LayerParams;

std::vector<int> Ints(const std::vector<int64_t>& values) { return {values.begin(), values.end()}; }

DictValue List(const std::vector<int64_t>& values) {
  const std::vector<int> ints = Ints(values);
  return DictValue::arrayInt(ints.data(), static_cast<int>(ints.size()));
}

LayerParams Parameters(const Workload& w) {
  LayerParams parameters;
  parameters.set("pool", w.pool == Pool::kMax ? "max" : "ave");
  parameters.set("kernel_size", List(w.kernel));
  parameters.set("stride", List(w.strides));
  std::vector<int64_t> pads = w.pads;
  pads.insert(pads.end(), w.pads.begin(), w.pads.end());
  parameters.set("pad", List(pads));
  parameters.set("ceil_mode", false);
  parameters.set("ave_pool_padded_area", !w.exclude_pad);
  if (w.type == POOLPROOF_I8) {
    parameters.set("input_scale", 1.0f), parameters.set("scales", 1.0f);
    parameters.set("input_zeropoint", 0), parameters.set("zeropoints", 0);
  }
  return parameters;
}

class Opencv : public Contestant {
 public:
  // Throws cv::Exception where OpenCV does not have the workload.
  Opencv(const Workload& w, const void* input) {
    const int type = w.type == POOLPROOF_F32 ? CV_32F : CV_8S;
    std::vector<int64_t> out_dims = {w.dims[0], w.dims[1]};
    for (const int64_t size : w.OutSizes()) out_dims.push_back(size);
    inputs_ = {cv::Mat(Ints(w.dims), type, const_cast<void*>(input))};
    outputs_ = {cv::Mat(Ints(out_dims), type)};
    const LayerParams parameters = Parameters(w);
    if (type == CV_32F) {
      layer_ = cv::dnn::PoolingLayer::create(parameters);
    } else {
      layer_ = cv::dnn::PoolingLayerInt8::create(parameters);
    }
    layer_->preferableTarget = cv::dnn::DNN_TARGET_CPU;
    layer_->finalize(cv::InputArrayOfArrays(inputs_), cv::OutputArrayOfArrays(outputs_));
    Run();
  }
  void Run() override { layer_->forward(inputs_, outputs_, internals_); }
  const void* Values() override { return outputs_[0].data; }

 private:
  std::vector<cv::Mat> inputs_, outputs_, internals_;
  cv::Ptr<cv::dnn::Layer> layer_;
};

std::unique_ptr<Contestant> Enter(const Workload& w, const void* input) {
  const bool has_type = w.type == POOLPROOF_F32 || (w.type == POOLPROOF_I8 && w.pool == Pool::kMax);
  if ((w.pool != Pool::kMax && w.pool != Pool::kAverage) || !has_type || w.index) return nullptr;
  for (const int64_t d : w.dilations) {
    if (d != 1) return nullptr;
  }
  cv::setNumThreads(BenchmarkThreads());
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  const auto old = cv::redirectError([](int, const char*, const char*, const char*, int, void*) { return 0; });
  std::unique_ptr<Contestant> contestant;
  try {
    contestant = std::make_unique<Opencv>(w, input);
  } catch (const cv::Exception&) {
  }
  cv::redirectError(old);
  return contestant;
}

}  // namespace

std::vector<Entrant> OpencvEntrants() { return {{"OpenCV", Role::kPeer, Enter}}; }

}  // namespace poolproof::optimized
