#include <fmt/format.h>

#include <array>

#include "reports/templates.h"
#include "reports/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr std::array<const char*, 4> kLibraries = {"OpenVINO", "PyTorch", "ONNX Runtime", "oneDNN"};

// Readings that a library is known to follow.
std::string FollowedBy(const Json& entry, std::string_view library) {
  std::string text;
  for (const Json& reading : Array(entry, "readings")) {
    for (const std::string& who : Strings(reading, "followed_by")) {
      if (!who.starts_with(library)) continue;
      text += (text.empty() ? "" : ", ") + Str(reading, "name");
      break;
    }
  }
  return Shorten(text, 200);
}

// "first|last" is evidence that does not tell the two apart.
std::string ReadableBits(std::string bits) {
  for (size_t at = bits.find('|'); at != bits.npos; at = bits.find('|', at + 4)) {
    bits.replace(at, 1, " or ");
  }
  return Shorten(bits, 200);
}

// What the run has shown of one entry: readings with their number of cases.
Json Followed(const Run& run, const std::string& id) {
  Json rows = Json::array();
  std::string clear;
  const Json& evidence = Object(Object(run.footer, "readings"), id.c_str());
  bool any_clear = false;
  for (const auto& [bits, use] : evidence.items()) any_clear |= bits.find('|') == bits.npos;
  for (const auto& [bits, use] : evidence.items()) {
    // Cases that fit several readings say nothing once others fit one.
    if (any_clear && bits.find('|') != bits.npos) continue;
    rows.push_back({{"reading", ReadableBits(bits)},
                    {"cases", Plural(static_cast<uint64_t>(std::max<int64_t>(Int(use, "cases"), 0)),
                                     "case")},
                    {"example", Shorten(Str(use, "example"), 500)},
                    {"deviates", false}});
  }
  const auto it = run.deviations.find(id);
  if (it == run.deviations.end()) return rows;
  for (const auto& [reading, cases] : it->second) {
    rows.push_back({{"reading", reading},
                    {"cases", Plural(cases, "case")},
                    {"example", ""},
                    {"deviates", true}});
  }
  return rows;
}

Json ReadingsRow(const Run& run, const Json& entry, const ViewOptions& options) {
  const std::string id = Str(entry, "id");
  Json libraries = Json::array();
  for (const char* library : kLibraries) {
    libraries.push_back({{"library", library}, {"reading", FollowedBy(entry, library)}});
  }
  return {{"id", Shorten(id, 100)},
          {"anchor", options.prefix + "ledger-" + Shorten(id, 100)},
          {"kind", Shorten(Str(entry, "kind"), 40)},
          {"title", Shorten(Str(entry, "title"), 300)},
          {"selected", Shorten(Str(entry, "selected"), 100)},
          {"followed", Followed(run, id)},
          {"libraries", libraries}};
}

// Worked cases of the number line, by ledger id: arithmetic of the documents' own formulas.
const Json& WorkedCases() {
  static const Json cases = [] {
    for (const TemplateFile& file : TemplateFiles()) {
      if (file.name == "number_lines.json") return Json::parse(file.text);
    }
    return Json::object();
  }();
  return cases;
}

Json LinesOf(const std::string& id) {
  Json lines = Json::array();
  for (const Json& line : Array(WorkedCases(), id.c_str())) {
    Json view = NumberLineView(line);
    view["caption"] = Str(line, "caption");
    lines.push_back(view);
  }
  return lines;
}

Json ClausesOf(const Run& run, const Json& entry) {
  Json clauses = Json::array();
  for (const std::string& id : Strings(entry, "clauses")) {
    std::string link;
    for (const Json& document : Array(run.header, "documents")) {
      if (id.starts_with(Str(document, "id") + "/")) link = SafeLink(Str(document, "link"));
    }
    if (clauses.size() < 30) clauses.push_back({{"id", Shorten(id, 200)}, {"link", link}});
  }
  return clauses;
}

Json EntryView(const Run& run, const Json& entry, const ViewOptions& options) {
  const std::string id = Str(entry, "id"), selected = Str(entry, "selected");
  Json readings = Json::array();
  for (const Json& reading : Array(entry, "readings")) {
    std::string who;
    for (const std::string& name : Strings(reading, "followed_by")) {
      who += (who.empty() ? "" : ", ") + name;
    }
    readings.push_back({{"name", Shorten(Str(reading, "name"), 100)},
                        {"statement", Shorten(Str(reading, "statement"), 1000)},
                        {"selected", Str(reading, "name") == selected},
                        {"who", Shorten(who, 300)}});
  }
  const Json lines = LinesOf(id);
  return {{"id", Shorten(id, 100)},
          {"anchor", options.prefix + "ledger-" + Shorten(id, 100)},
          {"kind", Shorten(Str(entry, "kind"), 40)},
          {"title", Shorten(Str(entry, "title"), 300)},
          {"evidence", Shorten(Str(entry, "evidence"), 3000)},
          {"effect", Shorten(Str(entry, "effect"), 1000)},
          {"clauses", ClausesOf(run, entry)},
          {"readings", readings},
          {"drawn", !lines.empty()},
          {"lines", lines}};
}

}  // namespace

Json ReadingsView(const Run& run, const ViewOptions& options) {
  Json rows = Json::array(), libraries = Json::array();
  for (const char* library : kLibraries) libraries.push_back(library);
  for (const Json& entry : Array(run.header, "ledger")) {
    // Entries with one reading are mistakes of a text; there is nothing to follow.
    if (Array(entry, "readings").size() > 1 && rows.size() < 500) {
      rows.push_back(ReadingsRow(run, entry, options));
    }
  }
  return {{"any", !rows.empty()}, {"libraries", libraries}, {"rows", rows}};
}

Json LedgerView(const Run& run, const ViewOptions& options) {
  Json entries = Json::array();
  for (const Json& entry : Array(run.header, "ledger")) {
    if (entries.size() < 500) entries.push_back(EntryView(run, entry, options));
  }
  return {{"any", !entries.empty()},
          {"count", Plural(entries.size(), "point")},
          {"entries", entries}};
}

}  // namespace poolproof::reports
