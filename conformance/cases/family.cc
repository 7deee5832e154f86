#include "conformance/cases/family.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace poolproof::family {
namespace {

using json::Erase;
using json::Find;
using json::Items;
using json::ItemsIn;
using json::KeyOf;
using json::PlaceOf;
using json::TextOf;

using Names = std::vector<std::pair<std::string, std::string>>;

// Calls change(node, key, place of that key) for each entry of a list of differences.
template <typename Change>
void ForEachEntry(const std::optional<Node>& list, const Items& entries, const Change& change) {
  if (!list) return;
  list->AsList<bool>([&](const Node& node) {
    const std::string_view key = KeyOf(node.value());
    change(node, key, PlaceOf(entries, key));
    return true;
  });
}

void Remove(const std::optional<Node>& list, Items* entries) {
  ForEachEntry(list, *entries, [&](const Node& node, std::string_view key, size_t place) {
    if (place == entries->size()) return node.Fail("there is no " + JsonQuoted(key) + " to remove");
    entries->erase(entries->begin() + static_cast<ptrdiff_t>(place));
  });
}

void Change(const std::optional<Node>& list, Items* entries) {
  ForEachEntry(list, *entries, [&](const Node& node, std::string_view key, size_t place) {
    if (place == entries->size()) return node.Fail("there is no " + JsonQuoted(key) + " to change");
    (*entries)[place] = Merge((*entries)[place], node);
  });
}

// An entry without "after" stands behind the one that was added before it, where that one has an "after".
void Add(const std::optional<Node>& list, Items* entries) {
  std::string previous;
  ForEachEntry(list, *entries, [&](const Node& node, std::string_view key, size_t place) {
    if (place != entries->size()) return node.Fail("there is a " + JsonQuoted(key) + " already; \"change\" changes it");
    Json entry = node.value();
    if (!previous.empty() && Find(entry, "after") == nullptr) json::Set(&entry, "after", previous);
    previous = Find(entry, "after") == nullptr ? "" : key;
    entries->push_back(std::move(entry));
  });
}

Json ChangeList(const Json& base, const Node& patch) {
  Json list = base;
  Object object(patch);
  Remove(object.Optional("remove"), &ItemsIn(&list));
  Change(object.Optional("change"), &ItemsIn(&list));
  Add(object.Optional("add"), &ItemsIn(&list));
  return list;
}

Names ReadNames(const Node& node) {
  Names names;
  Object object(node);
  for (const auto& [from, to] : node.value().items()) {
    names.emplace_back(from, "");
    object.Read(from, &Node::AsString, &names.back().second);
  }
  return names;
}

// Replaces the longest of the beginnings that fit.
// Whether a word begins at `at`.
bool BeginsWord(std::string_view text, size_t at) {
  constexpr std::string_view kInside = "_-/";
  return at == 0 ||
         (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && kInside.find(text[at - 1]) == kInside.npos);
}

void Rename(const Names& names, Json* value) {
  if (value->is_structured()) {
    for (Json& item : *value) Rename(names, &item);
  }
  if (!value->is_string()) return;
  std::string& text = value->get_ref<std::string&>();
  for (size_t at = 0; at < text.size(); ++at) {
    if (!BeginsWord(text, at)) continue;
    const std::pair<std::string, std::string>* longest = nullptr;
    for (const auto& name : names) {
      if (text.compare(at, name.first.size(), name.first) != 0) continue;
      if (longest == nullptr || name.first.size() > longest->first.size()) longest = &name;
    }
    if (longest == nullptr) continue;
    text.replace(at, longest->first.size(), longest->second);
    at += longest->second.size();
  }
}

void InsertAfter(std::string_view after, Json entry, Items* entries, const ListPlace& place) {
  const size_t found = PlaceOf(*entries, after);
  if (found == entries->size() && !place.error->Found()) {
    place.error->error.message = place.error->file + ", " + place.pointer + ": " + JsonQuoted(KeyOf(entry)) +
                                 " is to stand after " + JsonQuoted(after) + ", and there is none above it";
  }
  const auto behind = static_cast<ptrdiff_t>(std::min(found + 1, entries->size()));
  entries->insert(entries->begin() + behind, std::move(entry));
}

// Changes a derived entry to what is stated of it.
void Override(Json stated, Items* entries, const ListPlace& place) {
  const size_t at = PlaceOf(*entries, KeyOf(stated));
  const std::string after(TextOf(stated, "after"));
  Erase(&stated, "after");
  FirstError error{place.error->file + ", " + place.pointer + json::PointerStep(KeyOf(stated)), {}};
  Json merged = Merge((*entries)[at], Node(stated, &error));
  if (error.Found() && !place.error->Found()) place.error->error = error.error;
  if (after.empty()) {
    (*entries)[at] = std::move(merged);
    return;
  }
  entries->erase(entries->begin() + static_cast<ptrdiff_t>(at));
  InsertAfter(after, std::move(merged), entries, place);
}

}  // namespace

std::optional<Node> At(const Node& node, std::string_view key) {
  Object object(node);
  if (node.value().is_object()) {
    for (const auto& [other, value] : node.value().items()) object.Optional(other);
  }
  return object.Optional(key);
}

Json Merge(const Json& base, const Node& patch) {
  const Json& value = patch.value();
  if (base.is_array() && value.is_object()) return ChangeList(base, patch);
  if (!base.is_object() || !value.is_object()) return value;
  Json merged = base;
  Object object(patch);
  for (const auto& [key, changed] : value.items()) {
    const std::optional<Node> node = object.Optional(key);
    const Json* old = Find(base, key);
    json::Set(&merged, key, old == nullptr ? node->value() : Merge(*old, *node));
  }
  return merged;
}

Json Extend(const Json& base, const Node& patch) {
  Json renamed = base;
  if (const std::optional<Node> names = At(patch, "rename")) Rename(ReadNames(*names), &renamed);
  Json extended = Merge(renamed, patch);
  Erase(&extended, "extends");
  Erase(&extended, "rename");
  return extended;
}

Items Arrange(const Items& stated, const Derived& derived, const ListPlace& place) {
  Items known = derived.entries;
  known.insert(known.end(), derived.last.begin(), derived.last.end());
  const auto is_derived = [&](const Json& entry) { return PlaceOf(known, KeyOf(entry)) < known.size(); };
  Items entries;
  for (const Json& entry : stated) {
    if (!is_derived(entry) && Find(entry, "after") == nullptr) entries.push_back(entry);
  }
  const size_t front = derived.before.empty() ? 0 : PlaceOf(entries, derived.before);
  entries.insert(entries.begin() + static_cast<ptrdiff_t>(front), derived.entries.begin(), derived.entries.end());
  entries.insert(entries.end(), derived.last.begin(), derived.last.end());
  for (Json entry : stated) {
    const std::string after(TextOf(entry, "after"));
    if (is_derived(entry)) {
      Override(std::move(entry), &entries, place);
    } else if (!after.empty()) {
      Erase(&entry, "after");
      InsertAfter(after, std::move(entry), &entries, place);
    }
  }
  return entries;
}

void ArrangeAll(Json* value, const ListPlace& place) {
  if (value == nullptr || !value->is_structured()) return;
  if (value->is_array() &&
      std::any_of(value->begin(), value->end(), [](const Json& entry) { return Find(entry, "after") != nullptr; })) {
    ItemsIn(value) = Arrange(ItemsIn(value), {}, place);
  }
  for (auto& [step, item] : value->items()) {
    ArrangeAll(&item, {place.error, place.pointer + json::PointerStep(step)});
  }
}

}  // namespace poolproof::family
