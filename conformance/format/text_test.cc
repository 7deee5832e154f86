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

TEST(TextTest, ShowsControlCharacters) {
  EXPECT_EQ(EscapeControls(std::string("a\0b", 3)),
            "a\xE2\x90\x80"
            "b");
  EXPECT_EQ(EscapeControls("\x1b[31m"), "\xE2\x90\x9B[31m");
  EXPECT_EQ(EscapeControls("\xE2\x80\xAE"), "\xEF\xBF\xBD");  // NOLINT: right-to-left override
  EXPECT_EQ(EscapeControls("a\n\tb"), "a\n\tb");
}

TEST(TextTest, QuotesForTheShell) {
  EXPECT_EQ(ShellQuoted("a-b/c.so"), "a-b/c.so");
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("a b"), "'a b'");
  EXPECT_EQ(ShellQuoted("';rm x"), "''\\'';rm x'");
}

TEST(TextTest, EscapesMarkup) {
  EXPECT_EQ(EscapeHtml("<a href=\"x\" id='y'>&"), "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;");
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

TEST(TextTest, OneLineIsOneLineWithoutCommands) {
  EXPECT_EQ(EscapeForTerminal("a\n\tb\r"),
            "a\xE2\x90\x8A\xE2\x90\x89"
            "b\xE2\x90\x8D");
  EXPECT_EQ(EscapeForTerminal("\x1b]0;title\x07"), "\xE2\x90\x9B]0;title\xE2\x90\x87");
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
