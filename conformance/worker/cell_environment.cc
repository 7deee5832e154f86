#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "conformance/format/glob.h"
#include "conformance/worker/cell.h"

namespace poolproof::worker {
namespace {

// Variables that tell the loader, the C library and the runtimes of languages. Nothing that carries
// secrets: no variable of a CI system, and none of the user's own.
constexpr std::string_view kPassed[] = {"PATH",
                                        "HOME",
                                        "POOLPROOF_*",
                                        "LANG",
                                        "LANGUAGE",
                                        "LC_*",
                                        "TZ",
                                        "LD_LIBRARY_PATH",
                                        "LD_PRELOAD",
                                        "OMP_*",
                                        "GOMP_*",
                                        "KMP_*",
                                        "MKL_*",
                                        "OPENBLAS_*",
                                        "DNNL_*",
                                        "ONEDNN_*",
                                        "ASAN_OPTIONS",
                                        "UBSAN_OPTIONS",
                                        "TSAN_OPTIONS",
                                        "LSAN_OPTIONS",
                                        "PYTHONPATH",
                                        "PYTHONHOME",
                                        "PYTHONDONTWRITEBYTECODE",
                                        "VIRTUAL_ENV",
                                        "PYENV_*",
                                        "NODE_PATH",
                                        "NODE_OPTIONS",
                                        "JAVA_HOME",
                                        "JAVA_TOOL_OPTIONS",
                                        "RUST_BACKTRACE",
                                        "GODEBUG",
                                        "GOMAXPROCS",
                                        "CUDA_*",
                                        "NVIDIA_*",
                                        "HIP_*",
                                        "ROCR_*",
                                        "ROCM_*",
                                        "ZE_*",
                                        "OCL_*",
                                        "XLA_*",
                                        "JAX_*",
                                        "TF_*",
                                        "TRITON_*",
                                        "TORCH*",
                                        "PYTORCH_*",
                                        "CUDNN_*",
                                        "CUBLAS_*",
                                        "CUPY_*"};

}  // namespace

std::vector<std::string> VariablesOf(const CellOptions& options) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, std::min(text.find('='), text.size()));
    const auto fits = [name](const auto& pattern) { return GlobMatches(pattern, name); };
    if (options.isolation == Isolation::kNone || std::any_of(std::begin(kPassed), std::end(kPassed), fits) ||
        std::any_of(options.pass_env.begin(), options.pass_env.end(), fits)) {
      variables.emplace_back(text);
    }
  }
  return variables;
}

}  // namespace poolproof::worker
