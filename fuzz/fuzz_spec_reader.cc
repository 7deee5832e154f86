// The reader of spec files: any text, taken for each of the three kinds of file, is read or refused
// with a sentence that names the file.
#include <cassert>
#include <string>

#include "conformance/cases/read.h"
#include "fuzz/harness.h"

namespace {

template <typename Read>
void ReadAs(const poolproof::Json& value, const Read& read) {
  poolproof::FirstError first{"input.json", {}};
  read(poolproof::Node(value, &first));
  assert(!first.Found() || first.error.message.find("input.json") != std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  Error error;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::optional<Json> value = ParseDocument("input.json", text, &error);
  assert(value.has_value() == error.message.empty());
  assert(value || error.message.find("input.json") != std::string::npos);
  if (!value) return 0;
  ReadAs(*value, read::ReadOperatorFile);
  ReadAs(*value, read::ReadDocumentsFile);
  ReadAs(*value, read::ReadLedgerFile);
  return 0;
}
