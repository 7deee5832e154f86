// The two computations that all operators come down to, and the kernels that do them. README.md says which takes what,
// and why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Maximum of each window, and its position where the plan has an index type. The first NaN of a window
// in row-major order is its maximum, otherwise the first of equal values is. A window without taps
// gives minus infinity (integers: the lowest value) and index 0.
void MaxPool(const Plan& plan, const Buffers& buffers, Executor& executor);

// p-norm of each window, Plan::power and Plan::keeps_signs, of floats that have no inner elements (Plan::inner is 1).
// Powers and sums are f32, of f64 they are f64.
void NormPool(const Plan& plan, const Buffers& buffers, Executor& executor);

// The number that the sum of a window with this many taps inside the input is divided by.
inline int64_t DivisorOf(const Plan& plan, int64_t inside) {
  switch (plan.divisor) {
    case Divisor::kInside: return inside;
    case Divisor::kKernel: return plan.KernelTaps();
    case Divisor::kOne: return 1;
    case Divisor::kGiven: return plan.given_divisor;
  }
  return inside;
}

// Mean of each window; see Divisor and Quotient. A window without taps gives 0.
void AveragePool(const Plan& plan, const Buffers& buffers, Executor& executor);

enum class Pooling : uint8_t { kMax, kMean };

// A kernel of the table, in which they are asked in their order.
struct Kernel {
  const char* name;
  bool (*takes)(Pooling pooling, const Plan& plan);  // whether the answer is right
  bool (*pays)(Pooling pooling, const Plan& plan);   // of those it takes, whether no kernel further down is faster
  void (*run)(Pooling pooling, const Plan& plan, const Buffers& buffers, Executor& executor);
};

// The first that takes the plan and pays, or the one that is forced, if it takes the plan.
const Kernel& SelectKernel(Pooling pooling, const Plan& plan);
// The one that MaxPool and AveragePool run, which bring plans into a simpler form before.
const Kernel& KernelOf(Pooling pooling, const Plan& plan);

std::vector<std::string> KernelNames();
// From now on every plan that the named kernel takes is its own, in the whole process; "" for none. False, and nothing
// changed, for a name that is not in KernelNames().
bool ForceKernel(std::string_view name);

// Ways by vectors; `folded` is `interleaved` without index, where the rows of a window become one first.
enum class Way : uint8_t { kRows, kInterleaved, kFolded };

// Planes [begin, end) of a plan that the kernel takes, by the best instruction set.
void MaxByVectors(Way way, const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);
void MeanByVectors(Way way, const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch);

// Pooling one element at a time: for calls of a few elements, what no kernel takes, and rows that a kernel gives up on,
// since they hold NaN or overflow; so these are complete, and take every plan and every type. Planes [begin, end):
void PlainMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end);
void PlainAverage(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end);
// Output row (d, h) of a plane:
void PlainMaxRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h);
void PlainAverageRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h);

// Whether the answer is right.
bool RowsTake(Pooling pooling, const Plan& plan);
bool InterleavedTakes(Pooling pooling, const Plan& plan);
bool FoldedTakes(Pooling pooling, const Plan& plan);

// Nanoseconds, estimated (costs.cc), of plans that all three take.
struct Times {
  double rows, interleaved, folded;
};
Times TimesOf(Pooling pooling, const Plan& plan);

// Bits that hold every sum of the plan, integers only; for MLI every doubled sum.
int SumBits(const Plan& plan);
// Whether sums, and their division, fit in lanes of 16 bits. See ShortQuotientOf.
bool HasShortSums(const Plan& plan);
// Windows of integers of 64 bits have at most 2^kLongTapBits taps where they are divided in vectors, and a divisor that
// is given is below that.
inline constexpr int kLongTapBits = 17;

}  // namespace poolproof::optimized
