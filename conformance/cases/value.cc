#include "conformance/cases/value.h"

#include <algorithm>
#include <utility>

#include "conformance/cases/node.h"

namespace poolproof::json {
namespace {

constexpr size_t kColumns = 100;

// The order in which keys are printed; others stand behind them, by name.
constexpr std::string_view kOrder =
    " id name rule key title version link document type role attribute touches example variant operators layout"
    " clause value_clause description statement line printed_line lines exercised_by documents clauses functions"
    " specializations min_rank max_rank kernel_within_input pad_below_kernel pad_within_half inputs outputs"
    " printed_outputs attributes ledger examples invalid_calls ";

// The elements of an array or object with their keys, which an array does not have, in the order of printing.
std::vector<std::pair<std::string, const Json*>> Ordered(const Json& value) {
  std::vector<std::pair<std::string, const Json*>> order;
  for (const auto& [key, item] : value.items()) order.emplace_back(value.is_object() ? key : "", &item);
  const auto rank = [](const auto& entry) { return std::pair(kOrder.find(" " + entry.first + " "), entry.first); };
  if (value.is_object()) {
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  }
  return order;
}

// On one line where `indent` is not set.
std::string PrintAt(const Json& value, const size_t* indent) {
  if (!value.is_structured()) return Describe(value);
  const bool object = value.is_object();
  const size_t inner = indent == nullptr ? 0 : *indent + 2;
  const std::string line_break = indent == nullptr ? "" : "\n" + std::string(inner, ' ');
  std::string text = object ? "{" : "[";
  for (const auto& [name, element] : Ordered(value)) {
    if (text.size() > 1) text += indent == nullptr ? ", " : ",";
    const std::string key = object ? JsonQuoted(name) + ": " : "";
    std::string item = PrintAt(*element, nullptr);
    if (indent != nullptr && inner + key.size() + item.size() >= kColumns) item = PrintAt(*element, &inner);
    text.append(line_break).append(key).append(item);
  }
  if (indent != nullptr && !value.empty()) text += "\n" + std::string(*indent, ' ');
  return text + (object ? "}" : "]");
}

}  // namespace

const Json* Find(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

Json* Find(Json* object, std::string_view key) { return const_cast<Json*>(Find(std::as_const(*object), key)); }

std::string_view TextOf(const Json& object, std::string_view key) {
  const Json* value = Find(object, key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_ref<const std::string&>()) : "";
}

const Items& ItemsOf(const Json& object, std::string_view key) {
  static const Items none;
  const Json* value = Find(object, key);
  return value != nullptr && value->is_array() ? value->get_ref<const Items&>() : none;
}

Items& ItemsIn(Json* array) { return array->get_ref<Items&>(); }

void Set(Json* object, std::string_view key, Json value) { (*object)[std::string(key)] = std::move(value); }

void Erase(Json* object, std::string_view key) {
  if (object->is_object()) object->erase(std::string(key));
}

std::string PointerStep(std::string_view key) { return (Json::json_pointer() / std::string(key)).to_string(); }

std::string_view KeyOf(const Json& entry) {
  if (entry.is_string()) return entry.get_ref<const std::string&>();
  for (const std::string_view key : {"id", "name", "rule"}) {
    if (Find(entry, key) != nullptr) return TextOf(entry, key);
  }
  return "";
}

size_t PlaceOf(const Items& entries, std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Json& entry) { return !key.empty() && KeyOf(entry) == key; });
  return static_cast<size_t>(found - entries.begin());
}

std::string Print(const Json& value) {
  const size_t indent = 0;
  return PrintAt(value, &indent);
}

void AddTo(Digest* digest, const Json& value) {
  // Sizes in front, so that no two values add the same bytes.
  const size_t head[] = {static_cast<size_t>(value.type()), value.size()};
  digest->Add(head, sizeof head);
  if (value.is_object()) {
    std::vector<std::pair<std::string_view, const Json*>> order;
    for (const auto& [key, item] : value.get_ref<const Json::object_t&>()) order.emplace_back(key, &item);
    std::ranges::sort(order, {}, &decltype(order)::value_type::first);
    for (const auto& [key, item] : order) {
      const size_t size = key.size();
      digest->Add(&size, sizeof size).Add(key);
      AddTo(digest, *item);
    }
  } else if (value.is_array()) {
    for (const Json& item : value) AddTo(digest, item);
  } else {
    const std::string text = value.dump();
    const size_t size = text.size();
    digest->Add(&size, sizeof size).Add(text);
  }
}

}  // namespace poolproof::json
