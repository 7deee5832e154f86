#include "conformance/run/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

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
  const char* first;  // variable that holds the first index, or nullptr
  uint32_t base;      // the first index where `first` is nullptr
};

constexpr Variables kSystems[] = {
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", nullptr, 1},
    {"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", nullptr, 0},
    {"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", nullptr, 0},
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", 0},
    {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", nullptr, 0},
};

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
  error->message = fmt::format(
      "--shard: \"{}\" is not I/N with 1 <= I <= N, for example 2/8.", text);
  return std::nullopt;
}

std::optional<Shard> ShardFromEnvironment(Error* error) {
  for (const Variables& system : kSystems) {
    const char* index = std::getenv(system.index);
    const char* count = std::getenv(system.count);
    if (index == nullptr || count == nullptr) continue;
    const char* base = system.first == nullptr ? nullptr : std::getenv(system.first);
    const auto i = Number32(index), n = Number32(count);
    const auto b = base == nullptr ? std::optional(system.base) : Number32(base);
    if (i && n && b && *n >= 1 && *i >= *b && *i - *b < *n) return Shard{*i - *b + 1, *n};
    error->message = fmt::format("Environment: {}={} and {}={} name no shard.", system.index,
                                 index, system.count, count);
    return std::nullopt;
  }
  return Shard{};
}

}  // namespace poolproof
