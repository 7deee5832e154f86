// Shards of one run put together.
#pragma once

#include <string>
#include <vector>

#include "conformance/results/run_result.h"

namespace poolproof {

// Merges complete results files of shards of one run (same backend, plan and readings; every shard
// of the plan just once) into <out>/results.jsonl: byte for byte what an undivided run writes, but
// for times. `baseline_path` may be empty. On an error one sentence and the exit code that fits, and
// no results.jsonl.
std::optional<RunResult> MergeShards(const Specs& specs, const std::vector<std::string>& files,
                                     const std::string& baseline_path, const std::string& out, int* exit_code,
                                     Error* error);

}  // namespace poolproof
