// A case as it stands in a results file (FORMAT.md): one declaration of its keys reads and writes it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/format/error.h"
#include "conformance/format/keys.h"

namespace poolproof {

using ReadingNames = std::map<std::string, std::string>;  // ledger entry -> names of readings, with | between them
using RoundingAnswers = std::map<std::string, uint32_t>;  // ledger entry -> answers, as bits

// One way to explain a result.
struct ExplanationLine {
  ReadingNames readings;
  RoundingAnswers rounds;
  ReadingNames deviates;

  bool operator==(const ExplanationLine&) const = default;
  static constexpr char kWhat[] = "an explanation";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& e, Keys&& keys) {
    return keys("readings", e.readings, Need::kRequired) && keys("rounds", e.rounds, Need::kRequired) &&
           keys("deviates", e.deviates, Need::kRequired);
  }
};

// The entry of the baseline that concerns a case.
struct BaselineNote {
  std::string expected, reason, status;

  static constexpr char kWhat[] = "a baseline";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& b, Keys&& keys) {
    return keys("expected", b.expected, Need::kRequired) && keys("reason", b.reason, Need::kRequired) &&
           keys("status", b.status, Need::kRequired);
  }
};

// Text is valid UTF-8 but otherwise as the file has it: escape it before showing it.
struct CaseLine {
  uint64_t n = 0;  // place in the plan
  std::string id;
  std::string line;  // the id where the file has none
  std::string section;
  Verdict verdict = Verdict::kPass;
  ExplanationLine explained;  // of verdict `deviates` or a pass
  std::vector<ExplanationLine> explanations;
  double ulp = 0;
  std::string message, with, answer;
  std::vector<std::string> matches;
  std::string signature;
  uint64_t elements = 0;
  uint64_t group = 0;  // 0: none
  std::optional<BaselineNote> baseline;
  // Nothing is known but place, id, line, section and that the case passes.
  bool plain = false;

  // Operator and element type, the first two words of the problem line.
  std::string_view op() const;
  std::string_view type() const;

  static constexpr char kWhat[] = "a case";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& c, Keys&& keys) {
    constexpr Need kRequired = Need::kRequired, kOptional = Need::kOptional;
    return keys("n", c.n, kRequired) && keys("id", c.id, kRequired) &&
           keys("line", c.line, c.line == c.id ? Need::kImplied : kOptional) && keys("section", c.section, kRequired) &&
           keys("verdict", c.verdict, kRequired) && keys("readings", c.explained.readings, kOptional) &&
           keys("rounds", c.explained.rounds, kOptional) && keys("deviates", c.explained.deviates, kOptional) &&
           keys("explanations", c.explanations, kOptional) && keys("ulp", c.ulp, kOptional) &&
           keys("message", c.message, kOptional) && keys("with", c.with, kOptional) &&
           keys("answer", c.answer, kOptional) && keys("matches", c.matches, kOptional) &&
           keys("signature", c.signature, kOptional) && keys("elements", c.elements, kOptional) &&
           keys("group", c.group, kOptional) && keys("baseline", c.baseline, kOptional);
  }
};

// Fills a case from the object of its line. On failure false, and a reason without place and full stop.
bool ReadCaseLine(const Json& value, CaseLine* c, Error* error);
// Reads a line that has no other members than those of a plain pass, without a library; false where it has.
bool ReadPlainLine(std::string_view line, CaseLine* c);

}  // namespace poolproof
