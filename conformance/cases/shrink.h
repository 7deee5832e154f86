// Makes a failing problem small: the one that a person reads, draws and debugs.
#pragma once

#include <functional>
#include <vector>

#include "conformance/cases/problem.h"

namespace poolproof {

struct ShrinkOptions {
  int max_calls = 2000;                                // of the predicate
  int64_t max_explicit_elements = 256;                 // data are written out below this
  poolproof_element_type simple_type = POOLPROOF_F32;  // tried first where the function has it
};

// The smallest problem found that still fails; `fails(problem)` is known to be true and is not
// called for `problem` itself. In order: shape, kernel, pads, strides and dilations, attributes to
// absent, type, then values (explicit data, small numbers, zeros). Only simpler problems are tried,
// so it ends; equal input gives equal output if `fails` answers the same. `fails` decides whether
// an invalid problem still counts.
Problem Shrink(const Problem& problem, const std::function<bool(const Problem&)>& fails,
               const ShrinkOptions& options = {});

// The problems one step simpler than `problem`, the boldest step first.
Problems SimplerProblems(const Problem& problem, const ShrinkOptions& options = {});

}  // namespace poolproof
