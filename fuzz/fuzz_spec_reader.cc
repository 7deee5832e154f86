// The reader of spec files: any text is read or refused with a sentence that names the file.
//
// The first byte says which of the three kinds of file the rest is taken for.
#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <cassert>
#include <string>

#include "conformance/spec/read.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Error error;
  const std::optional<json::Value> value = json::Parse("input.json", text, &error);
  assert(value.has_value() == error.message.empty());
  if (!value) {
    assert(error.message.find("input.json") != std::string::npos);
    return 0;
  }
  FirstError first{"input.json", {}};
  const Node node(*value, &first);
  switch (data[0] % 3) {
    case 0: read::ReadOperatorFile(node); break;
    case 1: read::ReadDocumentsFile(node); break;
    default: read::ReadLedgerFile(node); break;
  }
  assert(!first.Found() || first.error.message.find("input.json") != std::string::npos);
  return 0;
}
