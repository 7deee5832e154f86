// A problem as one of another project's operators, where its documents give the very same result.
#pragma once

#include <string>
#include <string_view>

#include "conformance/run/vector_files.h"

namespace poolproof {

// Taps, stride and padding of a problem along one spatial axis, as given or as chosen for it.
struct WindowAxis {
  int64_t size = 0, outputs = 0;  // of the axis
  int64_t kernel = 1, stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;

  int64_t Extent() const { return (kernel - 1) * dilation + 1; }
  // Elements by which the last window reaches past the input.
  int64_t Overhang() const { return (outputs - 1) * stride - pad_begin + Extent() - size; }
};
// Those of a computed problem whose result has elements and whose operator is not adaptive.
std::vector<WindowAxis> WindowAxesOf(const Vector& vector);

// Fills `to` with a problem of an operator of `family` that has the result of `from`, which is computed and has
// elements. Readings are those of `selection` for both. Where there is none, false and a reason without full stop:
// "torch.AvgPool has no dilation".
bool Translate(const Specs& specs, std::string_view family, const reference::Selection& selection, const Vector& from,
               Vector* to, std::string* why);

}  // namespace poolproof
