// The mutants as a backend. Option: mutant=ID; without it, or with mutant=none, nothing is wrong.
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "conformance/backend.h"
#include "conformance/mutants/mutant.h"

struct poolproof_instance {
  poolproof::mutants::Session session;
};

namespace poolproof::mutants {
namespace {

constexpr std::string_view kMutantKey = "mutant=";
constexpr Mutant kNone = {
    .id = "none", .title = "", .effect = "", .link = "", .verdicts = "pass", .operators = 0, .hooks = {}};

void CopyError(std::string_view text, char* error, size_t size) {
  if (error == nullptr || size == 0) return;
  const size_t count = std::min(text.size(), size - 1);
  std::memcpy(error, text.data(), count);
  error[count] = '\0';
}

// Why the option is refused; "" if it is not.
std::string ApplyOption(std::string_view option, Session* session) {
  if (!option.starts_with(kMutantKey)) {
    return "unknown option \"" + std::string(option) + "\": mutant=ID";
  }
  const std::string_view id = option.substr(kMutantKey.size());
  session->mutant = id == kNone.id ? &kNone : FindMutant(id);
  return session->mutant == nullptr ? "no mutant is named \"" + std::string(id) + "\"" : "";
}

poolproof_status Create(const char* const* options, size_t option_count, poolproof_instance** instance, char* error,
                        size_t error_size) {
  try {
    auto made = std::make_unique<poolproof_instance>();
    made->session.mutant = &kNone;
    for (size_t i = 0; i < option_count; ++i) {
      const std::string refusal = ApplyOption(options[i], &made->session);
      if (!refusal.empty()) {
        CopyError(refusal, error, error_size);
        return POOLPROOF_INVALID_ARGUMENT;
      }
    }
    *instance = made.release();
    return POOLPROOF_OK;
  } catch (const std::bad_alloc&) {
    CopyError("out of memory", error, error_size);
    return POOLPROOF_INTERNAL_ERROR;
  }
}

void Destroy(poolproof_instance* instance) {
  if (instance->session.mutant->hooks.destroy != nullptr) instance->session.mutant->hooks.destroy();
  delete instance;
}

// No handler: a mutant that throws is to end the process, as such a backend would.
poolproof_status InferShapes(poolproof_instance* instance, const poolproof_call* call) noexcept {
  return Infer(instance->session, *call);
}

poolproof_status RunCall(poolproof_instance* instance, const poolproof_call* call) noexcept {
  return Run(instance->session, *call);
}

const char* LastError(poolproof_instance* instance) { return instance->session.error.c_str(); }

constexpr poolproof_backend kBackend = {sizeof(poolproof_backend),
                                        POOLPROOF_ABI_VERSION,
                                        "poolproof-mutants",
                                        POOLPROOF_VERSION,
                                        Create,
                                        Destroy,
                                        InferShapes,
                                        RunCall,
                                        LastError};

}  // namespace
}  // namespace poolproof::mutants

extern "C" const poolproof_backend* poolproof_get_backend(uint32_t abi_version) {
  return abi_version == POOLPROOF_ABI_VERSION ? &poolproof::mutants::kBackend : nullptr;
}
