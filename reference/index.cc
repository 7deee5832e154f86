#include "reference/index.h"

#include <cassert>

#include "reference/reject.h"

namespace poolproof::reference {

bool ReadIndexType(Attributes& attributes, Plan* plan) {
  static constexpr std::string_view kWords[] = {"i64", "i32"};
  int word = 0;
  if (!attributes.ReadWord("index_element_type", kWords, &word)) return false;
  plan->has_index = true;
  plan->index_type = word == 0 ? POOLPROOF_I64 : POOLPROOF_I32;
  return true;
}

bool SetIndexBound(const poolproof_tensor& input, int first_dim, Context& context, Plan* plan) {
  assert(plan->has_index && first_dim >= 0 && first_dim <= input.rank);
  plan->index_bound = 1;
  for (int i = first_dim; i < input.rank; ++i) plan->index_bound *= input.dims[i];
  constexpr int64_t kPositionsOfI32 = int64_t{1} << 31;
  if (plan->index_type == POOLPROOF_I64 || plan->index_bound <= kPositionsOfI32) return true;
  context.touched.Add(Entry::kIndexOverflow);
  return context.readings.Is(Entry::kIndexOverflow, IndexOverflow::kWrap) ||
         Reject(context, "index_element_type i32 does not hold indices below ", plan->index_bound);
}

}  // namespace poolproof::reference
