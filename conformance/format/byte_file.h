// A regular file as bytes.
#pragma once

#include <cstddef>
#include <string>

#include "conformance/format/error.h"

namespace poolproof {

// Opens `path` for reading if it is a regular file; -1 and one sentence otherwise. Does not wait
// for whoever might write to a FIFO, nor does opening a device do anything to it.
int OpenRegularFile(const std::string& path, Error* error);

class ByteFile {
 public:
  ByteFile() = default;
  ~ByteFile();
  ByteFile(const ByteFile&) = delete;
  ByteFile& operator=(const ByteFile&) = delete;

  bool Open(const std::string& path, Error* error);
  // Number of bytes read; 0: the end; -1: `reason` says why, without place and full stop.
  ptrdiff_t Read(char* bytes, size_t count, Error* reason);

 private:
  int fd_ = -1;
};

}  // namespace poolproof
