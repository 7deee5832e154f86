#include "conformance/cases/shard.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace poolproof {
namespace {

uint64_t Hash(std::string_view text) {  // FNV-1a, then mixed: its low bits alone are weak
  uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  return h ^ (h >> 32);
}

std::optional<uint32_t> Number32(std::string_view text) {
  uint32_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Variables {
  const char* index;
  const char* count;
  uint32_t base;       // the first index
  bool index_alone;    // the service sets the index, and the count is for the user to set
  const char* status;  // variable that names a file to touch, for a service that checks that its shards are known
};

constexpr Variables kSystems[] = {
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", 1, false, nullptr},
    {"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0, false, nullptr},
    {"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0, false, nullptr},
    {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0, true, nullptr},
    {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0, false, "TEST_SHARD_STATUS_FILE"},
};

// Arrays of batch systems. What they say of their size is the size of what was submitted now: where elements
// 2 and 5 of eight are submitted again it is two, and shards cut by it would hold other cases.
constexpr const char* kArrays[] = {"SLURM_ARRAY_TASK_ID", "SGE_TASK_ID", "PBS_ARRAY_INDEX"};

// Grid Engine says "undefined" in a job that is no array.
bool IsSet(const char* value) { return value != nullptr && std::string_view(value) != "undefined"; }

bool RefuseArrays(Error* error) {
  for (const char* name : kArrays) {
    const char* element = std::getenv(name);
    if (!IsSet(element)) continue;
    error->message = fmt::format(
        "Environment: {}={} names no shard: a part of an array that is submitted again is an "
        "array of another size; give --shard={}/N, or --shard=1/1 for the whole plan.",
        name, element, element);
    return true;
  }
  return false;
}

bool Touch(const char* variable, Error* error) {
  const char* path = variable == nullptr ? nullptr : std::getenv(variable);
  if (path == nullptr || std::ofstream(path, std::ios::app)) return true;
  return Fail(fmt::format("Environment: {}={} cannot be written: {}.", variable, path, std::strerror(errno)), error);
}

}  // namespace

bool InShard(const Shard& shard, std::string_view id) {
  return shard.count <= 1 || Hash(id) % shard.count == shard.index - 1;
}

std::optional<Shard> ParseShard(std::string_view text, Error* error) {
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto index = Number32(text.substr(0, slash));
    const auto count = Number32(text.substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count) return Shard{*index, *count};
  }
  error->message = fmt::format("--shard: \"{}\" is not I/N with 1 <= I <= N, for example 2/8.", text);
  return std::nullopt;
}

std::optional<Shard> ShardFromEnvironment(Error* error) {
  for (const Variables& system : kSystems) {
    const char* index = std::getenv(system.index);
    const char* count = std::getenv(system.count);
    if (index == nullptr || (count == nullptr && !system.index_alone)) continue;
    if (count == nullptr) {
      error->message = fmt::format("Environment: {}={} is one of how many? Set {}, or give --shard.", system.index,
                                   index, system.count);
      return std::nullopt;
    }
    const auto i = Number32(index), n = Number32(count);
    if (i && n && *n >= 1 && *i >= system.base && *i - system.base < *n) {
      if (!Touch(system.status, error)) return std::nullopt;
      return Shard{*i - system.base + 1, *n};
    }
    error->message =
        fmt::format("Environment: {}={} and {}={} name no shard.", system.index, index, system.count, count);
    return std::nullopt;
  }
  if (RefuseArrays(error)) return std::nullopt;
  return Shard{};
}

}  // namespace poolproof
