#include "conformance/backends/onednn/workspace.h"

#include "conformance/backends/adapter/adapter.h"

namespace poolproof::onednn {
namespace {

using adapter::Axis;
using adapter::PoolCall;

// Whether the window at `start` has a tap inside the input.
bool Touches(const Axis& axis, int64_t start) {
  for (int64_t k = 0; k < axis.kernel; ++k) {
    const int64_t at = start + k * axis.dilation;
    if (at >= 0 && at < axis.in) return true;
  }
  return false;
}

// Position in the input plane of tap `tap` of the window of output position `cell`. A window without
// any input has nothing that oneDNN could name: 0. Where a window has some, and oneDNN names a tap in
// the padding all the same, the formula gives a position that is wrong, and the judge sees it.
int64_t InputPosition(const PoolCall& call, int64_t cell, int64_t tap) {
  int64_t position = 0;
  int64_t plane = 1;
  for (int i = call.Spatial() - 1; i >= 0; --i) {
    const Axis& axis = call.axes[static_cast<size_t>(i)];
    const int64_t start = cell % axis.out * axis.stride - axis.pad_begin;
    if (!Touches(axis, start)) return 0;
    position += plane * (start + tap % axis.kernel * axis.dilation);
    plane *= axis.in;
    cell /= axis.out;
    tap /= axis.kernel;
  }
  return position;
}

}  // namespace

template <typename Word>
void StoreIndices(const PoolCall& call, const Word* workspace, void* indices) {
  const int64_t cells = call.OutputPlane();
  for (int64_t plane = 0; plane < call.Planes(); ++plane) {
    for (int64_t cell = 0; cell < cells; ++cell) {
      const int64_t at = plane * cells + cell;
      const int64_t position = InputPosition(call, cell, workspace[at]);
      adapter::StoreIndex(call, indices, at, adapter::DocumentedIndex(call, plane, position));
    }
  }
}

template void StoreIndices<uint8_t>(const PoolCall&, const uint8_t*, void*);
template void StoreIndices<int32_t>(const PoolCall&, const int32_t*, void*);

}  // namespace poolproof::onednn
