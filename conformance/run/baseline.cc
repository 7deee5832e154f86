#include "conformance/run/baseline.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <regex>
#include <set>

namespace poolproof {
namespace {

using nlohmann::json;

// So many ids of each kind are listed; the rest is counted.
constexpr size_t kListed = 100;

void List(std::vector<std::string>* list, const std::string& id) {
  if (list->size() < kListed) list->push_back(id);
}

std::string Text(const json& entry, const char* key, bool required) {
  const auto it = entry.find(key);
  if (it == entry.end()) {
    if (required) throw std::runtime_error(fmt::format("\"{}\" is missing", key));
    return "";
  }
  if (!it->is_string() || (required && it->get<std::string>().empty())) {
    throw std::runtime_error(fmt::format("\"{}\" is {}, not a text", key, it->dump()));
  }
  return it->get<std::string>();
}

BaselineEntry ReadEntry(const json& value) {
  static const std::set<std::string> kKeys = {"case",  "verdict", "cause",
                                              "owner", "reason",  "expires"};
  if (!value.is_object()) throw std::runtime_error(value.dump() + " is no object");
  for (const auto& [key, unused] : value.items()) {
    if (!kKeys.contains(key)) throw std::runtime_error(fmt::format("unknown key \"{}\"", key));
  }
  BaselineEntry entry;
  entry.pattern = Text(value, "case", true);
  entry.exact = entry.pattern.find('*') == std::string::npos;
  const std::string verdict = Text(value, "verdict", true);
  const auto found = FindVerdict(verdict);
  if (!found || *found == Verdict::kPass) {
    throw std::runtime_error(fmt::format("\"verdict\" is \"{}\", which is none to expect", verdict));
  }
  entry.verdict = *found;
  entry.cause = Text(value, "cause", false);
  entry.reason = Text(value, "reason", true);
  entry.owner = Text(value, "owner", false);
  entry.expires = Text(value, "expires", false);
  static const std::regex kDate("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  if (!entry.expires.empty() && !std::regex_match(entry.expires, kDate)) {
    throw std::runtime_error(
        fmt::format("\"expires\" is \"{}\", not a date like 2027-06-30", entry.expires));
  }
  return entry;
}

json ReadFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot be read");
  json value = json::parse(file);
  if (!value.is_object() || value.value("poolproof_baseline", json()) != 1 ||
      !value.contains("entries") || !value["entries"].is_array()) {
    throw std::runtime_error("is no baseline of format 1 (\"poolproof_baseline\":1, \"entries\")");
  }
  return value;
}

}  // namespace

bool PatternFits(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::string> CauseNames(const Record& record) {
  std::vector<std::string> names;
  for (size_t i = 0; i < Causes().size(); ++i) {
    if (record.causes[i]) names.push_back(Causes()[i].id);
  }
  names.push_back(record.signature);
  return names;
}

std::optional<Baseline> Baseline::Load(const std::string& path, Error* error) {
  Baseline baseline;
  baseline.path_ = path;
  baseline.today_ = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  std::string place;
  try {
    const json file = ReadFile(path);
    for (size_t i = 0; i < file["entries"].size(); ++i) {
      place = fmt::format(": /entries/{}", i);
      baseline.entries_.push_back(ReadEntry(file["entries"][i]));
    }
  } catch (const std::exception& e) {
    error->message = fmt::format("{}{}: {}.", path, place, e.what());
    return std::nullopt;
  }
  return baseline;
}

bool Baseline::Fits(const BaselineEntry& entry, const Record& record, Verdict verdict) const {
  if (entry.verdict != verdict) return false;
  if (entry.cause.empty()) return true;
  const std::vector<std::string> names = CauseNames(record);
  return std::find(names.begin(), names.end(), entry.cause) != names.end();
}

std::string Baseline::Check(const Record& record, Verdict verdict, bool* covered) {
  *covered = false;
  const BaselineEntry* found = nullptr;
  std::string status;
  for (BaselineEntry& entry : entries_) {
    if (entry.exact ? entry.pattern != record.id : !PatternFits(entry.pattern, record.id)) continue;
    ++entry.seen;
    const bool fits = Fits(entry, record, verdict);
    if (fits) ++entry.expected;
    if (status == "as expected") continue;
    if (fits) {
      status = !entry.expires.empty() && entry.expires < today_ ? "expired" : "as expected";
    } else if (verdict == Verdict::kPass) {
      if (entry.exact) status = "improved";
    } else if (!Conforms(verdict)) {
      status = verdict == entry.verdict ? "changed cause" : "worsened";
    }
    if (!status.empty()) found = &entry;
  }
  if (found == nullptr) return "";
  *covered = status == "as expected";
  if (status == "improved") List(&improved_, record.id);
  if (status == "worsened") List(&worsened_, record.id);
  if (status == "changed cause") List(&changed_, record.id);
  if (status == "expired") List(&expired_, record.id);
  return json{{"expected", VerdictName(found->verdict)}, {"reason", found->reason},
              {"status", status}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<std::string> Baseline::Unmatched() const {
  std::vector<std::string> ids;
  for (const BaselineEntry& entry : entries_) {
    if (entry.seen == 0) ids.push_back(entry.pattern);
  }
  return ids;
}

// Exact entries that pass now, and patterns of which no case ends as expected any more.
std::vector<std::string> Baseline::Improved() const {
  std::vector<std::string> ids = improved_;
  for (const BaselineEntry& entry : entries_) {
    if (!entry.exact && entry.seen > 0 && entry.expected == 0) ids.push_back(entry.pattern);
  }
  return ids;
}

bool Baseline::Changed(bool complete) const {
  return !(complete ? Improved() : improved_).empty() || !worsened_.empty() ||
         !changed_.empty() || !expired_.empty() || (complete && !Unmatched().empty());
}

json Baseline::Summary(bool complete) const {
  return {{"file", path_},
          {"improved", complete ? Improved() : improved_},
          {"worsened", worsened_},
          {"changed", changed_},
          {"expired", expired_},
          {"unmatched", complete ? Unmatched() : std::vector<std::string>()}};
}

json ProposeBaseline(const std::vector<Group>& groups) {
  json entries = json::array();
  for (const Group& group : groups) {
    std::string cause = group.signature;
    for (size_t i = Causes().size(); i-- > 0;) {
      if (group.causes[i]) cause = Causes()[i].id;
    }
    for (const std::string& op : group.operators) {
      json entry = {{"case", group.cases == 1 ? group.first.front() : op + "*"},
                    {"verdict", VerdictName(group.verdict)},
                    {"reason", fmt::format("to be explained: {}",
                                           group.message.empty() ? cause : group.message)}};
      if (!cause.empty()) entry["cause"] = cause;
      entries.push_back(entry);
    }
  }
  return {{"poolproof_baseline", 1}, {"entries", entries}};
}

}  // namespace poolproof
