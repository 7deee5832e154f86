#include "conformance/format/part.h"

#include <fmt/format.h>

#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

constexpr size_t kMaxFilter = 120;  // bytes of a filter that are repeated

std::string RandomText(const Json& header) {
  const auto random = header.find("random");
  const uint64_t all = static_cast<uint64_t>(std::max<int64_t>(IntOr(header, "random_of_level"), 0));
  if (random == header.end() || !random->is_number_unsigned() || *random >= all) return "";
  return fmt::format("{} of {} random problems", WithCommas(random->get<uint64_t>()), WithCommas(all));
}

std::string ShardText(const Json& shard) {
  if (IntOr(shard, "count") <= 1) return "";
  return fmt::format("shard {} of {}", IntOr(shard, "index"), IntOr(shard, "count"));
}

}  // namespace

std::string SeedText(const Json& header) {
  return EscapeForTerminal(StringOr(header, "seed")) + (BoolOr(header, "seed_drawn") ? ", drawn by the run" : "");
}

std::string PartOf(const Json& header, const Json& footer) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  const std::string level = StringOr(header, "level"), filter = StringOr(header, "filter");
  const auto planned = static_cast<uint64_t>(std::max<int64_t>(IntOr(footer, "planned"), 0));
  const bool fuzzed = level == "fuzz";  // which ends by time, or as it was stopped
  if (fuzzed) {
    add(fmt::format("fuzzed, {}", Plural(planned, "case")));
  } else if (level != "gate" && level != "full" && !level.empty()) {
    add("level " + level);
  }
  add(RandomText(header));
  if (!filter.empty()) add(fmt::format("filter \"{}\"", Shorten(filter, kMaxFilter)));
  add(ShardText(ObjectOr(header, "shard")));
  const std::string stopped = StringOr(footer, "stopped");
  if (!stopped.empty() && !fuzzed) {
    add(fmt::format("ended by --{} after {}", Shorten(stopped, 40), Plural(planned, "case")));
  }
  return EscapeForTerminal(text);
}

}  // namespace poolproof
