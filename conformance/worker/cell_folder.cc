#include "conformance/worker/cell_folder.h"

#include <stdlib.h>

#include <filesystem>

namespace poolproof::worker {
namespace {

namespace fs = std::filesystem;

// A folder that its owner may not enter is opened first, each before what is in it.
void Open(const fs::path& folder) {
  std::error_code none;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, none);
  for (fs::recursive_directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    if (entry->symlink_status(none).type() == fs::file_type::directory) {
      fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, none);
    }
  }
}

void Remove(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (!failed) return;
  Open(path);
  fs::remove_all(path, failed);
}

}  // namespace

CellFolder::~CellFolder() {
  if (!path_.empty()) Remove(path_);
}

bool CellFolder::Create() {
  std::error_code none;
  std::string path = (fs::temp_directory_path(none) / "poolproof-XXXXXX").string();
  if (none || mkdtemp(path.data()) == nullptr) return false;
  path_ = path;
  return true;
}

void CellFolder::Empty() const {
  std::error_code none;
  if (path_.empty()) return;
  for (const auto& entry : fs::directory_iterator(path_, none)) Remove(entry.path());
}

}  // namespace poolproof::worker
