#include "reports/line_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace poolproof::reports {
namespace {

constexpr size_t kBlock = size_t{1} << 18;

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

bool ReadWholeFile(const std::string& path, size_t limit, std::string* text, std::string* error) {
  const int fd = OpenRegularFile(path, error);
  if (fd < 0) return false;
  text->clear();
  ssize_t got = 1;
  while (got > 0 && text->size() <= limit) {
    const size_t had = text->size();
    text->resize(had + kBlock);
    got = ReadSome(fd, text->data() + had, kBlock);
    text->resize(had + (got > 0 ? static_cast<size_t>(got) : 0));
  }
  if (got < 0) Fail(path, error);
  close(fd);
  if (got < 0) return false;
  if (text->size() <= limit) return true;
  *error = fmt::format("{}: is longer than {} bytes.", path, limit);
  return false;
}

LineFile::~LineFile() {
  if (fd_ >= 0) close(fd_);
}

bool LineFile::Open(const std::string& path, std::string* error) {
  path_ = path;
  fd_ = OpenRegularFile(path, error);
  return fd_ >= 0;
}

bool LineFile::Fill(std::string* error) {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < kBlock) buffer_.resize(end_ + kBlock);
  const ssize_t got = ReadSome(fd_, buffer_.data() + end_, buffer_.size() - end_);
  if (got < 0) {
    Fail(path_, error);
    return false;
  }
  at_end_ = got == 0;
  end_ += static_cast<size_t>(got);
  return true;
}

LineFile::Got LineFile::Take(size_t length, bool newline, std::string_view* line, std::string* error) {
  ++number_;
  if (length > kMaxLineBytes) {
    *error = fmt::format("{}:{}: is longer than {} bytes.", path_, number_, kMaxLineBytes);
    return Got::kError;
  }
  *line = {buffer_.data() + begin_, length};
  complete_ = newline;
  begin_ += length + (newline ? 1 : 0);
  position_ += length + (newline ? 1 : 0);
  return Got::kLine;
}

LineFile::Got LineFile::Next(std::string_view* line, std::string* error) {
  size_t looked = 0;  // bytes after begin_ that hold no newline
  while (true) {
    const size_t left = end_ - begin_ - looked;
    const char* from = buffer_.data() + begin_ + looked;
    const void* newline = left == 0 ? nullptr : std::memchr(from, '\n', left);
    if (newline != nullptr) {
      const size_t length = static_cast<size_t>(static_cast<const char*>(newline) - (buffer_.data() + begin_));
      return Take(length, true, line, error);
    }
    looked += left;
    if (looked > kMaxLineBytes) return Take(looked, false, line, error);
    if (at_end_) return looked == 0 ? Got::kEnd : Take(looked, false, line, error);
    if (!Fill(error)) return Got::kError;
  }
}

}  // namespace poolproof::reports
