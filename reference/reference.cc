#include "reference/reference.h"

#include "reference/operators.h"
#include "reference/reject.h"

namespace poolproof::reference {
namespace {

constexpr const Operator* kOperators[] = {
#define POOLPROOF_OPERATOR(name) &operators::name,
#include "reference/operators.inc"
#undef POOLPROOF_OPERATOR
};

// The operator of a call; nullptr, and why, where none serves it.
const Operator* OperatorOf(const poolproof_call& call, Context& context, poolproof_status* status) {
  if (call.struct_size < sizeof(poolproof_call) || call.op == nullptr) {
    Reject(context, "the call is not filled in");
    *status = POOLPROOF_INVALID_ARGUMENT;
    return nullptr;
  }
  const Operator* op = FindOperator(call.op);
  if (op == nullptr) {
    Reject(context, "no operator is named ", call.op);
    *status = POOLPROOF_UNSUPPORTED;
  }
  return op;
}

}  // namespace

const Operator* FindOperator(std::string_view op) {
  for (const Operator* candidate : kOperators) {
    if (candidate->handles(op)) return candidate;
  }
  return nullptr;
}

poolproof_status InferShapes(const poolproof_call& call, Context& context) {
  poolproof_status status = POOLPROOF_OK;
  const Operator* op = OperatorOf(call, context, &status);
  return op == nullptr ? status : op->infer_shapes(call, context);
}

poolproof_status Run(const poolproof_call& call, Context& context) {
  poolproof_status status = POOLPROOF_OK;
  const Operator* op = OperatorOf(call, context, &status);
  return op == nullptr ? status : op->run(call, context);
}

}  // namespace poolproof::reference
