// Candidates for what is wrong with a backend.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/causes/diagnose.h"
#include "conformance/results/failures.h"

namespace poolproof {

// A known cause, another reading of an open point, or a bound that the answers themselves tell.
struct Fault {
  bool is_reading = false;
  size_t cause = 0;                 // of Causes()
  reference::Entry entry{};         // is_reading
  uint8_t reading = 0;              // is_reading
  std::optional<Bound> bound = {};  // then neither of them
};

bool EqualFaults(const Fault& a, const Fault& b);

// Reads "ties=last" where it is one computable reading.
std::optional<Fault> ReadingFault(std::string_view word);
std::string ReadingText(const Fault& fault);

// Name of a fault that is no reading.
Cause CauseOf(const Fault& fault);

// Bounds that wrong values of open classes without a known cause suggest: the same value came where a smaller one was
// right, or a larger one. At most `most` of them, those of most cases.
std::vector<Fault> LearnBounds(const std::vector<FailureClass>& classes, const std::function<bool(size_t)>& open,
                               size_t most);

}  // namespace poolproof
