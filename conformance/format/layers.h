// Effect of a group of failures on layers of published networks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/format/keys.h"

namespace poolproof {

struct PublishedLayers {
  std::optional<uint64_t> matching;  // layers for which the condition of the group holds; nothing: it has none
  uint64_t run = 0;       // those that had a case in the run: of these, or of the group's operators and element types
  uint64_t failing = 0;   // and those of which a case is in the group
  uint64_t all = 0;       // layers of the specs
  uint64_t networks = 0;  // of those that match, or fail where there is no condition
  std::string first;      // of these, in the order of the specs; empty for none

  // "42 of 640 published layers match where it fails, in 17 networks, ResNet-50 first; of 30 that were run 12 fail".
  std::string Text() const;

  static constexpr char kWhat[] = "layers";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& l, Keys&& keys) {
    constexpr Need kRequired = Need::kRequired, kOptional = Need::kOptional;
    return keys("matching", l.matching, kOptional) && keys("run", l.run, kRequired) &&
           keys("failing", l.failing, kRequired) && keys("all", l.all, kRequired) &&
           keys("networks", l.networks, kRequired) && keys("first", l.first, kOptional);
  }
};

}  // namespace poolproof
