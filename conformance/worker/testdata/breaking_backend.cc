// The optimized backend on a device that one call breaks: from a kernel of this size on, --backend-option=kernel=3, no
// call is run, until the process ends. It answers INTERNAL_ERROR itself, or, with --backend-option=shown=later, it is
// the next that does.
#include <cstdlib>
#include <cstring>
#include <string>

#include "optimized/core/backend.h"

namespace {

int64_t g_kernel = 0;
bool g_later = false, g_broken = false;

poolproof_status Create(const char* const* options, size_t count, poolproof_instance** instance, char* error,
                        size_t error_size) {
  for (size_t i = 0; i < count; ++i) {
    const std::string option = options[i];
    if (option.starts_with("kernel=")) g_kernel = std::atoll(options[i] + std::strlen("kernel="));
    g_later = g_later || option == "shown=later";
  }
  return poolproof::optimized::Backend().create(nullptr, 0, instance, error, error_size);
}

bool Breaks(const poolproof_call& call) {
  for (size_t i = 0; i < call.attribute_count; ++i) {
    const poolproof_attribute& attribute = *call.attributes[i];
    if (std::strcmp(attribute.name, "kernel") == 0) return attribute.count > 0 && attribute.integers[0] == g_kernel;
  }
  return false;
}

poolproof_status Run(poolproof_instance* instance, const poolproof_call* call) {
  if (g_broken) return POOLPROOF_INTERNAL_ERROR;
  const poolproof_status status = poolproof::optimized::Backend().run(instance, call);
  if (!Breaks(*call)) return status;
  g_broken = true;
  return g_later ? status : POOLPROOF_INTERNAL_ERROR;
}

const poolproof_backend* Table() {
  static poolproof_backend table = poolproof::optimized::Backend();
  table.create = &Create;
  table.run = &Run;
  table.last_error = [](poolproof_instance*) { return "an illegal address"; };
  return &table;
}

}  // namespace

const poolproof_backend* poolproof_get_backend(uint32_t) { return Table(); }
