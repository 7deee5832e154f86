// Calls that differ in one thing only, one after the other: a backend that keeps something of a call and looks it up by
// less than all that it was made of answers the second one as the first.
#include <functional>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

// Every attribute changes what this computes, and rounding the number of windows.
constexpr PoolAxis kWindow = {3, 2, 1, 1, 1};
constexpr int64_t kSide = 8;

class TwinsOf {
 public:
  TwinsOf(const OperatorSpec& spec, const Function& function, size_t type, size_t row, Problems* out)
      : spec_(spec), function_(function), type_(type), row_(row), out_(out) {}

  void AddAll() {
    for (size_t i = 0; i < spec_.attributes.size(); ++i) AddAttribute(i);
    for (size_t dimension = 0; dimension < POOLPROOF_MAX_RANK; ++dimension) {
      AddTwins([&](Problem* problem) {
        if (dimension < problem->shape.size) ++problem->shape[dimension];
      });
      AddTwins([&](Problem* problem) {
        if (dimension < problem->sizes.size) ++problem->sizes[dimension];
      });
    }
    AddTwins([&](Problem* problem) { problem->type = function_.types[(type_ + 1) % function_.types.size()]; });
    AddTwins([&](Problem* problem) {
      if (problem->HasSizes()) problem->sizes_type = POOLPROOF_I32;
    });
    AddTwins([&](Problem* problem) {
      if (problem->type == POOLPROOF_FX8 || problem->type == POOLPROOF_FX16) problem->frac_bits = 5;
    });
  }

 private:
  Problem Base() const {
    Problem problem = PlainProblem(spec_, function_, function_.types[type_], RankInTurn(spec_, function_, row_));
    if (LayoutOf(function_).batch >= 0) problem.shape[0] = 2;
    for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
      SetPoolAxis(&problem, axis, kWindow);
      SetSpatialSize(&problem, axis, kSide);
      if (problem.HasSizes()) problem.sizes[static_cast<size_t>(axis)] = 3 + axis;
    }
    return problem;
  }

  // One call, the changed one, and the first again, so that either comes before the other. Whether both are valid
  // calls.
  bool AddTwins(const std::function<void(Problem*)>& change) {
    ++row_;
    const Problem first = Base();
    Problem second = first;
    change(&second);
    if (PrintLine(first) == PrintLine(second) || !IsValid(first) || !IsValid(second)) return false;
    for (uint64_t turn = 0; turn < 3; ++turn) {
      Problem problem = turn == 1 ? second : first;
      problem.fill = "random";
      problem.seed = 6 * row_ + 2 * turn;
      out_->push_back(std::move(problem));
    }
    return true;
  }

  void AddAttribute(size_t i) {
    const AttributeSpec& attribute = spec_.attributes[i];
    if (attribute.type == AttributeType::kWord) {
      for (const std::string& word : attribute.words) {
        AddTwins([&](Problem* problem) { Give(problem, i).word = word; });
      }
    } else if (attribute.type == AttributeType::kBool) {
      for (const int64_t value : {0, 1}) {
        AddTwins([&](Problem* problem) { Give(problem, i).integer = value; });
      }
    } else if (attribute.type == AttributeType::kInt) {
      for (const int64_t step : {-1, 1}) {
        AddTwins([&](Problem* problem) { Give(problem, i).integer += step; });
      }
      // Ranks take turns, and not every one has it.
      for (int64_t value = 2; attribute.least_axes > 0 && value < 4; ++value) {
        AddTwins([&](Problem* problem) { Give(problem, i).integer = value; });
      }
    } else {
      for (size_t axis = 0; axis < POOLPROOF_MAX_RANK; ++axis) {
        const auto change = [&](int64_t step) {
          return AddTwins([&](Problem* problem) {
            if (axis < problem->attributes[i].list.size) problem->attributes[i].list[axis] += step;
          });
        };
        // One more, unless the document has a limit there.
        if (!change(1) && attribute.role == Role::kPadBoth) change(-1);
      }
    }
  }

  static AttributeValue& Give(Problem* problem, size_t i) {
    problem->attributes[i].present = true;
    return problem->attributes[i];
  }

  const OperatorSpec& spec_;
  const Function& function_;
  size_t type_, row_;
  Problems* out_;
};

}  // namespace

Problems TwinProblems(const OperatorSpec& spec) {
  Problems problems;
  size_t row = 0;
  for (const Function& function : spec.functions) {
    if (!IsUnrestricted(function)) continue;
    for (size_t type = 0; type < function.types.size(); ++type) {
      // Another start for each, so that types differ in the ranks that twins have.
      TwinsOf(spec, function, type, row, &problems).AddAll();
      row += 7;
    }
  }
  return problems;
}

}  // namespace poolproof
