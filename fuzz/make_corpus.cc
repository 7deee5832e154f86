// Writes the seed corpus of problems: documented examples, invalid calls, published bugs, and a
// selection of attribute boundaries and special values. A file is one problem line.
//
//   make_corpus FOLDER     which is emptied first
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "conformance/cases/boundaries.h"
#include "fuzz/problem_from_bytes.h"

namespace {

using poolproof::OperatorSpec;
using poolproof::Problem;

constexpr size_t kBoundariesPerOperator = 12;
constexpr size_t kEverySpecialLine = 97;  // coprime to the number of kinds and places

std::set<std::string> Lines(const poolproof::Specs& specs) {
  std::set<std::string> lines;
  for (const OperatorSpec& spec : specs.operators) {
    for (const poolproof::Example& example : spec.examples) lines.insert(example.line);
    for (const poolproof::InvalidCall& invalid : spec.invalid_calls) {
      lines.insert(invalid.lines.begin(), invalid.lines.end());
    }
    const poolproof::Problems boundaries = poolproof::BoundaryProblems(spec);
    const size_t step = boundaries.size() / kBoundariesPerOperator + 1;
    for (size_t i = 0; i < boundaries.size(); i += step) {
      if (boundaries[i].Elements() < 4000) lines.insert(PrintLine(boundaries[i]));
    }
  }
  for (const poolproof::Regression& regression : poolproof::Regressions()) {
    lines.insert(regression.line);
  }
  size_t special = 0;
  for (const OperatorSpec& spec : specs.operators) {
    for (const Problem& problem : poolproof::SpecialProblems(spec)) {
      if (special++ % kEverySpecialLine == 0) lines.insert(PrintLine(problem));
    }
  }
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_corpus FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  size_t number = 0;
  for (const std::string& line : Lines(poolproof::BuiltInSpecs())) {
    const std::filesystem::path path = folder / std::to_string(number++);
    if (!(std::ofstream(path, std::ios::binary) << line << '\n').flush()) {
      std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
      return 1;
    }
  }
  return 0;
}
