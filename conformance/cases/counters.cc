// Section "counters": sums, indices and offsets just past what 8, 16, 24 and 31 bits hold, and the bounds
// of adaptive windows, which are made of products, past 32. Section "huge": elements past the place 2^31.
#include <algorithm>
#include <bit>
#include <cmath>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

// Sums of two taps are past the limits of 32-bit and wider types; of floats, no limit of these.
int64_t HighestOf(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_I8:
    case POOLPROOF_FX8: return 127;
    case POOLPROOF_U8: return 255;
    case POOLPROOF_I16:
    case POOLPROOF_FX16: return 32767;
    case POOLPROOF_U16:
    case POOLPROOF_F16: return 65504;  // u16: near enough
    default: return 0;
  }
}

constexpr int kSumBits[] = {8, 15, 16, 24, 31};
constexpr int kPlaceBits[] = {7, 8, 15, 16};
constexpr int kMostBits = 24;
// Elements above that, enough for some windows to lie there, and have odd indices, which f32 does not hold.
constexpr int64_t kMore = 2100;
// Windows of more taps than these have one problem for each function and type.
constexpr int64_t kManyTaps = 1 << 18;
constexpr int64_t kLargestSide = 4099;
constexpr int64_t kManySide = 257;  // of the planes of many images
constexpr int64_t kCells = 64;      // of these along an axis, where an operator is told their number
constexpr int64_t kHuge = (int64_t{1} << 31) + kMore;
// Length of most axes; longer ones have windows further from each other where the operator has such strides.
constexpr int64_t kHugeStrides[] = {65521, 255};

bool HasIndex(const OperatorSpec& spec) {
  return std::any_of(spec.outputs.begin(), spec.outputs.end(),
                     [](const OutputSpec& output) { return output.compare == Compare::kIndex; });
}

class CountersOf {
 public:
  CountersOf(const OperatorSpec& spec, const Function& function, poolproof_element_type type, size_t row, Problems* out)
      : spec_(spec),
        function_(function),
        type_(type),
        layout_(LayoutOf(function)),
        ranks_(RanksOf(spec, function)),
        row_(row),
        out_(out) {}

  // Few small windows far from each other, so that a case costs what filling its input does. The windows of
  // adaptive operators would be large ones.
  void AddHuge() {
    if (!HasRole(spec_, Role::kKernel)) return;
    AddHugePlane(ranks_.least);
    AddHugeOuter(layout_.channels);
    AddHugeOuter(layout_.batch);
  }

  void AddAll(bool largest) {
    if (IsMean(spec_)) AddSums();
    for (const int bits : kPlaceBits) AddPlaces((int64_t{1} << bits) + 3, false);
    if (largest) AddPlaces((int64_t{1} << kMostBits) + kMore, true);
    if (largest) AddProducts();
    if (HasIndex(spec_)) AddIndexBounds();
  }

  // Elements past what 24 bits count, of which each place can be told from others: of a plane and over channels, where
  // no index has asked for these already; and images that begin there, the second of two and the last of many.
  void AddPast24Bits() {
    tells_places_ = true;
    if (!HasIndex(spec_)) {
      AddPlane((int64_t{1} << kMostBits) + kMore, std::min(ranks_.least + 1, ranks_.most));
      AddOuter((int64_t{1} << kMostBits) + kMore, ranks_.least, layout_.channels);
    }
    if (layout_.batch < 0) return;
    AddBatch(2, kLargestSide);
    AddBatch((int64_t{1} << kMostBits) / (kManySide * kManySide) + 3, kManySide);
  }

 private:
  Problem Start(int rank) {
    ++row_;
    Problem problem = PlainProblem(spec_, function_, type_, rank);
    VaryRest(&problem, row_);
    problem.shape[static_cast<size_t>(layout_.channels)] = 1;
    for (int axis = 0; axis < problem.SpatialRank(); ++axis) SetSpatialSize(&problem, axis, 1);
    for (size_t axis = 0; axis < problem.sizes.size; ++axis) problem.sizes[axis] = 1;
    return problem;
  }

  bool Keep(Problem problem) {
    problem.seed = row_;
    if (!IsValid(problem, int64_t{1} << 26)) return false;
    out_->push_back(std::move(problem));
    return true;
  }

  // One window over the whole of every plane, of values at either end of the type.
  void AddSums() {
    const int64_t highest = HighestOf(type_);
    for (const int bits : kSumBits) {
      if (highest == 0 || highest >> bits != 0) continue;
      const int64_t taps = (int64_t{1} << bits) / highest + 2;
      for (const char* fill : {"highest", "lowest"}) {
        for (int rank = ranks_.least; rank <= ranks_.most; ++rank) {
          if (taps > kManyTaps && rank != ranks_.least) continue;
          AddSum(taps, rank, fill);
        }
      }
    }
    if (highest != 0) return;
    for (const char* fill : {"highest", "lowest"}) {
      for (const int64_t taps : {2, 3, 300, 5000}) AddSum(taps, ranks_.least, fill);
    }
  }

  void AddSum(int64_t taps, int rank, const char* fill) {
    Problem problem = Start(rank);
    const int axes = problem.SpatialRank();
    int64_t left = taps;
    for (int axis = 0; axis < axes; ++axis) {
      const auto root =
          static_cast<int64_t>(std::ceil(std::pow(static_cast<double>(left), 1.0 / (axes - axis)) - 1e-9));
      left = (left + root - 1) / root;
      if (!InRange(spec_, Role::kKernel, root)) return;
      SetPoolAxis(&problem, axis, {root, 1, 0, 0, 1});
      SetSpatialSize(&problem, axis, root);
    }
    problem.fill = fill;
    const int64_t planes = taps > kManyTaps ? 1 : 2;
    problem.shape[static_cast<size_t>(layout_.channels)] = planes;
    Keep(std::move(problem));
  }

  // Tensors of `elements` elements or more: as one plane, as many channels, as many batches. Where they
  // are very large, one of these, and all where it is for indices to tell.
  void AddPlaces(int64_t elements, bool very_large) {
    const size_t first = row_ % 3;
    for (size_t form = 0; form < 3; ++form) {
      if (very_large && form != first && !HasIndex(spec_)) continue;
      for (int rank = ranks_.least; rank <= ranks_.most; ++rank) {
        if (very_large && rank > ranks_.least && (form != 0 || !HasIndex(spec_))) continue;
        if (form == 0) AddPlane(elements, rank);
        if (form == 1) AddOuter(elements, rank, layout_.channels);
        if (form == 2) AddOuter(elements, rank, layout_.batch);
      }
    }
  }

  // Long along the innermost axis, and along the outermost one where there are two: windows far
  // from each other, so that most of the plane is passed over.
  void AddPlane(int64_t elements, int rank) {
    Problem problem = Start(rank);
    const int axes = problem.SpatialRank();
    const int64_t side = axes == 1 ? elements : std::min<int64_t>(kLargestSide, elements / 5 + 1);
    for (int axis = 0; axis < axes; ++axis) {
      const bool inner = axis == axes - 1, outer = axis == 0 && axes > 1;
      // A row of windows more, so that some lie past the place wholly.
      const int64_t size = inner ? side : outer ? elements / side + (side == kLargestSide ? 70 : 1) : 1;
      SpreadWindows(&problem, axis, size);
    }
    MakeDistinct(&problem);
    Keep(std::move(problem));
  }

  // Indices can only be checked if values are distinct, all over the tensor; and places by values that differ, of means
  // by such that no reading widens their bound.
  void MakeDistinct(Problem* problem) const {
    if (tells_places_) problem->fill = "exact";
    if (!HasIndex(spec_)) return;
    problem->fill = "distinct";
    if (AttributeValue* axis = problem->Find(Role::kAxis)) *axis = AttributeValue();
  }

  // Some 64 windows along an axis, or more where kernels are at most 255.
  void SpreadWindows(Problem* problem, int axis, int64_t size) {
    const int64_t step = std::clamp<int64_t>((size + 63) / 64, 1, 255);
    const int64_t kernel = std::min(size, step);
    SetPoolAxis(problem, axis, {kernel, kernel, 0, 0, 1});
    SetSpatialSize(problem, axis, size);
    if (problem->HasSizes()) problem->sizes[static_cast<size_t>(axis)] = (size + step - 1) / step;
  }

  void AddOuter(int64_t elements, int rank, int dimension) {
    if (dimension < 0) return;
    Problem problem = Start(rank);
    const int64_t width = elements > (int64_t{1} << 20) ? 255 : 3;
    const int axis = problem.SpatialRank() - 1;
    SetPoolAxis(&problem, axis, {width > 3 ? width : 2, 1, 0, 0, 1});
    SetSpatialSize(&problem, axis, width);
    problem.shape[static_cast<size_t>(dimension)] = elements / width + 1;
    MakeDistinct(&problem);
    Keep(std::move(problem));
  }

  // Images of such a side, of which few windows tell one from another.
  void AddBatch(int64_t batch, int64_t side) {
    Problem problem = Start(std::min(ranks_.least + 1, ranks_.most));
    for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
      SpreadHuge(&problem, axis, side);
      if (problem.HasSizes()) problem.sizes[static_cast<size_t>(axis)] = kCells;
    }
    problem.shape[static_cast<size_t>(layout_.batch)] = batch;
    MakeDistinct(&problem);
    Keep(std::move(problem));
  }

  void AddHugePlane(int rank) {
    Problem problem = Start(rank);
    const int axes = problem.SpatialRank();
    const int64_t outer = axes == 1 ? 1 : 46349;
    for (int axis = 0; axis < axes; ++axis) {
      const bool inner = axis == axes - 1;
      SpreadHuge(&problem, axis, inner ? kHuge / outer + 1 : axis == 0 ? outer : 1);
    }
    MakeDistinct(&problem);
    KeepHuge(std::move(problem));
  }

  void AddHugeOuter(int dimension) {
    if (dimension < 0) return;
    constexpr int64_t kSide = 1021;
    Problem problem = Start(std::min(ranks_.least + 1, ranks_.most));
    const int axes = problem.SpatialRank();
    int64_t plane = 1;
    for (int axis = 0; axis < axes; ++axis, plane *= kSide) SpreadHuge(&problem, axis, kSide);
    problem.shape[static_cast<size_t>(dimension)] = kHuge / plane + 1;
    MakeDistinct(&problem);
    KeepHuge(std::move(problem));
  }

  void SpreadHuge(Problem* problem, int axis, int64_t size) {
    int64_t stride = 1;
    for (const int64_t at_most : kHugeStrides) {
      const int64_t candidate = std::clamp<int64_t>(size / 64, 1, at_most);
      if (stride == 1 && InRange(spec_, Role::kStride, candidate)) stride = candidate;
    }
    SetPoolAxis(problem, axis, {std::min<int64_t>(size, 2), stride, 0, 0, 1});
    SetSpatialSize(problem, axis, size);
  }

  void KeepHuge(Problem problem) {
    problem.fill = "random";
    problem.seed = row_;
    if (IsValid(problem, int64_t{1} << 32)) out_->push_back(std::move(problem));
  }

  // Adaptive: input times output along one axis past 2^31 and 2^32, either of them the larger one. An output
  // of more elements, with indices, is more than a small input may have.
  void AddProducts() {
    constexpr int64_t kMillion = int64_t{1} << 20;
    constexpr int64_t kPairs[][2] = {{46349, 46351}, {65539, 65537}, {kMillion + 3, 4099}, {4099, kMillion}};
    for (const auto& [in, out] : kPairs) {
      Problem problem = Start(ranks_.least);
      if (!problem.HasSizes()) return;
      SetSpatialSize(&problem, 0, in);
      problem.sizes[0] = out;
      problem.fill = "distinct";
      Keep(std::move(problem));
    }
  }

  // Shapes alone: 2^31 elements, which indices of 32 bits count, and more, which they count only from an
  // inner axis, and those of 64 bits from any.
  void AddIndexBounds() {
    struct Bound {
      int64_t width;
      poolproof_element_type index;
      int64_t from;
    };
    constexpr int64_t kSide = 65536;
    constexpr Bound kBounds[] = {{kSide / 2, POOLPROOF_I32, 0},      {kSide / 2, POOLPROOF_I64, 0},
                                 {kSide / 2 + 1, POOLPROOF_I64, 0},  {kSide, POOLPROOF_I64, 0},
                                 {kSide / 2 + 1, POOLPROOF_I32, -1}, {kSide, POOLPROOF_I32, -1}};
    for (const Bound& bound : kBounds) {
      Problem problem = Start(ranks_.least + 1);
      for (int axis = 0; axis < 2; ++axis) {
        SetPoolAxis(&problem, axis, {1, kSide, 0, 0, 1});
        SetSpatialSize(&problem, axis, axis == 0 ? kSide : bound.width);
      }
      AttributeValue *const from = problem.Find(Role::kAxis), *const index = problem.Find(Role::kIndexType);
      if (index == nullptr || (from == nullptr && bound.from != 0)) continue;
      if (from != nullptr) from->present = true;
      if (from != nullptr) from->integer = bound.from;
      index->present = true;
      index->word = ElementTypeName(bound.index);
      problem.fill = kNoFill;
      out_->push_back(std::move(problem));
    }
  }

  const OperatorSpec& spec_;
  const Function& function_;
  poolproof_element_type type_;
  Layout layout_;
  Ranks ranks_;
  size_t row_;
  bool tells_places_ = false;
  Problems* out_;
};

}  // namespace

// The largest tensors are of the smallest types.
size_t NarrowestSize(const Function& function) {
  size_t narrowest = sizeof(double);
  for (const poolproof_element_type type : function.types) narrowest = std::min(narrowest, ElementSize(type));
  return narrowest;
}

Problems CounterProblems(const OperatorSpec& spec, bool every_type) {
  Problems problems;
  size_t start = 0;
  for (const Function& function : spec.functions) {
    if (!IsUnrestricted(function)) continue;
    // The largest tensors are of one type, or of all that are small where an index comes with them.
    bool first = true;
    for (const poolproof_element_type type : function.types) {
      const bool largest = ElementSize(type) == NarrowestSize(function) && (first || HasIndex(spec));
      CountersOf counters(spec, function, type, start, &problems);
      counters.AddAll(largest);
      if ((largest && first) || every_type) counters.AddPast24Bits();
      if (largest) first = false;
      start += 7;
    }
  }
  return problems;
}

Problems HugeProblems(const OperatorSpec& spec) {
  Problems problems;
  for (const Function& function : spec.functions) {
    if (!IsUnrestricted(function)) continue;
    const auto type = std::find_if(function.types.begin(), function.types.end(),
                                   [](poolproof_element_type t) { return ElementSize(t) == 1; });
    if (type != function.types.end()) CountersOf(spec, function, *type, 0, &problems).AddHuge();
  }
  return problems;
}

}  // namespace poolproof
