// Section "sizes": each dimension next to every power of two; the windows that networks have, at every remainder of a
// vector, on planes as large as theirs, and in images behind the first.
#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

constexpr int64_t kLargest = 4096;
constexpr int64_t kLargestCube = 32;
// From this value on the other dimensions are as small as the window allows.
constexpr int64_t kLong = 200;

// The windows that networks have most, for which fast paths are written.
constexpr PoolAxis kUsual[] = {{3, 2, 1, 1, 1}, {2, 2, 0, 0, 1}, {3, 1, 1, 1, 1}, {2, 1, 0, 0, 1},
                               {3, 2, 0, 0, 1}, {5, 1, 2, 2, 1}, {3, 3, 0, 0, 1}, {3, 1, 2, 2, 2}};
constexpr size_t kUsuals = std::size(kUsual);

// Windows that have fast paths of their own, one for an element type and a remainder of the width.
constexpr PoolAxis kCommon[] = {{2, 2, 0, 0, 1}, {3, 2, 1, 1, 1}, {3, 2, 0, 0, 1}, {3, 1, 1, 1, 1},
                                {2, 1, 0, 0, 1}, {3, 3, 0, 0, 1}, {4, 4, 1, 1, 1}, {4, 2, 1, 1, 1},
                                {5, 1, 2, 2, 1}, {7, 2, 3, 3, 1}, {3, 1, 2, 2, 2}};
constexpr int64_t kRemainders = 16;
// Channels of planes, next to what vectors and blocks of them hold.
constexpr int64_t kChannels[] = {3, 5, 9, 12, 17, 20, 24, 33, 40, 48, 63, 65, 72, 96};
// Elements of all planes, and of images that positions of 15 and of 16 bits do not reach past.
constexpr int64_t kPlanes = 16'000;
constexpr int64_t kImages[] = {33'000, 66'000};

// The input and output sizes that networks have most where their windows follow from these.
constexpr std::array<int64_t, 2> kPairs[] = {
    {224, 7}, {112, 7}, {56, 7}, {32, 7}, {28, 7}, {20, 7}, {14, 7},  {13, 7}, {10, 7}, {9, 7},  {8, 7},
    {4, 7},   {3, 7},   {32, 6}, {31, 6}, {15, 6}, {13, 6}, {60, 6},  {60, 3}, {60, 2}, {33, 6}, {33, 3},
    {33, 2},  {64, 8},  {17, 3}, {7, 1},  {8, 1},  {49, 1}, {100, 8}, {16, 5}, {5, 16}, {12, 12}};

std::vector<int64_t> NextToPowersOfTwo(int64_t largest) {
  std::vector<int64_t> values;
  for (int64_t power = 2; power <= largest; power *= 2) {
    for (int64_t value = power - 1; value <= power + 1; ++value) {
      if (values.empty() || values.back() < value) values.push_back(value);
    }
  }
  return values;
}

// The largest factor of `value` that is not above its square root.
int64_t FactorNextToRoot(int64_t value) {
  int64_t factor = 1;
  for (int64_t f = 2; f * f <= value; ++f) {
    if (value % f == 0) factor = f;
  }
  return factor;
}

// Height and width of about this many elements; 0: both alike.
std::array<int64_t, 2> PlaneOf(int64_t elements, int64_t high) {
  if (high == 0) high = static_cast<int64_t>(std::sqrt(static_cast<double>(elements)));
  return {high, elements / high};
}

// The problems of one function and element type.
class SizesOf {
 public:
  SizesOf(const OperatorSpec& spec, const Function& function, poolproof_element_type type, size_t row, Problems* out)
      : spec_(spec), function_(function), type_(type), layout_(LayoutOf(function)), row_(row), out_(out) {}

  void AddAll() {
    for (const int64_t value : NextToPowersOfTwo(kLargest)) {
      for (int twice = 0; twice < 2; ++twice) {
        AddAxis(value, 0);
        AddAxis(value, 1);
        AddOuter(value, layout_.channels);
        if (layout_.batch >= 0) AddOuter(value, layout_.batch);
        AddTaps(value);
        AddOutputs(value);
      }
    }
    for (const int64_t value : NextToPowersOfTwo(kLargestCube)) {
      for (size_t window = 0; window < 4; ++window) AddCube(value, kUsual[window]);
    }
    for (const PoolAxis& window : kCommon) {
      for (int64_t rest = 0; rest < kRemainders; ++rest) {
        AddPlane(window, {7, 2 * kRemainders + rest}, 1 + rest % 3, 1);
        const int64_t vectors = 7 + static_cast<int64_t>(row_ % 30);
        if (row_ % 2 == 0) AddPlane(window, {window.kernel, kRemainders * vectors + rest}, 1, 1);
      }
      const int64_t channels = kChannels[row_ % std::size(kChannels)];
      AddPlane(window, PlaneOf(kPlanes / channels, row_ % 2 == 0 ? 20 : 0), channels, 1);
    }
    AddPairs();
    AddPlane(kUsual[row_ % kUsuals], PlaneOf(kImages[row_ % 2] / 3, 0), 3, 2);
    AddPlane(kUsual[row_ % kUsuals], PlaneOf(kImages[row_ % 2], 40), 1, 3);
  }

 private:
  // `least` spatial axes, or more.
  Problem Start(int least) {
    ++row_;
    const int outer = layout_.batch >= 0 ? 2 : 1;
    const Ranks all = RanksOf(spec_, function_);
    const int first = std::max(all.least, least + outer);
    const int ranks = all.most - first + 1;
    Problem problem =
        PlainProblem(spec_, function_, type_, first + static_cast<int>(row_ % static_cast<size_t>(ranks)));
    VaryRest(&problem, row_);
    problem.shape[static_cast<size_t>(layout_.channels)] = 1;
    return problem;
  }

  // A usual window on every axis; the input as large as it needs, or somewhat larger.
  void SetWindows(Problem* problem, const PoolAxis& window, bool small) {
    IntList extra;
    for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
      SetPoolAxis(problem, axis, window);
      extra.push_back(small ? 0 : static_cast<int64_t>(row_ + static_cast<size_t>(axis)) % 3);
    }
    FitSizes(problem, extra);
    for (size_t axis = 0; axis < problem->sizes.size; ++axis) {
      problem->sizes[axis] = 1 + static_cast<int64_t>(row_ + axis) % (small ? 1 : 3);
    }
  }

  void Keep(Problem problem) {
    if (LacksBatch(spec_, function_) && row_ % kOneWithoutBatch != 0) return;
    problem.seed = row_;
    if (IsValid(problem)) out_->push_back(std::move(problem));
  }

  // Spatial axis number `from_last` from the innermost one has the size.
  void AddAxis(int64_t value, int from_last) {
    Problem problem = Start(from_last + 1);
    SetWindows(&problem, kUsual[row_ % kUsuals], value > kLong);
    const int axis = problem.SpatialRank() - 1 - from_last;
    if (value < SpatialSize(problem, axis)) SetPoolAxis(&problem, axis, PoolAxis());
    SetSpatialSize(&problem, axis, value);
    if (problem.HasSizes()) {
      const int64_t sizes[] = {1 + value / 2, value, 1 + value / 3, 2 * value + 1};
      problem.sizes[static_cast<size_t>(axis)] = sizes[row_ % 4];
    }
    Keep(std::move(problem));
  }

  void AddOuter(int64_t value, int dimension) {
    Problem problem = Start(1);
    SetWindows(&problem, kUsual[row_ % kUsuals], value > kLong);
    problem.shape[static_cast<size_t>(dimension)] = value;
    Keep(std::move(problem));
  }

  // Two axes share the taps, or one has all of them. The factors of some numbers are too large for a
  // kernel of the operator: then it is left out.
  void AddTaps(int64_t value) {
    Problem problem = Start(1);
    const int rank = problem.SpatialRank();
    const int64_t factor = rank > 1 && row_ % 2 == 0 ? FactorNextToRoot(value) : 1;
    const int first = static_cast<int>(row_ / 2) % rank;
    IntList extra;
    for (int axis = 0; axis < rank; ++axis) {
      const int64_t kernel = axis == first ? value / factor : axis == (first + 1) % rank ? factor : 1;
      if (!InRange(spec_, Role::kKernel, kernel)) return;
      SetPoolAxis(&problem, axis, {kernel, 1 + static_cast<int64_t>(row_) % 2, 0, 0, 1});
      extra.push_back(static_cast<int64_t>(row_ / 3 + static_cast<size_t>(axis)) % 2);
      if (problem.HasSizes()) {
        const int64_t cells = 1 + extra[static_cast<size_t>(axis)];
        problem.sizes[static_cast<size_t>(axis)] = cells;
        SetSpatialSize(&problem, axis, kernel * cells);
      }
    }
    if (!problem.HasSizes()) FitSizes(&problem, extra);
    Keep(std::move(problem));
  }

  // Along one axis, with one output along the others.
  void AddOutputs(int64_t value) {
    Problem problem = Start(1);
    SetWindows(&problem, {1 + static_cast<int64_t>(row_) % 3, 1, 0, 0, 1}, true);
    const int axis = static_cast<int>(row_ / 3) % problem.SpatialRank();
    const PoolAxis window = {1 + static_cast<int64_t>(row_) % 3, 1 + static_cast<int64_t>(row_ / 2) % 2, 0, 0, 1};
    SetPoolAxis(&problem, axis, window);
    SetSpatialSize(&problem, axis, (value - 1) * window.stride + window.kernel);
    if (problem.HasSizes()) problem.sizes[static_cast<size_t>(axis)] = value;
    Keep(std::move(problem));
  }

  void AddPlane(const PoolAxis& window, std::array<int64_t, 2> sizes, int64_t channels, int64_t batch) {
    Problem problem = Start(2);
    SetWindows(&problem, window, true);
    const int rank = problem.SpatialRank();
    for (int axis = rank - 2; axis < rank; ++axis) {
      const int64_t size = sizes[static_cast<size_t>(axis - (rank - 2))];
      if (size < SpatialSize(problem, axis)) SetPoolAxis(&problem, axis, PoolAxis());
      SetSpatialSize(&problem, axis, size);
      if (problem.HasSizes()) problem.sizes[static_cast<size_t>(axis)] = (size + window.stride - 1) / window.stride;
    }
    problem.shape[static_cast<size_t>(layout_.channels)] = channels;
    if (layout_.batch >= 0) problem.shape[static_cast<size_t>(layout_.batch)] = batch;
    Keep(std::move(problem));
  }

  // Each pair on all axes, and beside the next one.
  void AddPairs() {
    for (size_t pair = 0; pair < std::size(kPairs); ++pair) {
      for (const size_t next : {pair, (pair + 1) % std::size(kPairs)}) {
        Problem problem = Start(2);
        if (!problem.HasSizes()) return;
        const int rank = problem.SpatialRank();
        for (int axis = 0; axis < rank; ++axis) {
          const bool outermost = rank == 3 && axis == 0;
          const auto& [in, out] = kPairs[axis % 2 == 0 ? pair : next];
          SetSpatialSize(&problem, axis, outermost ? 1 + in % 4 : in);
          problem.sizes[static_cast<size_t>(axis)] = outermost ? 1 + out % 3 : out;
        }
        problem.shape[static_cast<size_t>(layout_.channels)] = 1 + static_cast<int64_t>(row_ % 3);
        Keep(std::move(problem));
      }
    }
  }

  // Height, width and channels alike, as blocked layouts and tiles have them.
  void AddCube(int64_t value, const PoolAxis& window) {
    Problem problem = Start(2);
    SetWindows(&problem, window, true);
    const int rank = problem.SpatialRank();
    for (int axis = rank - 2; axis < rank; ++axis) {
      if (value < SpatialSize(problem, axis)) SetPoolAxis(&problem, axis, PoolAxis());
      SetSpatialSize(&problem, axis, value);
      if (problem.HasSizes()) {
        problem.sizes[static_cast<size_t>(axis)] = (value + window.stride - 1) / window.stride;
      }
    }
    problem.shape[static_cast<size_t>(layout_.channels)] = value;
    Keep(std::move(problem));
  }

  const OperatorSpec& spec_;
  const Function& function_;
  poolproof_element_type type_;
  Layout layout_;
  size_t row_;
  Problems* out_;
};

}  // namespace

Problems SizeProblems(const OperatorSpec& spec) {
  Problems problems;
  size_t start = 0;
  for (const Function& function : spec.functions) {
    if (!IsUnrestricted(function)) continue;
    for (const poolproof_element_type type : function.types) {
      // Another start for each, so that types differ in what comes together.
      SizesOf(spec, function, type, start, &problems).AddAll();
      start += 7;
    }
  }
  return problems;
}

}  // namespace poolproof
