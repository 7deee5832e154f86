// An adapter: a library that takes a primitive and a destination shape, behind the two
// functions of the ABI.
#pragma once

#include <span>
#include <string>

#include "conformance/backends/adapter/pool_call.h"

namespace poolproof::adapter {

// A mapping rule, as data: a call for which `applies` holds is not passed on to the library, but is
// UNSUPPORTED. The text is what last_error says and what poolproof_adapter_rules lists, so it stands
// alone: "dilations above 1: the library has none".
struct Rule {
  const char* condition;
  const char* reason;
  bool (*applies)(const PoolCall& call);

  std::string Text() const { return std::string(condition) + ": " + reason; }
};

// Reads the call, applies the mapping rules, describes and checks the outputs. Prepare and Compute
// throw Unsupported and InvalidArgument, and anything else where the library itself fails.
class PoolAdapter {
 public:
  explicit PoolAdapter(std::span<const Rule> rules) : rules_(rules) {}
  virtual ~PoolAdapter() = default;

  void InferShapes(const backend::CallView& call);
  void Run(const backend::CallView& call);

 protected:
  // Asks the library whether it takes the call. A library that computes the output size itself
  // writes it to the axes; otherwise the documented size stands.
  virtual void Prepare(PoolCall* call) = 0;
  // Computes a call that was prepared. `values` and `indices` (null without a second output) hold
  // what the prepared shape needs.
  virtual void Compute(const PoolCall& call, const void* input, void* values, void* indices) = 0;

 private:
  PoolCall Read(const backend::CallView& call);

  std::span<const Rule> rules_;
};

// Writes the documented index of every output element. `position(plane, cell)` is the position in the
// input plane that the library names for output `cell` of plane `plane`.
template <typename Position>
void StoreIndices(const PoolCall& call, void* indices, Position position) {
  const int64_t cells = call.OutputPlane();
  for (int64_t at = 0; at < call.Planes() * cells; ++at) {
    const int64_t index = call.DocumentedIndex(at / cells, position(at / cells, at % cells));
    if (call.index_type == POOLPROOF_I64) {
      static_cast<int64_t*>(indices)[at] = index;
    } else {
      static_cast<int32_t*>(indices)[at] = static_cast<int32_t>(index);
    }
  }
}

}  // namespace poolproof::adapter
