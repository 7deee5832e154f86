// Paths that a backend process has to read to be loaded.
#pragma once

#include <string>
#include <vector>

#include "conformance/worker/cell.h"

namespace poolproof::worker {

struct Readable {
  std::string path;
  bool names_only = false;  // a folder of which only what is in it is named one by one
};

// Folders of the system; the folder of a shared object and those of the libraries that it names;
// for a program the current folder, the files and folders that its command names, and the folders
// of programs (PATH) with what is installed beside them; the folders that variables of loader and
// runtimes name; and options.allow_read. The home folder itself is none of them, nor is "/";
// nor is what options.hidden names, this program and other answers that come with it, unless they are asked for.
std::vector<Readable> ReadablePaths(const CellOptions& options, const std::string& backend);

// Whether one of them lets a process read a file, or list a folder, that there is.
bool MayRead(const std::vector<Readable>& readable, const std::string& path);

}  // namespace poolproof::worker
