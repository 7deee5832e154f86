#include "conformance/format/byte_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace poolproof {
namespace {

constexpr size_t kBlock = size_t{1} << 17;
constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";

const char* KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISSOCK(mode)) return "a socket";
  return "something else";
}

int Fail(const std::string& path, std::string* error) {
  *error = fmt::format("{}: cannot be read: {}.", path, std::strerror(errno));
  return -1;
}

ssize_t ReadSome(int fd, char* bytes, size_t count) {
  ssize_t got = -1;
  do {
    got = read(fd, bytes, count);
  } while (got < 0 && errno == EINTR);
  return got;
}

}  // namespace

struct ByteFile::Decompression {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context{ZSTD_createDCtx(), ZSTD_freeDCtx};
  size_t wanted = 0;  // bytes of the frame that are still to come, 0 between frames
};

int OpenRegularFile(const std::string& path, std::string* error) {
  // What it is is asked before it is opened, for opening a device may do something, and again
  // afterwards, for it may have been replaced.
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return Fail(path, error);
  int fd = -1;
  if (S_ISREG(status.st_mode)) {
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &status) != 0) return Fail(path, error);
  }
  if (S_ISREG(status.st_mode)) return fd;
  if (fd >= 0) close(fd);
  *error = fmt::format("{}: is {}, not a file.", path, KindOf(status.st_mode));
  return -1;
}

ByteFile::ByteFile() = default;

ByteFile::~ByteFile() {
  if (fd_ >= 0) close(fd_);
}

bool ByteFile::Open(const std::string& path, std::string* error) {
  fd_ = OpenRegularFile(path, error);
  return fd_ >= 0;
}

// Reads more of the file behind what is left of it.
bool ByteFile::Fill(std::string* reason) {
  raw_.erase(0, taken_);
  taken_ = 0;
  const size_t had = raw_.size();
  raw_.resize(had + kBlock);
  const ssize_t got = ReadSome(fd_, raw_.data() + had, kBlock);
  raw_.resize(had + (got > 0 ? static_cast<size_t>(got) : 0));
  at_end_ = got == 0;
  if (got < 0) *reason = fmt::format("cannot be read: {}", std::strerror(errno));
  return got >= 0;
}

bool ByteFile::Begin(std::string* reason) {
  while (raw_.size() < kMagic.size() && !at_end_) {
    if (!Fill(reason)) return false;
  }
  begun_ = true;
  if (!raw_.starts_with(kMagic)) return true;
  decompression_ = std::make_unique<Decompression>();
  if (decompression_->context == nullptr) throw std::bad_alloc();
  return true;
}

ptrdiff_t ByteFile::Read(char* bytes, size_t count, std::string* reason) {
  if (!begun_ && !Begin(reason)) return -1;
  while (true) {
    if (taken_ == raw_.size() && !at_end_ && !Fill(reason)) return -1;
    const size_t left = raw_.size() - taken_;
    if (decompression_ == nullptr) {
      const size_t got = std::min(left, count);
      std::memcpy(bytes, raw_.data() + taken_, got);
      taken_ += got;
      return static_cast<ptrdiff_t>(got);
    }
    ZSTD_inBuffer in = {raw_.data() + taken_, left, 0};
    ZSTD_outBuffer out = {bytes, count, 0};
    // With nothing to read it may still hold something back, but for between frames.
    if (left == 0 && decompression_->wanted == 0) return 0;
    const size_t wanted = ZSTD_decompressStream(decompression_->context.get(), &out, &in);
    if (ZSTD_isError(wanted) != 0) {
      *reason = fmt::format("the compressed data are damaged ({})", ZSTD_getErrorName(wanted));
      return -1;
    }
    decompression_->wanted = wanted;
    taken_ += in.pos;
    if (out.pos > 0) return static_cast<ptrdiff_t>(out.pos);
    if (left == 0) {
      cut_ = wanted > 0;
      return 0;
    }
  }
}

}  // namespace poolproof
