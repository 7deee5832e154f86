// A backend whose instances are sessions: of mutants, and of faults made of them.
#ifndef POOLPROOF_CONFORMANCE_CAUSES_SESSION_BACKEND_H_
#define POOLPROOF_CONFORMANCE_CAUSES_SESSION_BACKEND_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend_helper.h"

namespace poolproof::mutants {

// kApply says why an option is refused, "" if it is not; kDestroy comes before a session ends.
template <typename Session, std::string (*kApply)(std::string_view option, Session*), void (*kDestroy)(Session&)>
class SessionBackend {
 public:
  explicit SessionBackend(const std::vector<std::string>& options) {
    for (const std::string& option : options) {
      const std::string refusal = kApply(option, &session_);
      if (!refusal.empty()) throw backend::InvalidArgument(refusal);
    }
  }
  ~SessionBackend() { kDestroy(session_); }

  // A mutant that throws is to end the process, as a backend without the helper would.
  backend::Answer InferShapes(const backend::CallView& call) noexcept {
    const poolproof_status status = Infer(session_, call.Call());
    return {status, session_.error};
  }
  backend::Answer Run(const backend::CallView& call) noexcept {
    const poolproof_status status = mutants::Run(session_, call.Call());
    return {status, session_.error};
  }

 private:
  Session session_;
};

}  // namespace poolproof::mutants

#endif  // POOLPROOF_CONFORMANCE_CAUSES_SESSION_BACKEND_H_
