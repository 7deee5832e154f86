// Names with wildcards: the one matcher of --filter, of baselines and of names of environment variables.
#ifndef POOLPROOF_CONFORMANCE_FORMAT_GLOB_H_
#define POOLPROOF_CONFORMANCE_FORMAT_GLOB_H_

#include <string_view>

namespace poolproof {

// Whether `text` is what `pattern` describes: "*" stands for any bytes, "?" for exactly one, every other byte for
// itself. Time is at most the product of both lengths, whatever the pattern.
bool GlobMatches(std::string_view pattern, std::string_view text);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_FORMAT_GLOB_H_
