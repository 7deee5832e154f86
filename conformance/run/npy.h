// Tensors as NumPy .npy files, format 1.0.
#ifndef POOLPROOF_CONFORMANCE_RUN_NPY_H_
#define POOLPROOF_CONFORMANCE_RUN_NPY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/backend.h"
#include "conformance/spec/spec.h"

namespace poolproof {

// f16 is '<f2'; bf16, which NumPy lacks, is its bits as '<u2'; fx8 and fx16 are '|i1' and '<i2'.
bool WriteNpy(const std::string& path, const poolproof_tensor& tensor, Error* error);

// Reads a tensor that is expected to have the type of `tensor`; sets rank, dims and size_bytes to
// what the file says, and data to `memory`. A file of another dtype or in Fortran order is an error.
bool ReadNpy(const std::string& path, poolproof_tensor* tensor, std::vector<std::byte>* memory,
             Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_NPY_H_
