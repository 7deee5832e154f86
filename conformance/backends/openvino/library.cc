#include "conformance/backends/openvino/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#ifndef POOLPROOF_OPENVINO_DEFAULT
#define POOLPROOF_OPENVINO_DEFAULT ""
#endif

namespace poolproof::openvino {
namespace {

std::string Path() {
  const char* from_environment = std::getenv("POOLPROOF_OPENVINO_LIBRARY");
  if (from_environment != nullptr && *from_environment != '\0') return from_environment;
  const char* configured = POOLPROOF_OPENVINO_DEFAULT;
  return *configured == '\0' ? "libopenvino_c.so" : configured;
}

template <typename Function>
void Load(void* handle, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  if (*function == nullptr) throw OpenvinoError(std::string("OpenVINO has no function ") + name);
}

Library LoadLibrary() {
  const std::string path = Path();
  // Never closed: the library keeps threads and plugins of its own.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw OpenvinoError(std::string("OpenVINO does not load: ") + dlerror());
  Library library{};
#define POOLPROOF_LOAD(result, name, parameters) Load(handle, "ov_" #name, &library.name);
  POOLPROOF_OPENVINO_FUNCTIONS(POOLPROOF_LOAD)
#undef POOLPROOF_LOAD
  return library;
}

}  // namespace

void Library::Check(int status) const {
  if (status == 0) return;
  const char* message = get_last_err_msg();
  std::string text = message != nullptr ? message : "";
  free(message);
  std::replace(text.begin(), text.end(), '\n', ' ');
  throw OpenvinoError(text.empty() ? "status " + std::to_string(status) : text);
}

const Library& TheLibrary() {
  static const Library library = LoadLibrary();
  return library;
}

}  // namespace poolproof::openvino
