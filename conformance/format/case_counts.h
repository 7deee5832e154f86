// Counts of cases by operator, section, element type and attribute value, for reports.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/format/keys.h"

namespace poolproof {

inline VerdictCounts& operator+=(VerdictCounts& counts, const VerdictCounts& more) {
  for (size_t i = 0; i < kVerdictCount; ++i) counts.n[i] += more.n[i];
  return counts;
}

// All but what the backend does not support.
inline uint64_t Judged(const VerdictCounts& counts) { return counts.Total() - counts[Verdict::kUnsupported]; }
// Whether too few cases are judged to speak for an operator: fewer than have each value of each attribute.
inline bool JudgedAreFew(const VerdictCounts& counts) {
  return Judged(counts) < std::min<uint64_t>(counts.Total(), 1000);
}

// One value of an attribute, or one range of values, over all cases of an operator.
struct ValueCounts {
  std::string value;
  VerdictCounts counts;
};

struct AttributeCounts {
  std::string name, key;
  bool is_word = false;
  std::vector<ValueCounts> values;
};

// The attributes of one operator of the header, with all values at zero.
std::vector<AttributeCounts> EmptyAttributes(const Json& header_operator);
// Counts one case under the attribute values that its problem line names.
void CountAttributes(std::string_view line, Verdict verdict, std::vector<AttributeCounts>* attributes);

// The operator of the header that a name belongs to: itself, or, of a specialization, the longest name that its own
// begins with; names.size() where there is none.
size_t ListedOperator(const std::vector<std::string>& names, std::string_view name);
// The name under which reports count a specialization of an operator.
inline std::string SpecializationsOf(const std::string& op) { return op + "_*"; }
// The name under which reports count an operator: its own, or that of all specializations of a listed one.
std::string ReportedName(const std::vector<std::string>& listed, std::string_view op);

// A line of the counts of all cases of one operator that have no line of their own.
struct CountedLine {
  using ByTwo = std::map<std::string, std::map<std::string, VerdictCounts>>;
  std::string op;    // of the header, specializations of it ("name_*"), or another one
  ByTwo parts;       // section, type
  ByTwo attributes;  // name of the attribute, value

  static constexpr char kWhat[] = "counts";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& c, Keys&& keys) {
    return keys("counted", c.op, Need::kRequired) && keys("parts", c.parts, Need::kRequired) &&
           keys("attributes", c.attributes, Need::kRequired);
  }
};

class CaseCounts {
 public:
  CaseCounts() = default;
  // Counts the operators that a header lists, and others as they come.
  explicit CaseCounts(const Json& header);

  void Add(std::string_view op, std::string_view type, std::string_view section, Verdict verdict,
           std::string_view line);
  // Whether a case of an operator and a type has an answer; nothing where there is no case.
  std::optional<bool> HasAnswer(const std::string& op, const std::string& type) const;
  // Operators that the header lists.
  const std::vector<std::string>& listed() const { return listed_; }
  // The lines of all operators, in the order of the header, then as they came.
  std::string Lines() const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // One operator or specialization; there may be hundreds.
  struct Function {
    size_t reported = 0;
    using ByType = std::map<std::string, VerdictCounts, std::less<>>;
    std::map<std::string, ByType, std::less<>> parts;  // by section
  };
  struct Reported {
    std::string op;
    std::vector<AttributeCounts> attributes;
  };

  Function& Find(std::string_view op);

  std::vector<std::string> listed_;
  std::vector<Reported> reported_;  // the listed ones first
  std::unordered_map<std::string, Function, Hash, std::equal_to<>> functions_;
};

}  // namespace poolproof
