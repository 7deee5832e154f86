// The reader of spec files: any text, taken for each kind of file, alone or with an operator that it extends or derives
// from, is read or refused with a sentence that names the file.
#include <cassert>
#include <string>

#include "conformance/cases/assemble.h"
#include "conformance/cases/embedded.h"
#include "conformance/cases/value.h"
#include "fuzz/harness.h"

namespace {

using poolproof::SpecFile;

SpecFile BuiltIn(std::string_view path) {
  poolproof::Error error;
  for (const poolproof::EmbeddedFile& file : poolproof::EmbeddedSpecs()) {
    if (file.path == path) return {std::string(path), "built in", *poolproof::ParseDocument("", file.text, &error)};
  }
  assert(false);
  return {};
}

void Assemble(const std::vector<SpecFile>& files, std::string_view named) {
  poolproof::Error error;
  const bool read = poolproof::AssembleSpecs(files, nullptr, &error).has_value();
  assert(read == error.message.empty());
  assert(read || error.message.find(named) != std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  // Formulas of the base name points of the ledger.
  static const SpecFile rules = BuiltIn("derived.json"), base = BuiltIn("openvino/max_pool_1.json"),
                        ledger = BuiltIn("discrepancies.json"), of_base = BuiltIn("openvino/discrepancies.json");
  Error error;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::optional<Json> value = ParseDocument("input.json", text, &error);
  assert(value.has_value() == error.message.empty());
  assert(value || error.message.find("input.json") != std::string::npos);
  if (!value) return 0;
  for (const char* path : {"a/operator.json", "documents.json", "a/documents.json", "discrepancies.json",
                           "a/discrepancies.json", "networks.json"}) {
    Assemble({{path, "input.json", *value}}, "input.json");
  }
  if (json::Find(*value, "extends") != nullptr)
    Assemble({rules, ledger, of_base, base, {"z.json", "input.json", *value}}, "input.json");
  if (json::Find(*value, "plain") != nullptr)
    Assemble({{"derived.json", "input.json", *value}, ledger, of_base, base}, "");
  return 0;
}
