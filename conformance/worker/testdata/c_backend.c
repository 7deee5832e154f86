/* A backend in C11 against backend.h alone: copies bytes ("Copy"), and counts what it was given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/backend.h"

struct poolproof_instance {
  const char* error;
};

static poolproof_status Create(const char* const* options, size_t option_count, poolproof_instance** instance,
                               char* error, size_t error_size) {
  if (option_count > 0) {
    if (error != NULL) snprintf(error, error_size, "unknown option %s", options[0]);
    return POOLPROOF_INVALID_ARGUMENT;
  }
  *instance = calloc(1, sizeof(**instance));
  if (*instance == NULL) return POOLPROOF_INTERNAL_ERROR;
  (*instance)->error = "";
  return POOLPROOF_OK;
}

static void Destroy(poolproof_instance* instance) { free(instance); }

static poolproof_status InferShapes(poolproof_instance* instance, const poolproof_call* call) {
  if (strcmp(call->op, "Copy") != 0) {
    instance->error = "only Copy";
    return POOLPROOF_UNSUPPORTED;
  }
  instance->error = "";
  poolproof_tensor* output = call->outputs[0];
  const poolproof_tensor* input = call->inputs[0];
  output->element_type = input->element_type;
  output->rank = input->rank;
  memcpy(output->dims, input->dims, sizeof(output->dims));
  output->size_bytes = input->size_bytes;
  output->frac_bits = input->frac_bits;
  return POOLPROOF_OK;
}

static poolproof_status Run(poolproof_instance* instance, const poolproof_call* call) {
  const poolproof_tensor* input = call->inputs[0];
  if (call->outputs[0]->size_bytes < input->size_bytes) {
    instance->error = "too little room";
    return POOLPROOF_INVALID_ARGUMENT;
  }
  memcpy(call->outputs[0]->data, input->data, input->size_bytes);
  return POOLPROOF_OK;
}

static const char* LastError(poolproof_instance* instance) { return instance->error; }

const poolproof_backend* poolproof_get_backend(uint32_t abi_version) {
  static const poolproof_backend table = {
      sizeof(poolproof_backend), POOLPROOF_ABI_VERSION, "c", "11", Create, Destroy, InferShapes, Run, LastError};
  return abi_version == POOLPROOF_ABI_VERSION ? &table : NULL;
}
