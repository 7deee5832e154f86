// From parsed files to Specs: what extends is extended, what follows is derived, and all of it is read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/spec.h"
#include "conformance/format/strict_json.h"

namespace poolproof {

// A file that every folder of specs has.
inline constexpr std::string_view kLedgerFile = "discrepancies.json";

struct SpecFile {
  std::string path;  // relative to the specs folder
  std::string name;  // as messages give it
  Json value;
};

// A file with all that it extends and all that follows, as JSON text without a line break at the end.
struct ExpandedFile {
  std::string path;
  std::string text;
};

// `files` in order of their paths. `expanded`, where it is not nullptr, gets all of them but for derived.json. On
// failure fills `error` and returns nothing.
std::optional<Specs> AssembleSpecs(const std::vector<SpecFile>& files, std::vector<ExpandedFile>* expanded,
                                   Error* error);

// The expanded forms of what LoadSpecs reads for this directory.
std::optional<std::vector<ExpandedFile>> LoadExpandedFiles(const std::string& directory, Error* error);

}  // namespace poolproof
