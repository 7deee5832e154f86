// Which elements of the input an output element looks at, from the definition of pooling and the
// shape that the backend answered. Written for the properties alone: they judge the reference as
// well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/cases/problem.h"

namespace poolproof {

class Windows {
 public:
  // `output` is the described output of `problem`.
  Windows(const Problem& problem, const poolproof_tensor& output);

  int64_t Count() const { return count_; }  // elements of the output
  // Flat positions in the input of the taps of output element `element` that lie inside the input.
  std::vector<int64_t> Taps(int64_t element) const;
  // Taps of a window, those in padding included.
  int64_t FullTaps() const;
  // Why `output` cannot be the output of the problem: rank, batch or channels differ; "" otherwise.
  const std::string& ShapeError() const { return shape_error_; }

 private:
  struct Axis {
    int64_t input = 1, output = 1, stride = 1, dilation = 1, kernel = 1, pad = 0;
    int64_t input_step = 1;  // distance in memory
    bool adaptive = false;
  };
  Axis MakeAxis(const Problem& problem, const poolproof_tensor& output, int axis) const;
  void AppendRange(const Axis& axis, int64_t position, std::vector<int64_t>* offsets) const;

  std::vector<Axis> axes_;            // outermost first
  std::vector<int64_t> output_dims_;  // all dimensions
  std::vector<int64_t> input_steps_;  // distance in memory, all dimensions
  int spatial_ = 0;                   // first spatial dimension
  int64_t count_ = 0;
  std::string shape_error_;
};

}  // namespace poolproof
