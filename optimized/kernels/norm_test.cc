// p-norms of every number of elements up to two vectors and one, every type and power, on every target.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/testing.h"

namespace poolproof::optimized {
namespace {

constexpr poolproof_element_type kFloats[] = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16};

// Windows of three taps, two apart and padded, along rows of `width` elements in `planes` planes.
Plan PlanOf(poolproof_element_type type, int64_t planes, int64_t width, int64_t power) {
  Plan plan;
  plan.type = type;
  plan.outer = planes;
  plan.axis[2] = {.in = width, .out = width / 2 + 1, .kernel = 3, .stride = 2, .pad = 1};
  plan.power = power;
  return plan;
}

// Power of a magnitude, with the sign of the number where the plan keeps it.
double PowerOf(const Plan& plan, double x) {
  const double power = std::pow(std::fabs(x), static_cast<double>(plan.power));
  return plan.keeps_signs && plan.power % 2 == 1 ? std::copysign(power, x) : power;
}

struct Powers {
  double sum = 0, magnitude = 0;
};

Powers PowersOf(const Plan& plan, const void* in, int64_t plane, int64_t window) {
  Powers powers;
  const Span span = plan.axis[2].SpanAt(window);
  for (int64_t tap = 0; tap < span.taps; ++tap) {
    const double power = PowerOf(plan, Element(plan.type, in, plane * plan.axis[2].in + span.first + tap));
    powers.sum += power;
    powers.magnitude += std::fabs(power);
  }
  return powers;
}

class Norms : public testing::Test {
 protected:
  void Try(const Plan& plan) {
    const size_t bytes = BytesOf(plan.type);
    char* const in = in_.Get(static_cast<size_t>(plan.InElements()) * bytes, true);
    FillExact(random_, plan.type, in, plan.InElements());
    std::vector<char> first;
    for (const bool at_end : {false, true}) {
      char* const out = out_.Get(static_cast<size_t>(plan.OutElements()) * bytes, at_end);
      OnTargets([&] {
        Executor executor(1);
        NormPool(plan, {in, out, nullptr}, executor);
        Check(plan, in, out);
        const std::vector<char> now(out, out + static_cast<size_t>(plan.OutElements()) * bytes);
        if (first.empty()) first = now;
        EXPECT_EQ(now, first) << "targets differ";
      });
    }
  }

 private:
  static void Check(const Plan& plan, const char* in, const char* out) {
    const double unit = plan.type == POOLPROOF_F64   ? 0x1p-50
                        : plan.type == POOLPROOF_F32 ? 0x1p-21
                        : plan.type == POOLPROOF_F16 ? 0x1p-10
                                                     : 0x1p-7;
    for (int64_t plane = 0; plane < plan.outer; ++plane) {
      for (int64_t j = 0; j < plan.axis[2].out; ++j) {
        const Powers want = PowersOf(plan, in, plane, j);
        const double got = PowerOf(plan, Element(plan.type, out, plane * plan.axis[2].out + j));
        ASSERT_LE(std::fabs(got - want.sum), want.magnitude * static_cast<double>(plan.power) * unit)
            << "plane " << plane << " window " << j << " power " << plan.power;
      }
    }
  }

  Random random_{7};
  Guarded in_, out_;
};

TEST_F(Norms, OfEveryWidth) {
  for (const poolproof_element_type type : kFloats) {
    for (int64_t width = 1; width <= 2 * 64 + 1; ++width) Try(PlanOf(type, 2, width, width % 5 + 1));
  }
}

TEST_F(Norms, OfEveryPower) {
  for (const poolproof_element_type type : kFloats) {
    for (int64_t power = 1; power <= 9; ++power) Try(PlanOf(type, 3, 37, power));
  }
}

TEST_F(Norms, OfPowersThatKeepTheirSigns) {
  for (const poolproof_element_type type : kFloats) {
    for (int64_t power = 1; power <= 6; ++power) {
      Plan plan = PlanOf(type, 3, 37, power);
      plan.keeps_signs = true;
      Try(plan);
    }
  }
}

TEST_F(Norms, OfMorePlanesThanAreTakenAtOnce) { Try(PlanOf(POOLPROOF_F32, 400, 1000, 2)); }

TEST_F(Norms, OfSpecialValues) {
  const Plan plan = PlanOf(POOLPROOF_F32, 1, 4, 3);
  const float in[] = {NAN, 1, 1e30F, -INFINITY};
  float out[3];
  OnTargets([&] {
    Executor executor(1);
    NormPool(plan, {in, out, nullptr}, executor);
    EXPECT_TRUE(std::isnan(out[0]));
    EXPECT_EQ(out[1], INFINITY);
    EXPECT_EQ(out[2], INFINITY);
  });
}

TEST_F(Norms, OfInfinitiesThatKeepTheirSigns) {
  Plan plan = PlanOf(POOLPROOF_F32, 1, 6, 3);
  plan.keeps_signs = true;
  const float in[] = {-1e30F, 1, INFINITY, -INFINITY, 1, 1e30F};
  float out[4];
  OnTargets([&] {
    Executor executor(1);
    NormPool(plan, {in, out, nullptr}, executor);
    EXPECT_NEAR(out[0], -1e30F, 1e24F);
    EXPECT_TRUE(std::isnan(out[1]));
    EXPECT_EQ(out[2], -INFINITY);
    EXPECT_NEAR(out[3], 1e30F, 1e24F);
  });
}

}  // namespace
}  // namespace poolproof::optimized
