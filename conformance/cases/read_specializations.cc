// Names of specializations. A rule lists the words of each part of the name,
//
//   PREFIX_TYPE [_k<W>x<H>] [_ch<N>] [_str<N>] [_nopad|_krnpad]
//
// and stands for every combination; the words also say how a specialization is restricted. An "n"
// in a kernel leaves that side open, an empty word leaves the part out.
#include <charconv>

#include "conformance/cases/read.h"

namespace poolproof::read {
namespace {

struct Rule {
  std::string prefix, layout, clause;
  std::vector<poolproof_element_type> types;
  std::vector<std::string> kernels, channels, strides, paddings;
};

std::optional<int64_t> ParseCount(std::string_view text) {
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

// "str1" with the marker "str" is 1.
bool ApplyCount(std::string_view word, std::string_view marker, std::optional<int64_t>* value) {
  if (word.empty()) return true;
  if (!word.starts_with(marker)) return false;
  *value = ParseCount(word.substr(marker.size()));
  return value->has_value();
}

bool ApplyKernel(std::string_view word, Function* function) {
  if (word.empty()) return true;
  const size_t cross = word.find('x');
  if (!word.starts_with('k') || cross == word.npos) return false;
  const std::string_view width = word.substr(1, cross - 1), height = word.substr(cross + 1);
  if (width != "n") function->kernel_width = ParseCount(width);
  if (height != "n") function->kernel_height = ParseCount(height);
  return (width == "n" || function->kernel_width) && (height == "n" || function->kernel_height);
}

// Without a stride of its own, "krnpad" only names the code path: the pads are those of the call.
bool ApplyPadding(std::string_view word, Function* function) {
  if (word == "nopad") function->padding = Function::Padding::kNone;
  if (word == "krnpad" && function->stride) function->padding = Function::Padding::kKernel;
  return word.empty() || word == "nopad" || word == "krnpad";
}

std::vector<std::string> ReadWords(const Node& node) {
  return node.AsList<std::string>(
      [](const Node& word) { return word.value() == "" ? std::string() : word.AsString(); });
}

Rule ReadRule(const Node& node) {
  Rule rule;
  Object object(node);
  object.Read("prefix", &Node::AsString, &rule.prefix);
  object.Read("layout", &Node::AsString, &rule.layout);
  object.Read("types", &Node::AsElementTypes, &rule.types);
  if (const auto words = object.Required("kernels")) rule.kernels = ReadWords(*words);
  if (const auto words = object.Required("channels")) rule.channels = ReadWords(*words);
  if (const auto words = object.Required("strides")) rule.strides = ReadWords(*words);
  if (const auto words = object.Required("paddings")) rule.paddings = ReadWords(*words);
  object.Read("clause", &Node::AsString, &rule.clause);
  return rule;
}

Function Specialize(const Rule& rule, poolproof_element_type type, const Node& node,
                    std::initializer_list<std::string_view> words) {
  Function function;
  function.name = rule.prefix + "_" + std::string(ElementTypeName(type));
  function.generic = function.name + "_generic";
  function.types = {type};
  function.layout = rule.layout;
  function.required = false;
  function.clause = rule.clause;
  const auto word = words.begin();
  if (!ApplyKernel(word[0], &function) || !ApplyCount(word[1], "ch", &function.channels) ||
      !ApplyCount(word[2], "str", &function.stride) || !ApplyPadding(word[3], &function)) {
    node.Fail("a word is not of the form k2x3, ch1, str1, nopad or krnpad");
  }
  for (std::string_view part : words) {
    if (!part.empty()) function.name.append("_").append(part);
  }
  return function;
}

}  // namespace

std::vector<Function> ReadSpecializations(const Node& node) {
  const Rule rule = ReadRule(node);
  std::vector<Function> functions;
  for (poolproof_element_type type : rule.types) {
    for (const std::string& kernel : rule.kernels) {
      for (const std::string& channels : rule.channels) {
        for (const std::string& stride : rule.strides) {
          for (const std::string& padding : rule.paddings) {
            functions.push_back(Specialize(rule, type, node, {kernel, channels, stride, padding}));
          }
        }
      }
    }
  }
  return functions;
}

}  // namespace poolproof::read
