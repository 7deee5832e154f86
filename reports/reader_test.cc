// Goal: a results file is read as it is or refused with one sentence that names file, line and value.
#include <sys/stat.h>

#include "reports/testing.h"

namespace poolproof::reports {
namespace {

constexpr char kHeader[] = R"({"poolproof_results":2,"backend":{"name":"b","version":"1"}})"
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
  EXPECT_EQ(Why({"{\"poolproof_results\":1}\n"}), "1: results format 1 cannot be read, only format 2.");
  EXPECT_EQ(Why({"{\"poolproof_results\":\"2\"}\n"}), "1: results format 2 cannot be read, only format 2.");
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
            "3: \"counts\" counts \"fine\" as a verdict: 0.");
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
  EXPECT_EQ(Why({kHeader, kFail, kGroup, Replaced(kCase, "0", "9"), kFooter2}), "4: a case follows the groups.");
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

std::string Planned(uint64_t cases) {
  return R"({"planned":)" + std::to_string(cases) + R"(,"digest":"0123456789abcdef0123456789abcdef"})" + "\n";
}

std::string Alike(const char* what, std::vector<uint64_t> places, const char* more = "") {
  const std::string count = std::to_string(places.size());
  return std::string("{\"alike\":\"") + what + R"(","cases":)" + count + R"(,"example":"x","places":")" +
         PackPlaces(places) + "\"" + more + "}\n";
}

std::string Counted(const char* op, const char* counts) {
  return std::string(R"({"counted":")") + op + R"(","parts":{"random":{"f32":)" + counts +
         R"(}},"attributes":{"kernel":{"3":{"pass":2}}}})" + "\n";
}

// Cases 0, 2 and 4 pass with one reading, case 1 is unsupported, case 3 fails and has a line, case 5 just passes.
constexpr char kFooter6[] = R"({"footer":{"planned":6,"counts":{"pass":4,"fail":1,"unsupported":1},"conforms":false}})"
                            "\n";
const std::string kTies = R"(,"readings":{"ties":"first"})";
const std::string kPasses = Alike("pass", {0, 2, 4}, kTies.c_str());
const std::string kLacks = Alike("unsupported", {1}, R"(,"operator":"Op","message":"no Op")");
const std::string kCounts = Counted("Op", R"({"pass":4,"unsupported":1})");

TEST(UnlistedTest, CasesWithoutALineAreCounted) {
  const std::string header = Replaced(kHeader, "}}",
                                      R"(},"specs":{"operators":[{"name":"Op","types":["f32"],)"
                                      R"("attributes":[{"name":"kernel","key":"k"}]}]}})");
  const Results results = Read(
      {WriteText("unlisted.jsonl", Text({header, Planned(6), kPasses, kLacks, kFail, kGroup, kCounts, kFooter6}))});
  const reports::Run& run = results.runs[0];
  EXPECT_EQ(run.counts[Verdict::kPass], 4u);
  EXPECT_EQ(run.unsupported.at("no …").cases, 1u);
  ASSERT_EQ(run.operators.size(), 1u);
  EXPECT_EQ(run.operators[0].counts.Total(), 6u);
  EXPECT_EQ(run.operators[0].parts.at({"random", "f32"}).counts[Verdict::kUnsupported], 1u);
  for (const ValueCounts& value : run.operators[0].attributes[0].values) {
    EXPECT_EQ(value.counts[Verdict::kPass], value.value == "3" ? 2u : 0u) << value.value;
  }
}

TEST(UnlistedTest, AreNeitherLostNorDoubled) {
  EXPECT_EQ(Why({kHeader, Planned(7), kPasses, kLacks, kFail, kGroup, kCounts, kFooter6}),
            "8: of 7 cases that were planned 1 have a line and 5 are counted.");
  EXPECT_EQ(Why({kHeader, Planned(6), kPasses, kFail, kGroup, kCounts, kFooter6}),
            "7: the counts have 1 case as unsupported, the lists 0.");
  EXPECT_EQ(Why({kHeader, Planned(6), Alike("pass", {0, 2, 3}), kLacks, kFail, kGroup, kCounts, kFooter6}),
            "5: case 3 is there twice.");
  EXPECT_EQ(Why({kHeader, Planned(6), kPasses, Alike("unsupported", {4}), kFail, kGroup, kCounts, kFooter6}),
            "8: case 4 is there twice.");
  EXPECT_EQ(Why({kHeader, Planned(6), kPasses, kLacks, kFail, kGroup,
                 Counted("Op", R"({"pass":3,"crash":1,"unsupported":1})"), kFooter6}),
            "8: the counts have 1 case as crash, the lists 0.");
  EXPECT_EQ(Why({kHeader, kPasses}),
            "2: a line of cases that are alike in a file that does not say how many cases were planned.");
  EXPECT_EQ(Why({kHeader, Planned(6), Planned(6)}),
            "3: a line of what was planned follows the line of what was planned.");
  EXPECT_EQ(Why({kHeader, Planned(6), kFail, kPasses}), "4: a line of cases that are alike follows the cases.");
}

TEST(UnlistedTest, RefusesWhatIsNoList) {
  const auto why = [](const std::string& line) { return Why({kHeader, Planned(6), line}); };
  EXPECT_EQ(why(Alike("fail", {1})), "3: cases with verdict \"fail\" are not told by their places.");
  EXPECT_EQ(why(Alike("pass", {})), "3: a list of no cases.");
  EXPECT_EQ(why(Replaced(kPasses, "\"cases\":3", "\"cases\":4")), "3: \"places\" holds 3 numbers, the line counts 4.");
  EXPECT_EQ(why(Replaced(kPasses, "\"places\":\"", "\"places\":\"!")), "3: \"places\" is no list of packed numbers.");
  const std::string rounds = R"(,"rounds":{"a":{"answers":[0,5],"of":")";
  EXPECT_EQ(why(Alike("pass", {3, 9}, (rounds + PackNumbers({0, 2}) + "\"}}").c_str())),
            "3: \"of\" holds 2, which is none.");
  EXPECT_EQ(why(Alike("pass", {3, 9}, (rounds + PackNumbers({0}) + "\"}}").c_str())),
            "3: \"of\" holds 1 number, the line counts 2.");
}

TEST(UnlistedTest, AFileThatListsAllItsCasesIsComparedWithoutItsPlan) {
  const std::string path =
      WriteText("lists.jsonl", Text({kHeader, Planned(6), kPasses, kLacks, kFail, kGroup, kCounts, kFooter6}));
  Error error;
  EXPECT_FALSE(ReadResultsFiles({path, path}, "", EachListedCase, &error));
  EXPECT_EQ(error.message, path + ":2: not all cases have a line, and the plan of the others is not known.");
}

TEST(ReaderTest, TakesMembersOfAnyTypeWhereNothingDependsOnThem) {
  const std::string odd = R"({"poolproof_results":2,"backend":7,"profile":[1],"ledger":{"a":1},)"
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
