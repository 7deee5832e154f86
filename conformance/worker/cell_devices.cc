#include "conformance/worker/cell_devices.h"

#include <glob.h>

#include <algorithm>
#include <iterator>

#include "conformance/format/glob.h"

namespace poolproof {
namespace {

struct Kind {
  std::string_view name;
  std::vector<std::string_view> paths;
};
const Kind kKinds[] = {
    {"nvidia", {"/dev/nvidia*", "/dev/nvmap", "/dev/nvhost-*"}},
    {"dri", {"/dev/dri"}},
    {"kfd", {"/dev/kfd", "/dev/dri"}},
    {"accel", {"/dev/accel*"}},
};

std::vector<std::string> Matches(const std::string& pattern, int flags) {
  std::vector<std::string> paths;
  glob_t found = {};
  if (glob(pattern.c_str(), flags, nullptr, &found) == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

// Whether one of the options allows such a device, whatever else it allows.
bool Allows(const CellOptions& options, std::string_view path) {
  const std::string_view begin = path.substr(0, path.find('*'));
  return std::any_of(options.allow_devices.begin(), options.allow_devices.end(), [begin](const std::string& pattern) {
    return pattern.starts_with(begin) || GlobMatches(pattern, begin);
  });
}

}  // namespace

std::vector<std::string> DeviceKinds() {
  std::vector<std::string> names;
  std::transform(std::begin(kKinds), std::end(kKinds), std::back_inserter(names),
                 [](const Kind& kind) { return std::string(kind.name); });
  return names;
}

std::vector<std::string> PathsOfDevice(std::string_view name) {
  const auto kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [name](const Kind& k) { return k.name == name; });
  return kind == std::end(kKinds) ? std::vector<std::string>()
                                  : std::vector<std::string>(kind->paths.begin(), kind->paths.end());
}

bool AllowsGpu(const CellOptions& options) {
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&options](const Kind& kind) {
    return std::any_of(kind.paths.begin(), kind.paths.end(),
                       [&options](std::string_view path) { return Allows(options, path); });
  });
}

std::string DevicesKeptAway(const CellOptions& options, const std::string& root) {
  std::string text;
  for (const Kind& kind : kKinds) {
    const std::string_view path = kind.paths.front();
    const std::vector<std::string> there = Matches(root + std::string(path), 0);
    if (there.empty() || Allows(options, path)) continue;
    text += (text.empty() ? "" : ", ") + there.front() + ": --device=" + std::string(kind.name);
  }
  return text;
}

namespace worker {

std::vector<std::string> DevicesOf(const CellOptions& options) {
  // A private mapping of /dev/zero is memory like any other, a shared one is in no limit: neither is to be had.
  std::vector<std::string> devices = {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom"};
  for (const std::string& pattern : options.allow_devices) {
    const std::vector<std::string> found = Matches(pattern, GLOB_NOCHECK);
    devices.insert(devices.end(), found.begin(), found.end());
  }
  return devices;
}

bool AllowsNvidia(const CellOptions& options) { return Allows(options, "/dev/nvidia*"); }

}  // namespace worker
}  // namespace poolproof
