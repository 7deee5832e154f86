// Mutants that are wrong along one spatial axis alone, each of one mechanism: a line of a kernel was forgotten, or
// written for another axis.
#include <utility>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

// Places in Pool::axes; an axis that the operator does not have is neither dilated nor padded.
constexpr size_t kDepth = 0, kHeight = 1, kWidth = 2;

template <size_t kAxis>
void ForgetDilation(Pool& pool) {
  pool.axes[kAxis].dilation = 1;
}

template <size_t kAxis>
void ForgetPadInFront(Pool& pool) {
  Axis& axis = pool.axes[kAxis];
  axis.pad_end += std::exchange(axis.pad_begin, 0);
}

template <size_t kAxis>
void OddElementAtEnd(Pool& pool) {
  Axis& axis = pool.axes[kAxis];
  const bool front = Asks(*pool.call, Role::kAutoPad, Meaning::kPadMoreInFront);
  if (front && axis.pad_begin > axis.pad_end) std::swap(axis.pad_begin, axis.pad_end);
}

// The shape is that of the strides as they are written, as where it is inferred by code of its own.
void StepsReversed(Pool& pool) { std::swap(pool.axes[pool.FirstAxis()].stride, pool.axes[kWidth].stride); }

void StepsOfFirstAxis(Pool& pool) {
  for (size_t i = pool.FirstAxis(); i < 3; ++i) pool.axes[i].stride = pool.axes[pool.FirstAxis()].stride;
}

constexpr Mutant WrongSteps(std::string_view id, std::string_view title, void (*pool)(Pool&)) {
  return {.id = id,
          .title = title,
          .effect = "the output has the right shape and the values of windows elsewhere where the strides differ",
          .operators = kSliding,
          .role = Role::kStride,
          .hooks = {.pool = pool}};
}

constexpr Mutant DilationForgotten(std::string_view id, std::string_view title, void (*pool)(Pool&)) {
  return {.id = id,
          .title = title,
          .effect = "the output has the right shape and the values of windows that are dense along this axis",
          .operators = kDilates,
          .role = Role::kDilation,
          .hooks = {.pool = pool}};
}

constexpr Mutant PadForgotten(std::string_view id, std::string_view title, void (*pool)(Pool&)) {
  return {.id = id,
          .title = title,
          .effect = "the output is shifted by the padding along this axis",
          .operators = kSliding,
          .role = Role::kPadBegin,
          .hooks = {.pool = pool}};
}

constexpr Mutant LowerAsUpper(std::string_view id, std::string_view title, void (*pool)(Pool&)) {
  return {.id = id,
          .title = title,
          .effect = "the output is shifted by one along this axis where the padding is odd",
          .operators = kSliding,
          .role = Role::kAutoPad,
          .hooks = {.pool = pool}};
}

constexpr Mutant kAxes[] = {
    WrongSteps("strides-reversed-in-windows", "windows step by the strides of the axes exchanged, in the right shape",
               StepsReversed),
    WrongSteps("stride-of-first-axis-in-windows",
               "windows step along all axes by the stride of the first, in the right shape", StepsOfFirstAxis),
    DilationForgotten("dilation-forgotten-along-width", "dilation enters the shape but not the taps along the width",
                      ForgetDilation<kWidth>),
    DilationForgotten("dilation-forgotten-along-height", "dilation enters the shape but not the taps along the height",
                      ForgetDilation<kHeight>),
    DilationForgotten("dilation-forgotten-along-depth", "dilation enters the shape but not the taps along the depth",
                      ForgetDilation<kDepth>),
    PadForgotten("padding-shifts-nothing-along-width",
                 "begin padding enters the shape but not the position of the windows along the width",
                 ForgetPadInFront<kWidth>),
    PadForgotten("padding-shifts-nothing-along-height",
                 "begin padding enters the shape but not the position of the windows along the height",
                 ForgetPadInFront<kHeight>),
    PadForgotten("padding-shifts-nothing-along-depth",
                 "begin padding enters the shape but not the position of the windows along the depth",
                 ForgetPadInFront<kDepth>),
    LowerAsUpper("same-lower-as-upper-along-width",
                 "an odd element of padding goes to the end of the width where it is to go to the front",
                 OddElementAtEnd<kWidth>),
    LowerAsUpper("same-lower-as-upper-along-height",
                 "an odd element of padding goes to the end of the height where it is to go to the front",
                 OddElementAtEnd<kHeight>),
    LowerAsUpper("same-lower-as-upper-along-depth",
                 "an odd element of padding goes to the end of the depth where it is to go to the front",
                 OddElementAtEnd<kDepth>),
};

}  // namespace

std::span<const Mutant> AxisMutants() { return kAxes; }

}  // namespace poolproof::mutants
