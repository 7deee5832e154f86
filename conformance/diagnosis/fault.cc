#include "conformance/diagnosis/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace poolproof {
namespace {

constexpr std::string_view kExpected = ": expected ", kGot = ", got ";

// The bound of which the message of a wrong value may be: "Output Y at [0,0]: expected -3, got -1.".
std::optional<Bound> BoundIn(const std::string& message) {
  const size_t expected = message.find(kExpected), got = message.find(kGot);
  if (expected == message.npos || got == message.npos || got < expected) return std::nullopt;
  const size_t from = got + kGot.size(), end = std::min(message.find_first_of(" \n", from), message.size());
  std::string text = message.substr(from, end - from);
  if (text.ends_with('.')) text.pop_back();
  char* rest = nullptr;
  const long double right = std::strtold(message.c_str() + expected + kExpected.size(), nullptr);
  const long double value = std::strtold(text.c_str(), &rest);
  // To start at zero is a known cause.
  if (text.empty() || *rest != '\0' || !std::isfinite(value) || value == 0 || !(right < value || right > value)) {
    return std::nullopt;
  }
  return Bound{right < value, value, text};
}

}  // namespace

bool EqualFaults(const Fault& a, const Fault& b) {
  return !a.bound && !b.bound && a.is_reading == b.is_reading && a.cause == b.cause && a.entry == b.entry &&
         a.reading == b.reading;
}

std::optional<Fault> ReadingFault(std::string_view word) {
  const size_t equals = std::min(word.find('='), word.size());
  const auto entry = reference::FindEntry(word.substr(0, equals));
  const auto reading =
      entry && equals < word.size() ? reference::FindReading(*entry, word.substr(equals + 1)) : std::nullopt;
  if (!reading || *reading >= reference::ComputableReadings(*entry)) return std::nullopt;
  return Fault{true, 0, *entry, *reading};
}

std::string ReadingText(const Fault& fault) {
  return fmt::format("{}={}", reference::EntryId(fault.entry), reference::ReadingNames(fault.entry)[fault.reading]);
}

Cause CauseOf(const Fault& fault) {
  if (!fault.bound) return Causes()[fault.cause];
  if (fault.bound->is_floor) {
    return {"maxima-have-a-floor", fmt::format("maxima never fall below {}", fault.bound->text),
            "smaller activations come out as this number", "", std::nullopt};
  }
  return {"results-have-a-ceiling", fmt::format("results never rise above {}", fault.bound->text),
          "larger activations come out as this number", "", std::nullopt};
}

std::vector<Fault> LearnBounds(const std::vector<FailureClass>& classes, const std::function<bool(size_t)>& open,
                               size_t most) {
  std::map<std::pair<bool, std::string>, std::pair<uint64_t, Bound>> found;
  for (size_t c = 0; c < classes.size(); ++c) {
    if (!open(c) || classes[c].verdict != Verdict::kFail || classes[c].causes.any()) continue;
    const std::optional<Bound> bound = BoundIn(classes[c].message);
    if (!bound) continue;
    auto& [cases, known] = found[{bound->is_floor, bound->text}];
    cases += classes[c].cases;
    known = *bound;
  }
  std::vector<std::pair<uint64_t, Bound>> sorted;
  for (const auto& [key, each] : found) sorted.push_back(each);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Fault> faults;
  for (size_t i = 0; i < std::min(most, sorted.size()); ++i) faults.push_back({.bound = sorted[i].second});
  return faults;
}

}  // namespace poolproof
