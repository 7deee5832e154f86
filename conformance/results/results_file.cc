#include "conformance/results/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <functional>
#include <random>
#include <utility>

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

using KeepLine = std::function<bool(std::string_view)>;

// Calls `line` for each whole line of a file that may have ended at any byte, and `keep` for those that it
// wants to be kept; `kept` is where the last of them ends.
bool TakeLines(LineFile& file, const std::function<ResultsFile::Keep(std::string_view)>& line, const KeepLine& keep,
               uint64_t* kept, Error* error) {
  using Got = LineFile::Got;
  file.MayBeCut();
  std::string_view text;
  for (Got got = file.Next(&text, &error->message); got != Got::kEnd; got = file.Next(&text, &error->message)) {
    if (got == Got::kError) return false;
    if (!file.Complete()) return true;
    const ResultsFile::Keep answer = line(text);
    if (answer == ResultsFile::Keep::kRefuse) return false;
    if (answer == ResultsFile::Keep::kCut) return true;
    if (!keep(text)) return false;
    *kept = file.position();
  }
  return true;
}

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

bool ResultsFile::Create(const std::string& folder, bool compressed, Error* error) {
  folder_ = folder;
  // What an earlier run left of the other form is not what --resume goes on from.
  compressed_ = !compressed;
  unlink(PartialPath().c_str());
  compressed_ = compressed;
  fd_ = open(PartialPath().c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (compressed) compressor_ = std::make_unique<Compressor>();
  return fd_ >= 0 || Fail(PartialPath(), "cannot be written", error);
}

bool ResultsFile::CanResume(const std::string& folder, Error* error) {
  bool complete = false;
  return ResultsFile().Find(folder, &complete, error);
}

bool ResultsFile::Find(const std::string& folder, bool* complete, Error* error) {
  folder_ = folder;
  // A run that was complete may have been stopped while its reports were made.
  for (const bool whole : {false, true}) {
    for (const bool compressed : {false, true}) {
      compressed_ = compressed;
      *complete = whole;
      if (Exists(whole ? FinalPath() : PartialPath())) return true;
    }
  }
  compressed_ = false;
  return Fail(PartialPath(), "cannot be resumed", error);
}

// Compressed data cannot be cut at a line: what is kept is written anew.
bool ResultsFile::Resume(const std::string& folder, const std::function<Keep(std::string_view)>& line, Error* error) {
  bool complete = false;
  if (!Find(folder, &complete, error)) return false;
  LineFile file;
  if (!file.Open(complete ? FinalPath() : PartialPath(), &error->message)) return false;
  uint64_t kept = 0;
  if (compressed_) {
    const Fill fill = [&](std::string* out, const std::function<bool()>& next) {
      const KeepLine keep = [&](std::string_view text) {
        out->append(text).push_back('\n');
        return next();
      };
      return TakeLines(file, line, keep, &kept, error);
    };
    if (!Replace(fill, error)) return false;
    if (complete) unlink(FinalPath().c_str());
    return true;
  }
  const KeepLine keep = [this](std::string_view text) {
    written_.AddLine(text);
    return true;
  };
  if (!TakeLines(file, line, keep, &kept, error)) return false;
  if (complete && rename(FinalPath().c_str(), PartialPath().c_str()) != 0) {
    return Fail(FinalPath(), "cannot be resumed", error);
  }
  return CutAfter(kept, error);
}

bool ResultsFile::CutAfter(uint64_t bytes, Error* error) {
  fd_ = open(PartialPath().c_str(), O_RDWR | O_CLOEXEC);
  if (fd_ < 0) return Fail(PartialPath(), "cannot be resumed", error);
  if (ftruncate(fd_, static_cast<off_t>(bytes)) != 0 || lseek(fd_, 0, SEEK_END) < 0) {
    return Fail(PartialPath(), "cannot be cut", error);
  }
  return true;
}

bool ResultsFile::Put(std::string_view lines, const std::string& path, Error* error) {
  written_.Add(lines);
  std::string compressed;
  if (compressor_ != nullptr) compressor_->Add(lines, &compressed);
  return WriteAll(fd_, compressor_ != nullptr ? compressed : lines) || Fail(path, "cannot be written", error);
}

bool ResultsFile::EndFrame(const std::string& path, Error* error) {
  std::string compressed;
  if (compressor_ != nullptr) compressor_->End(&compressed);
  return WriteAll(fd_, compressed) || Fail(path, "cannot be written", error);
}

bool ResultsFile::Append(std::string_view lines, Error* error) { return Put(lines, PartialPath(), error); }

bool ResultsFile::Read(const std::function<bool(std::string_view)>& line, Error* error) {
  LineFile file;
  if (!EndFrame(PartialPath(), error) || !file.Open(PartialPath(), &error->message)) return false;
  Trace trace = written_.Empty();
  std::string_view text;
  for (auto got = file.Next(&text, &error->message); got != LineFile::Got::kEnd;
       got = file.Next(&text, &error->message)) {
    if (got == LineFile::Got::kError) return false;
    if (!file.Complete()) return FailChanged(error);
    trace.AddLine(text);
    if (!line(text)) return false;
  }
  return trace == written_ || FailChanged(error);
}

bool ResultsFile::Replace(const Fill& fill, Error* error) {
  const std::string path = RewritePath();
  ResultsFile fresh;
  fresh.fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fresh.fd_ < 0) return Fail(path, "cannot be written", error);
  if (compressed_) fresh.compressor_ = std::make_unique<Compressor>();
  std::string out;
  const auto flush = [&] {
    const bool good = fresh.Put(out, path, error);
    out.clear();
    return good;
  };
  const bool done = fill(&out, [&] { return out.size() < kBlock || flush(); }) && flush();
  if (!done || rename(path.c_str(), PartialPath().c_str()) != 0) {
    if (done) Fail(path, "cannot be renamed", error);
    unlink(path.c_str());
    return false;
  }
  std::swap(fd_, fresh.fd_);  // which closes the old one
  compressor_ = std::move(fresh.compressor_);
  written_ = fresh.written_;
  return true;
}

bool ResultsFile::Rewrite(const std::function<bool(std::string_view line, std::string* out)>& rewrite, Error* error) {
  const Fill fill = [&](std::string* out, const std::function<bool()>& next) {
    return Read([&](std::string_view line) { return rewrite(line, out) && next(); }, error);
  };
  return Replace(fill, error);
}

void ResultsFile::Discard() { unlink(PartialPath().c_str()); }

bool ResultsFile::Finish(Error* error) {
  if (!Read([](std::string_view) { return true; }, error)) return false;
  if (fsync(fd_) != 0 && errno != EINVAL) return Fail(PartialPath(), "cannot be written", error);
  if (rename(PartialPath().c_str(), FinalPath().c_str()) != 0) {
    return Fail(FinalPath(), "cannot be written", error);
  }
  unlink((folder_ + (compressed_ ? "/results.jsonl" : "/results.jsonl.zst")).c_str());
  return true;
}

}  // namespace poolproof
