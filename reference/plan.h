// A call that has been read and found valid: what there is to compute, without names or words.
#pragma once

#include <array>
#include <cstdint>

#include "reference/element.h"
#include "reference/reference.h"
#include "reference/window.h"

namespace poolproof::reference {

// The order in which the coordinates of an element make its position: the last one fastest; or the first one, of all
// dimensions, or of the spatial ones while planes stay in their order.
enum class ColumnMajor : uint8_t { kNot, kTensor, kPlanes };

struct Plan {
  poolproof_element_type type = POOLPROOF_F32;
  int32_t frac_bits = 0;
  int rank = 0;                                        // of input and outputs
  std::array<int64_t, POOLPROOF_MAX_RANK> out_dims{};  // [0, rank)
  int spatial_rank = 0;
  std::array<int, 3> spatial_dim{};  // dimension of each of the spatial_rank axes, outermost first
  int64_t planes = 0;                // batches times channels
  Axes axes;                         // the last spatial_rank are the operator's
  Strides in, out;

  // Maximum with an index output.
  bool has_index = false;
  poolproof_element_type index_type = POOLPROOF_I64;
  int64_t index_bound = 0;  // indices are taken modulo this
  ColumnMajor column_major = ColumnMajor::kNot;
  int64_t batches = 0, channels = 0;              // of which are the planes, where positions are column major
  Entry empty_window = Entry::kEmptyWindowValue;  // decides the maximum of a window without a tap

  // Average.
  bool exclude_pad = true;
  bool open_without_pads = true;  // the documents leave open what including padding means where there is none
  int64_t divisor = 0;            // of every window, as the call gives it; 0: the number of taps that count
  bool negates = false;           // the divisor is below 0, and `divisor` its magnitude

  // p-norm.
  int64_t power = 2;
  bool of_elements = false;  // odd powers have the signs of their elements, and what a window past the end has is open

  // Entries that decide what a caller whose outputs are too small is told.
  EntrySet capacity_entries;

  int64_t OutElements() const { return planes * axes[0].out * axes[1].out * axes[2].out; }
  const Axis& SpatialAxis(int i) const { return axes[static_cast<size_t>(3 - spatial_rank + i)]; }
  Axis& SpatialAxis(int i) { return axes[static_cast<size_t>(3 - spatial_rank + i)]; }
};

// Calls visit(window, position, offset) for every output element: the taps of its window inside
// the input, where it is, and its offset in the output.
template <typename Visit>
void ForEachWindow(const Plan& plan, Visit visit) {
  const auto& [d, h, w] = plan.axes;
  WindowTaps window;
  OutputPosition at;
  for (at.plane = 0; at.plane < plan.planes; ++at.plane) {
    window.origin = at.plane * plan.in.plane;
    const int64_t plane = at.plane * plan.out.plane;
    for (at.d = 0; at.d < d.out; ++at.d) {
      window.axis[0] = d.TapsOf(at.d);
      for (at.h = 0; at.h < h.out; ++at.h) {
        window.axis[1] = h.TapsOf(at.h);
        int64_t offset = plane + at.d * plan.out.axis[0] + at.h * plan.out.axis[1];
        for (at.w = 0; at.w < w.out; ++at.w, offset += plan.out.axis[2]) {
          window.axis[2] = w.TapsOf(at.w);
          visit(window, at, offset);
        }
      }
    }
  }
}

// The position of the output element at flat offset `element`, and the taps of its window.
OutputPosition PositionOf(const Plan& plan, int64_t element);
WindowTaps TapsAt(const Plan& plan, const OutputPosition& at);

// Whether the bytes of every output can be counted in 64 bits.
bool OutputBytesFit(const Plan& plan);

// Sets Plan::in, out, planes, rank, out_dims and each axis' spatial_dim for a feature map
// [N, C, spatial...] or [C, spatial...]; the axes' `out` must be set. False where the output has too many elements.
bool LayOutBatches(const poolproof_tensor& input, Context& context, Plan* plan);

// Whether input 0 of the call is there and is a tensor of one of `types` and of `min_rank` to
// `max_rank` non-negative dimensions whose bytes can be counted; and whether the numbers of inputs
// and outputs are these.
struct TensorRules {
  size_t inputs;
  size_t outputs;
  ElementTypes types;
  int min_rank;
  int max_rank;
};
bool CheckTensors(const poolproof_call& call, const TensorRules& rules, Context& context);

// Writes what infer_shapes has to say about the outputs.
void DescribeOutputs(const Plan& plan, const poolproof_call& call);

// Whether the outputs are as DescribeOutputs says, and all data is there and large enough.
bool CheckData(const Plan& plan, const poolproof_call& call, Context& context);

// The `window` of an operator table.
Window DrawWindow(const Plan& plan, int64_t element);

}  // namespace poolproof::reference
