// The reader of results files: any line is a record or refused with a reason, and a record that was
// read is written as a line that reads back to the same line.
#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <cassert>
#include <string>

#include "conformance/run/record_json.h"
#include "fuzz/problem_from_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  const Specs& specs = fuzz::BuiltInSpecs();
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  Error error;
  const std::optional<Record> record = ParseRecord(specs, line, &error);
  assert(record.has_value() == error.message.empty());
  if (!record) return 0;
  std::string first, second;
  AppendRecord(*record, Closing(), &first);
  const std::optional<Record> again = ParseRecord(specs, first, &error);
  assert(again);
  AppendRecord(*again, Closing(), &second);
  assert(first == second);
  return 0;
}
