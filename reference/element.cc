#include "reference/element.h"

#include "reference/reference.h"

namespace poolproof::reference {
namespace {

constexpr ElementTypes kAll = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16,
                               POOLPROOF_I8,  POOLPROOF_U8,  POOLPROOF_I16, POOLPROOF_U16,
                               POOLPROOF_I32, POOLPROOF_U32, POOLPROOF_I64, POOLPROOF_U64,
                               POOLPROOF_FX8, POOLPROOF_FX16};
constexpr const char* kNames[] = {"?",   "f64", "f32", "f16", "bf16", "i8",  "u8",  "i16",
                                  "u16", "i32", "u32", "i64", "u64",  "fx8", "fx16"};

}  // namespace

size_t ElementSize(poolproof_element_type type) {
  if (!kAll.Has(type)) return 0;
  return VisitElementType(type, [](auto e) { return sizeof(typename decltype(e)::Stored); });
}

const char* ElementTypeName(poolproof_element_type type) {
  return kNames[kAll.Has(type) ? type : 0];
}

}  // namespace poolproof::reference
