// Finds the spec files, built in or in a folder, and reads them into one Specs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "conformance/cases/embedded.h"
#include "conformance/cases/read.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDocuments = "documents.json";
constexpr std::string_view kLedger = "discrepancies.json";
constexpr std::string_view kNetworks = "networks.json";
constexpr std::string_view kSchemas = "schema";
// Larger than all specs together will ever be.
constexpr uintmax_t kMaxFileBytes = uintmax_t{16} << 20;

struct File {
  std::string path;  // relative to the specs folder
  std::string name;  // as messages give it
  std::string text;
};

// FNV-1a over path and contents of every file, in order of the paths.
class Digest {
 public:
  void Add(std::string_view text) {
    for (char c : text) Add(static_cast<unsigned char>(c));
    Add(static_cast<unsigned char>(0));
  }
  std::string Hex() const {
    char buffer[17];
    std::snprintf(buffer, sizeof(buffer), "%016llx", static_cast<unsigned long long>(state_));
    return buffer;
  }

 private:
  void Add(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3u; }
  uint64_t state_ = 0xcbf29ce484222325u;
};

bool ReadText(const fs::path& path, std::string* text, Error* error) {
  std::error_code code;
  const uintmax_t size = fs::file_size(path, code);
  if (code) {
    error->message = path.string() + ": cannot be read: " + code.message();
    return false;
  }
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
  if (code) {
    error->message = directory + ": cannot be read: " + code.message();
    return false;
  }
  for (const std::string& path : paths) {
    File file{path, (root / path).string(), ""};
    if (!ReadText(root / path, &file.text, error)) return false;
    files->push_back(std::move(file));
  }
  for (std::string_view needed : {kDocuments, kLedger}) {
    if (std::find(paths.begin(), paths.end(), needed) != paths.end()) continue;
    error->message = (root / needed).string() + ": there is no such file";
    return false;
  }
  return true;
}

template <typename T>
void Append(std::vector<T> from, std::vector<T>* to) {
  std::move(from.begin(), from.end(), std::back_inserter(*to));
}

bool ReadInto(const File& file, Specs* specs, Error* error) {
  const std::optional<Json> value = ParseDocument(file.name, file.text, error);
  if (!value) return false;
  FirstError first_error{file.name, {}};
  const Node root(*value, &first_error);
  if (file.path == kDocuments) {
    Append(read::ReadDocumentsFile(root), &specs->documents);
  } else if (file.path == kLedger) {
    Append(read::ReadLedgerFile(root), &specs->ledger);
  } else if (file.path == kNetworks) {
    Append(read::ReadNetworksFile(root), &specs->networks);
  } else {
    read::OperatorFile read = read::ReadOperatorFile(root);
    read.spec.file = "specs/" + file.path;
    Append(std::move(read.documents), &specs->documents);
    specs->operators.push_back(std::move(read.spec));
  }
  if (first_error.Found()) *error = first_error.error;
  return !first_error.Found();
}

}  // namespace

std::optional<Specs> LoadSpecs(const std::string& directory, Error* error) {
  std::vector<File> files;
  if (directory.empty()) {
    for (const EmbeddedFile& file : EmbeddedSpecs()) {
      const std::string path(file.path);
      files.push_back({path, "specs/" + path, std::string(file.text)});
    }
  } else if (!ReadFolder(directory, &files, error)) {
    return std::nullopt;
  }
  Specs specs;
  Digest digest;
  for (const File& file : files) {
    if (!ReadInto(file, &specs, error)) return std::nullopt;
    digest.Add(file.path);
    digest.Add(file.text);
  }
  if (specs.operators.empty()) {
    error->message = directory + ": holds no operator, no file such as openvino/max_pool_8.json";
    return std::nullopt;
  }
  specs.digest = digest.Hex();
  return specs;
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
