#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

using Item = ResultsGrammar::Item;

constexpr int64_t kFormat = 1;
constexpr size_t kMaxQuote = 80;  // bytes of a value that an error repeats

std::string Quote(std::string_view value) { return EscapeForTerminal(Shorten(value, kMaxQuote)); }

Item Refuse(std::string* error, std::string reason) {
  *error = std::move(reason);
  return Item::kRefused;
}

// A key that has to have a value of one kind, or may be absent.
struct Key {
  const char* name;
  bool (*fits)(const Json&);
  const char* kind;
  bool required;
};

bool IsText(const Json& value) { return value.is_string(); }
bool IsCount(const Json& value) { return value.is_number_unsigned(); }
bool IsNumber(const Json& value) { return value.is_number(); }
bool IsObject(const Json& value) { return value.is_object(); }
bool IsArray(const Json& value) { return value.is_array(); }
bool IsBool(const Json& value) { return value.is_boolean(); }

constexpr char kText[] = "text", kCount[] = "whole number", kNumber[] = "number", kObject[] = "object",
               kArray[] = "array", kBool[] = "true or false";

constexpr Key kCaseKeys[] = {{"n", IsCount, kCount, true},           {"id", IsText, kText, true},
                             {"section", IsText, kText, true},       {"verdict", IsText, kText, true},
                             {"line", IsText, kText, false},         {"message", IsText, kText, false},
                             {"with", IsText, kText, false},         {"answer", IsText, kText, false},
                             {"signature", IsText, kText, false},    {"group", IsCount, kCount, false},
                             {"elements", IsNumber, kNumber, false}, {"ulp", IsNumber, kNumber, false},
                             {"readings", IsObject, kObject, false}, {"rounds", IsObject, kObject, false},
                             {"deviates", IsObject, kObject, false}, {"baseline", IsObject, kObject, false},
                             {"matches", IsArray, kArray, false},    {"explanations", IsArray, kArray, false}};
constexpr Key kBaselineKeys[] = {
    {"expected", IsText, kText, true}, {"reason", IsText, kText, true}, {"status", IsText, kText, true}};
constexpr Key kGroupKeys[] = {
    {"group", IsCount, kCount, true}, {"verdict", IsText, kText, true}, {"cases", IsCount, kCount, true}};
constexpr Key kFooterKeys[] = {{"planned", IsCount, kCount, true},
                               {"counts", IsObject, kObject, true},
                               {"conforms", IsBool, kBool, true},
                               {"stopped", IsText, kText, false}};

template <size_t kSize>
bool HasKeys(const Json& object, const Key (&keys)[kSize], const char* what, std::string* error) {
  for (const Key& key : keys) {
    const auto it = object.find(key.name);
    if (it == object.end()) {
      if (!key.required) continue;
      *error = fmt::format("{} without \"{}\"", what, key.name);
      return false;
    }
    if (key.fits(*it)) continue;
    *error = fmt::format("\"{}\" is no {}: {}", key.name, key.kind, Quote(AsText(*it)));
    return false;
  }
  return true;
}

std::string Text(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? "" : it->get_ref<const std::string&>();
}

uint64_t Count(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? 0 : it->get<uint64_t>();
}

// Operator and type are the first two words of a problem line.
void SplitLine(CaseLine* c) {
  const std::string_view line = c->line;
  const size_t first = std::min(line.find(' '), line.size());
  c->op = line.substr(0, first);
  const std::string_view rest = line.substr(std::min(first + 1, line.size()));
  c->type = rest.substr(0, rest.find(' '));
}

// Takes `part` off the front of `line`.
bool Skip(std::string_view part, std::string_view* line) {
  if (!line->starts_with(part)) return false;
  line->remove_prefix(part.size());
  return true;
}

// Takes printable ASCII without escapes and the quote that ends it.
bool SkipText(std::string_view* line, std::string* text) {
  for (size_t i = 0; i < line->size(); ++i) {
    const char c = (*line)[i];
    if (c == '"') {
      text->assign(*line, 0, i);
      line->remove_prefix(i + 1);
      return true;
    }
    if (c < ' ' || c > '~' || c == '\\') return false;
  }
  return false;
}

// A whole number as JSON writes it: no sign, no leading zero.
bool SkipNumber(std::string_view* line, uint64_t* number) {
  const bool zero = line->starts_with('0');
  const auto [end, status] = std::from_chars(line->data(), line->data() + line->size(), *number);
  const size_t digits = static_cast<size_t>(end - line->data());
  if (status != std::errc() || digits == 0 || (zero && digits > 1)) return false;
  line->remove_prefix(digits);
  return true;
}

bool Covered(const CaseLine& c) { return c.baselined && c.baseline_status == "as expected"; }

}  // namespace

Item ResultsGrammar::Take(std::string_view line, std::string* error) {
  if (footer_) return Refuse(error, fmt::format("follows the footer: \"{}\"", Quote(line)));
  // Nearly all lines are cases that pass; they need no library to be read.
  if (header_ && ReadPlain(line)) return PlainCase(error);
  Error reason;
  std::optional<Json> value = ParseStrictly(line, &reason);
  if (!value) return Refuse(error, fmt::format("{}: \"{}\"", reason.message, Quote(line)));
  if (!value->is_object()) {
    return Refuse(error, fmt::format("no JSON object: \"{}\"", Quote(line)));
  }
  value_ = *std::move(value);
  const bool named = value_.contains("poolproof_results");
  if (!header_ && !named) {
    return Refuse(error, fmt::format("no header of a results file: \"{}\"", Quote(line)));
  }
  if (header_ && named) return Refuse(error, fmt::format("a second header: \"{}\"", Quote(line)));
  if (named) return Header(error);
  if (value_.contains("footer")) return Footer(error);
  if (value_.contains("group") && !value_.contains("id") && !value_.contains("n")) {
    return Group(error);
  }
  return OneCase(error);
}

bool ResultsGrammar::Finish(std::string* error) const {
  if (footer_) return true;
  *error = !header_ ? "is empty: a results file begins with a header"
                    : fmt::format("has no footer after {}: the run did not end, or the file is cut",
                                  Plural(counts_.Total(), "case"));
  return false;
}

Item ResultsGrammar::Header(std::string* error) {
  const Json& format = value_["poolproof_results"];
  if (format != kFormat) {
    return Refuse(error,
                  fmt::format("results format {} cannot be read, only format {}", Quote(AsText(format)), kFormat));
  }
  header_ = true;
  return Item::kHeader;
}

bool ResultsGrammar::ReadPlain(std::string_view line) {
  CaseLine& c = case_;
  if (!Skip("{\"n\":", &line) || !SkipNumber(&line, &c.n) || !Skip(",\"id\":\"", &line) || !SkipText(&line, &c.id)) {
    return false;
  }
  const bool named = Skip(",\"line\":\"", &line);
  if (named && !SkipText(&line, &c.line)) return false;
  if (!Skip(",\"section\":\"", &line) || !SkipText(&line, &c.section) || line != ",\"verdict\":\"pass\"}") {
    return false;
  }
  if (!named) c.line = c.id;
  c.plain = true;
  return true;
}

Item ResultsGrammar::PlainCase(std::string* error) {
  CaseLine& c = case_;
  c.message.clear();
  c.with.clear();
  c.verdict = Verdict::kPass;
  c.group = 0;
  c.deviates.clear();
  c.baselined = false;
  SplitLine(&c);
  if (!CheckOrder(error) || !CheckPlanned(error)) return Item::kRefused;
  ++counts_[Verdict::kPass];
  return Item::kCase;
}

bool ResultsGrammar::FillCase(std::string* error) {
  if (!HasKeys(value_, kCaseKeys, "a case", error)) return false;
  CaseLine& c = case_;
  c = CaseLine();
  c.n = Count(value_, "n");
  c.id = Text(value_, "id");
  c.line = value_.contains("line") ? Text(value_, "line") : c.id;
  c.section = Text(value_, "section");
  c.message = Text(value_, "message");
  c.with = Text(value_, "with");
  c.group = Count(value_, "group");
  const std::string verdict = Text(value_, "verdict");
  const auto known = FindVerdict(verdict);
  if (!known) {
    *error = fmt::format("there is no verdict \"{}\"", Quote(verdict));
    return false;
  }
  c.verdict = *known;
  for (const auto& [entry, reading] : ObjectOr(value_, "deviates").items()) {
    c.deviates[entry] = AsText(reading);
  }
  SplitLine(&c);
  if (!value_.contains("baseline")) return true;
  const Json& baseline = value_["baseline"];
  if (!HasKeys(baseline, kBaselineKeys, "a baseline", error)) return false;
  c.baselined = true;
  c.baseline_expected = Text(baseline, "expected");
  c.baseline_reason = Text(baseline, "reason");
  c.baseline_status = Text(baseline, "status");
  return true;
}

Item ResultsGrammar::OneCase(std::string* error) {
  if (!FillCase(error) || !CheckOrder(error) || !CheckGroupOfCase(error) || !CheckPlanned(error)) {
    return Item::kRefused;
  }
  ++counts_[case_.verdict];
  if (Facts(case_.verdict).severity > 0 && !Covered(case_)) ++uncovered_;
  return Item::kCase;
}

// Cases come in the order of the plan, each once. In the random part a problem may come again.
bool ResultsGrammar::CheckOrder(std::string* error) {
  if (groups_ > 0) {
    *error = fmt::format("a case follows the groups: \"{}\"", Quote(case_.id));
    return false;
  }
  if (last_ && case_.n <= *last_) {
    *error = fmt::format("case {} follows case {}", case_.n, *last_);
    return false;
  }
  if (case_.section != "random" && !fixed_ids_.insert(case_.id).second) {
    *error = fmt::format("the case \"{}\" is there twice", Quote(case_.id));
    return false;
  }
  last_ = case_.n;
  return true;
}

bool ResultsGrammar::CheckPlanned(std::string* error) {
  if (planned_ == nullptr) return true;
  uint64_t n = 0;
  std::string_view id;
  const bool any = planned_->Next(&n, &id);
  if (any && n == case_.n && id == case_.id) return true;
  if (!any || n > case_.n) {
    *error = fmt::format("case {} is not in the plan that the header describes", case_.n);
  } else if (n < case_.n) {
    *error = fmt::format("case {} of the plan is missing before it: \"{}\"", n, Quote(id));
  } else {
    *error = fmt::format("case {} of the plan is \"{}\", not \"{}\"", n, Quote(id), Quote(case_.id));
  }
  return false;
}

// Groups hold all that does not conform.
bool ResultsGrammar::CheckGroupOfCase(std::string* error) {
  const CaseLine& c = case_;
  const bool conforms = Facts(c.verdict).severity == 0;
  if (conforms != (c.group == 0)) {
    *error = conforms ? fmt::format("a case that conforms is in group {}", c.group)
                      : fmt::format("a case with verdict \"{}\" is in no group", Facts(c.verdict).name);
    return false;
  }
  if (conforms) return true;
  GroupSeen& group = of_cases_.try_emplace(c.group, GroupSeen{0, c.verdict}).first->second;
  if (Facts(c.verdict).severity > Facts(group.verdict).severity) group.verdict = c.verdict;
  ++group.cases;
  return true;
}

Item ResultsGrammar::Group(std::string* error) {
  if (!HasKeys(value_, kGroupKeys, "a group", error)) return Item::kRefused;
  const uint64_t number = Count(value_, "group"), cases = Count(value_, "cases");
  if (number != groups_ + 1) {
    return Refuse(error, fmt::format("group {} stands where group {} belongs", number, groups_ + 1));
  }
  const auto found = of_cases_.find(number);
  if (found == of_cases_.end()) {
    return Refuse(error, fmt::format("no case is in group {}", number));
  }
  const GroupSeen& seen = found->second;
  const std::string verdict = Text(value_, "verdict");
  if (FindVerdict(verdict) != seen.verdict) {
    return Refuse(error, fmt::format("the verdict of group {} is \"{}\", the worst of its cases \"{}\"", number,
                                     Quote(verdict), Facts(seen.verdict).name));
  }
  if (cases != seen.cases) {
    return Refuse(error,
                  fmt::format("group {} counts {}, the file holds {}", number, Plural(cases, "case"), seen.cases));
  }
  groups_ = number;
  return Item::kGroup;
}

// The counts of the footer are the runner's own; a file that lost or gained a case shows here.
bool ResultsGrammar::CheckCounts(const Json& footer, std::string* error) const {
  const Json& counts = footer["counts"];
  for (const auto& [name, count] : counts.items()) {
    if (!FindVerdict(name) || !count.is_number_unsigned()) {
      *error = fmt::format("the footer counts \"{}\" as a verdict: {}", Quote(name), Quote(AsText(count)));
      return false;
    }
  }
  for (size_t i = 0; i < kVerdictCount; ++i) {
    const std::string name(Facts(static_cast<Verdict>(i)).name);
    const uint64_t counted = Count(counts, name.c_str());
    if (counted == counts_.n[i]) continue;
    *error = fmt::format("the footer counts {} as {}, the file holds {}", Plural(counted, "case"), name, counts_.n[i]);
    return false;
  }
  const uint64_t planned = Count(footer, "planned");
  if (planned == counts_.Total()) return true;
  *error = fmt::format("the footer says that {} planned, the file holds {}",
                       planned == 1 ? "1 case was" : fmt::format("{} cases were", planned), counts_.Total());
  return false;
}

bool ResultsGrammar::CheckConforms(const Json& footer, std::string* error) const {
  if (!footer["conforms"].get<bool>()) return true;
  if (uncovered_ > 0) {
    *error = fmt::format("the footer says that the run conforms, {} of its cases {} not", uncovered_,
                         uncovered_ == 1 ? "does" : "do");
  } else if (counts_[Verdict::kPass] == 0) {
    *error = "the footer says that the run conforms, though no case passes";
  } else if (!ArrayOr(footer, "process_faults").empty()) {
    *error = "the footer says that the run conforms, though the process was at fault";
  } else {
    return true;
  }
  return false;
}

// A run that was stopped, and says so, holds the beginning of its plan.
bool ResultsGrammar::CheckPlanEnd(const Json& footer, std::string* error) {
  uint64_t n = 0;
  std::string_view id;
  if (planned_ == nullptr || !Text(footer, "stopped").empty() || !planned_->Next(&n, &id)) {
    return true;
  }
  *error = fmt::format("case {} of the plan is missing: \"{}\"", n, Quote(id));
  return false;
}

Item ResultsGrammar::Footer(std::string* error) {
  if (value_.size() != 1 || !value_["footer"].is_object()) {
    return Refuse(error, "the line of the footer holds something else than an object \"footer\"");
  }
  Json footer = std::move(value_["footer"]);
  if (!HasKeys(footer, kFooterKeys, "a footer", error)) return Item::kRefused;
  if (groups_ != of_cases_.size()) {
    return Refuse(error, fmt::format("group {} is missing before the footer", groups_ + 1));
  }
  if (!CheckCounts(footer, error) || !CheckConforms(footer, error) || !CheckPlanEnd(footer, error)) {
    return Item::kRefused;
  }
  footer_ = true;
  value_ = std::move(footer);
  return Item::kFooter;
}

}  // namespace poolproof
