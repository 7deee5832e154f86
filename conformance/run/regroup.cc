#include "conformance/run/regroup.h"

#include <algorithm>
#include <charconv>

namespace poolproof {
namespace {

constexpr std::string_view kPlace = "{\"n\":";
constexpr std::string_view kGroup = ",\"group\":";

// The place in the plan of the case that a line is; nothing where it is none.
std::optional<uint64_t> PlaceOf(std::string_view line) {
  if (!line.starts_with(kPlace)) return std::nullopt;
  uint64_t n = 0;
  std::from_chars(line.data() + kPlace.size(), line.data() + line.size(), n);
  return n;
}

}  // namespace

bool WriteGroups(const std::vector<Group>& classes, const std::vector<int>& group_of, ResultsFile* file, Error* error) {
  std::vector<std::pair<uint64_t, int>> groups;
  for (size_t c = 0; c < classes.size(); ++c) {
    for (const Member& member : classes[c].members) groups.push_back({member.n, group_of[c]});
  }
  std::sort(groups.begin(), groups.end());
  auto next = groups.begin();
  return file->Rewrite(
      [&](std::string_view line, std::string* out) {
        const std::optional<uint64_t> n = PlaceOf(line);
        while (n && next != groups.end() && next->first < *n) ++next;
        // Inside of the strings of a line no quote stands without a backslash.
        const size_t at = line.find(kGroup);
        if (!n || next == groups.end() || next->first != *n || at == line.npos) {
          out->append(line).push_back('\n');
          return;
        }
        const size_t end = line.find_first_not_of("0123456789", at + kGroup.size());
        out->append(line.substr(0, at + kGroup.size()));
        out->append(std::to_string(next->second)).append(line.substr(end)).push_back('\n');
      },
      error);
}

bool GroupByCause(const Plan& plan, const Selection& selection, uint64_t end, const RightAlone& right_alone,
                  Tally* tally, ResultsFile* file, Error* error) {
  if (tally->groups().empty()) return true;
  Diagnosis diagnosis = FindCauses({plan, selection, *tally, end}, right_alone);
  if (!WriteGroups(tally->groups(), diagnosis.group_of, file, error)) return false;
  tally->SetGroups(std::move(diagnosis.groups));
  return true;
}

}  // namespace poolproof
