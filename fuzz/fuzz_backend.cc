// A backend of yours against the oracle, in this process.
//
//   POOLPROOF_BACKEND=path/to/libmine.so fuzz_backend corpus
//
// POOLPROOF_BACKEND_OPTIONS: "key=value key=value"; POOLPROOF_PROFILE: documented, openvino,
// pytorch. Without POOLPROOF_BACKEND the oracle itself is judged, loaded as a backend from where it
// was built or from lib/ next to the harness. Build the backend with
// -fsanitize=fuzzer-no-link,address,undefined to let the fuzzer see into it.
#include <filesystem>
#include <sstream>

#include "conformance/properties/against_oracle.h"
#include "fuzz/harness.h"
#include "fuzz/problem_from_bytes.h"

namespace {

using poolproof::InProcessBackend;

std::string Variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

std::string DefaultBackend() {
  std::error_code code;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", code);
  const auto beside = self.parent_path() / "lib" / "libpoolproof_reference_backend.so";
  return std::filesystem::exists(beside, code) ? beside.string() : POOLPROOF_REFERENCE_PATH;
}

std::unique_ptr<InProcessBackend> OpenBackend() {
  std::istringstream words(Variable("POOLPROOF_BACKEND_OPTIONS", ""));
  std::vector<std::string> options;
  for (std::string word; words >> word;) options.push_back(word);
  poolproof::Error error;
  const std::string path = Variable("POOLPROOF_BACKEND", DefaultBackend().c_str());
  auto backend = InProcessBackend::Open(path, options, &error);
  if (backend == nullptr) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    std::exit(3);
  }
  return backend;
}

poolproof::reference::Selection Profile() {
  const std::string name = Variable("POOLPROOF_PROFILE", poolproof::reference::DefaultProfile().c_str());
  const auto profile = poolproof::reference::FindProfile(name);
  if (!profile) {
    std::fprintf(stderr, "POOLPROOF_PROFILE: no profile '%s'\n", name.c_str());
    std::exit(2);
  }
  return *profile;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  static const std::unique_ptr<InProcessBackend> backend = OpenBackend();
  static AgainstOracle comparison(Profile(), Leeway::kDocuments, fuzz::IsQuickCall);
  const Problem& problem = fuzz::RecentProblem(data, size);
  if (!comparison.Prepare(problem)) return 0;
  const std::string difference = comparison.Compare(*backend, fuzz::DrawLayout(fuzz::HashOf(data, size)));
  if (!difference.empty()) fuzz::Fail(problem, std::string(backend->Backend().name) + ": " + difference);
  return 0;
}
