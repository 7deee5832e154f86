// Derives what follows from the facts of an operator, by the templates of specs/derived.json: the clauses and invalid
// calls about the range, length, words, default and presence of its attributes, the clauses of its examples, and whole
// problem lines.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/node.h"
#include "conformance/cases/value.h"

namespace poolproof::family {

// An entry with placeholders such as "{name}", and the facts that it follows from.
struct Template {
  std::vector<std::pair<std::string, json::Items>> when;  // key, values of which the fact has one
  std::vector<std::string> has, lacks;                    // keys
  std::string each;          // one entry per element of the list of this key; "{word}" is the element
  bool of_operator = false;  // follows from the first function, not from an attribute
  Json entry;
};

struct Rules {
  std::vector<std::pair<std::string, std::string>> plain;  // a valid call: word of a problem line or role, value
  std::vector<Template> clauses;
  std::vector<std::pair<std::string, Template>> examples;  // by the word before the number of the id: "layer"
  std::vector<std::vector<Template>> invalid_calls;        // group after group, each for every attribute
};

// The top level of derived.json.
Rules ReadRules(const Node& node);

// Returns an operator file in its expanded form: with all that follows, and every list in its order. A stated key wins
// over a derived one. `error` has the name of the file; an entry that cannot be placed is reported there.
Json Derive(Json spec, const Rules& rules, FirstError* error);

}  // namespace poolproof::family
