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

// Windows of a run, of every number of taps, in two rows of cells, and those rows joined.
template <class F>
void PoolCells(const F&, poolproof_element_type type) {
  using B = typename F::B;
  using L = typename B::L;
  using Raw = typename B::Raw;
  constexpr int64_t kGroup = B::kGroup, kRows = 2, kWindows = 5, kStride = 2, kDilation = 3;
  Random random(type);
  for (int64_t taps = 0; taps <= 6; ++taps) {
    const int64_t elements = 1 + (kWindows - 1) * kStride + std::max<int64_t>(0, taps - 1) * kDilation;
    std::vector<Raw> from(static_cast<size_t>(kRows * elements * kGroup));
    FillExact(random, type, from.data(), static_cast<int64_t>(from.size()));
    std::vector<int64_t> memory(static_cast<size_t>((kRows + 1) * kWindows * kGroup * 2 + 64));
    const typename B::Field field = B::MakeField(memory.data(), (kRows + 1) * kWindows * kGroup + kMaxLanes);
    PoolRun<B>({kWindows, 0, kStride, taps}, {kRows, elements, kWindows}, from.data(), 0, kDilation, field);
    const typename B::Field rows[] = {field, field.From(kWindows * kGroup)};
    JoinCells<B>(rows, kRows, kWindows * kGroup, field.From(kRows * kWindows * kGroup));
    const auto most = [&](int64_t row, int64_t window, int64_t lane) {
      double all = -std::numeric_limits<double>::infinity();
      for (int64_t t = 0; t < taps; ++t) {
        const int64_t cell = row * elements + window * kStride + t * kDilation;
        all = std::max(all, Element(type, from.data(), cell * kGroup + lane));
      }
      return all;
    };
    for (int64_t i = 0; i < kWindows * kGroup; ++i) {
      const double above = most(0, i / kGroup, i % kGroup), below = most(1, i / kGroup, i % kGroup);
      const auto lane = [&](int64_t row) { return static_cast<double>(field.value[row * kWindows * kGroup + i]); };
      const double none = static_cast<double>(IdentityOfMax<L>());
      ASSERT_EQ(lane(0), taps == 0 ? none : above) << type << ", " << taps << " taps, " << i;
      ASSERT_EQ(lane(1), taps == 0 ? none : below) << type << ", " << taps << " taps, " << i;
      ASSERT_EQ(lane(2), taps == 0 ? none : std::max(above, below)) << type << ", " << taps << " taps, " << i;
    }
  }
}

// Types whose lanes have the values of their elements.
void PoolAll() {
  for (const auto type : {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_I8, POOLPROOF_I16, POOLPROOF_I32, POOLPROOF_I64}) {
    WithMaxFold<NoPositions>(type, [&](const auto& fold) { PoolCells(fold, type); });
#if POOLPROOF_HAS_VECTORS
    WithMaxFold<int16_t>(type, [&](const auto& fold) { PoolCells(fold, type); });
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
