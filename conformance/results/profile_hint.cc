#include "conformance/results/profile_hint.h"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace poolproof {
namespace {

// Looks for this reading of an entry in a profile: of all operators, or of some operators or element types alone.
bool Has(const reference::Selection& profile, reference::Entry entry, std::string_view reading) {
  const auto is_it = [&](uint8_t r) { return reading == reference::ReadingNames(entry)[r]; };
  return is_it(profile.readings[entry]) || std::ranges::any_of(profile.exceptions, [&](const auto& exception) {
           return exception.entry == entry && is_it(exception.reading);
         });
}

// Tells whether a profile has every reading of a deviation, "ties=last nan=ignore".
bool Explains(const reference::Selection& profile, const std::string& deviation) {
  std::istringstream words(deviation);
  for (std::string word; words >> word;) {
    const size_t equals = std::min(word.find('='), word.size());
    const auto entry = reference::FindEntry(word.substr(0, equals));
    if (!entry || !Has(profile, *entry, word.substr(std::min(equals + 1, word.size())))) return false;
  }
  return true;
}

// How many points that no silence leaves open the profile reads in another way than the documents.
size_t DeviationsOf(const reference::Readings& profile) {
  size_t count = 0;
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    const auto entry = static_cast<reference::Entry>(e);
    if (!reference::IsSilence(entry) && profile[entry] != 0) ++count;
  }
  return count;
}

}  // namespace

// Prefers, among profiles that explain as many, the one that deviates in least.
std::optional<ProfileHint> FindProfileHint(const Tally& tally, const std::string& selected) {
  std::optional<ProfileHint> hint;
  uint64_t total = 0, most = 0;
  size_t fewest = 0;
  for (const auto& [key, cases] : tally.deviations()) total += cases;
  for (std::string_view name : reference::ProfileNames()) {
    if (name == selected) continue;
    const reference::Selection profile = *reference::FindProfile(name);
    uint64_t explained = 0;
    for (const auto& [key, cases] : tally.deviations()) {
      if (Explains(profile, key)) explained += cases;
    }
    const size_t deviations = DeviationsOf(profile.readings);
    if (explained < most || explained == 0 || (explained == most && deviations >= fewest)) continue;
    most = explained;
    fewest = deviations;
    hint = ProfileHint{std::string(name), total, explained};
  }
  return hint;
}

}  // namespace poolproof
