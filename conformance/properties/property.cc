#include "conformance/properties/property.h"

#include "conformance/properties/list.h"

namespace poolproof {

std::span<const Property> Properties() {
  static const std::vector<Property> properties = [] {
    std::vector<Property> made;
    AddIndexProperties(&made);
    AddMaximumProperties(&made);
    AddMeanProperties(&made);
    AddOrderProperties(&made);
    AddShapeProperties(&made);
    AddRenamingProperties(&made);
    return made;
  }();
  return properties;
}

PropertyVerdict JudgeRound(const Property& property, const Round& round) {
  for (const Answer& answer : round.answers) {
    if (answer.status == POOLPROOF_UNSUPPORTED) return {Holding::kUnsupported, ""};
  }
  for (size_t i = 0; i < round.answers.size(); ++i) {
    if (round.answers[i].status == POOLPROOF_OK) continue;
    return {Holding::kFails, "the valid problem '" + PrintLine(round.problems[i]) + "' was answered with status " +
                                 std::to_string(round.answers[i].status)};
  }
  std::string reason = property.check(round);
  if (reason.empty()) return {};
  return {Holding::kFails, std::move(reason)};
}

}  // namespace poolproof
