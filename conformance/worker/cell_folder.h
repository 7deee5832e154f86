// The folder of a cell for what a backend writes while it runs.
#pragma once

#include <string>

namespace poolproof::worker {

class CellFolder {
 public:
  CellFolder() = default;
  CellFolder(const CellFolder&) = delete;
  CellFolder& operator=(const CellFolder&) = delete;
  ~CellFolder();

  // Makes one that is this user's alone, where temporary files go; false where that cannot be had.
  bool Create();
  const std::string& Path() const { return path_; }
  // Removes what is in it. No process may still be writing there.
  void Empty() const;

 private:
  std::string path_;  // "" before it was made
};

}  // namespace poolproof::worker
