#include "fuzz/broken_call.h"

#include <algorithm>
#include <limits>

namespace poolproof::fuzz {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
// Products of two of the largest, and of the other sizes, are still counted by both sides: where
// counting ends is no rule of the documents.
constexpr int64_t kOddNumbers[] = {0, -1, 2, 8, kLeast, int64_t{1} << 24};
constexpr poolproof_element_type kOddType = 15;

}  // namespace

BrokenCall::BrokenCall(const Problem& problem, Choices& choices) {
  intact_.Bind(problem);
  call = intact_.call;
  for (size_t i = 0; i < call.attribute_count; ++i) {
    attributes_[i] = *call.attributes[i];
    if (attributes_[i].kind != POOLPROOF_INT_LIST) continue;
    std::copy_n(attributes_[i].integers, attributes_[i].count, integers_[i].begin());
    attributes_[i].integers = integers_[i].data();
  }
  std::copy_n(intact_.inputs, kMaxInputs, inputs.begin());
  std::copy_n(intact_.outputs, kMaxOutputs, outputs.begin());
  // Also of those that only a call with another name or count has.
  for (poolproof_tensor& input : inputs) input.struct_size = sizeof(poolproof_tensor);
  for (poolproof_tensor& output : outputs) output.struct_size = sizeof(poolproof_tensor);
  for (size_t i = 0; i < attributes_.size(); ++i) attribute_pointers_[i] = &attributes_[i];
  for (size_t i = 0; i < inputs.size(); ++i) input_pointers_[i] = &inputs[i];
  for (size_t i = 0; i < outputs.size(); ++i) output_pointers_[i] = &outputs[i];
  call.attributes = attribute_pointers_.data();
  call.inputs = input_pointers_.data();
  call.outputs = output_pointers_.data();
  for (uint64_t left = choices.Below(3); left > 0; --left) {
    switch (choices.Below(6)) {
      case 0: BreakCounts(choices); break;
      case 1: BreakInput(&inputs.front(), choices); break;
      case 2: BreakSizes(choices); break;
      default: BreakAttribute(choices);
    }
  }
}

void BrokenCall::BreakAttribute(Choices& choices) {
  if (call.attribute_count == 0) return;
  const size_t i = choices.Below(call.attribute_count);
  poolproof_attribute* attribute = &attributes_[i];
  switch (choices.Below(5)) {
    case 0:
      attribute->kind = static_cast<poolproof_attribute_kind>(choices.Below(6));
      attribute->integers = integers_[i].data();
      attribute->count = std::min<size_t>(attribute->count, POOLPROOF_MAX_RANK);
      if (attribute->word == nullptr) attribute->word = "word";
      break;
    case 1: attribute->name = choices.Percent(50) ? "no_such_attribute" : ""; break;
    case 2:  // given twice
      if (call.attribute_count > kMaxAttributes) return;
      attributes_[call.attribute_count] = *attribute;
      integers_[call.attribute_count] = integers_[i];
      attributes_[call.attribute_count].integers = integers_[call.attribute_count].data();
      ++call.attribute_count;
      break;
    default: BreakValue(attribute, choices);
  }
}

void BrokenCall::BreakValue(poolproof_attribute* attribute, Choices& choices) {
  auto& integers = integers_[static_cast<size_t>(attribute - attributes_.data())];
  switch (attribute->kind) {
    case POOLPROOF_WORD: attribute->word = choices.Percent(50) ? "no_such_word" : ""; break;
    case POOLPROOF_INT_LIST:
      if (choices.Percent(50)) {
        attribute->count = choices.Below(POOLPROOF_MAX_RANK + 1);
      } else {
        integers[choices.Below(POOLPROOF_MAX_RANK)] = choices.Of(kOddNumbers);
      }
      break;
    default: attribute->integer = choices.Of(kOddNumbers);
  }
}

void BrokenCall::BreakInput(poolproof_tensor* tensor, Choices& choices) {
  switch (choices.Below(4)) {
    case 0: tensor->element_type = static_cast<poolproof_element_type>(choices.Below(kOddType + 1)); break;
    case 1: tensor->rank = static_cast<int32_t>(choices.Below(POOLPROOF_MAX_RANK + 1)); break;
    case 2: tensor->dims[choices.Below(POOLPROOF_MAX_RANK)] = choices.Of(kOddNumbers); break;
    default: tensor->frac_bits = static_cast<int32_t>(choices.Between(-1, 40));
  }
}

// The second input, where there is one: what it says, how many sizes it has, their values.
void BrokenCall::BreakSizes(Choices& choices) {
  if (call.input_count < 2) return;
  poolproof_tensor* sizes = &inputs[1];
  switch (choices.Below(3)) {
    case 0: sizes->element_type = choices.Percent(50) ? POOLPROOF_F32 : POOLPROOF_U64; break;
    case 1: sizes->rank = static_cast<int32_t>(choices.Below(3)); break;
    default:
      sizes->element_type = POOLPROOF_I64;
      for (int64_t& size : sizes_) size = choices.Percent(30) ? choices.Of(kOddNumbers) : 1;
      sizes->dims[0] = choices.Between(0, POOLPROOF_MAX_RANK);
      sizes->data = sizes_;
      sizes->size_bytes = static_cast<size_t>(sizes->dims[0]) * sizeof(int64_t);
  }
}

void BrokenCall::BreakCounts(Choices& choices) {
  switch (choices.Below(4)) {
    case 0: call.input_count = choices.Below(kMaxInputs + 1); break;
    case 1: call.output_count = choices.Below(kMaxOutputs + 2); break;
    case 2: call.attribute_count = choices.Below(call.attribute_count + 1); break;
    default:
      op_ = call.op;
      op_[choices.Below(op_.size())] = static_cast<char>(choices.Between('0', 'z'));
      call.op = op_.c_str();
  }
}

void BrokenCall::BreakMemory(Choices& choices) {
  poolproof_tensor* output = &outputs[choices.Below(call.output_count)];
  switch (choices.Below(8)) {
    case 0: output->element_type = static_cast<poolproof_element_type>(choices.Below(kOddType)); break;
    case 1: output->rank = static_cast<int32_t>(choices.Below(POOLPROOF_MAX_RANK + 1)); break;
    case 2: output->dims[choices.Below(POOLPROOF_MAX_RANK)] = choices.Between(0, 4); break;
    case 3: output->size_bytes -= std::min<size_t>(1, output->size_bytes); break;
    case 4: output->data = nullptr; break;
    case 5: inputs[0].data = nullptr; break;
    case 6: inputs[0].size_bytes -= std::min<size_t>(1, inputs[0].size_bytes); break;
    default: break;  // as it is
  }
}

void BrokenCall::BreakPointers(Choices& choices) {
  const size_t attribute = choices.Below(kMaxAttributes);
  switch (choices.Below(12)) {
    case 0: call.struct_size = 0; break;
    case 1: call.op = nullptr; break;
    case 2: call.inputs = nullptr; break;
    case 3: call.outputs = nullptr; break;
    case 4: inputs[0].struct_size = sizeof(size_t); break;
    case 5: input_pointers_[0] = nullptr; break;
    case 6: outputs[0].struct_size = sizeof(size_t); break;
    case 7: output_pointers_[0] = nullptr; break;
    case 8: call.attributes = nullptr; break;
    case 9: attribute_pointers_[attribute] = nullptr; break;
    case 10: attributes_[attribute].name = nullptr; break;
    default: attributes_[attribute].struct_size = sizeof(size_t);
  }
}

}  // namespace poolproof::fuzz
