// Whether a backend's outputs are those of a mutant.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "conformance/causes/mutant.h"
#include "reference/reference.h"

namespace poolproof::mutants {
namespace {

constexpr size_t kMaxOutputs = 2;

int64_t Elements(const poolproof_tensor& tensor) {
  int64_t elements = 1;
  for (int i = 0; i < tensor.rank; ++i) elements *= tensor.dims[i];
  return elements;
}

bool SameDescription(const poolproof_tensor& a, const poolproof_tensor& b) {
  return a.element_type == b.element_type && a.rank == b.rank && std::equal(a.dims, a.dims + a.rank, b.dims) &&
         a.size_bytes == b.size_bytes && a.frac_bits == b.frac_bits;
}

// The largest finite magnitude in the feature map.
Value LargestInput(const poolproof_tensor& input) {
  Value largest = 0;
  for (int64_t i = 0; i < Elements(input); ++i) {
    const Value x = std::fabs(LoadValue(input.element_type, input.data, i));
    if (std::isfinite(x)) largest = std::max(largest, x);
  }
  return largest;
}

// What another order of summation, in f32 at least, and another rounding may change in a mean.
Value MeanSlack(poolproof_element_type type, Value mean, Value largest_input) {
  const Value sum_unit = type == POOLPROOF_F64 ? 0x1p-53L : 0x1p-24L;
  const Value unit = type == POOLPROOF_F16 ? 0x1p-11L : type == POOLPROOF_BF16 ? 0x1p-8L : sum_unit;
  return 2 * unit * std::fabs(mean) + 32 * sum_unit * largest_input;
}

bool SameValues(const poolproof_call& call, const poolproof_tensor& got, const poolproof_tensor& mutant) {
  if (std::memcmp(got.data, mutant.data, mutant.size_bytes) == 0) return true;
  const poolproof_element_type type = got.element_type;
  if (type > POOLPROOF_BF16) return false;
  const bool mean = (FamilyOf(call.op) & kAverages) != 0;
  const Value largest = mean ? LargestInput(*call.inputs[0]) : 0;
  for (int64_t i = 0; i < Elements(got); ++i) {
    const Value a = LoadValue(type, got.data, i), b = LoadValue(type, mutant.data, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (!mean || !(std::fabs(a - b) <= MeanSlack(type, b, largest))) return false;
  }
  return true;
}

}  // namespace

bool Explains(const Mutant& mutant, const poolproof_call& call, poolproof_status status,
              const reference::Readings& readings) {
  if (!mutant.IsPure() || call.output_count > kMaxOutputs) return false;
  std::array<poolproof_tensor, kMaxOutputs> outputs{};
  std::array<poolproof_tensor*, kMaxOutputs> pointers = {&outputs.front(), &outputs.back()};
  for (poolproof_tensor& output : outputs) output.struct_size = sizeof(output);
  poolproof_call own = call;
  own.outputs = pointers.data();
  const poolproof_status inferred = InferMutant(mutant, own, readings);
  if (inferred != status || status != POOLPROOF_OK) return inferred == status;
  std::array<std::vector<std::byte>, kMaxOutputs> data;
  for (size_t i = 0; i < call.output_count; ++i) {
    if (!SameDescription(*call.outputs[i], outputs[i])) return false;
    data[i].resize(outputs[i].size_bytes);
    outputs[i].data = data[i].data();
  }
  if (RunMutant(mutant, own, readings) != POOLPROOF_OK) return false;
  for (size_t i = 0; i < call.output_count; ++i) {
    if (!SameValues(call, *call.outputs[i], outputs[i])) return false;
  }
  return true;
}

}  // namespace poolproof::mutants
