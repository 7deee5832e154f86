// Three operators made up for tests, one of each form that specs can take: a pool with lists, one
// with an input of sizes, one with a value per spatial axis and layouts without batch.
#pragma once

#include <string_view>

#include "conformance/cases/problem.h"
#include "conformance/cases/spec.h"

namespace poolproof {

// "Pool": keys k s d pb pe rounding auto exclude index axis. "Adaptive": index. "fixed_chw" and
// "fixed_hwc": kw kh sw sh pl pr pt pb.
const Specs& TestSpecs();

// The problem of a line of these operators, which there is.
Problem Parsed(std::string_view line);

}  // namespace poolproof
