// Rows of windows become one: every width from none to two vectors and an element, number of taps, type and place,
// against a loop, with rows that end where memory does.
#include <gtest/gtest.h>

#include "optimized/kernels/testing.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/fold_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/fold-inl.h"
#include "optimized/kernels/means-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

constexpr int64_t kRows = 2, kBetweenTaps = 3;

// A lane as the element that it stands for.
template <class F>
double LaneValue(const F& fold, poolproof_element_type type, typename F::Lane lane) {
  if constexpr (F::kSums) {
    return static_cast<double>(lane);
  } else {
    typename F::Stored stored = static_cast<typename F::Stored>(lane);
    if constexpr (std::is_same_v<typename F::Code, HalfCode>) {
      stored = static_cast<int16_t>(stored < 0 ? stored ^ 0x7FFF : stored);
    } else if constexpr (std::is_integral_v<typename F::Stored>) {
      stored ^= fold.code;
    }
    return Element(type, &stored, 0);
  }
}

template <class F>
struct FoldTest {
  using S = typename F::Stored;
  using L = typename F::Lane;

  const F& fold;
  const poolproof_element_type type;
  const FoldTo to;
  const int64_t taps, lanes;
  const int64_t n = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<L>()));
  const int64_t whole = RoundUp(lanes, n), step = to == FoldTo::kPairs ? 2 * lanes : lanes;

  int64_t Pitch() const { return to == FoldTo::kDense ? lanes : lanes + n; }
  // Elements that may be read and written: whole vectors, of dense rows as if they were one.
  int64_t Read() const {
    const int64_t dense = RoundUp(kRows * lanes, n), pairs = to == FoldTo::kPairs ? 2 : 1;
    return (taps - 1) * kBetweenTaps + (to == FoldTo::kDense ? dense : (kRows - 1) * step + pairs * whole);
  }
  int64_t Written() const {
    if (to == FoldTo::kDense) return RoundUp(kRows * lanes, n);
    return (kRows - 1) * Pitch() + (to == FoldTo::kPairs ? whole : lanes + n);
  }

  // The join over all taps of element `at` of row r.
  double Joined(const S* in, int64_t r, int64_t at) const {
    double all = F::kSums ? 0 : -std::numeric_limits<double>::infinity();
    for (int64_t t = 0; t < taps; ++t) {
      const double x = Element(type, in, t * kBetweenTaps + r * step + at);
      all = F::kSums ? all + x : std::max(all, x);
    }
    return all;
  }

  void ExpectRow(const S* in, const L* row, const L* odd, int64_t r) const {
    for (int64_t i = 0; i < lanes; ++i) {
      const L lane = to == FoldTo::kSplit ? (i % 2 == 0 ? row : odd)[i / 2] : row[i];
      if (taps == 0) {
        ASSERT_EQ(lane, fold.Identity());
      } else if (to == FoldTo::kPairs) {
        const double a = Joined(in, r, 2 * i), b = Joined(in, r, 2 * i + 1);
        ASSERT_EQ(Element(type, &lane, 0), F::kSums ? (a + b) * 0.25 : std::max(a, b)) << r << " " << i;
      } else {
        ASSERT_EQ(LaneValue(fold, type, lane), Joined(in, r, i)) << r << " " << i;
      }
    }
  }

  void Run(Random& random, const Guarded& from, const Guarded& into, const Guarded& odds) const {
    SCOPED_TRACE(std::to_string(type) + ", " + std::to_string(taps) + " taps of " + std::to_string(lanes) +
                 " lanes, to " + std::to_string(static_cast<int>(to)));
    S* const in = from.Last<S>(taps == 0 ? 0 : Read());
    FillExact(random, type, in, taps == 0 ? 0 : Read());
    const void* rows[8];
    for (int64_t t = 0; t < taps; ++t) rows[t] = in + t * kBetweenTaps;
    L* const out = into.Last<L>(Written());
    L* const odd = to == FoldTo::kSplit ? odds.Last<L>(Written()) : nullptr;
    FoldJob<L> job = {rows, taps, kRows, step, lanes, out, Pitch(), odd};
    job.factor = static_cast<L>(F::kSums ? 0.25 : 0);
    ASSERT_EQ(to == FoldTo::kDense ? FoldRows<FoldTo::kDense>(fold, job) : FoldRows(fold, job, to), 0u);
    for (int64_t r = 0; r < kRows; ++r) ExpectRow(in, out + r * Pitch(), odd + r * Pitch(), r);
    if (taps > 0 && to == FoldTo::kPadded) {
      ASSERT_EQ(out[lanes], fold.Identity());
    }
  }
};

template <class F>
void FoldAll(const F& fold, poolproof_element_type type) {
  using L = typename F::Lane;
  const Guarded in, out, odd;
  Random random(type);
  constexpr bool kPairs = !F::kSums || std::is_same_v<L, typename F::Stored>;
  const int64_t most = 2 * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<L>())) + 1;
  for (const FoldTo to : {FoldTo::kDense, FoldTo::kPadded, FoldTo::kSplit, FoldTo::kPairs}) {
    if (to == FoldTo::kPairs && !kPairs) continue;
    for (int64_t taps = to == FoldTo::kPairs ? 1 : 0; taps < 8; ++taps) {
      for (int64_t lanes = 0; lanes <= most && !testing::Test::HasFailure(); ++lanes) {
        FoldTest<F>{fold, type, to, taps, lanes}.Run(random, in, out, odd);
      }
    }
  }
}

// Rows that share taps: one after the other, of every width, as many as are folded together and more.
template <class F>
void FoldShared(const F& fold, poolproof_element_type type) {
  using S = typename F::Stored;
  using L = typename F::Lane;
  const Guarded in, out;
  Random random(type);
  const int64_t n = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<L>()));
  for (int64_t lanes = 1; lanes <= 2 * n + 1 && !testing::Test::HasFailure(); ++lanes) {
    const int64_t taps = In(random, 4, 9), shift = taps > 6 ? In(random, 1, 2) : 1, rows = In(random, 4, 9);
    const bool dense = F::kSums || In(random, 0, 1) == 0;
    const int64_t pitch = dense ? lanes : lanes + n, last = (rows - 1) * shift + taps - 1;
    const int64_t read = last * lanes + RoundUp(lanes, n);
    S* const from = in.Last<S>(read);
    FillExact(random, type, from, read);
    std::vector<const void*> pointers;
    for (int64_t t = 0; t < taps; ++t) pointers.push_back(from + t * lanes);
    L* const to = out.Last<L>(dense ? rows * lanes : rows * pitch);
    FoldJob<L> job = {pointers.data(), taps, rows, shift * lanes, lanes, to, pitch};
    ASSERT_EQ(dense ? FoldRows<FoldTo::kDense>(fold, job, shift) : FoldRows(fold, job, FoldTo::kPadded, shift), 0u);
    for (int64_t i = 0; i < rows * lanes; ++i) {
      const int64_t r = i / lanes, column = i % lanes;
      double all = F::kSums ? 0 : -std::numeric_limits<double>::infinity();
      for (int64_t t = 0; t < taps; ++t) {
        const double x = Element(type, from, (r * shift + t) * lanes + column);
        all = F::kSums ? all + x : std::max(all, x);
      }
      ASSERT_EQ(LaneValue(fold, type, to[r * pitch + column]), all)
          << type << ": " << taps << " taps, " << shift << " apart, row " << r << " of " << rows << ", " << column;
    }
    for (int64_t r = 0; !dense && r < rows; ++r) ASSERT_EQ(to[r * pitch + lanes], fold.Identity());
  }
}

void FoldAllShared() {
  for (const poolproof_element_type type : kTypes) {
    WithMaxFold<NoPositions>(type, [&](const auto& fold) { FoldShared(fold, type); });
  }
  FoldShared(SumFold<FloatMean<float>>(), POOLPROOF_F32);
  FoldShared(SumFold<F16Mean>(), POOLPROOF_F16);
  FoldShared(SumFold<SmallMean<uint8_t>>(), POOLPROOF_U8);
}

void FoldMaxima() {
  for (const poolproof_element_type type : kTypes) {
    WithMaxFold<NoPositions>(type, [&](const auto& fold) { FoldAll(fold, type); });
  }
}

void FoldSums() {
  FoldAll(SumFold<FloatMean<float>>(), POOLPROOF_F32);
  FoldAll(SumFold<F16Mean>(), POOLPROOF_F16);
  FoldAll(SumFold<ByteMean<int8_t>>(), POOLPROOF_I8);
  FoldAll(SumFold<SmallMean<uint8_t>>(), POOLPROOF_U8);
  FoldAll(SumFold<WideMean<uint32_t>>(), POOLPROOF_U32);
}

// A NaN in any tap and column of one of three planes is seen there, and in no other.
void SeeNan() {
  constexpr int64_t kPlanes = 3, kTaps = 4;
  for (const poolproof_element_type type : {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16}) {
    WithMaxFold<NoPositions>(type, [&](const auto& fold) {
      using F = std::decay_t<decltype(fold)>;
      using L = typename F::Lane;
      const int64_t n = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<L>())), lanes = n + n / 2 + 1, plane = 8 * n + 8;
      std::vector<typename F::Stored> in(static_cast<size_t>(kPlanes * plane));
      std::vector<L> out(static_cast<size_t>(kPlanes * plane));
      const void* rows[kTaps];
      for (int64_t t = 0; t < kTaps; ++t) rows[t] = in.data() + t * lanes;
      FoldJob<L> job = {rows, kTaps, 1, 0, lanes, out.data(), lanes};
      job.planes = kPlanes, job.plane = job.plane_pitch = plane;
      for (int64_t at = 0; at < kTaps * lanes; ++at) {
        const int64_t element = at % kPlanes * plane + at;
        for (const double sign : {1.0, -1.0}) {
          SetElement(type, in.data(), element, std::copysign(std::numeric_limits<double>::quiet_NaN(), sign));
          ASSERT_EQ(FoldRows(fold, job, FoldTo::kPadded), uint32_t{1} << at % kPlanes) << type << " " << at;
        }
        SetElement(type, in.data(), element, std::numeric_limits<double>::infinity());
        ASSERT_EQ(FoldRows(fold, job, FoldTo::kPadded), 0u) << type << " " << at;
        SetElement(type, in.data(), element, 0);
      }
    });
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

POOLPROOF_TEST_ON_TARGETS(Fold, GivesMaximaOfEveryWidth, FoldMaxima);
POOLPROOF_TEST_ON_TARGETS(Fold, GivesSumsOfEveryWidth, FoldSums);
POOLPROOF_TEST_ON_TARGETS(Fold, JoinsSharedTapsOnce, FoldAllShared);
POOLPROOF_TEST_ON_TARGETS(Fold, SeesNanWhereItIs, SeeNan);

}  // namespace poolproof::optimized
#endif
