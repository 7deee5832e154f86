// Every kernel of the table, forced, on every target of this machine, against the plain one: each element type, planes
// and widths about the lanes of a vector, windows of every kind, NaN, both zeros, infinities and ties, with tensors
// that end where memory does. So the traversals are tested (rows, interleaved, folded, and how they store their
// outputs); what they are made of has tests of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/testing.h"

namespace poolproof::optimized {
namespace {

// Few values, so that there are ties. specials: one in this many elements is one; 0 for none.
template <typename T>
void Fill(Random& random, int64_t specials, T* to, int64_t count) {
  constexpr double kSpecials[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity(), 3e38, -3e38};
  for (int64_t i = 0; i < count; ++i) {
    const bool special = specials > 0 && In(random, 1, specials) == 1;
    if constexpr (std::is_integral_v<T>) {
      to[i] = special ? static_cast<T>(random() >> In(random, 0, 63)) : static_cast<T>(In(random, 0, 9));
    } else {
      const double x = static_cast<double>(In(random, -9, 9)) / 4;
      to[i] = FromDouble<T>(special ? kSpecials[In(random, 0, 4)] : x == 0 && In(random, 0, 1) == 0 ? -0.0 : x);
    }
  }
}

Axis DrawAxis(Random& random, int64_t in, bool dilated) {
  Axis axis;
  axis.in = in;
  if (In(random, 0, 3) == 0) {
    axis.adaptive = true;
    axis.out = In(random, 1, 9);
    for (int64_t j = 0; j < axis.out; ++j) axis.kernel = std::max(axis.kernel, axis.SpanAt(j).taps);
    return axis;
  }
  axis.dilation = dilated ? In(random, 1, 3) : 1;
  axis.kernel = In(random, 1, In(random, 0, 3) == 0 ? 12 : 4);
  axis.stride = In(random, 1, 4);
  axis.pad = In(random, 0, axis.kernel / 2);
  const int64_t room = in + 2 * axis.pad - axis.Reach() - 1;
  // Now and then windows that lie wholly in the padding.
  axis.out = std::max<int64_t>(1, room / axis.stride + 1 + (In(random, 0, 5) == 0 ? 2 : 0));
  return axis;
}

// Windows as networks have them: the same along all axes, which are long enough for vectors.
void MakeEven(Random& random, int64_t rank, bool dilated, Plan& plan) {
  const int64_t kernel = std::array<int64_t, 3>{2, 3, 5}[static_cast<size_t>(In(random, 0, 2))];
  const int64_t stride = In(random, 1, 2), pad = In(random, 0, kernel / 2), dilation = dilated ? In(random, 1, 2) : 1;
  for (int64_t a = 3 - rank; a < 3; ++a) {
    Axis& axis = plan.axis[a];
    axis = {.in = a == 0 ? In(random, 5, 9) : In(random, 9, a == 1 ? 20 : 90),
            .kernel = kernel,
            .stride = stride,
            .dilation = dilation,
            .pad = pad};
    axis.out = std::max<int64_t>(1, (axis.in + 2 * pad - axis.Reach() - 1) / stride + 1);
  }
}

// A long plane with clipped windows before and behind, of which parts become lanes where there are few planes.
void MakeLong(Random& random, bool dilated, Plan& plan) {
  constexpr int64_t kElements = 60'000;
  const int64_t wide = In(random, 0, 1) == 0 ? 1 : In(random, 2, 40);
  Axis& axis = plan.axis[wide == 1 ? 2 : 1];
  axis = {.in = kElements / plan.outer / wide, .kernel = In(random, 1, 9), .stride = In(random, 1, 64)};
  axis.dilation = dilated ? In(random, 1, 9) : 1;
  axis.pad = In(random, 0, axis.Reach());
  axis.out = (axis.in + axis.pad + In(random, 0, axis.Reach()) - axis.Reach() - 1) / axis.stride + 1;
  plan.axis[0] = {};
  (wide == 1 ? plan.axis[1] : plan.axis[2]) = wide == 1 ? Axis{} : DrawAxis(random, wide, dilated);
}

Plan DrawPlan(Random& random, Pooling pooling, poolproof_element_type type) {
  Plan plan;
  plan.type = type;
  plan.outer = In(random, 1, In(random, 0, 3) == 0 ? 140 : 35);
  const bool dilated = In(random, 0, 2) == 0;
  const int64_t rank = In(random, 1, 3);
  if (rank == 3) plan.axis[0] = DrawAxis(random, In(random, 1, 6), dilated);
  if (rank >= 2) plan.axis[1] = DrawAxis(random, In(random, 1, 20), dilated);
  const int64_t widest = std::array<int64_t, 10>{600, 4, 4}[static_cast<size_t>(In(random, 0, 9))];
  plan.axis[2] = DrawAxis(random, In(random, 1, widest == 0 ? 70 : widest), dilated);
  if (In(random, 0, 3) == 0) MakeLong(random, dilated, plan);
  if (In(random, 0, 9) == 0) plan.axis[0] = plan.axis[1] = plan.axis[2] = {.in = 7, .out = 7};
  if (In(random, 0, 2) == 0) MakeEven(random, rank, dilated, plan);
  if (In(random, 0, 9) == 0) {
    // A plane that is one window.
    for (Axis& axis : plan.axis) axis = {.in = axis.in, .out = 1, .kernel = axis.in, .adaptive = true};
  }
  if (pooling == Pooling::kMax) {
    const poolproof_element_type index_types[] = {0, POOLPROOF_I32, POOLPROOF_I64};
    plan.index_type = index_types[In(random, 0, 2)];
    plan.index_bound = plan.InPlane() * (In(random, 0, 1) == 0 ? 1 : plan.outer);
    return plan;
  }
  constexpr Divisor kDivisors[] = {Divisor::kInside, Divisor::kKernel, Divisor::kGiven};
  plan.divisor = kDivisors[In(random, 0, IsFloat(type) || BytesOf(type) == 8 ? 2 : 1)];
  plan.given_divisor = In(random, 1, 40);
  if (IsFloat(type)) return plan;
  const bool mli = type == POOLPROOF_I8 || type == POOLPROOF_I16;
  plan.quotient = mli && In(random, 0, 1) == 0 ? Quotient::kConvergent : Quotient::kTruncate;
  return plan;
}

struct Results {
  std::vector<char> values, index;
};

// Tensors of all problems.
struct Memory {
  Guarded in, out, index;
};

Results Pool(const Memory& memory, Pooling pooling, const Plan& plan, const void* in, bool at_end) {
  const size_t cells = static_cast<size_t>(plan.OutElements());
  const size_t bytes = cells * BytesOf(plan.type),
               index_bytes = plan.index_type == 0 ? 0 : cells * BytesOf(plan.index_type);
  char *out = memory.out.Get(bytes, at_end), *index = memory.index.Get(index_bytes, at_end);
  std::memset(out, 0x5A, bytes);
  std::memset(index, 0x5A, index_bytes);
  Executor executor(1);
  (pooling == Pooling::kMax ? MaxPool : AveragePool)(plan, {in, out, index}, executor);
  return {{out, out + bytes}, {index, index + index_bytes}};
}

// Bound of the difference of two right answers: a rounding per tap, and that of the result.
template <typename T>
double Tolerance(const Plan& plan, const T* in) {
  double most = 0;
  for (int64_t i = 0; i < plan.InElements(); ++i) {
    if (std::isfinite(ToDouble(in[i]))) most = std::max(most, std::abs(ToDouble(in[i])));
  }
  const double lane = sizeof(T) == 8 ? 0x1p-52 : 0x1p-23;
  const double result = std::is_same_v<T, F16> ? 0x1p-10 : std::is_same_v<T, BF16> ? 0x1p-7 : lane;
  return most * (static_cast<double>(plan.KernelTaps()) * lane + result);
}

template <typename T>
bool Agree(T a, T b, double tolerance) {
  if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else {
    const double x = ToDouble(a), y = ToDouble(b);
    return x == y || std::abs(x - y) <= tolerance || (std::isnan(x) && std::isnan(y));
  }
}

template <typename T>
void ExpectAgree(Pooling pooling, const Plan& plan, const T* in, const Results& plain, const Results& forced,
                 const std::string& what) {
  const double tolerance = pooling == Pooling::kMax || std::is_integral_v<T> ? 0 : Tolerance(plan, in);
  ASSERT_EQ(plain.index, forced.index) << what;
  for (size_t i = 0; i < plain.values.size() / sizeof(T); ++i) {
    T a, b;
    std::memcpy(&a, plain.values.data() + i * sizeof(T), sizeof(T));
    std::memcpy(&b, forced.values.data() + i * sizeof(T), sizeof(T));
    ASSERT_TRUE(Agree(a, b, tolerance)) << what << " element " << i << ": " << ToDouble(a) << " and " << ToDouble(b);
  }
}

std::string Describe(const Plan& plan) {
  std::string text = "type " + std::to_string(plan.type) + " planes " + std::to_string(plan.outer);
  for (const Axis& a : plan.axis) {
    text += " [" + std::to_string(a.in) + " to " + std::to_string(a.out) +
            (a.adaptive ? " adaptive"
                        : " k" + std::to_string(a.kernel) + " s" + std::to_string(a.stride) + " d" +
                              std::to_string(a.dilation) + " p" + std::to_string(a.pad)) +
            "]";
  }
  return text + (plan.index_type != 0 ? " index" : "");
}

// Every kernel that takes the plan, on every target; counts those that ran.
template <typename T>
void TryKernels(const Memory& memory, Pooling pooling, const Plan& plan, Random& random,
                std::map<std::string, int>& runs) {
  const bool at_end = In(random, 0, 1) == 0;
  const int64_t specials = std::array<int64_t, 3>{0, 5, 400}[static_cast<size_t>(In(random, 0, 2))];
  const size_t bytes = static_cast<size_t>(plan.InElements()) * sizeof(T);
  T* in = reinterpret_cast<T*>(memory.in.Get(bytes, at_end));
  Fill(random, specials, in, plan.InElements());
  ASSERT_TRUE(ForceKernel("plain"));
  const Results plain = Pool(memory, pooling, plan, in, at_end);
  for (const std::string& kernel : KernelNames()) {
    ASSERT_TRUE(ForceKernel(kernel));
    if (SelectKernel(pooling, plan).name != kernel) continue;
    ++runs[kernel];
    Results first;
    for (const std::string& target : Targets()) {
      ASSERT_TRUE(SelectTarget(target));
      const Results forced = Pool(memory, pooling, plan, in, at_end);
      const std::string what = kernel + " on " + target + ": " + Describe(plan);
      ASSERT_NO_FATAL_FAILURE(ExpectAgree<T>(pooling, plan, in, plain, forced, what));
      if (first.values.empty()) first = forced;
      EXPECT_EQ(first.values, forced.values) << "other bits, " << what;
    }
  }
}

void TryAll(Pooling pooling, uint64_t seed) {
  constexpr int kPlans = 100;  // of each type
  constexpr int64_t kElements = 100'000;
  Random random(seed);
  const Memory memory;
  std::map<std::string, int> runs;
  for (const poolproof_element_type type : kTypes) {
    for (int i = 0; i < kPlans && !testing::Test::HasFailure(); ++i) {
      Plan plan = DrawPlan(random, pooling, type);
      while (std::max(plan.InElements(), plan.OutElements()) > kElements) plan = DrawPlan(random, pooling, type);
      ForType(type, [&](auto element) { TryKernels<decltype(element)>(memory, pooling, plan, random, runs); });
    }
  }
  ForceKernel("");
  SelectTarget("");
  for (const std::string& kernel : KernelNames()) {
    EXPECT_GT(runs[kernel], 20) << kernel << " hardly ran";
  }
}

// Rows of every width, and then every number of planes, from one to two vectors of bytes and one.
void TryEverySize(Pooling pooling) {
  constexpr int64_t kMost = 2 * 64 + 1;
  Random random(3);
  const Memory memory;
  std::map<std::string, int> runs;
  for (const poolproof_element_type type : kTypes) {
    const auto most = std::min<int64_t>(kMost, 2 * 64 / static_cast<int64_t>(BytesOf(type)) + 1);
    for (int64_t size = 1; size <= 2 * most && !testing::Test::HasFailure(); ++size) {
      const bool wide = size <= most;
      const int64_t kernel = In(random, 1, 3), dilation = In(random, 1, 2), reach = (kernel - 1) * dilation;
      Plan plan;
      plan.type = type;
      plan.outer = wide ? 3 : size - most;
      for (const int a : {1, 2}) {
        plan.axis[a] = {
            .in = a == 2 && wide ? size : 5, .kernel = kernel, .stride = In(random, 1, 3), .pad = reach / 2};
        plan.axis[a].dilation = dilation;
        const int64_t room = plan.axis[a].in + 2 * plan.axis[a].pad - plan.axis[a].Reach() - 1;
        plan.axis[a].out = std::max<int64_t>(0, room) / plan.axis[a].stride + 1;
      }
      if (pooling == Pooling::kMax && In(random, 0, 1) == 0) plan.index_type = POOLPROOF_I64;
      plan.index_bound = plan.InPlane();
      if (pooling == Pooling::kMean && !IsFloat(type)) plan.quotient = Quotient::kTruncate;
      ForType(type, [&](auto element) { TryKernels<decltype(element)>(memory, pooling, plan, random, runs); });
    }
  }
  ForceKernel("");
  SelectTarget("");
  for (const char* kernel : {"rows", "interleaved", "folded"}) EXPECT_GT(runs[kernel], 100) << kernel;
}

TEST(Kernels, GiveThePlainMaximumOfEverySize) { TryEverySize(Pooling::kMax); }
TEST(Kernels, GiveThePlainMeanOfEverySize) { TryEverySize(Pooling::kMean); }
TEST(Kernels, GiveThePlainMaximum) { TryAll(Pooling::kMax, 1); }
TEST(Kernels, GiveThePlainMean) { TryAll(Pooling::kMean, 2); }

TEST(Kernels, AreForcedByName) {
  EXPECT_FALSE(ForceKernel("fastest"));
  for (const std::string& name : KernelNames()) EXPECT_TRUE(ForceKernel(name)) << name;
  EXPECT_TRUE(ForceKernel(""));
}

}  // namespace
}  // namespace poolproof::optimized
