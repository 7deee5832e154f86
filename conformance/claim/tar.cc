#include "conformance/claim/tar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "conformance/format/byte_file.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = 512;
constexpr size_t kMaxName = 100;
constexpr uint64_t kMaxSize = (uint64_t{1} << 33) - 1;  // of eleven octal digits
using Block = std::array<char, kBlock>;

// Where the fields of a header are.
constexpr size_t kSizeAt = 124, kSizeDigits = 11, kSumAt = 148;

Block HeaderOf(const std::string& name, uint64_t size) {
  Block block{};
  const auto put = [&block](size_t at, std::string_view text) {
    std::copy(text.begin(), text.end(), block.data() + at);
  };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(kSizeAt, fmt::format("{:0{}o}", size, kSizeDigits));
  put(136, "00000000000");
  put(kSumAt, "        ");
  put(156, "0");
  put(257, {"ustar\00000", 8});
  const unsigned sum = std::accumulate(block.begin(), block.end(), 0u,
                                       [](unsigned total, char c) { return total + static_cast<unsigned char>(c); });
  put(kSumAt, fmt::format("{:06o}", sum));
  block[kSumAt + 6] = '\0';
  return block;
}

uint64_t Padding(uint64_t size) { return (kBlock - size % kBlock) % kBlock; }

bool IsName(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  });
  return plain && !name.empty() && name.size() <= kMaxName && name.front() != '.';
}

// Copies `size` bytes; false where there are fewer, or they cannot be written.
bool Copy(std::istream& from, std::ostream& to, uint64_t size) {
  std::vector<char> bytes(size_t{1} << 18);
  while (size > 0) {
    const size_t count = static_cast<size_t>(std::min<uint64_t>(size, bytes.size()));
    if (!from.read(bytes.data(), static_cast<std::streamsize>(count))) return false;
    if (!to.write(bytes.data(), static_cast<std::streamsize>(count))) return false;
    size -= count;
  }
  return true;
}

bool WriteMember(const std::string& folder, const std::string& name, std::ostream& tar) {
  const fs::path path = fs::path(folder) / name;
  std::error_code code;
  const uint64_t size = fs::file_size(path, code);
  std::ifstream file(path, std::ios::binary);
  if (code || !IsName(name) || size > kMaxSize) return false;
  const Block header = HeaderOf(name, size), zeros{};
  tar.write(header.data(), kBlock);
  if (!Copy(file, tar, size)) return false;
  return !!tar.write(zeros.data(), static_cast<std::streamsize>(Padding(size)));
}

class Reader {
 public:
  Reader(const std::string& path, const std::string& folder, Error* error)
      : path_(path), folder_(folder), error_(error), file_(path, std::ios::binary) {}

  bool Read(std::vector<std::string>* names) {
    Block header{};
    while (true) {
      if (!file_.read(header.data(), kBlock)) return Fail("is cut off, or no claim: it has no end");
      if (header == Block{}) return AtEnd();
      const size_t length = strnlen(header.data(), kMaxName);
      const std::string name(header.data(), length);
      uint64_t size = 0;
      std::from_chars(header.data() + kSizeAt, header.data() + kSizeAt + kSizeDigits, size, 8);
      if (!IsName(name) || header != HeaderOf(name, size)) return Fail("is no claim, or its header was changed");
      if (std::find(names->begin(), names->end(), name) != names->end()) return Fail(name + " is in it twice");
      names->push_back(name);
      if (!TakeMember(name, size)) return false;
    }
  }

 private:
  bool Fail(const std::string& what) {
    const auto at = names_read_ == 0 ? std::string() : fmt::format(" (after {} files)", names_read_);
    error_->message = fmt::format("{}: {}{}.", path_, what, at);
    return false;
  }

  bool TakeMember(const std::string& name, uint64_t size) {
    std::ofstream file(folder_ + "/" + name, std::ios::binary);
    Block padding{};
    const size_t rest = Padding(size);
    const bool copied = Copy(file_, file, size);
    if (!file.flush()) return Fail("cannot be taken apart in " + folder_);
    if (!copied || !file_.read(padding.data(), static_cast<std::streamsize>(rest))) {
      return Fail(name + " is cut off");
    }
    ++names_read_;
    return padding == Block{} || Fail(name + " has bytes behind its end");
  }

  // A zero block has been read; there has to be another one, and nothing else.
  bool AtEnd() {
    size_t blocks = 1;
    Block block{};
    while (file_.read(block.data(), kBlock)) {
      if (block != Block{}) return Fail("has bytes behind its end");
      ++blocks;
    }
    return (blocks >= 2 && file_.gcount() == 0) || Fail("is cut off at its end");
  }

  const std::string& path_;
  const std::string& folder_;
  Error* const error_;
  std::ifstream file_;
  size_t names_read_ = 0;
};

}  // namespace

bool WriteTar(const std::string& folder, const std::vector<std::string>& names, const std::string& path, Error* error) {
  const std::string scratch = path + ".new";
  std::ofstream tar(scratch, std::ios::binary);
  bool good = !!tar;
  for (const std::string& name : names) good = good && WriteMember(folder, name, tar);
  const Block zeros{};
  for (int i = 0; i < 2; ++i) tar.write(zeros.data(), kBlock);
  tar.close();
  std::error_code code;
  if (good && tar) fs::rename(scratch, path, code);
  if (good && tar && !code) return true;
  fs::remove(scratch, code);
  error->message = path + ": cannot be written.";
  return false;
}

bool ReadTar(const std::string& path, const std::string& folder, std::vector<std::string>* names, Error* error) {
  ByteFile regular;
  if (!regular.Open(path, error)) return false;
  return Reader(path, folder, error).Read(names);
}

}  // namespace poolproof
