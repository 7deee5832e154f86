#include "conformance/gate/failure.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

namespace poolproof {

std::string FailureSentence(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return "There is not enough memory.";
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&failure)) {
    return fmt::format("{}: {}.", file->path1().string(), file->code().message());
  }
  if (const auto* json = dynamic_cast<const nlohmann::json::exception*>(&failure)) {
    return fmt::format("A JSON value is of another type than this program expects (fault {}).", json->id);
  }
  return failure.what();
}

}  // namespace poolproof
