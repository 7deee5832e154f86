// Planes become cells and cells become windows and planes again, for every number of elements from one to two squares
// and one, against loops, with runs that end where memory does.
#include <gtest/gtest.h>

#include "hwy/aligned_allocator.h"
#include "optimized/kernels/testing.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/cells_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/cells-inl.h"
#include "optimized/kernels/fold-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <typename L>
void GatherAndScatter() {
  constexpr int64_t kGroup = 64 / sizeof(L);
  const Guarded in, out;
  const auto cells = hwy::AllocateAligned<L>(kGroup * (2 * kWideSide<L> + 1));
  for (int64_t n = 1; n <= 2 * kWideSide<L> + 1; ++n) {
    L* const from = in.Last<L>(kGroup * n);
    for (int64_t i = 0; i < kGroup * n; ++i) from[i] = static_cast<L>(i * 7);
    const auto same = [](auto, auto v) HWY_ATTR { return v; };
    GatherRuns<kGroup, false>([&](int64_t p) { return from + p * n; }, n, cells.get(), same);
    for (int64_t i = 0; i < kGroup * n; ++i) {
      ASSERT_EQ(cells[i % n * kGroup + i / n], from[i]) << sizeof(L) << " bytes, " << n;
    }
    for (int64_t planes = 1; planes <= kGroup; ++planes) {
      L* const to = out.Last<L>(planes * n);
      std::fill_n(to, planes * n, L{1});
      ScatterPlanes<kGroup>(cells.get(), n, planes,
                            [=](auto d, auto v, int64_t p, int64_t i) HWY_ATTR { hn::StoreU(v, d, to + p * n + i); });
      ASSERT_TRUE(std::equal(to, to + planes * n, from)) << sizeof(L) << " bytes, " << n << " of " << planes;
    }
  }
}
void MoveAll() {
  GatherAndScatter<int8_t>();
  GatherAndScatter<int16_t>();
  GatherAndScatter<float>();
  GatherAndScatter<double>();
}

constexpr int64_t kCellRows = 2, kCellWindows = 5;

// The taps of window j of a run.
Span WindowOf(const WindowRun& run, int64_t j, int64_t dilation) {
  if (run.nested == Nested::kNone) return {run.first + j * run.stride, run.taps};
  if (run.nested == Nested::kGrow) return {run.first, run.taps + j * run.more};
  return {run.first + j * run.more * dilation, run.taps - j * run.more};
}

// The windows of a run in two rows of cells, and those rows joined.
template <class F>
void PoolCells(const F&, poolproof_element_type type, const WindowRun& run, int64_t dilation) {
  using B = typename F::B;
  using L = typename B::L;
  using Raw = typename B::Raw;
  constexpr int64_t kGroup = B::kGroup, kElements = 64;
  Random random(type);
  std::vector<Raw> from(static_cast<size_t>(kCellRows * kElements * kGroup));
  FillExact(random, type, from.data(), static_cast<int64_t>(from.size()));
  std::vector<int64_t> memory(static_cast<size_t>((kCellRows + 1) * kCellWindows * kGroup * 2 + 64));
  const typename B::Field field = B::MakeField(memory.data(), (kCellRows + 1) * kCellWindows * kGroup + kMaxLanes);
  PoolRun<B>(run, {kCellRows, kElements, kCellWindows}, from.data(), 0, dilation, field);
  const typename B::Field rows[] = {field, field.From(kCellWindows * kGroup)};
  JoinCells<B>(rows, kCellRows, kCellWindows * kGroup, field.From(kCellRows * kCellWindows * kGroup));
  const auto most = [&](int64_t row, int64_t window, int64_t lane) {
    const Span span = WindowOf(run, window, dilation);
    double all = static_cast<double>(IdentityOfMax<L>());
    for (int64_t t = 0; t < span.taps; ++t) {
      const int64_t cell = row * kElements + span.first + t * dilation;
      all = std::max(all, Element(type, from.data(), cell * kGroup + lane));
    }
    return all;
  };
  for (int64_t i = 0; i < kCellWindows * kGroup; ++i) {
    const double above = most(0, i / kGroup, i % kGroup), below = most(1, i / kGroup, i % kGroup);
    const auto lane = [&](int64_t row) { return static_cast<double>(field.value[row * kCellWindows * kGroup + i]); };
    const auto where = [&] { return std::to_string(run.taps) + " taps, stride " + std::to_string(run.stride); };
    ASSERT_EQ(lane(0), above) << type << ", " << where() << ", " << i;
    ASSERT_EQ(lane(1), below) << type << ", " << where() << ", " << i;
    ASSERT_EQ(lane(2), std::max(above, below)) << type << ", " << where() << ", " << i;
  }
}

// Windows of every number of taps, far apart or sharing theirs, and those that are clipped.
template <class F>
void PoolRuns(const F& fold, poolproof_element_type type) {
  for (int64_t taps = 0; taps <= 6; ++taps) PoolCells(fold, type, {kCellWindows, 0, 2, taps}, 3);
  for (const int64_t stride : {1, 2, 3, 4}) {
    for (int64_t taps = 1; taps <= 13; ++taps) PoolCells(fold, type, {kCellWindows, 1, stride, taps}, 1);
    PoolCells(fold, type, {kCellWindows, 1, 2 * stride, 9}, 2);
  }
  for (const int64_t more : {1, 2, 3}) {
    PoolCells(fold, type, {kCellWindows, 2, 0, 3, Nested::kGrow, more}, 2);
    PoolCells(fold, type, {kCellWindows, 2, more * 2, 4 * more + 2, Nested::kShrink, more}, 2);
  }
}

// Types whose lanes have the values of their elements.
void PoolAll() {
  for (const auto type : {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_I8, POOLPROOF_I16, POOLPROOF_I32, POOLPROOF_I64}) {
    WithMaxFold<NoPositions>(type, [&](const auto& fold) { PoolRuns(fold, type); });
#if POOLPROOF_HAS_VECTORS
    WithMaxFold<int16_t>(type, [&](const auto& fold) { PoolRuns(fold, type); });
#endif
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

POOLPROOF_TEST_ON_TARGETS(Cells, AreMadeOfPlanesAndBecomeThem, MoveAll);
POOLPROOF_TEST_ON_TARGETS(Cells, ArePooledWithEveryNumberOfTaps, PoolAll);

}  // namespace poolproof::optimized
#endif
