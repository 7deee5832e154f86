// The one strict reader of results.jsonl (FORMAT.md), for reports and for the runner. It takes a file
// one line at a time, so that memory does not grow with it, and refuses with one sentence that names
// file, line and value whatever a run does not write: a header that is not first or not alone, cases
// out of order, counts that differ, groups before cases, anything after the footer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "conformance/format/alike.h"
#include "conformance/format/case_counts.h"
#include "conformance/format/case_line.h"
#include "conformance/format/line_file.h"
#include "conformance/format/strict_json.h"
#include "conformance/format/verdict.h"

namespace poolproof {

// How many cases a file stands for, where not all of them have a line.
struct PlannedLine {
  uint64_t cases = 0;
  std::string digest;  // over place, id and verdict of each

  static constexpr char kWhat[] = "the line of what was planned";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& p, Keys&& keys) {
    return keys("planned", p.cases, Need::kRequired) && keys("digest", p.digest, Need::kRequired);
  }
};

// The order of lines and what each has to hold. Knows nothing of files, nor of the plan.
class ResultsGrammar {
 public:
  enum class Item : uint8_t { kHeader, kPlanned, kAlike, kCase, kGroup, kCounted, kFooter, kRefused };

  // Takes the next line, without its newline. kRefused: `error` has the reason without place and
  // full stop, and no further line may be given.
  Item Take(std::string_view line, Error* error);
  // After the last line of a complete file.
  bool Finish(Error* error) const;

  // The last line that was taken.
  const CaseLine& current() const { return case_; }
  Json& value() { return value_; }  // its object, or what the footer holds
  AlikeLine& alike() { return alike_; }
  const CountedLine& counted() const { return counted_; }

  // Nothing in a file that has a line for each case.
  const std::optional<PlannedLine>& planned() const { return planned_; }
  // Counts the cases that have a line; after the footer, all.
  const VerdictCounts& counts() const { return counts_; }

 private:
  struct GroupSeen {
    uint64_t cases = 0;
    Verdict verdict = Verdict::kPass;
  };
  // Lines come in the order of these.
  enum class Part : uint8_t { kNothing, kHeader, kPlanned, kAlike, kCases, kGroups, kCounted, kFooter };

  Item Dispatch(Error* error);
  Item Header(Error* error);
  Item Planned(Error* error);
  Item Alike(Error* error);
  Item OneCase(Error* error);
  Item Group(Error* error);
  Item Counted(Error* error);
  Item Footer(Error* error);
  bool Enter(Part part, const char* what, Error* error);
  bool CheckOrder(Error* error);
  bool CheckAlike(uint64_t end, Error* error);
  bool CheckGroupOfCase(Error* error);
  bool CheckUnlisted(Error* error);
  bool CheckCounts(const Json& footer, Error* error) const;
  bool CheckConforms(const Json& footer, Error* error) const;

  Part part_ = Part::kNothing;
  uint64_t groups_ = 0, uncovered_ = 0;
  std::optional<uint64_t> last_;            // place of the last case
  std::optional<uint64_t> last_alike_;      // that was compared with it
  std::map<uint64_t, GroupSeen> of_cases_;  // by number
  std::unordered_set<std::string> fixed_ids_;
  std::optional<PlannedLine> planned_;
  AlikeCases alike_cases_;
  VerdictCounts counts_, alike_counts_, counted_counts_;
  CaseLine case_;
  AlikeLine alike_;
  CountedLine counted_;
  Json value_;
};

// A file and its grammar.
class ResultsReader {
 public:
  enum class Item : uint8_t { kHeader, kPlanned, kAlike, kCase, kGroup, kCounted, kFooter, kRefused, kEnd };

  // The first item has to be asked for with Next. On failure one sentence.
  bool Open(const std::string& path, Error* error) { return file_.Open(path, error); }
  Item Next(Error* error);

  ResultsGrammar& grammar() { return grammar_; }
  const CaseLine& current() const { return grammar_.current(); }
  Json& value() { return grammar_.value(); }
  const std::string& path() const { return file_.path(); }
  // A sentence about the line that was read last.
  std::string Sentence(const std::string& what) const;

 private:
  LineFile file_;
  ResultsGrammar grammar_;
};

class ResultsHandler {
 public:
  virtual ~ResultsHandler() = default;
  virtual void OnHeader(Json) {}
  virtual void OnAlike(const AlikeLine&) {}
  virtual void OnCase(const CaseLine&) {}
  virtual void OnGroup(Json) {}
  virtual void OnCounted(const CountedLine&) {}
  virtual void OnFooter(Json) {}  // the object inside "footer"
};

// Hands each line of a complete file to `handler`. On failure false, with one sentence in `error`.
bool ReadResults(const std::string& path, ResultsHandler* handler, Error* error);

// Hands each case of a complete file to `take`, also those that have no line. On failure false, and one sentence.
using EachCase =
    std::function<bool(const std::string& path, const std::function<void(const CaseLine&)>& take, Error* error)>;
// For files that have a line for each case; others are refused.
bool EachListedCase(const std::string& path, const std::function<void(const CaseLine&)>& take, Error* error);

// Members of objects whose types are not checked. Str: "" where absent, JSON text where not a
// string. Int, Real: 0 where no number.
std::string StringOr(const Json& object, const char* key);
int64_t IntOr(const Json& object, const char* key);
double NumberOr(const Json& object, const char* key);
bool BoolOr(const Json& object, const char* key);
// An empty object or array where absent or of another type.
const Json& ObjectOr(const Json& object, const char* key);
const Json& ArrayOr(const Json& object, const char* key);
// The strings (or other values, as text) and the numbers of an array.
std::vector<std::string> StringsOf(const Json& object, const char* key);
std::vector<int64_t> IntsOf(const Json& object, const char* key);
std::string AsText(const Json& value);
// As JSON, for a sentence: on one line and no longer than `limit`.
std::string ShortenedJson(const Json& value, size_t limit = 60);

}  // namespace poolproof
