#include "conformance/cases/problem.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "conformance/cases/choices.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/fill_value.h"

namespace poolproof {

bool operator==(const IntList& a, const IntList& b) {
  return a.size == b.size && std::equal(a.begin(), a.end(), b.begin());
}

int64_t Problem::Elements() const {
  int64_t elements = 1;
  bool overflow = false;
  for (int64_t dim : shape) {
    if (dim == 0) return 0;
    overflow |= __builtin_mul_overflow(elements, dim, &elements);
  }
  return overflow ? std::numeric_limits<int64_t>::max() : elements;
}

int64_t Problem::InputBytes() const {
  int64_t bytes = 0;
  const bool overflow = __builtin_mul_overflow(Elements(), static_cast<int64_t>(ElementSize(type)), &bytes);
  return overflow ? std::numeric_limits<int64_t>::max() : bytes;
}

bool Problem::ShapesAlone() const { return data.empty() && fill == kNoFill; }

bool Problem::HasSizes() const {
  return std::any_of(spec->inputs.begin(), spec->inputs.end(), [](const InputSpec& input) { return input.sizes; });
}

size_t Problem::OutputCount() const { return outputs == 0 ? spec->outputs.size() : outputs; }

const AttributeValue* Problem::Find(Role role, int spatial_axis) const {
  const std::vector<AttributeSpec>& specs = spec->attributes;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].role == role && specs[i].spatial_axis == spatial_axis) return &attributes[i];
  }
  return nullptr;
}

AttributeValue* Problem::Find(Role role, int spatial_axis) {
  return const_cast<AttributeValue*>(std::as_const(*this).Find(role, spatial_axis));
}

namespace {

poolproof_attribute BindAttribute(const AttributeSpec& spec, const AttributeValue& value) {
  poolproof_attribute bound{};
  bound.struct_size = sizeof(bound);
  bound.name = spec.name.c_str();
  switch (spec.type) {
    case AttributeType::kInt:
      bound.kind = POOLPROOF_INT;
      bound.integer = value.integer;
      break;
    case AttributeType::kBool:
      bound.kind = POOLPROOF_BOOL;
      bound.integer = value.integer;
      break;
    case AttributeType::kIntList:
      bound.kind = POOLPROOF_INT_LIST;
      bound.integers = value.list.begin();
      bound.count = value.list.size;
      break;
    case AttributeType::kWord:
      bound.kind = spec.call_kind;
      if (bound.kind == POOLPROOF_WORD) bound.word = value.word.c_str();
      if (bound.kind == POOLPROOF_BOOL) bound.integer = value.word == "true" ? 1 : 0;
      if (bound.kind == POOLPROOF_INT) {
        std::from_chars(value.word.data(), value.word.data() + value.word.size(), bound.integer);
      }
      break;
  }
  return bound;
}

// The order means nothing to a backend: seed 0 gives that of the document, another seed another one.
std::span<const uint8_t> AttributeOrder(size_t count, uint64_t seed, std::span<uint8_t> order) {
  count = std::min(count, order.size());
  std::iota(order.begin(), order.end(), uint8_t{0});
  Choices choices(fill::Mix64(seed));
  for (size_t left = count; left > 1 && seed != 0; --left) {
    std::swap(order[left - 1], order[choices.Below(left)]);
  }
  return order.first(count);
}

// Bytes of a tensor; saturates, so that a shape too large for memory is still a call.
size_t TensorBytes(int64_t elements, poolproof_element_type type) {
  size_t bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(elements), ElementSize(type), &bytes)) {
    return std::numeric_limits<size_t>::max();
  }
  return bytes;
}

poolproof_tensor FeatureTensor(const Problem& problem) {
  poolproof_tensor tensor{};
  tensor.struct_size = sizeof(tensor);
  tensor.element_type = problem.type;
  tensor.rank = problem.shape.size;
  std::copy(problem.shape.begin(), problem.shape.end(), tensor.dims);
  tensor.size_bytes = TensorBytes(problem.Elements(), problem.type);
  tensor.frac_bits = problem.frac_bits;
  return tensor;
}

}  // namespace

void Call::BindSizes(const Problem& problem, poolproof_tensor* tensor) {
  *tensor = {};
  tensor->struct_size = sizeof(*tensor);
  tensor->element_type = problem.sizes_type;
  tensor->rank = 1;
  tensor->dims[0] = problem.sizes.size;
  for (size_t i = 0; i < problem.sizes.size; ++i) {
    sizes64_[i] = problem.sizes[i];
    sizes32_[i] = static_cast<int32_t>(problem.sizes[i]);
  }
  const bool narrow = problem.sizes_type == POOLPROOF_I32;
  tensor->data = narrow ? static_cast<void*>(sizes32_) : static_cast<void*>(sizes64_);
  tensor->size_bytes = TensorBytes(problem.sizes.size, problem.sizes_type);
}

// A part that is not given has its default on every axis.
void Call::Join(const Problem& problem, size_t attribute) {
  const std::vector<AttributeSpec>& specs = problem.spec->attributes;
  const std::string& whole = specs[attribute].part_of;
  joined_ = {};
  const auto append = [&](int64_t value) {
    if (joined_.size < joined_.value.size()) joined_.push_back(value);
  };
  for (size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].part_of != whole) continue;
    const AttributeValue& part = problem.attributes[i];
    for (const int64_t value : part.list) append(value);
    for (int axis = 0; !part.present && axis < problem.SpatialRank(); ++axis) {
      append(specs[i].default_integer.value_or(0));
    }
  }
  poolproof_attribute& bound = attributes_[call.attribute_count];
  bound = {};
  bound.struct_size = sizeof(bound);
  bound.name = whole.c_str();
  bound.kind = POOLPROOF_INT_LIST;
  bound.integers = joined_.begin();
  bound.count = joined_.size;
}

void Call::BindAttributes(const Problem& problem, std::span<const uint8_t> order) {
  const std::vector<AttributeSpec>& specs = problem.spec->attributes;
  bool joined = false;
  for (const uint8_t i : order) {
    if (!problem.attributes[i].present) continue;
    if (specs[i].part_of.empty()) {
      attributes_[call.attribute_count] = BindAttribute(specs[i], problem.attributes[i]);
    } else if (!joined) {
      Join(problem, i);
      joined = true;
    } else {
      continue;
    }
    attribute_pointers_[call.attribute_count] = &attributes_[call.attribute_count];
    ++call.attribute_count;
  }
}

void Call::Bind(const Problem& problem) {
  std::array<uint8_t, kMaxAttributes> order;
  Bind(problem, AttributeOrder(problem.spec->attributes.size(), problem.seed, order));
}

void Call::Bind(const Problem& problem, std::span<const uint8_t> order) {
  assert(problem.spec != nullptr && problem.function != nullptr);
  assert(problem.spec->attributes.size() <= kMaxAttributes);
  assert(problem.spec->inputs.size() <= kMaxInputs && problem.spec->outputs.size() <= kMaxOutputs);
  const OperatorSpec& spec = *problem.spec;
  call = {};
  call.struct_size = sizeof(call);
  call.op = problem.function->name.c_str();
  BindAttributes(problem, order.first(spec.attributes.size()));
  for (const InputSpec& input : spec.inputs) {
    poolproof_tensor* tensor = &inputs[call.input_count];
    if (input.sizes) {
      BindSizes(problem, tensor);
    } else {
      *tensor = FeatureTensor(problem);
    }
    input_pointers_[call.input_count++] = tensor;
  }
  for (size_t i = 0; i < problem.OutputCount(); ++i) {
    outputs[i] = {};
    outputs[i].struct_size = sizeof(outputs[i]);
    output_pointers_[call.output_count++] = &outputs[i];
  }
  call.attributes = attribute_pointers_;
  call.inputs = input_pointers_;
  call.outputs = output_pointers_;
}

}  // namespace poolproof
