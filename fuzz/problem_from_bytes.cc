#include "fuzz/problem_from_bytes.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/choices.h"
#include "conformance/cases/fill_value.h"
#include "conformance/cases/generate.h"

namespace poolproof::fuzz {
namespace {

// A problem line begins with a letter; the line ends at the first line feed.
std::string_view FirstLine(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return text.substr(0, std::min(text.find('\n'), size));
}

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

Problem ProblemFromBytes(const Specs& specs, const uint8_t* data, size_t size) {
  Error error;
  if (auto problem = ParseLine(specs, FirstLine(data, size), &error)) return std::move(*problem);
  Choices choices(std::span(data, size));
  return RandomProblem(specs, choices);
}

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

TensorLayout DrawLayout(uint64_t hash) {
  return {.placement = hash / 2 % 2 == 0 ? Placement::kAtEnd : Placement::kAtBegin,
          .prefill = hash % 2 == 0 ? std::byte{0x5a} : std::byte{0xa5}};
}

}  // namespace poolproof::fuzz
