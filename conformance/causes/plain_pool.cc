#include "conformance/causes/plain_pool.h"

#include <algorithm>
#include <array>

namespace poolproof::mutants {
namespace {

using AllHooks = std::span<const Hooks* const>;

Range RangeOf(AllHooks all, const Pool& pool, size_t i, int64_t at) {
  const Axis& axis = pool.axes[i];
  Range range;
  if (pool.Is(kAdaptive)) {
    range.start = at * axis.size / axis.out;
    range.full = ((at + 1) * axis.size + axis.out - 1) / axis.out - range.start;
  } else {
    range.start = at * axis.stride - axis.pad_begin;
    range.step = axis.dilation;
    range.full = axis.kernel;
  }
  range.Clip(axis);
  for (const Hooks* hooks : all) {
    if (hooks->range != nullptr && i >= pool.FirstAxis()) hooks->range(pool, i, at, range);
  }
  return range;
}

// The taps of the ranges that lie in the plane.
void GatherTaps(const Pool& pool, Window* window) {
  const auto& [d, h, w] = window->ranges;
  const int64_t plane = window->batch * pool.in.batch + window->channel * pool.in.channel;
  const auto inside = [&](size_t i, int64_t x) { return x >= 0 && x < pool.axes[i].size; };
  window->taps.clear();
  for (int64_t i = d.first; i < d.end; ++i) {
    for (int64_t j = h.first; j < h.end; ++j) {
      for (int64_t k = w.first; k < w.end; ++k) {
        const int64_t x = d.start + i * d.step, y = h.start + j * h.step, z = w.start + k * w.step;
        if (!inside(0, x) || !inside(1, y) || !inside(2, z)) continue;
        const int64_t offset = plane + x * pool.in.axis[0] + y * pool.in.axis[1] + z * pool.in.axis[2];
        window->taps.push_back({offset, LoadValue(pool.type, pool.call->inputs[0]->data, offset)});
      }
    }
  }
}

void ComputeWindow(AllHooks all, const Pool& pool, Window* window) {
  GatherTaps(pool, window);
  auto* reduce = &Reduce;
  for (const Hooks* hooks : all) {
    if (hooks->taps != nullptr) hooks->taps(pool, *window);
    if (hooks->reduce != nullptr) reduce = hooks->reduce;
  }
  const Result result = reduce(pool, *window);
  StoreValue(pool.type, result.value, pool.call->outputs[0]->data, window->element);
  if (pool.index_bound == 0) return;
  int64_t index = result.tap < 0 ? 0 : IndexPosition(pool, result.tap) % pool.index_bound;
  for (const Hooks* hooks : all) {
    if (hooks->index != nullptr) index = hooks->index(pool, *window, result, index);
  }
  const poolproof_tensor& indices = *pool.call->outputs[1];
  if (indices.element_type == POOLPROOF_I32) {
    static_cast<int32_t*>(indices.data)[window->element] = static_cast<int32_t>(index);
  } else {
    static_cast<int64_t*>(indices.data)[window->element] = index;
  }
}

void ComputePlane(AllHooks all, const Pool& pool, Window* window) {
  const auto& [d, h, w] = pool.axes;
  auto& at = window->at;
  const int64_t plane = window->batch * pool.out.batch + window->channel * pool.out.channel;
  for (at[0] = 0; at[0] < d.out; ++at[0]) {
    window->ranges[0] = RangeOf(all, pool, 0, at[0]);
    for (at[1] = 0; at[1] < h.out; ++at[1]) {
      window->ranges[1] = RangeOf(all, pool, 1, at[1]);
      for (at[2] = 0; at[2] < w.out; ++at[2]) {
        window->ranges[2] = RangeOf(all, pool, 2, at[2]);
        window->element = plane + at[0] * pool.out.axis[0] + at[1] * pool.out.axis[1] + at[2] * pool.out.axis[2];
        ComputeWindow(all, pool, window);
      }
    }
  }
}

}  // namespace

void PlainPool(const Hooks& hooks, const poolproof_call& call) {
  const Hooks* const one[] = {&hooks};
  PlainPool(one, call);
}

void PlainPool(std::span<const Hooks* const> all, const poolproof_call& call) {
  Pool pool = ReadPool(call);
  for (const Hooks* hooks : all) {
    if (hooks->pool != nullptr) hooks->pool(pool);
  }
  Window window;
  for (window.batch = 0; window.batch < pool.batches; ++window.batch) {
    for (window.channel = 0; window.channel < pool.channels; ++window.channel) {
      ComputePlane(all, pool, &window);
    }
  }
}

poolproof_status CheckOutputs(const poolproof_call& call,
                              const std::function<poolproof_status(const poolproof_call&)>& infer, std::string* error) {
  std::array<poolproof_tensor, 2> scratch{};
  std::array<poolproof_tensor*, 2> pointers = {&scratch.front(), &scratch.back()};
  poolproof_call described = call;
  described.outputs = pointers.data();
  if (call.output_count > scratch.size()) return POOLPROOF_INVALID_ARGUMENT;
  for (poolproof_tensor& output : scratch) output.struct_size = sizeof(output);
  const poolproof_status status = infer(described);
  for (size_t i = 0; status == POOLPROOF_OK && i < call.output_count; ++i) {
    const poolproof_tensor& output = *call.outputs[i];
    if (output.element_type != scratch[i].element_type || output.rank != scratch[i].rank ||
        !std::equal(output.dims, output.dims + output.rank, scratch[i].dims)) {
      *error = "an output is not as it was inferred";
      return POOLPROOF_INVALID_ARGUMENT;
    }
    if (output.size_bytes < scratch[i].size_bytes) {
      *error = "an output has no room for the result";
      return POOLPROOF_INVALID_ARGUMENT;
    }
  }
  return status;
}

}  // namespace poolproof::mutants
