#include "conformance/results/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <random>

#include "conformance/format/line_file.h"

namespace poolproof {
namespace {

constexpr size_t kBlock = size_t{1} << 20;

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Opens a new file for reading and writing.
int OpenNew(const std::string& path) { return open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644); }

uint64_t RandomKey() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

}  // namespace

void ResultsFile::Trace::Add(std::string_view lines) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size() - 1);
    AddLine(lines.substr(0, end));
    lines.remove_prefix(end + 1);
  }
}

void ResultsFile::Trace::AddLine(std::string_view line) {
  state_ = (std::rotl(state_, 23) ^ std::hash<std::string_view>()(line)) * 0x9fb21c651e98df25u;
}

ResultsFile::ResultsFile() : written_(RandomKey()) {}

ResultsFile::~ResultsFile() {
  if (fd_ >= 0) close(fd_);
}

bool ResultsFile::Fail(const std::string& path, const char* what, Error* error) const {
  error->message = fmt::format("{}: {}: {}.", path, what, std::strerror(errno));
  return false;
}

bool ResultsFile::FailChanged(Error* error) const {
  error->message = fmt::format("{}: does not hold what was written: something else writes into it.", PartialPath());
  return false;
}

bool ResultsFile::Create(const std::string& folder, Error* error) {
  folder_ = folder;
  fd_ = OpenNew(PartialPath());
  return fd_ >= 0 || Fail(PartialPath(), "cannot be written", error);
}

// A run that was complete may have been stopped while its reports were made.
ResultsFile::Left ResultsFile::Find(const std::string& folder) {
  ResultsFile file;
  file.folder_ = folder;
  if (Exists(file.PartialPath())) return Left::kPartial;
  return Exists(file.FinalPath()) ? Left::kComplete : Left::kNothing;
}

bool ResultsFile::Resume(const std::string& folder, const TakeLine& line, Error* error) {
  using Got = LineFile::Got;
  folder_ = folder;
  LineFile file;
  if (!file.Open(PartialPath(), error)) return false;
  std::string_view text;
  uint64_t kept = 0;
  for (Got got = file.Next(&text, error); got != Got::kEnd; got = file.Next(&text, error)) {
    if (got == Got::kError) return false;
    if (!file.Complete()) break;
    if (!line(text)) return false;
    written_.AddLine(text);
    kept = file.position();
  }
  fd_ = open(PartialPath().c_str(), O_RDWR | O_CLOEXEC);
  if (fd_ < 0) return Fail(PartialPath(), "cannot be resumed", error);
  if (ftruncate(fd_, static_cast<off_t>(kept)) != 0 || lseek(fd_, 0, SEEK_END) < 0) {
    return Fail(PartialPath(), "cannot be cut", error);
  }
  return true;
}

bool ResultsFile::Reopen(const std::string& folder, const Fill& fill, Error* error) {
  folder_ = folder;
  const Fill traced = [&](std::string* out, const Flush& flush) {
    size_t seen = 0;  // bytes of `out` that are in the trace
    const auto trace = [&] {
      written_.Add(std::string_view(*out).substr(seen));
      const bool good = flush();
      seen = out->size();
      return good;
    };
    return fill(out, trace) && trace();
  };
  fd_ = Replace(PartialPath(), traced, error);
  if (fd_ < 0) return false;
  unlink(FinalPath().c_str());
  return true;
}

bool ResultsFile::Append(std::string_view lines, Error* error) {
  written_.Add(lines);
  return WriteAll(fd_, lines) || Fail(PartialPath(), "cannot be written", error);
}

bool ResultsFile::Read(const TakeLine& line, Error* error) {
  LineFile file;
  if (!file.Open(PartialPath(), error)) return false;
  Trace trace = written_.Empty();
  std::string_view text;
  for (auto got = file.Next(&text, error); got != LineFile::Got::kEnd; got = file.Next(&text, error)) {
    if (got == LineFile::Got::kError) return false;
    if (!file.Complete()) return FailChanged(error);
    trace.AddLine(text);
    if (!line(text)) return false;
  }
  return trace == written_ || FailChanged(error);
}

int ResultsFile::Replace(const std::string& path, const Fill& fill, Error* error) {
  const std::string fresh = RewritePath();
  const int fd = OpenNew(fresh);
  if (fd < 0) {
    Fail(fresh, "cannot be written", error);
    return -1;
  }
  std::string out;
  const auto write = [&] {
    const bool good = WriteAll(fd, out) || Fail(fresh, "cannot be written", error);
    out.clear();
    return good;
  };
  const auto sync = [&] { return fsync(fd) == 0 || errno == EINVAL || Fail(fresh, "cannot be written", error); };
  const auto name = [&] { return rename(fresh.c_str(), path.c_str()) == 0 || Fail(path, "cannot be written", error); };
  if (fill(&out, [&] { return out.size() < kBlock || write(); }) && write() && sync() && name()) return fd;
  close(fd);
  unlink(fresh.c_str());
  return -1;
}

bool ResultsFile::Finish(const Fill& fill, Error* error) {
  const int fd = Replace(FinalPath(), fill, error);
  if (fd < 0) return false;
  close(fd);
  unlink(PartialPath().c_str());
  return true;
}

void ResultsFile::Discard() { unlink(PartialPath().c_str()); }

}  // namespace poolproof
