#include <fmt/format.h>

#include "conformance/format/part.h"
#include "conformance/format/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

std::string Seconds(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  return fmt::format("{} min {} s", static_cast<int64_t>(seconds) / 60, static_cast<int64_t>(seconds) % 60);
}

Json CountsView(const VerdictCounts& counts) {
  Json view = Json::array();
  for (size_t i = 0; i < kVerdictCount; ++i) {
    if (counts.n[i] == 0) continue;
    Json entry = VerdictTag(static_cast<Verdict>(i));
    entry["count"] = WithCommas(counts.n[i]);
    entry["raw"] = counts.n[i];
    entry["percent"] =
        fmt::format("{:.4g}", 100.0 * static_cast<double>(counts.n[i]) / static_cast<double>(counts.Total()));
    view.push_back(entry);
  }
  return view;
}

std::string HintSentence(const Run& run) {
  const Json& hint = ObjectOr(run.footer, "profile_hint");
  const int64_t deviations = IntOr(hint, "deviations"), explained = IntOr(hint, "explained");
  if (explained <= 0) return "";
  return fmt::format("With --profile={} {} of {} deviations would pass.", StringOr(hint, "profile"),
                     WithCommas(static_cast<uint64_t>(explained)), WithCommas(static_cast<uint64_t>(deviations)));
}

std::string BaselineSentence(const Run& run) {
  const uint64_t fits = run.AsBaselined();
  // Where the baseline expects all of them, the verdict has said so.
  if (run.baselined_count == 0 || (run.Conforms() && fits == run.counts.Bad())) return "";
  std::string text = fmt::format("{} expected by the baseline", Plural(fits, "case"));
  if (run.baselined_count > fits) {
    text += fmt::format(", {} changed since it was written", WithCommas(run.baselined_count - fits));
  }
  return text + ".";
}

// The text of the first group of cases without result; nothing where the remarks say it pair by pair.
std::string WhyMissing(const Run& run) {
  if (!ArrayOr(run.footer, "set_aside").empty()) return "";
  for (const Json& group : run.groups) {
    if (StringOr(group, "verdict") == "missing") return " " + Shorten(StringOr(group, "message"), 300);
  }
  return "";
}

std::string Sentence(const Run& run) {
  const uint64_t unsupported = run.counts[Verdict::kUnsupported];
  const uint64_t missing = run.counts[Verdict::kMissing], bad = run.counts.Bad() - missing;
  if (bad == 0 && run.counts[Verdict::kPass] == 0) return "No case passed: nothing was shown.";
  const std::string cases = Plural(run.counts.Total() - unsupported - missing, "case");
  std::string text = bad == 0 ? fmt::format("None of {} differs from the documents.", cases)
                              : fmt::format("{} of {} {} conform, in {}.", WithCommas(bad), cases,
                                            bad == 1 ? "does not" : "do not", Plural(run.group_count, "group"));
  if (unsupported > 0) {
    text += fmt::format(" {} more {} unsupported.", WithCommas(unsupported), unsupported == 1 ? "is" : "are");
  }
  if (missing > 0) {
    text +=
        fmt::format(" {} more {} no result.{}", WithCommas(missing), missing == 1 ? "has" : "have", WhyMissing(run));
  }
  return text + (bad > 0 && run.Conforms() ? " The baseline expects all that do not conform." : "");
}

// Whether the backend conforms says nothing of operators that it does not have.
std::string NotThereSentence(const Run& run) {
  const std::string operators = run.Conforms() ? run.Operators().NotThere() : "";
  return operators.empty() ? "" : fmt::format("Not there, and not judged: {}.", operators);
}

void AddFact(const char* name, const std::string& value, Json* facts) {
  if (!value.empty()) facts->push_back({{"name", name}, {"value", Shorten(value, 500)}});
}

std::string Joined(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, AsText(value));
  }
  return text;
}

std::string ShardText(const Json& shard) {
  if (IntOr(shard, "count") <= 1) return "";
  return fmt::format("{} of {}", IntOr(shard, "index"), IntOr(shard, "count"));
}

// Never a bare "Conforms" where only a part was run, or little of it was judged: "Conforms, 29 known (quick)".
std::string VerdictWord(const Run& run, const std::string& part) {
  const std::string against = run.AgainstBaseline();
  const std::string brief = part.starts_with("level ") ? part.substr(6) : part;
  const std::string of = run.HasBaseline() && !part.empty() ? " (" + brief + ")" : "";
  if (!run.WasJudged()) return "Not judged" + of;
  if (!run.Conforms()) return "Does not conform" + (against.empty() ? "" : ": " + against) + of;
  return std::string("Conforms") + (part.empty() || !of.empty() ? "" : " in a part of the plan") +
         (JudgedAreFew(run.counts) ? ", in too few cases to speak for an operator" : "") +
         (against.empty() ? "" : ", " + against) + of;
}

uint64_t Number(const Json& object, const char* key) {
  return static_cast<uint64_t>(std::max<int64_t>(IntOr(object, key), 0));
}

// Lists what was not run any more, since it kept hanging or dying, and what the baseline lets vary.
Json RemarksView(const Run& run) {
  Json remarks = Json::array();
  for (const Json& fault : ArrayOr(run.footer, "process_faults")) {
    remarks.push_back(FaultSentence(fault));
  }
  for (const Json& warning : ArrayOr(run.footer, "process_warnings")) {
    remarks.push_back(FaultSentence(warning) + " The verdict does not depend on it.");
  }
  for (const Json& pair : ArrayOr(run.footer, "set_aside")) {
    remarks.push_back(fmt::format("{} {} was set aside, since {}: {} without a result.",
                                  Shorten(StringOr(pair, "operator"), 100), Shorten(StringOr(pair, "type"), 40),
                                  Shorten(StringOr(pair, "why"), 200), Plural(Number(pair, "missing"), "case")));
  }
  for (const std::string& text : StringsOf(ObjectOr(run.footer, "baseline"), "varying")) {
    remarks.push_back("Varies: " + Shorten(text, 500));
  }
  if (const uint64_t undescribed = Number(run.footer, "undescribed"); undescribed > 0) {
    remarks.push_back(fmt::format("{} of discrepancies shown as found: no time was left to name or shrink them.",
                                  Plural(undescribed, "group")));
  }
  return remarks;
}

// The level, and each part of the cell that is not simply on.
std::string IsolationText(const Json& isolation) {
  std::string text = StringOr(isolation, "level");
  for (const auto& [part, state] : ObjectOr(isolation, "parts").items()) {
    const std::string value = AsText(state);
    if (value != "on") text += fmt::format("; {}: {}", part, value);
  }
  return text;
}

}  // namespace

std::string FaultSentence(const Json& fault) {
  return fmt::format("Outside of any case the backend {} ({}).", Shorten(StringOr(fault, "text"), 500),
                     Plural(Number(fault, "times"), "time"));
}

Json VerdictTag(Verdict verdict) {
  const VerdictFacts& facts = Facts(verdict);
  return {{"verdict", std::string(facts.name)},
          {"meaning", std::string(facts.meaning)},
          {"tone", std::string(facts.tone)},
          {"symbol", std::string(facts.symbol)}};
}

std::string Breakdown(const VerdictCounts& counts) {
  std::string text;
  for (size_t i = 0; i < kVerdictCount; ++i) {
    if (counts.n[i] == 0) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", WithCommas(counts.n[i]), Facts(static_cast<Verdict>(i)).name);
  }
  return text;
}

std::string Listed(const std::vector<std::string>& words, size_t limit) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i == limit) return text + fmt::format(" and {} more", words.size() - limit);
    text += (i == 0 ? "" : ", ") + Shorten(words[i], 100);
  }
  return text;
}

Json VerdictView(const Run& run) {
  const bool excused = run.Conforms() && run.counts.Bad() > 0;
  const std::string part = run.Part();
  return {{"conforms", run.Conforms()},
          {"word", VerdictWord(run, part)},
          {"tone", excused          ? "warn"
                   : run.Conforms() ? "good"
                                    : "bad"},
          {"symbol", run.Conforms() ? "✓" : "✗"},
          {"sentence", Sentence(run)},
          {"not_there", NotThereSentence(run)},
          {"hint", HintSentence(run)},
          {"baseline", BaselineSentence(run)},
          {"part", part.empty() ? "" : fmt::format("Only a part of the plan was run: {}.", part)},
          {"remarks", RemarksView(run)},
          {"total", WithCommas(run.counts.Total())},
          {"counts", CountsView(run.counts)}};
}

Json FactsView(const Run& run) {
  const Json& backend = ObjectOr(run.header, "backend");
  const Json& machine = ObjectOr(run.header, "machine");
  const Json& tool = ObjectOr(run.header, "tool");
  Json facts = Json::array();
  AddFact("Backend", run.Title(), &facts);
  AddFact("Library", StringOr(backend, "path"), &facts);
  std::string options;
  for (const std::string& option : StringsOf(backend, "options")) options += option + " ";
  AddFact("Backend options", options, &facts);
  std::string device;
  for (const std::string& option : StringsOf(run.header, "device_options")) device += option + " ";
  AddFact("Device", device, &facts);
  AddFact("Guarded memory", BoolOr(backend, "isolated") ? "yes" : "no: the backend is a program", &facts);
  AddFact("Isolation", IsolationText(ObjectOr(run.header, "isolation")), &facts);
  AddFact("Profile", StringOr(run.header, "profile"), &facts);
  AddFact("Readings overridden", Joined(ObjectOr(run.header, "readings")), &facts);
  AddFact("Level", StringOr(run.header, "level"), &facts);
  AddFact("Seed", SeedText(run.header), &facts);
  AddFact("Filter", StringOr(run.header, "filter"), &facts);
  AddFact("Shard", ShardText(ObjectOr(run.header, "shard")), &facts);
  AddFact("Specs", StringOr(ObjectOr(run.header, "specs"), "digest"), &facts);
  AddFact("Tool", StringOr(tool, "name") + " " + StringOr(tool, "version"), &facts);
  AddFact("Machine", StringOr(machine, "cpu"), &facts);
  AddFact("System", StringOr(machine, "os"), &facts);
  AddFact("Started", StringOr(run.header, "started"), &facts);
  const double seconds = NumberOr(run.footer, "duration_seconds");
  const double rate = NumberOr(run.footer, "problems_per_second");
  AddFact("Duration",
          fmt::format("{}, {} problems per second", Seconds(seconds),
                      WithCommas(static_cast<uint64_t>(std::max(rate, 0.0)))),
          &facts);
  const int64_t bytes = IntOr(run.footer, "stdout_bytes");
  if (bytes > 0) {
    AddFact("Backend's own output", Plural(static_cast<uint64_t>(bytes), "byte"), &facts);
  }
  Json documents = Json::array();
  for (const Json& document : ArrayOr(run.header, "documents")) {
    documents.push_back({{"title", Shorten(StringOr(document, "title"), 300)},
                         {"version", Shorten(StringOr(document, "version"), 100)},
                         {"link", SafeLink(StringOr(document, "link"))}});
  }
  return {{"facts", facts}, {"documents", documents}};
}

}  // namespace poolproof::reports
