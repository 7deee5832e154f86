#include <fmt/format.h>

#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "conformance/format/text.h"
#include "reports/reports.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr size_t kMaxAttribute = 2000;  // bytes

void Set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name) = EscapeMarkup(Shorten(value, kMaxAttribute), Markup::kXml).c_str();
}

pugi::xml_node AddCase(pugi::xml_node suite, const std::string& op, const std::string& name) {
  pugi::xml_node node = suite.append_child("testcase");
  Set(node, "classname", "poolproof." + op);
  Set(node, "name", name);
  Set(node, "time", "0");
  return node;
}

void Fail(pugi::xml_node node, const std::string& type, const std::string& message, const std::string& text) {
  pugi::xml_node failure = node.append_child("failure");
  Set(failure, "type", type);
  Set(failure, "message", message);
  failure.append_child(pugi::node_pcdata).set_value(EscapeMarkup(text, Markup::kXml).c_str());
}

void Skip(pugi::xml_node node, const std::string& message) { Set(node.append_child("skipped"), "message", message); }

std::string SampleText(const Run& run, const Sample& s) {
  std::string text = fmt::format("{}: {}\n", Facts(s.verdict).name, s.message);
  if (s.id != s.line) text += fmt::format("case {}\n", s.id);
  text += EscapeForTerminal("reproduce: " + run.Reproduce(s.line, s.with)) + "\n";
  if (s.group > 0) text += fmt::format("group {}\n", s.group);
  return text;
}

void AddNamed(pugi::xml_node suite, const Run& run, const Sample& s) {
  pugi::xml_node node = AddCase(suite, s.op, fmt::format("{}: {}", s.section, s.id));
  const bool bad = Facts(s.verdict).severity > 0;
  if (s.verdict == Verdict::kUnsupported) {
    Skip(node, "unsupported: " + s.message);
  } else if (bad && s.baseline_status == "as expected") {
    Skip(node, "expected by the baseline: " + s.baseline_reason);
  } else if (bad) {
    Fail(node, std::string(Facts(s.verdict).name), s.message, SampleText(run, s));
  }
}

void AddPart(pugi::xml_node suite, const Run& run, const std::string& op,
             const std::pair<std::string, std::string>& key, const Part& part) {
  pugi::xml_node node = AddCase(suite, op, fmt::format("{}: {}", key.first, key.second));
  const uint64_t bad = part.counts.Bad();
  if (bad > part.as_baselined) {
    std::string text;
    for (const Sample& s : part.samples) text += SampleText(run, s) + "\n";
    const std::string known =
        part.as_baselined == 0 ? "" : fmt::format(", {} of them as expected", WithCommas(part.as_baselined));
    Fail(node, std::string(Facts(part.counts.Worst()).name),
         fmt::format("{} of {} do not conform{}", WithCommas(bad), Plural(part.counts.Total(), "case"), known), text);
  } else if (bad > 0) {
    Skip(node, fmt::format("{} expected by the baseline", Plural(bad, "case")));
  } else if (part.counts[Verdict::kPass] == 0) {
    Skip(node, "unsupported");
  }
}

// How many test cases below `node` ended in what.
void Sum(pugi::xml_node node) {
  constexpr std::pair<const char*, const char*> kCounts[] = {
      {"tests", ".//testcase"}, {"failures", ".//failure"}, {"errors", ".//error"}, {"skipped", ".//skipped"}};
  for (const auto& [name, path] : kCounts) node.append_attribute(name) = node.select_nodes(path).size();
}

// Ends a suite whose cases are complete.
void Finish(pugi::xml_node suite, const std::string& started) {
  Sum(suite);
  Set(suite, "time", "0");
  // The schema that CI servers check wants a time without zone.
  if (started.size() == 20) Set(suite, "timestamp", started.substr(0, 19));
  Set(suite, "hostname", "localhost");
}

// Sections whose cases all have names of their own; their parts would be said twice.
std::set<std::pair<std::string, std::string>> NamedParts(const Run& run, const OperatorTally& op) {
  std::map<std::pair<std::string, std::string>, uint64_t> named;
  for (const Sample& s : run.named) {
    if (s.op == op.name) ++named[{s.section, s.type}];
  }
  std::set<std::pair<std::string, std::string>> all;
  for (const auto& [key, count] : named) {
    const auto it = op.parts.find(key);
    if (it != op.parts.end() && it->second.counts.Total() == count) all.insert(key);
  }
  return all;
}

void AddOperator(const Run& run, const OperatorTally& op, const std::string& started, pugi::xml_node suites) {
  pugi::xml_node suite = suites.append_child("testsuite");
  Set(suite, "name", op.name);
  const auto named = NamedParts(run, op);
  for (const Sample& s : run.named) {
    if (s.op == op.name && named.contains({s.section, s.type})) AddNamed(suite, run, s);
  }
  for (const auto& [key, part] : op.parts) {
    if (!named.contains(key)) AddPart(suite, run, op.name, key, part);
  }
  Finish(suite, started);
}

// A test for each cause where there is a baseline: what is new first, and what is known as skipped.
void AddCauses(const Run& run, const std::string& started, pugi::xml_node suites) {
  if (!run.HasBaseline() || run.groups.empty()) return;
  pugi::xml_node suite = suites.append_child("testsuite");
  Set(suite, "name", "causes");
  for (const Json& group : run.groups) {
    const Standing standing = StandingOf(group);
    const std::string cases = Plural(static_cast<uint64_t>(std::max<int64_t>(IntOr(group, "cases"), 0)), "case");
    const std::string title = GroupTitle(run, group), line = StringOr(ObjectOr(group, "smallest"), "line");
    pugi::xml_node node =
        AddCase(suite, "causes", fmt::format("{}: {} ({})", StandingName(standing), title, IntOr(group, "group")));
    if (standing == Standing::kKnown) {
      Skip(node, cases + ", as the baseline expects");
      continue;
    }
    const std::string command = EscapeForTerminal(run.Reproduce(line, StringOr(group, "with")));
    Fail(node, StringOr(group, "verdict"), fmt::format("{} in {}", title, cases),
         fmt::format("{}\nreproduce: {}\n", StringOr(group, "message"), command));
  }
  Finish(suite, started);
}

// Faults that fail the run though no case may: the process itself, and what differs from the baseline.
void AddRunSuite(const Run& run, pugi::xml_node suites) {
  pugi::xml_node suite = suites.append_child("testsuite");
  Set(suite, "name", "run");
  pugi::xml_node process = AddCase(suite, "run", "process");
  std::string text;
  for (const Json& fault : ArrayOr(run.footer, "process_faults")) text += FaultSentence(fault) + "\n";
  if (!text.empty()) Fail(process, "process-fault", "outside of any case", text);
  pugi::xml_node baseline = AddCase(suite, "run", "baseline");
  text.clear();
  for (const Json& change : ArrayOr(ObjectOr(run.footer, "baseline"), "changes")) {
    text += fmt::format("{}: {}\n", StringOr(change, "kind"), IntOr(change, "count"));
    for (const std::string& id : StringsOf(change, "ids")) text += "  " + Shorten(id, kMaxAttribute) + "\n";
  }
  if (!text.empty()) Fail(baseline, "baseline", "the run differs from its baseline", text);
  Finish(suite, "");
}

}  // namespace

std::string Junit(const Results& results) {
  const Run& run = results.runs.back();
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = document.append_child("testsuites");
  const std::string part = run.Part();
  Set(suites, "name", "poolproof " + run.Title() + (part.empty() ? "" : ", a part of the plan: " + part));
  const std::string started = StringOr(run.header, "started");
  AddCauses(run, started, suites);
  for (const OperatorTally& op : run.operators) {
    if (op.counts.Total() > 0) AddOperator(run, op, started, suites);
  }
  AddRunSuite(run, suites);
  Sum(suites);
  Set(suites, "time", fmt::format("{:.3f}", NumberOr(run.footer, "duration_seconds")));
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

}  // namespace poolproof::reports
