// The output size and the padding of one axis as ONNX's pooling operators have them, under any reading of their open
// points. PyTorch's have the same size where padding is given and at most half the kernel.
#pragma once

#include "reference/output_size.h"
#include "reference/reference.h"
#include "reference/window.h"

namespace poolproof::reference {

struct OnnxSizeRule {
  AutoPad auto_pad = AutoPad::kExplicit;
  bool ceil = false;
  Entry no_window = Entry::kOnnxNoWindow;  // decides where the formula gives 0
  bool norm = false;                       // the page of the p-norm says nothing of windows that start past the input
};

// As ComputeOutputSize. No rule says that the kernel is not larger than the padded input: where the formula gives 0,
// the call is refused or, by a reading, has an empty output.
bool ComputeOnnxSize(const OnnxSizeRule& rule, int number, Context& context, Axis* axis);

}  // namespace poolproof::reference
