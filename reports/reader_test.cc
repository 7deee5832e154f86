// Goal: a results file is read as it is or refused with one sentence that names file, line and value.
#include <sys/stat.h>

#include "conformance/format/compressor.h"
#include "conformance/format/line_file.h"
#include "reports/testing.h"

namespace poolproof::reports {
namespace {

constexpr char kHeader[] = R"({"poolproof_results":1,"backend":{"name":"b","version":"1"}})"
                           "\n";
constexpr char kCase[] = R"({"n":0,"id":"Op f32 in=1","section":"random","verdict":"pass"})"
                         "\n";
constexpr char kFail[] = R"({"n":3,"id":"Op f32 in=2","section":"random","verdict":"fail","group":1})"
                         "\n";
constexpr char kGroup[] = R"({"group":1,"verdict":"fail","cases":1})"
                          "\n";
constexpr char kFooter[] = R"({"footer":{"planned":1,"counts":{"pass":1},"conforms":true}})"
                           "\n";
constexpr char kFooter2[] = R"({"footer":{"planned":2,"counts":{"pass":1,"fail":1},"conforms":false}})"
                            "\n";

std::string Text(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// Why a file of these lines is refused, without its path.
std::string Why(std::initializer_list<std::string> parts) {
  const std::string path = WriteText("why.jsonl", Text(parts));
  const std::string refusal = Refusal(path);
  EXPECT_EQ(refusal.rfind(path + ":", 0), 0u) << refusal;
  EXPECT_EQ(refusal.back(), '.');
  EXPECT_EQ(refusal.find('\n'), refusal.npos);
  return refusal.substr(path.size() + 1);
}

TEST(ReaderTest, ReadsWhatIsThere) {
  const Results results = Read({WriteText("good.jsonl", Text({kHeader, kCase, kFooter}))});
  EXPECT_EQ(results.runs[0].counts[Verdict::kPass], 1u);
  EXPECT_EQ(results.runs[0].Title(), "b 1");
  EXPECT_TRUE(results.runs[0].Conforms());
  const Results bad = Read({WriteText("bad.jsonl", Text({kHeader, kCase, kFail, kGroup, kFooter2}))});
  EXPECT_EQ(bad.runs[0].counts[Verdict::kFail], 1u);
  EXPECT_EQ(bad.runs[0].groups.size(), 1u);
}

TEST(ReaderTest, PlainLinesAndOthersAreReadAlike) {
  const std::string odd = Replaced(kCase, "{", "{ ");  // a space, which no run writes
  const Results results = Read({WriteText("odd_form.jsonl", Text({kHeader, odd, kFooter}))});
  EXPECT_EQ(results.runs[0].operators[0].name, "Op");
  EXPECT_EQ(results.runs[0].counts[Verdict::kPass], 1u);
}

// The lines of a file, and in `error` why there are no more.
std::vector<std::string> LinesOf(const std::string& path, bool may_be_cut, std::string* error) {
  LineFile file;
  EXPECT_TRUE(file.Open(path, error));
  if (may_be_cut) file.MayBeCut();
  std::vector<std::string> lines;
  std::string_view line;
  while (file.Next(&line, error) == LineFile::Got::kLine) {
    if (file.Complete()) lines.emplace_back(line);
  }
  return lines;
}

// Three additions, the second a frame's last, and how long the file was after each.
std::string Compressed(std::vector<size_t>* lengths) {
  Compressor compressor;
  std::string bytes;
  for (const char* lines : {"one\ntwo\n", "three\nfour\n", "five\n"}) {
    compressor.Add(lines, &bytes);
    if (lines[0] == 't') compressor.End(&bytes);
    lengths->push_back(bytes.size());
  }
  compressor.End(&bytes);
  return bytes;
}

TEST(CompressedTest, WhatWasAddedIsReadWhereverTheFileIsCut) {
  const std::vector<std::string> all = {"one", "two", "three", "four", "five"};
  const size_t lines_of[] = {2, 4, 5};
  std::vector<size_t> lengths;
  const std::string bytes = Compressed(&lengths);
  for (size_t length = 4; length <= bytes.size(); ++length) {
    const std::string path = WriteText("cut.zst", bytes.substr(0, length));
    std::string error;
    const std::vector<std::string> lines = LinesOf(path, true, &error);
    EXPECT_EQ(error, "") << length;
    size_t least = 0;
    for (size_t i = 0; i < lengths.size(); ++i) least = length >= lengths[i] ? lines_of[i] : least;
    ASSERT_GE(lines.size(), least) << length;
    EXPECT_TRUE(std::equal(lines.begin(), lines.end(), all.begin()));
    LinesOf(path, false, &error);
    const bool whole = length == bytes.size() || length == lengths[1];
    EXPECT_EQ(error.empty(), whole) << length;
    EXPECT_EQ(error.find(": the compressed data are cut off.") != error.npos, !whole) << error;
  }
}

TEST(CompressedTest, NoChangedByteGoesUnseen) {
  std::vector<size_t> lengths;
  const std::string bytes = Compressed(&lengths);
  const std::vector<std::string> all = {"one", "two", "three", "four", "five"};
  size_t refused = 0;
  for (size_t at = 4; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x11);
    std::string error;
    const std::vector<std::string> lines = LinesOf(WriteText("changed.zst", changed), false, &error);
    EXPECT_TRUE(!error.empty() || lines == all) << at;
    refused += error.empty() ? 0 : 1;
  }
  EXPECT_GT(refused, bytes.size() / 2);
}

TEST(ReaderTest, NamesTheFileThatCannotBeRead) {
  EXPECT_EQ(Refusal("/nowhere/results.jsonl"), "/nowhere/results.jsonl: cannot be read: No such file or directory.");
}

TEST(ReaderTest, ReadsRegularFilesOnly) {
  const std::string fifo = TempPath("fifo");
  std::filesystem::remove(fifo);
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(Refusal(fifo), fifo + ": is a FIFO, not a file.");
  EXPECT_EQ(Refusal("/dev/zero"), "/dev/zero: is a device, not a file.");
  EXPECT_EQ(Refusal("/tmp"), "/tmp: is a folder, not a file.");
}

TEST(ReaderTest, RefusesEmptyFile) { EXPECT_EQ(Why({}), " is empty: a results file begins with a header."); }

TEST(ReaderTest, HeaderIsFirstAndOnce) {
  EXPECT_EQ(Why({kCase}).rfind("1: no header of a results file: \"{", 0), 0u);
  EXPECT_EQ(Why({kHeader, kHeader, kCase, kFooter}).rfind("2: a second header: \"{", 0), 0u);
  EXPECT_EQ(Why({"{\"poolproof_results\":2}\n"}), "1: results format 2 cannot be read, only format 1.");
  EXPECT_EQ(Why({"{\"poolproof_results\":\"1\"}\n"}), "1: results format 1 cannot be read, only format 1.");
}

TEST(ReaderTest, FooterIsLastAndOnce) {
  EXPECT_EQ(Why({kHeader, kCase}), " has no footer after 1 case: the run did not end, or the file is cut.");
  EXPECT_EQ(Why({kHeader, kCase, kFooter, kCase}).rfind("4: follows the footer: ", 0), 0u);
  EXPECT_EQ(Why({kHeader, kCase, kFooter, kFooter}).rfind("4: follows the footer: ", 0), 0u);
  EXPECT_EQ(Why({kHeader, kCase, kFooter, "\n"}), "4: follows the footer: \"\".");
  EXPECT_EQ(Why({kHeader, kCase, Replaced(kFooter, "{", "{\"n\":1,")}),
            "3: the line of the footer holds something else than an object \"footer\".");
}

TEST(ReaderTest, CountsAreThoseOfTheCases) {
  const std::string second = Replaced(kCase, "0", "1");
  EXPECT_EQ(Why({kHeader, kCase, second, kFooter}), "4: the footer counts 1 case as pass, the file holds 2.");
  EXPECT_EQ(Why({kHeader, kFooter}), "2: the footer counts 1 case as pass, the file holds 0.");
  EXPECT_EQ(Why({kHeader, kCase, Replaced(kFooter, "\"planned\":1", "\"planned\":2")}),
            "3: the footer says that 2 cases were planned, the file holds 1.");
  EXPECT_EQ(Why({kHeader, kCase, Replaced(kFooter, "\"pass\":1", "\"pass\":1,\"fine\":0")}),
            "3: the footer counts \"fine\" as a verdict: 0.");
  EXPECT_EQ(Why({kHeader, kCase, Replaced(kFooter, "\"planned\":1,", "")}), "3: a footer without \"planned\".");
}

TEST(ReaderTest, AVerdictThatItsCasesContradictIsRefused) {
  const std::string conforms = Replaced(kFooter2, "false", "true");
  EXPECT_EQ(Why({kHeader, kCase, kFail, kGroup, conforms}),
            "5: the footer says that the run conforms, 1 of its cases does not.");
  EXPECT_EQ(Why({kHeader, R"({"footer":{"planned":0,"counts":{},"conforms":true}})"}),
            "2: the footer says that the run conforms, though no case passes.");
  const std::string covered =
      Replaced(kFail, "}", R"(,"baseline":{"expected":"fail","reason":"r","status":"as expected"}})");
  EXPECT_TRUE(Read({WriteText("covered.jsonl", Text({kHeader, kCase, covered, kGroup, conforms}))}).runs[0].Conforms());
}

TEST(ReaderTest, CasesComeInOrderAndOnce) {
  EXPECT_EQ(Why({kHeader, kCase, kCase, kFooter}), "3: case 0 follows case 0.");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "0", "7"), kCase, kFooter}), "3: case 0 follows case 7.");
  const std::string fixed = Replaced(kCase, "random", "specials");
  EXPECT_EQ(Why({kHeader, fixed, Replaced(fixed, "0", "1"), kFooter}), "3: the case \"Op f32 in=1\" is there twice.");
}

TEST(ReaderTest, RefusesWhatIsNoCase) {
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "\"n\":0,", ""), kFooter}), "2: a case without \"n\".");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "\"id\":\"Op f32 in=1\",", ""), kFooter}), "2: a case without \"id\".");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, ",\"verdict\":\"pass\"", ""), kFooter}), "2: a case without \"verdict\".");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "\"Op f32 in=1\"", "7"), kFooter}), "2: \"id\" is no text: 7.");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "0", "-1"), kFooter}), "2: \"n\" is no whole number: -1.");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "0", "3e300"), kFooter}), "2: \"n\" is no whole number: 3e+300.");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "pass", "fine"), kFooter}), "2: there is no verdict \"fine\".");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "}", ",\"n\":0}"), kFooter}).substr(0, 25), "2: the key \"n\" occurs twi");
  EXPECT_EQ(Why({kHeader, Replaced(kCase, "}", ",\"baseline\":{\"status\":\"as expected\"}}")}),
            "2: a baseline without \"expected\".");
}

TEST(ReaderTest, RefusesBrokenLines) {
  EXPECT_EQ(Why({kHeader, "{\"id\":\"Op\n", kFooter}), "2: no JSON: stopped at byte 10: \"{\"id\":\"Op\".");
  EXPECT_EQ(Why({kHeader, "\n", kFooter}).rfind("2: no JSON: ", 0), 0u);
  EXPECT_EQ(Why({kHeader, "[]\n"}), "2: no JSON object: \"[]\".");
  EXPECT_EQ(Why({kHeader, "\x1b[2J\n"}).find('\x1b'), std::string::npos);
}

TEST(ReaderTest, GroupsFollowTheCasesAndHoldThem) {
  EXPECT_EQ(Why({kHeader, kCase, kFail, kFooter2}), "4: group 1 is missing before the footer.");
  EXPECT_EQ(Why({kHeader, kCase, kGroup, kFail, kFooter2}), "3: no case is in group 1.");
  EXPECT_EQ(Why({kHeader, kFail, kGroup, Replaced(kCase, "0", "9"), kFooter2}),
            "4: a case follows the groups: \"Op f32 in=1\".");
  EXPECT_EQ(Why({kHeader, kFail, kGroup, kGroup, kFooter2}), "4: group 1 stands where group 2 belongs.");
  EXPECT_EQ(Why({kHeader, kFail, Replaced(kGroup, "\"cases\":1", "\"cases\":2"), kFooter2}),
            "3: group 1 counts 2 cases, the file holds 1.");
  EXPECT_EQ(Why({kHeader, kFail, Replaced(kGroup, "fail", "crash"), kFooter2}),
            "3: the verdict of group 1 is \"crash\", the worst of its cases \"fail\".");
  EXPECT_EQ(Why({kHeader, Replaced(kFail, ",\"group\":1", ""), kFooter2}),
            "2: a case with verdict \"fail\" is in no group.");
  EXPECT_EQ(Why({kHeader, Replaced(kFail, "\"group\":1", "\"group\":2"), kFooter2}),
            "3: group 1 is missing before the footer.");
  EXPECT_EQ(Why({kHeader, kFail,
                 R"({"n":4,"id":"a","section":"random","verdict":"crash","group":1})"
                 "\n",
                 Replaced(kGroup, "\"cases\":1", "\"cases\":2")}),
            "4: the verdict of group 1 is \"fail\", the worst of its cases \"crash\".");
}

TEST(ReaderTest, NestingAndLengthHaveBounds) {
  const std::string nested(2'000'000, '[');
  EXPECT_EQ(Why({kHeader, nested}).rfind("2: nested more than 32 levels deep: \"[[", 0), 0u);
  const std::string keys(100'000, '{');
  EXPECT_EQ(Why({kHeader, keys}).rfind("2: no JSON: ", 0), 0u);
  const std::string path = WriteText("long.jsonl", Text({kHeader, std::string(17 << 20, ' ')}));
  EXPECT_EQ(Refusal(path), path + ":2: is longer than 16777216 bytes.");
}

// The plan of a test: what a file has to hold.
class Planned : public PlannedCases {
 public:
  explicit Planned(std::vector<std::pair<uint64_t, std::string>> cases) : cases_(std::move(cases)) {}
  bool Next(uint64_t* n, std::string_view* id) override {
    if (next_ == cases_.size()) return false;
    *n = cases_[next_].first;
    *id = cases_[next_++].second;
    return true;
  }

 private:
  std::vector<std::pair<uint64_t, std::string>> cases_;
  size_t next_ = 0;
};

// Why the lines are refused where the plan is known.
std::string WhyPlanned(std::vector<std::pair<uint64_t, std::string>> cases, std::initializer_list<std::string> lines) {
  Planned planned(std::move(cases));
  ResultsGrammar grammar;
  std::string error;
  for (const std::string& line : lines) {
    const std::string_view text = std::string_view(line).substr(0, line.find('\n'));
    if (grammar.Take(text, &error) == ResultsGrammar::Item::kRefused) return error;
    grammar.Expect(&planned);
  }
  EXPECT_TRUE(grammar.Finish(&error));
  return error;
}

TEST(ReaderTest, HoldsTheCasesOfItsPlan) {
  EXPECT_EQ(WhyPlanned({{0, "Op f32 in=1"}}, {kHeader, kCase, kFooter}), "");
  EXPECT_EQ(WhyPlanned({{0, "Op f32 in=1"}, {3, "x"}}, {kHeader, kCase, kFooter}),
            "case 3 of the plan is missing: \"x\"");
  EXPECT_EQ(WhyPlanned({{0, "x"}, {3, "Op f32 in=2"}}, {kHeader, kFail}),
            "case 0 of the plan is missing before it: \"x\"");
  EXPECT_EQ(WhyPlanned({{0, "x"}}, {kHeader, kCase}), "case 0 of the plan is \"x\", not \"Op f32 in=1\"");
  EXPECT_EQ(WhyPlanned({{1, "x"}}, {kHeader, kCase}), "case 0 is not in the plan that the header describes");
  EXPECT_EQ(WhyPlanned({}, {kHeader, kCase}), "case 0 is not in the plan that the header describes");
  const std::string stopped = Replaced(kFooter, "\"conforms\"", R"("stopped":"x","conforms")");
  EXPECT_EQ(WhyPlanned({{0, "Op f32 in=1"}, {3, "x"}}, {kHeader, kCase, stopped}), "");
}

TEST(ReaderTest, TakesMembersOfAnyTypeWhereNothingDependsOnThem) {
  const std::string odd = R"({"poolproof_results":1,"backend":7,"profile":[1],"ledger":{"a":1},)"
                          R"("documents":"x","specs":{"operators":[3,{"name":4,"types":"f"}]}})";
  const std::string group = R"({"group":1,"verdict":"fail","cases":1,"operators":7,"smallest":)"
                            R"({"detail":{"input":{"shape":[-1,99999999999],"values":[null]},)"
                            R"("spatial":[9],"window":{"begin":"a"},"first":{"position":[1,{}]}}}})";
  const Results results = Read({WriteText("odd.jsonl", Text({odd, "\n", kCase, kFail, group, "\n", kFooter2}))});
  EXPECT_NE(Html(results).find("</html>"), std::string::npos);
  EXPECT_NE(Junit(results).find("</testsuites>"), std::string::npos);
  EXPECT_NE(JsonSummary(results).find("poolproof_summary"), std::string::npos);
  EXPECT_NE(Markdown(results).find("## poolproof"), std::string::npos);
}

}  // namespace
}  // namespace poolproof::reports
