// A call of backend.h, read into the terms that pooling libraries share.
//
// Libraries that take a primitive (kernel, strides, pads) know nothing of attribute names, of
// required attributes or of auto_pad words, so these calls are read, and calls that break a rule of
// the operator's document rejected, here. OpenVINO knows all of that and does not come this way.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_POOL_CALL_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_POOL_CALL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/backend_helper.h"

namespace poolproof::adapter {

using backend::Answer;
Answer Invalid(std::string error);
Answer Unsupported(std::string error);

enum class Kind : uint8_t { kMax, kAverage };

// What the name of an operator says.
struct OperatorTraits {
  std::string_view name;
  Kind kind;
  bool adaptive;
  bool dilations;
  bool indices;     // a second output
  bool axis;        // has the attribute axis; without it indices are those of a plane
  bool ceil_torch;  // knows this rounding_type
};
const OperatorTraits* FindOperator(std::string_view name);

enum class Rounding : uint8_t { kFloor, kCeil, kCeilTorch };
enum class AutoPad : uint8_t { kExplicit, kSameUpper, kSameLower, kValid };

// One spatial axis, with the pads that auto_pad leads to and the documented output size.
struct Axis {
  int64_t in = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;  // 1 is dense
  int64_t pad_begin = 0;
  int64_t pad_end = 0;
  int64_t out = 0;

  // Distance from the first tap of a window to one past its last.
  int64_t Extent() const { return (kernel - 1) * dilation + 1; }
  // Pixels needed past the end of the input by the last window; below pad_end where trailing pixels
  // are dropped, above where ceil lets the last window pass the padded end.
  int64_t NeededEnd() const { return (out - 1) * stride + Extent() - in - pad_begin; }
  // An end pad with which floor((in + pads - extent) / stride) + 1 is `out`, for libraries that
  // know no other rounding: pad_end itself where it will do.
  int64_t FloorPadEnd() const {
    const int64_t span = in + pad_begin + pad_end - Extent();
    const bool fits = span >= 0 && span / stride + 1 == out;
    return fits ? pad_end : (NeededEnd() > 0 ? NeededEnd() : 0);
  }
};

struct PoolCall {
  const OperatorTraits* op = nullptr;
  poolproof_element_type type = 0;
  int rank = 0;
  std::array<int64_t, 5> dims{};
  std::array<Axis, 3> axes{};  // axes[0 .. Spatial())
  Rounding rounding = Rounding::kFloor;
  AutoPad auto_pad = AutoPad::kExplicit;
  bool exclude_pad = false;
  poolproof_element_type index_type = POOLPROOF_I64;
  int index_axis = 0;  // first dimension that counts in an index, in [0, rank)

  int Spatial() const { return rank - 2; }
  bool Max() const { return op->kind == Kind::kMax; }
  int64_t Planes() const { return dims[0] * dims[1]; }
  int64_t InputPlane() const;   // elements of one plane of the input
  int64_t OutputPlane() const;  // and of the output
  // Exclusive upper bound of indices: the product of dims from index_axis on.
  int64_t IndexBound() const;

  bool AnyAxis(bool (*holds)(const Axis&)) const;
};

// Reads `call` and resolves every axis. INVALID_ARGUMENT where the call breaks a rule of the
// documents; UNSUPPORTED for an operator that is none of the seven, and for numbers beyond int32,
// which no library here takes.
Answer ReadCall(const poolproof_call& call, PoolCall* out);

using backend::ElementSize;
using backend::IsFloat;

}  // namespace poolproof::adapter

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_POOL_CALL_H_
