// Shared by the systematic sections: windows set axis by axis, and what is left open varied by the
// number of the problem.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/cases/problem.h"

namespace poolproof {

// The window along one axis.
struct PoolAxis {
  int64_t kernel = 1, stride = 1, pad_begin = 0, pad_end = 0, dilation = 1;
};
// Sets all of it that the operator has. An adaptive operator has none.
void SetPoolAxis(Problem* problem, int axis, const PoolAxis& window);

// Whether the value may stand in the attribute with this role, as the documents have its range.
bool InRange(const OperatorSpec& spec, Role role, int64_t value);

// Each rank of the function in turn, the smallest first.
int RankInTurn(const OperatorSpec& spec, const Function& function, size_t row);

// Fill and seed by `row`, and flags and words other than the automatic padding: rows that follow
// each other differ.
void VaryRest(Problem* problem, size_t row);

}  // namespace poolproof
