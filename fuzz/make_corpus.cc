// Writes the seed corpus of problems: documented examples, invalid calls, published bugs, and a
// selection of attribute boundaries and special values. Run it when specs or regressions have
// changed:
//
//   make_corpus fuzz/corpus/problems
//
// Files of an earlier run are removed. A file is one problem line, named after its contents.
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
    const std::vector<Problem> boundaries = poolproof::BoundaryProblems(spec);
    const size_t step = boundaries.size() / kBoundariesPerOperator + 1;
    for (size_t i = 0; i < boundaries.size(); i += step) {
      if (boundaries[i].Elements() < 4000) lines.insert(PrintLine(boundaries[i]));
    }
  }
  for (const poolproof::Regression& regression : poolproof::Regressions()) {
    lines.insert(regression.line);
  }
  const std::vector<std::string> specials = SpecialLines(specs);
  for (size_t i = 0; i < specials.size(); i += kEverySpecialLine) lines.insert(specials[i]);
  return lines;
}

// FNV-1a: equal contents, equal name.
std::string Name(const std::string& line) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : line) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char name[17];
  std::snprintf(name, sizeof(name), "%016llx", static_cast<unsigned long long>(hash));
  return name;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_corpus FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) remove(entry.path());
  const std::set<std::string> lines = Lines(poolproof::BuiltInSpecs());
  for (const std::string& line : lines) {
    std::ofstream stream(folder / Name(line), std::ios::binary);
    stream << line << '\n';
    if (!stream.flush()) {
      std::fprintf(stderr, "%s: cannot be written\n", (folder / Name(line)).c_str());
      return 1;
    }
  }
  std::printf("wrote %zu problems to %s\n", lines.size(), folder.c_str());
  return 0;
}
