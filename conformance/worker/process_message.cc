#include "conformance/worker/process_message.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/backend_helper.h"
#include "conformance/format/strict_json.h"
#include "conformance/worker/backend_loader.h"
#include "fmt/format.h"

namespace poolproof::worker {
namespace {

using Written = nlohmann::json;  // keys in the order of the alphabet

// Words of a call may hold any bytes.
std::string Dump(const Written& json) { return json.dump(-1, ' ', false, Written::error_handler_t::replace); }

// As much of a backend's sentence as a lane keeps.
constexpr size_t kMaxErrorBytes = 1023;

// Thrown by the readers below and caught by the two Parse functions.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Written AttributeToJson(const poolproof_attribute& attribute) {
  switch (attribute.kind) {
    case POOLPROOF_INT: return attribute.integer;
    case POOLPROOF_BOOL: return attribute.integer != 0;
    case POOLPROOF_INT_LIST:
      return Written(std::vector<int64_t>(attribute.integers, attribute.integers + attribute.count));
    default: return attribute.word;
  }
}

Written TensorToJson(const poolproof_tensor& tensor) {
  return {{"type", backend::ElementTypeName(tensor.element_type)},
          {"shape", std::vector<int64_t>(tensor.dims, tensor.dims + tensor.rank)},
          {"frac_bits", tensor.frac_bits}};
}

Written InputsToJson(std::span<const poolproof_tensor> inputs, bool feature_map) {
  Written list = Written::array();
  for (size_t i = 0; i < inputs.size(); ++i) {
    list.push_back(TensorToJson(inputs[i]));
    if (i > 0 || feature_map) list.back()["bytes"] = inputs[i].size_bytes;
  }
  return list;
}

std::string Request(int64_t id, const char* name, const std::string& call, const Written& inputs,
                    const Written& outputs) {
  return fmt::format("{{\"id\":{},\"call\":\"{}\",{},\"inputs\":{},\"outputs\":{}}}\n", id, name, call, Dump(inputs),
                     Dump(outputs));
}

std::optional<Json> ParseObject(const std::string& line) {
  Error error;
  std::optional<Json> json = ParseDocument("reply", line, &error);
  return json && json->is_object() ? std::move(json) : std::nullopt;
}

// Length of what stands before the reply in its line: data that no reply announced, or what was printed without a line
// break. 0 where no reply follows.
size_t BytesBeforeReply(const std::string& line) {
  constexpr int kTried = 16;
  size_t begin = line.find('{');
  for (int i = 0; i < kTried && begin != line.npos; ++i, begin = line.find('{', begin + 1)) {
    if (ParseObject(line.substr(begin))) return begin;
  }
  return 0;
}

// Says what is wrong, and quotes behind a colon what the backend printed, which EventCause leaves out.
Json ParseLine(const std::string& line) {
  if (std::optional<Json> json = ParseObject(line)) return *std::move(json);
  constexpr size_t kShown = 60;
  const size_t before = BytesBeforeReply(line);
  const std::string what = before == 0 ? "a line that is no JSON object"
                                       : fmt::format("{} byte{} that belong{} to no reply", before,
                                                     before == 1 ? "" : "s", before == 1 ? "s" : "");
  const std::string shown = line.substr(0, before == 0 ? kShown : std::min(before, kShown));
  throw Malformed(fmt::format("printed {}: {}", what, JsonQuoted(shown)));
}

const Json& Member(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) throw Malformed(fmt::format("sent no \"{}\"", key));
  return *found;
}

int64_t Integer(const Json& json, const char* key) {
  if (!json.is_number_integer()) {
    constexpr size_t kShown = 60;
    throw Malformed(fmt::format("sent a \"{}\" that is no integer: {}", key, Dump(json).substr(0, kShown)));
  }
  return json.get<int64_t>();
}

std::string Text(const Json& json, const char* key) {
  if (!json.is_string()) throw Malformed(fmt::format("sent a \"{}\" that is no string", key));
  return json.get<std::string>();
}

poolproof_status ParseStatus(const Json& json) {
  const std::string text = Text(Member(json, "status"), "status");
  for (poolproof_status status = POOLPROOF_OK; status <= POOLPROOF_INTERNAL_ERROR; ++status) {
    if (StatusName(status) == text) return status;
  }
  throw Malformed(fmt::format("sent the unknown status {}", JsonQuoted(text)));
}

poolproof_element_type ParseType(const Json& json) {
  const std::string text = Text(Member(json, "type"), "type");
  if (const poolproof_element_type type = backend::ParseElementType(text)) return type;
  throw Malformed(fmt::format("sent the unknown element type {}", JsonQuoted(text)));
}

poolproof_tensor ParseTensor(const Json& json) {
  if (!json.is_object()) throw Malformed("sent an output that is no object");
  poolproof_tensor tensor = {};
  tensor.struct_size = sizeof(tensor);
  tensor.element_type = ParseType(json);
  const Json& shape = Member(json, "shape");
  if (!shape.is_array()) throw Malformed("sent a \"shape\" that is no list");
  // A rank that is too high is described, not stored; the caller reports it.
  tensor.rank = static_cast<int32_t>(std::min<size_t>(shape.size(), 1000));
  const size_t stored = std::min<size_t>(shape.size(), POOLPROOF_MAX_RANK);
  for (size_t i = 0; i < stored; ++i) tensor.dims[i] = Integer(shape[i], "shape");
  const int64_t bytes = Integer(Member(json, "bytes"), "bytes");
  if (bytes < 0) throw Malformed("sent negative \"bytes\"");
  tensor.size_bytes = static_cast<size_t>(bytes);
  if (json.contains("frac_bits")) {
    tensor.frac_bits = static_cast<int32_t>(Integer(json["frac_bits"], "frac_bits"));
  }
  return tensor;
}

}  // namespace

std::string GreetingLine(const std::vector<std::string>& options) {
  return Dump({{"poolproof", kProcessProtocol}, {"options", options}}) + "\n";
}

std::string DescribeCall(const poolproof_call& call) {
  Written attributes = Written::object();
  for (size_t i = 0; i < call.attribute_count; ++i) {
    attributes[call.attributes[i]->name] = AttributeToJson(*call.attributes[i]);
  }
  return fmt::format("\"op\":{},\"attributes\":{}", JsonQuoted(call.op), Dump(attributes));
}

std::string InferLine(int64_t id, const std::string& call, std::span<const poolproof_tensor> inputs,
                      size_t output_count) {
  const Written outputs(output_count, Written::object());
  return Request(id, "infer_shapes", call, InputsToJson(inputs, false), outputs);
}

std::string RunLine(int64_t id, const std::string& call, std::span<const poolproof_tensor> inputs,
                    std::span<const poolproof_tensor> outputs, std::span<const uint64_t> capacities) {
  Written list = Written::array();
  for (size_t i = 0; i < outputs.size(); ++i) {
    list.push_back(TensorToJson(outputs[i]));
    list.back()["capacity"] = capacities[i];
  }
  return Request(id, "run", call, InputsToJson(inputs, true), list);
}

bool ParseGreeting(const std::string& line, BackendInfo* info, Error* problem) {
  try {
    const Json json = ParseLine(line);
    if (json.contains("status") && !json.contains("poolproof")) {
      problem->message = "could not start, " + StatusName(ParseStatus(json));
      if (json.contains("error")) problem->message += ": " + Text(json["error"], "error");
      return false;
    }
    const int64_t version = Integer(Member(json, "poolproof"), "poolproof");
    if (version != kProcessProtocol) {
      problem->message = fmt::format("speaks protocol version {}, this program version {}", version, kProcessProtocol);
      return false;
    }
    *info = {Text(Member(json, "name"), "name"), Text(Member(json, "version"), "version"), POOLPROOF_ABI_VERSION, {}};
    return true;
  } catch (const Malformed& malformed) {
    problem->message = malformed.what();
    return false;
  }
}

bool ParseReply(const std::string& line, int64_t id, size_t output_count, Reply* reply, Error* problem) {
  try {
    const Json json = ParseLine(line);
    const int64_t got_id = Integer(Member(json, "id"), "id");
    if (got_id != id) {
      throw Malformed(fmt::format("answered request {} with the reply to {}", id, got_id));
    }
    reply->status = ParseStatus(json);
    reply->error = json.contains("error") ? Text(json["error"], "error") : "";
    reply->error.resize(std::min(reply->error.size(), kMaxErrorBytes));
    // As Perl ends what its programs die of.
    reply->error.resize(reply->error.find_last_not_of(" \n") + 1);
    if (reply->status != POOLPROOF_OK) return true;
    const Json& outputs = Member(json, "outputs");
    if (!outputs.is_array() || outputs.size() != output_count) {
      throw Malformed(fmt::format("sent \"outputs\" that are no list of {}", output_count));
    }
    for (size_t i = 0; i < output_count; ++i) reply->outputs[i] = ParseTensor(outputs[i]);
    return true;
  } catch (const Malformed& malformed) {
    problem->message = malformed.what();
    return false;
  }
}

}  // namespace poolproof::worker
