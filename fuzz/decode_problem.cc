// Prints the problem line that a fuzzer's input file means: what 'conformance reproduce' takes.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/problem_from_bytes.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: decode_problem FILE...\n");
    return 2;
  }
  for (int i = 1; i < argc; ++i) {
    std::ifstream stream(argv[i], std::ios::binary);
    if (!stream) {
      std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 1;
    }
    const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const poolproof::Problem problem = poolproof::fuzz::ProblemFromBytes(
        poolproof::BuiltInSpecs(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    std::printf("%s\n", PrintLine(problem).c_str());
  }
  return 0;
}
