// The spec files, object by object. Each function reads one object of the format that
// specs/README.md describes; what is wrong ends up in the node's FirstError.
#pragma once

#include <string>
#include <vector>

#include "conformance/cases/node.h"
#include "conformance/cases/spec.h"

namespace poolproof::read {

// The top level of the four kinds of file. An operator file may hold the documents that define
// only this operator; their conditions apply to it unless they name operators.
struct OperatorFile {
  OperatorSpec spec;
  std::vector<Document> documents;
};
OperatorFile ReadOperatorFile(const Node& node);
std::vector<Document> ReadDocumentsFile(const Node& node);

// A file of the ledger. Of the entries that are shared with other files, `shared` has the id, and the clauses and
// profiles that this file adds.
struct LedgerFile {
  std::vector<LedgerEntry> entries, shared;
};
LedgerFile ReadLedgerFile(const Node& node);

std::vector<NetworkLayer> ReadNetworksFile(const Node& node);

Document ReadDocument(const Node& node);
AttributeSpec ReadAttribute(const Node& node);
Example ReadExample(const Node& node);
InvalidCall ReadInvalidCall(const Node& node);
// The functions that one rule of names stands for.
std::vector<Function> ReadSpecializations(const Node& node);

}  // namespace poolproof::read
