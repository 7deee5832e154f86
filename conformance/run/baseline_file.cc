// Baseline files: read, and refused with one sentence.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "conformance/run/baseline.h"
#include "reports/line_file.h"
#include "reports/reader.h"
#include "reports/strict_json.h"
#include "reports/text.h"

namespace poolproof {
namespace {

using reports::Json;

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
    throw BadEntry(fmt::format("\"{}\" is {}, not a text", key, reports::Shown(*it)));
  }
  return it->get<std::string>();
}

void CheckKeys(const Json& object, const std::set<std::string>& known) {
  if (!object.is_object()) throw BadEntry(reports::Shown(object) + " is no object");
  for (const auto& [key, unused] : object.items()) {
    if (!known.contains(key)) throw BadEntry(fmt::format("unknown key \"{}\"", reports::OneLine(key)));
  }
}

BaselineVaries ReadVaries(const Json& value) {
  CheckKeys(value, {"by", "reason", "within"});
  BaselineVaries varies;
  varies.by = Text(value, "by", true);
  if (varies.by != "cpu" && varies.by != "run") {
    throw BadEntry(fmt::format("\"by\" is \"{}\", neither cpu nor run", reports::OneLine(varies.by)));
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
        fmt::format("\"within\" is {}, not \"answers\", \"cases\" or a number of cases", reports::Shown(within)));
  }
  return varies;
}

Verdict ReadVerdict(const Json& value) {
  const std::string verdict = Text(value, "verdict", true);
  const auto found = FindVerdict(verdict);
  if (found && !Conforms(*found)) return *found;
  throw BadEntry(fmt::format("\"verdict\" is \"{}\", which is none to expect", reports::OneLine(verdict)));
}

void ReadDate(const Json& value, BaselineEntry* entry) {
  static const std::regex kDate("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  entry->expires = Text(value, "expires", false);
  if (entry->expires.empty() || std::regex_match(entry->expires, kDate)) return;
  throw BadEntry(fmt::format("\"expires\" is \"{}\", not a date like 2027-06-30", reports::OneLine(entry->expires)));
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
  std::string text, reason, place;
  if (!reports::ReadWholeFile(path, kMaxFileBytes, &text, &error->message)) return std::nullopt;
  const std::optional<Json> file = reports::ParseStrictly(text, &reason);
  BaselineFile baseline;
  try {
    if (!file) throw BadEntry(reason);
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

}  // namespace poolproof
