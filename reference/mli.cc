#include "reference/mli.h"

#include "reference/attributes.h"
#include "reference/reject.h"

namespace poolproof::reference {
namespace {

constexpr std::string_view kNames[] = {"kernel_width", "kernel_height", "stride_width", "stride_height",
                                       "padding_left", "padding_right", "padding_top",  "padding_bottom"};

// mli_pool_cfg, in the order of its fields.
struct PoolCfg {
  int64_t kernel_width, kernel_height, stride_width, stride_height;
  int64_t padding_left, padding_right, padding_top, padding_bottom;
};

bool ReadCfg(Attributes& attributes, PoolCfg* cfg) {
  int64_t* const fields[] = {&cfg->kernel_width, &cfg->kernel_height, &cfg->stride_width, &cfg->stride_height,
                             &cfg->padding_left, &cfg->padding_right, &cfg->padding_top,  &cfg->padding_bottom};
  if (!attributes.CheckNames(kNames)) return false;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (!attributes.Require(kNames[i]) || !attributes.ReadInteger(kNames[i], 0, 255, fields[i])) {
      return false;
    }
  }
  return true;
}

// One rule of the contract. Where it is broken a debug build of the library refuses the call.
template <typename... Pieces>
bool Check(bool kept, Context& context, const Pieces&... pieces) {
  if (kept) return true;
  context.touched.Add(Entry::kMliReleaseChecks);
  return context.readings.Is(Entry::kMliReleaseChecks, MliReleaseChecks::kUnchecked) || Reject(context, pieces...);
}

// A broken rule without which there is no result to compute under any reading.
template <typename... Pieces>
bool Demand(bool kept, Context& context, const Pieces&... pieces) {
  if (kept) return true;
  context.touched.Add(Entry::kMliReleaseChecks);
  return Reject(context, pieces...);
}

bool CheckPads(const PoolCfg& cfg, Context& context) {
  return Check(cfg.padding_left < cfg.kernel_width && cfg.padding_right < cfg.kernel_width, context, "padding_left ",
               cfg.padding_left, " and padding_right ", cfg.padding_right, " must be below kernel_width ",
               cfg.kernel_width) &&
         Check(cfg.padding_top < cfg.kernel_height && cfg.padding_bottom < cfg.kernel_height, context, "padding_top ",
               cfg.padding_top, " and padding_bottom ", cfg.padding_bottom, " must be below kernel_height ",
               cfg.kernel_height);
}

bool HasKernelPadding(const PoolCfg& cfg) {
  return cfg.padding_left == (cfg.kernel_width - 1) / 2 && cfg.padding_right == cfg.kernel_width / 2 &&
         cfg.padding_top == (cfg.kernel_height - 1) / 2 && cfg.padding_bottom == cfg.kernel_height / 2;
}

bool HasNoPadding(const PoolCfg& cfg) {
  return cfg.padding_left == 0 && cfg.padding_right == 0 && cfg.padding_top == 0 && cfg.padding_bottom == 0;
}

bool CheckRestrictions(const MliFunction& function, const PoolCfg& cfg, int64_t channels, Context& context,
                       const char* op) {
  const bool kernel = (function.kernel_width == 0 || cfg.kernel_width == function.kernel_width) &&
                      (function.kernel_height == 0 || cfg.kernel_height == function.kernel_height);
  const bool stride = !function.stride_1 || (cfg.stride_width == 1 && cfg.stride_height == 1);
  const bool padding = function.padding == MliPadding::kAny ||
                       (function.padding == MliPadding::kNone ? HasNoPadding(cfg) : HasKernelPadding(cfg));
  return Check(kernel, context, op, " does not take kernel_width ", cfg.kernel_width, " with kernel_height ",
               cfg.kernel_height) &&
         Check(function.channels == 0 || channels == function.channels, context, op, " does not take ", channels,
               " channels") &&
         Check(stride, context, op, " does not take stride_width ", cfg.stride_width, " with stride_height ",
               cfg.stride_height) &&
         Check(padding, context, op, " does not take padding_left ", cfg.padding_left, ", padding_right ",
               cfg.padding_right, ", padding_top ", cfg.padding_top, ", padding_bottom ", cfg.padding_bottom);
}

// Sets axis.out. A kernel larger than the dimension is outside the contract even where padding
// makes room for it.
bool SetOut(std::string_view name, Axis& axis, Context& context) {
  if (!Demand(axis.kernel >= 1, context, "kernel_", name, " is 0") ||
      !Demand(axis.stride >= 1, context, "stride_", name, " is 0") ||
      !Demand(axis.size >= 1, context, "the ", name, " of the input is 0") ||
      !Check(axis.kernel <= axis.size, context, "kernel_", name, " ", axis.kernel, " is larger than the ", name, " ",
             axis.size, " of the input")) {
    return false;
  }
  const int64_t span = axis.size + axis.pad_begin + axis.pad_end - axis.kernel;
  if (!Demand(span >= 0, context, "kernel_", name, " ", axis.kernel, " is larger than the padded input")) {
    return false;
  }
  axis.out = span / axis.stride + 1;
  return true;
}

void SetAxes(const PoolCfg& cfg, int64_t height, int64_t width, Plan* plan) {
  plan->spatial_rank = 2;
  plan->axes[1] = {height, 1, cfg.kernel_height, cfg.stride_height, 1, cfg.padding_top, cfg.padding_bottom, false};
  plan->axes[2] = {width, 1, cfg.kernel_width, cfg.stride_width, 1, cfg.padding_left, cfg.padding_right, false};
}

// Fills what depends on where the channels are.
void LayOut(bool hwc, const poolproof_tensor& input, int64_t channels, Plan* plan) {
  const Axis &h = plan->axes[1], &w = plan->axes[2];
  plan->type = input.element_type;
  plan->frac_bits = input.frac_bits;
  plan->rank = 3;
  plan->planes = channels;
  if (hwc) {
    plan->spatial_dim = {0, 1, 0};
    plan->out_dims = {h.out, w.out, channels};
    plan->in = {1, {0, w.size * channels, channels}};
    plan->out = {1, {0, w.out * channels, channels}};
  } else {
    plan->spatial_dim = {1, 2, 0};
    plan->out_dims = {channels, h.out, w.out};
    plan->in = {h.size * w.size, {0, w.size, 1}};
    plan->out = {h.out * w.out, {0, w.out, 1}};
  }
}

bool CheckTensor(const MliFunction& function, const poolproof_call& call, Context& context) {
  // The limits of the ABI first; type and rank are the contract's.
  const TensorRules rules = {1, 1, kAllTypes, 0, POOLPROOF_MAX_RANK};
  if (!CheckTensors(call, rules, context)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  return Demand(input.element_type == function.type, context, "element type ", ElementTypeName(input.element_type),
                " of input 0 is not that of ", call.op) &&
         Demand(input.rank == 3, context, "rank ", input.rank, " of input 0 is not 3");
}

}  // namespace

bool PlanMli(const MliFunction& function, const poolproof_call& call, Context& context, Plan* plan) {
  Attributes attributes(call, context);
  PoolCfg cfg{};
  if (!CheckTensor(function, call, context) || !ReadCfg(attributes, &cfg)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  const int64_t channels = input.dims[function.hwc ? 2 : 0];
  const int64_t height = input.dims[function.hwc ? 0 : 1];
  const int64_t width = input.dims[function.hwc ? 1 : 2];
  if (!Demand(channels >= 1, context, "input 0 has no channels")) return false;
  SetAxes(cfg, height, width, plan);
  if (!SetOut("height", plan->axes[1], context) || !SetOut("width", plan->axes[2], context) ||
      !CheckPads(cfg, context) || !CheckRestrictions(function, cfg, channels, context, call.op)) {
    return false;
  }
  LayOut(function.hwc, input, channels, plan);
  plan->capacity_entries.Add(Entry::kMliReleaseChecks);
  return OutputBytesFit(*plan) || Reject(context, "the bytes of the output do not fit in 64 bits");
}

}  // namespace poolproof::reference
