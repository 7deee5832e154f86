// Families of specs: a file says once what is common, and others, which extend it, say what differs.
//
// The differences have the shape of the file. An object holds the keys that differ. A list is given whole, or as an
// object with "remove" (keys of entries), "change" (entries with their key and what differs) and "add" (entries). The
// key of an entry is its "id", "name" or "rule".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/node.h"
#include "conformance/cases/value.h"

namespace poolproof::family {

// The value of `key`; nothing where there is none. Other keys may be there.
std::optional<Node> At(const Node& node, std::string_view key);

// `base` with the differences of `patch`. Mistakes in them are reported to the FirstError of `patch`.
Json Merge(const Json& base, const Node& patch);

// The same for what has a key "extends". Its "rename" says which beginnings of words of `base` are replaced.
Json Extend(const Json& base, const Node& patch);

// Where a list stands, to say what is wrong with it.
struct ListPlace {
  FirstError* error;
  std::string pointer;
};

// The entries of a list apart from those that are stated.
struct Derived {
  json::Items entries;
  json::Items last;    // entries that stand at the end
  std::string before;  // key of the stated entry that `entries` stand before; empty: at the front
};

// The entries in their order, without their keys "after". A stated entry of the key of a derived one changes that
// one, at its place. Any other stands behind the entry that its "after" names, or else behind the stated one above it.
json::Items Arrange(const json::Items& stated, const Derived& derived, const ListPlace& place);

// Arranges every list inside `value` that has an "after"; nothing where there is no value.
void ArrangeAll(Json* value, const ListPlace& place);

}  // namespace poolproof::family
