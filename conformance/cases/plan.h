// The plan of a run: every case, numbered, in an order that depends on the specs, the level, the
// seed and the filter alone.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "conformance/cases/corpus.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/problem.h"
#include "conformance/cases/shard.h"
#include "conformance/cases/support.h"

namespace poolproof {

enum class Section : uint8_t {
  kExamples,     // documented, numeric and layer
  kInvalid,      // calls that break one rule
  kRegressions,  // published bugs
  kSpecials,     // NaN, infinities, zeros, lowest at telling places
  kBoundaries,   // attribute boundaries combined pairwise
  kSizes,        // dimensions next to powers of two and where grids end, common windows, twins, running sums, divisors,
                 // capacities
  kNetworks,     // layers of published networks
  kCounters,     // sums and places past what narrow counters hold
  kHuge,         // places past 2^31
  kRandom,
};
std::string_view SectionName(Section section);

// Each holds what the one before holds. Quick: up to kBoundaries; gate: all sections but kHuge; full: all, with
// every layer of a network as it is. Fuzz, the level of `conformance fuzz` alone: the documented part,
// and problems made by changing it, random ones and those that reached new code (corpus.h) until time is up.
enum class Level : uint8_t { kDocumented, kFuzz, kQuick, kGate, kFull };
std::string_view LevelName(Level level);
// Nothing, and one sentence, where no level has the name.
std::optional<Level> FindLevel(std::string_view name, Error* error);
inline constexpr std::string_view kLevelNames = "documented, quick, gate, full";

// One layer of a network in this many is whole at a level.
size_t WholeLayersOf(Level level);
// Random problems of a level, and as many as may be asked for.
uint64_t RandomOfLevel(Level level);
inline constexpr uint64_t kMaxRandom = 1'000'000'000;

struct PlanOptions {
  Level level = Level::kGate;
  uint64_t seed = 1;
  std::optional<uint64_t> random_count;  // overrides the level's
  std::string filter;                    // of the cases (filter.h)
  Shard shard;
  std::optional<Support> support;          // the random part has what the backend has; nothing: all
  bool seed_drawn = false;                 // by the run, once its backend had been loaded
  std::vector<Corpus::Entry> corpus = {};  // of a run at level fuzz that is planned once more
};

// Draws a seed from the random numbers of the system.
uint64_t DrawSeed();

inline uint64_t RandomOf(const PlanOptions& options) {
  return options.random_count.value_or(RandomOfLevel(options.level));
}

struct PlannedCase {
  uint64_t n = 0;  // place in the whole plan, whatever the shard
  std::string id;
  std::string line;
  Section section = Section::kRandom;
  Problem problem;
  const Example* example = nullptr;
  const InvalidCall* invalid = nullptr;
};

class Plan {
 public:
  // `specs` must outlive the plan. On failure (a line of the specs that is no problem) nothing.
  static std::optional<Plan> Make(const Specs& specs, const PlanOptions& options, Error* error);

  // From now on the random part has what a backend with this support has.
  void Follow(Support support);
  // From now on the random part is drawn by another seed.
  void SetSeed(uint64_t seed) { options_.seed = seed; }
  // Leaves only those places that are set.
  void KeepOnly(std::vector<bool> places) { kept_ = std::move(places); }

  // Number of places; some may be left out by filter and shard.
  uint64_t Size() const { return fixed_.size() + random_count_; }
  uint64_t FixedSize() const { return fixed_.size(); }
  // The places of the section, first and behind the last: one that quick runs do not have.
  std::pair<uint64_t, uint64_t> PlacesOf(Section section) const;
  const PlanOptions& Options() const { return options_; }
  // Case `n`; false where filter or shard leave it out. Thread-safe.
  bool Get(uint64_t n, PlannedCase* planned) const;
  // The case of this id in the fixed part, or the problem of this line; nothing where neither fits.
  std::optional<PlannedCase> Find(std::string_view id_or_line, Error* error) const;
  // Whether at least one case is left by the filter (looks at no more than 100,000 random ones).
  bool Any() const;
  const Specs& specs() const { return *specs_; }
  // Problems that the random part changes further, at level fuzz; elsewhere nullptr.
  Corpus* corpus() const { return corpus_.get(); }

 private:
  Problem Draw(uint64_t index) const;
  Problem DrawOnce(uint64_t seed, uint64_t index) const;
  bool Selected(const PlannedCase& planned) const;
  bool AddExamples(const OperatorSpec& spec, Error* error);
  bool AddInvalid(const OperatorSpec& spec, Error* error);
  bool AddSystematic(Error* error);
  void AddLarge(Level level);
  void AddProblems(Problems problems, Section section);
  // nullptr where the plan has a case of this id already.
  PlannedCase* AddProblem(std::string id, Problem problem, Section section);
  bool AddLine(std::string id, std::string_view line, Section section, Error* error, const Example* example = nullptr,
               const InvalidCall* invalid = nullptr);

  const Specs* specs_ = nullptr;
  PlanOptions options_;
  CaseFilter filter_;
  std::deque<PlannedCase> fixed_;
  std::unordered_set<std::string_view> ids_;  // of fixed_, while it grows
  std::vector<Callable> callables_;           // of the random part
  std::vector<size_t> starts_;                // of fixed_; what the random part changes at level fuzz
  uint64_t random_count_ = 0;
  std::vector<bool> kept_;  // empty: all
  std::shared_ptr<Corpus> corpus_;
};

// The case of this id, or the problem of this line, as Plan::Find finds them, without what only a whole plan has: cases
// whose id is not their line are all planned at level documented.
std::optional<PlannedCase> FindCase(const Specs& specs, std::string_view id_or_line, Error* error);

// The sentence for a filter or a shard that leaves nothing of a plan.
std::string NoCaseFits(const std::string& filter, const Shard& shard = {});

// Digest of what this program plans, in one word of 32 hexadecimal digits: over section, id and line of every fixed
// case of level full, and the first of the random ones, by which a change of how they are drawn shows. Empty, and a
// sentence, where a line of the specs is no problem.
std::string PlanDigest(const Specs& specs, Error* error);

}  // namespace poolproof
