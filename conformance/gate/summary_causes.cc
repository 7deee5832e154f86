#include "conformance/gate/summary_causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/format/text.h"
#include "conformance/gate/progress.h"

namespace poolproof {
namespace {

// "The output size is Ceiling(size / stride): " for "same-stride=ceil-div"; empty where that is no single reading.
std::string Means(const Specs& specs, std::string_view reading) {
  const size_t equals = reading.find('=');
  for (const LedgerEntry& entry : specs.ledger) {
    if (entry.id != reading.substr(0, equals) || equals == reading.npos) continue;
    for (const LedgerReading& known : entry.readings) {
      if (known.name != reading.substr(equals + 1)) continue;
      const std::string& statement = known.statement;
      return statement.substr(0, statement.size() - (statement.ends_with('.') ? 1 : 0)) + ": ";
    }
  }
  return "";
}

// Tells whether the group is one reading of an open point, which its title states and an option can demand.
bool IsMeaning(const Specs& specs, const CauseGroup& group) {
  return group.verdict == Verdict::kDeviates && !Means(specs, group.reading).empty();
}

// Prints what is wrong, as far as it is known.
std::string TitleOf(const Specs& specs, const CauseGroup& group) {
  std::string title;
  if (!group.cause.id.empty()) title = fmt::format(": {} ({})", group.cause.title, group.cause.id);
  if (title.empty() && !group.reading.empty())
    title = fmt::format(": {}{}", Means(specs, group.reading), group.reading);
  if (!group.where.empty()) title += ", only where " + group.where;
  return EscapeForTerminal(title);
}

// "crash in 40 cases, missing in 1 case", worst first.
std::string VerdictsOf(const CauseGroup& group) {
  std::vector<std::pair<Verdict, uint64_t>> all(group.verdicts.begin(), group.verdicts.end());
  if (all.empty())
    all.emplace_back(group.verdict, group.cases);  // of a folder that was judged, where no cause is looked for
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return Severity(a.first) > Severity(b.first); });
  std::string text;
  for (const auto& [verdict, cases] : all) {
    text +=
        fmt::format("{}{} in {} case{}", text.empty() ? "" : ", ", VerdictName(verdict), cases, cases == 1 ? "" : "s");
  }
  return text;
}

// A set of names is listed while it is short.
std::string Names(const std::set<std::string>& names) {
  constexpr size_t kListed = 4;
  if (names.size() <= kListed) return fmt::format("{}", fmt::join(names, " "));
  return fmt::format("{} and {} more", *names.begin(), names.size() - 1);
}

// The command that runs the smallest case of a group.
std::string ReproduceText(const CauseGroup& group, const EndOptions& options) {
  const std::string line = group.smallest.line.empty() ? group.smallest_line : group.smallest.line;
  // A contradiction is seen only next to its case.
  const bool alone = group.smallest_with.empty() || options.backend.backend.empty();
  const std::string with = alone ? "" : " --with=" + ShellQuoted(group.smallest_with);
  return EscapeForTerminal(
      fmt::format("{} {}{}{}", options.reproduce, ShellQuoted(line), with, options.backend.Again()));
}

// Begins with a blank; empty where nothing is known of published layers.
std::string LayersSentence(const CauseGroup& group) {
  if (!group.layers) return "";
  return " " + Capitalized(group.layers->Text()) + ".";
}

}  // namespace

void PrintCause(const Specs& specs, const CauseGroup& group, const EndOptions& options, size_t lines) {
  const bool meaning = IsMeaning(specs, group);
  const size_t without_clause = meaning ? 5 : 4;
  fmt::print("{}. {}{}\n", group.number, Painted(Paint::kBad, VerdictsOf(group)), TitleOf(specs, group));
  if (lines < without_clause) {
    fmt::print("   {}, {}: {}\n", Names(group.operators), Names(group.types), EscapeForTerminal(group.message));
  } else {
    fmt::print("   {}, {}{}{}\n", Names(group.operators), Names(group.types), group.evidence.empty() ? "" : "; ",
               EscapeForTerminal(group.evidence));
    fmt::print("   {}{}\n", EscapeForTerminal(group.message), LayersSentence(group));
  }
  if (const Clause* clause = specs.FindClause(group.clause); clause != nullptr && lines > without_clause) {
    fmt::print("   {}: {}\n", clause->id, clause->statement);
  }
  fmt::print("   reproduce: {}\n", ReproduceText(group, options));
  if (meaning && lines > kLinesOfACause) fmt::print("   if that is meant: --reading={} demands it\n", group.reading);
}

void PrintCauseInALine(const Specs& specs, const CauseGroup& group) {
  fmt::print("{}. {}{}; {}, {}: {}\n", group.number, Painted(Paint::kBad, VerdictsOf(group)), TitleOf(specs, group),
             Names(group.operators), Names(group.types), EscapeForTerminal(group.message));
}

}  // namespace poolproof
