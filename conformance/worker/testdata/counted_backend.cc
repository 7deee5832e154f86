// The optimized backend with a defect behind eight conditions, which chance does not meet together, compiled to count
// which of them a call reaches.
#include <cstring>

#include "optimized/core/backend.h"

namespace {

// Returns element `i` of the attribute `name`, or -1 where the call has none.
int64_t At(const poolproof_call& call, const char* name, size_t i) {
  for (size_t a = 0; a < call.attribute_count; ++a) {
    const poolproof_attribute& attribute = *call.attributes[a];
    if (std::strcmp(attribute.name, name) == 0) return i < attribute.count ? attribute.integers[i] : -1;
  }
  return -1;
}

bool Meets(const poolproof_call& call) {
  if (At(call, "kernel", 0) != 4) return false;
  if (At(call, "kernel", 1) != 5) return false;
  if (At(call, "strides", 0) != 3) return false;
  if (At(call, "strides", 1) != 7) return false;
  if (At(call, "pads_begin", 0) != 3) return false;
  if (At(call, "pads_begin", 1) != 2) return false;
  if (At(call, "pads_end", 0) != 1) return false;
  return At(call, "pads_end", 1) == 3;
}

poolproof_status Run(poolproof_instance* instance, const poolproof_call* call) {
  const poolproof_status status = poolproof::optimized::Backend().run(instance, call);
  if (status == POOLPROOF_OK && call->outputs[0]->size_bytes > 0 && Meets(*call)) {
    *static_cast<char*>(call->outputs[0]->data) ^= 0x40;
  }
  return status;
}

const poolproof_backend* Table() {
  static poolproof_backend table = poolproof::optimized::Backend();
  table.run = &Run;
  return &table;
}

}  // namespace

const poolproof_backend* poolproof_get_backend(uint32_t) { return Table(); }
