#include <optional>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/fill_specials.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

// Windows of three with one tap of padding at each end, and a last axis that has vector body and
// tail.
Problem SpecialProblem(const OperatorSpec& spec, const Function& function, poolproof_element_type type, uint64_t seed) {
  const uint64_t place = seed / fill::kSpecialKinds;
  Problem problem = PlainProblem(spec, function, type, RankInTurn(spec, function, seed + place));
  const int last = problem.SpatialRank() - 1;
  for (int axis = 0; axis <= last; ++axis) {
    SetAxisValue(&problem, Role::kKernel, axis, 3);
    SetAxisValue(&problem, Role::kStride, axis, 1 + static_cast<int64_t>(seed / 2 % 2));
    SetAxisValue(&problem, Role::kPadBegin, axis, 1);
    SetAxisValue(&problem, Role::kPadEnd, axis, 1);
    SetSpatialSize(&problem, axis, axis == last ? 21 : 4);
  }
  problem.fill = "specials";
  problem.seed = seed;
  return problem;
}

// The same with the pads that a word asks for, for backends that have no others; the word changes with the seed, and
// each special comes with every word. Nothing where the operator has no such words.
std::optional<Problem> WithoutGivenPads(Problem problem, bool none) {
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    SetAxisValue(&problem, Role::kPadBegin, axis, 0);
    SetAxisValue(&problem, Role::kPadEnd, axis, 0);
  }
  const bool in_front = problem.seed / 2 % 2 == 1;
  const Meaning same = in_front ? Meaning::kPadMoreInFront : Meaning::kPadMoreAtEnd;
  if (!SetMeaning(&problem, none ? Meaning::kPadNone : same)) return std::nullopt;
  return problem;
}

}  // namespace

Problems SpecialProblems(const OperatorSpec& spec) {
  Problems problems;
  for (const Function& function : spec.functions) {
    if (!IsUnrestricted(function)) continue;
    for (const poolproof_element_type type : function.types) {
      for (uint64_t seed = 0; seed < fill::kSpecialKinds * fill::kSpecialPlaces; ++seed) {
        // Integers have two special values only.
        const auto kind = static_cast<fill::SpecialKind>(seed % fill::kSpecialKinds);
        if (!IsFloat(type) && kind < fill::SpecialKind::kLowest) continue;
        Problem problem = SpecialProblem(spec, function, type, seed);
        if (IsValid(problem)) problems.push_back(std::move(problem));
      }
    }
  }
  return problems;
}

Problems SpecialProblemsWithoutPads(const OperatorSpec& spec) {
  Problems problems;
  for (const Problem& problem : SpecialProblems(spec)) {
    for (const bool none : {true, false}) {
      std::optional<Problem> twin = WithoutGivenPads(problem, none);
      if (twin && IsValid(*twin)) problems.push_back(*std::move(twin));
    }
  }
  return problems;
}

}  // namespace poolproof
