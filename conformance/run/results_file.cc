#include "conformance/run/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <functional>
#include <random>

#include "reports/line_file.h"

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
  fd_ = open(PartialPath().c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  return fd_ >= 0 || Fail(PartialPath(), "cannot be written", error);
}

bool ResultsFile::CanResume(const std::string& folder, Error* error) {
  ResultsFile file;
  file.folder_ = folder;
  if (Exists(file.PartialPath()) || Exists(file.FinalPath())) return true;
  return file.Fail(file.PartialPath(), "cannot be resumed", error);
}

bool ResultsFile::Resume(const std::string& folder, const std::function<Keep(std::string_view)>& line, Error* error) {
  folder_ = folder;
  // A run that was complete may have been stopped while its reports were made.
  const bool complete = !Exists(PartialPath()) && Exists(FinalPath());
  reports::LineFile file;
  if (!file.Open(complete ? FinalPath() : PartialPath(), &error->message)) return false;
  uint64_t kept = 0;
  std::string_view text;
  for (auto got = file.Next(&text, &error->message); got != reports::LineFile::Got::kEnd;
       got = file.Next(&text, &error->message)) {
    if (got == reports::LineFile::Got::kError) return false;
    if (!file.Complete()) break;
    const Keep keep = line(text);
    if (keep == Keep::kRefuse) return false;
    if (keep == Keep::kCut) break;
    kept = file.position();
    written_.AddLine(text);
  }
  if (complete && rename(FinalPath().c_str(), PartialPath().c_str()) != 0) {
    return Fail(FinalPath(), "cannot be resumed", error);
  }
  fd_ = open(PartialPath().c_str(), O_RDWR | O_CLOEXEC);
  if (fd_ < 0) return Fail(PartialPath(), "cannot be resumed", error);
  if (ftruncate(fd_, static_cast<off_t>(kept)) != 0 || lseek(fd_, 0, SEEK_END) < 0) {
    return Fail(PartialPath(), "cannot be cut", error);
  }
  return true;
}

bool ResultsFile::Append(std::string_view lines, Error* error) {
  written_.Add(lines);
  return WriteAll(fd_, lines) || Fail(PartialPath(), "cannot be written", error);
}

bool ResultsFile::ReadBack(const std::function<bool(std::string_view)>& line, Error* error) const {
  reports::LineFile file;
  if (!file.Open(PartialPath(), &error->message)) return false;
  Trace trace = written_.Empty();
  std::string_view text;
  for (auto got = file.Next(&text, &error->message); got != reports::LineFile::Got::kEnd;
       got = file.Next(&text, &error->message)) {
    if (got == reports::LineFile::Got::kError) return false;
    if (!file.Complete()) return FailChanged(error);
    trace.AddLine(text);
    if (!line(text)) return false;
  }
  return trace == written_ || FailChanged(error);
}

bool ResultsFile::Rewrite(const std::function<void(std::string_view line, std::string* out)>& rewrite, Error* error) {
  const std::string path = folder_ + "/results.jsonl.rewrite";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return Fail(path, "cannot be written", error);
  Trace rewritten = written_.Empty();
  std::string out;
  const auto flush = [&] {
    rewritten.Add(out);
    const bool good = WriteAll(fd, out) || Fail(path, "cannot be written", error);
    out.clear();
    return good;
  };
  const bool done = ReadBack(
                        [&](std::string_view line) {
                          rewrite(line, &out);
                          return out.size() < kBlock || flush();
                        },
                        error) &&
                    flush();
  if (!done || rename(path.c_str(), PartialPath().c_str()) != 0) {
    if (done) Fail(path, "cannot be renamed", error);
    close(fd);
    unlink(path.c_str());
    return false;
  }
  close(fd_);
  fd_ = fd;
  written_ = rewritten;
  return true;
}

void ResultsFile::Discard() { unlink(PartialPath().c_str()); }

bool ResultsFile::Finish(Error* error) {
  if (!ReadBack([](std::string_view) { return true; }, error)) return false;
  if (fsync(fd_) != 0 && errno != EINVAL) return Fail(PartialPath(), "cannot be written", error);
  if (rename(PartialPath().c_str(), FinalPath().c_str()) != 0) {
    return Fail(FinalPath(), "cannot be written", error);
  }
  return true;
}

}  // namespace poolproof
