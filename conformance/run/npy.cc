#include "conformance/run/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "conformance/cases/problem.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

static_assert(std::endian::native == std::endian::little, "the dtypes below say little-endian");

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr size_t kPrefixBytes = 8 + sizeof(uint16_t);

std::string_view Dtype(poolproof_element_type type) {
  constexpr std::string_view kDtypes[] = {"",    "<f8", "<f4", "<f2", "<u2", "|i1", "|u1", "<i2",
                                          "<u2", "<i4", "<u4", "<i8", "<u8", "|i1", "<i2"};
  return kDtypes[static_cast<size_t>(type)];
}

// The type of a dtype, which is `expected` where that is written so.
poolproof_element_type TypeOf(std::string_view dtype, poolproof_element_type expected) {
  if (Dtype(expected) == dtype) return expected;
  constexpr poolproof_element_type kTypes[] = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_I8,
                                               POOLPROOF_U8,  POOLPROOF_I16, POOLPROOF_U16, POOLPROOF_I32,
                                               POOLPROOF_U32, POOLPROOF_I64, POOLPROOF_U64};
  for (const poolproof_element_type type : kTypes) {
    if (Dtype(type) == dtype) return type;
  }
  return poolproof_element_type{};
}

// The text after "'key': " in the header, up to `end`.
std::string_view Field(std::string_view header, const std::string& key, char end) {
  const std::string label = "'" + key + "': ";
  const size_t at = header.find(label);
  if (at == header.npos) return {};
  header.remove_prefix(at + label.size());
  return header.substr(0, header.find(end));
}

// "(1, 2, 3" or "(4," or "(".
bool ParseShape(std::string_view text, poolproof_tensor* tensor) {
  tensor->rank = 0;
  if (!text.starts_with('(')) return false;
  text.remove_prefix(1);
  while (!text.empty()) {
    if (tensor->rank == POOLPROOF_MAX_RANK) return false;
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return tensor->rank > 0;  // after the comma of "(4, "
    int64_t& dim = tensor->dims[tensor->rank++];
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), dim);
    if (status != std::errc() || dim < 0) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (!text.empty() && text.front() != ',') return false;
    text.remove_prefix(text.empty() ? 0 : 1);
  }
  return true;
}

// Readers differ in which of two they take, however they are quoted.
bool HasEachKeyOnce(std::string_view header, Error* error) {
  for (const std::string_view key : {"descr", "fortran_order", "shape"}) {
    const size_t at = header.find(key);
    if (at != header.npos && header.find(key, at + 1) != header.npos) {
      return Fail(fmt::format("has '{}' twice in its header", key), error);
    }
  }
  return true;
}

bool ParseHeader(std::string_view header, poolproof_tensor* tensor, Error* error) {
  if (!HasEachKeyOnce(header, error)) return false;
  const std::string_view dtype = Field(header, "descr", ',');
  const bool quoted = dtype.size() > 2 && dtype.front() == '\'' && dtype.back() == '\'';
  const auto type = TypeOf(quoted ? dtype.substr(1, dtype.size() - 2) : dtype, tensor->element_type);
  if (ElementSize(type) == 0) {
    return Fail(
        fmt::format("has dtype {}, expected '{}'", EscapeForTerminal(Shorten(dtype, 40)), Dtype(tensor->element_type)),
        error);
  }
  tensor->element_type = type;
  if (Field(header, "fortran_order", ',') != "False") return Fail("is in Fortran order", error);
  return ParseShape(Field(header, "shape", ')'), tensor) || Fail("has no shape", error);
}

}  // namespace

std::string NpyBytes(const poolproof_tensor& tensor) {
  std::string shape;
  for (int d = 0; d < tensor.rank; ++d) shape += fmt::format("{},", tensor.dims[d]);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", Dtype(tensor.element_type), shape);
  header.append(63 - (kPrefixBytes + header.size()) % 64, ' ');  // data begin at a multiple of 64
  header += '\n';
  const uint16_t length = static_cast<uint16_t>(header.size());
  std::string bytes(kMagic);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += header;
  if (tensor.size_bytes > 0) bytes.append(static_cast<const char*>(tensor.data), tensor.size_bytes);
  return bytes;
}

bool ParseNpy(std::string_view bytes, poolproof_tensor* tensor, std::vector<std::byte>* memory, Error* error) {
  if (bytes.size() < kPrefixBytes || !bytes.starts_with(kMagic)) {
    return Fail("is no .npy file of format 1.0", error);
  }
  uint16_t length = 0;
  std::memcpy(&length, bytes.data() + kMagic.size(), sizeof length);
  if (!ParseHeader(bytes.substr(kPrefixBytes, length), tensor, error)) return false;
  bytes.remove_prefix(std::min(kPrefixBytes + length, bytes.size()));
  size_t need = ElementSize(tensor->element_type);
  bool holds = true;
  for (int d = 0; d < tensor->rank; ++d) {
    holds = holds && !__builtin_mul_overflow(need, static_cast<size_t>(tensor->dims[d]), &need);
  }
  if (!holds || bytes.size() != need) {
    return Fail(fmt::format("holds {} bytes, its shape needs {}", bytes.size(),
                            holds ? fmt::format("{}", need) : "more than there can be"),
                error);
  }
  memory->resize(std::max<size_t>(need, 1));
  if (need > 0) std::memcpy(memory->data(), bytes.data(), need);
  tensor->data = memory->data();
  tensor->size_bytes = need;
  return true;
}

}  // namespace poolproof
