#include "conformance/results/results_plan.h"

#include <fmt/format.h>

#include "conformance/format/reader.h"
#include "conformance/format/text.h"
#include "conformance/judge/oracle.h"

namespace poolproof {
namespace {

bool SameProgram(const Specs& specs, const Json& header, Error* error) {
  const std::string name = StringOr(ObjectOr(header, "tool"), "name");
  if (name != "poolproof") return Fail(fmt::format("was made by {}, not by poolproof", JsonQuoted(name)), error);
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

bool ReadCorpus(const Specs& specs, const Json& header, PlanOptions* options, Error* error) {
  uint64_t last = 0;
  for (const Json& entry : ArrayOr(header, "corpus")) {
    const std::string line = StringOr(entry, "line");
    const Json from = entry.is_object() ? entry.value("from", Json()) : Json();
    std::optional<Problem> problem = ParseLine(specs, line, error);
    if (!problem || !from.is_number_unsigned() || from < last || options->level != Level::kFuzz) {
      return Fail(fmt::format("has a header whose \"corpus\" holds {}", ShortenedJson(entry)), error);
    }
    last = from.get<uint64_t>();
    options->corpus.push_back({last, *std::move(problem)});
  }
  return true;
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
    options->support = Support::FromJson(specs, lacks, error);
    if (!options->support) return Fail("has a header whose " + error->message, error);
  }
  return ReadCorpus(specs, header, options, error) && ReadShard(header, &options->shard, error);
}

}  // namespace

const PlannedCase* CasesOfPlan::Peek() {
  for (; !found_ && next_ < plan_.Size(); ++next_) {
    if (!plan_.Get(next_, &planned_)) continue;
    found_ = !runnable_only_ || !planned_.problem.ShapesAlone();
  }
  return found_ ? &planned_ : nullptr;
}

bool CasesOfPlan::Take(const CaseLine& c, Error* error) {
  const PlannedCase* planned = Peek();
  if (planned == nullptr || planned->n > c.n) {
    error->message = fmt::format("case {} is not in the plan that the header describes", c.n);
  } else if (planned->n < c.n) {
    error->message =
        fmt::format("case {} of the plan is missing before it: \"{}\"", planned->n, QuoteValue(planned->id));
  } else if (planned->id != c.id) {
    error->message =
        fmt::format("case {} of the plan is \"{}\", not \"{}\"", c.n, QuoteValue(planned->id), QuoteValue(c.id));
  } else if (planned->line != c.line) {
    error->message = fmt::format("case {} of the plan is the problem \"{}\", not \"{}\"", c.n,
                                 QuoteValue(planned->line), QuoteValue(c.line));
  } else {
    Next();
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
  if (!reader_.Open(path, error) || reader_.Next(error) == Item::kRefused) return false;
  header_ = std::move(reader_.value());
  Error reason;
  planned_ = PlanOfResults(specs, header_, &reason);
  if (planned_ == nullptr) unknown_ = reason.message;
  if (planned_ == nullptr && required) return Fail(fmt::format("{}: {}.", path, unknown_), error);
  return ReadLists(error);
}

bool PlannedReader::ReadLists(Error* error) {
  do {
    ahead_ = reader_.Next(error);
    if (ahead_ == Item::kAlike) alike_.Add(std::move(reader_.grammar().alike()));
  } while (ahead_ == Item::kPlanned || ahead_ == Item::kAlike);
  return ahead_ != Item::kRefused;
}

PlannedReader::Item PlannedReader::Next(Error* error) {
  if (used_) ahead_ = reader_.Next(error);
  used_ = false;
  if (planned_ != nullptr && !cases_over_ && ahead_ != Item::kRefused) {
    const Step step = NextCase(error);
    if (step == Step::kRefused) error->message = reader_.Sentence(error->message);
    if (step != Step::kNone) return step == Step::kCase ? Item::kCase : Item::kRefused;
    cases_over_ = true;
  }
  while (ahead_ == Item::kCounted) ahead_ = reader_.Next(error);
  if (ahead_ == Item::kCase) case_ = reader_.current();
  if (ahead_ == Item::kFooter && !CheckPlanEnd(error)) {
    error->message = reader_.Sentence(error->message);
    return Item::kRefused;
  }
  used_ = true;
  return ahead_;
}

PlannedReader::Step PlannedReader::NextCase(Error* error) {
  const auto& total = reader_.grammar().planned();
  const PlannedCase* planned = planned_->Peek();
  const bool listed = ahead_ == Item::kCase;
  if (listed && (!total || planned == nullptr || planned->n >= reader_.current().n)) return TakeListed(error);
  if (listed || (total && cases_ < total->cases)) return TakeUnlisted(error);
  return CheckAllCases(error) ? Step::kNone : Step::kRefused;
}

PlannedReader::Step PlannedReader::TakeListed(Error* error) {
  if (!planned_->Take(reader_.current(), error)) return Step::kRefused;
  case_ = reader_.current();
  used_ = true;
  digest_.Add(case_.n, case_.id, case_.verdict);
  ++cases_;
  return Step::kCase;
}

PlannedReader::Step PlannedReader::TakeUnlisted(Error* error) {
  const PlannedCase* planned = planned_->Peek();
  if (planned == nullptr) {
    error->message = fmt::format("the file stands for {}, the plan has {}",
                                 Plural(reader_.grammar().planned()->cases, "case"), cases_);
    return Step::kRefused;
  }
  if (!case_.plain) case_ = CaseLine();
  case_.n = planned->n;
  case_.id = planned->id;
  case_.line = planned->line;
  case_.section = SectionName(planned->section);
  const auto alike = alike_.Place();
  if (alike && *alike < case_.n) {
    error->message = fmt::format("case {} is not in the plan that the header describes", *alike);
    return Step::kRefused;
  }
  case_.plain = alike != case_.n;
  if (!case_.plain) alike_.Take(&case_);
  planned_->Next();
  digest_.Add(case_.n, case_.id, case_.verdict);
  ++cases_;
  return Step::kCase;
}

bool PlannedReader::CheckAllCases(Error* error) {
  const auto& total = reader_.grammar().planned();
  if (!total) return true;
  if (const auto alike = alike_.Place()) {
    error->message = fmt::format("the file stands for {}, and lists case {} behind the last of them",
                                 Plural(total->cases, "case"), *alike);
  } else if (cases_ != total->cases) {
    error->message = fmt::format("the file stands for {}, the plan has {} up to the last of them",
                                 Plural(total->cases, "case"), cases_);
  } else if (digest_.Text() != total->digest) {
    error->message =
        fmt::format("the digest of its cases is {}, the file says {}", digest_.Text(), QuoteValue(total->digest));
  } else {
    return true;
  }
  return false;
}

// A run that was stopped, and says so, holds the beginning of its plan.
bool PlannedReader::CheckPlanEnd(Error* error) {
  if (planned_ == nullptr || !StringOr(reader_.value(), "stopped").empty()) return true;
  const PlannedCase* planned = planned_->Peek();
  if (planned == nullptr) return true;
  return Fail(fmt::format("case {} of the plan is missing: \"{}\"", planned->n, QuoteValue(planned->id)), error);
}

namespace {

// Reads a file to its end.
bool ReadAll(PlannedReader& reader, const std::function<void(const CaseLine&)>& take, Error* error) {
  using Item = PlannedReader::Item;
  Item item;
  do {
    item = reader.Next(error);
    if (item == Item::kCase) take(reader.current());
  } while (item != Item::kEnd && item != Item::kRefused);
  return item == Item::kEnd;
}

}  // namespace

bool CheckResults(const Specs& specs, const std::string& path, Error* error) {
  PlannedReader reader;
  return reader.Open(specs, path, false, error) && ReadAll(reader, [](const CaseLine&) {}, error);
}

bool EachCaseOfResults(const Specs& specs, const std::string& path, const std::function<void(const CaseLine&)>& take,
                       Error* error) {
  Error failure;
  PlannedReader reader;
  bool read = reader.Open(specs, path, false, &failure);
  if (read && !reader.unknown().empty() && reader.reader().grammar().planned()) {
    read = Fail(fmt::format("{}: not all of its cases have a line, and it {}.", path, reader.unknown()), &failure);
  }
  read = read && ReadAll(reader, take, &failure);
  error->message = failure.message;
  return read;
}

EachCase EachCaseWith(const Specs& specs) {
  return [&specs](const std::string& path, const std::function<void(const CaseLine&)>& take, Error* error) {
    return EachCaseOfResults(specs, path, take, error);
  };
}

}  // namespace poolproof
