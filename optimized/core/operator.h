// One operator of the backend. Each .cc file directly in optimized/ defines exactly one table of
// these, named after the file; CMake collects them, so that a new operator is a new file and nothing
// else.
#pragma once

#include <string>
#include <string_view>

#include "conformance/backend.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Outcome of a check: OK, or a status and one sentence.
struct Result {
  poolproof_status status = POOLPROOF_OK;
  std::string message;

  bool ok() const { return status == POOLPROOF_OK; }
  static Result Ok() { return {}; }
  static Result Invalid(std::string text) { return {POOLPROOF_INVALID_ARGUMENT, std::move(text)}; }
  static Result Unsupported(std::string text) { return {POOLPROOF_UNSUPPORTED, std::move(text)}; }
};

// Type and shape of an output as the operator's document defines it.
struct OutputShape {
  poolproof_element_type element_type = 0;
  int32_t rank = 0;
  int64_t dims[POOLPROOF_MAX_RANK] = {};
  int32_t frac_bits = 0;
};

// All that a valid call says.
struct Parsed {
  Plan plan;
  int outputs = 1;
  OutputShape output[2];
};

class Executor;

struct Operator {
  bool (*handles)(std::string_view op);
  // Checks everything about the call but its data pointers and capacities.
  Result (*parse)(const poolproof_call& call, Parsed& parsed);
  // Computes a parsed call.
  void (*compute)(const Plan& plan, const Buffers& buffers, Executor& executor);
};

// The operator that serves the name, or nullptr. Defined by the generated list.
const Operator* FindOperator(std::string_view op);

// Opens an operator file: POOLPROOF_OPERATOR(max_pool_8) = {handles, parse, compute};
#define POOLPROOF_OPERATOR(name)          \
  extern const Operator kOperator_##name; \
  const Operator kOperator_##name

}  // namespace poolproof::optimized
