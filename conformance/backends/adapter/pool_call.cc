#include "conformance/backends/adapter/pool_call.h"

#include <limits>
#include <string>

namespace poolproof::adapter {
namespace {

using backend::CallView;
using backend::InvalidArgument;
using backend::Unsupported;

constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();

constexpr OperatorTraits kOperators[] = {
    // name, max, adaptive, indices, ceil_torch
    {"MaxPool-1", true, false, false, false},         {"MaxPool-8", true, false, true, false},
    {"MaxPool-14", true, false, true, true},          {"AvgPool-1", false, false, false, false},
    {"AvgPool-14", false, false, false, true},        {"AdaptiveMaxPool-8", true, true, true, false},
    {"AdaptiveAvgPool-8", false, true, false, false},
};

const OperatorTraits& FindOperator(std::string_view name) {
  for (const OperatorTraits& op : kOperators) {
    if (op.name == name) return op;
  }
  throw Unsupported("there is no operator " + std::string(name));
}

void CheckCount(const char* what, size_t count, size_t expected) {
  if (count != expected) throw InvalidArgument(std::string("the number of ") + what + " is " + std::to_string(count));
}

// Throws where `value` is below `smallest`, or beyond what libraries take.
int64_t Checked(const std::string& name, int64_t value, int64_t smallest) {
  if (value < smallest) {
    throw InvalidArgument(name + " is " + std::to_string(value) + "; the smallest valid value is " +
                          std::to_string(smallest));
  }
  if (value > kLargest) throw Unsupported(name + " is larger than int32");
  return value;
}

// One integer per spatial axis into the member `member` of each axis, which stays as it is where there
// is no such attribute.
void ReadList(const CallView& call, const std::string& name, int64_t smallest, int64_t Axis::* member, PoolCall* out) {
  const backend::Dims values = call.List(name, out->axes.size(), out->axes[0].*member);
  for (size_t i = 0; i < values.size(); ++i) {
    out->axes[i].*member = Checked(name + "[" + std::to_string(i) + "]", values[i], smallest);
  }
}

// The enumerator of a word; `words` in the order of the enumerators.
template <typename Enum>
Enum ReadWord(const CallView& call, std::string_view name, std::initializer_list<std::string_view> words) {
  const std::string_view word = call.WordOf(name, words);
  return static_cast<Enum>(std::find(words.begin(), words.end(), word) - words.begin());
}

void ReadFeatures(const poolproof_tensor& features, PoolCall* out) {
  if (features.rank < 3 || features.rank > 5) {
    throw InvalidArgument("the input has rank " + std::to_string(features.rank) + ", outside 3 to 5");
  }
  out->type = features.element_type;
  for (int32_t i = 0; i < features.rank; ++i) {
    out->dims.push_back(Checked("dimension " + std::to_string(i) + " of the input", features.dims[i], 0));
    if (i >= 2) out->axes.push_back({.in = features.dims[i]});
  }
}

void ReadIndexing(const CallView& call, PoolCall* out) {
  const auto rank = static_cast<int64_t>(out->dims.size());
  const int64_t axis = out->op->adaptive ? 2 : call.Int("axis", 0);
  if (axis < -rank || axis >= rank) {
    throw InvalidArgument("axis is " + std::to_string(axis) + ", outside [-R, R-1] of rank " + std::to_string(rank));
  }
  out->index_axis = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  if (call.WordOf("index_element_type", {"i64", "i32"}) == "i32") out->index_type = POOLPROOF_I32;
}

void ReadFixed(const CallView& call, PoolCall* out) {
  out->rounding = out->op->ceil_torch ? ReadWord<Rounding>(call, "rounding_type", {"floor", "ceil", "ceil_torch"})
                                      : ReadWord<Rounding>(call, "rounding_type", {"floor", "ceil"});
  out->auto_pad = ReadWord<AutoPad>(call, "auto_pad", {"explicit", "same_upper", "same_lower", "valid"});
  if (!out->op->max) {
    call.Require({"exclude-pad"});
    out->exclude_pad = call.Bool("exclude-pad", false);
  }
  call.Require({"kernel", "strides"});
  if (out->auto_pad == AutoPad::kExplicit) call.Require({"pads_begin", "pads_end"});
  ReadList(call, "kernel", 1, &Axis::kernel, out);
  ReadList(call, "strides", 1, &Axis::stride, out);
  ReadList(call, "pads_begin", 0, &Axis::pad_begin, out);
  ReadList(call, "pads_end", 0, &Axis::pad_end, out);
  if (out->op->indices) ReadList(call, "dilations", 1, &Axis::dilation, out);
  for (Axis& axis : out->axes) {
    if (axis.Extent() > kLargest) throw Unsupported("the dilated kernel is larger than int32");
    if (!ResolveAxis(out->auto_pad, out->rounding, &axis)) {
      throw InvalidArgument("the dilated kernel, " + std::to_string(axis.Extent()) +
                            ", is larger than the padded input, of " + std::to_string(axis.in));
    }
  }
}

int64_t ReadSize(const poolproof_tensor& sizes, size_t i) {
  if (sizes.element_type == POOLPROOF_I64) return static_cast<const int64_t*>(sizes.data)[i];
  if (sizes.element_type == POOLPROOF_I32) return static_cast<const int32_t*>(sizes.data)[i];
  throw InvalidArgument("the second input has to be i32 or i64");
}

void ReadSizes(const poolproof_tensor& sizes, PoolCall* out) {
  if (sizes.rank != 1 || sizes.dims[0] != static_cast<int64_t>(out->axes.size()) || sizes.data == nullptr) {
    throw InvalidArgument("the second input has to hold one output size per spatial axis");
  }
  for (size_t i = 0; i < out->axes.size(); ++i) out->axes[i].out = Checked("an output size", ReadSize(sizes, i), 1);
}

// Elements of the largest output have to fit an int32 as well; keeps all later products in range.
void CheckOutputSize(const PoolCall& call) {
  long double elements = 1;
  for (const int64_t dim : call.OutputDims()) elements *= static_cast<long double>(dim);
  if (elements > kLargest) throw Unsupported("the output has more elements than int32 can count");
}

}  // namespace

backend::Dims PoolCall::Each(int64_t Axis::* member) const {
  backend::Dims values;
  for (const Axis& axis : axes) values.push_back(axis.*member);
  return values;
}

backend::Dims PoolCall::OutputDims() const {
  backend::Dims out = {dims[0], dims[1]};
  for (const Axis& axis : axes) out.push_back(axis.out);
  return out;
}

int64_t PoolCall::TapPosition(int64_t cell, int64_t tap, bool by_columns) const {
  backend::Dims taps(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t at = by_columns ? i : axes.size() - 1 - i;
    taps[at] = tap % axes[at].kernel;
    tap /= axes[at].kernel;
  }
  int64_t position = 0, size = 1;
  for (size_t i = axes.size(); i-- > 0; cell /= axes[i].out, size *= axes[i].in) {
    position += size * axes[i].Pixel(cell % axes[i].out, taps[i]);
  }
  return position;
}

bool PoolCall::TouchesInput(int64_t cell) const {
  for (size_t i = axes.size(); i-- > 0; cell /= axes[i].out) {
    if (!axes[i].Touches(cell % axes[i].out)) return false;
  }
  return true;
}

int64_t PoolCall::DocumentedIndex(int64_t plane, int64_t position) const {
  const int64_t size = InputPlane();
  if (position < 0 || position >= size) return position;
  return (plane * size + position) % backend::ElementCount(dims.data() + index_axis, dims.size() - index_axis);
}

PoolCall ReadCall(const CallView& call) {
  PoolCall out;
  out.op = &FindOperator(call.Op());
  CheckCount("inputs", call.InputCount(), out.op->adaptive ? 2 : 1);
  CheckCount("outputs", call.OutputCount(), out.op->indices ? 2 : 1);
  ReadFeatures(call.Input(0), &out);
  if (out.op->indices) ReadIndexing(call, &out);
  if (out.op->adaptive) {
    ReadSizes(call.Input(1), &out);
  } else {
    ReadFixed(call, &out);
  }
  CheckOutputSize(out);
  return out;
}

}  // namespace poolproof::adapter
