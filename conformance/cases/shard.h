// Shards: the plan split over machines, by a hash of the case id, so that adding, removing or
// baselining cases moves no other case to another shard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/cases/spec.h"

namespace poolproof {

struct Shard {
  uint32_t index = 1;  // 1 .. count
  uint32_t count = 1;
};

bool InShard(const Shard& shard, std::string_view id);

// "2/8". One sentence in `error` where the text is anything else.
std::optional<Shard> ParseShard(std::string_view text, Error* error);

// From the environment of a CI system, the first that is set of
//   CI_NODE_INDEX (1..N) and CI_NODE_TOTAL              GitLab, Semaphore
//   CIRCLE_NODE_INDEX (0..N-1) and CIRCLE_NODE_TOTAL    CircleCI
//   BUILDKITE_PARALLEL_JOB (0..N-1) and BUILDKITE_PARALLEL_JOB_COUNT
//   JOB_COMPLETION_INDEX (0..N-1) and JOB_COMPLETIONS   Kubernetes, which sets the first alone
//   TEST_SHARD_INDEX (0..N-1) and TEST_TOTAL_SHARDS     Bazel, whose TEST_SHARD_STATUS_FILE is touched
// The whole plan where none is set; an error where one is set to nonsense, where Kubernetes has a count
// from nobody, and in an array of Slurm, Grid Engine or PBS: a part of an array that is submitted again
// is an array of another size, so there the shard has to be named.
std::optional<Shard> ShardFromEnvironment(Error* error);

}  // namespace poolproof
