// What an adapter is: a library behind the two functions of the ABI.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_ADAPTER_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_ADAPTER_H_

#include <span>

#include "conformance/backend.h"
#include "conformance/backends/adapter/pool_call.h"
#include "conformance/backends/adapter/rule.h"

namespace poolproof::adapter {

// One instance. May throw: entry.h turns an exception into INTERNAL_ERROR with its text.
class Adapter {
 public:
  virtual ~Adapter() = default;
  virtual Answer InferShapes(const poolproof_call& call) = 0;
  virtual Answer Run(const poolproof_call& call) = 0;
};

// An adapter to a library that takes a primitive and a destination shape. Reads the call, applies
// the mapping rules, describes and checks the outputs.
class PoolAdapter : public Adapter {
 public:
  explicit PoolAdapter(std::span<const Rule> rules) : rules_(rules) {}

  Answer InferShapes(const poolproof_call& call) final;
  Answer Run(const poolproof_call& call) final;

 protected:
  // Asks the library whether it takes the call. A library that computes the output size itself
  // writes it to the axes; otherwise the documented size stands.
  virtual Answer Prepare(PoolCall* call) = 0;
  // Computes a call that was prepared. `values` and `indices` (null without a second output) hold
  // what the prepared shape needs.
  virtual Answer Compute(const PoolCall& call, const void* input, void* values, void* indices) = 0;

 private:
  Answer Read(const poolproof_call& call, PoolCall* out);

  std::span<const Rule> rules_;
};

// Writes `index` as i32 or i64 at `position` of `indices`.
void StoreIndex(const PoolCall& call, void* indices, int64_t position, int64_t index);

// The documents' index of an element that the library names by its position in a plane: counted
// from dimension index_axis, modulo the bound. A position outside the plane, which a library should
// never give, is passed on as it is.
int64_t DocumentedIndex(const PoolCall& call, int64_t plane, int64_t position);

}  // namespace poolproof::adapter

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_ADAPTER_H_
