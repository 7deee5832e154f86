// Goal: what the reports say is what the results file says, whatever bytes it holds.

#include "reports/templates.h"
#include "reports/testing.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(HtmlTest, SameResultsGiveTheSameBytes) {
  const std::string path = MakeResults("same.jsonl", "--cases 500");
  EXPECT_EQ(Html(Read({path})), Html(Read({path})));
  EXPECT_EQ(Junit(Read({path})), Junit(Read({path})));
}

TEST(HtmlTest, SaysVerdictAndCounts) {
  const std::string page = Html(Read({MakeResults("verdict.jsonl", "--cases 2000")}));
  EXPECT_NE(page.find("Does not conform"), std::string::npos);
  EXPECT_NE(page.find("With --profile=openvino 20 of 20 deviations would pass."), std::string::npos);
  EXPECT_NE(page.find("no kernel for this element type"), std::string::npos);
  const std::string good = Html(Read({MakeResults("good.jsonl", "--cases 200 --conforms")}));
  EXPECT_EQ(good.find("Does not conform"), std::string::npos);
  EXPECT_NE(good.find("None of 196 cases differs from the documents. 4 more are unsupported."), std::string::npos);
}

TEST(HtmlTest, NeedsNothingFromOutside) {
  const std::string page = Html(Read({MakeResults("self.jsonl", "--cases 500")}));
  for (const char* outside : {" src=", "@import", "url(http", "<link rel=\"stylesheet\"", "fetch("}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
  EXPECT_EQ(Count(page, "<script"), 1u);
}

TEST(HtmlTest, HostileTextStaysText) {
  const Results results = Read({MakeResults("hostile.jsonl", "--hostile --cases 300")});
  const std::string page = Html(results);
  EXPECT_EQ(Count(page, "<script"), 1u);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("href=\"javascript:"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
  for (const char c : page) {
    ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') << int{c};
  }
  EXPECT_EQ(page.find("\xE2\x80\xAE"), std::string::npos);  // NOLINT: right-to-left override
}

TEST(HtmlTest, DrawsTheSmallestProblem) {
  const std::string page = Html(Read({MakeResults("draw.jsonl", "--cases 500")}));
  EXPECT_NE(page.find("Output values at [0,0,1,3]: expected 3, got -6. Its window begins at [0,2] "
                      "with [2,2] taps and holds 3, -6. 2 of 32 output elements are wrong."),
            std::string::npos);
  EXPECT_EQ(Count(page, "class=\"arrow right\""), 1u);
  EXPECT_EQ(Count(page, "class=\"arrow aim\""), 1u);
  EXPECT_NE(page.find("window 3 starts at 5: only the backend has it"), std::string::npos);
}

Json Detail(const char* text) { return Json::parse(text); }

TEST(DrawingTest, PadsComeFromWhereTheWindowLies) {
  const Json view = DrawingView(Detail(R"({"input":{"shape":[1,1,3],"values":["1","2","3"]},
    "stride":[2],"spatial":[2],"expected":[{"name":"values","shape":[1,1,2],"values":["1","3"]}],
    "got":[{"name":"values","shape":[1,1,2],"values":["1","2"]}],"wrong":[[1]],
    "first":{"output":0,"position":[0,0,1],"expected":"3","got":"2"},
    "window":{"begin":[1],"step":[1],"taps":[2],"offsets":[1,2]}})"));
  ASSERT_FALSE(view.is_null());
  std::vector<std::string> kinds;
  for (const Json& cell : ArrayOr(view["panels"][0], "cells")) kinds.push_back(StringOr(cell, "kind"));
  // Window 1 begins at 1 with stride 2, so window 0 begins at -1: one pad before the input.
  EXPECT_EQ(kinds, (std::vector<std::string>{"pad", "in", "in tap", "in tap"}));
}

TEST(DrawingTest, MarksExactlyTheWrongElements) {
  const Json view = DrawingView(Detail(R"({"input":{"shape":[1,1,2,2],"values":["1","2","3","4"]},
    "stride":[1,1],"spatial":[2,3],
    "expected":[{"name":"values","shape":[1,1,2,2],"values":["1","2","3","4"]}],
    "got":[{"name":"values","shape":[1,1,2,2],"values":["1","9","3","9"]}],"wrong":[[1,3]],
    "first":{"output":0,"position":[0,0,0,1],"expected":"2","got":"9"},
    "window":{"begin":[0,1],"step":[1,1],"taps":[1,1],"offsets":[1]}})"));
  std::vector<std::string> kinds;
  for (const Json& cell : ArrayOr(view["panels"][2], "cells")) kinds.push_back(StringOr(cell, "kind"));
  EXPECT_EQ(kinds, (std::vector<std::string>{"out", "out wrong first", "out", "out wrong"}));
}

TEST(NumberLineTest, SaysWhichWindowIsDropped) {
  const Json view = NumberLineView(Detail(R"({"axis":"H","size":5,"pad_begin":1,"pad_end":1,
    "kernel":2,"stride":2,"dilation":1,"starts":[-1,1,3,5],"dropped":[5],"why":"w"})"));
  EXPECT_EQ(StringOr(view["windows"][3], "label"), "window 3 starts at 5: dropped");
  EXPECT_EQ(StringOr(view["windows"][2], "label"), "window 2 starts at 3");
  EXPECT_EQ(view["cells"].size(), 8u);  // -1 .. 6: the last window ends where the padding ends
}

TEST(MatrixTest, CountsEachAttributeValueOnce) {
  std::vector<AttributeCounts> all = EmptyAttributes(Detail(R"({"attributes":[
    {"name":"kernel","key":"k"},{"name":"rounding_type","key":"r","words":["floor","ceil"]}]})"));
  CountAttributes("Op f32 in=1x9x9 k=3x2 r=ceil", Verdict::kPass, &all);
  CountAttributes("Op f32 in=1x9x9 k=8 r=up", Verdict::kFail, &all);
  CountAttributes("Op f32 in=1x9x9", Verdict::kPass, &all);
  std::map<std::string, uint64_t> counts;
  for (const AttributeCounts& attribute : all) {
    for (const ValueCounts& value : attribute.values) {
      if (value.counts.Total() > 0) counts[attribute.key + " " + value.value] = value.counts.Total();
    }
  }
  EXPECT_EQ(counts, (std::map<std::string, uint64_t>{{"k 3", 1},
                                                     {"k per axis", 1},
                                                     {"k 8 and above", 1},
                                                     {"k absent", 1},
                                                     {"r ceil", 1},
                                                     {"r any other word", 1},
                                                     {"r absent", 1}}));
}

Json Group(int number, const char* verdict, int cases, const char* cause = "") {
  Json group = {{"group", number}, {"verdict", verdict}, {"cases", cases}};
  if (cause[0] != '\0') group["cause"] = {{"id", cause}, {"title", cause}};
  return group;
}

TEST(GroupsTest, ThreeLargestFirstThenWorstAndTrivialOnesFolded) {
  reports::Run run;
  run.counts[Verdict::kFail] = 10'000;
  run.groups = {Group(1, "crash", 1),     Group(2, "fail", 3000),     Group(3, "fail", 2, "known"),
                Group(4, "fail", 3),      Group(5, "deviates", 5000), Group(6, "deviates", 1900),
                Group(7, "missing", 9000)};
  run.group_count = run.groups.size();
  const Json view = GroupsView(run, {});
  std::vector<int64_t> order, open;
  for (const Json& group : ArrayOr(view, "groups")) {
    order.push_back(IntOr(group, "number"));
    if (BoolOr(group, "open")) open.push_back(IntOr(group, "number"));
  }
  EXPECT_EQ(order, (std::vector<int64_t>{5, 2, 6, 1, 3, 4, 7}));
  EXPECT_EQ(open, (std::vector<int64_t>{5, 2, 6, 1, 3}));
  EXPECT_EQ(StringOr(view["groups"][0], "heading"), "The three largest");
  EXPECT_EQ(StringOr(view["groups"][3], "heading"), "The others, worst first");
}

TEST(GroupsTest, MostFrequentReadingExplainsAGroupWithoutCause) {
  reports::Run run;
  run.groups = {Group(1, "deviates", 9), Group(2, "fail", 8, "known"), Group(3, "fail", 7)};
  run.group_count = 3;
  run.group_deviations[1] = run.group_deviations[2] = run.group_deviations[3] = {{"a=x", 1}, {"b=y", 8}};
  const Json view = GroupsView(run, {});
  EXPECT_EQ(StringOr(view["groups"][0]["explained_by"], "entry"), "b");
  EXPECT_EQ(view["groups"][0]["deviations"].size(), 1u);
  EXPECT_EQ(view["groups"][1]["explained_by"], false);
  EXPECT_EQ(view["groups"][1]["deviations"].size(), 2u);
  // Where most fail, how a few look is no explanation.
  EXPECT_EQ(view["groups"][2]["explained_by"], false);
  EXPECT_EQ(StringOr(view["groups"][2], "title").find("Follows"), std::string::npos);
}

TEST(HtmlTest, CausesStandBeforeWhatRanAndDocumentsLast) {
  const std::string page = Html(Read({MakeResults("order.jsonl", "--cases 500")}));
  size_t last = 0;
  for (const char* id : {"verdict", "discrepancies", "ran", "types", "cases", "documents", "glossary"}) {
    const size_t at = page.find("<section id=\"" + std::string(id) + "\"");
    ASSERT_NE(at, std::string::npos) << id;
    EXPECT_GT(at, last) << id;
    last = at;
  }
}

TEST(HtmlTest, ListsTheCausesAboveThem) {
  EXPECT_EQ(Count(Html(Read({MakeResults("few_causes.jsonl", "--cases 500")})), "<details class=\"contents\">"), 0u);
  const std::string page = Html(Read({MakeResults("causes.jsonl", "--cases 1500 --causes 9")}));
  const size_t list = page.find("<ol class=\"contents\""), folded = page.find("<summary>4 more causes</summary>");
  ASSERT_NE(list, std::string::npos);
  ASSERT_NE(folded, std::string::npos);
  EXPECT_EQ(Count(page.substr(list, folded - list), "<a href=\"#group-"), 5u);
  EXPECT_LT(folded, page.find("<section id=\"discrepancies\""));
}

// As another run is started with them, they are typed again.
TEST(ReproduceTest, IsTheWholeCommand) {
  const std::string derived = " --backend=build/lib/libsample.so --backend-option=threads=1";
  Results results = Read({MakeResults("command.jsonl", "--cases 500")});
  EXPECT_NE(Html(results).find(derived + "</code>"), std::string::npos);
  EXPECT_NE(Junit(results).find(derived + "\n"), std::string::npos);
  results.runs[0].reproduce = {"bin/poolproof reproduce", " --backend=./x.so --allow-read=/opt"};
  for (const std::string& text : {Html(results), Junit(results)}) {
    EXPECT_EQ(text.find(derived), std::string::npos);
    EXPECT_NE(text.find("bin/poolproof reproduce"), std::string::npos);
    EXPECT_NE(text.find(" --backend=./x.so --allow-read=/opt"), std::string::npos);
  }
}

TEST(GlossaryTest, ExplainsEachWordThatATemplateMarks) {
  const std::string open = "{{#term}}", close = "{{/term}}";
  size_t words = 0;
  for (const TemplateFile& file : TemplateFiles()) {
    for (size_t at = file.text.find(open); at != file.text.npos; at = file.text.find(open, at + 1)) {
      const size_t begin = at + open.size();
      const std::string word(file.text.substr(begin, file.text.find(close, at) - begin));
      if (word.starts_with("{{")) continue;
      EXPECT_TRUE(Explained(word).starts_with("<a class=\"term\" href=\"#glossary-")) << word;
      ++words;
    }
  }
  EXPECT_GT(words, 10u);
  EXPECT_EQ(Explained("&lt;b&gt;"), "&lt;b&gt;");
  const std::string sentence = Explained("two Readings, one &quot;silence&quot;");
  EXPECT_TRUE(sentence.starts_with("two <a class=\"term\" href=\"#glossary-reading\""));
  EXPECT_TRUE(sentence.ends_with(">Readings</a>, one &quot;" + Explained("silence") + "&quot;"));
  const std::string page = Html(Read({MakeResults("glossary.jsonl", "--cases 500")}));
  const Json glossary = GlossaryView();
  for (const Json& entry : ArrayOr(glossary, "words")) {
    EXPECT_EQ(Count(page, "id=\"" + StringOr(entry, "anchor") + "\""), 1u);
  }
}

// Counts of an operator by section, type and verdict.
OperatorTally Tallied(const std::vector<std::tuple<std::string, std::string, Verdict>>& cases) {
  OperatorTally op;
  op.spec_types = {"f32", "f16"};
  for (const auto& [section, type, verdict] : cases) {
    ++op.counts[verdict];
    ++op.types[type][verdict];
    ++op.parts[{section, type}].counts[verdict];
  }
  return op;
}

TEST(MatrixTest, RefusingInvalidCallsIsNoSupport) {
  EXPECT_FALSE(Tallied({{"invalid", "f32", Verdict::kPass}, {"random", "f32", Verdict::kUnsupported}}).Supports());
  EXPECT_TRUE(Tallied({{"invalid", "f32", Verdict::kPass}}).Supports());
  EXPECT_TRUE(
      Tallied({{"invalid", "f32", Verdict::kWronglyAccepted}, {"random", "f32", Verdict::kUnsupported}}).Supports());
}

TEST(MatrixTest, FoldsWhatTheBackendDoesNotHave) {
  reports::Run run;
  run.operators = {Tallied({{"random", "f32", Verdict::kPass},
                            {"random", "f16", Verdict::kUnsupported},
                            {"invalid", "i8", Verdict::kPass}}),
                   Tallied({{"random", "f32", Verdict::kUnsupported}})};
  run.operators[0].name = "Some";
  run.operators[1].name = "None";
  const Json view = TypeMatrixView(run);
  ASSERT_EQ(view["tables"].size(), 1u);
  const Json& row = view["tables"][0]["rows"][0];
  EXPECT_EQ(view["tables"][0]["types"], (Json{"f32", "f16"}));
  EXPECT_EQ(StringOr(row["cells"][0], "symbol"), "✓");
  EXPECT_EQ(StringOr(row["cells"][1], "word"), "unsupported");
  EXPECT_EQ(StringOr(row["others"], "text"), "1");
  ASSERT_EQ(view["none"].size(), 1u);
  EXPECT_EQ(StringOr(view["none"][0], "operator"), "None");
}

TEST(PerformanceTest, OrdersAllContestantsByTime) {
  const Json view = PerformanceView(Detail(R"({"cpu":"c","threads":1,"workloads":[
    {"workload":"max a","ours_us":2,"memcpy_us":1,"plain_us":9,"peers":{"x":4,"broken":0},
     "any_layout":{"y":1.5}}]})"));
  ASSERT_EQ(view["families"].size(), 1u);
  std::vector<std::string> names;
  for (const Json& row : view["families"][0]["plots"][0]["rows"]) names.push_back(StringOr(row, "name"));
  EXPECT_EQ(names, (std::vector<std::string>{"copy (limit)", "y", "poolproof", "x", "plain loops"}));
  EXPECT_EQ(StringOr(view, "wins"),
            "poolproof is fastest in 1 of 1 workload among libraries that take the "
            "same layout, in 0 of 1 among all.");
}

TEST(CompareTest, FoldsEqualOutcomesAndNamesWhatIsNew) {
  const Results results =
      Read({MakeResults("old.jsonl", "--cases 500"), MakeResults("new.jsonl", "--cases 500 --fixed")});
  ASSERT_TRUE(results.comparison);
  uint64_t cases = 0;
  for (const OutcomeRow& row : results.comparison->rows) cases += row.cases;
  EXPECT_EQ(cases, 500u);
  EXPECT_LT(results.comparison->rows.size(), 30u);
  ASSERT_EQ(results.comparison->changes.size(), 1u);
  // Cases 3, 100, 197 ... fail in the first file, 5, 102, 199 ... in the second.
  EXPECT_EQ(results.comparison->changes[0].broken.count, 6u);
  EXPECT_EQ(results.comparison->changes[0].fixed.count, 6u);
  EXPECT_NE(Html(results).find("6 new</b> discrepancies"), std::string::npos);
}

TEST(CompareTest, LinesWithFailuresStandApartFromSupport) {
  Comparison comparison;
  const auto row = [](Verdict first, Verdict second) {
    return OutcomeRow{"Op", {static_cast<Outcome>(first), static_cast<Outcome>(second)}, 1, "id"};
  };
  comparison.rows = {row(Verdict::kPass, Verdict::kUnsupported), row(Verdict::kUnsupported, Verdict::kFail),
                     row(Verdict::kFail, Verdict::kFail)};
  const Json view = ComparisonView(comparison, {});
  EXPECT_EQ(view["failing"]["rows"].size(), 1u);
  EXPECT_EQ(view["support"]["rows"].size(), 1u);
  EXPECT_EQ(view["same"]["rows"].size(), 1u);
}

TEST(CompareTest, OtherBackendsAreNotNewOrFixed) {
  const Results results =
      Read({MakeResults("a.jsonl", "--cases 200"), MakeResults("b.jsonl", "--cases 200 --fixed --backend other")});
  EXPECT_TRUE(results.comparison->changes.empty());
}

TEST(GroupTest, EveryReportSaysWhatAGroupMeansOnNetworks) {
  const Results results = Read({MakeResults("layers.jsonl", "--cases 300")});
  const std::string text =
      "42 of 640 published layers match where it fails, in 17 networks, ResNet-50 first; of 30 that were run 12 fail";
  EXPECT_NE(Html(results).find("<dd>" + text + ".</dd>"), std::string::npos);
  EXPECT_NE(Markdown(results).find(text), std::string::npos);
  const Json summary = Json::parse(JsonSummary(results));
  EXPECT_EQ(summary["groups"][0]["layers"], text);
  EXPECT_EQ(summary["groups"][1]["layers"], "");
}

}  // namespace
}  // namespace poolproof::reports
