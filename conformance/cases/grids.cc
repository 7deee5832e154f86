// Section "sizes", second part: batches, channels and their product where a grid of 16 bits ends, and shapes alone past
// what floats and narrow integers count.
#include <iterator>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

constexpr int64_t kGrid = 65'535;
struct Outer {
  int64_t batch, channels;
};
constexpr Outer kOuters[] = {{kGrid, 1},     {kGrid + 1, 1}, {kGrid + 2, 1}, {1, kGrid}, {1, kGrid + 1},
                             {1, kGrid + 2}, {257, 255},     {256, 256},     {2, 32'769}};

// The largest integers that f32, i32 and f64 count to, each number to, and next to them.
constexpr int64_t kCounted[] = {int64_t{1} << 24, int64_t{1} << 31, int64_t{1} << 53};

class GridsOf {
 public:
  GridsOf(const OperatorSpec& spec, const Function& function, Problems* out)
      : spec_(spec), function_(function), layout_(LayoutOf(function)), ranks_(RanksOf(spec, function)), out_(out) {}

  // Planes of a row of two elements, of types as large as a word of most devices and of types of two words, in turn:
  // each border has both, in different ranks.
  void AddGrids() {
    for (int rank = ranks_.least; rank <= ranks_.most; ++rank) {
      for (size_t i = 0; i < std::size(kOuters); ++i) {
        const bool word = (static_cast<size_t>(rank) + i) % 2 == 0;
        AddGrid(rank, kOuters[i], word ? sizeof(float) : sizeof(double));
      }
    }
  }

  // Strides are small and divide, or leave a rest of one.
  void AddShapes() {
    if (!HasRole(spec_, Role::kStride)) return;
    for (const int64_t counted : kCounted) {
      for (const int64_t size : {counted - 1, counted, counted + 1, counted + 3}) {
        for (const int64_t stride : {1, 2, 3}) {
          AddShape(size, {stride == 1 ? 2 : 3, stride, 0, 0, 1});
          AddShape(size, {3, stride, 1, 1, 1});
        }
      }
    }
  }

 private:
  Problem Start(int rank, poolproof_element_type type) {
    ++row_;
    Problem problem = PlainProblem(spec_, function_, type, rank);
    VaryRest(&problem, row_);
    for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
      SetSpatialSize(&problem, axis, 1);
      if (problem.HasSizes()) problem.sizes[static_cast<size_t>(axis)] = 1;
    }
    problem.shape[static_cast<size_t>(layout_.channels)] = 1;
    return problem;
  }

  void AddGrid(int rank, const Outer& outer, size_t size) {
    std::vector<poolproof_element_type> types;
    for (const poolproof_element_type type : function_.types) {
      if (ElementSize(type) == size) types.push_back(type);
    }
    if (types.empty() || (layout_.batch < 0 && outer.batch > 1)) return;
    Problem problem = Start(rank, types[row_ / 2 % types.size()]);
    const int last = problem.SpatialRank() - 1;
    SetPoolAxis(&problem, last, {2, 1, 0, 0, 1});
    SetSpatialSize(&problem, last, 2);
    problem.shape[static_cast<size_t>(layout_.channels)] = outer.channels;
    if (layout_.batch >= 0) problem.shape[static_cast<size_t>(layout_.batch)] = outer.batch;
    problem.fill = row_ % 3 == 0 ? "random" : "distinct";
    problem.seed = row_;
    if (IsValid(problem)) out_->push_back(std::move(problem));
  }

  void AddShape(int64_t size, const PoolAxis& window) {
    Problem problem = Start(ranks_.least, function_.types[row_ % function_.types.size()]);
    SetPoolAxis(&problem, problem.SpatialRank() - 1, window);
    SetSpatialSize(&problem, problem.SpatialRank() - 1, size);
    problem.fill = kNoFill;
    problem.seed = row_;
    if (IsValid(problem, INT64_MAX)) out_->push_back(std::move(problem));
  }

  const OperatorSpec& spec_;
  const Function& function_;
  Layout layout_;
  Ranks ranks_;
  size_t row_ = 0;
  Problems* out_;
};

}  // namespace

Problems GridProblems(const OperatorSpec& spec) {
  Problems problems;
  for (const Function& function : spec.functions) {
    if (!IsUnrestricted(function)) continue;
    GridsOf grids(spec, function, &problems);
    grids.AddGrids();
    grids.AddShapes();
  }
  return problems;
}

}  // namespace poolproof
