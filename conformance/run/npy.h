// Tensors as NumPy .npy files, format 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend.h"
#include "conformance/cases/spec.h"

namespace poolproof {

// A file with the data of `tensor`. f16 is '<f2'; bf16, which NumPy lacks, is its bits as '<u2'; fx8
// and fx16 are '|i1' and '<i2'.
std::string NpyBytes(const poolproof_tensor& tensor);

// Reads a file whose tensor is expected to have the type of `tensor`; sets rank, dims and size_bytes
// to what it says, data to `memory`, and the type where it is another one. On failure one sentence
// without file and full stop.
bool ParseNpy(std::string_view bytes, poolproof_tensor* tensor, std::vector<std::byte>* memory, Error* error);

}  // namespace poolproof
