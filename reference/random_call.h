// For tests: random calls of every operator, small, often at the edge of what is allowed, with data
// that reaches the open points of the documents.
#ifndef POOLPROOF_REFERENCE_RANDOM_CALL_H_
#define POOLPROOF_REFERENCE_RANDOM_CALL_H_

#include <random>

#include "reference/test_call.h"

namespace poolproof::reference {

class RandomCalls {
 public:
  explicit RandomCalls(uint64_t seed) : random_(seed) {}

  int64_t Between(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }
  bool OneIn(int64_t n) { return Between(1, n) == 1; }

  // A call of any operator; some are invalid.
  TestCall Call() {
    switch (Between(0, 9)) {
      case 0: return Adaptive(OneIn(2));
      case 1:
      case 2: return Mli();
      default: return Sliding();
    }
  }

  TestCall Sliding() {
    static constexpr const char* kOps[] = {"MaxPool-1", "MaxPool-8", "MaxPool-14", "AvgPool-1", "AvgPool-14"};
    const int64_t op = Between(0, 4);
    const bool index = op == 1 || op == 2;
    const std::vector<int64_t> shape = Shape(Between(3, 5));
    TestCall call(kOps[op], Type(12), shape, index ? 2 : 1);
    const size_t axes = shape.size() - 2;
    call.List("kernel", List(axes, 1, 3)).List("strides", List(axes, 1, 4));
    if (!OneIn(8)) call.List("pads_begin", List(axes, 0, 2)).List("pads_end", List(axes, 0, 3));
    if (!OneIn(3)) Rounding(call, op == 2 || op == 4);
    if (!OneIn(3)) AutoPad(call);
    if (op >= 3) call.Bool("exclude-pad", OneIn(2));
    if (index) Index(call, static_cast<int64_t>(shape.size()), axes);
    Fill(call);
    return call;
  }

  TestCall Adaptive(bool maximum) {
    const std::vector<int64_t> shape = Shape(Between(3, 5));
    TestCall call(maximum ? "AdaptiveMaxPool-8" : "AdaptiveAvgPool-8", Type(4), shape, maximum ? 2 : 1);
    call.Sizes(OneIn(2) ? POOLPROOF_I32 : POOLPROOF_I64, List(shape.size() - 2, 1, 6));
    if (maximum && OneIn(2)) call.Word("index_element_type", OneIn(2) ? "i32" : "i64");
    Fill(call);
    return call;
  }

  TestCall Mli() {
    static constexpr const char* kSuffixes[] = {"_chw_fx8",  "_hwc_fx8",         "_chw_fx16",
                                                "_hwc_fx16", "_chw_fx8_generic", "_chw_fx16_k2x2_str1_nopad"};
    const int64_t suffix = Between(0, 5);
    const bool wide = suffix == 2 || suffix == 3 || suffix == 5;
    const std::string name = std::string("mli_krn_") + (OneIn(3) ? "maxpool" : "avepool");
    TestCall call(name + kSuffixes[suffix], wide ? POOLPROOF_FX16 : POOLPROOF_FX8, Shape(3), 1);
    call.Int("kernel_width", Between(1, 3)).Int("kernel_height", Between(1, 3));
    call.Int("stride_width", Between(OneIn(20) ? 0 : 1, 3)).Int("stride_height", Between(1, 3));
    for (const char* pad : {"padding_left", "padding_right", "padding_top", "padding_bottom"}) {
      call.Int(pad, OneIn(2) ? 0 : Between(0, 2));
    }
    Fill(call);
    return call;
  }

  // Any reading of everything; usually close to a profile.
  Readings AnyReadings() {
    Readings readings = *FindProfile(ProfileNames()[static_cast<size_t>(Between(0, 2))]);
    for (size_t i = 0; i < kEntryCount; ++i) {
      const Entry entry = static_cast<Entry>(i);
      if (OneIn(4)) {
        readings[entry] = static_cast<uint8_t>(Between(0, ComputableReadings(entry) - 1));
      }
    }
    return readings;
  }

 private:
  // The first `count` of the element types, floats first.
  poolproof_element_type Type(int64_t count) { return static_cast<poolproof_element_type>(Between(1, count)); }
  std::vector<int64_t> List(size_t size, int64_t low, int64_t high) {
    std::vector<int64_t> list(size);
    for (int64_t& value : list) value = Between(low, high);
    return list;
  }
  std::vector<int64_t> Shape(int64_t rank) {
    std::vector<int64_t> shape = List(static_cast<size_t>(rank), 1, 5);
    shape[0] = Between(1, 2);
    if (OneIn(25)) shape[static_cast<size_t>(Between(0, rank - 1))] = 0;
    return shape;
  }
  void Rounding(TestCall& call, bool torch) {
    static constexpr const char* kWords[] = {"floor", "ceil", "ceil", "ceil_torch"};
    call.Word("rounding_type", kWords[Between(0, torch ? 3 : 2)]);
  }
  void AutoPad(TestCall& call) {
    static constexpr const char* kWords[] = {"explicit", "explicit", "valid", "same_upper", "same_lower"};
    call.Word("auto_pad", kWords[Between(0, 4)]);
  }
  void Index(TestCall& call, int64_t rank, size_t axes) {
    if (OneIn(2)) call.List("dilations", List(axes, OneIn(10) ? 0 : 1, 3));
    if (OneIn(2)) call.Int("axis", Between(-rank, rank - 1));
    if (OneIn(2)) call.Word("index_element_type", OneIn(2) ? "i32" : "i64");
  }

  // Few different values, so that maxima tie; per call with or without each kind of special.
  void Fill(TestCall& call) {
    poolproof_tensor& input = call.Input(0);
    const size_t size = ElementSize(input.element_type);
    const size_t count = size == 0 ? 0 : input.size_bytes / size;
    const int64_t kinds = Between(0, 7), values = Between(1, 9);
    std::vector<long double> data(count);
    for (long double& x : data) x = Value(input.element_type, kinds, values);
    call.Data(data);
  }
  long double Value(poolproof_element_type type, int64_t kinds, int64_t values) {
    return VisitElementType(type, [&](auto e) -> long double {
      using E = decltype(e);
      const long double lowest = static_cast<long double>(E::Load(E::kLowest));
      if ((kinds & 1) != 0 && OneIn(2)) return lowest;
      if constexpr (E::kIsFloat) {
        const long double infinity = std::numeric_limits<long double>::infinity();
        if ((kinds & 2) != 0 && OneIn(2)) return OneIn(3) ? infinity - infinity : -infinity;
        if ((kinds & 4) != 0 && OneIn(2)) return OneIn(2) ? -0.0L : 0.0L;
        return static_cast<long double>(Between(-values, values)) / 4;
      } else {
        return static_cast<long double>(Between(lowest < 0 ? -values : 0, values));
      }
    });
  }

  std::mt19937_64 random_;
};

}  // namespace poolproof::reference

#endif  // POOLPROOF_REFERENCE_RANDOM_CALL_H_
