#include "conformance/results/baseline.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "conformance/format/glob.h"
#include "conformance/format/line_file.h"
#include "conformance/format/reader.h"
#include "conformance/format/strict_json.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

using nlohmann::json;

// So many ids of each kind are listed; the rest is counted.
constexpr size_t kListed = 100;

constexpr size_t kMaxFileBytes = size_t{256} << 20;
constexpr int kFormat = 2;

// A sentence without file and full stop; the caller knows the place.
class BadEntry : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string Text(const Json& entry, const char* key, bool required) {
  const auto it = entry.find(key);
  if (it == entry.end()) {
    if (required) throw BadEntry(fmt::format("\"{}\" is missing", key));
    return "";
  }
  if (!it->is_string() || (required && it->get_ref<const std::string&>().empty())) {
    throw BadEntry(fmt::format("\"{}\" is {}, not a text", key, ShortenedJson(*it)));
  }
  return it->get<std::string>();
}

void CheckKeys(const Json& object, const std::set<std::string>& known) {
  if (!object.is_object()) throw BadEntry(ShortenedJson(object) + " is no object");
  for (const auto& [key, unused] : object.items()) {
    if (!known.contains(key)) throw BadEntry(fmt::format("unknown key \"{}\"", EscapeForTerminal(key)));
  }
}

BaselineVaries ReadVaries(const Json& value) {
  CheckKeys(value, {"by", "reason", "within"});
  BaselineVaries varies;
  varies.by = Text(value, "by", true);
  if (varies.by != "cpu" && varies.by != "run") {
    throw BadEntry(fmt::format("\"by\" is \"{}\", neither cpu nor run", EscapeForTerminal(varies.by)));
  }
  varies.reason = Text(value, "reason", true);
  const Json within = value.value("within", Json());
  if (within == "answers" || within == "cases") {
    varies.within = within == "cases" ? BaselineVaries::Within::kCases : BaselineVaries::Within::kAnswers;
  } else if (within.is_number_unsigned() && within > 0) {
    varies.within = BaselineVaries::Within::kNumber;
    varies.number = within.get<uint64_t>();
  } else {
    throw BadEntry(
        fmt::format("\"within\" is {}, not \"answers\", \"cases\" or a number of cases", ShortenedJson(within)));
  }
  return varies;
}

Verdict ReadVerdict(const Json& value) {
  const std::string verdict = Text(value, "verdict", true);
  const auto found = FindVerdict(verdict);
  if (found && !Conforms(*found)) return *found;
  throw BadEntry(fmt::format("\"verdict\" is \"{}\", which is none to expect", EscapeForTerminal(verdict)));
}

void ReadDate(const Json& value, BaselineEntry* entry) {
  static const std::regex kDate("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  entry->expires = Text(value, "expires", false);
  if (entry->expires.empty() || std::regex_match(entry->expires, kDate)) return;
  throw BadEntry(fmt::format("\"expires\" is \"{}\", not a date like 2027-06-30", EscapeForTerminal(entry->expires)));
}

void ReadCases(const Json& value, BaselineEntry* entry) {
  if (value.contains("varies")) {
    try {
      entry->varies = ReadVaries(value["varies"]);
    } catch (const BadEntry& problem) {
      throw BadEntry(std::string("/varies: ") + problem.what());
    }
  }
  if (entry->varies && entry->varies->within == BaselineVaries::Within::kNumber) {
    for (const char* key : {"cases", "count", "digest"}) {
      if (value.contains(key)) throw BadEntry(fmt::format("\"{}\" stands beside a number of cases", key));
    }
    return;
  }
  Error error;
  if (!entry->cover.Read(value, &error)) throw BadEntry(error.message);
  if (entry->cover.size() == 0) throw BadEntry("\"cases\" is empty");
}

BaselineEntry ReadEntry(const Json& value, int64_t format) {
  std::set<std::string> keys = {"case", "verdict", "cause", "owner", "reason", "expires"};
  if (format == kFormat) keys.merge(std::set<std::string>{"cases", "count", "digest", "varies", "example"});
  CheckKeys(value, keys);
  BaselineEntry entry;
  entry.pattern = Text(value, "case", format < kFormat);
  if (entry.pattern.empty()) entry.pattern = "*";
  entry.verdict = ReadVerdict(value);
  entry.cause = Text(value, "cause", false);
  entry.reason = Text(value, "reason", true);
  entry.owner = Text(value, "owner", false);
  entry.example = Text(value, "example", false);
  ReadDate(value, &entry);
  if (format == kFormat) ReadCases(value, &entry);
  return entry;
}

int64_t FormatOf(const Json& file, bool old_too) {
  const Json format = file.is_object() ? file.value("poolproof_baseline", Json()) : Json();
  if (format == 1 && !old_too) {
    throw BadEntry(
        "is a baseline of format 1, which does not say which cases it covers: convert it with "
        "`baseline --convert=FILE --results=results.jsonl --write=NEW`");
  }
  if ((format != kFormat && format != 1) || !file.contains("entries") || !file["entries"].is_array()) {
    throw BadEntry("is no baseline of format 2 (\"poolproof_baseline\":2, \"entries\")");
  }
  CheckKeys(file, {"poolproof_baseline", "lacks", "entries"});
  return format.get<int64_t>();
}

}  // namespace

std::optional<BaselineFile> ReadBaselineFile(const std::string& path, bool old_too, Error* error) {
  std::string text, place;
  Error reason;
  if (!ReadWholeFile(path, kMaxFileBytes, &text, &error->message)) return std::nullopt;
  const std::optional<Json> file = ParseStrictly(text, &reason);
  BaselineFile baseline;
  try {
    if (!file) throw BadEntry(reason.message);
    const int64_t format = FormatOf(*file, old_too);
    for (size_t i = 0; i < (*file)["entries"].size(); ++i) {
      place = fmt::format("/entries/{}: ", i);
      baseline.entries.push_back(ReadEntry((*file)["entries"][i], format));
    }
    place.clear();
    if (file->contains("lacks")) {
      baseline.support = Support::FromJson(nullptr, (*file)["lacks"], error);
      if (!baseline.support) throw BadEntry(error->message);
    }
  } catch (const BadEntry& problem) {
    error->message = fmt::format("{}: {}{}.", path, place, problem.what());
    return std::nullopt;
  }
  return baseline;
}

std::vector<std::string> CauseNames(const Record& record) {
  std::vector<std::string> names;
  for (size_t i = 0; i < Causes().size(); ++i) {
    if (record.causes[i]) names.push_back(Causes()[i].id);
  }
  names.push_back(record.signature);
  return names;
}

bool BaselineEntry::Fits(const Record& record) const {
  if (verdict != record.judgement.verdict || !GlobMatches(pattern, record.id)) return false;
  if (cause.empty()) return true;
  const std::vector<std::string> names = CauseNames(record);
  return std::find(names.begin(), names.end(), cause) != names.end();
}

std::string BaselineEntry::Name() const {
  std::string name(VerdictName(verdict));
  if (!cause.empty()) name += " " + cause;
  return pattern == "*" ? name : name + " " + pattern;
}

std::optional<Baseline> Baseline::Load(const std::string& path, Error* error) {
  auto file = ReadBaselineFile(path, false, error);
  if (!file) return std::nullopt;
  Baseline baseline;
  baseline.path_ = path;
  baseline.today_ = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  baseline.entries_ = std::move(file->entries);
  baseline.support_ = std::move(file->support);
  baseline.BuildIndex();
  return baseline;
}

void Baseline::BuildIndex() {
  for (size_t e = 0; e < entries_.size(); ++e) {
    for (const uint64_t hash : entries_[e].cover.Hashes()) index_.emplace(hash, e);
  }
}

// The entry that lists a case, though another one fits it, or none.
const BaselineEntry* Baseline::OtherOwner(std::string_view id) const {
  const auto [begin, end] = index_.equal_range(Cover::HashOf(id));
  for (auto it = begin; it != end; ++it) {
    if (entries_[it->second].cover.HasCase(id)) return &entries_[it->second];
  }
  return nullptr;
}

// Notes what became of a case and says it in the form of the results file.
std::string Baseline::List(Kind kind, const BaselineEntry* entry, const Record& record) {
  constexpr const char* kStatus[] = {"new",      "other answer", "worsened",   "changed cause",
                                     "improved", "expired",      "as expected"};
  if (kind < kKinds) {
    ++counts_[kind];
    if (ids_[kind].size() < kListed) ids_[kind].push_back(record.id);
  }
  if (entry == nullptr) return "";
  return json{{"expected", VerdictName(entry->verdict)}, {"reason", entry->reason}, {"status", kStatus[kind]}}.dump(
      -1, ' ', false, json::error_handler_t::replace);
}

std::string Baseline::CheckPass(const Record& record) {
  const auto [begin, end] = index_.equal_range(Cover::HashOf(record.id));
  const BaselineEntry* improved = nullptr;
  for (auto it = begin; it != end; ++it) {
    BaselineEntry& entry = entries_[it->second];
    if (entry.cover.HasCase(record.id) && !entry.varies && improved == nullptr) improved = &entry;
  }
  return improved == nullptr ? "" : List(kImproved, improved, record);
}

std::string Baseline::Check(const Record& record, bool* covered) {
  *covered = false;
  const auto [begin, end] = index_.equal_range(Cover::HashOf(record.id));
  for (auto it = begin; it != end; ++it) entries_[it->second].cover.See(record.id);
  const Verdict verdict = record.judgement.verdict;
  if (Conforms(verdict)) return CheckPass(record);
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const BaselineEntry& entry) { return entry.Fits(record); });
  BaselineEntry* const entry = found == entries_.end() ? nullptr : &*found;
  using Within = BaselineVaries::Within;
  const bool counted = entry != nullptr && entry->varies && entry->varies->within == Within::kNumber;
  const Cover::Fit fit = entry == nullptr ? Cover::Fit::kNone
                         : counted        ? Cover::Fit::kAnswer
                                          : entry->cover.Meet(record.id, record.answer);
  if (fit == Cover::Fit::kNone) {
    const BaselineEntry* const owner = OtherOwner(record.id);
    if (owner == nullptr) return List(kNew, nullptr, record);
    return List(owner->verdict == verdict ? kCause : kWorsened, owner, record);
  }
  const bool any_answer = entry->varies && entry->varies->within == Within::kCases;
  if (fit == Cover::Fit::kCase && !any_answer) return List(kAnswer, entry, record);
  ++entry->fitted;
  if (!entry->expires.empty() && entry->expires < today_) return List(kExpired, entry, record);
  *covered = true;
  return List(kKinds, entry, record);
}

// What only all cases together can tell of an entry.
void Baseline::SummarizeEntries(bool complete, BaselineSummary* summary) const {
  BaselineSummary::Change exceeded{"exceeded", {}, 0}, altered{"altered", {}, 0}, unmatched{"unmatched", {}, 0};
  const auto add = [](BaselineSummary::Change* change, std::string text) {
    ++change->count;
    if (change->ids.size() < kListed) change->ids.push_back(std::move(text));
  };
  for (const BaselineEntry& entry : entries_) {
    const bool counted = entry.varies && entry.varies->within == BaselineVaries::Within::kNumber;
    if (entry.varies) {
      summary->varying.push_back(
          fmt::format("{} of {} by {}: {}", entry.fitted, entry.Name(), entry.varies->by, entry.varies->reason));
    }
    if (counted && entry.fitted > entry.varies->number) {
      add(&exceeded,
          fmt::format("{}: {} cases, at most {} may fail", entry.Name(), entry.fitted, entry.varies->number));
    }
    if (!complete || counted) continue;
    const uint64_t unseen = entry.cover.size() - entry.cover.seen();
    if (unseen > 0) {
      add(&unmatched,
          fmt::format("{}: {} of its {} cases are not in the plan", entry.Name(), unseen, entry.cover.size()));
    } else if (!entry.varies && entry.fitted >= entry.cover.size() && !entry.cover.MetAll()) {
      add(&altered, fmt::format("{}: its digest is that of other cases or answers", entry.Name()));
    }
  }
  for (BaselineSummary::Change* change : {&exceeded, &altered, &unmatched}) {
    if (change->count > 0) summary->changes.push_back(std::move(*change));
  }
}

BaselineSummary Baseline::Summary(bool complete, const Support* support) const {
  constexpr const char* kNames[] = {"new", "answer", "worsened", "cause", "improved", "expired"};
  BaselineSummary summary;
  summary.file = path_;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (counts_[kind] > 0) summary.changes.push_back({kNames[kind], ids_[kind], counts_[kind]});
  }
  SummarizeEntries(complete, &summary);
  if (support != nullptr && support_) {
    std::vector<std::string> lost = support->LostSince(*support_);
    const uint64_t count = lost.size();
    lost.resize(std::min(lost.size(), kListed));
    if (count > 0) summary.changes.push_back({"lost", std::move(lost), count});
  }
  return summary;
}

}  // namespace poolproof
