#include "conformance/cases/read.h"

namespace poolproof::read {
namespace {

// A list with an entry for each spatial axis of the input, all of at least `least`.
void ReadAxes(Object* object, std::string_view key, const NetworkLayer& layer, int64_t least,
              std::vector<int64_t>* out) {
  const std::optional<Node> node = object->Optional(key);
  if (!node) return;
  *out = node->AsIntegers();
  if (out->size() + 2 != layer.input.size()) node->Fail("does not have one entry per spatial axis");
  for (const int64_t value : *out) {
    if (value < least) node->Fail(std::to_string(value) + " is less than " + std::to_string(least));
  }
}

void ReadInput(Object* object, NetworkLayer* layer) {
  const std::optional<Node> node = object->Required("input");
  if (!node) return;
  layer->input = node->AsIntegers();
  if (layer->input.size() < 3 || layer->input.size() > 5) node->Fail("does not have 3 to 5 dimensions");
  for (const int64_t size : layer->input) {
    if (size < 1) node->Fail(std::to_string(size) + " is less than 1");
  }
}

NetworkLayer ReadLayer(const Node& node) {
  NetworkLayer layer;
  Object object(node);
  if (const std::optional<Node> kind = object.Required("pool")) {
    layer.mean = kind->AsChoice<bool>({{"max", false}, {"mean", true}});
  }
  ReadInput(&object, &layer);
  ReadAxes(&object, "output", layer, 1, &layer.output);
  ReadAxes(&object, "kernel", layer, 1, &layer.kernel);
  ReadAxes(&object, "strides", layer, 1, &layer.strides);
  ReadAxes(&object, "pads", layer, 0, &layer.pads);
  ReadAxes(&object, "dilations", layer, 1, &layer.dilations);
  object.ReadOptional("ceil", &Node::AsBool, &layer.ceil);
  object.ReadOptional("exclude_pad", &Node::AsBool, &layer.exclude_pad);
  if (layer.output.empty() == layer.kernel.empty()) {
    node.Fail("has to have either an output or a kernel");
  }
  const std::vector<int64_t> ones(layer.kernel.size(), 1), zeros(layer.kernel.size(), 0);
  if (layer.strides.empty()) layer.strides = ones;
  if (layer.dilations.empty()) layer.dilations = ones;
  if (layer.pads.empty()) layer.pads = zeros;
  return layer;
}

std::vector<NetworkLayer> ReadNetwork(const Node& node) {
  std::vector<NetworkLayer> layers;
  std::string name;
  Object object(node);
  object.Read("name", &Node::AsString, &name);
  object.ReadList("layers", &ReadLayer, &layers);
  for (NetworkLayer& layer : layers) layer.network = name;
  return layers;
}

}  // namespace

std::vector<NetworkLayer> ReadNetworksFile(const Node& node) {
  std::vector<std::vector<NetworkLayer>> networks;
  Object object(node);
  object.ReadList("networks", &ReadNetwork, &networks);
  std::vector<NetworkLayer> layers;
  for (const std::vector<NetworkLayer>& network : networks) {
    layers.insert(layers.end(), network.begin(), network.end());
  }
  return layers;
}

}  // namespace poolproof::read
