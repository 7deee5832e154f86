// Names of the embARC MLI pooling functions, mli_krn_{maxpool|avepool}_{chw|hwc}_{fx8|fx16}[_spec],
// and what a specialization is restricted to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "conformance/backend.h"

namespace poolproof::reference {

enum class MliPadding { kAny, kNone, kKernel };

// A function. Members that are 0, false or kAny restrict nothing.
struct MliFunction {
  poolproof_element_type type = POOLPROOF_FX8;
  bool hwc = false;
  int kernel_width = 0;
  int kernel_height = 0;
  int channels = 0;
  bool stride_1 = false;
  MliPadding padding = MliPadding::kAny;
};

// The function of the maximum ("maxpool") or average ("avepool") with that name; nothing where the
// library declares none. Without specialization a name is the switch (chw) or the one function
// (hwc). Per element type chw also has 78 specializations for the maximum and 40 for the average,
// `generic` among them.
std::optional<MliFunction> ParseMliName(std::string_view operation, std::string_view name);

}  // namespace poolproof::reference
