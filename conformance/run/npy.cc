#include "conformance/run/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace poolproof {
namespace {

static_assert(std::endian::native == std::endian::little, "the dtypes below say little-endian");

constexpr char kMagic[] = "\x93NUMPY\x01\x00";
constexpr size_t kMagicBytes = 8;
constexpr size_t kPrefixBytes = kMagicBytes + 2;

std::string_view Dtype(poolproof_element_type type) {
  constexpr std::string_view kDtypes[] = {"",    "<f8", "<f4", "<f2", "<u2", "|i1", "|u1", "<i2",
                                          "<u2", "<i4", "<u4", "<i8", "<u8", "|i1", "<i2"};
  return kDtypes[static_cast<size_t>(type)];
}

bool Fail(const std::string& path, const std::string& what, Error* error) {
  error->message = fmt::format("{}: {}.", path, what);
  return false;
}

// The text after "'key': " in the header, up to `end`.
std::string Field(const std::string& header, const std::string& key, char end) {
  const std::string label = "'" + key + "': ";
  const size_t at = header.find(label);
  if (at == std::string::npos) return "";
  const size_t from = at + label.size();
  return header.substr(from, header.find(end, from + 1) - from);
}

bool ParseShape(const std::string& text, poolproof_tensor* tensor) {
  tensor->rank = 0;
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end) {
    if (*p < '0' || *p > '9') {
      ++p;
      continue;
    }
    if (tensor->rank == POOLPROOF_MAX_RANK) return false;
    const auto [next, status] = std::from_chars(p, end, tensor->dims[tensor->rank++]);
    if (status != std::errc()) return false;
    p = next;
  }
  return true;
}

}  // namespace

bool WriteNpy(const std::string& path, const poolproof_tensor& tensor, Error* error) {
  std::string shape;
  for (int d = 0; d < tensor.rank; ++d) shape += fmt::format("{},", tensor.dims[d]);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   Dtype(tensor.element_type), shape);
  header.append(63 - (kPrefixBytes + header.size()) % 64, ' ');  // data begin at a multiple of 64
  header += '\n';
  const uint16_t length = static_cast<uint16_t>(header.size());
  std::ofstream file(path, std::ios::binary);
  file.write(kMagic, kMagicBytes);
  file.write(reinterpret_cast<const char*>(&length), sizeof length);
  file << header;
  file.write(static_cast<const char*>(tensor.data), static_cast<std::streamsize>(tensor.size_bytes));
  return file.flush() ? true : Fail(path, "cannot be written", error);
}

bool ReadNpy(const std::string& path, poolproof_tensor* tensor, std::vector<std::byte>* memory,
             Error* error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Fail(path, "cannot be read", error);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (bytes.size() < kPrefixBytes || std::memcmp(bytes.data(), kMagic, kMagicBytes) != 0) {
    return Fail(path, "is no .npy file of format 1.0", error);
  }
  uint16_t length = 0;
  std::memcpy(&length, bytes.data() + kMagicBytes, sizeof length);
  const std::string header = bytes.substr(kPrefixBytes, length);
  const std::string dtype = Field(header, "descr", ',');
  if (dtype != fmt::format("'{}'", Dtype(tensor->element_type))) {
    return Fail(path, fmt::format("has dtype {}, expected '{}'", dtype, Dtype(tensor->element_type)),
                error);
  }
  if (Field(header, "fortran_order", ',') != "False") {
    return Fail(path, "is in Fortran order", error);
  }
  if (!ParseShape(Field(header, "shape", ')'), tensor)) return Fail(path, "has no shape", error);
  const size_t begin = kPrefixBytes + length;
  const size_t size = bytes.size() > begin ? bytes.size() - begin : 0;
  size_t need = ElementSize(tensor->element_type);
  for (int d = 0; d < tensor->rank; ++d) need *= static_cast<size_t>(tensor->dims[d]);
  if (size != need) {
    return Fail(path, fmt::format("holds {} bytes, its shape needs {}", size, need), error);
  }
  memory->resize(std::max<size_t>(size, 1));
  if (size > 0) std::memcpy(memory->data(), bytes.data() + begin, size);
  tensor->data = memory->data();
  tensor->size_bytes = size;
  return true;
}

}  // namespace poolproof
