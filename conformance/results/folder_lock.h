// One run at a time writes into a folder.
#pragma once

#include <memory>
#include <string>

#include "conformance/cases/spec.h"

namespace poolproof {

class FolderLock {
 public:
  // Makes the folder if it is missing and locks it until the lock is destroyed or the process ends,
  // however it ends. Nothing, and one sentence, where another process holds it or the folder cannot
  // be written; `busy` tells the two apart.
  static std::unique_ptr<FolderLock> Take(const std::string& folder, bool* busy, Error* error);

  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  const int fd_;
};

}  // namespace poolproof
