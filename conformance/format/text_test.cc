// Goal: text from backends and files shows as what it is, and does nothing.
#include <gtest/gtest.h>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

TEST(TextTest, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(ValidUtf8("a\xFF"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(ValidUtf8("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(ValidUtf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
  EXPECT_EQ(ValidUtf8("\xC3\xA9\xF0\x9F\x98\x80"), "\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(ValidUtf8("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // cut
}

TEST(TextTest, ShowsWhatIsHidden) {
  EXPECT_EQ(Printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(Printable("\x1b[31m\r\n\t\x7f"), "\\x1b[31m\\r\\n\\t\\x7f");
  EXPECT_EQ(Printable("\xE2\x80\xAE"), "\\u202e");                          // NOLINT: right-to-left override
  EXPECT_EQ(Printable("\xE2\x80\xA8\xEF\xBB\xBF"), "\\u2028\\ufeff");       // end of a line, byte order mark
  EXPECT_EQ(Printable("\xEF\xBF\xBE\xF0\x9F\xBF\xBF"), "\\ufffe\\u1ffff");  // no characters
  EXPECT_EQ(Printable("\xFF\xC3"), "\\xff\\xc3");
  EXPECT_EQ(Printable("\xC3\xA9 ::error::"), "\xC3\xA9 ::error::");
}

TEST(TextTest, PrintsAtMostSoManyBytesAndWholeCharacters) {
  EXPECT_EQ(Printable("abcdef", 6), "abcdef");
  EXPECT_EQ(Printable("abcdef", 5), "abcde...");
  EXPECT_EQ(Printable("abc\xC3\xA9", 4), "abc\xC3\xA9");
  EXPECT_EQ(Printable("abc\xC3\xA9z", 4), "abc\xC3\xA9...");
}

TEST(TextTest, QuotesForTheShell) {
  EXPECT_EQ(ShellQuoted("a-b/c.so"), "a-b/c.so");
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("a b"), "'a b'");
  EXPECT_EQ(ShellQuoted("';rm x"), "''\\'';rm x'");
}

TEST(TextTest, EscapesMarkup) {
  EXPECT_EQ(EscapeMarkup("<a href=\"x\" id='y'>&", Markup::kHtml), "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;");
  EXPECT_EQ(EscapeMarkup("a\n\tb\x1b<", Markup::kXml), "a\n\tb\\x1b<");
  EXPECT_EQ(EscapeMarkup("a\n::error::x\n##[y]", Markup::kHtml), "a\n: :error::x\n# #[y]");
  EXPECT_EQ(EscapeMarkup("a_b|c\n<d>", Markup::kMarkdown), "a\\_b\\|c &lt;d&gt;");
  EXPECT_EQ(EscapeMarkup("a`b|c\n<d>", Markup::kMarkdownCode), "`a'b/c <d>`");
  EXPECT_EQ(EscapeMarkup("a_b|c", Markup::kMarkdownCell), "a_b\\|c");
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

TEST(TextTest, FindsTheNearestWord) {
  const std::string words[] = {"kernel", "stride", "width"};
  EXPECT_EQ(NearestWord("kernle", words), "kernel");
  EXPECT_EQ(NearestWord("widht", words), "width");
  EXPECT_EQ(NearestWord("", words), "width");
  EXPECT_EQ(SimilarWord("widht", words), "width");
  EXPECT_EQ(SimilarWord("w", words), "");
  EXPECT_EQ(SimilarWord("kernle", {}), "");
  EXPECT_EQ(NearestWord(std::string(100000, 'x'), words), "kernel");
}

TEST(TextTest, GroupsDigits) {
  EXPECT_EQ(WithCommas(0), "0");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(1234567), "1,234,567");
}

TEST(TextTest, OneLineIsOneLineWithoutCommands) {
  EXPECT_EQ(EscapeForTerminal("a\n\tb\r"), "a\\n\\tb\\r");
  EXPECT_EQ(EscapeForTerminal("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(EscapeForTerminal("::error::x"), ": :error::x");
  EXPECT_EQ(EscapeForTerminal("  ::set-output name=a::b"), "  : :set-output name=a::b");
  EXPECT_EQ(EscapeForTerminal("##vso[task.complete]"), "# #vso[task.complete]");
  EXPECT_EQ(EscapeForTerminal("###[group]"), "# # #[group]");
  EXPECT_EQ(EscapeForTerminal(":::x"), ": : :x");
  EXPECT_EQ(EscapeForTerminal("at::Tensor::size"), "at::Tensor::size");
  EXPECT_EQ(EscapeForTerminal(EscapeForTerminal("::a\n##b")), EscapeForTerminal("::a\n##b"));
}

}  // namespace
}  // namespace poolproof
