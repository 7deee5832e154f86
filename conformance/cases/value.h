// Looks up, changes and prints the JSON of specs before it is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/digest.h"
#include "conformance/format/strict_json.h"

namespace poolproof::json {

// The elements of an array.
using Items = std::vector<Json>;

// The value of `key`; nullptr where `object` is no object, or has no such key.
const Json* Find(const Json& object, std::string_view key);
Json* Find(Json* object, std::string_view key);
// The string that belongs to `key`; empty where there is none.
std::string_view TextOf(const Json& object, std::string_view key);
// The elements of the array that belongs to `key`; none where there is none.
const Items& ItemsOf(const Json& object, std::string_view key);
// The elements of `array`, which is one.
Items& ItemsIn(Json* array);

// Sets the value of `key`, at its place where the object has the key, or else at the end.
void Set(Json* object, std::string_view key, Json value);
void Erase(Json* object, std::string_view key);
// The step of a JSON pointer that leads to `key`: "/a~1b".
std::string PointerStep(std::string_view key);

// The name that tells an entry of a list from the others: its "id", "name" or "rule", or itself where it is a
// string. Empty where it has none.
std::string_view KeyOf(const Json& entry);
// The position of the entry of this key; entries.size() where there is none.
size_t PlaceOf(const Items& entries, std::string_view key);

// Text of the value, laid out as the spec files are: what fits stands on one line of 100 columns. The order of keys is
// the same for every object, whatever order it was written in.
std::string Print(const Json& value);

// Adds the value to a digest. The order of keys makes no difference, as in Print, which takes ten times as long.
void AddTo(Digest* digest, const Json& value);

}  // namespace poolproof::json
