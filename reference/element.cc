#include "reference/element.h"

#include "reference/reference.h"

namespace poolproof::reference {
namespace {

constexpr const char* kNames[] = {"?",   "f64", "f32", "f16", "bf16", "i8",  "u8",  "i16",
                                  "u16", "i32", "u32", "i64", "u64",  "fx8", "fx16"};

}  // namespace

size_t ElementSize(poolproof_element_type type) {
  if (!kAllTypes.Has(type)) return 0;
  return VisitElementType(type, [](auto e) { return sizeof(typename decltype(e)::Stored); });
}

const char* ElementTypeName(poolproof_element_type type) { return kNames[kAllTypes.Has(type) ? type : 0]; }

}  // namespace poolproof::reference
