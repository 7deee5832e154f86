// Rows that are combined along themselves: every width from one to two vectors and an element, by every way, against a
// loop, with rows that end where memory does.
#include <gtest/gtest.h>

#include "optimized/kernels/testing.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/across_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/rows-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

constexpr int64_t kRows = 3, kFactor = 2;

template <class R>
class AcrossTest {
 public:
  using L = typename R::L;

  AcrossTest(const R& reducer, poolproof_element_type type) : reducer_(reducer), type_(type), random_(type) {}

  void Run() {
    for (int64_t lanes = 1; lanes <= 2 * n_ + 1 && !testing::Test::HasFailure(); ++lanes) {
      TapsOfEveryNumber(lanes);
      Thirds(lanes);
      Cells(lanes);
    }
  }

 private:
  // pool(lines): by one way, of output rows of `lanes` elements, of which element i has taps at places(i). Vectors of
  // the input are read up to `reach` behind the last whole vector of the output.
  template <class Places, class Pool>
  void Expect(int64_t lanes, int64_t reach, const Places& places, const Pool& pool) {
    const int64_t pitch = RoundUp(lanes, n_) + reach;
    L* const from = in_.Last<L>(kRows * pitch);
    FillExact(random_, type_, from, kRows * pitch);
    L* const to = out_.Last<L>(kRows * lanes + n_ - 1);
    L* const factor = factors_.Last<L>(RoundUp(lanes, n_));
    std::fill_n(factor, RoundUp(lanes, n_), L{kFactor});
    const std::vector<const L*> rows(kRows, factor);
    ASSERT_EQ(pool(Lines<L>{kRows, from, pitch, rows.data(), to, lanes}), 0u);
    for (int64_t i = 0; i < kRows * lanes; ++i) {
      double all = R::Fold::kSums ? 0 : -std::numeric_limits<double>::infinity();
      for (const int64_t place : places(i % lanes)) {
        const double x = Element(type_, from, i / lanes * pitch + place);
        all = R::Fold::kSums ? all + x : std::max(all, x);
      }
      ASSERT_EQ(Element(type_, to, i), R::kFactors ? all * kFactor : all) << lanes << " lanes, " << i;
    }
  }

  void TapsOfEveryNumber(int64_t lanes) {
    for (int64_t taps = 1; taps <= 7; ++taps) {
      std::vector<int64_t> at(static_cast<size_t>(taps));
      for (int64_t t = 0; t < taps; ++t) at[static_cast<size_t>(t)] = t * 2;
      const auto places = [&](int64_t i) {
        std::vector<int64_t> all = at;
        for (int64_t& place : all) place += i;
        return all;
      };
      Expect(lanes, 2 * taps, places,
             [&](const Lines<L>& lines) { return Across<R>::Taps(reducer_, lines, at.data(), taps); });
    }
  }

  void Thirds(int64_t lanes) {
    const auto places = [](int64_t i) { return std::vector<int64_t>{3 * i, 3 * i + 1, 3 * i + 2}; };
    Expect(lanes, 2 * RoundUp(lanes, n_), places,
           [&](const Lines<L>& lines) { return Across<R>::Thirds(reducer_, lines); });
  }

  // Windows of two cells, two apart, of `inner` lanes each.
  void Cells(int64_t inner) {
    constexpr int64_t kCells = 3;
    Span spans[kCells];
    for (int64_t j = 0; j < kCells; ++j) spans[j] = {2 * j, 2};
    const auto places = [&](int64_t i) {
      const int64_t first = i / inner * 2 * inner + i % inner;
      return std::vector<int64_t>{first, first + inner};
    };
    Expect(kCells * inner, kCells * inner + n_, places,
           [&](const Lines<L>& lines) { return Across<R>::Cells(reducer_, lines, spans, inner, inner); });
  }

  const R reducer_;
  const poolproof_element_type type_;
  const int64_t n_ = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<L>()));
  const Guarded in_, out_, factors_;
  Random random_;
};

template <class R>
void CombineRows(const R& reducer, poolproof_element_type type) {
  AcrossTest<R>(reducer, type).Run();
}

void CombineAll() {
  // Maxima leave their rows as elements: signed ones, since those have no other lanes.
  CombineRows(RowReducer<MaxFold<double, double, SignCode, false>>{}, POOLPROOF_F64);
  CombineRows(RowReducer<MaxFold<float, float, SignCode, false>>{}, POOLPROOF_F32);
  CombineRows(RowReducer<MaxFold<int8_t, int8_t, SignCode, false>>{}, POOLPROOF_I8);
  CombineRows(RowReducer<MaxFold<int16_t, int16_t, SignCode, false>>{}, POOLPROOF_I16);
  CombineRows(RowReducer<SumFold<FloatMean<float>>, true>{}, POOLPROOF_F32);
  CombineRows(RowReducer<SumFold<FloatMean<double>>, true>{}, POOLPROOF_F64);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

POOLPROOF_TEST_ON_TARGETS(Across, CombinesRowsOfEveryWidth, CombineAll);

}  // namespace poolproof::optimized
#endif
