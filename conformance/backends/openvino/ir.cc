#include "conformance/backends/openvino/ir.h"

#include <algorithm>
#include <cctype>
#include <pugixml.hpp>
#include <sstream>
#include <utility>
#include <vector>

namespace poolproof::openvino {
namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

template <typename Number>
std::string Joined(const Number* values, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + std::to_string(values[i]);
  return text;
}

std::string AttributeText(const poolproof_attribute& attribute) {
  switch (attribute.kind) {
    case POOLPROOF_INT_LIST: return Joined(attribute.integers, attribute.count);
    case POOLPROOF_BOOL: return attribute.integer != 0 ? "true" : "false";
    case POOLPROOF_WORD: return attribute.word;
    default: return std::to_string(attribute.integer);
  }
}

std::string Precision(poolproof_element_type type) {
  static constexpr const char* kNames[] = {"",    "FP64", "FP32", "FP16", "BF16", "I8", "U8",
                                           "I16", "U16",  "I32",  "U32",  "I64",  "U64"};
  return type > 0 && type <= POOLPROOF_U64 ? kNames[type] : "";
}

pugi::xml_node Add(pugi::xml_node parent, const char* name, const Attributes& attributes = {}) {
  pugi::xml_node node = parent.append_child(name);
  for (const auto& [key, value] : attributes) node.append_attribute(key.c_str()) = value.c_str();
  return node;
}

class Ir {
 public:
  Ir()
      : net_(Add(document_, "net", {{"name", "poolproof"}, {"version", "11"}})),
        layers_(Add(net_, "layers")),
        edges_(Add(net_, "edges")) {}

  // Layer `id`. Its output ports are numbered on from its input ports. The reader wants a precision at
  // every output port, and then infers types on its own.
  void AddLayer(size_t id, const std::string& type, const std::string& opset, const Attributes& data, size_t inputs,
                const std::vector<std::string>& precisions) {
    const pugi::xml_node layer =
        Add(layers_, "layer",
            {{"id", std::to_string(id)}, {"name", type + std::to_string(id)}, {"type", type}, {"version", opset}});
    if (!data.empty()) Add(layer, "data", data);
    const pugi::xml_node ports = Add(layer, "input");
    for (size_t i = 0; i < inputs; ++i) Add(ports, "port", {{"id", std::to_string(i)}});
    const pugi::xml_node outputs = Add(layer, "output");
    for (size_t i = 0; i < precisions.size(); ++i) {
      Add(outputs, "port", {{"id", std::to_string(inputs + i)}, {"precision", precisions[i]}});
    }
  }

  void AddEdge(size_t from, size_t from_port, size_t to, size_t to_port) {
    Add(edges_, "edge",
        {{"from-layer", std::to_string(from)},
         {"from-port", std::to_string(from_port)},
         {"to-layer", std::to_string(to)},
         {"to-port", std::to_string(to_port)}});
  }

  // Layer `id`: input `id` of the call, a Parameter for the feature map, else a Const.
  void AddInput(size_t id, const poolproof_tensor& tensor) {
    Attributes data = {{"element_type", std::string(TypeName(tensor.element_type))},
                       {"shape", Joined(tensor.dims, static_cast<size_t>(tensor.rank))}};
    if (id > 0) data.insert(data.end(), {{"offset", "0"}, {"size", std::to_string(tensor.size_bytes)}});
    AddLayer(id, id > 0 ? "Const" : "Parameter", "opset1", data, 0, {Precision(tensor.element_type)});
  }

  void AddResult(size_t id, size_t from, size_t from_port) {
    AddLayer(id, "Result", "opset1", {}, 1, {});
    AddEdge(from, from_port, id, 0);
  }

  std::string Text() const {
    std::ostringstream text;
    document_.save(text, "", pugi::format_raw);
    return text.str();
  }

 private:
  pugi::xml_document document_;
  pugi::xml_node net_, layers_, edges_;
};

// MaxPool-8 and later, which have indices but no sizes, and AvgPool-16.
bool HasDilations(const backend::CallView& call) {
  return (call.OutputCount() == 2 && call.InputCount() == 1) || call.Op() == "AvgPool-16";
}

Attributes PoolAttributes(const backend::CallView& call, bool write_dilations) {
  Attributes data;
  for (size_t i = 0; i < call.Call().attribute_count; ++i) {
    const poolproof_attribute& attribute = *call.Call().attributes[i];
    data.emplace_back(attribute.name, AttributeText(attribute));
  }
  if (write_dilations && HasDilations(call) && !call.Has("dilations")) {
    const std::vector<int> ones(static_cast<size_t>(std::max(0, call.Input(0).rank - 2)), 1);
    data.emplace_back("dilations", Joined(ones.data(), ones.size()));
  }
  return data;
}

}  // namespace

std::string_view TypeName(poolproof_element_type type) {
  return type > 0 && type <= POOLPROOF_U64 ? backend::ElementTypeName(type) : "";
}

bool IsVersionedName(std::string_view op) {
  const size_t dash = op.rfind('-');
  return dash != std::string_view::npos && dash > 0 && dash + 1 < op.size() &&
         std::all_of(op.begin() + static_cast<std::ptrdiff_t>(dash) + 1, op.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string WriteIdentityIr(poolproof_element_type type) {
  poolproof_tensor one{};
  one.element_type = type;
  one.rank = 1;
  one.dims[0] = 1;
  Ir ir;
  ir.AddInput(0, one);
  ir.AddResult(1, 0, 0);
  return ir.Text();
}

std::string WriteIr(const backend::CallView& call, bool write_dilations) {
  Ir ir;
  const size_t pool = call.InputCount();
  for (size_t i = 0; i < pool; ++i) {
    ir.AddInput(i, call.Input(i));
    ir.AddEdge(i, 0, pool, i);
  }
  const std::string name(call.Op());
  const size_t dash = name.rfind('-');
  std::vector<std::string> precisions = {Precision(call.Input(0).element_type)};
  if (call.OutputCount() > 1) precisions.emplace_back("I64");
  ir.AddLayer(pool, name.substr(0, dash), "opset" + name.substr(dash + 1), PoolAttributes(call, write_dilations), pool,
              precisions);
  for (size_t i = 0; i < call.OutputCount(); ++i) ir.AddResult(pool + 1 + i, pool, pool + i);
  return ir.Text();
}

}  // namespace poolproof::openvino
