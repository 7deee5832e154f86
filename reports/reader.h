// Reads results.jsonl (FORMAT.md), one line at a time, so that memory does not grow with the file.
#ifndef POOLPROOF_REPORTS_READER_H_
#define POOLPROOF_REPORTS_READER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "reports/verdict.h"

namespace poolproof::reports {

using Json = nlohmann::ordered_json;

// One case. Text is valid UTF-8 but otherwise as the file has it: escape it before showing it.
struct Case {
  std::string id, line, section, message, with;
  std::string_view op, type;  // first two words of `line`
  Verdict verdict = Verdict::kPass;
  int64_t group = 0;                            // 0: none
  std::map<std::string, std::string> deviates;  // ledger entry -> reading
  bool baselined = false;
  std::string baseline_expected, baseline_reason, baseline_status;
};

class ResultsHandler {
 public:
  virtual ~ResultsHandler() = default;
  virtual void OnHeader(Json) {}
  virtual void OnCase(const Case&) {}
  virtual void OnGroup(Json) {}
  virtual void OnFooter(Json) {}  // the object inside "footer"
};

// Hands each line of `path` to `handler`. On failure false, with one sentence in `error` that names
// file, line and value: no header, another format version, a broken line, a verdict that does not
// exist, a missing footer, counts of the footer that differ from the cases.
bool ReadResults(const std::string& path, ResultsHandler* handler, std::string* error);

// Members of objects whose types nobody has checked. Str: "" where absent, JSON text where not a
// string. Int, Real: 0 where no number.
std::string Str(const Json& object, const char* key);
int64_t Int(const Json& object, const char* key);
double Real(const Json& object, const char* key);
bool Bool(const Json& object, const char* key);
// An empty object or array where absent or of another type.
const Json& Object(const Json& object, const char* key);
const Json& Array(const Json& object, const char* key);
// The strings (or other values, as text) and the numbers of an array.
std::vector<std::string> Strings(const Json& object, const char* key);
std::vector<int64_t> Ints(const Json& object, const char* key);
std::string AsText(const Json& value);

}  // namespace poolproof::reports

#endif  // POOLPROOF_REPORTS_READER_H_
