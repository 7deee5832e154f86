#include "conformance/run/plan_digest.h"

#include "conformance/run/digest.h"
#include "conformance/run/plan.h"

namespace poolproof {

std::string PlanDigest(const Specs& specs, Error* error) {
  constexpr uint64_t kRandom = 1000;
  PlanOptions options;
  options.level = Level::kFull;
  options.random_count = kRandom;
  const std::optional<Plan> plan = Plan::Make(specs, options, error);
  if (!plan) return "";
  Digest digest;
  PlannedCase planned;
  for (uint64_t n = 0; n < plan->Size(); ++n) {
    if (!plan->Get(n, &planned)) continue;
    digest.Add(SectionName(planned.section)).Add("\n").Add(planned.id).Add("\n").Add(planned.line).Add("\n");
  }
  return digest.Hex();
}

}  // namespace poolproof
