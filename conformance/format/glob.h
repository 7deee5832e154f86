// Names with wildcards: the one matcher of --filter, of baselines and of names of environment variables.
#pragma once

#include <string_view>

namespace poolproof {

// Whether `text` is what `pattern` describes: "*" stands for any bytes, "?" for exactly one, every other byte for
// itself. Time is at most the product of both lengths, whatever the pattern.
bool GlobMatches(std::string_view pattern, std::string_view text);

}  // namespace poolproof
