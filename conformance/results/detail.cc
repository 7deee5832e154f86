#include "conformance/results/detail.h"

#include <algorithm>

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/judge/message.h"

namespace poolproof {
namespace {

using nlohmann::ordered_json;

int64_t Count(const poolproof_tensor& tensor) {
  const size_t size = ElementSize(tensor.element_type);
  return size == 0 ? 0 : static_cast<int64_t>(tensor.size_bytes / size);
}

std::vector<int64_t> Dims(const poolproof_tensor& tensor) {
  return {tensor.dims, tensor.dims + std::clamp(tensor.rank, 0, POOLPROOF_MAX_RANK)};
}

std::vector<int64_t> Position(const poolproof_tensor& tensor, int64_t element) {
  std::vector<int64_t> position = Dims(tensor);
  for (size_t d = position.size(); d-- > 0;) {
    const int64_t size = std::max<int64_t>(position[d], 1);
    position[d] = element % size;
    element /= size;
  }
  return position;
}

// Values of an attribute by role, one per spatial axis, whatever form the operator gives them.
std::vector<int64_t> PerAxis(const Problem& problem, Role role) {
  std::vector<int64_t> values;
  for (size_t i = 0; i < problem.spec->attributes.size(); ++i) {
    const AttributeSpec& spec = problem.spec->attributes[i];
    const AttributeValue& value = problem.attributes[i];
    if (spec.role != role || !value.present) continue;
    if (spec.type == AttributeType::kIntList) return {value.list.begin(), value.list.end()};
    if (spec.spatial_axis < 0) continue;
    const size_t axis = static_cast<size_t>(spec.spatial_axis);
    if (values.size() <= axis) values.resize(axis + 1);
    values[axis] = value.integer;
  }
  return values;
}

void AddGeometry(const Problem& problem, ordered_json* detail) {
  const std::pair<const char*, Role> rows[] = {{"kernel", Role::kKernel},
                                               {"stride", Role::kStride},
                                               {"dilation", Role::kDilation},
                                               {"pad_begin", Role::kPadBegin},
                                               {"pad_end", Role::kPadEnd}};
  for (const auto& [name, role] : rows) {
    const std::vector<int64_t> values = PerAxis(problem, role);
    if (!values.empty()) (*detail)[name] = values;
  }
}

ordered_json OutputsJson(const Problem& problem, const Result& result) {
  ordered_json outputs = ordered_json::array();
  if (result.status != POOLPROOF_OK) return outputs;
  for (size_t i = 0; i < result.output_count; ++i) {
    ordered_json output = {{"name", OutputName(problem, i)}};
    output.update(TensorJson(result.outputs[i]));
    outputs.push_back(output);
  }
  return outputs;
}

ordered_json WindowJson(const Call& call, const Expected& expected, int64_t element, ordered_json* detail) {
  const reference::Operator* op = reference::FindOperator(call.call.op);
  const reference::Window window = op->window(call.call, expected.readings(), element);
  const size_t rank = static_cast<size_t>(window.spatial_rank);
  const auto list = [rank](const auto& array) {
    return std::vector<int64_t>(array.begin(), array.begin() + static_cast<ptrdiff_t>(rank));
  };
  (*detail)["spatial"] = list(window.axis);
  ordered_json value = {{"begin", list(window.begin)}, {"step", list(window.step)}, {"taps", list(window.taps)}};
  if (window.offsets.size() <= kMaxDetailElements) value["offsets"] = window.offsets;
  return value;
}

// Output and element of the first wrong value, which a deviation has as well; -1: there is none.
std::pair<size_t, int64_t> FirstWrong(const Judgement& judgement, const ordered_json& wrong) {
  if (judgement.difference == Difference::kValue) return {judgement.output, judgement.element};
  for (size_t i = 0; i < wrong.size(); ++i) {
    if (!wrong[i].empty()) return {i, wrong[i][0].get<int64_t>()};
  }
  return {0, -1};
}

void AddWrong(const Problem& problem, const Call& call, const Expected& expected, const Result& got,
              const Judgement& judgement, ordered_json* detail) {
  ordered_json wrong = ordered_json::array();
  for (size_t i = 0; i < got.output_count; ++i) {
    std::vector<int64_t> elements = WrongElements(call, expected, got, i);
    if (elements.size() > kMaxDetailElements) elements.resize(kMaxDetailElements);
    wrong.push_back(elements);
  }
  (*detail)["wrong"] = wrong;
  const auto [output, element] = FirstWrong(judgement, wrong);
  if (element < 0) return;
  const poolproof_tensor& want = expected.result().outputs[output];
  const poolproof_tensor& have = got.outputs[output];
  (*detail)["first"] = {{"output", output},
                        {"name", OutputName(problem, output)},
                        {"position", Position(want, element)},
                        {"expected", ElementAsText(want.element_type, want.data, element)},
                        {"got", ElementAsText(have.element_type, have.data, element)}};
  (*detail)["window"] = WindowJson(call, expected, element, detail);
}

}  // namespace

ordered_json TensorJson(const poolproof_tensor& tensor) {
  ordered_json value = {{"type", ElementTypeName(tensor.element_type)}, {"shape", Dims(tensor)}};
  const int64_t count = Count(tensor);
  if (tensor.data == nullptr || count > kMaxDetailElements) return value;
  ordered_json values = ordered_json::array();
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(ElementAsText(tensor.element_type, tensor.data, i));
  }
  value["values"] = values;
  return value;
}

ordered_json MakeDetail(const PlannedCase& planned, Call& call, const Expected& expected, const Result* got,
                        const Judgement& judgement) {
  ordered_json detail;
  detail["input"] = TensorJson(call.inputs[0]);
  AddGeometry(planned.problem, &detail);
  detail["expected"] = OutputsJson(planned.problem, expected.result());
  detail["expected_status"] = StatusName(expected.result().status);
  if (got == nullptr) return detail;
  detail["got_status"] = StatusName(got->status);
  detail["got"] = OutputsJson(planned.problem, *got);
  const bool comparable = got->status == POOLPROOF_OK && got->computed && expected.result().status == POOLPROOF_OK &&
                          SameShapes(expected.result(), *got);
  if (comparable) AddWrong(planned.problem, call, expected, *got, judgement, &detail);
  // Where shapes differ, the first window says where the others would lie.
  if (!comparable && expected.result().status == POOLPROOF_OK && got->status == POOLPROOF_OK &&
      Count(expected.result().outputs[0]) > 0) {
    detail["window"] = WindowJson(call, expected, 0, &detail);
  }
  return detail;
}

ordered_json VectorJson(const PlannedCase& planned, const Call& call, const Expected& expected) {
  ordered_json attributes = ordered_json::object();
  for (size_t i = 0; i < call.call.attribute_count; ++i) {
    const poolproof_attribute& a = *call.call.attributes[i];
    switch (a.kind) {
      case POOLPROOF_INT: attributes[a.name] = a.integer; break;
      case POOLPROOF_BOOL: attributes[a.name] = a.integer != 0; break;
      case POOLPROOF_WORD: attributes[a.name] = a.word; break;
      default: attributes[a.name] = std::vector<int64_t>(a.integers, a.integers + a.count);
    }
  }
  ordered_json inputs = ordered_json::array();
  for (size_t i = 0; i < call.call.input_count; ++i) {
    ordered_json input = {{"name", planned.problem.spec->inputs[i].name}};
    input.update(TensorJson(call.inputs[i]));
    if (call.inputs[i].frac_bits != 0) input["frac_bits"] = call.inputs[i].frac_bits;
    inputs.push_back(input);
  }
  return {{"id", planned.id},
          {"line", planned.line},
          {"op", call.call.op},
          {"attributes", attributes},
          {"inputs", inputs},
          {"expected_status", StatusName(expected.result().status)},
          {"expected", OutputsJson(planned.problem, expected.result())}};
}

ordered_json CauseJson(const Cause& cause) {
  if (cause.id.empty()) return nullptr;
  return {{"id", cause.id}, {"title", cause.title}, {"effect", cause.effect}, {"link", cause.link}};
}

}  // namespace poolproof
