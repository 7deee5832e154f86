// A backend of yours against the oracle, in this process.
//
//   POOLPROOF_BACKEND=path/to/libmine.so fuzz_backend corpus
//
// POOLPROOF_BACKEND_OPTIONS: "key=value key=value"; POOLPROOF_PROFILE: documented, openvino,
// pytorch. POOLPROOF_BASELINE: a baseline, and POOLPROOF_KNOWN: a file of findings (known_causes.h), what may have come
// from their causes being passed over. Without POOLPROOF_BACKEND the oracle itself is judged, loaded as a backend from
// where it was built or from lib/ next to the harness. Build the backend with
// -fsanitize=fuzzer-no-link,address,undefined to let the fuzzer see into it.
#include <fmt/ranges.h>

#include <filesystem>
#include <sstream>

#include "conformance/properties/against_oracle.h"
#include "fuzz/ended_in.h"
#include "fuzz/harness.h"
#include "fuzz/known_causes.h"
#include "fuzz/problem_from_bytes.h"

namespace {

using poolproof::InProcessBackend;
using poolproof::Problem;
using poolproof::fuzz::KnownCauses;

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
    std::_Exit(3);
  }
  return backend;
}

poolproof::reference::Selection Profile() {
  const std::string name = Variable("POOLPROOF_PROFILE", poolproof::reference::DefaultProfile().c_str());
  const auto profile = poolproof::reference::FindProfile(name);
  if (!profile) {
    std::fprintf(stderr, "POOLPROOF_PROFILE: no profile '%s'\n", name.c_str());
    std::_Exit(2);
  }
  return *profile;
}

const KnownCauses& Known() {
  static const KnownCauses known = [] {
    poolproof::Error error;
    auto loaded = KnownCauses::Load(Variable("POOLPROOF_KNOWN", ""), Variable("POOLPROOF_BASELINE", ""), &error);
    if (!loaded) {
      std::fprintf(stderr, "%s\n", error.message.c_str());
      std::_Exit(2);
    }
    return *std::move(loaded);
  }();
  return known;
}

// Passes over what is known; ends the process with anything else.
void Report(const Problem& problem, const std::string& what, poolproof::AgainstOracle& comparison) {
  const std::vector<std::string> names = poolproof::fuzz::CauseNames(problem, comparison);
  if (Known().Explain(names)) return;
  poolproof::fuzz::EndIsExplained();
  std::fprintf(stderr, "CAUSES: %s\n", fmt::format("{}", fmt::join(names, "\t")).c_str());
  poolproof::fuzz::Fail(problem, what);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  static const std::unique_ptr<InProcessBackend> backend = [] {
    auto opened = OpenBackend();
    fuzz::SayWhereItEnds([](std::string_view signature) { return Known().Explain({{std::string(signature)}}); });
    return opened;
  }();
  static AgainstOracle comparison(Profile(), Leeway::kDocuments, IsQuickCall);
  const Problem& problem = fuzz::RecentProblem(data, size);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (Known().HasCase(text.substr(0, text.find('\n'))) || !comparison.Prepare(problem)) return 0;
  fuzz::SetOperator(problem.spec->id);
  const std::string difference = comparison.Compare(*backend, fuzz::DrawLayout(fuzz::HashOf(data, size)));
  if (!difference.empty()) Report(problem, std::string(backend->Backend().name) + ": " + difference, comparison);
  return 0;
}
