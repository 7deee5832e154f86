// The C functions of a backend whose instances are sessions: of mutants, and of faults made of them.
#ifndef POOLPROOF_CONFORMANCE_CAUSES_SESSION_BACKEND_H_
#define POOLPROOF_CONFORMANCE_CAUSES_SESSION_BACKEND_H_

#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "conformance/backend.h"

namespace poolproof::mutants {

// kApply says why an option is refused, "" if it is not; kDestroy comes before a session ends.
template <typename Session, std::string (*kApply)(std::string_view option, Session*), void (*kDestroy)(Session&)>
struct SessionBackend {
  static Session& Of(poolproof_instance* instance) { return *reinterpret_cast<Session*>(instance); }

  static poolproof_status Create(const char* const* options, size_t option_count, poolproof_instance** instance,
                                 char* error, size_t error_size) {
    poolproof_status status = POOLPROOF_INVALID_ARGUMENT;
    std::string refusal;
    try {
      auto session = std::make_unique<Session>();
      for (size_t i = 0; i < option_count && refusal.empty(); ++i) refusal = kApply(options[i], session.get());
      if (refusal.empty()) {
        *instance = reinterpret_cast<poolproof_instance*>(session.release());
        return POOLPROOF_OK;
      }
    } catch (const std::bad_alloc&) {
      refusal = "out of memory";
      status = POOLPROOF_INTERNAL_ERROR;
    }
    if (error != nullptr) std::snprintf(error, error_size, "%s", refusal.c_str());
    return status;
  }

  static void Destroy(poolproof_instance* instance) {
    kDestroy(Of(instance));
    delete &Of(instance);
  }

  // No handler: a mutant that throws is to end the process, as such a backend would.
  static poolproof_status InferCall(poolproof_instance* instance, const poolproof_call* call) noexcept {
    return Infer(Of(instance), *call);
  }
  static poolproof_status RunCall(poolproof_instance* instance, const poolproof_call* call) noexcept {
    return Run(Of(instance), *call);
  }

  static const char* LastError(poolproof_instance* instance) { return Of(instance).error.c_str(); }

  static constexpr poolproof_backend Named(const char* name) {
    return {sizeof(poolproof_backend),
            POOLPROOF_ABI_VERSION,
            name,
            POOLPROOF_VERSION,
            Create,
            Destroy,
            InferCall,
            RunCall,
            LastError};
  }
};

}  // namespace poolproof::mutants

#endif  // POOLPROOF_CONFORMANCE_CAUSES_SESSION_BACKEND_H_
