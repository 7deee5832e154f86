// Accidents: what backends do wrong whose authors mean well, on the ground of a backend that pools right.
// --backend-option=accident=NAME has one of them happen.
#pragma once

#include <map>
#include <string>

#include "conformance/backend_helper.h"

namespace poolproof::accidents {

using backend::Answer;
using backend::CallView;

// Moments of an accident; what is not there happens as it should. `infer` and `before` answer in place of the backend
// unless they give OK; `after` sees what was computed, and its answer is given.
struct Accident {
  Answer (*create)() = nullptr;
  void (*destroy)() = nullptr;
  Answer (*infer)(const CallView& call) = nullptr;
  Answer (*before)(const CallView& call) = nullptr;
  Answer (*after)(const CallView& call) = nullptr;
};

using Accidents = std::map<std::string, Accident>;
void AddAnswers(Accidents* accidents);    // what is refused, computed and written
void AddProcesses(Accidents* accidents);  // time, ends, leaks, and what is around the process

// The status of an answer of `infer` or `before` that is OK, and for which the backend is not asked.
inline constexpr poolproof_status kAnswered = -1;

// Number of the call of run, from 1 on.
inline int g_runs = 0;

void Sleep(double seconds);

}  // namespace poolproof::accidents
