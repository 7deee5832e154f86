// A backend that is linked into a program, served to the gate over a pair of descriptors: header only, C++17. It speaks
// the protocol of conformance/worker/PROTOCOL.md, so that --backend='process:PROGRAM' runs it in a process of its own.
//
//   int main() { return poolproof::backend::Serve(poolproof_get_backend, 0, 1); }
//
// Nothing else may write to the second descriptor meanwhile.
#ifndef POOLPROOF_CONFORMANCE_BACKEND_PROCESS_H_
#define POOLPROOF_CONFORMANCE_BACKEND_PROCESS_H_

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/backend.h"
#include "conformance/backend_helper.h"

namespace poolproof::backend {

namespace process {

// As much of JSON as requests have: no fractions.
struct Value {
  enum Kind { kNull, kBool, kInt, kText, kList, kObject } kind = kNull;
  int64_t number = 0;
  std::string text;
  std::vector<Value> items;
  std::map<std::string, Value> members;

  bool Has(const std::string& key) const { return members.count(key) > 0; }
  const Value& operator[](const std::string& key) const {
    static const Value none;
    const auto found = members.find(key);
    return found == members.end() ? none : found->second;
  }
};

class Parser {
 public:
  explicit Parser(const std::string& text) : at_(text.c_str()) {}

  Value Parse() {
    Value value;
    switch (Next()) {
      case '{': Members(&value); break;
      case '[': Items(&value); break;
      case '"': value = {Value::kText, 0, Text(), {}, {}}; break;
      case 't': value = Word(4, Value::kBool, 1); break;
      case 'f': value = Word(5, Value::kBool, 0); break;
      case 'n': value = Word(4, Value::kNull, 0); break;
      default: value = Number();
    }
    return value;
  }

 private:
  char Next() {
    while (*at_ == ' ') ++at_;
    return *at_;
  }
  // Whether one more follows, behind a comma; takes the bracket where none does.
  bool More(char end, bool first) {
    const char next = Next();
    if (next == end || (next == ',' && !first)) ++at_;
    if (next != end && next != ',' && !first) throw InvalidArgument("a request is no JSON");
    return next != end;
  }
  void Members(Value* value) {
    value->kind = Value::kObject;
    ++at_;
    for (bool first = true; More('}', first); first = false) {
      if (Next() != '"') throw InvalidArgument("a request has a member without a name");
      std::string key = Text();
      if (Next() == ':') ++at_;
      value->members[std::move(key)] = Parse();
    }
  }
  void Items(Value* value) {
    value->kind = Value::kList;
    ++at_;
    for (bool first = true; More(']', first); first = false) value->items.push_back(Parse());
  }
  Value Word(size_t length, Value::Kind kind, int64_t number) {
    at_ += std::min(length, std::strlen(at_));
    return {kind, number, "", {}, {}};
  }
  Value Number() {
    char* end = nullptr;
    const int64_t number = std::strtoll(at_, &end, 10);
    if (end == at_) throw InvalidArgument("a request is no JSON");
    at_ = end;
    return {Value::kInt, number, "", {}, {}};
  }
  std::string Text() {
    std::string text;
    for (++at_; *at_ != '"' && *at_ != '\0'; ++at_) {
      if (*at_ == '\\') {
        Escaped(&text);
      } else {
        text += *at_;
      }
    }
    if (*at_ == '"') ++at_;
    return text;
  }
  // No name or word of a call has one above ASCII.
  void Escaped(std::string* text) {
    constexpr std::string_view kWords = "nrtbf", kMeant = "\n\r\t\b\f";
    const char what = *++at_;
    if (what == '\0') throw InvalidArgument("a request is no JSON");
    const size_t known = kWords.find(what);
    if (what != 'u') *text += known == kWords.npos ? what : kMeant[known];
    if (what != 'u') return;
    *text += static_cast<char>(std::strtol(std::string(at_ + 1, strnlen(at_ + 1, 4)).c_str(), nullptr, 16));
    at_ += strnlen(at_ + 1, 4);
  }

  const char* at_;
};

inline std::string Quoted(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') quoted += '\\';
    if (byte >= ' ') quoted += c;
    if (byte < ' ') quoted += std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
  }
  return quoted + '"';
}

inline poolproof_element_type TypeOf(const std::string& name) {
  if (const poolproof_element_type type = ParseElementType(name)) return type;
  throw InvalidArgument("a tensor of the request is of type \"" + name + "\"");
}

// Reads and writes whole messages.
class Pipe {
 public:
  Pipe(int in, int out) : in_(in), out_(out) {}

  // False at the end of all requests.
  bool ReadLine(std::string* line) {
    line->clear();
    char c = 0;
    while (ReadAll(&c, 1)) {
      if (c == '\n') return true;
      *line += c;
    }
    return false;
  }
  bool ReadAll(void* to, size_t size) {
    for (auto* at = static_cast<char*>(to); size > 0;) {
      if (begin_ == end_ && !Fill()) return false;
      const size_t part = std::min(size, end_ - begin_);
      std::memcpy(at, buffer_ + begin_, part);
      begin_ += part, at += part, size -= part;
    }
    return true;
  }
  bool WriteAll(const void* from, size_t size) const {
    for (const auto* at = static_cast<const char*>(from); size > 0;) {
      const ssize_t part = write(out_, at, size);
      if (part <= 0) return false;
      at += part, size -= static_cast<size_t>(part);
    }
    return true;
  }
  bool WriteLine(const std::string& line) const { return WriteAll((line + '\n').data(), line.size() + 1); }

 private:
  bool Fill() {
    const ssize_t got = read(in_, buffer_, sizeof buffer_);
    begin_ = 0;
    end_ = got > 0 ? static_cast<size_t>(got) : 0;
    return got > 0;
  }

  const int in_, out_;
  size_t begin_ = 0, end_ = 0;
  char buffer_[1 << 16];
};

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
// As large as asked for and no larger, so that tools which watch memory see what lies outside.
using Memory = std::unique_ptr<void, Free>;

inline Memory Allocate(size_t bytes) {
  Memory memory(std::malloc(bytes));
  if (memory == nullptr && bytes > 0) throw std::bad_alloc();
  return memory;
}

// The call of a request, and all that it points to.
class Call {
 public:
  Call(const Value& request, Pipe* pipe) : op_(request["op"].text) {
    for (const auto& [name, value] : request["attributes"].members) AddAttribute(name, value);
    for (const Value& input : request["inputs"].items) AddInput(input, pipe);
    for (const Value& output : request["outputs"].items) AddOutput(output);
    for (auto& attribute : attributes_) attribute_pointers_.push_back(attribute.get());
    for (auto& input : inputs_) input_pointers_.push_back(input.get());
    for (auto& output : outputs_) output_pointers_.push_back(output.get());
    call_.struct_size = sizeof call_;
    call_.op = op_.c_str();
    call_.attributes = attribute_pointers_.data();
    call_.attribute_count = attribute_pointers_.size();
    call_.inputs = input_pointers_.data();
    call_.input_count = input_pointers_.size();
    call_.outputs = output_pointers_.data();
    call_.output_count = output_pointers_.size();
  }

  const poolproof_call& call() const { return call_; }
  // Where run is to write, which may be more room than the backend is told of.
  const std::vector<std::unique_ptr<poolproof_tensor>>& outputs() const { return outputs_; }
  static size_t Need(const poolproof_tensor& tensor) {
    const auto rank = static_cast<size_t>(std::clamp(tensor.rank, 0, POOLPROOF_MAX_RANK));
    return static_cast<size_t>(ElementCount(tensor.dims, rank)) * ElementSize(tensor.element_type);
  }

 private:
  void AddAttribute(const std::string& name, const Value& value) {
    auto attribute = std::make_unique<poolproof_attribute>();
    attribute->struct_size = sizeof *attribute;
    attribute->name = name.c_str();
    attribute->integer = value.number;
    attribute->word = value.text.c_str();
    attribute->kind = value.kind == Value::kList   ? POOLPROOF_INT_LIST
                      : value.kind == Value::kText ? POOLPROOF_WORD
                      : value.kind == Value::kBool ? POOLPROOF_BOOL
                                                   : POOLPROOF_INT;
    lists_.push_back(std::make_unique<std::vector<int64_t>>());
    for (const Value& item : value.items) lists_.back()->push_back(item.number);
    attribute->integers = lists_.back()->data();
    attribute->count = lists_.back()->size();
    attributes_.push_back(std::move(attribute));
  }

  static std::unique_ptr<poolproof_tensor> TensorOf(const Value& value) {
    auto tensor = std::make_unique<poolproof_tensor>();
    tensor->struct_size = sizeof *tensor;
    if (!value.Has("type")) return tensor;
    tensor->element_type = TypeOf(value["type"].text);
    const std::vector<Value>& shape = value["shape"].items;
    tensor->rank = static_cast<int32_t>(std::min<size_t>(shape.size(), POOLPROOF_MAX_RANK));
    for (int32_t i = 0; i < tensor->rank; ++i) tensor->dims[i] = shape[static_cast<size_t>(i)].number;
    tensor->frac_bits = static_cast<int32_t>(value["frac_bits"].number);
    return tensor;
  }

  void AddInput(const Value& value, Pipe* pipe) {
    inputs_.push_back(TensorOf(value));
    poolproof_tensor& input = *inputs_.back();
    input.size_bytes = value.Has("bytes") ? static_cast<size_t>(value["bytes"].number) : Need(input);
    if (!value.Has("bytes")) return;
    memory_.push_back(Allocate(input.size_bytes));
    input.data = memory_.back().get();
    if (!pipe->ReadAll(input.data, input.size_bytes)) throw std::runtime_error("the data of a request is cut off");
  }

  void AddOutput(const Value& value) {
    outputs_.push_back(TensorOf(value));
    if (!value.Has("capacity")) return;
    poolproof_tensor& output = *outputs_.back();
    output.size_bytes = static_cast<size_t>(value["capacity"].number);
    memory_.push_back(Allocate(output.size_bytes));
    output.data = memory_.back().get();
  }

  const std::string op_;
  std::vector<std::unique_ptr<std::vector<int64_t>>> lists_;
  std::vector<std::unique_ptr<poolproof_attribute>> attributes_;
  std::vector<std::unique_ptr<poolproof_tensor>> inputs_, outputs_;
  std::vector<const poolproof_attribute*> attribute_pointers_;
  std::vector<const poolproof_tensor*> input_pointers_;
  std::vector<poolproof_tensor*> output_pointers_;
  std::vector<Memory> memory_;
  poolproof_call call_{};
};

inline std::string TensorText(const poolproof_tensor& tensor, size_t bytes) {
  std::string shape;
  for (int32_t i = 0; i < std::clamp(tensor.rank, 0, POOLPROOF_MAX_RANK); ++i) {
    shape += (i > 0 ? "," : "") + std::to_string(tensor.dims[i]);
  }
  return "{\"type\":" + Quoted(ElementTypeName(tensor.element_type)) + ",\"shape\":[" + shape +
         "],\"frac_bits\":" + std::to_string(tensor.frac_bits) + ",\"bytes\":" + std::to_string(bytes) + "}";
}

inline std::string Refusal(poolproof_status status, std::string_view error) {
  constexpr std::string_view kNames[] = {"OK", "UNSUPPORTED", "INVALID_ARGUMENT", "INTERNAL_ERROR"};
  const bool known = status > POOLPROOF_OK && status <= POOLPROOF_INTERNAL_ERROR;
  const std::string name(known ? kNames[status] : "status " + std::to_string(status));
  return "\"status\":" + Quoted(name) + ",\"error\":" + Quoted(error);
}

// One instance of a backend and those who ask it.
class Server {
 public:
  Server(const poolproof_backend& backend, Pipe* pipe) : backend_(backend), pipe_(*pipe) {}
  ~Server() {
    if (instance_ != nullptr) backend_.destroy(instance_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  bool Greet(const Value& greeting) {
    std::vector<const char*> options;
    for (const Value& option : greeting["options"].items) options.push_back(option.text.c_str());
    char error[500] = "";
    const poolproof_status status = backend_.create(options.data(), options.size(), &instance_, error, sizeof error);
    if (status != POOLPROOF_OK) {
      instance_ = nullptr;
      pipe_.WriteLine("{" + Refusal(status, error) + "}");
      return false;
    }
    return pipe_.WriteLine("{\"poolproof\":1,\"name\":" + Quoted(backend_.name) +
                           ",\"version\":" + Quoted(backend_.version) + "}");
  }

  bool Answer(const Value& request) {
    const Call call(request, &pipe_);
    const bool run = request["call"].text == "run";
    const std::string id = "{\"id\":" + std::to_string(request["id"].number) + ",";
    const poolproof_status status = (run ? backend_.run : backend_.infer_shapes)(instance_, &call.call());
    if (status != POOLPROOF_OK) return pipe_.WriteLine(id + Refusal(status, backend_.last_error(instance_)) + "}");
    std::string outputs;
    for (const auto& output : call.outputs()) {
      outputs += (outputs.empty() ? "" : ",") + TensorText(*output, run ? Call::Need(*output) : output->size_bytes);
    }
    if (!pipe_.WriteLine(id + "\"status\":\"OK\",\"outputs\":[" + outputs + "]}")) return false;
    return !run || WriteData(call);
  }

 private:
  // A backend that says OK though it had too little room has left the rest unwritten.
  bool WriteData(const Call& call) const {
    for (const auto& output : call.outputs()) {
      const size_t need = Call::Need(*output), have = std::min(need, output->size_bytes);
      const std::string rest(need - have, '\0');
      if (!pipe_.WriteAll(output->data, have) || !pipe_.WriteAll(rest.data(), rest.size())) return false;
    }
    return true;
  }

  const poolproof_backend& backend_;
  Pipe& pipe_;
  poolproof_instance* instance_ = nullptr;
};

}  // namespace process

// Answers requests until there are no more. What it returns is for main to return.
inline int Serve(poolproof_get_backend_fn get_backend, int in, int out) {
  const auto pipe = std::make_unique<process::Pipe>(in, out);
  std::string line;
  if (!pipe->ReadLine(&line)) return 0;
  const poolproof_backend* backend = get_backend(POOLPROOF_ABI_VERSION);
  if (backend == nullptr) {
    pipe->WriteLine("{" + process::Refusal(POOLPROOF_INTERNAL_ERROR, "the backend serves another version of the ABI") +
                    "}");
    return 1;
  }
  process::Server server(*backend, pipe.get());
  if (!server.Greet(process::Parser(line).Parse())) return 1;
  while (pipe->ReadLine(&line)) {
    if (!server.Answer(process::Parser(line).Parse())) return 1;
  }
  return 0;
}

}  // namespace poolproof::backend

#endif  // POOLPROOF_CONFORMANCE_BACKEND_PROCESS_H_
