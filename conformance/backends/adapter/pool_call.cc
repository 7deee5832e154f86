#include "conformance/backends/adapter/pool_call.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "conformance/backends/adapter/geometry.h"

namespace poolproof::adapter {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();

constexpr OperatorTraits kOperators[] = {
    // name, kind, adaptive, dilations, indices, axis, ceil_torch
    {"MaxPool-1", Kind::kMax, false, false, false, false, false},
    {"MaxPool-8", Kind::kMax, false, true, true, true, false},
    {"MaxPool-14", Kind::kMax, false, true, true, true, true},
    {"AvgPool-1", Kind::kAverage, false, false, false, false, false},
    {"AvgPool-14", Kind::kAverage, false, false, false, false, true},
    {"AdaptiveMaxPool-8", Kind::kMax, true, false, true, false, false},
    {"AdaptiveAvgPool-8", Kind::kAverage, true, false, false, false, false},
};

const poolproof_attribute* Find(const poolproof_call& call, std::string_view name) {
  for (size_t i = 0; i < call.attribute_count; ++i) {
    if (name == call.attributes[i]->name) return call.attributes[i];
  }
  return nullptr;
}

// One int per spatial axis into the member `field` of each axis.
Answer ReadList(const poolproof_call& call, std::string_view name, bool required, int64_t smallest,
                int64_t Axis::* field, PoolCall* out) {
  const poolproof_attribute* attribute = Find(call, name);
  if (attribute == nullptr) {
    return required ? Invalid("attribute " + std::string(name) + " is required") : Answer{};
  }
  const auto spatial = static_cast<size_t>(out->Spatial());
  if (attribute->kind != POOLPROOF_INT_LIST || attribute->count != spatial) {
    return Invalid("attribute " + std::string(name) + " has to hold " + std::to_string(spatial) +
                   " integers, one per spatial axis");
  }
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t value = attribute->integers[i];
    if (value < smallest) {
      return Invalid(std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(value) +
                     "; the smallest valid value is " + std::to_string(smallest));
    }
    if (value > kLargest) return Unsupported(std::string(name) + " is larger than int32");
    out->axes[i].*field = value;
  }
  return {};
}

// The position of a word among the first `known` of `words`; `out` stays where it is absent.
template <typename Enum, size_t kCount>
Answer ReadWord(const poolproof_call& call, std::string_view name, const std::array<std::string_view, kCount>& words,
                size_t known, Enum* out) {
  const poolproof_attribute* attribute = Find(call, name);
  if (attribute == nullptr) return {};
  if (attribute->kind != POOLPROOF_WORD) return Invalid(std::string(name) + " has to be a word");
  const auto* const end = words.begin() + known;
  const auto* const found = std::find(words.begin(), end, std::string_view(attribute->word));
  if (found == end) return Invalid(std::string(name) + " does not know the word " + attribute->word);
  *out = static_cast<Enum>(found - words.begin());
  return {};
}

Answer ReadAxis(const poolproof_call& call, PoolCall* out) {
  out->index_axis = out->op->axis ? 0 : 2;
  const poolproof_attribute* attribute = out->op->axis ? Find(call, "axis") : nullptr;
  if (attribute == nullptr) return {};
  const int64_t axis = attribute->integer;
  if (attribute->kind != POOLPROOF_INT || axis < -out->rank || axis >= out->rank) {
    return Invalid("axis is " + std::to_string(axis) + ", outside [-R, R-1] of rank " + std::to_string(out->rank));
  }
  out->index_axis = static_cast<int>(axis < 0 ? axis + out->rank : axis);
  return {};
}

Answer ReadIndexType(const poolproof_call& call, PoolCall* out) {
  enum class Word : uint8_t { kI64, kI32 } word = Word::kI64;
  static constexpr std::array<std::string_view, 2> kWords = {"i64", "i32"};
  Answer answer;
  if (out->op->indices) answer = ReadWord(call, "index_element_type", kWords, 2, &word);
  out->index_type = word == Word::kI64 ? POOLPROOF_I64 : POOLPROOF_I32;
  return answer;
}

Answer ReadExcludePad(const poolproof_call& call, PoolCall* out) {
  if (out->op->kind != Kind::kAverage) return {};
  const poolproof_attribute* attribute = Find(call, "exclude-pad");
  if (attribute == nullptr) return Invalid("attribute exclude-pad is required");
  if (attribute->kind != POOLPROOF_BOOL) return Invalid("exclude-pad has to be true or false");
  out->exclude_pad = attribute->integer != 0;
  return {};
}

Answer ReadWords(const poolproof_call& call, PoolCall* out) {
  static constexpr std::array<std::string_view, 3> kRoundings = {"floor", "ceil", "ceil_torch"};
  static constexpr std::array<std::string_view, 4> kAutoPads = {"explicit", "same_upper", "same_lower", "valid"};
  Answer answer = ReadWord(call, "rounding_type", kRoundings, out->op->ceil_torch ? 3u : 2u, &out->rounding);
  if (answer.Ok()) answer = ReadWord(call, "auto_pad", kAutoPads, 4, &out->auto_pad);
  if (answer.Ok()) answer = ReadExcludePad(call, out);
  return answer;
}

Answer ReadFixed(const poolproof_call& call, PoolCall* out) {
  Answer answer = ReadWords(call, out);
  const bool pads = out->auto_pad == AutoPad::kExplicit;
  if (answer.Ok()) answer = ReadList(call, "kernel", true, 1, &Axis::kernel, out);
  if (answer.Ok()) answer = ReadList(call, "strides", true, 1, &Axis::stride, out);
  if (answer.Ok()) answer = ReadList(call, "pads_begin", pads, 0, &Axis::pad_begin, out);
  if (answer.Ok()) answer = ReadList(call, "pads_end", pads, 0, &Axis::pad_end, out);
  if (answer.Ok() && out->op->dilations) {
    answer = ReadList(call, "dilations", false, 1, &Axis::dilation, out);
  }
  for (int i = 0; answer.Ok() && i < out->Spatial(); ++i) {
    Axis& axis = out->axes[static_cast<size_t>(i)];
    if (axis.Extent() > kLargest) return Unsupported("the dilated kernel is larger than int32");
    if (!ResolveAxis(out->auto_pad, out->rounding, &axis)) {
      return Invalid("the dilated kernel, " + std::to_string(axis.Extent()) +
                     ", is larger than the padded input on spatial axis " + std::to_string(i));
    }
  }
  return answer;
}

std::optional<int64_t> ReadSize(const poolproof_tensor& sizes, size_t i) {
  if (sizes.element_type == POOLPROOF_I64) return static_cast<const int64_t*>(sizes.data)[i];
  if (sizes.element_type == POOLPROOF_I32) return static_cast<const int32_t*>(sizes.data)[i];
  return std::nullopt;
}

Answer ReadSizes(const poolproof_call& call, PoolCall* out) {
  const poolproof_tensor& sizes = *call.inputs[1];
  if (sizes.rank != 1 || sizes.dims[0] != out->Spatial() || sizes.data == nullptr) {
    return Invalid("the second input has to hold one output size per spatial axis");
  }
  for (size_t i = 0; i < static_cast<size_t>(out->Spatial()); ++i) {
    const std::optional<int64_t> size = ReadSize(sizes, i);
    if (!size) return Invalid("the second input has to be i32 or i64");
    if (*size < 1) return Invalid("an output size is " + std::to_string(*size) + ", below 1");
    if (*size > kLargest) return Unsupported("an output size is larger than int32");
    out->axes[i].out = *size;
  }
  return {};
}

Answer ReadFeatures(const poolproof_call& call, PoolCall* out) {
  const poolproof_tensor& features = *call.inputs[0];
  if (features.rank < 3 || features.rank > 5) {
    return Invalid("the input has rank " + std::to_string(features.rank) + ", outside 3 to 5");
  }
  out->rank = features.rank;
  out->type = features.element_type;
  for (size_t i = 0; i < static_cast<size_t>(features.rank); ++i) {
    if (features.dims[i] < 0) return Invalid("a dimension of the input is negative");
    if (features.dims[i] > kLargest) return Unsupported("a dimension is larger than int32");
    out->dims[i] = features.dims[i];
    if (i >= 2) out->axes[i - 2].in = features.dims[i];
  }
  return {};
}

// Elements of the largest output have to fit an int32 as well; keeps all later products in range.
Answer CheckOutputSize(const PoolCall& call) {
  long double elements = static_cast<long double>(call.dims[0]) * call.dims[1];
  for (int i = 0; i < call.Spatial(); ++i) elements *= call.axes[static_cast<size_t>(i)].out;
  if (elements > kLargest) return Unsupported("the output has more elements than int32 can count");
  return {};
}

}  // namespace

Answer Invalid(std::string error) { return {POOLPROOF_INVALID_ARGUMENT, std::move(error)}; }
Answer Unsupported(std::string error) { return {POOLPROOF_UNSUPPORTED, std::move(error)}; }

const OperatorTraits* FindOperator(std::string_view name) {
  for (const OperatorTraits& op : kOperators) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

int64_t PoolCall::InputPlane() const {
  int64_t product = 1;
  for (int i = 0; i < Spatial(); ++i) product *= axes[static_cast<size_t>(i)].in;
  return product;
}

int64_t PoolCall::OutputPlane() const {
  int64_t product = 1;
  for (int i = 0; i < Spatial(); ++i) product *= axes[static_cast<size_t>(i)].out;
  return product;
}

int64_t PoolCall::IndexBound() const {
  int64_t product = 1;
  for (int i = index_axis; i < rank; ++i) product *= dims[static_cast<size_t>(i)];
  return product;
}

bool PoolCall::AnyAxis(bool (*holds)(const Axis&)) const {
  return std::any_of(axes.begin(), axes.begin() + Spatial(), holds);
}

Answer ReadCall(const poolproof_call& call, PoolCall* out) {
  out->op = FindOperator(call.op);
  if (out->op == nullptr) return Unsupported(std::string("there is no operator ") + call.op);
  if (call.input_count != (out->op->adaptive ? 2u : 1u)) {
    return Invalid("the number of inputs is " + std::to_string(call.input_count));
  }
  if (call.output_count != (out->op->indices ? 2u : 1u)) {
    return Invalid("the number of outputs is " + std::to_string(call.output_count));
  }
  Answer answer = ReadFeatures(call, out);
  if (answer.Ok()) answer = ReadAxis(call, out);
  if (answer.Ok()) answer = ReadIndexType(call, out);
  if (answer.Ok()) answer = out->op->adaptive ? ReadSizes(call, out) : ReadFixed(call, out);
  if (answer.Ok()) answer = CheckOutputSize(*out);
  return answer;
}

}  // namespace poolproof::adapter
