#include "optimized/core/mli.h"

#include <array>
#include <map>
#include <string>
#include <utility>

#include "optimized/core/attributes.h"
#include "optimized/core/tensors.h"

namespace poolproof::optimized {
namespace {

enum class Padding { kAny, kNone, kKernel };

// Demands of a specialization on the configuration; 0 demands nothing.
struct Restrictions {
  int64_t kernel_width = 0, kernel_height = 0, channels = 0, stride = 0;
  Padding padding = Padding::kAny;
};
using Names = std::map<std::string, Restrictions, std::less<>>;

std::string Kernel(int width, int height) { return "_k" + std::to_string(width) + "x" + std::to_string(height); }

void AddStride1(Names& names, int width, int height, int channels, Padding padding) {
  std::string name = Kernel(width, height);
  if (channels != 0) name += "_ch" + std::to_string(channels);
  name += padding == Padding::kNone ? "_str1_nopad" : "_str1_krnpad";
  names[name] = {width, height, channels, 1, padding};
}

Names MaxpoolNames() {
  Names names;
  for (const Padding padding : {Padding::kNone, Padding::kKernel}) {
    for (int n = 2; n <= 10; ++n) {
      for (const int channels : {0, 1, 3}) AddStride1(names, n, n, channels, padding);
    }
    for (const auto& [width, height] : {std::pair{1, 2}, {1, 3}, {2, 1}, {3, 1}}) {
      for (const int channels : {0, 1}) AddStride1(names, width, height, channels, padding);
    }
  }
  names["_k1xn_str1"] = {1, 0, 0, 1, Padding::kAny};
  names["_knx1_str1"] = {0, 1, 0, 1, Padding::kAny};
  names["_ch1_str1"] = {0, 0, 1, 1, Padding::kAny};
  for (const int n : {2, 3}) {
    names[Kernel(n, n)] = {n, n, 0, 0, Padding::kAny};
    names[Kernel(n, n) + "_ch1"] = {n, n, 1, 0, Padding::kAny};
  }
  names["_generic"] = {};
  return names;
}

Names AvepoolNames() {
  Names names;
  using Pairs = std::initializer_list<std::pair<int, int>>;
  for (int n = 2; n <= 9; ++n) AddStride1(names, n, n, 0, Padding::kNone);
  for (int n = 4; n <= 9; ++n) AddStride1(names, n, n, 0, Padding::kKernel);
  for (const auto& [w, h] : Pairs{{4, 2}, {6, 2}, {6, 4}, {6, 8}, {8, 2}, {8, 4}, {8, 6}}) {
    AddStride1(names, w, h, 0, Padding::kNone);
    AddStride1(names, w, h, 0, Padding::kKernel);
  }
  for (const auto& [w, h] : Pairs{{4, 6}, {4, 8}}) AddStride1(names, w, h, 0, Padding::kKernel);
  // Any stride and any padding smaller than the kernel.
  for (int n = 2; n <= 10; ++n) names[Kernel(n, n) + "_krnpad"] = {n, n, 0, 0, Padding::kAny};
  names["_generic"] = {};
  return names;
}

struct Name {
  bool known = false;
  bool channels_last = false;
  poolproof_element_type type = POOLPROOF_FX8;
  const Restrictions* restrictions = nullptr;  // nullptr: none
};

bool Consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

Name ParseName(MliFunction function, std::string_view op) {
  static const Names kMaxpool = MaxpoolNames(), kAvepool = AvepoolNames();
  const bool max = function == MliFunction::kMaxpool;
  Name name;
  if (!Consume(op, max ? "mli_krn_maxpool_" : "mli_krn_avepool_")) return name;
  name.channels_last = Consume(op, "hwc_");
  if (!name.channels_last && !Consume(op, "chw_")) return name;
  if (Consume(op, "fx16")) {
    name.type = POOLPROOF_FX16;
  } else if (!Consume(op, "fx8")) {
    return name;
  }
  name.known = op.empty();
  if (name.known || name.channels_last) return name;
  const Names& names = max ? kMaxpool : kAvepool;
  const auto found = names.find(op);
  name.known = found != names.end();
  if (name.known) name.restrictions = &found->second;
  return name;
}

// The eight fields of mli_pool_cfg, all uint8.
struct Config {
  int64_t kernel_width = 0, kernel_height = 0, stride_width = 0, stride_height = 0;
  int64_t padding_left = 0, padding_right = 0, padding_top = 0, padding_bottom = 0;
};

Result ReadConfig(const Attributes& attributes, Config& c) {
  const std::pair<const char*, int64_t*> fields[] = {
      {"kernel_width", &c.kernel_width},   {"kernel_height", &c.kernel_height},  {"stride_width", &c.stride_width},
      {"stride_height", &c.stride_height}, {"padding_left", &c.padding_left},    {"padding_right", &c.padding_right},
      {"padding_top", &c.padding_top},     {"padding_bottom", &c.padding_bottom}};
  for (size_t i = 0; i < std::size(fields); ++i) {
    const int64_t min = i < 4 ? 1 : 0;
    Result r = attributes.Int(fields[i].first, min, 255, true, fields[i].second);
    if (!r.ok()) return r;
  }
  return Result::Ok();
}

Result CheckAxis(const char* name, int64_t kernel, int64_t before, int64_t after, int64_t size) {
  if (kernel > size) {
    return Result::Invalid(std::string("kernel_") + name + " is " + std::to_string(kernel) +
                           ", larger than the input's " + std::to_string(size));
  }
  if (before >= kernel || after >= kernel) {
    return Result::Invalid(std::string("the paddings must be smaller than kernel_") + name + ", " +
                           std::to_string(kernel));
  }
  return Result::Ok();
}

bool Fits(const Restrictions& r, const Config& c, int64_t channels) {
  const auto matches = [](int64_t wanted, int64_t value) { return wanted == 0 || wanted == value; };
  if (!matches(r.kernel_width, c.kernel_width) || !matches(r.kernel_height, c.kernel_height) ||
      !matches(r.channels, channels) || !matches(r.stride, c.stride_width) || !matches(r.stride, c.stride_height)) {
    return false;
  }
  const std::array<int64_t, 4> pads = {c.padding_left, c.padding_right, c.padding_top, c.padding_bottom};
  switch (r.padding) {
    case Padding::kAny: return true;
    case Padding::kNone: return pads == std::array<int64_t, 4>{};
    default:
      return pads == std::array<int64_t, 4>{(c.kernel_width - 1) / 2, c.kernel_width / 2, (c.kernel_height - 1) / 2,
                                            c.kernel_height / 2};
  }
}

// Trailing partial windows are dropped; the document gives no formula, this is the released code's.
Axis PoolAxis(int64_t in, int64_t kernel, int64_t stride, int64_t before, int64_t after) {
  return {in, (in + before + after - kernel) / stride + 1, kernel, stride, 1, before, false};
}

void SetPlan(MliFunction function, const poolproof_tensor& in, const Config& c, bool channels_last, Plan& plan) {
  plan.type = in.element_type == POOLPROOF_FX8 ? POOLPROOF_I8 : POOLPROOF_I16;
  const int height = channels_last ? 0 : 1;
  (channels_last ? plan.inner : plan.outer) = in.dims[channels_last ? 2 : 0];
  plan.axis[1] = PoolAxis(in.dims[height], c.kernel_height, c.stride_height, c.padding_top, c.padding_bottom);
  plan.axis[2] = PoolAxis(in.dims[height + 1], c.kernel_width, c.stride_width, c.padding_left, c.padding_right);
  plan.divisor = Divisor::kInside;
  if (function == MliFunction::kAvepool) plan.quotient = Quotient::kConvergent;
}

Result CheckTensor(const poolproof_call& call, const Name& name) {
  if (Result r = CheckCounts(call, 1); !r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  if (in.element_type != name.type) {
    return Result::Invalid(std::string(call.op) + " takes " + (name.type == POOLPROOF_FX8 ? "fx8" : "fx16") +
                           " tensors only");
  }
  if (in.rank != 3) {
    return Result::Invalid("the input has rank " + std::to_string(in.rank) + ", must be 3");
  }
  return CheckInput(in);
}

}  // namespace

bool IsMliFunction(MliFunction function, std::string_view op) { return ParseName(function, op).known; }

Result ParseMli(MliFunction function, const poolproof_call& call, Parsed& parsed) {
  const Name name = ParseName(function, call.op);
  if (Result r = CheckTensor(call, name); !r.ok()) return r;
  const Attributes attributes(call);
  Result r = attributes.CheckNames({"kernel_width", "kernel_height", "stride_width", "stride_height", "padding_left",
                                    "padding_right", "padding_top", "padding_bottom"});
  if (!r.ok()) return r;
  Config c;
  if (r = ReadConfig(attributes, c); !r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  const int64_t* hw = in.dims + (name.channels_last ? 0 : 1);
  r = CheckAxis("height", c.kernel_height, c.padding_top, c.padding_bottom, hw[0]);
  if (!r.ok()) return r;
  r = CheckAxis("width", c.kernel_width, c.padding_left, c.padding_right, hw[1]);
  if (!r.ok()) return r;
  if (name.restrictions != nullptr && !Fits(*name.restrictions, c, in.dims[0])) {
    return Result::Invalid("the configuration does not fit the restrictions of " + std::string(call.op));
  }
  SetPlan(function, in, c, name.channels_last, parsed.plan);
  OutputShape& out = parsed.output[0];
  out = {in.element_type, 3, {in.dims[0], in.dims[1], in.dims[2]}, in.frac_bits};
  out.dims[name.channels_last ? 0 : 1] = parsed.plan.axis[1].out;
  out.dims[name.channels_last ? 1 : 2] = parsed.plan.axis[2].out;
  parsed.outputs = 1;
  return CheckSize(out);
}

}  // namespace poolproof::optimized
