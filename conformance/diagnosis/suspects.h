// Known causes, readings and learnt bounds that may explain what fails, by how much of it they do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "conformance/diagnosis/examine.h"

namespace poolproof {

// Classes without known causes, the largest, that every cause is asked about.
inline constexpr size_t kAsked = 24;

struct Suspect {
  Fault fault;
  std::vector<bool> gives;  // classes whose answers it gives
  bool examined = false;
  Finding finding;
};

class Suspects {
 public:
  // `open`: whether a class is still to be explained. All of them outlive the suspects.
  Suspects(const std::vector<FailureClass>& classes, std::function<bool(size_t)> open, Examiner* examiner)
      : classes_(classes), open_(std::move(open)), examiner_(examiner) {}

  // Finds them among what fails; once, before anything is explained.
  void Collect();
  // The one that explains most of what is open; nullptr where none is left, or no time.
  Suspect* FindBest();
  // Examines those again that were refused for right cases which the one accepted last changes; to be called behind
  // each.
  void Reconsider();

 private:
  Suspect& SuspectFor(const Fault& fault);
  void AddBound(const Fault& fault);
  void AskAbout(std::vector<size_t> unclear);
  uint64_t Gain(const Suspect& suspect) const;
  size_t ConditionsFor(const Suspect& suspect) const;
  double Score(const Suspect& suspect) const;
  bool IsRefusedAnyway(const Suspect& suspect);
  bool IsLikelier(const Suspect& suspect, const Suspect& other);

  const std::vector<FailureClass>& classes_;
  const std::function<bool(size_t)> open_;
  Examiner* const examiner_;
  std::deque<Suspect> suspects_;  // which stay where they are
};

}  // namespace poolproof
