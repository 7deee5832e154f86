#include "optimized/bench/random_layers.h"

#include <algorithm>
#include <cmath>

namespace poolproof::optimized {
namespace {

using Sizes = std::vector<int64_t>;

// SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  int64_t In(int64_t low, int64_t high) {  // both included
    return low + static_cast<int64_t>(Next() % static_cast<uint64_t>(high - low + 1));
  }
  bool OneIn(int64_t n) { return In(1, n) == 1; }
  // Each power of two is as likely as any other.
  int64_t Log(int64_t low, int64_t high) {
    const double unit = static_cast<double>(Next() >> 11) * 0x1p-53;
    const double ratio = static_cast<double>(high + 1) / static_cast<double>(low);
    return std::min(high, static_cast<int64_t>(static_cast<double>(low) * std::pow(ratio, unit)));
  }

 private:
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint64_t state_;
};

struct Kind {
  Pool pool;
  poolproof_element_type type;
  bool index;
  bool dilated;
  int weight;
};

constexpr Kind kKinds[] = {
    {Pool::kMax, POOLPROOF_F32, false, false, 16},       {Pool::kMax, POOLPROOF_F32, false, true, 4},
    {Pool::kMax, POOLPROOF_F32, true, false, 12},        {Pool::kMax, POOLPROOF_F32, true, true, 3},
    {Pool::kMax, POOLPROOF_BF16, false, false, 5},       {Pool::kMax, POOLPROOF_F16, false, false, 4},
    {Pool::kMax, POOLPROOF_I8, false, false, 5},         {Pool::kMax, POOLPROOF_U8, false, false, 5},
    {Pool::kMax, POOLPROOF_F64, false, false, 4},        {Pool::kMax, POOLPROOF_I64, false, false, 4},
    {Pool::kMax, POOLPROOF_BF16, true, false, 2},        {Pool::kMax, POOLPROOF_F64, true, false, 2},
    {Pool::kMax, POOLPROOF_I64, true, false, 2},         {Pool::kAverage, POOLPROOF_F32, false, false, 16},
    {Pool::kAverage, POOLPROOF_BF16, false, false, 3},   {Pool::kAverage, POOLPROOF_F64, false, false, 2},
    {Pool::kAverage, POOLPROOF_I8, false, false, 2},     {Pool::kAverage, POOLPROOF_I64, false, false, 1},
    {Pool::kAdaptiveMax, POOLPROOF_F32, true, false, 8}, {Pool::kAdaptiveAverage, POOLPROOF_F32, false, false, 8},
};

const Kind& DrawKind(Random& random) {
  int64_t total = 0;
  for (const Kind& kind : kKinds) total += kind.weight;
  int64_t at = random.In(0, total - 1);
  for (const Kind& kind : kKinds) {
    at -= kind.weight;
    if (at < 0) return kind;
  }
  return kKinds[0];
}

constexpr int64_t kLeastElements = 104857 / 4, kMostElements = (4 << 20) / 4;

int64_t Product(const Sizes& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

// [N, C, spatial...] with as many elements as are wanted. Half of all planes are square.
Sizes DrawDims(Random& random) {
  const int64_t axes = random.OneIn(7) ? 1 : random.OneIn(6) ? 3 : 2;
  for (;;) {
    Sizes dims = {random.OneIn(2) ? 1 : random.Log(2, 16), random.Log(3, 512)};
    if (axes == 1) dims.push_back(random.Log(32, 16384));
    if (axes == 3) dims.push_back(random.In(5, 32));
    if (axes > 1) dims.push_back(random.Log(5, 128));
    if (axes > 1) dims.push_back(random.OneIn(2) ? dims.back() : random.Log(5, 128));
    if (Product(dims) >= kLeastElements && Product(dims) <= kMostElements) return dims;
  }
}

// A kernel, stride, pad and dilation for every axis that has room for it; most are the same on all axes.
bool DrawWindows(Random& random, bool dilated, Workload& w) {
  const size_t axes = w.SpatialRank();
  const int64_t kernel = random.OneIn(2) ? random.In(2, 3) : random.In(2, 9);
  const int64_t stride = std::min(kernel, random.In(1, 4));
  const int64_t dilation = dilated ? random.In(2, 3) : 1;
  const bool padded = random.OneIn(2), uneven = random.OneIn(6);
  for (size_t i = 0; i < axes; ++i) {
    const int64_t k = uneven ? random.In(2, 9) : kernel;
    w.kernel.push_back(k);
    w.strides.push_back(std::min(k, stride));
    w.dilations.push_back(dilation);
    w.pads.push_back(padded ? k / 2 : 0);
    if ((k - 1) * dilation + 1 > w.dims[2 + i]) return false;
  }
  return true;
}

std::string Joined(const Sizes& sizes) {
  const bool same = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
  std::string text;
  for (size_t i = 0; i < (same ? 1 : sizes.size()); ++i) text += (i > 0 ? "x" : "") + std::to_string(sizes[i]);
  return text;
}

std::string TypeName(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F64: return "f64";
    case POOLPROOF_F16: return "f16";
    case POOLPROOF_BF16: return "bf16";
    case POOLPROOF_I8: return "i8";
    case POOLPROOF_U8: return "u8";
    case POOLPROOF_I64: return "i64";
    default: return "f32";
  }
}

// "max+i64 f32 2x48x13x71 k4 s2 p2": everything there is to know.
std::string NameOf(const Workload& w) {
  std::string name = w.IsAdaptive() ? "adaptive " : "";
  name += !IsMean(w.pool) ? "max" : w.IsAdaptive() ? "avg" : w.exclude_pad ? "avg exclude" : "avg include";
  name += std::string(w.index ? "+i64 " : " ") + TypeName(w.type) + " ";
  for (size_t i = 0; i < w.dims.size(); ++i) name += (i > 0 ? "x" : "") + std::to_string(w.dims[i]);
  if (w.IsAdaptive()) {
    for (size_t i = 0; i < w.sizes.size(); ++i) name += (i > 0 ? "x" : " to ") + std::to_string(w.sizes[i]);
    return name;
  }
  name += " k" + Joined(w.kernel) + " s" + Joined(w.strides) + " p" + Joined(w.pads);
  return w.dilations[0] > 1 ? name + " d" + Joined(w.dilations) : name;
}

}  // namespace

Workload RandomLayer(uint64_t seed, int64_t number) {
  Random random(seed * 0xD1342543DE82EF95u + static_cast<uint64_t>(number) * 0x2545F4914F6CDD1Du);
  for (;;) {
    const Kind& kind = DrawKind(random);
    Workload w;
    w.pool = kind.pool;
    w.type = kind.type;
    w.index = kind.index;
    w.dims = DrawDims(random);
    w.exclude_pad = w.pool == Pool::kAverage && random.OneIn(2);
    if (w.IsAdaptive()) {
      for (size_t i = 2; i < w.dims.size(); ++i) w.sizes.push_back(random.In(1, std::min<int64_t>(9, w.dims[i])));
    } else if (!DrawWindows(random, kind.dilated, w)) {
      continue;
    }
    w.name = NameOf(w);
    return w;
  }
}

const std::vector<std::string>& Classes() {
  static const std::vector<std::string> classes = {"f32 maximum", "8-bit",    "half",    "f64", "i64", "index",
                                                   "mean",        "adaptive", "dilated", "1-D", "3-D"};
  return classes;
}

std::vector<std::string> ClassesOf(const Workload& w) {
  std::vector<std::string> classes;
  const auto add = [&](bool belongs, const char* name) {
    if (belongs) classes.emplace_back(name);
  };
  add(w.type == POOLPROOF_F32 && !IsMean(w.pool) && !w.index, "f32 maximum");
  add(w.type == POOLPROOF_I8 || w.type == POOLPROOF_U8, "8-bit");
  add(w.type == POOLPROOF_F16 || w.type == POOLPROOF_BF16, "half");
  add(w.type == POOLPROOF_F64, "f64");
  add(w.type == POOLPROOF_I64, "i64");
  add(w.index, "index");
  add(IsMean(w.pool), "mean");
  add(w.IsAdaptive(), "adaptive");
  add(!w.IsAdaptive() && w.dilations[0] > 1, "dilated");
  add(w.SpatialRank() == 1, "1-D");
  add(w.SpatialRank() == 3, "3-D");
  return classes;
}

}  // namespace poolproof::optimized
