#include <array>

#include "conformance/spec/spec.h"

namespace poolproof {
namespace {

struct Row {
  poolproof_element_type type;
  std::string_view name;
  size_t size;
  bool is_float;
};

constexpr std::array<Row, 14> kRows = {{
    {POOLPROOF_F64, "f64", 8, true},
    {POOLPROOF_F32, "f32", 4, true},
    {POOLPROOF_F16, "f16", 2, true},
    {POOLPROOF_BF16, "bf16", 2, true},
    {POOLPROOF_I8, "i8", 1, false},
    {POOLPROOF_U8, "u8", 1, false},
    {POOLPROOF_I16, "i16", 2, false},
    {POOLPROOF_U16, "u16", 2, false},
    {POOLPROOF_I32, "i32", 4, false},
    {POOLPROOF_U32, "u32", 4, false},
    {POOLPROOF_I64, "i64", 8, false},
    {POOLPROOF_U64, "u64", 8, false},
    {POOLPROOF_FX8, "fx8", 1, false},
    {POOLPROOF_FX16, "fx16", 2, false},
}};

constexpr bool RowsFollowTheEnum() {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].type != static_cast<poolproof_element_type>(i + 1)) return false;
  }
  return true;
}
static_assert(RowsFollowTheEnum());

const Row* Find(poolproof_element_type type) {
  return type >= 1 && type <= static_cast<int32_t>(kRows.size()) ? &kRows[static_cast<size_t>(type) - 1] : nullptr;
}

}  // namespace

poolproof_element_type ParseElementType(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.type;
  }
  return 0;
}

std::string_view ElementTypeName(poolproof_element_type type) {
  const Row* row = Find(type);
  return row != nullptr ? row->name : "?";
}

size_t ElementSize(poolproof_element_type type) {
  const Row* row = Find(type);
  return row != nullptr ? row->size : 0;
}

bool IsFloat(poolproof_element_type type) {
  const Row* row = Find(type);
  return row != nullptr && row->is_float;
}

}  // namespace poolproof
