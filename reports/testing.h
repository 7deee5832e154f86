// Shared by the tests of the reports: results files made by testdata/make_results.py.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "reports/reports.h"

namespace poolproof::reports {

inline std::string TempPath(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / ("poolproof_reports_" + name)).string();
}

inline std::string MakeResults(const std::string& name, const std::string& arguments) {
  const std::string path = TempPath(name);
  const std::string command = std::string(POOLPROOF_PYTHON) + " " + POOLPROOF_REPORTS_DIR +
                              "/testdata/make_results.py " + path + " " + arguments;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return path;
}

inline std::string WriteText(const std::string& name, const std::string& text) {
  const std::string path = TempPath(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

inline std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The reports of files that are expected to be good.
inline Results Read(const std::vector<std::string>& paths) {
  Error error;
  auto results = ReadResultsFiles(paths, "", EachListedCase, &error);
  EXPECT_TRUE(results.has_value()) << error.message;
  return results ? std::move(*results) : Results();
}

// The sentence with which a file is refused.
inline std::string Refusal(const std::string& path) {
  Error error;
  EXPECT_FALSE(ReadResultsFiles({path}, "", EachListedCase, &error).has_value()) << path;
  return error.message;
}

}  // namespace poolproof::reports
