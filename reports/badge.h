// A badge: "poolproof | conforms" as SVG.
#pragma once

#include <string>

namespace poolproof::reports {

inline constexpr const char* kConformsColour = "#14692f";
inline constexpr const char* kExcusedColour = "#805000";
inline constexpr const char* kFailsColour = "#b01622";

std::string BadgeOf(const std::string& text, const std::string& colour);

}  // namespace poolproof::reports
