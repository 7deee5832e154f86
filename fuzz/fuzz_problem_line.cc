// The reader of problem lines.
//
// - any text is read or refused with a reason
// - what was read prints as a line that reads back to the same line
// - the call of what was read can be bound
#include <cassert>

#include "fuzz/harness.h"
#include "fuzz/problem_from_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  const Specs& specs = BuiltInSpecs();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Error error;
  const std::optional<Problem> problem = ParseLine(specs, text, &error);
  assert(problem.has_value() == error.message.empty());
  if (!problem) return 0;
  const std::string line = PrintLine(*problem);
  const std::optional<Problem> again = ParseLine(specs, line, &error);
  assert(again && PrintLine(*again) == line);
  Call call;
  call.Bind(*problem);
  assert(call.call.input_count == problem->spec->inputs.size());
  return 0;
}
