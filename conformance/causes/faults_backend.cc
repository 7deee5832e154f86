// Wrong backends made of mutants. Option: faults=TEXT (faults.h); without it nothing is wrong.
#include "conformance/causes/faults.h"
#include "conformance/causes/session_backend.h"

namespace poolproof::mutants {
namespace {

constexpr std::string_view kKey = "faults=";

std::string ApplyOption(std::string_view option, FaultSession* session) {
  if (!option.starts_with(kKey)) return "unknown option \"" + std::string(option) + "\": faults=TEXT";
  std::string error;
  auto parts = ParseFaults(option.substr(kKey.size()), &error);
  if (parts) session->parts = *std::move(parts);
  return error;
}

void Destroy(FaultSession&) {}

constexpr poolproof_backend kBackend = SessionBackend<FaultSession, ApplyOption, Destroy>::Named("poolproof-faults");

}  // namespace
}  // namespace poolproof::mutants

extern "C" const poolproof_backend* poolproof_get_backend(uint32_t abi_version) {
  return abi_version == POOLPROOF_ABI_VERSION ? &poolproof::mutants::kBackend : nullptr;
}
