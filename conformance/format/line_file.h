// A regular file, one line at a time, however large it is: what a line and a file may
// be is bounded before memory is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/format/byte_file.h"
#include "conformance/format/error.h"

namespace poolproof {

// Bytes of one line, without its newline. Writers keep far below it.
inline constexpr size_t kMaxLineBytes = size_t{16} << 20;

// The whole of a regular file of at most `limit` bytes, as it is read; false and one sentence otherwise.
bool ReadWholeFile(const std::string& path, size_t limit, std::string* text, Error* error);

class LineFile {
 public:
  enum class Got : uint8_t { kLine, kEnd, kError };

  bool Open(const std::string& path, Error* error);
  // The next line, valid until the next call. The last one needs no newline; `Complete` says
  // whether it has one.
  Got Next(std::string_view* line, Error* error);
  bool Complete() const { return complete_; }
  // Lines handed out so far, and bytes up to the end of the last one.
  uint64_t number() const { return number_; }
  uint64_t position() const { return position_; }
  const std::string& path() const { return path_; }

 private:
  Got Take(size_t length, bool newline, std::string_view* line, Error* error);
  bool Fill(Error* error);

  std::string path_;
  ByteFile file_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;  // what was read and not handed out
  bool at_end_ = false, complete_ = false;
  uint64_t number_ = 0, position_ = 0;
};

}  // namespace poolproof
