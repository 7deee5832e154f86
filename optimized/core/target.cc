#include "optimized/core/target.h"

#include "hwy/highway.h"
#include "hwy/targets.h"

namespace poolproof::optimized {
namespace {

// Targets that both the compiler and this machine have. The fallback runs everywhere, but is not
// among what the processor is asked for, once: a virtual machine answers slowly.
int64_t Available() {
  static const int64_t available = [] {
    hwy::SetSupportedTargetsForTest(0);
    return (hwy::SupportedTargets() & HWY_TARGETS) | HWY_STATIC_TARGET;
  }();
  return available;
}

}  // namespace

std::vector<std::string> Targets() {
  std::vector<std::string> names;
  for (int64_t rest = Available(); rest != 0; rest &= rest - 1) {
    names.emplace_back(hwy::TargetName(rest & -rest));
  }
  return names;
}

std::string TargetNames() {
  std::string all;
  for (const std::string& name : Targets()) all += (all.empty() ? "" : ", ") + name;
  return all;
}

bool SelectTarget(std::string_view name) {
  int64_t chosen = 0;
  for (int64_t rest = Available(); rest != 0; rest &= rest - 1) {
    if (name == hwy::TargetName(rest & -rest)) chosen = rest & -rest;
  }
  if (chosen == 0 && !name.empty()) return false;
  hwy::SetSupportedTargetsForTest(chosen);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return true;
}

}  // namespace poolproof::optimized
