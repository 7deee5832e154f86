#include "conformance/results/results_plan.h"

#include <fmt/format.h>

#include "conformance/format/reader.h"
#include "conformance/format/text.h"
#include "conformance/judge/oracle.h"

namespace poolproof {
namespace {

bool SameProgram(const Specs& specs, const Json& header, Error* error) {
  const std::string version = StringOr(ObjectOr(header, "tool"), "version");
  if (version != POOLPROOF_VERSION) {
    return Fail(fmt::format("was made by poolproof {}, this is {}",
                            version.empty() ? "of no version" : EscapeForTerminal(version), POOLPROOF_VERSION),
                error);
  }
  const std::string digest = StringOr(ObjectOr(header, "specs"), "digest");
  if (digest == specs.digest) return true;
  return Fail(fmt::format("was made with specs {}, these are {}",
                          digest.empty() ? "without a digest" : EscapeForTerminal(digest), specs.digest),
              error);
}

bool ReadShard(const Json& header, Shard* shard, Error* error) {
  const Json value = header.value("shard", Json());
  for (const char* part : {"index", "count"}) {
    const Json number = value.is_object() ? value.value(part, Json()) : Json();
    if (!number.is_number_unsigned() || number > UINT32_MAX) {
      return Fail(fmt::format("has a header whose \"shard\" is {}, not an index and a count", ShortenedJson(value)),
                  error);
    }
  }
  shard->index = value["index"].get<uint32_t>();
  shard->count = value["count"].get<uint32_t>();
  if (shard->index >= 1 && shard->index <= shard->count) return true;
  return Fail(fmt::format("has a header whose \"shard\" is {}, which is none", ShortenedJson(value)), error);
}

bool ReadOptions(const Specs& specs, const Json& header, PlanOptions* options, Error* error) {
  const std::string level = StringOr(header, "level");
  const auto found = FindLevel(level, error);
  if (!found)
    return Fail(fmt::format("has a header with level {}", ShortenedJson(header.value("level", Json()))), error);
  options->level = *found;
  options->filter = StringOr(header, "filter");
  const Json seed = header.value("seed", Json()), random = header.value("random", Json());
  if (!seed.is_number_unsigned()) return Fail(fmt::format("has a header with seed {}", ShortenedJson(seed)), error);
  options->seed = seed.get<uint64_t>();
  if (random.is_number_unsigned() && random <= kMaxRandom) options->random_count = random.get<uint64_t>();
  if (!options->random_count && random != "level") {
    return Fail(fmt::format("has a header with random {}", ShortenedJson(random)), error);
  }
  if (const Json lacks = header.value("lacks", Json()); !lacks.is_null()) {
    options->support = Support::FromJson(&specs, lacks, error);
    if (!options->support) return Fail("has a header whose " + error->message, error);
  }
  return ReadShard(header, &options->shard, error);
}

}  // namespace

bool CasesOfPlan::Next(uint64_t* n, std::string_view* id) {
  for (; next_ < plan_.Size(); ++next_) {
    if (!plan_.Get(next_, &planned_)) continue;
    if (runnable_only_ && planned_.problem.ShapesAlone()) continue;
    ++next_;
    *n = planned_.n;
    *id = planned_.id;
    return true;
  }
  return false;
}

std::unique_ptr<CasesOfPlan> PlanOfResults(const Specs& specs, const Json& header, Error* error) {
  PlanOptions options;
  if (!SameProgram(specs, header, error) || !ReadOptions(specs, header, &options, error)) return nullptr;
  std::optional<Plan> plan = Plan::Make(specs, options, error);
  if (!plan) return nullptr;
  return std::make_unique<CasesOfPlan>(*std::move(plan), BoolOr(header, "vectors"));
}

bool PlannedReader::Open(const Specs& specs, const std::string& path, bool required, Error* error) {
  if (!reader_.Open(path, &error->message) || Next(error) == Item::kRefused) return false;
  header_ = std::move(reader_.value());
  planned_ = PlanOfResults(specs, header_, error);
  if (planned_ == nullptr && required) {
    error->message = fmt::format("{}: {}.", path, error->message);
    return false;
  }
  if (planned_ != nullptr) reader_.grammar().Expect(planned_.get());
  error->message.clear();
  return true;
}

bool CheckResults(const Specs& specs, const std::string& path, Error* error) {
  PlannedReader reader;
  if (!reader.Open(specs, path, false, error)) return false;
  PlannedReader::Item item;
  do {
    item = reader.Next(error);
  } while (item != PlannedReader::Item::kEnd && item != PlannedReader::Item::kRefused);
  return item == PlannedReader::Item::kEnd;
}

}  // namespace poolproof
