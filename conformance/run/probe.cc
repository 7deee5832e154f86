#include "conformance/run/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/names.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/format/line_file.h"
#include "conformance/format/reader.h"
#include "conformance/format/strict_json.h"

namespace poolproof {
namespace {

constexpr size_t kMaxProbeBytes = size_t{16} << 20;

// Windows that a backend may begin with, the most common first.
constexpr PoolAxis kFirst[] = {{2, 1, 0, 0, 1}, {2, 2, 0, 0, 1}, {3, 2, 1, 1, 1}, {1, 1, 0, 0, 1}};
// And what it may lack of windows.
constexpr PoolAxis kOther[] = {{2, 2, 0, 0, 1}, {2, 3, 0, 0, 1}, {2, 1, 0, 0, 2},
                               {2, 1, 1, 1, 1}, {2, 1, 1, 0, 1}, {2, 1, 0, 1, 1}};

enum class Has { kNo, kYes, kHangs };

Has HasIt(const CaseResult& result) {
  if (result.event == Event::kTimeout || result.event == Event::kNotRun) return Has::kHangs;
  if (result.event != Event::kNone) return Has::kYes;
  if (result.infer_status == POOLPROOF_UNSUPPORTED) return Has::kNo;
  const bool refused =
      result.ran && std::any_of(result.run_status.begin(), result.run_status.begin() + result.placements,
                                [](poolproof_status s) { return s == POOLPROOF_UNSUPPORTED; });
  return refused ? Has::kNo : Has::kYes;
}

// Whether the backend has each of the calls.
std::vector<Has> Ask(std::span<const Problem* const> problems, Lane& lane) {
  std::vector<Has> answers;
  const auto take = [&] {
    lane.Submit();
    for (const CaseResult& result : lane.Wait()) answers.push_back(HasIt(result));
  };
  Call call;
  for (const Problem* problem : problems) {
    call.Bind(*problem);
    void* input = lane.Add(call.call, 0);
    if (input == nullptr) {
      take();
      input = lane.Add(call.call, 0);
    }
    FillInput(*problem, input);
  }
  if (lane.Filled() > 0) take();
  return answers;
}

void Fit(Problem* problem) {
  if (problem->HasSizes()) return;
  IntList extra;
  for (int axis = 0; axis < problem->SpatialRank(); ++axis) extra.push_back(2);
  FitSizes(problem, extra);
}

Problem WithWindows(Problem problem, const PoolAxis& window) {
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    PoolAxis own = window;
    if (!HasRole(*problem.spec, Role::kDilation)) own.dilation = 1;
    SetPoolAxis(&problem, axis, own);
    // A dilation that is not asked about is left out.
    AttributeValue* dilation = problem.Find(Role::kDilation);
    if (own.dilation == 1 && dilation != nullptr) *dilation = AttributeValue();
  }
  Fit(&problem);
  return problem;
}

void AddWords(const Problem& base, size_t i, std::vector<Problem>* probes) {
  const AttributeSpec& spec = base.spec->attributes[i];
  Problem problem = base;
  AttributeValue& value = problem.attributes[i];
  value = AttributeValue();
  if (base.attributes[i].present && MayBeAbsent(problem, i)) probes->push_back(problem);
  value.present = true;
  const int64_t rank = base.shape.size;
  const int64_t first = spec.range_is_rank ? -rank : 0;
  const int64_t end = spec.range_is_rank ? rank : spec.words.empty() ? 2 : static_cast<int64_t>(spec.words.size());
  for (int64_t v = first; v < end; ++v) {
    value.integer = v;
    if (spec.type == AttributeType::kWord) value.word = spec.words[static_cast<size_t>(v)];
    Fit(&problem);
    probes->push_back(problem);
  }
}

// The base with one thing changed at a time.
std::vector<Problem> Variations(const Problem& base) {
  std::vector<Problem> probes;
  for (size_t i = 0; i < base.spec->attributes.size(); ++i) {
    const AttributeSpec& spec = base.spec->attributes[i];
    const bool word = spec.type == AttributeType::kWord || spec.type == AttributeType::kBool;
    if (word || spec.range_is_rank) AddWords(base, i, &probes);
  }
  if (base.spec->outputs.back().optional) {
    probes.push_back(base);
    probes.back().outputs = 1;
  }
  if (base.HasSizes()) {
    Problem narrow = base;
    narrow.sizes_type = POOLPROOF_I32;
    probes.push_back(std::move(narrow));
    return probes;
  }
  for (const PoolAxis& window : kOther) {
    if (window.dilation > 1 && !HasRole(*base.spec, Role::kDilation)) continue;
    probes.push_back(WithWindows(base, window));
  }
  if (base.SpatialRank() > 1) {
    Problem uneven = base;
    SetAxisValue(&uneven, Role::kKernel, 0, 3);
    Fit(&uneven);
    probes.push_back(std::move(uneven));
  }
  return probes;
}

using Conditions = std::vector<expression::Expression>;

// Those that a backend may lack, of each operator.
std::map<const OperatorSpec*, Conditions> ConditionsBySpec(const Specs& specs) {
  std::map<const OperatorSpec*, Conditions> conditions;
  for (const OperatorSpec& spec : specs.operators) {
    for (const std::string& text : ConditionsOf(spec)) {
      Error error;
      auto condition = expression::Expression::Condition(*specs.names, text, &error);
      if (!condition) throw std::logic_error(text + ": " + error.message);
      conditions[&spec].push_back(*std::move(condition));
    }
  }
  return conditions;
}

struct Subject {
  const OperatorSpec* spec;
  const Function* function;
  poolproof_element_type type;
};

// The calls by which a backend is found to have a function and element type at all.
std::vector<Problem> Bases(const Subject& subject) {
  std::vector<Problem> bases;
  if (!IsUnrestricted(*subject.function)) {
    Choices choices(1);
    return {RandomProblem(*subject.spec, *subject.function, choices)};
  }
  const Ranks ranks = RanksOf(*subject.spec, *subject.function);
  for (int rank = ranks.least; rank <= ranks.most; ++rank) {
    const Problem plain = PlainProblem(*subject.spec, *subject.function, subject.type, rank);
    if (plain.HasSizes()) {
      bases.push_back(plain);
      continue;
    }
    for (const PoolAxis& window : kFirst) bases.push_back(WithWindows(plain, window));
  }
  return bases;
}

// For a function that takes none of the plain bases, whatever the type: attributes with other values, more channels,
// larger planes, such as a device asks for.
std::vector<Problem> WiderBases(const Subject& subject) {
  std::vector<Problem> bases;
  const Ranks ranks = RanksOf(*subject.spec, *subject.function);
  for (int rank = ranks.least; rank <= ranks.most; ++rank) {
    Problem base = PlainProblem(*subject.spec, *subject.function, subject.type, rank);
    if (!base.HasSizes()) base = WithWindows(base, kFirst[1]);
    const std::vector<Problem> changed = Variations(base);
    bases.insert(bases.end(), changed.begin(), changed.end());
    const auto channels = static_cast<size_t>(LayoutOf(*subject.function).channels);
    for (const int64_t count : {1, 3, 4, 8, 16, 32, 64}) {
      Problem problem = base;
      problem.shape[channels] = count;
      bases.push_back(problem);
      for (int axis = 0; axis < problem.SpatialRank(); ++axis) SetSpatialSize(&problem, axis, 16);
      bases.push_back(std::move(problem));
    }
  }
  return bases;
}

std::vector<Subject> Subjects(const Specs& specs) {
  std::vector<Subject> subjects;
  for (const OperatorSpec& spec : specs.operators) {
    for (const Function& function : spec.functions) {
      for (const poolproof_element_type type : function.types) {
        subjects.push_back({&spec, &function, type});
      }
    }
  }
  return subjects;
}

// Marks each condition that does not hold for the base, which is supported, and with which no call is supported.
void FindLacking(const Conditions& conditions, const Problem& base, const std::vector<Problem>& probes,
                 const std::vector<bool>& answers, const Subject& subject, Support* support) {
  for (const expression::Expression& condition : conditions) {
    const auto holds = [&](const Problem& p) { return condition.Holds(ProblemSubject(condition.names(), p)); };
    if (holds(base)) continue;
    bool asked = false, supported = false;
    for (size_t i = 0; i < probes.size() && !supported; ++i) {
      if (!holds(probes[i])) continue;
      asked = true;
      supported = answers[i];
    }
    if (asked && !supported) support->MarkUnsupported(*subject.function, subject.type, condition);
  }
}

// Finds for each subject the first call that the backend has, then what it lacks of others.
class Probing {
 public:
  Probing(const Specs& specs, Lane& lane)
      : conditions_(ConditionsBySpec(specs)),
        subjects_(Subjects(specs)),
        lane_(lane),
        hangs_(subjects_.size()),
        first_(subjects_.size()) {}

  void AskPlain() {
    for (const Subject& subject : subjects_) bases_.push_back(Bases(subject));
    AskBases();
  }

  // A call of which no type has been found is asked for once more in the first type; the others by what is found then.
  void AskWider() {
    for (std::vector<Problem>& bases : bases_) bases.clear();
    for (size_t s = 0; s < subjects_.size(); ++s) {
      if (IsFirstOfMissing(s)) bases_[s] = WiderBases(subjects_[s]);
    }
    AskBases();
    for (std::vector<Problem>& bases : bases_) bases.clear();
    for (size_t s = 0, first = 0; s < subjects_.size(); ++s) {
      if (subjects_[s].function != subjects_[first].function) first = s;
      if (s == first || !first_[first] || first_[s]) continue;
      bases_[s] = {*first_[first]};
      bases_[s][0].type = subjects_[s].type;
    }
    AskBases();
  }

  void AskVariations() {
    for (size_t s = 0; s < subjects_.size(); ++s) {
      bases_[s].clear();
      if (!first_[s]) support_.MarkAllUnsupported(*subjects_[s].function, subjects_[s].type);
      if (first_[s] && IsUnrestricted(*subjects_[s].function)) bases_[s] = Variations(*first_[s]);
    }
    AskBases();
  }

  Support TakeSupport() { return std::move(support_); }

 private:
  // No type of the function has been found.
  bool IsFirstOfMissing(size_t s) const {
    const Function* const function = subjects_[s].function;
    if (!IsUnrestricted(*function) || (s > 0 && subjects_[s - 1].function == function)) return false;
    for (size_t t = s; t < subjects_.size() && subjects_[t].function == function; ++t) {
      if (first_[t]) return false;
    }
    return true;
  }

  // Asks the first base of each subject, then the others: what hangs is not asked again, it is there.
  void AskBases() {
    std::vector<std::vector<bool>> answers(subjects_.size());
    AskEach(0, 1, 16, &answers);
    AskEach(1, std::numeric_limits<size_t>::max(), 64, &answers);
    for (size_t s = 0; s < subjects_.size(); ++s) TakeAnswers(s, answers[s]);
  }

  // The bases from `begin` to before `end` of each subject, `together` calls at a time, all of which may hang.
  void AskEach(size_t begin, size_t end, size_t together, std::vector<std::vector<bool>>* answers) {
    std::vector<const Problem*> problems;
    std::vector<size_t> of;
    const auto ask = [&] {
      std::vector<Has> has = Ask(problems, lane_);
      has.resize(problems.size(), Has::kHangs);  // where it could not be started again
      for (size_t i = 0; i < has.size(); ++i) {
        (*answers)[of[i]].push_back(has[i] != Has::kNo);
        hangs_[of[i]] = hangs_[of[i]] || has[i] == Has::kHangs;
        all_hangs_ += has[i] == Has::kHangs ? 1 : 0;
      }
      problems.clear();
      of.clear();
    };
    for (size_t s = 0; s < subjects_.size(); ++s) {
      for (size_t i = begin; i < std::min(end, bases_[s].size()); ++i) {
        if (hangs_[s] || all_hangs_ >= kMostHangs) {
          (*answers)[s].push_back(true);
          continue;
        }
        problems.push_back(&bases_[s][i]);
        of.push_back(s);
        if (problems.size() == together) ask();
      }
    }
    ask();
  }

  void TakeAnswers(size_t s, const std::vector<bool>& answers) {
    const auto hit = std::find(answers.begin(), answers.end(), true);
    if (!first_[s] && hit != answers.end()) first_[s] = bases_[s][static_cast<size_t>(hit - answers.begin())];
    if (!first_[s] || !IsUnrestricted(*subjects_[s].function)) return;
    FindLacking(conditions_.at(subjects_[s].spec), *first_[s], bases_[s], answers, subjects_[s], &support_);
  }

  // Each costs the time limit of a call: after these, everything else is taken to be there.
  static constexpr int kMostHangs = 8;

  const std::map<const OperatorSpec*, Conditions> conditions_;
  const std::vector<Subject> subjects_;
  Lane& lane_;
  std::vector<std::vector<Problem>> bases_;  // of each subject, what is asked next
  std::vector<bool> hangs_;                  // whether a call of it hung
  int all_hangs_ = 0;
  std::vector<std::optional<Problem>> first_;  // of each, the first call that the backend has
  Support support_;
};

}  // namespace

Support ProbeBackend(const Specs& specs, Lane& lane) {
  Probing probing(specs, lane);
  probing.AskPlain();
  probing.AskWider();
  probing.AskVariations();
  lane.Restart();
  return probing.TakeSupport();
}

std::string ProbeText(const Specs& specs, const BackendInfo& backend, const Support& support) {
  return nlohmann::ordered_json{{"poolproof_probe", 1},
                                {"backend", {{"name", backend.name}, {"version", backend.version}}},
                                {"specs", specs.digest},
                                {"lacks", support.ToJson()}}
             .dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

std::optional<Support> ReadProbe(const Specs& specs, const std::string& path, Error* error) {
  std::string text;
  Error reason;
  if (!ReadWholeFile(path, kMaxProbeBytes, &text, error)) return std::nullopt;
  const std::optional<Json> file = ParseStrictly(text, &reason);
  const auto fail = [&](const std::string& what) {
    error->message = fmt::format("{}: {}.", path, what);
    return std::nullopt;
  };
  if (!file) return fail(reason.message);
  if (!file->is_object() || file->value("poolproof_probe", Json()) != 1) {
    return fail("is no probe of format 1 (\"poolproof_probe\":1)");
  }
  if (StringOr(*file, "specs") != specs.digest) {
    return fail("was made with other specs; make it again with `probe --write`");
  }
  auto support = Support::FromJson(specs, file->value("lacks", Json()), error);
  if (!support) return fail(error->message);
  return support;
}

}  // namespace poolproof
