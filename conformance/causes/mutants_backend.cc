// Wrong backends. Option: mutant=TEXT (wrong_backend.h), such as an id; without it, or with mutant=none, nothing is
// wrong.
#include "conformance/backend_helper.h"
#include "conformance/causes/wrong_backend.h"

namespace poolproof::mutants {
namespace {

class WrongBackend {
 public:
  explicit WrongBackend(const std::vector<std::string>& options) {
    constexpr std::string_view kKey = "mutant=";
    for (const std::string& option : options) {
      if (!option.starts_with(kKey)) throw backend::InvalidArgument("unknown option \"" + option + "\": mutant=TEXT");
      Error error;
      auto parts = ParseWrongBackend(std::string_view(option).substr(kKey.size()), &error);
      if (!parts) throw backend::InvalidArgument(error.message);
      parts_ = *std::move(parts);
    }
  }
  ~WrongBackend() {
    for (const WrongPart& part : parts_) {
      if (part.mutant != nullptr && part.mutant->hooks.destroy != nullptr) part.mutant->hooks.destroy();
    }
  }

  // A mutant that throws is to end the process, as a backend without the helper would.
  backend::Answer InferShapes(const backend::CallView& call) noexcept {
    std::string error;
    const poolproof_status status = Infer(parts_, {}, &memory_, call.Call(), &error);
    return {status, error};
  }
  backend::Answer Run(const backend::CallView& call) noexcept {
    std::string error;
    const poolproof_status status = mutants::Run(parts_, {}, &memory_, call.Call(), &error);
    return {status, error};
  }

 private:
  std::vector<WrongPart> parts_;
  Memory memory_;
};

}  // namespace
}  // namespace poolproof::mutants

POOLPROOF_EXPORT_BACKEND(poolproof::mutants::WrongBackend, "poolproof-mutants", POOLPROOF_VERSION)
