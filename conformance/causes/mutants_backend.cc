// The mutants as a backend. Option: mutant=ID; without it, or with mutant=none, nothing is wrong.
#include "conformance/causes/mutant.h"
#include "conformance/causes/session_backend.h"

namespace poolproof::mutants {
namespace {

constexpr std::string_view kMutantKey = "mutant=";
constexpr Mutant kNone = {.id = "none", .title = "", .effect = "", .verdicts = "pass", .operators = 0, .hooks = {}};

struct MutantSession : Session {
  MutantSession() { mutant = &kNone; }
};

std::string ApplyOption(std::string_view option, MutantSession* session) {
  if (!option.starts_with(kMutantKey)) {
    return "unknown option \"" + std::string(option) + "\": mutant=ID";
  }
  const std::string_view id = option.substr(kMutantKey.size());
  session->mutant = id == kNone.id ? &kNone : FindMutant(id);
  return session->mutant == nullptr ? "no mutant is named \"" + std::string(id) + "\"" : "";
}

void Destroy(MutantSession& session) {
  if (session.mutant->hooks.destroy != nullptr) session.mutant->hooks.destroy();
}

using MutantBackend = SessionBackend<MutantSession, ApplyOption, Destroy>;

}  // namespace
}  // namespace poolproof::mutants

POOLPROOF_EXPORT_BACKEND(poolproof::mutants::MutantBackend, "poolproof-mutants", POOLPROOF_VERSION)
