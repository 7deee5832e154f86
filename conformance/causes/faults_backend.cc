// Wrong backends made of mutants. Option: faults=TEXT (faults.h); without it nothing is wrong.
#include "conformance/causes/faults.h"
#include "conformance/causes/session_backend.h"

namespace poolproof::mutants {
namespace {

constexpr std::string_view kKey = "faults=";

std::string ApplyOption(std::string_view option, FaultSession* session) {
  if (!option.starts_with(kKey)) return "unknown option \"" + std::string(option) + "\": faults=TEXT";
  Error error;
  auto parts = ParseFaults(option.substr(kKey.size()), &error);
  if (parts) session->parts = *std::move(parts);
  return error.message;
}

void Destroy(FaultSession&) {}

using FaultBackend = SessionBackend<FaultSession, ApplyOption, Destroy>;

}  // namespace
}  // namespace poolproof::mutants

POOLPROOF_EXPORT_BACKEND(poolproof::mutants::FaultBackend, "poolproof-faults", POOLPROOF_VERSION)
