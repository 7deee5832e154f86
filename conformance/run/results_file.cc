#include "conformance/run/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace poolproof {
namespace {

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace

ResultsFile::~ResultsFile() {
  if (fd_ >= 0) close(fd_);
}

bool ResultsFile::Fail(const std::string& path, const char* what, Error* error) {
  error->message = fmt::format("{}: {}: {}.", path, what, std::strerror(errno));
  return false;
}

bool ResultsFile::Create(const std::string& folder, Error* error) {
  folder_ = folder;
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) {
    error->message = fmt::format("{}: cannot be made: {}.", folder, code.message());
    return false;
  }
  fd_ = open(PartialPath().c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  return fd_ >= 0 || Fail(PartialPath(), "cannot be written", error);
}

bool ResultsFile::CanResume(const std::string& folder, Error* error) {
  ResultsFile file;
  file.folder_ = folder;
  return access(file.PartialPath().c_str(), W_OK) == 0 ||
         file.Fail(file.PartialPath(), "cannot be resumed", error);
}

bool ResultsFile::Resume(const std::string& folder,
                         const std::function<bool(std::string_view)>& line, Error* error) {
  folder_ = folder;
  fd_ = open(PartialPath().c_str(), O_RDWR | O_CLOEXEC);
  if (fd_ < 0) return Fail(PartialPath(), "cannot be resumed", error);
  off_t complete = 0;
  std::ifstream file(PartialPath());
  for (std::string text; std::getline(file, text) && !file.eof();) {
    if (!line(text)) return false;
    complete += static_cast<off_t>(text.size()) + 1;
  }
  if (ftruncate(fd_, complete) != 0 || lseek(fd_, 0, SEEK_END) < 0) {
    return Fail(PartialPath(), "cannot be cut", error);
  }
  return true;
}

bool ResultsFile::Append(std::string_view lines, Error* error) {
  return WriteAll(fd_, lines) || Fail(PartialPath(), "cannot be written", error);
}

bool ResultsFile::Rewrite(
    const std::function<void(std::string_view line, std::string* out)>& rewrite, Error* error) {
  const std::string path = folder_ + "/results.jsonl.rewrite";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return Fail(path, "cannot be written", error);
  std::string out;
  bool good = true;
  const bool read = ForEachLine(PartialPath(), [&](std::string_view line) {
    rewrite(line, &out);
    if (out.size() < (size_t{1} << 20)) return true;
    good = WriteAll(fd, out);
    out.clear();
    return good;
  }, error);
  good = good && WriteAll(fd, out);
  if (!read || !good) {
    const int saved = errno;
    close(fd);
    unlink(path.c_str());
    errno = saved;
    return read ? Fail(path, "cannot be written", error) : false;
  }
  close(fd_);
  fd_ = fd;
  if (rename(path.c_str(), PartialPath().c_str()) != 0) return Fail(path, "cannot be renamed", error);
  return true;
}

bool ResultsFile::Finish(Error* error) {
  if (fsync(fd_) != 0 && errno != EINVAL) return Fail(PartialPath(), "cannot be written", error);
  if (rename(PartialPath().c_str(), FinalPath().c_str()) != 0) {
    return Fail(FinalPath(), "cannot be written", error);
  }
  return true;
}

bool ForEachLine(const std::string& path, const std::function<bool(std::string_view)>& line,
                 Error* error) {
  std::ifstream file(path);
  if (!file) {
    error->message = fmt::format("{}: cannot be read: {}.", path, std::strerror(errno));
    return false;
  }
  for (std::string text; std::getline(file, text);) {
    if (!line(text)) break;
  }
  return true;
}

}  // namespace poolproof
