#include "conformance/cases/read.h"

namespace poolproof::read {
namespace {

// Words that are an integer or a boolean in the call.
constexpr char kIntWord[] = "int word", kBoolWord[] = "bool word";

AttributeType ReadType(const Node& node) {
  return node.AsChoice<AttributeType>({{"int", AttributeType::kInt},
                                       {"int list", AttributeType::kIntList},
                                       {"bool", AttributeType::kBool},
                                       {"word", AttributeType::kWord},
                                       {kIntWord, AttributeType::kWord},
                                       {kBoolWord, AttributeType::kWord}});
}

Role ReadRole(const Node& node) {
  return node.AsChoice<Role>({{"kernel", Role::kKernel},
                              {"stride", Role::kStride},
                              {"dilation", Role::kDilation},
                              {"pad-begin", Role::kPadBegin},
                              {"pad-end", Role::kPadEnd},
                              {"pad-both", Role::kPadBoth},
                              {"rounding", Role::kRounding},
                              {"auto-pad", Role::kAutoPad},
                              {"excludes-padding", Role::kExcludePad},
                              {"index-type", Role::kIndexType},
                              {"axis", Role::kAxis},
                              {"storage-order", Role::kStorageOrder},
                              {"power", Role::kPower},
                              {"divisor", Role::kDivisor}});
}

Meaning ReadMeaning(const Node& node) { return node.AsChoice<Meaning>(std::span(kMeaningNames)); }

// Whether each word of the attribute has a meaning.
bool HasMeanings(const AttributeSpec& attribute) {
  switch (attribute.role) {
    case Role::kRounding:
    case Role::kAutoPad:
    case Role::kStorageOrder: return true;
    case Role::kExcludePad: return attribute.type == AttributeType::kWord;
    default: return false;
  }
}

void ReadMeanings(Object& object, AttributeSpec* attribute) {
  if (!HasMeanings(*attribute)) return;
  const auto node = object.Required("meanings");
  if (!node) return;
  Object meanings(*node);
  for (const std::string& word : attribute->words) {
    if (const auto meaning = meanings.Required(word)) attribute->meanings.push_back(ReadMeaning(*meaning));
  }
}

// The default is of the attribute's own type; an int list has one number for all its entries.
void ReadDefault(const Node& node, AttributeSpec* attribute) {
  switch (attribute->type) {
    case AttributeType::kInt:
    case AttributeType::kIntList: attribute->default_integer = node.AsInteger(); break;
    case AttributeType::kBool: attribute->default_integer = node.AsBool() ? 1 : 0; break;
    case AttributeType::kWord: attribute->default_word = node.AsString(); break;
  }
}

}  // namespace

AttributeSpec ReadAttribute(const Node& node) {
  AttributeSpec attribute;
  Object object(node);
  object.Read("name", &Node::AsString, &attribute.name);
  object.ReadOptional("part_of", &Node::AsString, &attribute.part_of);
  object.Read("key", &Node::AsString, &attribute.key);
  if (const auto type = object.Required("type")) {
    attribute.type = ReadType(*type);
    if (type->AsString() == kIntWord) attribute.call_kind = POOLPROOF_INT;
    if (type->AsString() == kBoolWord) attribute.call_kind = POOLPROOF_BOOL;
  }
  if (const auto role = object.Required("role")) attribute.role = ReadRole(*role);
  object.ReadOptional("spatial_axis", &Node::AsSmallInteger, &attribute.spatial_axis);
  object.Read("required", &Node::AsBool, &attribute.required);
  object.ReadOptional("required_unless", &Node::AsString, &attribute.required_unless);
  object.ReadOptional("min", &Node::AsInteger, &attribute.min);
  object.ReadOptional("max", &Node::AsInteger, &attribute.max);
  object.ReadOptional("range_is_rank", &Node::AsBool, &attribute.range_is_rank);
  object.ReadOptional("valid_min", &Node::AsInteger, &attribute.valid_min);
  object.ReadOptional("keeps_sign", &Node::AsBool, &attribute.keeps_sign);
  object.ReadOptional("least_axes", &Node::AsSmallInteger, &attribute.least_axes);
  object.ReadOptional("words", &Node::AsStrings, &attribute.words);
  ReadMeanings(object, &attribute);
  if (const auto value = object.Optional("default")) ReadDefault(*value, &attribute);
  object.ReadOptional("default_is_kernel", &Node::AsBool, &attribute.default_is_kernel);
  object.ReadOptional("boundaries", &Node::AsIntegers, &attribute.boundaries);
  object.Read("clause", &Node::AsString, &attribute.clause);
  if (attribute.type == AttributeType::kWord && attribute.words.empty()) {
    node.Fail("an attribute of type \"word\" needs \"words\"");
  }
  return attribute;
}

}  // namespace poolproof::read
