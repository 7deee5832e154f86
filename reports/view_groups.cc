#include <fmt/format.h>

#include <algorithm>

#include "conformance/format/layers.h"
#include "conformance/format/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr size_t kMaxDrawn = 60;     // groups with a drawing
constexpr size_t kMaxShown = 300;    // groups shown at all
constexpr size_t kLargest = 3;       // groups shown first
constexpr size_t kListed = 5;        // groups in the list of contents that is not folded
constexpr size_t kOpen = 12;         // groups unfolded from the start, at most
constexpr size_t kMaxLine = 20'000;  // bytes of a problem line
constexpr uint64_t kTrivial = 100;   // one in this number of cases makes no cause

const Json& LedgerEntry(const Run& run, const std::string& id) {
  static const Json none = Json::object();
  for (const Json& entry : ArrayOr(run.header, "ledger")) {
    if (StringOr(entry, "id") == id) return entry;
  }
  return none;
}

std::string Statement(const Json& entry, const std::string& reading) {
  for (const Json& r : ArrayOr(entry, "readings")) {
    if (StringOr(r, "name") == reading) return StringOr(r, "statement");
  }
  return "";
}

uint64_t Number(const Json& group) { return static_cast<uint64_t>(IntOr(group, "group")); }

// The readings that explain a group of deviations, most frequent first.
Json DeviationsView(const Run& run, uint64_t group, const ViewOptions& options) {
  Json view = Json::array();
  const auto it = run.group_deviations.find(group);
  if (it == run.group_deviations.end()) return view;
  for (const auto& [key, cases] : it->second) {
    const size_t equals = key.rfind('=');
    const std::string id = key.substr(0, equals), reading = key.substr(equals + 1);
    const Json& entry = LedgerEntry(run, id);
    view.push_back({{"entry", id},
                    {"reading", reading},
                    {"selected", StringOr(entry, "selected")},
                    {"title", StringOr(entry, "title")},
                    {"statement", Statement(entry, reading)},
                    {"selected_statement", Statement(entry, StringOr(entry, "selected"))},
                    {"effect", StringOr(entry, "effect")},
                    {"anchor", entry.empty() ? "" : options.prefix + "ledger-" + id},
                    {"count", cases},
                    {"cases", Plural(cases, "case")}});
  }
  std::stable_sort(view.begin(), view.end(),
                   [](const Json& a, const Json& b) { return IntOr(a, "count") > IntOr(b, "count"); });
  return view;
}

// The ledger entry that a group reads in two ways.
Json OpenPoint(const Run& run, const Json& group, const ViewOptions& options) {
  const Json& entry = LedgerEntry(run, StringOr(group, "signature"));
  if (entry.empty() || StringOr(group, "verdict") != "inconsistent") return false;
  const std::string id = Shorten(StringOr(entry, "id"), 100);
  return {{"id", id}, {"anchor", options.prefix + "ledger-" + id}, {"title", Shorten(StringOr(entry, "title"), 300)}};
}

Json ClauseView(const Run& run, const Json& clause) {
  if (clause.empty()) return false;
  std::string title = StringOr(clause, "document");
  for (const Json& document : ArrayOr(run.header, "documents")) {
    if (StringOr(document, "id") == StringOr(clause, "document")) title = StringOr(document, "title");
  }
  return {{"id", Shorten(StringOr(clause, "id"), 200)},
          {"title", Shorten(StringOr(clause, "title"), 300)},
          {"statement", Shorten(StringOr(clause, "statement"), 1000)},
          {"document", Shorten(title, 300)},
          {"link", SafeLink(StringOr(clause, "link"))}};
}

// A few deviations in a group of failures say how those cases look, not what is wrong.
bool FollowsReading(const Json& group) {
  return ObjectOr(group, "cause").empty() &&
         (!StringOr(group, "reading").empty() || StringOr(group, "verdict") == "deviates");
}

std::string Title(const Json& group, const Json& deviations) {
  const std::string cause = StringOr(ObjectOr(group, "cause"), "title");
  if (!cause.empty()) return Shorten(Capitalized(cause), 300);
  const std::string reading = StringOr(group, "reading");
  if (!reading.empty()) return Shorten("Follows " + reading, 300);
  if (FollowsReading(group) && !deviations.empty()) {
    std::string text = "Follows ";
    for (size_t i = 0; i < deviations.size() && i < 3; ++i) {
      text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", StringOr(deviations[i], "entry"),
                          StringOr(deviations[i], "reading"));
    }
    return Shorten(text, 300);
  }
  std::string message = StringOr(group, "message");
  // Which two cases contradict each other is said below the title.
  if (StringOr(group, "verdict") == "inconsistent") message = message.substr(0, message.find(": "));
  if (!message.empty()) return Shorten(message, 200);
  const auto verdict = FindVerdict(StringOr(group, "verdict"));
  return std::string(verdict ? Facts(*verdict).meaning : "no diagnosis");
}

// Effects of causes are clauses: "means come out too small".
std::string AsSentence(const std::string& clause) {
  if (clause.empty()) return "";
  return Capitalized(clause) + (clause.back() == '.' ? "" : ".");
}

// A file in the page itself, so that the report stays one file.
std::string DataLink(const std::string& text) {
  return text.empty() || text.size() > 200'000 ? "" : "data:application/octet-stream;base64," + Base64(text);
}

// Inputs, expected and got where no drawing is possible.
Json TensorsView(const Json& detail) {
  Json rows = Json::array();
  const auto add = [&rows](const std::string& role, const Json& tensor) {
    if (tensor.empty()) return;
    rows.push_back({{"role", Shorten(role + " " + StringOr(tensor, "name"), 100)},
                    {"type", Shorten(StringOr(tensor, "type"), 40)},
                    {"shape", Shorten(fmt::format("{}", fmt::join(IntsOf(tensor, "shape"), " × ")), 200)},
                    {"values", Shorten(fmt::format("{}", fmt::join(StringsOf(tensor, "values"), ", ")), 600)}});
  };
  add("input", ObjectOr(detail, "input"));
  for (const Json& output : ArrayOr(detail, "expected")) add("expected", output);
  for (const Json& output : ArrayOr(detail, "got")) add("got", output);
  return rows;
}

std::string StatusText(const Json& detail) {
  const std::string want = StringOr(detail, "expected_status"), got = StringOr(detail, "got_status");
  if (want.empty() || got.empty() || want == got) return "";
  return fmt::format("Expected the answer {}, got {}.", Shorten(want, 60), Shorten(got, 60));
}

void AddSmallest(const Json& group, size_t number, Json* view) {
  const Json& smallest = ObjectOr(group, "smallest");
  const Json& detail = ObjectOr(smallest, "detail");
  const Json drawing = number < kMaxDrawn ? DrawingView(detail) : Json();
  const Json lines = number < kMaxDrawn ? ShapeLinesView(detail) : Json::array();
  (*view)["line"] = Shorten(StringOr(smallest, "line"), kMaxLine);
  (*view)["status"] = StatusText(detail);
  (*view)["c"] = DataLink(StringOr(smallest, "c"));
  const Json& vector = ObjectOr(smallest, "vector");
  (*view)["vector"] = DataLink(vector.empty() ? "" : vector.dump(1) + "\n");
  (*view)["files"] = !StringOr(*view, "c").empty() || !vector.empty();
  (*view)["drawing"] = drawing.is_null() ? Json(false) : drawing;
  (*view)["lines"] = lines;
  const Json tensors = drawing.is_null() ? TensorsView(detail) : Json::array();
  (*view)["tensors"] = tensors;
}

uint64_t Cases(const Json& group) { return static_cast<uint64_t>(std::max<int64_t>(IntOr(group, "cases"), 0)); }

// Whether a group is more than a handful of cases that nothing explains. What is worse than a wrong
// answer always is.
bool IsReal(const Run& run, const Json& group) {
  const auto verdict = FindVerdict(StringOr(group, "verdict"));
  if (!verdict || verdict == Verdict::kMissing) return false;
  return !ObjectOr(group, "cause").empty() || !StringOr(group, "reading").empty() ||
         Facts(*verdict).severity > Facts(Verdict::kFail).severity || Cases(group) * kTrivial >= run.counts.Bad();
}

// The largest causes, then the others, worst first as in the run.
std::vector<const Json*> InOrder(const Run& run) {
  std::vector<const Json*> order;
  for (const Json& group : run.groups) order.push_back(&group);
  const auto size = [](const Json* group) { return StringOr(*group, "verdict") == "missing" ? 0 : Cases(*group); };
  // Where there is a baseline, what is new comes first as it is.
  if (run.HasBaseline()) return order;
  for (size_t i = 0; i < std::min(kLargest, order.size()); ++i) {
    const auto from = order.begin() + static_cast<std::ptrdiff_t>(i);
    const auto largest =
        std::max_element(from, order.end(), [&size](const Json* a, const Json* b) { return size(a) < size(b); });
    std::rotate(from, largest, largest + 1);
  }
  return order;
}

std::string Heading(size_t place, size_t count) {
  if (count <= kLargest) return "";
  return place == 0 ? "The three largest" : place == kLargest ? "The others, worst first" : "";
}

// Where there is a baseline: of each standing above its first group.
std::string HeadingOf(const Run& run, const Json& group, size_t place) {
  if (!run.HasBaseline()) return Heading(place, run.group_count);
  const Standing standing = StandingOf(group);
  if (place > 0 && StandingOf(run.groups[place - 1]) == standing) return "";
  const std::string text = run.standings.Text(standing);
  return standing == Standing::kNew       ? "New: " + text
         : standing == Standing::kChanged ? "Changed: " + text
                                          : "Known, as the baseline expects: " + text;
}

// The reading that explains a group without a known cause, taken out of all that its cases look like.
Json TakeExplanation(const Json& group, Json* deviations) {
  if (!FollowsReading(group) || deviations->empty()) return false;
  Json first = deviations->front();
  deviations->erase(0);
  return first;
}

// Says what the group means on layers of published networks; empty where nothing is known.
std::string LayersText(const Json& group) {
  PublishedLayers layers;
  Error unused;  // the reader has checked it
  const Json& value = ObjectOr(group, "layers");
  if (value.empty() || !ReadKeys(value, &layers, &unused)) return "";
  return Shorten(layers.Text(), 500);
}

// How many cases the list of contents says: with their standing, since a cause may be there with several.
std::string ListedCases(const Run& run, const Json& group) {
  return Plural(Cases(group), run.HasBaseline() ? fmt::format("{} case", StandingName(StandingOf(group))) : "case");
}

Json GroupView(const Run& run, const Json& group, size_t place, const ViewOptions& options) {
  const uint64_t number = Number(group);
  const Json& cause = ObjectOr(group, "cause");
  Json deviations = DeviationsView(run, number, options);
  const auto verdict = FindVerdict(StringOr(group, "verdict"));
  Json first = Json::array();
  for (const std::string& id : StringsOf(group, "first")) {
    if (first.size() < 10) first.push_back(Shorten(id, 500));
  }
  const uint64_t cases = Cases(group);
  const std::string message = StringOr(group, "message");
  const std::string title = Title(group, deviations);
  const Json explanation = TakeExplanation(group, &deviations);
  Json view = {{"number", number},
               {"anchor", fmt::format("{}group-{}", options.prefix, number)},
               {"tag", VerdictTag(verdict.value_or(Verdict::kMissing))},
               {"title", title},
               {"standing", std::string(StandingName(StandingOf(group)))},
               {"cases", Plural(cases, "case")},
               {"listed_cases", ListedCases(run, group)},
               {"heading", HeadingOf(run, group, place)},
               {"open", place < kLargest || (place < kOpen && IsReal(run, group))},
               {"operators", Listed(StringsOf(group, "operators"), 6)},
               {"matrix", MatrixLinks(run, group)},
               {"message", message == title ? "" : Shorten(message, 2000)},
               {"cause", Shorten(StringOr(cause, "id"), 100)},
               {"where", Shorten(StringOr(group, "where"), 500)},
               {"evidence", Shorten(Capitalized(StringOr(group, "evidence")), 500)},
               {"layers", Capitalized(LayersText(group))},
               {"effect", AsSentence(Shorten(StringOr(cause, "effect"), 1000))},
               {"cause_link", SafeLink(StringOr(cause, "link"))},
               {"explained_by", explanation},
               {"deviations", deviations},
               {"open_point", OpenPoint(run, group, options)},
               {"clause", ClauseView(run, ObjectOr(group, "clause"))},
               {"more_cases", cases > first.size()},
               {"first", first}};
  AddSmallest(group, place, &view);
  const std::string line = StringOr(view, "line");
  view["command"] = line.empty() ? "" : run.Reproduce(line, Shorten(StringOr(group, "with"), kMaxLine));
  return view;
}

// The list of causes above them: a screenful, then the others, folded.
Json ContentsView(const Json& groups) {
  if (groups.size() < 2) return false;
  const auto end = groups.begin() + static_cast<std::ptrdiff_t>(std::min(kListed, groups.size()));
  const size_t rest = groups.size() - static_cast<size_t>(end - groups.begin());
  return {{"first", Json(groups.begin(), end)},
          {"rest", Json(end, groups.end())},
          {"more", rest == 0 ? "" : Plural(rest, "more cause")}};
}

}  // namespace

std::string GroupTitle(const Run& run, const Json& group) {
  return Title(group, DeviationsView(run, Number(group), {}));
}

Json GroupsView(const Run& run, const ViewOptions& options) {
  Json groups = Json::array();
  for (const Json* group : InOrder(run)) {
    if (groups.size() == kMaxShown) break;
    groups.push_back(GroupView(run, *group, groups.size(), options));
  }
  const size_t hidden = run.group_count - groups.size();
  return {{"groups", groups},
          {"contents", ContentsView(groups)},
          {"hidden", hidden == 0 ? "" : Plural(hidden, "more group")}};
}

}  // namespace poolproof::reports
