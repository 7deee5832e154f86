// For tests: a call with its data, written down in a few lines.
#pragma once

#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "conformance/backend.h"
#include "reference/element.h"
#include "reference/reference.h"

namespace poolproof::reference {

// `value` in the bytes of one element of `type`; rounded to nearest for floats.
inline void StoreTestValue(poolproof_element_type type, long double value, void* at) {
  VisitElementType(type, [&](auto e) {
    using E = decltype(e);
    typename E::Stored stored;
    if constexpr (E::kIsFloat) {
      stored = E::Round(value);
    } else {
      stored = static_cast<typename E::Stored>(value);
    }
    std::memcpy(at, &stored, sizeof(stored));
  });
}

inline long double LoadTestValue(poolproof_element_type type, const void* at) {
  return VisitElementType(type, [&](auto e) {
    typename decltype(e)::Stored stored;
    std::memcpy(&stored, at, sizeof(stored));
    return static_cast<long double>(decltype(e)::Load(stored));
  });
}

// Outcome of a run; two are equal if a caller could not tell them apart.
struct Outcome {
  poolproof_status status = POOLPROOF_OK;
  std::vector<poolproof_element_type> types;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<std::vector<unsigned char>> bytes;
  friend bool operator==(const Outcome&, const Outcome&) = default;

  std::vector<long double> Values(size_t output) const {
    const size_t size = ElementSize(types[output]);
    std::vector<long double> values;
    for (size_t i = 0; i + size <= bytes[output].size(); i += size) {
      values.push_back(LoadTestValue(types[output], bytes[output].data() + i));
    }
    return values;
  }
};

class TestCall {
 public:
  TestCall(std::string op, poolproof_element_type type, const std::vector<int64_t>& shape, size_t outputs)
      : op_(std::move(op)) {
    AddInput(type, shape);
    outputs_.resize(outputs);
  }

  // The memory that the ABI's structs point to moves along, but is not copied.
  TestCall(TestCall&&) noexcept = default;
  TestCall(const TestCall&) = delete;

  TestCall& Int(const std::string& name, int64_t value) {
    Add(name, POOLPROOF_INT).integer = value;
    return *this;
  }
  TestCall& Bool(const std::string& name, bool value) {
    Add(name, POOLPROOF_BOOL).integer = value ? 1 : 0;
    return *this;
  }
  TestCall& List(const std::string& name, std::vector<int64_t> values) {
    poolproof_attribute& attribute = Add(name, POOLPROOF_INT_LIST);
    lists_.push_back(std::move(values));
    attribute.integers = lists_.back().data();
    attribute.count = lists_.back().size();
    return *this;
  }
  TestCall& Word(const std::string& name, const std::string& word) {
    words_.push_back(word);
    Add(name, POOLPROOF_WORD).word = words_.back().c_str();
    return *this;
  }
  // Values of the feature map; it holds 0 where none are given.
  TestCall& Data(const std::vector<long double>& values) {
    const size_t size = ElementSize(inputs_[0].element_type);
    for (size_t i = 0; i < values.size(); ++i) {
      StoreTestValue(inputs_[0].element_type, values[i], data_[0].data() + i * size);
    }
    return *this;
  }
  TestCall& FracBits(int32_t bits) {
    inputs_[0].frac_bits = bits;
    return *this;
  }
  // The second input of the adaptive operators.
  TestCall& Sizes(poolproof_element_type type, const std::vector<int64_t>& sizes) {
    AddInput(type, {static_cast<int64_t>(sizes.size())});
    for (size_t i = 0; i < sizes.size(); ++i) {
      StoreTestValue(type, static_cast<long double>(sizes[i]), data_.back().data() + i * ElementSize(type));
    }
    return *this;
  }

  // The ABI's view; valid until the next change.
  poolproof_call& Get() {
    pointers_.clear();
    for (auto& attribute : attributes_) pointers_.push_back(&attribute);
    input_pointers_.clear();
    for (size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i].data = data_[i].data();
      input_pointers_.push_back(&inputs_[i]);
    }
    output_pointers_.clear();
    for (auto& output : outputs_) {
      output.struct_size = sizeof(output);
      output_pointers_.push_back(&output);
    }
    call_ = {sizeof(poolproof_call),  op_.c_str(),
             pointers_.data(),        pointers_.size(),
             input_pointers_.data(),  input_pointers_.size(),
             output_pointers_.data(), output_pointers_.size()};
    return call_;
  }
  poolproof_tensor& Input(size_t i) { return inputs_[i]; }
  poolproof_tensor& Output(size_t i) { return outputs_[i]; }

  // infer_shapes, then run into outputs of just that size.
  Outcome Run(Context& context) {
    Outcome outcome;
    poolproof_call& call = Get();
    outcome.status = InferShapes(call, context);
    if (outcome.status != POOLPROOF_OK) return outcome;
    outcome.bytes.resize(outputs_.size());
    for (size_t i = 0; i < outputs_.size(); ++i) {
      outcome.bytes[i].assign(outputs_[i].size_bytes, 0xA5);
      outputs_[i].data = outcome.bytes[i].data();
      outcome.types.push_back(outputs_[i].element_type);
      outcome.shapes.emplace_back(outputs_[i].dims, outputs_[i].dims + outputs_[i].rank);
    }
    outcome.status = reference::Run(call, context);
    return outcome;
  }
  Outcome Run() {
    Context context;
    return Run(context);
  }

 private:
  poolproof_attribute& Add(const std::string& name, poolproof_attribute_kind kind) {
    words_.push_back(name);
    attributes_.push_back({sizeof(poolproof_attribute), words_.back().c_str(), kind, 0, nullptr, 0, nullptr});
    return attributes_.back();
  }
  void AddInput(poolproof_element_type type, const std::vector<int64_t>& shape) {
    poolproof_tensor tensor{};
    tensor.struct_size = sizeof(tensor);
    tensor.element_type = type;
    tensor.rank = static_cast<int32_t>(shape.size());
    int64_t elements = 1;
    for (size_t i = 0; i < shape.size() && i < POOLPROOF_MAX_RANK; ++i) {
      tensor.dims[i] = shape[i];
      elements *= shape[i];
    }
    tensor.size_bytes = static_cast<size_t>(elements) * ElementSize(type);
    inputs_.push_back(tensor);
    data_.emplace_back(tensor.size_bytes);
  }

  std::string op_;
  std::deque<poolproof_attribute> attributes_;
  std::deque<std::string> words_;
  std::deque<std::vector<int64_t>> lists_;
  std::deque<poolproof_tensor> inputs_;
  std::deque<poolproof_tensor> outputs_;
  std::deque<std::vector<unsigned char>> data_;
  std::vector<const poolproof_attribute*> pointers_;
  std::vector<const poolproof_tensor*> input_pointers_;
  std::vector<poolproof_tensor*> output_pointers_;
  poolproof_call call_{};
};

// Lets the judge of the operator judge element `element` of an output, in the bytes at `got`.
inline ElementJudgement JudgeIt(TestCall& call, const Readings& readings, size_t output, int64_t element,
                                const void* got) {
  const poolproof_call& view = call.Get();
  return FindOperator(view.op)->judge(view, readings, output, element, got);
}

}  // namespace poolproof::reference
