// Lists, counts and the digest of the cases of a run, for its finished results file; collected in plan order.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/cases/digest.h"
#include "conformance/format/alike.h"
#include "conformance/format/case_counts.h"
#include "conformance/format/presence.h"
#include "conformance/results/record.h"

namespace poolproof {

// Over place, id and verdict of cases in plan order.
class CasesDigest {
 public:
  void Add(uint64_t n, std::string_view id, Verdict verdict);
  // 32 hexadecimal digits.
  std::string Text() const { return digest_->Hex(); }

 private:
  std::unique_ptr<Digest> digest_ = std::make_unique<Digest>();
};

class CaseLists {
 public:
  // Whether the case of an id has a line whatever becomes of it.
  using IsListed = std::function<bool(std::string_view id)>;

  CaseLists() = default;
  CaseLists(const Json& header, IsListed is_listed) : counts_(header), is_listed_(std::move(is_listed)) {}

  void Add(const Record& record);
  // A case that passes and proves nothing.
  void AddPlainPass(const CaseLine& line);

  // Places of the cases that have a line: those that do not conform, have a name of their own (examples, invalid
  // calls), or of which more is known than a list says.
  const std::vector<uint64_t>& listed() const { return listed_; }
  const CaseCounts& counts() const { return counts_; }   // of all others
  const CasesDigest& digest() const { return digest_; }  // of all cases
  Presence Operators() const;                            // of all cases
  // Lines of the cases that are alike, and their newlines.
  std::string AlikeLines() const;

 private:
  // Cases that are alike. Places and answers are parallel; answers that are missing at the end are 0.
  struct Class {
    Verdict verdict = Verdict::kPass;
    std::string op, message, example;
    ReadingNames readings;
    std::vector<uint64_t> places;
    std::map<reference::Entry, std::vector<uint32_t>> answers;
  };

  // Whether a list says all that is known of a case; `key` is then the same for cases that are alike.
  static bool IsAlike(const Record& record, std::string* key);
  void CountFunction(std::string_view function, std::string_view section, Verdict verdict);
  // False where there are too many classes.
  bool AddToClass(const std::string& key, const Record& record);

  CaseCounts counts_;
  IsListed is_listed_;
  std::map<std::string, OperatorCounts, std::less<>> by_function_;
  std::vector<uint64_t> listed_;
  std::vector<Class> classes_;  // in the order of their first cases
  std::unordered_map<std::string, size_t> by_key_;
  CasesDigest digest_;
};

}  // namespace poolproof
