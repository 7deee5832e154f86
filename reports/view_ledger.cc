#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/format/text.h"
#include "reports/templates.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr std::array<const char*, 4> kLibraries = {"OpenVINO", "PyTorch", "ONNX Runtime", "oneDNN"};

// Readings that a library is known to follow.
std::string FollowedBy(const Json& entry, std::string_view library) {
  std::string text;
  for (const Json& reading : ArrayOr(entry, "readings")) {
    for (const std::string& who : StringsOf(reading, "followed_by")) {
      if (!who.starts_with(library)) continue;
      text += (text.empty() ? "" : ", ") + StringOr(reading, "name");
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

Json FollowedRow(const std::string& reading, uint64_t cases, bool deviates) {
  return {{"reading", reading}, {"cases", Plural(cases, "case")}, {"deviates", deviates}, {"mixed", false}};
}

// Evidence of the run for one entry: readings with their number of cases. Cases that fit several
// readings say nothing once others fit one.
Json Followed(const Run& run, const std::string& id) {
  const Json& evidence = ObjectOr(ObjectOr(run.footer, "readings"), id.c_str());
  const auto deviations = run.deviations.find(id);
  size_t clear = 0;
  for (const auto& [bits, use] : evidence.items()) clear += bits.find('|') == bits.npos ? 1 : 0;
  Json rows = Json::array();
  for (const auto& [bits, use] : evidence.items()) {
    const bool several = bits.find('|') != bits.npos;
    if (several && (clear > 0 || deviations != run.deviations.end())) continue;
    const int64_t cases = std::max<int64_t>(IntOr(use, "cases"), 0);
    rows.push_back(FollowedRow(ReadableBits(bits), static_cast<uint64_t>(cases), false));
    rows.back()["mixed"] = clear > 1 || deviations != run.deviations.end();
  }
  if (deviations == run.deviations.end()) return rows;
  for (const auto& [reading, cases] : deviations->second) {
    rows.push_back(FollowedRow(reading, cases, true));
  }
  return rows;
}

Json ReadingsRow(const Run& run, const Json& entry, const ViewOptions& options) {
  const std::string id = StringOr(entry, "id");
  Json libraries = Json::array();
  for (const char* library : kLibraries) {
    libraries.push_back({{"library", library}, {"reading", FollowedBy(entry, library)}});
  }
  return {{"id", Shorten(id, 100)},
          {"anchor", options.prefix + "ledger-" + Shorten(id, 100)},
          {"kind", Shorten(StringOr(entry, "kind"), 40)},
          {"title", Shorten(StringOr(entry, "title"), 300)},
          {"selected", Shorten(StringOr(entry, "selected"), 100)},
          {"followed", Followed(run, id)},
          {"libraries", libraries}};
}

bool Deviates(const Json& row) {
  const Json& followed = ArrayOr(row, "followed");
  return std::any_of(followed.begin(), followed.end(), [](const Json& reading) { return BoolOr(reading, "deviates"); });
}

// Worked cases of the number line, by ledger id: arithmetic of the documents' own formulas.
const Json& WorkedCases() {
  Error unused;  // it is a file of ours
  static const Json cases = ParseStrictly(TemplateText("number_lines.json"), &unused).value();
  return cases;
}

Json LinesOf(const std::string& id) {
  Json lines = Json::array();
  for (const Json& line : ArrayOr(WorkedCases(), id.c_str())) {
    Json view = NumberLineView(line);
    view["caption"] = StringOr(line, "caption");
    lines.push_back(view);
  }
  return lines;
}

Json ClausesOf(const Run& run, const Json& entry) {
  Json clauses = Json::array();
  for (const std::string& id : StringsOf(entry, "clauses")) {
    std::string link;
    for (const Json& document : ArrayOr(run.header, "documents")) {
      if (id.starts_with(StringOr(document, "id") + "/")) link = SafeLink(StringOr(document, "link"));
    }
    if (clauses.size() < 30) clauses.push_back({{"id", Shorten(id, 200)}, {"link", link}});
  }
  return clauses;
}

Json EntryView(const Run& run, const Json& entry, const ViewOptions& options) {
  const std::string id = StringOr(entry, "id"), selected = StringOr(entry, "selected");
  Json readings = Json::array();
  for (const Json& reading : ArrayOr(entry, "readings")) {
    readings.push_back({{"name", Shorten(StringOr(reading, "name"), 100)},
                        {"statement", Shorten(StringOr(reading, "statement"), 1000)},
                        {"selected", StringOr(reading, "name") == selected},
                        {"who", Shorten(fmt::format("{}", fmt::join(StringsOf(reading, "followed_by"), ", ")), 300)}});
  }
  return {{"id", Shorten(id, 100)},
          {"anchor", options.prefix + "ledger-" + Shorten(id, 100)},
          {"kind", Shorten(StringOr(entry, "kind"), 40)},
          {"title", Shorten(StringOr(entry, "title"), 300)},
          {"evidence", Shorten(StringOr(entry, "evidence"), 3000)},
          {"effect", Shorten(StringOr(entry, "effect"), 1000)},
          {"clauses", ClausesOf(run, entry)},
          {"readings", readings},
          {"lines", LinesOf(id)}};
}

}  // namespace

Json ReadingsView(const Run& run, const ViewOptions& options) {
  Json shown = Json::array(), rest = Json::array(), libraries = Json::array();
  for (const char* library : kLibraries) libraries.push_back(library);
  for (const Json& entry : ArrayOr(run.header, "ledger")) {
    // Entries with one reading are mistakes of a text; there is nothing to follow.
    if (ArrayOr(entry, "readings").size() < 2 || shown.size() + rest.size() >= 500) continue;
    Json row = ReadingsRow(run, entry, options);
    (row["followed"].empty() ? rest : shown).push_back(std::move(row));
  }
  std::stable_partition(shown.begin(), shown.end(), Deviates);
  return {{"any", !shown.empty() || !rest.empty()},
          {"libraries", libraries},
          {"shown", {{"label", "readings"}, {"caption", "Readings that the backend showed"}, {"rows", shown}}},
          {"rest",
           {{"label", "other readings"},
            {"caption", "Readings that the backend did not show"},
            {"rows", rest},
            {"count", Plural(rest.size(), "more point")},
            {"alone", shown.empty()}}}};
}

Json LedgerView(const Run& run, const ViewOptions& options) {
  Json entries = Json::array();
  for (const Json& entry : ArrayOr(run.header, "ledger")) {
    if (entries.size() < 500) entries.push_back(EntryView(run, entry, options));
  }
  return {{"count", Plural(entries.size(), "point")}, {"entries", entries}};
}

}  // namespace poolproof::reports
