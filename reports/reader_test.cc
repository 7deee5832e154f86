// Goal: a results file is read as it is or refused with one sentence that names file, line and value.
#include "reports/testing.h"
#include "reports/text.h"

namespace poolproof::reports {
namespace {

constexpr char kHeader[] = R"({"poolproof_results":1,"backend":{"name":"b","version":"1"}})" "\n";
constexpr char kCase[] = R"({"id":"Op f32 in=1","section":"random","verdict":"pass"})" "\n";
constexpr char kFooter[] = R"({"footer":{"planned":1,"counts":{"pass":1},"conforms":true}})" "\n";

std::string Text(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

TEST(ReaderTest, ReadsWhatIsThere) {
  const Results results = Read({WriteText("good.jsonl", Text({kHeader, kCase, kFooter}))});
  EXPECT_EQ(results.runs[0].counts[Verdict::kPass], 1u);
  EXPECT_EQ(results.runs[0].Title(), "b 1");
  EXPECT_TRUE(results.runs[0].Conforms());
}

TEST(ReaderTest, NamesTheFileThatCannotBeRead) {
  EXPECT_EQ(Refusal("/nowhere/results.jsonl"),
            "/nowhere/results.jsonl: cannot be read: No such file or directory.");
}

TEST(ReaderTest, RefusesEmptyFile) {
  const std::string path = WriteText("empty.jsonl", "");
  EXPECT_EQ(Refusal(path), path + ": is empty: a results file begins with a header.");
}

TEST(ReaderTest, RefusesMissingHeader) {
  const std::string path = WriteText("headless.jsonl", kCase);
  EXPECT_EQ(Refusal(path).rfind(path + ":1: no header of a results file: \"{", 0), 0u);
}

TEST(ReaderTest, RefusesOtherFormat) {
  const std::string path = WriteText("format.jsonl", "{\"poolproof_results\":2}\n");
  EXPECT_EQ(Refusal(path), path + ":1: results format 2 cannot be read, only format 1.");
}

TEST(ReaderTest, RefusesMissingFooter) {
  const std::string path = WriteText("cut.jsonl", Text({kHeader, kCase}));
  EXPECT_EQ(Refusal(path),
            path + ": has no footer after 2 lines: the run did not end, or the file is cut.");
}

TEST(ReaderTest, RefusesBrokenLine) {
  const std::string path = WriteText("broken.jsonl", Text({kHeader, "{\"id\":\"Op\n", kFooter}));
  EXPECT_EQ(Refusal(path), path + ":2: no JSON object: \"{\"id\":\"Op\".");
}

TEST(ReaderTest, RefusesUnknownVerdict) {
  const std::string path = WriteText(
      "verdict.jsonl", Text({kHeader, R"({"id":"a","section":"b","verdict":"fine"})", "\n"}));
  EXPECT_EQ(Refusal(path), path + ":2: there is no verdict \"fine\".");
}

TEST(ReaderTest, RefusesCaseWithoutId) {
  const std::string path = WriteText(
      "id.jsonl", Text({kHeader, R"({"section":"b","verdict":"pass"})", "\n", kFooter}));
  EXPECT_EQ(Refusal(path), path + ":2: a case without \"id\".");
}

TEST(ReaderTest, RefusesIdThatIsNoText) {
  const std::string path = WriteText(
      "number.jsonl", Text({kHeader, R"({"id":7,"section":"b","verdict":"pass"})", "\n"}));
  EXPECT_EQ(Refusal(path), path + ":2: \"id\" is no text: 7.");
}

TEST(ReaderTest, RefusesCountsThatAreNotThoseOfTheCases) {
  const std::string path = WriteText("counts.jsonl", Text({kHeader, kCase, kCase, kFooter}));
  EXPECT_EQ(Refusal(path), path + ":4: the footer counts 1 cases as pass, the file holds 2.");
}

TEST(ReaderTest, RefusesLinesAfterTheFooter) {
  const std::string path = WriteText("after.jsonl", Text({kHeader, kCase, kFooter, kCase}));
  EXPECT_EQ(Refusal(path).rfind(path + ":4: follows the footer: ", 0), 0u);
}

TEST(ReaderTest, TakesMembersOfAnyType) {
  const std::string odd = R"({"poolproof_results":1,"backend":7,"profile":[1],"ledger":{"a":1},)"
                          R"("documents":"x","specs":{"operators":[3,{"name":4,"types":"f"}]}})";
  const std::string group = R"({"group":"x","verdict":4,"cases":-3,"smallest":{"detail":{)"
                            R"("input":{"shape":[-1,99999999999],"values":[null]},"spatial":[9],)"
                            R"("window":{"begin":"a"},"first":{"position":[1,{}]}}}})";
  const Results results =
      Read({WriteText("odd.jsonl", Text({odd, "\n", kCase, group, "\n", kFooter}))});
  EXPECT_NE(Html(results).find("</html>"), std::string::npos);
  EXPECT_NE(Junit(results).find("</testsuites>"), std::string::npos);
  EXPECT_NE(JsonSummary(results).find("poolproof_summary"), std::string::npos);
  EXPECT_NE(Markdown(results).find("## poolproof"), std::string::npos);
}

TEST(TextTest, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(ValidUtf8("a\xFF" "b"), "a\xEF\xBF\xBD" "b");
  EXPECT_EQ(ValidUtf8("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");          // overlong
  EXPECT_EQ(ValidUtf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
  EXPECT_EQ(ValidUtf8("\xC3\xA9\xF0\x9F\x98\x80"), "\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(ValidUtf8("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");          // cut
}

TEST(TextTest, ShowsControlCharacters) {
  EXPECT_EQ(Visible(std::string("a\0b", 3)), "a\xE2\x90\x80" "b");
  EXPECT_EQ(Visible("\x1b[31m"), "\xE2\x90\x9B[31m");
  EXPECT_EQ(Visible("\xE2\x80\xAE"), "\xEF\xBF\xBD");  // right-to-left override
  EXPECT_EQ(Visible("a\n\tb"), "a\n\tb");
}

TEST(TextTest, EscapesMarkup) {
  EXPECT_EQ(EscapeHtml("<a href=\"x\" id='y'>&"),
            "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;");
}

TEST(TextTest, LinksOnlyToTheWeb) {
  EXPECT_EQ(SafeLink("https://example.org/a"), "https://example.org/a");
  EXPECT_EQ(SafeLink("javascript:alert(1)"), "");
  EXPECT_EQ(SafeLink("data:text/html,x"), "");
  EXPECT_EQ(SafeLink("https://example.org/ a"), "");
}

TEST(TextTest, EncodesBase64AsTheRfcSays) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
}

TEST(TextTest, CutsBetweenCharacters) {
  EXPECT_EQ(Shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(Shorten("abc\xC3\xA9", 4), "abc… (2 more bytes)");
}

TEST(TextTest, GroupsDigits) {
  EXPECT_EQ(WithCommas(0), "0");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(1234567), "1,234,567");
}

}  // namespace
}  // namespace poolproof::reports
