#include "conformance/format/alike.h"

#include <fmt/format.h>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

constexpr uint64_t kMaxPlace = uint64_t{1} << 62;

// Whether packed numbers are as many as a line counts, and each is below `limit`.
bool AreCounted(const char* name, std::string_view packed, uint64_t cases, uint64_t limit, Error* error) {
  PackedNumbers numbers(packed);
  uint64_t count = 0;
  while (const auto number = numbers.Next()) {
    ++count;
    if (*number >= limit) return Fail(fmt::format("\"{}\" holds {}, which is none", name, *number), error);
  }
  if (!numbers.AtEnd()) return Fail(fmt::format("\"{}\" is no list of packed numbers", name), error);
  if (count == cases) return true;
  return Fail(fmt::format("\"{}\" holds {}, the line counts {}", name, Plural(count, "number"), cases), error);
}

}  // namespace

bool ReadAlikeLine(const Json& value, AlikeLine* line, Error* error) {
  if (!ReadKeys(value, line, error)) return false;
  if (line->verdict != Verdict::kPass && line->verdict != Verdict::kUnsupported) {
    return Fail(fmt::format("cases with verdict \"{}\" are not told by their places", Facts(line->verdict).name),
                error);
  }
  if (line->cases == 0) return Fail("a list of no cases", error);
  if (!AreCounted("places", line->places, line->cases, kMaxPlace, error)) return false;
  for (const auto& [entry, rounds] : line->rounds) {
    if (!AreCounted("of", rounds.of, line->cases, rounds.answers.size(), error)) return false;
  }
  return true;
}

AlikeCases::List::List(AlikeLine l) : line(std::move(l)), places(line.places) {
  for (const auto& [entry, rounds] : line.rounds) of.emplace(entry, PackedNumbers(rounds.of));
}

void AlikeCases::Add(AlikeLine line) {
  lists_.push_back(std::make_unique<List>(std::move(line)));
  Queue(lists_.size() - 1);
}

void AlikeCases::Queue(size_t list) {
  List& from = *lists_[list];
  const auto gap = from.places.Next();
  if (!gap || from.next + *gap > kMaxPlace) return;
  next_.emplace(from.next + *gap, list);
  from.next += *gap + 1;
}

std::optional<uint64_t> AlikeCases::Place() const {
  return next_.empty() ? std::nullopt : std::optional(next_.top().first);
}

void AlikeCases::Take(CaseLine* c) {
  const size_t number = next_.top().second;
  next_.pop();
  List& list = *lists_[number];
  if (c != nullptr) {
    c->verdict = list.line.verdict;
    c->message = list.line.message;
    c->explained.readings = list.line.readings;
  }
  for (auto& [entry, of] : list.of) {
    const std::vector<uint32_t>& answers = list.line.rounds[entry].answers;
    const auto which = of.Next();
    if (c != nullptr && which && answers[*which] != 0) c->explained.rounds[entry] = answers[*which];
  }
  Queue(number);
}

}  // namespace poolproof
