// A backend that pools right and attacks whoever runs it. Each attack says in the log what came of
// it: "breach" where it got what it must not get.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

#include "conformance/backend.h"

namespace poolproof::hostile {

// Aims of the attacks.
struct Target {
  const poolproof_call* call = nullptr;  // during infer_shapes and run
  std::string victim;                    // a folder of files that are none of the backend's business
  std::string out;                       // the folder of the results
  pid_t runner = 0;
};
extern Target g_target;

using Attacks = std::map<std::string, void (*)()>;
void AddProcessAttacks(Attacks* attacks);  // the runner, other workers, signals, new processes
void AddFileAttacks(Attacks* attacks);     // files, variables, sockets, descriptors
void AddSystemAttacks(Attacks* attacks);   // system calls, memory, limits
void AddStateAttacks(Attacks* attacks);    // the worker's own process: handlers, modes, memory
void AddChannelAttacks(Attacks* attacks);  // what it shares with the runner

// Writes to the log what an attempt came to, with errno where it was refused.
void Report(const std::string& what, bool success);

// Opens, and reports; the descriptor or -1.
int TryOpen(const std::string& path, int flags);

}  // namespace poolproof::hostile
