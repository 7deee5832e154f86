#include "conformance/backends/openvino/ir.h"

#include <algorithm>
#include <cctype>
#include <pugixml.hpp>
#include <sstream>

#include "conformance/backend_helper.h"

namespace poolproof::openvino {
namespace {

std::string Joined(const int64_t* values, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + std::to_string(values[i]);
  return text;
}

std::string Dims(const poolproof_tensor& tensor) { return Joined(tensor.dims, static_cast<size_t>(tensor.rank)); }

std::string AttributeText(const poolproof_attribute& attribute) {
  switch (attribute.kind) {
    case POOLPROOF_INT_LIST: return Joined(attribute.integers, attribute.count);
    case POOLPROOF_BOOL: return attribute.integer != 0 ? "true" : "false";
    case POOLPROOF_WORD: return attribute.word;
    default: return std::to_string(attribute.integer);
  }
}

pugi::xml_node AddNet(pugi::xml_document* document) {
  pugi::xml_node net = document->append_child("net");
  net.append_attribute("name") = "poolproof";
  net.append_attribute("version") = 11;
  return net;
}

std::string Text(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "", pugi::format_raw);
  return text.str();
}

pugi::xml_node AddLayer(pugi::xml_node layers, size_t id, const std::string& type, const std::string& opset) {
  pugi::xml_node layer = layers.append_child("layer");
  layer.append_attribute("id") = static_cast<unsigned long long>(id);
  layer.append_attribute("name") = (type + std::to_string(id)).c_str();
  layer.append_attribute("type") = type.c_str();
  layer.append_attribute("version") = opset.c_str();
  return layer;
}

void AddInputPorts(pugi::xml_node layer, size_t count) {
  pugi::xml_node ports = layer.append_child("input");
  for (size_t i = 0; i < count; ++i) {
    ports.append_child("port").append_attribute("id") = static_cast<unsigned long long>(i);
  }
}

// The reader wants a precision at every output port, and then infers types by itself.
void AddOutputPort(pugi::xml_node ports, size_t id, std::string_view precision) {
  pugi::xml_node port = ports.append_child("port");
  port.append_attribute("id") = static_cast<unsigned long long>(id);
  port.append_attribute("precision") = std::string(precision).c_str();
}

void AddEdge(pugi::xml_node edges, size_t from, size_t from_port, size_t to, size_t to_port) {
  pugi::xml_node edge = edges.append_child("edge");
  edge.append_attribute("from-layer") = static_cast<unsigned long long>(from);
  edge.append_attribute("from-port") = static_cast<unsigned long long>(from_port);
  edge.append_attribute("to-layer") = static_cast<unsigned long long>(to);
  edge.append_attribute("to-port") = static_cast<unsigned long long>(to_port);
}

std::string_view Precision(poolproof_element_type type) {
  static constexpr std::string_view kNames[] = {"",    "FP64", "FP32", "FP16", "BF16", "I8", "U8",
                                                "I16", "U16",  "I32",  "U32",  "I64",  "U64"};
  return type > 0 && type <= POOLPROOF_U64 ? kNames[type] : "";
}

// Layer `id`: input `id` of the call, a Parameter for the feature map, else a Const.
void AddInput(pugi::xml_node layers, const poolproof_tensor& tensor, size_t id) {
  const bool feature_map = id == 0;
  pugi::xml_node layer = AddLayer(layers, id, feature_map ? "Parameter" : "Const", "opset1");
  pugi::xml_node data = layer.append_child("data");
  data.append_attribute("element_type") = std::string(TypeName(tensor.element_type)).c_str();
  data.append_attribute("shape") = Dims(tensor).c_str();
  if (!feature_map) {
    data.append_attribute("offset") = 0;
    data.append_attribute("size") = static_cast<unsigned long long>(tensor.size_bytes);
  }
  AddOutputPort(layer.append_child("output"), 0, Precision(tensor.element_type));
}

bool Has(const poolproof_call& call, std::string_view name) {
  return std::any_of(call.attributes, call.attributes + call.attribute_count,
                     [&](const poolproof_attribute* a) { return name == a->name; });
}

// True for MaxPool-8 and later: what has indices but no sizes has dilations.
bool HasDilations(const poolproof_call& call) { return call.output_count == 2 && call.input_count == 1; }

void AddPool(pugi::xml_node layers, const poolproof_call& call, size_t id, bool write_dilations) {
  const std::string name = call.op;
  const size_t dash = name.rfind('-');
  pugi::xml_node layer = AddLayer(layers, id, name.substr(0, dash), "opset" + name.substr(dash + 1));
  pugi::xml_node data = layer.append_child("data");
  for (size_t i = 0; i < call.attribute_count; ++i) {
    const poolproof_attribute& attribute = *call.attributes[i];
    data.append_attribute(attribute.name) = AttributeText(attribute).c_str();
  }
  if (write_dilations && HasDilations(call) && !Has(call, "dilations")) {
    const int64_t ones[POOLPROOF_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    const auto spatial = static_cast<size_t>(std::max(0, call.inputs[0]->rank - 2));
    data.append_attribute("dilations") = Joined(ones, spatial).c_str();
  }
  AddInputPorts(layer, call.input_count);
  pugi::xml_node outputs = layer.append_child("output");
  AddOutputPort(outputs, call.input_count, Precision(call.inputs[0]->element_type));
  if (call.output_count > 1) AddOutputPort(outputs, call.input_count + 1, "I64");
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
  pugi::xml_document document;
  pugi::xml_node net = AddNet(&document);
  poolproof_tensor one{};
  one.element_type = type;
  one.rank = 1;
  one.dims[0] = 1;
  pugi::xml_node layers = net.append_child("layers");
  AddInput(layers, one, 0);
  AddInputPorts(AddLayer(layers, 1, "Result", "opset1"), 1);
  AddEdge(net.append_child("edges"), 0, 0, 1, 0);
  return Text(document);
}

std::string WriteIr(const poolproof_call& call, bool write_dilations) {
  pugi::xml_document document;
  pugi::xml_node net = AddNet(&document);
  pugi::xml_node layers = net.append_child("layers");
  pugi::xml_node edges = net.append_child("edges");
  const size_t pool = call.input_count;
  for (size_t i = 0; i < call.input_count; ++i) {
    AddInput(layers, *call.inputs[i], i);
    AddEdge(edges, i, 0, pool, i);
  }
  AddPool(layers, call, pool, write_dilations);
  for (size_t i = 0; i < call.output_count; ++i) {
    AddInputPorts(AddLayer(layers, pool + 1 + i, "Result", "opset1"), 1);
    AddEdge(edges, pool, call.input_count + i, pool + 1 + i, 0);
  }
  return Text(document);
}

}  // namespace poolproof::openvino
