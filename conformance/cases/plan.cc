#include "conformance/cases/plan.h"
#include "conformance/cases/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/digest.h"
#include "conformance/cases/fill_value.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/mutate.h"
#include "conformance/cases/run_limits.h"
#include "conformance/format/meant.h"

namespace poolproof {
namespace {

constexpr uint64_t kQuickRandom = 100'000;
constexpr uint64_t kGateRandom = 300'000;  // some 400,000 with the rest
constexpr uint64_t kFullRandom = 5'000'000;
// More than those that are not random.
constexpr size_t kCasesOfGate = size_t{1} << 18;
constexpr uint64_t kFilterProbe = 100'000;
// How often a problem is drawn that the backend lacks, and what is added to the seed for another.
constexpr uint64_t kMostDraws = 50;
constexpr unsigned kPercentOfCorpus = 75;  // of the problems of level fuzz, where there is a corpus
constexpr uint64_t kNextSeed = 0x9e3779b97f4a7c15u;

struct Named {
  std::string_view name;
  Level level;
};
constexpr Named kLevels[] = {{"documented", Level::kDocumented},
                             {"fuzz", Level::kFuzz},
                             {"quick", Level::kQuick},
                             {"gate", Level::kGate},
                             {"full", Level::kFull}};
// One in this many layers of networks is whole at level gate.
constexpr size_t kWholeOfGate = 32;

}  // namespace

std::string_view SectionName(Section section) {
  constexpr std::string_view kNames[] = {"examples", "invalid",  "regressions", "specials", "boundaries",
                                         "sizes",    "networks", "counters",    "huge",     "random"};
  return kNames[static_cast<size_t>(section)];
}

std::string_view LevelName(Level level) {
  for (const Named& row : kLevels) {
    if (row.level == level) return row.name;
  }
  return "?";
}

uint64_t RandomOfLevel(Level level) {
  constexpr uint64_t kRandom[] = {0, kMaxRandom, kQuickRandom, kGateRandom, kFullRandom};
  return kRandom[static_cast<size_t>(level)];
}

size_t WholeLayersOf(Level level) { return level == Level::kFull ? 1 : kWholeOfGate; }

std::optional<Level> FindLevel(std::string_view name, Error* error) {
  for (const Named& row : kLevels) {
    if (row.name == name) return row.level;
  }
  std::vector<std::string_view> names;
  for (const Named& row : kLevels) names.push_back(row.name);
  error->message = fmt::format("--level: \"{}\" is none of {}{}", name, kLevelNames, IsMeant(name, names, "."));
  return std::nullopt;
}

bool Plan::AddLine(std::string id, std::string_view line, Section section, Error* error, const Example* example,
                   const InvalidCall* invalid) {
  std::optional<Problem> problem = ParseLine(*specs_, line, error);
  if (problem) error->message = WhyTooLarge(*problem);
  if (!problem || !error->message.empty()) {
    return Fail(fmt::format("{} \"{}\": {}", SectionName(section), id.empty() ? line : id, error->message), error);
  }
  if (example != nullptr && !example->inputs.empty()) {
    for (const Number value : example->inputs[0].values) problem->data.push_back(RoundToType(problem->type, value));
  }
  PlannedCase* added = AddProblem(std::move(id), *std::move(problem), section);
  if (added == nullptr) return true;
  added->example = example;
  added->invalid = invalid;
  return true;
}

PlannedCase* Plan::AddProblem(std::string id, Problem problem, Section section) {
  PlannedCase& planned = fixed_.emplace_back();
  planned.n = fixed_.size() - 1;
  planned.line = PrintLine(problem);
  planned.id = id.empty() ? planned.line : std::move(id);
  planned.section = section;
  if (!ids_.insert(planned.id).second) {
    fixed_.pop_back();
    return nullptr;
  }
  planned.problem = std::move(problem);
  return &planned;
}

void Plan::AddProblems(Problems problems, Section section) {
  for (Problem& problem : problems) AddProblem("", std::move(problem), section);
}

// A document names an operator once; "MaxPool-8/example-1".
bool Plan::AddExamples(const OperatorSpec& spec, Error* error) {
  for (const Example& example : spec.examples) {
    const std::string id = fmt::format("{}/{}", spec.functions.front().name, example.id);
    if (!AddLine(id, example.line, Section::kExamples, error, &example)) return false;
  }
  return true;
}

bool Plan::AddInvalid(const OperatorSpec& spec, Error* error) {
  for (const InvalidCall& invalid : spec.invalid_calls) {
    for (size_t i = 0; i < invalid.lines.size(); ++i) {
      const std::string_view line = invalid.lines[i];
      const std::string_view op = line.substr(0, line.find(' '));
      const std::string number = i == 0 ? "" : fmt::format("-{}", i + 1);
      const std::string id = fmt::format("{}/{}{}", op, invalid.rule, number);
      if (!AddLine(id, line, Section::kInvalid, error, nullptr, &invalid)) return false;
    }
  }
  return true;
}

bool Plan::AddSystematic(Error* error) {
  for (const Regression& regression : Regressions()) {
    if (!AddLine("", regression.line, Section::kRegressions, error)) return false;
  }
  for (const OperatorSpec& spec : specs_->operators) {
    AddProblems(SpecialProblems(spec), Section::kSpecials);
  }
  for (const OperatorSpec& spec : specs_->operators) {
    AddProblems(BoundaryProblems(spec), Section::kBoundaries);
  }
  return true;
}

void Plan::AddLarge(Level level) {
  for (const OperatorSpec& spec : specs_->operators) {
    AddProblems(SpecialProblemsWithoutPads(spec), Section::kSpecials);
    AddProblems(SizeProblems(spec), Section::kSizes);
    AddProblems(GridProblems(spec), Section::kSizes);
    AddProblems(TwinProblems(spec), Section::kSizes);
    AddProblems(RunningSumProblems(spec), Section::kSizes);
    AddProblems(DivisorProblems(spec), Section::kSizes);
    AddProblems(CapacityProblems(spec), Section::kSizes);
  }
  for (const OperatorSpec& spec : specs_->operators) {
    AddProblems(NetworkProblems(*specs_, spec, WholeLayersOf(level)), Section::kNetworks);
  }
  for (const OperatorSpec& spec : specs_->operators) {
    AddProblems(CounterProblems(spec, level >= Level::kFull), Section::kCounters);
  }
  if (level < Level::kFull) return;
  for (const OperatorSpec& spec : specs_->operators) {
    AddProblems(HugeProblems(spec), Section::kHuge);
  }
}

namespace {

// The filter with blanks around its comparisons, "op = MaxPool-8" for "op=MaxPool-8" and for "op==MaxPool-8"; empty
// where that is no condition.
std::string AsCondition(const Specs& specs, const std::string& filter) {
  std::string text;
  const auto add_blank = [&text] {
    if (!text.empty() && text.back() != ' ') text += ' ';
  };
  for (const char letter : filter) {
    if (letter == '=' && text.ends_with("= ")) continue;
    if (letter == ' ') add_blank();
    if (letter == '!' || (letter == '=' && !text.ends_with('!'))) add_blank();
    if (letter != ' ') text += letter;
    if (letter == '=') add_blank();
  }
  const std::string first = text.substr(0, text.find(' '));
  const bool named = std::any_of(specs.names->begin(), specs.names->end(),
                                 [&first](const expression::Name& name) { return name.name == first; });
  Error ignored;
  return named && expression::Expression::Condition(*specs.names, text, &ignored) ? text : "";
}

// A question after what the filter, or a word of it, may mean.
std::string FilterMeant(const std::string& filter) {
  const Specs& specs = BuiltInSpecs();
  if (const std::string condition = AsCondition(specs, filter); !condition.empty()) {
    return fmt::format("; is --filter={} meant?", ShellQuoted(condition));
  }
  std::istringstream words(filter);
  for (std::string word; words >> word;) {
    const std::string meant = specs.FindOperator(word) != nullptr ? "" : IsMeant(word, specs.FunctionNames());
    if (!meant.empty()) return meant;
  }
  return "; names are exact, and a pattern has * or ?, as in MaxPool-*.";
}

}  // namespace

std::string NoCaseFits(const std::string& filter, const Shard& shard) {
  if (filter.empty() || shard.count > 1) {
    return fmt::format("--shard={}/{} holds no case of the plan{}; take fewer shards.", shard.index, shard.count,
                       filter.empty() ? "" : fmt::format(" that --filter \"{}\" matches", filter));
  }
  return fmt::format("--filter \"{}\" matches no case{}", filter, FilterMeant(filter));
}

std::optional<Plan> Plan::Make(const Specs& specs, const PlanOptions& options, Error* error) {
  Plan plan;
  plan.specs_ = &specs;
  plan.options_ = options;
  std::optional<CaseFilter> filter = CaseFilter::Parse(specs, options.filter, error);
  if (!filter) return std::nullopt;
  plan.filter_ = *std::move(filter);
  for (const OperatorSpec& spec : specs.operators) {
    if (!plan.AddExamples(spec, error)) return std::nullopt;
  }
  for (const OperatorSpec& spec : specs.operators) {
    if (!plan.AddInvalid(spec, error)) return std::nullopt;
  }
  if (options.level >= Level::kQuick && !plan.AddSystematic(error)) return std::nullopt;
  if (options.level >= Level::kGate) {
    plan.ids_.reserve(kCasesOfGate);
    plan.AddLarge(options.level);
  }
  plan.Follow(options.support.value_or(Support()));
  plan.options_.support = options.support;
  plan.random_count_ = RandomOf(options);
  if (plan.random_count_ > kMaxRandom) {
    error->message = fmt::format("--random: {} random problems are more than {}.", plan.random_count_, kMaxRandom);
    return std::nullopt;
  }
  plan.ids_.clear();
  if (options.level == Level::kFuzz) plan.corpus_ = std::make_shared<Corpus>();
  for (const Corpus::Entry& entry : options.corpus) {
    plan.corpus_->Claim(entry.from);
    plan.corpus_->Add(entry.problem);
  }
  return plan;
}

bool Plan::Selected(const PlannedCase& planned) const {
  return filter_.Matches(planned) && InShard(options_.shard, planned.id);
}

void Plan::Follow(Support support) {
  callables_ = support.Callables(*specs_);
  options_.support = std::move(support);
  if (callables_.empty()) callables_ = AllCallables(*specs_);  // then all of it is unsupported
  starts_.clear();
  if (options_.level != Level::kFuzz) return;
  for (const bool any : {false, true}) {
    for (size_t i = 0; i < fixed_.size(); ++i) {
      if (any || options_.support->Supports(fixed_[i].problem)) starts_.push_back(i);
    }
    if (!starts_.empty()) return;
  }
}

uint64_t DrawSeed() {
  std::random_device device;
  // A whole number that every reader of JSON keeps.
  return (uint64_t{device()} << 32 | device()) >> 11;
}

// Random problem number `index`; at level fuzz, changed like one in four of those of the documents that the backend
// has, or one of the corpus.
Problem Plan::DrawOnce(uint64_t seed, uint64_t index) const {
  Problem problem = RandomProblem(callables_, seed, index);
  if (options_.level != Level::kFuzz) return problem;
  Choices choices(fill::Mix64(fill::Mix64(seed) ^ index));
  if (choices.Percent(25)) problem = fixed_[starts_[choices.Below(starts_.size())]].problem;
  if (const auto kept = corpus_->Draw(index, choices); kept && choices.Percent(kPercentOfCorpus)) problem = *kept;
  Problem changed = MutateProblem(*specs_, problem, choices);
  return WhyTooLarge(changed).empty() ? changed : problem;
}

// Random problem number `index`, drawn again as long as the backend does not have it.
Problem Plan::Draw(uint64_t index) const {
  for (uint64_t attempt = 0;; ++attempt) {
    Problem problem = DrawOnce(options_.seed + attempt * kNextSeed, index);
    if (attempt == kMostDraws || !options_.support || options_.support->Supports(problem)) return problem;
  }
}

std::pair<uint64_t, uint64_t> Plan::PlacesOf(Section section) const {
  const auto behind = [&](bool last) {
    const auto at = std::partition_point(fixed_.begin(), fixed_.end(), [&](const PlannedCase& planned) {
      return planned.section < section || (last && planned.section == section);
    });
    return static_cast<uint64_t>(at - fixed_.begin());
  };
  return {behind(false), behind(true)};
}

bool Plan::Get(uint64_t n, PlannedCase* planned) const {
  if (!kept_.empty() && !kept_[n]) return false;
  if (n < fixed_.size()) {
    if (!Selected(fixed_[n])) return false;
    *planned = fixed_[n];
    return true;
  }
  planned->n = n;
  planned->section = Section::kRandom;
  planned->example = nullptr;
  planned->invalid = nullptr;
  planned->problem = Draw(n - fixed_.size());
  planned->line.clear();
  AppendLine(planned->problem, &planned->line);
  planned->id = planned->line;
  return Selected(*planned);
}

std::optional<PlannedCase> Plan::Find(std::string_view id_or_line, Error* error) const {
  for (const PlannedCase& planned : fixed_) {
    if (planned.id == id_or_line) return planned;
  }
  if (id_or_line.find(' ') == std::string_view::npos) {
    std::vector<std::string> ids;
    for (const PlannedCase& planned : fixed_) {
      if (planned.id != planned.line) ids.push_back(planned.id);
    }
    error->message = fmt::format("\"{}\" is neither the id of a case (see `list`) nor a problem line{}", id_or_line,
                                 IsMeant(id_or_line, ids, "."));
    return std::nullopt;
  }
  std::optional<Problem> problem = ParseLine(*specs_, id_or_line, error);
  if (!problem) return std::nullopt;
  if (const std::string why = WhyTooLarge(*problem); !why.empty()) {
    error->message = fmt::format("{}: {}.", PrintLine(*problem), why);
    return std::nullopt;
  }
  PlannedCase planned;
  planned.line = PrintLine(*problem);
  planned.id = planned.line;
  planned.problem = *std::move(problem);
  return planned;
}

std::optional<PlannedCase> FindCase(const Specs& specs, std::string_view id_or_line, Error* error) {
  PlanOptions options;
  options.level = Level::kDocumented;
  const std::optional<Plan> plan = Plan::Make(specs, options, error);
  return plan ? plan->Find(id_or_line, error) : std::nullopt;
}

bool Plan::Any() const {
  PlannedCase planned;
  for (uint64_t n = 0; n < std::min(Size(), FixedSize() + kFilterProbe); ++n) {
    if (Get(n, &planned)) return true;
  }
  return false;
}

std::string PlanDigest(const Specs& specs, Error* error) {
  constexpr uint64_t kRandom = 1000;
  PlanOptions options;
  options.level = Level::kFull;
  options.random_count = kRandom;
  const std::optional<Plan> plan = Plan::Make(specs, options, error);
  if (!plan) return "";
  Digest digest;
  PlannedCase planned;
  for (uint64_t n = 0; n < plan->Size(); ++n) {
    if (!plan->Get(n, &planned)) continue;
    digest.Add(SectionName(planned.section)).Add("\n").Add(planned.id).Add("\n").Add(planned.line).Add("\n");
  }
  return digest.Hex();
}

}  // namespace poolproof
