// A file that grows, is cut, resumed, and found changed.
#include "conformance/results/results_file.h"

#include <gtest/gtest.h>

#include "conformance/results/testing.h"

namespace poolproof {
namespace {

std::string LinesOf(ResultsFile& file, Error* error) {
  std::string text;
  const auto take = [&text](std::string_view line) {
    text.append(line).append(1, '|');
    return true;
  };
  return file.Read(take, error) ? text : "";
}

const ResultsFile::Fill kFill = [](std::string* out, const ResultsFile::Flush& flush) {
  *out += "whole\n";
  return flush();
};

TEST(ResultsFile, IsPartialUntilItIsFinished) {
  TestFolder folder;
  Error error;
  ResultsFile file;
  EXPECT_EQ(ResultsFile::Find(folder.path()), ResultsFile::Left::kNothing);
  ASSERT_TRUE(file.Create(folder.path(), &error) && file.Append("a\nb\n", &error) && file.Append("c\n", &error));
  EXPECT_EQ(ResultsFile::Find(folder.path()), ResultsFile::Left::kPartial);
  EXPECT_EQ(LinesOf(file, &error), "a|b|c|");
  ASSERT_TRUE(file.Finish(kFill, &error)) << error.message;
  EXPECT_EQ(ResultsFile::Find(folder.path()), ResultsFile::Left::kComplete);
  EXPECT_EQ(ReadText(folder.In("results.jsonl")), "whole\n");
}

TEST(ResultsFile, ChangesByOthersAreDetected) {
  for (const char* text : {"a\nB\n", "a\n", "a\nb\nc\n", "b\na\n", "a\nb"}) {
    TestFolder folder;
    Error error;
    ResultsFile file;
    ASSERT_TRUE(file.Create(folder.path(), &error) && file.Append("a\nb\n", &error));
    WriteText(folder.In("results.jsonl.partial"), text);
    EXPECT_EQ(LinesOf(file, &error), "") << text;
    EXPECT_NE(error.message.find("something else writes into it"), std::string::npos) << error.message;
  }
}

TEST(ResultsFile, ResumesAfterItsLastWholeLine) {
  TestFolder folder;
  WriteText(folder.In("results.jsonl.partial"), "a\nb\nhal");
  Error error;
  ResultsFile file;
  std::string taken;
  const auto take = [&taken](std::string_view line) {
    taken += line;
    return true;
  };
  ASSERT_TRUE(file.Resume(folder.path(), take, &error)) << error.message;
  EXPECT_EQ(taken, "ab");
  ASSERT_TRUE(file.Append("c\n", &error));
  EXPECT_EQ(LinesOf(file, &error), "a|b|c|");
}

TEST(ResultsFile, ARefusedLineLeavesTheFileAsItIs) {
  TestFolder folder;
  WriteText(folder.In("results.jsonl.partial"), "a\nb\nhal");
  Error error;
  ResultsFile file;
  EXPECT_FALSE(file.Resume(folder.path(), [](std::string_view line) { return line != "b"; }, &error));
  EXPECT_EQ(ReadText(folder.In("results.jsonl.partial")), "a\nb\nhal");
}

TEST(ResultsFile, ACompleteOneIsTakenApart) {
  TestFolder folder;
  WriteText(folder.In("results.jsonl"), "whole\n");
  Error error;
  ResultsFile file;
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += std::string(30'000, static_cast<char>('a' + i % 26)) + "\n";
  const auto fill = [&](std::string* out, const ResultsFile::Flush& flush) {
    for (size_t at = 0; at < lines.size(); at += 30'001) {
      *out += lines.substr(at, 30'001);
      if (!flush()) return false;
    }
    return true;
  };
  ASSERT_TRUE(file.Reopen(folder.path(), fill, &error)) << error.message;
  EXPECT_EQ(ReadText(folder.In("results.jsonl.partial")), lines);
  EXPECT_FALSE(std::filesystem::exists(folder.In("results.jsonl")));
  EXPECT_NE(LinesOf(file, &error), "") << error.message;
  ASSERT_TRUE(file.Append("more\n", &error));
  EXPECT_NE(LinesOf(file, &error), "") << error.message;
}

TEST(ResultsFile, WhatCannotBeFinishedStaysPartial) {
  TestFolder folder;
  Error error;
  ResultsFile file;
  ASSERT_TRUE(file.Create(folder.path(), &error) && file.Append("a\n", &error));
  EXPECT_FALSE(file.Finish([](std::string*, const ResultsFile::Flush&) { return false; }, &error));
  EXPECT_EQ(ResultsFile::Find(folder.path()), ResultsFile::Left::kPartial);
  EXPECT_FALSE(std::filesystem::exists(folder.In("results.jsonl.rewrite")));
}

}  // namespace
}  // namespace poolproof
