// Text of a backend, made safe to show.
#ifndef POOLPROOF_CONFORMANCE_WORKER_PRINTABLE_H_
#define POOLPROOF_CONFORMANCE_WORKER_PRINTABLE_H_

#include <string>
#include <string_view>

namespace poolproof {

// Valid UTF-8 on one line without control characters: line ends, escapes, other control characters,
// marks that change the direction of writing, and bytes that are no UTF-8 are shown as "\n",
// "\x1b", "\u202e". At most `max_bytes` of `text`, then "...".
std::string Printable(std::string_view text, size_t max_bytes = 1023);

// Before each line that is not ours in the sentence about a backend that could not be started: what it
// wrote to stderr last.
inline constexpr std::string_view kSaid = "\n  | ";

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_WORKER_PRINTABLE_H_
