#include <fmt/format.h>

#include "conformance/format/layers.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

using Item = ResultsGrammar::Item;

constexpr uint64_t kFormat = 2;

Item Refuse(Error* error, std::string reason) {
  error->message = std::move(reason);
  return Item::kRefused;
}

bool Refused(Error* error, std::string reason) { return Fail(std::move(reason), error); }

// The keys of a group that are checked; it has more.
struct GroupLine {
  uint64_t group = 0, cases = 0;
  Verdict verdict = Verdict::kPass;
  std::optional<PublishedLayers> layers;

  static constexpr char kWhat[] = "a group";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& g, Keys&& keys) {
    return keys("group", g.group, Need::kRequired) && keys("verdict", g.verdict, Need::kRequired) &&
           keys("cases", g.cases, Need::kRequired) && keys("layers", g.layers, Need::kOptional);
  }
};

// Likewise for a footer.
struct FooterLine {
  uint64_t planned = 0;
  VerdictCounts counts;
  bool conforms = false;
  std::string stopped;

  static constexpr char kWhat[] = "a footer";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& f, Keys&& keys) {
    return keys("planned", f.planned, Need::kRequired) && keys("counts", f.counts, Need::kRequired) &&
           keys("conforms", f.conforms, Need::kRequired) && keys("stopped", f.stopped, Need::kOptional);
  }
};

bool Covered(const CaseLine& c) { return c.baseline && c.baseline->status == "as expected"; }

}  // namespace

Item ResultsGrammar::Take(std::string_view line, Error* error) {
  if (part_ == Part::kFooter) return Refuse(error, fmt::format("follows the footer: \"{}\"", QuoteValue(line)));
  // Nearly all lines of a run that has not ended are cases that pass; they need no library to be read.
  if (part_ != Part::kNothing && ReadPlainLine(line, &case_)) return OneCase(error);
  Error reason;
  std::optional<Json> value = ParseStrictly(line, &reason);
  if (!value) return Refuse(error, fmt::format("{}: \"{}\"", reason.message, QuoteValue(line)));
  if (!value->is_object()) return Refuse(error, fmt::format("no JSON object: \"{}\"", QuoteValue(line)));
  value_ = *std::move(value);
  const bool header = value_.contains("poolproof_results");
  if (header != (part_ == Part::kNothing)) {
    return Refuse(
        error, fmt::format("{}: \"{}\"", header ? "a second header" : "no header of a results file", QuoteValue(line)));
  }
  return header ? Header(error) : Dispatch(error);
}

Item ResultsGrammar::Dispatch(Error* error) {
  if (value_.contains("footer")) return Footer(error);
  if (value_.contains("alike")) return Alike(error);
  if (value_.contains("counted")) return Counted(error);
  if (value_.contains("planned")) return Planned(error);
  if (value_.contains("group") && !value_.contains("id") && !value_.contains("n")) return Group(error);
  return OneCase(error);
}

bool ResultsGrammar::Finish(Error* error) const {
  if (part_ == Part::kFooter) return true;
  return Fail(part_ == Part::kNothing ? "is empty: a results file begins with a header"
                                      : fmt::format("has no footer after {}: the run did not end, or the file is cut",
                                                    Plural(counts_.Total(), "case")),
              error);
}

// Lines of one kind stand together, and the kinds in order.
bool ResultsGrammar::Enter(Part part, const char* what, Error* error) {
  constexpr const char* kNames[] = {
      "", "header", "line of what was planned", "cases that are alike", "cases", "groups", "counts", "footer"};
  if (part < part_ || (part == part_ && part == Part::kPlanned)) {
    return Refused(error, fmt::format("{} follows the {}", what, kNames[static_cast<size_t>(part_)]));
  }
  if ((part == Part::kAlike || part == Part::kCounted) && !planned_) {
    return Refused(error, fmt::format("{} in a file that does not say how many cases were planned", what));
  }
  part_ = part;
  return true;
}

Item ResultsGrammar::Header(Error* error) {
  const Json& format = value_["poolproof_results"];
  if (format != kFormat) {
    return Refuse(error,
                  fmt::format("results format {} cannot be read, only format {}", QuoteValue(AsText(format)), kFormat));
  }
  part_ = Part::kHeader;
  return Item::kHeader;
}

Item ResultsGrammar::Planned(Error* error) {
  if (!Enter(Part::kPlanned, "a line of what was planned", error)) return Item::kRefused;
  return ReadKeys(value_, &planned_.emplace(), error) ? Item::kPlanned : Item::kRefused;
}

Item ResultsGrammar::Alike(Error* error) {
  if (!Enter(Part::kAlike, "a line of cases that are alike", error)) return Item::kRefused;
  if (!ReadAlikeLine(value_, &alike_, error)) return Item::kRefused;
  alike_counts_[alike_.verdict] += alike_.cases;
  alike_cases_.Add(alike_);
  return Item::kAlike;
}

Item ResultsGrammar::OneCase(Error* error) {
  if (!case_.plain && !ReadCaseLine(value_, &case_, error)) return Item::kRefused;
  if (!Enter(Part::kCases, "a case", error) || !CheckOrder(error) || !CheckGroupOfCase(error)) return Item::kRefused;
  ++counts_[case_.verdict];
  if (!Conforms(case_.verdict) && !Covered(case_)) ++uncovered_;
  return Item::kCase;
}

// Cases come in the order of the plan, each once. In the random part a problem may come again.
bool ResultsGrammar::CheckOrder(Error* error) {
  if (last_ && case_.n <= *last_) return Refused(error, fmt::format("case {} follows case {}", case_.n, *last_));
  if (!CheckAlike(case_.n, error)) return false;
  if (case_.section != "random" && !fixed_ids_.insert(case_.id).second) {
    return Refused(error, fmt::format("the case \"{}\" is there twice", QuoteValue(case_.id)));
  }
  last_ = case_.n;
  return true;
}

// No place up to `end` is in two lists, and `end` is in none.
bool ResultsGrammar::CheckAlike(uint64_t end, Error* error) {
  std::optional<uint64_t> place = alike_cases_.Place();
  for (; place && *place < end; place = alike_cases_.Place()) {
    if (last_alike_ == place) break;
    last_alike_ = place;
    alike_cases_.Next();
  }
  if (!place || *place > end) return true;
  return Refused(error, fmt::format("case {} is there twice", *place));
}

// Groups hold all that does not conform.
bool ResultsGrammar::CheckGroupOfCase(Error* error) {
  const CaseLine& c = case_;
  const bool conforms = Conforms(c.verdict);
  if (conforms != (c.group == 0)) {
    return Refused(error, conforms ? fmt::format("a case that conforms is in group {}", c.group)
                                   : fmt::format("a case with verdict \"{}\" is in no group", VerdictName(c.verdict)));
  }
  if (conforms) return true;
  GroupSeen& group = of_cases_.try_emplace(c.group, GroupSeen{0, c.verdict}).first->second;
  if (Severity(c.verdict) > Severity(group.verdict)) group.verdict = c.verdict;
  ++group.cases;
  return true;
}

Item ResultsGrammar::Group(Error* error) {
  GroupLine line;
  if (!Enter(Part::kGroups, "a group", error) || !ReadKeys(value_, &line, error)) return Item::kRefused;
  if (line.group != groups_ + 1) {
    return Refuse(error, fmt::format("group {} stands where group {} belongs", line.group, groups_ + 1));
  }
  const auto found = of_cases_.find(line.group);
  if (found == of_cases_.end()) return Refuse(error, fmt::format("no case is in group {}", line.group));
  const GroupSeen& seen = found->second;
  if (line.verdict != seen.verdict) {
    return Refuse(error, fmt::format("the verdict of group {} is \"{}\", the worst of its cases \"{}\"", line.group,
                                     VerdictName(line.verdict), VerdictName(seen.verdict)));
  }
  if (line.cases != seen.cases) {
    return Refuse(error, fmt::format("group {} counts {}, the file holds {}", line.group, Plural(line.cases, "case"),
                                     seen.cases));
  }
  groups_ = line.group;
  return Item::kGroup;
}

Item ResultsGrammar::Counted(Error* error) {
  if (!Enter(Part::kCounted, "a line of counts", error) || !ReadKeys(value_, &counted_, error)) return Item::kRefused;
  for (const auto& [section, types] : counted_.parts) {
    for (const auto& [type, counts] : types) counted_counts_ += counts;
  }
  return Item::kCounted;
}

// Cases without a line are counted, and are in lists unless they simply pass.
bool ResultsGrammar::CheckUnlisted(Error* error) {
  const uint64_t listed = counts_.Total(), counted = counted_counts_.Total();
  if (planned_ && (planned_->cases < listed || planned_->cases - listed != counted)) {
    return Refused(error, fmt::format("of {} that were planned {} have a line and {} are counted",
                                      Plural(planned_->cases, "case"), listed, counted));
  }
  for (size_t i = 0; i < kVerdictCount; ++i) {
    const Verdict v = static_cast<Verdict>(i);
    const uint64_t in_counts = counted_counts_[v], in_lists = alike_counts_[v];
    if (v == Verdict::kPass ? in_counts >= in_lists : in_counts == in_lists) continue;
    return Refused(error, fmt::format("the counts have {} as {}, the lists {}", Plural(in_counts, "case"),
                                      VerdictName(v), in_lists));
  }
  counts_ += counted_counts_;
  return CheckAlike(UINT64_MAX, error);
}

// The counts of the footer are the runner's own; a file that lost or gained a case shows here.
bool ResultsGrammar::CheckCounts(const Json& footer, Error* error) const {
  FooterLine line;
  if (!ReadKeys(footer, &line, error)) return false;
  for (size_t i = 0; i < kVerdictCount; ++i) {
    if (line.counts.n[i] == counts_.n[i]) continue;
    return Refused(error, fmt::format("the footer counts {} as {}, the file holds {}", Plural(line.counts.n[i], "case"),
                                      VerdictName(static_cast<Verdict>(i)), counts_.n[i]));
  }
  if (line.planned == counts_.Total()) return true;
  return Refused(error, fmt::format("the footer says that {} planned, the file holds {}",
                                    line.planned == 1 ? "1 case was" : fmt::format("{} cases were", line.planned),
                                    counts_.Total()));
}

bool ResultsGrammar::CheckConforms(const Json& footer, Error* error) const {
  if (!footer["conforms"].get<bool>()) return true;
  if (uncovered_ > 0) {
    return Refused(error, fmt::format("the footer says that the run conforms, {} of its cases {} not", uncovered_,
                                      uncovered_ == 1 ? "does" : "do"));
  }
  if (counts_[Verdict::kPass] == 0) {
    return Refused(error, "the footer says that the run conforms, though no case passes");
  }
  if (ArrayOr(footer, "process_faults").empty()) return true;
  return Refused(error, "the footer says that the run conforms, though the process was at fault");
}

Item ResultsGrammar::Footer(Error* error) {
  if (value_.size() != 1 || !value_["footer"].is_object()) {
    return Refuse(error, "the line of the footer holds something else than an object \"footer\"");
  }
  Json footer = std::move(value_["footer"]);
  if (groups_ != of_cases_.size()) {
    return Refuse(error, fmt::format("group {} is missing before the footer", groups_ + 1));
  }
  if (!CheckUnlisted(error) || !CheckCounts(footer, error) || !CheckConforms(footer, error)) return Item::kRefused;
  part_ = Part::kFooter;
  value_ = std::move(footer);
  return Item::kFooter;
}

}  // namespace poolproof
