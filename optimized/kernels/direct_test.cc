// Windows of neighbours in registers: every width from one element to two vectors and one, size of window, padding and
// type, with positions and without, against `plain`.
#include <gtest/gtest.h>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/testing.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/direct_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/rows-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// A plane that is pooled by Near and by `plain`.
template <class R>
class NearTest {
 public:
  using T = typename R::Fold::Stored;
  using L = typename R::L;

  NearTest(const R& reducer, poolproof_element_type type) : reducer_(reducer), type_(type), random_(type) {}

  void Run() {
    for (int64_t width = 1; width <= 2 * n_ + 1 && !testing::Test::HasFailure(); ++width) {
      for (const int64_t kernel : {2, 3, 5}) {
        for (const int64_t stride : {1, 2}) {
          if (!R::kPositions && (kernel == 5 || stride == 2)) continue;
          if (kernel == 5 && stride == 2) continue;
          Pool(width, kernel, kernel, stride, In(random_, 0, kernel / 2));
          if (kernel < 5) Pool(width, kernel, 1, stride, In(random_, 0, kernel / 2));
        }
      }
    }
  }

 private:
  void Pool(int64_t width, int64_t kernel, int64_t high, int64_t stride, int64_t pad) {
    Plan plan;
    plan.type = type_;
    if (R::kPositions) plan.index_type = POOLPROOF_I64;
    for (const int a : {1, 2}) {
      Axis& axis = plan.axis[a];
      axis = {.in = a == 1 ? 6 : width, .kernel = a == 1 ? high : kernel, .stride = stride};
      axis.pad = axis.kernel == 1 ? 0 : pad;
      axis.out = (axis.in + 2 * axis.pad - axis.Reach() - 1) / axis.stride + 1;
      if (axis.in + 2 * axis.pad <= axis.Reach()) return;  // no window
    }
    plan.index_bound = plan.InPlane();
    Compare(plan);
  }

  void Compare(const Plan& plan) {
    SCOPED_TRACE("type " + std::to_string(type_) + ", " + std::to_string(plan.axis[1].kernel) + "x" +
                 std::to_string(plan.axis[2].kernel) + " in " + std::to_string(plan.axis[2].in) + ", stride " +
                 std::to_string(plan.axis[2].stride) + ", pad " + std::to_string(plan.axis[2].pad));
    const int64_t before = plan.axis[2].pad, after = 2 * kMaxLanes + 5;
    T* const in = in_.Last<T>(before + plan.InPlane() + after) + before;
    FillExact(random_, type_, in - before, before + plan.InPlane() + after);
    const int64_t cells = plan.OutPlane();
    T* const out = out_.Last<T>(cells + n_);
    std::vector<T> values(static_cast<size_t>(cells));
    std::vector<int64_t> positions(static_cast<size_t>(cells)), found(static_cast<size_t>(cells + n_));
    PlainMax(plan, {in, values.data(), positions.data()}, 0, 1);
    const bool suspicious = Near<R>::Pool(reducer_, RowsOf(plan, in, {out, {found.data(), true}}), plan.axis[2].kernel,
                                          plan.axis[1].kernel, plan.axis[2].stride);
    ASSERT_FALSE(suspicious);
    for (int64_t i = 0; i < cells; ++i) {
      ASSERT_EQ(Element(type_, out, i), Element(type_, values.data(), i)) << i;
      if (R::kPositions) {
        ASSERT_EQ(found[static_cast<size_t>(i)], positions[static_cast<size_t>(i)]) << i;
      }
    }
  }

  static NearRows<R> RowsOf(const Plan& plan, const T* in, const Results<R>& to) {
    const Axis &high = plan.axis[1], &wide = plan.axis[2];
    return {.from = in,
            .height = high.in,
            .width = wide.in,
            .left = wide.pad,
            .apart = 1,
            .below = 1,
            .first = high.Begin(0),
            .stride = high.stride,
            .base = 0,
            .rows = high.out,
            .lanes = wide.out,
            .factors = nullptr,
            .every = 1,
            .to = to,
            .pitch = wide.out};
  }

  const R reducer_;
  const poolproof_element_type type_;
  const int64_t n_ = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<L>()));
  const Guarded in_, out_;
  Random random_;
};

template <typename P>
void PoolBy() {
  for (const auto type : {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_I8, POOLPROOF_U16, POOLPROOF_U32}) {
    WithMaxFold<P>(type,
                   [&](const auto& fold) { NearTest<RowReducer<std::decay_t<decltype(fold)>>>({fold}, type).Run(); });
  }
}

void PoolNear() {
  PoolBy<NoPositions>();
#if POOLPROOF_HAS_VECTORS
  PoolBy<int16_t>();
#endif
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

POOLPROOF_TEST_ON_TARGETS(Near, GivesThePlainMaximumOfEveryWidth, PoolNear);

}  // namespace poolproof::optimized
#endif
