// The pooling to be done, after every check: the one description that all kernels take.
//
// A feature map is [outer][d][h][w][inner], dense. [N,C,H,W] has outer = N*C and inner = 1; a channels-last
// map has outer = 1 and inner = C. Axes that an operator does not have are of size 1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/backend.h"

namespace poolproof::optimized {

// The taps of one output coordinate along one axis that lie inside the input: first,
// first + dilation, ... (`taps` of them; 0 for a window that lies wholly in the padding).
struct Span {
  int64_t first = 0;
  int64_t taps = 0;
};

// One spatial axis. Output coordinate j looks at j*stride - pad + t*dilation, 0 <= t < kernel, or, if
// adaptive, at [floor(j*in/out), ceil((j+1)*in/out)); then `kernel` is the most taps that one may have, and stride,
// dilation and pad are as they are set here.
struct Axis {
  int64_t in = 1;
  int64_t out = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad = 0;  // before the first element
  bool adaptive = false;

  Span SpanAt(int64_t j) const;
  // For all `out` coordinates, which is quicker for many.
  void FillSpans(Span* spans) const;
  // First coordinate of the window, which may lie in the padding. Not for adaptive axes.
  int64_t Begin(int64_t j) const { return j * stride - pad; }
  // Distance from the first tap to the last one.
  int64_t Reach() const { return (kernel - 1) * dilation; }
};

enum class Divisor : uint8_t {
  kInside,  // the taps inside the input
  kKernel,  // the whole kernel, padding and overhang counted
  kOne,     // a sum, not a mean
  kGiven,   // Plan::given_divisor, of floats and integers of 64 bits
};

// The rounding of the exact mean S/K.
enum class Quotient : uint8_t {
  kNearest,     // floats: rounded to nearest
  kTruncate,    // integers: rounded towards zero
  kConvergent,  // MLI: t = trunc(sat32(2S)/K), then t/2 rounded half to even
};

struct Plan {
  poolproof_element_type type = POOLPROOF_F32;  // fx8 and fx16 as i8 and i16
  int64_t outer = 1;
  Axis axis[3];  // depth, height, width
  int64_t inner = 1;

  // Maximum: position of the maximum as an output of its own.
  poolproof_element_type index_type = 0;  // POOLPROOF_I32, POOLPROOF_I64, or 0: no such output
  // Index of element 0 of plane p is (p * InPlane()) % index_bound; the index of any other element is
  // counted on from there, modulo the bound.
  int64_t index_bound = 1;
  // Where not 0, positions count the batch by ones, then this many channels, then depth, height and width.
  int64_t column_major_channels = 0;

  // Average.
  Divisor divisor = Divisor::kInside;
  int64_t given_divisor = 1;  // at least 1
  Quotient quotient = Quotient::kNearest;

  // p-norm.
  int64_t power = 2;
  bool keeps_signs = false;  // odd powers and roots have those of what they are of

  int64_t InPlane() const { return axis[0].in * axis[1].in * axis[2].in; }
  int64_t OutPlane() const { return axis[0].out * axis[1].out * axis[2].out; }
  int64_t InElements() const { return outer * InPlane() * inner; }
  int64_t OutElements() const { return outer * OutPlane() * inner; }
  // Whether there is no depth to pool along: one slice, and one window, which has it.
  bool IsFlat() const { return axis[0].in == 1 && axis[0].out == 1 && axis[0].SpanAt(0).taps == 1; }
  int64_t KernelTaps() const;  // INT64_MAX where the product is larger
};

// Where the elements are. Typed by Plan::type and Plan::index_type.
struct Buffers {
  const void* in = nullptr;
  void* out = nullptr;
  void* index = nullptr;
};

// Bytes of one element; 0 for a number that is no element type.
size_t BytesOf(poolproof_element_type type);

}  // namespace poolproof::optimized
