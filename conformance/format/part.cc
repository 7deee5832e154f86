#include "conformance/format/part.h"

#include <fmt/format.h>

#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof::reports {
namespace {

constexpr size_t kMaxFilter = 120;  // bytes of a filter that are repeated

std::string RandomText(const Json& header) {
  const auto random = header.find("random");
  const uint64_t all = static_cast<uint64_t>(std::max<int64_t>(Int(header, "random_of_level"), 0));
  if (random == header.end() || !random->is_number_unsigned() || *random >= all) return "";
  return fmt::format("{} of {} random problems", WithCommas(random->get<uint64_t>()), WithCommas(all));
}

std::string ShardText(const Json& shard) {
  if (Int(shard, "count") <= 1) return "";
  return fmt::format("shard {} of {}", Int(shard, "index"), Int(shard, "count"));
}

}  // namespace

std::string PartOf(const Json& header, const Json& footer) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  const std::string level = Str(header, "level"), filter = Str(header, "filter");
  if (level != "gate" && level != "full" && !level.empty()) add("level " + level);
  add(RandomText(header));
  if (!filter.empty()) add(fmt::format("filter \"{}\"", Shorten(filter, kMaxFilter)));
  add(ShardText(Object(header, "shard")));
  const std::string stopped = Str(footer, "stopped");
  if (!stopped.empty()) {
    add(fmt::format("ended by --{} after {}", Shorten(stopped, 40),
                    Plural(static_cast<uint64_t>(std::max<int64_t>(Int(footer, "planned"), 0)), "case")));
  }
  return OneLine(text);
}

}  // namespace poolproof::reports
