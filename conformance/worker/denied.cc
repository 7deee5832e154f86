#include "conformance/worker/denied.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

bool Has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

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

// Whether it lies where a cell lets nobody read; elsewhere it was writing that was denied.
bool IsElsewhere(const std::string& path) {
  constexpr std::string_view kReadable[] = {"/usr/", "/etc/", "/opt/", "/proc/", "/sys/"};
  return std::none_of(std::begin(kReadable), std::end(kReadable),
                      [&path](std::string_view folder) { return path.starts_with(folder); });
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

// Its folder, found without running any of it.
std::string OptionForModule(const std::string& name) {
  return "--allow-read=\"$(python3 -c 'import importlib.util as u; print(u.find_spec(\"" + name +
         "\").origin.rpartition(\"/\")[0])')\"";
}

void Add(const std::string& option, std::string* text) {
  if (!Has(*text + " ", option + " ")) *text += (text->empty() ? "" : " ") + option;
}

}  // namespace

std::string OptionsFor(std::string_view said, const CellOptions& options) {
  std::string text;
  if (options.isolation == Isolation::kNone) return text;
  bool socket = false;
  std::istringstream lines{std::string(said)};
  for (std::string line; std::getline(lines, line);) {
    socket = socket || Has(line, "socket") || Has(line, "connect");
    if (Has(line, "name resolution") && !options.allow_network) Add("--allow-network", &text);
    if (const std::string name = ModuleIn(line); !name.empty()) Add(OptionForModule(name), &text);
    if (!Has(line, "Permission denied")) continue;
    bool path_named = false;
    for (const std::string& path : PathsIn(line)) {
      if (!IsElsewhere(path) || access(path.c_str(), R_OK) != 0) continue;  // or the system denies it, whoever asks
      Add(OptionFor(path), &text);
      path_named = true;
    }
    if (!path_named && socket && !options.allow_network) Add("--allow-network", &text);
  }
  return text;
}

}  // namespace poolproof
