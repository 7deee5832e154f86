#include "conformance/run/vectors_manifest.h"

#include <fmt/format.h>

#include "conformance/run/results_plan.h"
#include "reports/line_file.h"
#include "reports/strict_json.h"

namespace poolproof {
namespace {

using reports::Json;

constexpr size_t kMaxManifest = 1 << 20;
constexpr int kManifestFormat = 1;

}  // namespace

std::string ManifestPath(const std::string& folder) { return folder + "/manifest.json"; }

std::string VectorsManifest::Text(const Specs& specs) const {
  const Json value = {{"poolproof_vectors", kManifestFormat},
                      {"tool", {{"name", "poolproof"}, {"version", POOLPROOF_VERSION}}},
                      {"specs", {{"digest", specs.digest}}},
                      {"profile", profile},
                      {"level", LevelName(plan.level)},
                      {"seed", plan.seed},
                      {"random", plan.random_count.value_or(0)},
                      {"shard", {{"index", plan.shard.index}, {"count", plan.shard.count}}},
                      {"filter", plan.filter},
                      {"count", count},
                      {"digest", digest}};
  return value.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool ReadManifest(const Specs& specs, const std::string& folder, VectorsManifest* manifest, Error* error) {
  const std::string path = ManifestPath(folder);
  std::string text, reason;
  if (!reports::ReadWholeFile(path, kMaxManifest, &text, &error->message)) return false;
  const std::optional<Json> value = reports::ParseStrictly(text, &reason);
  const bool named = value && value->is_object() && value->value("poolproof_vectors", Json()) == kManifestFormat;
  if (!named) {
    error->message = fmt::format("{}: {}.", path, value ? "is no manifest of vectors of format 1" : reason);
    return false;
  }
  const Json count = value->value("count", Json());
  const std::unique_ptr<CasesOfPlan> planned = PlanOfResults(specs, *value, error);
  if (planned == nullptr || !count.is_number_unsigned()) {
    error->message = fmt::format("{}: {}.", path, planned ? "\"count\" is no number" : error->message);
    return false;
  }
  manifest->plan = planned->plan().Options();
  manifest->profile = reports::Str(*value, "profile");
  manifest->count = count.get<uint64_t>();
  manifest->digest = reports::Str(*value, "digest");
  return true;
}

}  // namespace poolproof
