// A call of backend.h, read into the terms that pooling libraries share.
//
// Libraries that take a primitive (kernel, strides, pads) know nothing of attribute names, of
// required attributes or of auto_pad words, so these calls are read, and calls that break a rule of
// the operator's document rejected, here. OpenVINO knows all of that and does not come this way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/backend_helper.h"
#include "conformance/backends/adapter/geometry.h"

namespace poolproof::adapter {

// Facts that the name of an operator says.
struct OperatorTraits {
  std::string_view name;
  bool max;         // a maximum, else a mean
  bool adaptive;    // the output sizes are the second input
  bool indices;     // a second output; without adaptive also the attributes dilations and axis
  bool ceil_torch;  // knows this rounding_type
};

struct PoolCall {
  const OperatorTraits* op = nullptr;
  poolproof_element_type type = 0;
  backend::Dims dims;      // batch, channels, and one to three spatial axes
  std::vector<Axis> axes;  // one per spatial axis
  Rounding rounding = Rounding::kFloor;
  AutoPad auto_pad = AutoPad::kExplicit;
  bool exclude_pad = false;
  poolproof_element_type index_type = POOLPROOF_I64;
  size_t index_axis = 0;  // first dimension that counts in an index

  int64_t Planes() const { return dims[0] * dims[1]; }
  int64_t InputPlane() const { return Product(Each(&Axis::in)); }    // elements of one plane of the input
  int64_t OutputPlane() const { return Product(Each(&Axis::out)); }  // and of the output
  backend::Dims OutputDims() const;
  // One member of each axis: Each(&Axis::kernel).
  backend::Dims Each(int64_t Axis::* member) const;
  bool AnyAxis(bool (*holds)(const Axis&)) const { return std::any_of(axes.begin(), axes.end(), holds); }

  // Position in the input plane of tap `tap` of the window of output `cell`, for libraries that count
  // the taps of a window, row by row or column by column. A tap in the padding has a wrong position,
  // which the judge sees.
  int64_t TapPosition(int64_t cell, int64_t tap, bool by_columns = false) const;
  // Whether the window of output `cell` has a tap inside the input.
  bool TouchesInput(int64_t cell) const;
  // The documents' index of the element at `position` of plane `plane`: counted from dimension
  // index_axis. A position outside the plane, which a library should never have, is passed on as it is.
  int64_t DocumentedIndex(int64_t plane, int64_t position) const;

 private:
  static int64_t Product(const backend::Dims& dims) { return backend::ElementCount(dims.data(), dims.size()); }
};

// Reads `call` and resolves every axis. Throws InvalidArgument where the call breaks a rule of the
// documents; Unsupported for an operator that is none of the seven, and for numbers beyond int32,
// which no library here takes.
PoolCall ReadCall(const backend::CallView& call);

}  // namespace poolproof::adapter
