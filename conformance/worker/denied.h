// Finds what the cell denied in what a backend says, and the options that allow it.
#pragma once

#include <string>
#include <string_view>

#include "conformance/worker/cell_options.h"

namespace poolproof {

// The end of a sentence on what `said`, lines that a backend or the loader wrote, complains of: what allows it, ready
// to be pasted ("what allows it: --allow-read=/opt/model"), and for writing where that is allowed; "" where it
// complains of nothing that the cell of these options denies to this backend.
std::string WhatAllows(std::string_view said, const CellOptions& options, const std::string& backend);

}  // namespace poolproof
