#include "conformance/run/work.h"

#include <algorithm>

namespace poolproof {
namespace {

constexpr double kCall = 2000;     // what a call takes beside its elements, in elements
constexpr uint64_t kSample = 256;  // random problems, by which the others are judged

// About what case `n` takes to be run and judged, in elements; nothing where it is left out.
double Cost(const Plan& plan, uint64_t n, PlannedCase* planned) {
  if (!plan.Get(n, planned)) return 0;
  return kCall + (planned->problem.ShapesAlone() ? 0 : static_cast<double>(planned->problem.Elements()));
}

}  // namespace

Work::Work(const Plan& plan) {
  PlannedCase planned;
  fixed_.reserve(plan.FixedSize() + 1);
  for (uint64_t n = 0; n < plan.FixedSize(); ++n) fixed_.push_back(fixed_.back() + Cost(plan, n, &planned));
  const uint64_t random = plan.Size() - plan.FixedSize(), sample = std::min(random, kSample);
  for (uint64_t i = 0; i < sample; ++i) {
    random_ += Cost(plan, plan.FixedSize() + i * random / sample, &planned) / static_cast<double>(sample);
  }
  all_ = Before(plan.Size());
}

double Work::Share(uint64_t n) const { return all_ > 0 ? Before(n) / all_ : 1; }

double Work::Before(uint64_t n) const {
  const uint64_t fixed = fixed_.size() - 1;
  return n <= fixed ? fixed_[n] : fixed_.back() + random_ * static_cast<double>(n - fixed);
}

}  // namespace poolproof
