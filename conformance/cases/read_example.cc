#include "conformance/cases/read.h"

namespace poolproof::read {
namespace {

std::vector<Number> ReadNumbers(const Node& node) {
  return node.AsList<Number>([](const Node& value) { return value.AsNumber(); });
}

// The product of a shape. Spec tensors are small; a shape beyond the limit is a mistake.
constexpr int64_t kMaxElements = 1 << 20;

TensorValue ReadTensor(const Node& node) {
  TensorValue tensor;
  Object object(node);
  object.Read("shape", &Node::AsIntegers, &tensor.shape);
  if (const auto values = object.Optional("values")) tensor.values = ReadNumbers(*values);
  int64_t elements = 1;
  for (int64_t dim : tensor.shape) {
    if (dim < 0 || dim > kMaxElements || elements * dim > kMaxElements) {
      node.Fail("the shape has a negative dimension or more than " + std::to_string(kMaxElements) + " elements");
      return tensor;
    }
    elements *= dim;
  }
  if (!tensor.values.empty() && static_cast<int64_t>(tensor.values.size()) != elements) {
    node.Fail("the shape has " + std::to_string(elements) + " elements, \"values\" has " +
              std::to_string(tensor.values.size()));
  }
  return tensor;
}

}  // namespace

Example ReadExample(const Node& node) {
  Example example;
  Object object(node);
  object.Read("id", &Node::AsString, &example.id);
  object.Read("clause", &Node::AsString, &example.clause);
  object.Read("description", &Node::AsString, &example.description);
  object.Read("line", &Node::AsString, &example.line);
  object.ReadOptional("printed_line", &Node::AsString, &example.printed_line);
  object.ReadList("inputs", &ReadTensor, &example.inputs);
  object.ReadList("outputs", &ReadTensor, &example.outputs);
  object.ReadOptionalList("printed_outputs", &ReadTensor, &example.printed_outputs);
  object.ReadOptional("ledger", &Node::AsStrings, &example.ledger);
  return example;
}

InvalidCall ReadInvalidCall(const Node& node) {
  InvalidCall call;
  Object object(node);
  object.Read("rule", &Node::AsString, &call.rule);
  object.Read("clause", &Node::AsString, &call.clause);
  object.Read("statement", &Node::AsString, &call.statement);
  object.Read("lines", &Node::AsStrings, &call.lines);
  object.ReadOptional("ledger", &Node::AsString, &call.ledger);
  return call;
}

}  // namespace poolproof::read
