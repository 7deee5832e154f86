// libFuzzer's mutator for harnesses whose input is a problem. Linking this file is using it.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "conformance/cases/mutate.h"
#include "fuzz/problem_from_bytes.h"

namespace poolproof::fuzz {
namespace {

// The line, or nothing where it does not fit: the old bytes then stay.
size_t Write(Problem problem, uint8_t* data, size_t old_size, size_t max_size) {
  static std::string line;
  line.clear();
  AppendLine(problem, &line);
  if (line.size() > max_size) return old_size;
  std::memcpy(data, line.data(), line.size());
  RememberProblem(line, std::move(problem));
  return line.size();
}

}  // namespace
}  // namespace poolproof::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace poolproof;  // NOLINT: two C functions follow
  Choices choices(uint64_t{seed});
  const Problem& problem = fuzz::RecentProblem(data, size);
  return fuzz::Write(MutateProblem(BuiltInSpecs(), problem, choices), data, size, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size, unsigned seed) {
  using namespace poolproof;  // NOLINT
  Choices choices(uint64_t{seed});
  Problem first = fuzz::RecentProblem(data1, size1);
  Problem crossed = CrossProblems(BuiltInSpecs(), std::move(first), fuzz::RecentProblem(data2, size2), choices);
  const size_t kept = std::min(size1, max_out_size);
  std::memcpy(out, data1, kept);
  return fuzz::Write(std::move(crossed), out, kept, max_out_size);
}
