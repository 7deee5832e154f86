// A regular file as bytes. What zstd has compressed is read as what it was: the first bytes tell, not the name.
#ifndef POOLPROOF_CONFORMANCE_FORMAT_BYTE_FILE_H_
#define POOLPROOF_CONFORMANCE_FORMAT_BYTE_FILE_H_

#include <cstddef>
#include <memory>
#include <string>

namespace poolproof {

// Opens `path` for reading if it is a regular file; -1 and one sentence otherwise. Does not wait
// for whoever might write to a FIFO, nor does opening a device do anything to it.
int OpenRegularFile(const std::string& path, std::string* error);

class ByteFile {
 public:
  ByteFile();
  ~ByteFile();
  ByteFile(const ByteFile&) = delete;
  ByteFile& operator=(const ByteFile&) = delete;

  bool Open(const std::string& path, std::string* error);
  // Number of bytes read; 0: the end; -1: `reason` says why, without place and full stop.
  ptrdiff_t Read(char* bytes, size_t count, std::string* reason);
  // At the end: it came in the middle of what zstd had written.
  bool Cut() const { return cut_; }

 private:
  struct Decompression;
  bool Begin(std::string* reason);
  bool Fill(std::string* reason);

  int fd_ = -1;
  bool begun_ = false, at_end_ = false, cut_ = false;
  std::string raw_;  // what was read of the file and not handed out
  size_t taken_ = 0;
  std::unique_ptr<Decompression> decompression_;  // none: the file is as it is
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_FORMAT_BYTE_FILE_H_
