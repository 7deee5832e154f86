#include "conformance/worker/denied.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "conformance/format/text.h"
#include "conformance/worker/cell_paths.h"
#include "conformance/worker/program_output.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;

const std::string kAllows = "what allows it: ";
const std::string kWriting = "it may write below $TMPDIR alone; " + kAllows + "--isolation=none";

bool Has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// As the C library and Python say it, or Go and Node.js.
bool IsRefusal(std::string_view line) { return Has(line, "Permission denied") || Has(line, "permission denied"); }

// The paths in a line that begin at the root, or above this folder.
std::vector<std::string> PathsIn(const std::string& line) {
  constexpr std::string_view kBefore = " \t'\"(=:", kAfter = "'\":,;)";
  std::vector<std::string> paths;
  for (size_t begin = 0; (begin = line.find('/', begin)) != line.npos; ++begin) {
    if (begin >= 2 && line.compare(begin - 2, 2, "..") == 0) begin -= 2;
    if (begin > 0 && !Has(kBefore, line.substr(begin - 1, 1))) {
      begin = line.find('/', begin);
      continue;
    }
    const char quote = begin > 0 ? line[begin - 1] : ' ';
    const bool quoted = quote == '\'' || quote == '"';
    const size_t end =
        quoted ? line.find(quote, begin) : std::min(line.find_first_of(kAfter, begin), line.find(' ', begin));
    paths.push_back(line.substr(begin, end - begin));
    begin = std::min(end, line.size() - 1);
  }
  return paths;
}

// Paths that the line says were opened or created: what it quotes, and the word after one that says so ("open" of the
// loader's "cannot open shared object file: Permission denied" is none).
std::vector<std::string> OpenedIn(const std::string& line) {
  constexpr std::string_view kSays[] = {"create", "open", "mkdir", "touch", "write"};
  std::vector<std::string> names;
  for (const char quote : {'\'', '"'}) {
    size_t begin = line.find(quote);
    for (size_t end; begin != line.npos && (end = line.find(quote, begin + 1)) != line.npos;
         begin = line.find(quote, end + 1))
      names.push_back(line.substr(begin + 1, end - begin - 1));
  }
  std::istringstream words(line);
  for (std::string before, word; words >> word; before = word) {
    const bool says = std::find(std::begin(kSays), std::end(kSays), before) != std::end(kSays) && word.ends_with(':');
    if (says || before == "-") names.push_back(word.substr(0, word.size() - (says ? 1 : 0)));
  }
  return names;
}

// Whether only writing it can have been denied: it may be read, or is not there, in a folder that is.
bool IsToWrite(const std::string& name, const std::vector<worker::Readable>& readable) {
  constexpr std::string_view kOfSystem[] = {"/dev/", "/proc/", "/sys/"};
  std::error_code none;
  const fs::path path = fs::absolute(name, none).lexically_normal();
  const bool system = std::any_of(std::begin(kOfSystem), std::end(kOfSystem),
                                  [&path](std::string_view folder) { return path.string().starts_with(folder); });
  if (name.empty() || none || system) return false;
  if (fs::exists(path, none)) return worker::MayRead(readable, path) && access(path.c_str(), W_OK) == 0;
  return !none && access(path.parent_path().c_str(), W_OK) == 0;
}

// A program in a "bin" needs what lies beside that.
std::string OptionFor(const std::string& path) {
  if (path.starts_with("/dev/")) return "--allow-device=" + ShellQuoted(path);
  const size_t bin = path.rfind("/bin/");
  return "--allow-read=" + ShellQuoted(bin == path.npos || bin == 0 ? path : path.substr(0, bin));
}

// The top-level module that Python did not find, "" where the line does not say so.
std::string ModuleIn(const std::string& line) {
  constexpr std::string_view kNoModule = "No module named '",
                             kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const size_t at = line.find(kNoModule);
  if (at == line.npos) return "";
  const size_t begin = at + kNoModule.size(), end = line.find_first_not_of(kLetters, begin);
  // Only a name may go into a command.
  return end != line.npos && Has(".'", line.substr(end, 1)) ? line.substr(begin, end - begin) : "";
}

// The folder that python3 finds it in without running any of it; "" where it is not installed.
std::string FolderOfModule(const std::string& name) {
  std::vector<std::string> environment;
  for (char** each = environ; *each != nullptr; ++each) environment.emplace_back(*each);
  const std::string code = "import importlib.util as u; s = u.find_spec(\"" + name +
                           "\"); print(s.origin.rpartition(\"/\")[0] if s and s.origin else \"\", end=\"\")";
  return worker::OutputOf("/bin/sh", {"sh", "-c", "exec python3 -c '" + code + "'"}, environment);
}

void Add(const std::string& option, std::string* text) {
  if (!Has(*text + " ", option + " ")) *text += (text->empty() ? "" : " ") + option;
}

}  // namespace

std::string WhatAllows(std::string_view said, const CellOptions& options, const std::string& backend) {
  if (options.isolation == Isolation::kNone) return "";
  const std::vector<worker::Readable> readable = worker::ReadablePaths(options, backend);
  std::string text;
  bool socket = false;
  std::istringstream lines{std::string(said)};
  for (std::string line; std::getline(lines, line);) {
    socket = socket || Has(line, "socket") || Has(line, "connect");
    if (Has(line, "name resolution") && !options.allow_network) Add("--allow-network", &text);
    if (const std::string name = ModuleIn(line); !name.empty()) {
      const std::string folder = FolderOfModule(name);
      if (!folder.empty() && !worker::MayRead(readable, folder)) Add("--allow-read=" + ShellQuoted(folder), &text);
    }
    if (!IsRefusal(line)) continue;
    const std::vector<std::string> opened = OpenedIn(line);
    if (std::any_of(opened.begin(), opened.end(), [&](const auto& name) { return IsToWrite(name, readable); }))
      return kWriting;
    bool path_named = false;
    for (const std::string& path : PathsIn(line)) {
      // Or the system denies it, whoever asks.
      if (worker::MayRead(readable, path) || access(path.c_str(), R_OK) != 0) continue;
      Add(OptionFor(path), &text);
      path_named = true;
    }
    if (!path_named && socket && !options.allow_network) Add("--allow-network", &text);
  }
  return text.empty() ? "" : kAllows + text;
}

}  // namespace poolproof
