#include "conformance/diagnosis/layers.h"

#include <algorithm>
#include <unordered_map>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/names.h"
#include "conformance/judge/oracle.h"

namespace poolproof {
namespace {

constexpr size_t kMostGroups = 100;

using expression::Expression;

using Layers = std::vector<bool>;  // by their places in the specs

// A group, with the layers that have been found for it.
struct Found {
  CauseGroup* group = nullptr;
  std::optional<Expression> condition;
  Layers matching, run, failing;

  bool Concerns(const Function& function, poolproof_element_type type) const {
    return group->operators.contains(function.name) && group->types.contains(std::string(ElementTypeName(type)));
  }
};

// The condition of a group; nothing where it has none, or one on how inputs are filled, which layers do not say.
std::optional<Expression> ConditionOf(const Specs& specs, const CauseGroup& group) {
  Error unused;
  if (group.where.empty()) return std::nullopt;
  auto condition = Expression::Condition(*specs.names, group.where, &unused);
  for (size_t name = 0; condition && name < specs.names->size(); ++name) {
    if ((*specs.names)[name].name == "fill" && condition->Names(name)) return std::nullopt;
  }
  return condition;
}

// Adds the layers that a function can compute in one element type to the groups that concern both.
void AddMatching(const Specs& specs, const OperatorSpec& spec, const Function& function, poolproof_element_type type,
                 std::vector<Found>* all) {
  std::vector<Found*> concerned;
  for (Found& found : *all) {
    if (found.condition && found.Concerns(function, type)) concerned.push_back(&found);
  }
  if (concerned.empty()) return;
  for (size_t layer = 0; layer < specs.networks.size(); ++layer) {
    const std::optional<Problem> problem = LayerProblem(spec, function, type, specs.networks[layer]);
    if (!problem) continue;
    Call call;
    call.Bind(*problem);
    reference::Context context;
    if (reference::InferShapes(call.call, context) != POOLPROOF_OK) continue;
    const ProblemSubject subject(*specs.names, *problem, {}, call.call.outputs[0]);
    for (Found* found : concerned) {
      if (!found->matching[layer] && found->condition->Holds(subject)) found->matching[layer] = true;
    }
  }
}

// Which layer a problem line of the plan is of. Made operator by operator, when one is asked for.
class LayersOfLines {
 public:
  explicit LayersOfLines(const Plan& plan) : plan_(plan) {}

  std::optional<size_t> Find(const PlannedCase& planned) {
    const auto [lines, added] = of_operators_.try_emplace(planned.problem.spec);
    if (added) lines->second = LinesOf(*planned.problem.spec);
    const auto known = lines->second.find(planned.line);
    return known == lines->second.end() ? std::nullopt : std::optional(known->second);
  }

 private:
  using Lines = std::unordered_map<std::string, size_t>;

  Lines LinesOf(const OperatorSpec& spec) const {
    std::vector<size_t> layers;
    const Problems problems = NetworkProblems(plan_.specs(), spec, WholeLayersOf(plan_.Options().level), &layers);
    Lines lines;
    for (size_t i = 0; i < problems.size(); ++i) lines.emplace(PrintLine(problems[i]), layers[i]);
    return lines;
  }

  const Plan& plan_;
  std::map<const OperatorSpec*, Lines> of_operators_;
};

bool IsMember(const CauseGroup& group, uint64_t n) {
  const auto before = [](const Member& member, uint64_t place) { return member.n < place; };
  const auto at = std::lower_bound(group.members.begin(), group.members.end(), n, before);
  return at != group.members.end() && at->n == n;
}

// The layers that were run, and of which a case is in a group.
void AddRun(const Plan& plan, uint64_t end, std::vector<Found>* all) {
  LayersOfLines lines(plan);
  PlannedCase planned;
  const auto [first, behind] = plan.PlacesOf(Section::kNetworks);
  for (uint64_t n = first; n < std::min(behind, end); ++n) {
    if (!plan.Get(n, &planned)) continue;
    const auto concerns = [&](const Found& f) { return f.Concerns(*planned.problem.function, planned.problem.type); };
    const auto layer = std::ranges::any_of(*all, concerns) ? lines.Find(planned) : std::nullopt;
    if (!layer) continue;
    for (Found& found : *all) {
      if (!concerns(found) || (found.condition && !found.matching[*layer])) continue;
      found.run[*layer] = true;
      if (IsMember(*found.group, n)) found.failing[*layer] = true;
    }
  }
}

PublishedLayers Summed(const Specs& specs, const Found& found) {
  const auto count = [](const Layers& layers) {
    return static_cast<uint64_t>(std::count(layers.begin(), layers.end(), true));
  };
  const Layers& told = found.condition ? found.matching : found.failing;
  PublishedLayers sum;
  if (found.condition) sum.matching = count(found.matching);
  sum.run = count(found.run);
  sum.failing = count(found.failing);
  sum.all = specs.networks.size();
  std::set<std::string_view> networks;
  for (size_t layer = 0; layer < told.size(); ++layer) {
    if (!told[layer]) continue;
    if (sum.first.empty()) sum.first = specs.networks[layer].network;
    networks.insert(specs.networks[layer].network);
  }
  sum.networks = networks.size();
  return sum;
}

}  // namespace

void FindLayers(const Plan& plan, uint64_t end, std::vector<CauseGroup>* groups) {
  const Specs& specs = plan.specs();
  if (groups->empty() || specs.names == nullptr || specs.networks.empty()) return;
  std::vector<Found> all(std::min(groups->size(), kMostGroups));
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].group = &(*groups)[i];
    all[i].condition = ConditionOf(specs, (*groups)[i]);
    all[i].matching = all[i].run = all[i].failing = Layers(specs.networks.size());
  }
  for (const OperatorSpec& spec : specs.operators) {
    for (const Function& function : spec.functions) {
      for (const poolproof_element_type type : function.types) AddMatching(specs, spec, function, type, &all);
    }
  }
  AddRun(plan, end, &all);
  for (const Found& found : all) {
    const PublishedLayers sum = Summed(specs, found);
    if (sum.matching || sum.failing > 0) found.group->layers = sum;
  }
}

}  // namespace poolproof
