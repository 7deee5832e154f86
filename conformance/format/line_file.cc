#include "conformance/format/line_file.h"

#include <fmt/format.h>

#include <cstring>

namespace poolproof {
namespace {

constexpr size_t kLineBlock = size_t{1} << 18;

}  // namespace

bool ReadWholeFile(const std::string& path, size_t limit, std::string* text, Error* error) {
  ByteFile file;
  if (!file.Open(path, error)) return false;
  text->clear();
  Error reason;
  ptrdiff_t got = 1;
  while (got > 0 && text->size() <= limit) {
    const size_t had = text->size();
    text->resize(had + kLineBlock);
    got = file.Read(text->data() + had, kLineBlock, &reason);
    text->resize(had + (got > 0 ? static_cast<size_t>(got) : 0));
  }
  if (text->size() > limit) reason.message = fmt::format("is longer than {} bytes", limit);
  if (reason.message.empty()) return true;
  return Fail(fmt::format("{}: {}.", path, reason.message), error);
}

bool LineFile::Open(const std::string& path, Error* error) {
  path_ = path;
  return file_.Open(path, error);
}

bool LineFile::Fill(Error* error) {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < kLineBlock) buffer_.resize(end_ + kLineBlock);
  Error reason;
  const ptrdiff_t got = file_.Read(buffer_.data() + end_, buffer_.size() - end_, &reason);
  if (!reason.message.empty()) return Fail(fmt::format("{}:{}: {}.", path_, number_ + 1, reason.message), error);
  at_end_ = got == 0;
  end_ += static_cast<size_t>(got);
  return true;
}

LineFile::Got LineFile::Take(size_t length, bool newline, std::string_view* line, Error* error) {
  ++number_;
  if (length > kMaxLineBytes) {
    error->message = fmt::format("{}:{}: is longer than {} bytes.", path_, number_, kMaxLineBytes);
    return Got::kError;
  }
  *line = {buffer_.data() + begin_, length};
  complete_ = newline;
  begin_ += length + (newline ? 1 : 0);
  position_ += length + (newline ? 1 : 0);
  return Got::kLine;
}

LineFile::Got LineFile::Next(std::string_view* line, Error* error) {
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

}  // namespace poolproof
