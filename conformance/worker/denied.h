// Finds what the cell denied in what a backend says, and the options that allow it.
#pragma once

#include <string>
#include <string_view>

#include "conformance/worker/cell_options.h"

namespace poolproof {

// The options for what `said`, lines that a backend or the loader wrote, complains of, ready to be pasted:
// "--allow-read=/opt/model"; "" where it complains of nothing that the cell of these options denies.
std::string OptionsFor(std::string_view said, const CellOptions& options);

}  // namespace poolproof
