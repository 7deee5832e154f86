#include "conformance/worker/cell_paths.h"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "conformance/worker/program_output.h"

namespace poolproof::worker {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSystem[] = {"/usr", "/lib", "/lib32",     "/lib64",     "/libx32", "/bin", "/sbin",
                                   "/etc", "/opt", "/nix/store", "/gnu/store", "/proc",   "/sys", "/run/opengl-driver"};
constexpr const char* kVariables[] = {"LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV",
                                      "NODE_PATH",       "JAVA_HOME",  "LD_PRELOAD"};
// In the home folder, of which nothing else may be read: packages that a user has installed.
constexpr const char* kOfHome[] = {".local/lib", ".local/bin"};

// Whether a path is in a folder, or is the folder; both as the system names them.
bool Holds(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

class Paths {
 public:
  Paths() {
    const char* home = std::getenv("HOME");
    if (home != nullptr) home_ = fs::path(home).lexically_normal();
  }

  void AddOfHome(const char* path) {
    if (!home_.empty()) Add(home_ / path);
  }

  void Add(const fs::path& path) {
    std::error_code none;
    const fs::path whole = fs::absolute(path, none).lexically_normal();
    if (none || whole == "/") return;
    if (whole == home_ || whole / "" == home_ / "") return AddFilesOfHome();
    paths_.insert(whole.string());
    const fs::path real = fs::canonical(whole, none);
    if (!none && real != "/" && real != home_) paths_.insert(real.string());
  }

  // Paths that were asked for by name, the home folder as well.
  void AddAsked(const fs::path& path) {
    std::error_code none;
    const fs::path real = fs::canonical(path, none);
    if (!none) paths_.insert(real.string());
  }

  // A folder of programs, with the installation that it is part of: /x/bin and /x.
  void AddPrograms(const fs::path& folder) {
    Add(folder);
    const std::string name = folder.filename().string();
    if (name == "bin" || name == "sbin" || name == "shims") Add(folder.parent_path());
  }

  // A file with its folder, at every step of its links.
  void AddFile(fs::path file) {
    constexpr int kMaxLinks = 16;
    std::error_code none;
    for (int i = 0; i < kMaxLinks; ++i) {
      if (fs::is_directory(file, none)) return Add(file);
      AddPrograms(file.parent_path());
      if (!fs::is_symlink(file, none)) break;
      const fs::path target = fs::read_symlink(file, none);
      file = (file.parent_path() / target).lexically_normal();
    }
  }

  void AddList(const char* list, bool programs) {
    std::istringstream entries(list == nullptr ? "" : list);
    for (std::string entry; std::getline(entries, entry, ':');) {
      if (entry.empty()) continue;
      programs ? AddPrograms(entry) : AddFile(entry);
    }
  }

  // A backend that lies in the home folder itself needs its neighbours, but neither folders nor hidden
  // files, among which keys and tokens are.
  void AddFilesOfHome() {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(home_, none)) {
      const bool hidden = entry.path().filename().string().starts_with('.');
      if (!hidden && entry.is_regular_file(none)) paths_.insert(entry.path().string());
    }
  }

  // All of them but what is hidden.
  std::vector<Readable> Without(const std::vector<fs::path>& hidden) const {
    std::vector<Readable> readable;
    std::set<fs::path> seen;
    for (const std::string& path : paths_) {
      std::error_code none;
      const fs::path real = fs::canonical(path, none);
      if (!none && seen.insert(real).second) AddAround(real, hidden, &readable);
    }
    return readable;
  }

 private:
  // A file that a link in a folder leads to may be read where it is.
  static void AddAround(const fs::path& path, const std::vector<fs::path>& hidden, std::vector<Readable>* readable) {
    const auto holds = [&path](const fs::path& other) { return Holds(path, other); };
    if (std::find(hidden.begin(), hidden.end(), path) != hidden.end()) return;
    const bool whole = std::none_of(hidden.begin(), hidden.end(), holds);
    readable->push_back({path.string(), !whole});
    if (whole) return;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(path, none)) {
      if (!entry.is_symlink(none)) AddAround(entry.path(), hidden, readable);
    }
  }

  fs::path home_;
  std::set<std::string> paths_;
};

// The loader of this program; "" for a static one.
std::string LoaderPath() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* found) {
        const std::string_view name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (name.find("/ld-") == name.npos) return 0;
        *static_cast<std::string*>(found) = name;
        return 1;
      },
      &path);
  return path;
}

// Lists what the loader would load with a shared object, without running any of it.
std::string ListLibraries(const std::string& library) {
  const std::string loader = LoaderPath();
  return loader.empty() ? "" : OutputOf(loader, {loader, "--list", library});
}

// Every word of a text that is a path from the root, or from above this folder, of something that there is.
std::vector<fs::path> NamedIn(const std::string& text) {
  constexpr std::string_view kEnds = " \t\n'\"=:;,|&<>()";
  std::vector<fs::path> named;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(kEnds, at), text.size());
    const std::string word = text.substr(at, end - at);
    std::error_code none;
    const bool path = word.starts_with('/') || word.starts_with("../");
    if (path && fs::exists(word, none)) named.push_back(fs::absolute(word, none).lexically_normal());
    at = end + 1;
  }
  return named;
}

// Programs and folders that hold answers, but for those with something in them that is asked for.
std::vector<fs::path> Hidden(const CellOptions& options, const std::vector<fs::path>& named) {
  std::error_code none;
  std::vector<fs::path> needed = {fs::current_path(none)};
  for (const fs::path& path : named) needed.push_back(fs::canonical(path, none));
  for (const std::string& path : options.allow_read) needed.push_back(fs::canonical(path, none));
  const fs::path program = fs::canonical("/proc/self/exe", none);
  std::vector<fs::path> paths = {program, program.parent_path().parent_path() / "lib" / "poolproof"};
  paths.insert(paths.end(), options.hidden.begin(), options.hidden.end());
  std::vector<fs::path> hidden;
  for (const fs::path& path : paths) {
    const fs::path real = fs::canonical(path, none);
    const auto holds = [&real](const fs::path& other) { return Holds(real, other); };
    if (!none && std::none_of(needed.begin(), needed.end(), holds)) hidden.push_back(real);
  }
  return hidden;
}

}  // namespace

std::vector<Readable> ReadablePaths(const CellOptions& options, const std::string& backend) {
  constexpr std::string_view kProgram = "process:";
  Paths paths;
  for (const char* path : kSystem) paths.Add(path);
  for (const char* path : kOfHome) paths.AddOfHome(path);
  for (const char* variable : kVariables) paths.AddList(std::getenv(variable), false);
  std::vector<fs::path> named = {backend};
  if (backend.starts_with(kProgram)) {
    named = NamedIn(backend.substr(kProgram.size()));
    paths.Add(".");
    paths.AddList(std::getenv("PATH"), true);
  } else {
    for (const fs::path& path : NamedIn(ListLibraries(fs::absolute(backend).string()))) paths.AddFile(path);
  }
  for (const fs::path& path : named) paths.AddFile(path);
  for (const std::string& path : options.allow_read) paths.AddAsked(path);
  return paths.Without(Hidden(options, named));
}

bool MayRead(const std::vector<Readable>& readable, const std::string& path) {
  std::error_code none;
  const fs::path real = fs::canonical(path, none);
  return !none && std::any_of(readable.begin(), readable.end(), [&real](const Readable& each) {
    return each.names_only ? real == each.path : Holds(each.path, real);
  });
}

}  // namespace poolproof::worker
