// What a backend process writes to stdout and stderr.
#ifndef POOLPROOF_CONFORMANCE_WORKER_OUTPUT_CAPTURE_H_
#define POOLPROOF_CONFORMANCE_WORKER_OUTPUT_CAPTURE_H_

#include <cstdint>
#include <string>

#include "conformance/spec/spec.h"
#include "conformance/worker/file_descriptor.h"

namespace poolproof::worker {

// stdout goes to a file in memory, so that its bytes can be counted and writing never blocks, and
// from there to the log; stderr goes to the log at once.
class OutputCapture {
 public:
  // `log_path` is appended to; "" drops both. False and a sentence if it cannot be opened.
  bool Open(const std::string& log_path, Error* error);

  int Stdin() const { return null_.Get(); }
  int Stdout() const { return stdout_.Get(); }
  int Stderr() const { return log_.Valid() ? log_.Get() : null_.Get(); }
  int64_t StdoutBytes() const;

  // Moves what came on stdout to the log and frees its memory. Cheap if nothing came.
  void Drain();

 private:
  FileDescriptor null_, stdout_, log_;
  int64_t drained_ = 0;
};

}  // namespace poolproof::worker

#endif  // POOLPROOF_CONFORMANCE_WORKER_OUTPUT_CAPTURE_H_
