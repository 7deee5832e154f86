/* poolproof backend ABI, version 1.
 *
 * A backend is a shared object that exports one symbol, poolproof_get_backend. This header is all
 * that a vendor needs; it is plain C11 and includes nothing but the C standard library.
 *
 * Strings. Every `const char*` is a NUL-terminated UTF-8 string.
 *
 * Ownership. Whatever the caller passes stays the caller's and is valid only until the function
 * returns: a backend copies what it wants to keep. The poolproof_backend that
 * poolproof_get_backend returns, and every string in it, stays valid until the library is
 * unloaded. The string from last_error stays valid until the next call on the same instance.
 *
 * Threads. poolproof_get_backend and create may be called from any thread. The functions of one
 * instance are never called at the same time; different instances may be used from different
 * threads at the same time. A backend may use threads of its own, which must not touch the
 * caller's memory after the function has returned.
 *
 * Growth. Every struct begins with struct_size, set by the side that filled the struct to
 * sizeof(that struct). Later versions only append fields; a reader looks at a field only if
 * struct_size covers it. That is why arrays of structs are arrays of pointers here.
 */
#ifndef POOLPROOF_BACKEND_H_
#define POOLPROOF_BACKEND_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define POOLPROOF_ABI_VERSION 1u
#define POOLPROOF_MAX_RANK 8

#if defined(_WIN32)
#define POOLPROOF_EXPORT __declspec(dllexport)
#else
#define POOLPROOF_EXPORT __attribute__((visibility("default")))
#endif

/* What a function answers. */
typedef int32_t poolproof_status;
enum {
  POOLPROOF_OK = 0,
  /* The backend does not have this operator, element type or attribute value. */
  POOLPROOF_UNSUPPORTED = 1,
  /* The call breaks a rule of the operator's document. Nothing was computed. */
  POOLPROOF_INVALID_ARGUMENT = 2,
  /* The backend itself failed: no memory, a device that is gone, an exception. */
  POOLPROOF_INTERNAL_ERROR = 3
};

/* Element types. Numbers are native-endian. f16 is IEEE binary16, bf16 the upper half of an f32;
 * both are stored as uint16_t. fx8 and fx16 are int8_t and int16_t with frac_bits fractional bits
 * (embARC MLI). */
typedef int32_t poolproof_element_type;
enum {
  POOLPROOF_F64 = 1,
  POOLPROOF_F32 = 2,
  POOLPROOF_F16 = 3,
  POOLPROOF_BF16 = 4,
  POOLPROOF_I8 = 5,
  POOLPROOF_U8 = 6,
  POOLPROOF_I16 = 7,
  POOLPROOF_U16 = 8,
  POOLPROOF_I32 = 9,
  POOLPROOF_U32 = 10,
  POOLPROOF_I64 = 11,
  POOLPROOF_U64 = 12,
  POOLPROOF_FX8 = 13,
  POOLPROOF_FX16 = 14
};

/* Which field of a poolproof_attribute holds the value. */
typedef int32_t poolproof_attribute_kind;
enum {
  POOLPROOF_INT = 1,      /* integer */
  POOLPROOF_INT_LIST = 2, /* integers[0 .. count) */
  POOLPROOF_BOOL = 3,     /* integer, 0 or 1 */
  POOLPROOF_WORD = 4      /* word */
};

/* One named attribute, spelled as in the operator's document ("pads_begin"). */
typedef struct poolproof_attribute {
  size_t struct_size;
  const char* name;
  poolproof_attribute_kind kind;
  int64_t integer;
  const int64_t* integers;
  size_t count;
  const char* word;
} poolproof_attribute;

/* A dense tensor, last dimension fastest.
 *
 * Inputs: all fields are set by the caller. In infer_shapes, `data` of the feature map is NULL;
 * an input that carries sizes (the second one of the adaptive operators) has its data always.
 * Outputs: see infer_shapes and run. */
typedef struct poolproof_tensor {
  size_t struct_size;
  poolproof_element_type element_type;
  int32_t rank;                     /* 0 .. POOLPROOF_MAX_RANK */
  int64_t dims[POOLPROOF_MAX_RANK]; /* dims[0 .. rank) */
  void* data;                       /* aligned to the element size, no more than that */
  size_t size_bytes;                /* bytes that may be accessed at data */
  int32_t frac_bits;                /* fx8, fx16: fractional bits; otherwise 0 */
} poolproof_tensor;

/* One operator call. Attributes that the caller leaves out are absent from the list: their
 * default is the backend's to know. Order is of no meaning. */
typedef struct poolproof_call {
  size_t struct_size;
  const char* op; /* "MaxPool-8", "mli_krn_avepool_hwc_fx16" */
  const poolproof_attribute* const* attributes;
  size_t attribute_count;
  const poolproof_tensor* const* inputs;
  size_t input_count;
  poolproof_tensor* const* outputs;
  size_t output_count;
} poolproof_call;

typedef struct poolproof_instance poolproof_instance; /* the backend's own */

typedef struct poolproof_backend {
  size_t struct_size;
  uint32_t abi_version; /* POOLPROOF_ABI_VERSION of the header it was built with */
  const char* name;     /* "onednn" */
  const char* version;  /* "2.6.3" */

  /* Makes an instance. `options` are "key=value" strings from --backend-option; an unknown key is
   * INVALID_ARGUMENT. `error` receives at most error_size bytes, NUL included, where the status
   * is not OK; it may be NULL. */
  poolproof_status (*create)(const char* const* options, size_t option_count, poolproof_instance** instance,
                             char* error, size_t error_size);
  void (*destroy)(poolproof_instance* instance);

  /* Says what the outputs of `call` look like: writes element_type, rank, dims, size_bytes (the
   * bytes that the result needs) and frac_bits of each output, and leaves data alone. Any status
   * may be answered; a call that is UNSUPPORTED or INVALID_ARGUMENT here is not run. */
  poolproof_status (*infer_shapes)(poolproof_instance* instance, const poolproof_call* call);

  /* Computes `call`. Outputs come as infer_shapes described them, with data, and with size_bytes
   * set to the capacity; a capacity below the need is INVALID_ARGUMENT. On OK every element of
   * every output has been written, and nothing else: no input, no byte outside the outputs. What
   * infer_shapes accepted has to be computed: UNSUPPORTED comes from there. */
  poolproof_status (*run)(poolproof_instance* instance, const poolproof_call* call);

  /* Why the last call on this instance was not OK, in one sentence; "" if it was. Never NULL. */
  const char* (*last_error)(poolproof_instance* instance);
} poolproof_backend;

/* The one exported symbol. Returns NULL if the backend cannot serve `abi_version`. */
POOLPROOF_EXPORT const poolproof_backend* poolproof_get_backend(uint32_t abi_version);

typedef const poolproof_backend* (*poolproof_get_backend_fn)(uint32_t abi_version);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* POOLPROOF_BACKEND_H_ */
