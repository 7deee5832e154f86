#include "fuzz/recent_problems.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/fill_value.h"
#include "fuzz/problem_from_bytes.h"

namespace poolproof::fuzz {
namespace {

// More than most corpora have; a slot is used by all inputs of one remainder. What the mutator makes
// is mostly gone with the next input, so that it must not take the place of what is in the corpus.
constexpr size_t kSlots = 8192;

struct Slot {
  std::string bytes;
  Problem problem;
};

Slot& Made() {
  static Slot slot;
  return slot;
}

Slot& SlotOf(std::string_view bytes) {
  static std::vector<Slot> slots(kSlots);
  return slots[HashOf(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()) % kSlots];
}

}  // namespace

uint64_t HashOf(const uint8_t* data, size_t size) {
  uint64_t hash = size;
  while (size >= sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, data, sizeof(word));
    hash = fill::Mix64(hash ^ word);
    data += sizeof(word);
    size -= sizeof(word);
  }
  uint64_t rest = 0;
  if (size > 0) std::memcpy(&rest, data, size);
  return fill::Mix64(hash ^ rest);
}

const Problem& RecentProblem(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (Made().problem.spec != nullptr && Made().bytes == bytes) return Made().problem;
  Slot& slot = SlotOf(bytes);
  if (slot.problem.spec == nullptr || slot.bytes != bytes) {
    slot.problem = ProblemFromBytes(BuiltInSpecs(), data, size);
    slot.bytes = bytes;
  }
  return slot.problem;
}

void RememberProblem(std::string_view line, Problem problem) {
  Made().problem = std::move(problem);
  Made().bytes = line;
}

}  // namespace poolproof::fuzz
