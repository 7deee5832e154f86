#include "conformance/cases/shrink.h"

#include "conformance/cases/simpler.h"

namespace poolproof {
namespace {

constexpr int kStages = 6;

Problems Stage(int stage, const Problem& problem, const ShrinkOptions& options) {
  Problems simpler;
  switch (stage) {
    case 0: SimplerShape(problem, &simpler); break;
    case 1: SimplerWindow(problem, &simpler); break;
    case 2: SimplerAttributes(problem, &simpler); break;
    case 3: SimplerType(problem, options, &simpler); break;
    case 4: SimplerFill(problem, options, &simpler); break;
    default: SimplerData(problem, &simpler); break;
  }
  return simpler;
}

class Shrinker {
 public:
  Shrinker(const Problem& problem, const std::function<bool(const Problem&)>& fails, const ShrinkOptions& options)
      : problem_(problem), fails_(fails), options_(options), calls_left_(options.max_calls) {}

  // A later stage may make an earlier one possible again, so all are repeated until none helps.
  Problem Run() {
    for (bool changed = true; changed && calls_left_ > 0;) {
      changed = false;
      for (int stage = 0; stage < kStages; ++stage) {
        while (Step(stage)) changed = true;
      }
    }
    return problem_;
  }

 private:
  bool Step(int stage) {
    for (Problem& simpler : Stage(stage, problem_, options_)) {
      if (calls_left_ <= 0) return false;
      --calls_left_;
      if (!fails_(simpler)) continue;
      problem_ = std::move(simpler);
      return true;
    }
    return false;
  }

  Problem problem_;
  const std::function<bool(const Problem&)>& fails_;
  const ShrinkOptions& options_;
  int calls_left_;
};

}  // namespace

Problem Shrink(const Problem& problem, const std::function<bool(const Problem&)>& fails, const ShrinkOptions& options) {
  return Shrinker(problem, fails, options).Run();
}

Problems SimplerProblems(const Problem& problem, const ShrinkOptions& options) {
  Problems all;
  for (int stage = 0; stage < kStages; ++stage) {
    for (Problem& simpler : Stage(stage, problem, options)) all.push_back(std::move(simpler));
  }
  return all;
}

}  // namespace poolproof
