// Backends that cannot be loaded. TABLE_FAULT says which one this is.
#include <unistd.h>

#include <cstdlib>

#include "conformance/backend.h"

#define FAULT_NULL 1
#define FAULT_ABI 2
#define FAULT_SHORT 3
#define FAULT_FUNCTION 4
#define FAULT_CRASH 5
#define FAULT_EXIT 6
#define FAULT_HANG 7

namespace {

poolproof_status Create(const char* const*, size_t, poolproof_instance**, char*, size_t) { return POOLPROOF_OK; }
void Destroy(poolproof_instance*) {}
poolproof_status Answer(poolproof_instance*, const poolproof_call*) { return POOLPROOF_UNSUPPORTED; }
const char* LastError(poolproof_instance*) { return ""; }

poolproof_backend g_table = {
    sizeof(poolproof_backend), POOLPROOF_ABI_VERSION, "bad", "0", Create, Destroy, Answer, Answer, LastError};

}  // namespace

extern "C" POOLPROOF_EXPORT const poolproof_backend* poolproof_get_backend(uint32_t) {
  switch (TABLE_FAULT) {
    case FAULT_NULL: return nullptr;
    case FAULT_ABI: g_table.abi_version = 7; break;
    case FAULT_SHORT: g_table.struct_size -= sizeof(void*); break;
    case FAULT_FUNCTION: g_table.run = nullptr; break;
    case FAULT_CRASH: abort();
    case FAULT_EXIT: exit(4);
    case FAULT_HANG:
      while (true) sleep(1);
    default: break;
  }
  return &g_table;
}
