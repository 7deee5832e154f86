// Finds the spec files, built in or in a folder, and parses them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "conformance/cases/assemble.h"
#include "conformance/cases/embedded.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchemas = "schema";
// Larger than all specs together will ever be.
constexpr uintmax_t kMaxFileBytes = uintmax_t{16} << 20;

struct File {
  std::string path;  // relative to the specs folder
  std::string name;  // as messages give it
  std::string text;
};

bool ReadText(const fs::path& path, std::string* text, Error* error) {
  std::error_code code;
  const uintmax_t size = fs::file_size(path, code);
  if (code) return Fail(path.string() + ": cannot be read: " + code.message(), error);
  if (size > kMaxFileBytes) {
    error->message =
        path.string() + ": has " + std::to_string(size) + " bytes, more than " + std::to_string(kMaxFileBytes);
    return false;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream contents;
  contents << stream.rdbuf();
  if (!stream) {
    // An empty file sets the stream's error as well; only the parser has something to say of it.
    if (size != 0) error->message = path.string() + ": cannot be read";
    return size == 0;
  }
  *text = std::move(contents).str();
  return true;
}

std::vector<std::string> JsonFilesIn(const fs::path& folder, std::error_code* code) {
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, *code), end; !*code && it != end; it.increment(*code)) {
    if (it->path().extension() == ".json") names.push_back(it->path().filename().string());
  }
  return names;
}

// Relative paths of the files: those of the folder itself and one level below, but for the schemas.
std::vector<std::string> FindFiles(const fs::path& root, std::error_code* code) {
  std::vector<std::string> paths = JsonFilesIn(root, code);
  for (fs::directory_iterator it(root, *code), end; !*code && it != end; it.increment(*code)) {
    const std::string folder = it->path().filename().string();
    if (!it->is_directory() || folder == kSchemas) continue;
    for (const std::string& name : JsonFilesIn(it->path(), code)) {
      paths.push_back(folder + "/" + name);
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool ReadFolder(const std::string& directory, std::vector<File>* files, Error* error) {
  std::error_code code;
  const fs::path root(directory);
  const std::vector<std::string> paths = FindFiles(root, &code);
  if (code) return Fail(directory + ": cannot be read: " + code.message(), error);
  for (const std::string& path : paths) {
    File file{path, (root / path).string(), ""};
    if (!ReadText(root / path, &file.text, error)) return false;
    files->push_back(std::move(file));
  }
  if (std::find(paths.begin(), paths.end(), kLedgerFile) != paths.end()) return true;
  return Fail((root / kLedgerFile).string() + ": there is no such file", error);
}

// Every file of the directory, or of the program where it is empty, parsed, in order of the paths.
std::optional<std::vector<SpecFile>> ParseFiles(const std::string& directory, Error* error) {
  std::vector<File> files;
  if (directory.empty()) {
    for (const EmbeddedFile& file : EmbeddedSpecs()) {
      const std::string path(file.path);
      files.push_back({path, "specs/" + path, std::string(file.text)});
    }
  } else if (!ReadFolder(directory, &files, error)) {
    return std::nullopt;
  }
  std::vector<SpecFile> parsed;
  for (const File& file : files) {
    std::optional<Json> value = ParseDocument(file.name, file.text, error);
    if (!value) return std::nullopt;
    parsed.push_back({file.path, file.name, *std::move(value)});
  }
  return parsed;
}

}  // namespace

std::optional<Specs> LoadSpecs(const std::string& directory, Error* error) {
  const std::optional<std::vector<SpecFile>> files = ParseFiles(directory, error);
  std::optional<Specs> specs = files ? AssembleSpecs(*files, nullptr, error) : std::nullopt;
  if (!specs || !specs->operators.empty()) return specs;
  error->message = directory + ": holds no operator, no file such as openvino/max_pool_8.json";
  return std::nullopt;
}

std::optional<std::vector<ExpandedFile>> LoadExpandedFiles(const std::string& directory, Error* error) {
  std::vector<ExpandedFile> expanded;
  const std::optional<std::vector<SpecFile>> files = ParseFiles(directory, error);
  if (!files || !AssembleSpecs(*files, &expanded, error)) return std::nullopt;
  return expanded;
}

const Specs& BuiltInSpecs() {
  static const Specs specs = [] {
    Error error;
    std::optional<Specs> loaded = LoadSpecs("", &error);
    if (!loaded) std::fprintf(stderr, "%s\n", error.message.c_str());
    if (!loaded) std::abort();
    return *std::move(loaded);
  }();
  return specs;
}

}  // namespace poolproof
