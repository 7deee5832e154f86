// The workloads: those of the table of targets, then other types, strides, odd sizes, tails and ranks.
#include "optimized/bench/workload.h"

namespace poolproof::optimized {
namespace {

using Sizes = std::vector<int64_t>;

// A workload with the same kernel, stride, pad and dilation on all spatial axes.
Workload Even(const std::string& name, Pool pool, poolproof_element_type type, Sizes dims, int64_t kernel,
              int64_t stride, int64_t pad, int64_t dilation = 1) {
  Workload w;
  w.name = name;
  w.pool = pool;
  w.type = type;
  w.dims = std::move(dims);
  const size_t spatial = w.SpatialRank();
  w.kernel.assign(spatial, kernel);
  w.strides.assign(spatial, stride);
  w.pads.assign(spatial, pad);
  w.dilations.assign(spatial, dilation);
  return w;
}

Workload Max(const std::string& name, poolproof_element_type type, Sizes dims, int64_t kernel, int64_t stride,
             int64_t pad, int64_t dilation = 1) {
  return Even("max " + name, Pool::kMax, type, std::move(dims), kernel, stride, pad, dilation);
}

Workload MaxIndex(const std::string& name, poolproof_element_type type, Sizes dims, int64_t kernel, int64_t stride,
                  int64_t pad, int64_t dilation = 1) {
  Workload w = Even("max+i64 " + name, Pool::kMax, type, std::move(dims), kernel, stride, pad, dilation);
  w.index = true;
  return w;
}

Workload Average(const std::string& name, poolproof_element_type type, Sizes dims, int64_t kernel, int64_t stride,
                 int64_t pad, bool exclude_pad) {
  Workload w = Even((exclude_pad ? "avg exclude " : "avg include ") + name, Pool::kAverage, type, std::move(dims),
                    kernel, stride, pad);
  w.exclude_pad = exclude_pad;
  return w;
}

Workload Adaptive(const std::string& name, bool max, Sizes dims, Sizes sizes) {
  Workload w;
  w.name = (max ? "adaptive max+i64 " : "adaptive avg ") + name;
  w.pool = max ? Pool::kAdaptiveMax : Pool::kAdaptiveAverage;
  w.dims = std::move(dims);
  w.sizes = std::move(sizes);
  w.index = max;
  return w;
}

Workload Mli(const std::string& name, Pool pool, poolproof_element_type type, bool channels_last, Sizes dims,
             int64_t kernel, int64_t stride, int64_t pad) {
  Workload w = Even("mli " + name, pool, type, std::move(dims), kernel, stride, pad);
  w.channels_last = channels_last;
  return w;
}

// The rows of the table of workloads.
std::vector<Workload> TableWorkloads() {
  const auto f32 = POOLPROOF_F32;
  return {
      Max("1x64x112x112 k3 s2 p1", f32, {1, 64, 112, 112}, 3, 2, 1),
      Max("1x64x224x224 k2 s2", f32, {1, 64, 224, 224}, 2, 2, 0),
      Max("1x256x56x56 k2 s2", f32, {1, 256, 56, 56}, 2, 2, 0),
      Max("8x192x28x28 k3 s1 p1", f32, {8, 192, 28, 28}, 3, 1, 1),
      Max("1x512x20x20 k5 s1 p2", f32, {1, 512, 20, 20}, 5, 1, 2),
      Max("1x512x20x20 k9 s1 p4", f32, {1, 512, 20, 20}, 9, 1, 4),
      Max("1x512x20x20 k13 s1 p6", f32, {1, 512, 20, 20}, 13, 1, 6),
      Max("32x16x8x8 k2 s2", f32, {32, 16, 8, 8}, 2, 2, 0),
      MaxIndex("1x64x112x112 k3 s2 p1", f32, {1, 64, 112, 112}, 3, 2, 1),
      MaxIndex("8x192x28x28 k3 s1 p1", f32, {8, 192, 28, 28}, 3, 1, 1),
      MaxIndex("1x512x20x20 k5 s1 p2", f32, {1, 512, 20, 20}, 5, 1, 2),
      MaxIndex("1x512x20x20 k13 s1 p6", f32, {1, 512, 20, 20}, 13, 1, 6),
      MaxIndex("1x64x56x56 k3 s1 p2 d2", f32, {1, 64, 56, 56}, 3, 1, 2, 2),
      Max("s8 1x64x224x224 k2 s2", POOLPROOF_I8, {1, 64, 224, 224}, 2, 2, 0),
      Max("u8 1x256x56x56 k2 s2", POOLPROOF_U8, {1, 256, 56, 56}, 2, 2, 0),
      Max("bf16 1x64x112x112 k3 s2 p1", POOLPROOF_BF16, {1, 64, 112, 112}, 3, 2, 1),
      Max("f16 1x64x112x112 k3 s2 p1", POOLPROOF_F16, {1, 64, 112, 112}, 3, 2, 1),
      Max("dilated 1x64x56x56 k3 s1 p2 d2", f32, {1, 64, 56, 56}, 3, 1, 2, 2),
      Max("3-D 1x64x8x56x56 k3 s2 p1", f32, {1, 64, 8, 56, 56}, 3, 2, 1),
      Max("1-D 1x128x4096 k3 s1 p1", f32, {1, 128, 4096}, 3, 1, 1),
      Average("1x64x112x112 k3 s2 p1", f32, {1, 64, 112, 112}, 3, 2, 1, false),
      Average("1x512x20x20 k13 s1 p6", f32, {1, 512, 20, 20}, 13, 1, 6, true),
      Adaptive("8x256x14x14 to 7x7", true, {8, 256, 14, 14}, {7, 7}),
      Adaptive("1x512x13x17 to 5x7", true, {1, 512, 13, 17}, {5, 7}),
      Adaptive("1x512x13x17 to 5x7", false, {1, 512, 13, 17}, {5, 7}),
  };
}

// Every element type on the two commonest shapes.
void AddTypes(std::vector<Workload>& list) {
  const struct {
    const char* name;
    poolproof_element_type type;
  } types[] = {{"f64", POOLPROOF_F64}, {"f16", POOLPROOF_F16}, {"bf16", POOLPROOF_BF16}, {"s8", POOLPROOF_I8},
               {"u8", POOLPROOF_U8},   {"i16", POOLPROOF_I16}, {"u16", POOLPROOF_U16},   {"i32", POOLPROOF_I32},
               {"u32", POOLPROOF_U32}, {"i64", POOLPROOF_I64}, {"u64", POOLPROOF_U64}};
  for (const auto& [name, type] : types) {
    const std::string stem = std::string(name) + " 1x64x112x112 k3 s2 p1";
    const std::string dense = std::string(name) + " 1x192x28x28 k3 s1 p1";
    const bool in_table = type == POOLPROOF_F16 || type == POOLPROOF_BF16;
    if (!in_table) list.push_back(Max(stem, type, {1, 64, 112, 112}, 3, 2, 1));
    list.push_back(Max(dense, type, {1, 192, 28, 28}, 3, 1, 1));
    list.push_back(MaxIndex(stem, type, {1, 64, 112, 112}, 3, 2, 1));
    list.push_back(Average(stem, type, {1, 64, 112, 112}, 3, 2, 1, true));
    list.push_back(Average(dense, type, {1, 192, 28, 28}, 3, 1, 1, false));
  }
  list.push_back(Max("s8 1x256x56x56 k2 s2", POOLPROOF_I8, {1, 256, 56, 56}, 2, 2, 0));
  list.push_back(Max("s8 1x512x20x20 k13 s1 p6", POOLPROOF_I8, {1, 512, 20, 20}, 13, 1, 6));
  list.push_back(Max("u8 1x512x20x20 k13 s1 p6", POOLPROOF_U8, {1, 512, 20, 20}, 13, 1, 6));
  list.push_back(Average("u8 1x512x20x20 k13 s1 p6", POOLPROOF_U8, {1, 512, 20, 20}, 13, 1, 6, true));
}

// Strides 1 to 3, odd sizes, rows shorter than a vector, one and three axes.
void AddShapes(std::vector<Workload>& list) {
  const auto f32 = POOLPROOF_F32;
  for (Workload& w :
       std::vector<Workload>{Max("1x64x57x57 k3 s3", f32, {1, 64, 57, 57}, 3, 3, 0),
                             Max("1x64x113x111 k3 s2", f32, {1, 64, 113, 111}, 3, 2, 0),
                             Max("1x512x7x7 k3 s1 p1", f32, {1, 512, 7, 7}, 3, 1, 1),
                             Max("1x512x7x5 k2 s1", f32, {1, 512, 7, 5}, 2, 1, 0),
                             Max("3-D 1x32x16x56x56 k2 s2", f32, {1, 32, 16, 56, 56}, 2, 2, 0),
                             MaxIndex("3-D 1x64x8x56x56 k3 s2 p1", f32, {1, 64, 8, 56, 56}, 3, 2, 1),
                             MaxIndex("3-D 1x32x16x56x56 k2 s2", f32, {1, 32, 16, 56, 56}, 2, 2, 0),
                             MaxIndex("1-D 1x128x4096 k3 s1 p1", f32, {1, 128, 4096}, 3, 1, 1),
                             MaxIndex("1x64x224x224 k2 s2", f32, {1, 64, 224, 224}, 2, 2, 0),
                             MaxIndex("32x16x8x8 k2 s2", f32, {32, 16, 8, 8}, 2, 2, 0),
                             Average("1x64x112x112 k3 s2 p1", f32, {1, 64, 112, 112}, 3, 2, 1, true),
                             Average("1x64x224x224 k2 s2", f32, {1, 64, 224, 224}, 2, 2, 0, false),
                             Average("8x192x28x28 k3 s1 p1", f32, {8, 192, 28, 28}, 3, 1, 1, false),
                             Average("8x192x28x28 k3 s1 p1", f32, {8, 192, 28, 28}, 3, 1, 1, true),
                             Average("1x64x57x57 k3 s3", f32, {1, 64, 57, 57}, 3, 3, 0, true),
                             Average("1x512x20x20 k13 s1 p6", f32, {1, 512, 20, 20}, 13, 1, 6, false),
                             Average("1x512x20x20 k5 s1 p2", f32, {1, 512, 20, 20}, 5, 1, 2, true),
                             Average("32x16x8x8 k2 s2", f32, {32, 16, 8, 8}, 2, 2, 0, true),
                             Average("1x512x7x7 k3 s1 p1", f32, {1, 512, 7, 7}, 3, 1, 1, true),
                             Average("3-D 1x64x8x56x56 k3 s2 p1", f32, {1, 64, 8, 56, 56}, 3, 2, 1, true),
                             Average("3-D 1x32x16x56x56 k2 s2", f32, {1, 32, 16, 56, 56}, 2, 2, 0, true),
                             Average("1-D 1x128x4096 k3 s1 p1", f32, {1, 128, 4096}, 3, 1, 1, true),
                             Adaptive("8x256x14x14 to 7x7", false, {8, 256, 14, 14}, {7, 7}),
                             Adaptive("1x2048x7x7 to 1x1", false, {1, 2048, 7, 7}, {1, 1}),
                             Adaptive("1x512x7x7 to 7x7", false, {1, 512, 7, 7}, {7, 7}),
                             Max("tiny 1x4x8x8 k2 s2", f32, {1, 4, 8, 8}, 2, 2, 0),
                             Average("tiny 1x4x8x8 k2 s2", f32, {1, 4, 8, 8}, 2, 2, 0, true),
                             Max("beyond cache 8x64x224x224 k2 s2", f32, {8, 64, 224, 224}, 2, 2, 0),
                             Average("beyond cache 8x64x224x224 k2 s2", f32, {8, 64, 224, 224}, 2, 2, 0, true)}) {
    list.push_back(std::move(w));
  }
}

// MLI: both operators, layouts and types, kernels 2 and 3.
void AddMli(std::vector<Workload>& list) {
  for (const Pool pool : {Pool::kMliMax, Pool::kMliAverage}) {
    for (const poolproof_element_type type : {POOLPROOF_FX8, POOLPROOF_FX16}) {
      for (const bool hwc : {false, true}) {
        const std::string name = std::string(pool == Pool::kMliMax ? "max " : "avg ") + (hwc ? "hwc " : "chw ") +
                                 (type == POOLPROOF_FX8 ? "fx8 " : "fx16 ");
        const Sizes dims = hwc ? Sizes{56, 56, 64} : Sizes{64, 56, 56};
        const std::string shape = hwc ? "56x56x64" : "64x56x56";
        list.push_back(Mli(name + shape + " k2 s2", pool, type, hwc, dims, 2, 2, 0));
        list.push_back(Mli(name + shape + " k3 s1 p1", pool, type, hwc, dims, 3, 1, 1));
        list.push_back(Mli(name + shape + " k3 s2 p1", pool, type, hwc, dims, 3, 2, 1));
      }
    }
  }
}

}  // namespace

const std::vector<Workload>& Workloads() {
  static const std::vector<Workload> all = [] {
    std::vector<Workload> list = TableWorkloads();
    AddTypes(list);
    AddShapes(list);
    AddMli(list);
    return list;
  }();
  return all;
}

const std::vector<Workload>& OutOfCacheWorkloads() {
  const auto f32 = POOLPROOF_F32;
  static const std::vector<Workload> all = {Max("16x64x160x160 k2 s2", f32, {16, 64, 160, 160}, 2, 2, 0),
                                            Max("16x64x160x160 k3 s1 p1", f32, {16, 64, 160, 160}, 3, 1, 1),
                                            Max("16x64x160x160 k3 s2 p1", f32, {16, 64, 160, 160}, 3, 2, 1),
                                            Max("16x64x160x160 k5 s1 p2", f32, {16, 64, 160, 160}, 5, 1, 2),
                                            Max("u8 64x64x160x160 k2 s2", POOLPROOF_U8, {64, 64, 160, 160}, 2, 2, 0),
                                            MaxIndex("16x64x160x160 k2 s2", f32, {16, 64, 160, 160}, 2, 2, 0),
                                            MaxIndex("16x64x160x160 k3 s2 p1", f32, {16, 64, 160, 160}, 3, 2, 1),
                                            Average("16x64x160x160 k3 s2 p1", f32, {16, 64, 160, 160}, 3, 2, 1, false),
                                            Adaptive("256x2048x7x7 to 1x1", false, {256, 2048, 7, 7}, {1, 1}),
                                            Adaptive("256x512x14x14 to 7x7", true, {256, 512, 14, 14}, {7, 7})};
  return all;
}

}  // namespace poolproof::optimized
