// The one strict reader of results.jsonl (FORMAT.md), for reports and for the runner. It takes a file
// one line at a time, so that memory does not grow with it, and refuses with one sentence that names
// file, line and value whatever a run does not write: a header that is not first or not alone, cases
// out of order, counts that differ, groups before cases, anything after the footer.
#ifndef POOLPROOF_CONFORMANCE_FORMAT_READER_H_
#define POOLPROOF_CONFORMANCE_FORMAT_READER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "conformance/format/line_file.h"
#include "conformance/format/strict_json.h"
#include "conformance/format/verdict.h"

namespace poolproof {

// One case. Text is valid UTF-8 but otherwise as the file has it: escape it before showing it.
struct CaseLine {
  uint64_t n = 0;  // place in the plan
  std::string id, line, section, message, with;
  std::string_view op, type;  // first two words of `line`
  Verdict verdict = Verdict::kPass;
  uint64_t group = 0;                           // 0: none
  std::map<std::string, std::string> deviates;  // ledger entry -> reading
  bool baselined = false;
  std::string baseline_expected, baseline_reason, baseline_status;
  // The line says nothing but place, id, line, section and that the case passes.
  bool plain = false;
};

// The cases that a file has to hold, from whoever can make its plan again.
class PlannedCases {
 public:
  virtual ~PlannedCases() = default;
  // The next one, in order of `n`; false at the end.
  virtual bool Next(uint64_t* n, std::string_view* id) = 0;
};

// What lines may follow which, and what each has to hold. Knows nothing of files.
class ResultsGrammar {
 public:
  enum class Item : uint8_t { kHeader, kCase, kGroup, kFooter, kRefused };

  // Takes the next line, without its newline. kRefused: `error` has the reason without place and
  // full stop, and no further line may be given.
  Item Take(std::string_view line, std::string* error);
  // After the last line of a complete file.
  bool Finish(std::string* error) const;

  // From now on the cases have to be just these. Call after the header was taken; the plan has to
  // outlive the grammar.
  void Expect(PlannedCases* planned) { planned_ = planned; }

  // Of the last line that was taken.
  const CaseLine& current() const { return case_; }
  Json& value() { return value_; }  // header, group, or what the footer holds

  const VerdictCounts& counts() const { return counts_; }

 private:
  struct GroupSeen {
    uint64_t cases = 0;
    Verdict verdict = Verdict::kPass;
  };

  Item Header(std::string* error);
  Item OneCase(std::string* error);
  Item PlainCase(std::string* error);
  Item Group(std::string* error);
  Item Footer(std::string* error);
  bool CheckOrder(std::string* error);
  bool CheckPlanned(std::string* error);
  bool CheckGroupOfCase(std::string* error);
  bool CheckCounts(const Json& footer, std::string* error) const;
  bool CheckConforms(const Json& footer, std::string* error) const;
  bool CheckPlanEnd(const Json& footer, std::string* error);
  bool ReadPlain(std::string_view line);
  bool FillCase(std::string* error);

  bool header_ = false, footer_ = false;
  uint64_t groups_ = 0, uncovered_ = 0;
  std::optional<uint64_t> last_;            // place of the last case
  std::map<uint64_t, GroupSeen> of_cases_;  // by number
  std::unordered_set<std::string> fixed_ids_;
  VerdictCounts counts_;
  PlannedCases* planned_ = nullptr;
  CaseLine case_;
  Json value_;
};

// A file and its grammar.
class ResultsReader {
 public:
  enum class Item : uint8_t { kHeader, kCase, kGroup, kFooter, kEnd, kRefused };

  // The first item has to be asked for with Next. On failure one sentence.
  bool Open(const std::string& path, std::string* error) { return file_.Open(path, error); }
  Item Next(std::string* error);

  ResultsGrammar& grammar() { return grammar_; }
  const CaseLine& current() const { return grammar_.current(); }
  Json& value() { return grammar_.value(); }
  std::string_view line() const { return line_; }  // as it stands in the file
  // A sentence about the line that was read last.
  std::string Sentence(const std::string& what) const;

 private:
  LineFile file_;
  ResultsGrammar grammar_;
  std::string_view line_;
};

class ResultsHandler {
 public:
  virtual ~ResultsHandler() = default;
  virtual void OnHeader(Json) {}
  virtual void OnCase(const CaseLine&) {}
  virtual void OnGroup(Json) {}
  virtual void OnFooter(Json) {}  // the object inside "footer"
};

// Hands each line of a complete file to `handler`. On failure false, with one sentence in `error`.
bool ReadResults(const std::string& path, ResultsHandler* handler, std::string* error);

// Members of objects whose types nobody has checked. Str: "" where absent, JSON text where not a
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

#endif  // POOLPROOF_CONFORMANCE_FORMAT_READER_H_
