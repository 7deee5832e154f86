// Devices that a backend process may use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/worker/cell_options.h"

namespace poolproof::worker {

// Paths of the devices that the options allow, and of those that every process has.
std::vector<std::string> DevicesOf(const CellOptions& options);

// Whether an NVIDIA device is allowed, whose driver does more at its start than open devices.
bool AllowsNvidia(const CellOptions& options);

}  // namespace poolproof::worker
