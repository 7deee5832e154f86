// Outputs before and after a run: filled with the placement's byte, slack of their pages included,
// and the slack compared afterwards.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/worker/shared_layout.h"

namespace poolproof::worker {

// Fills the pages that [data, data + bytes) touches.
void FillPages(std::byte* data, uint64_t bytes, std::byte value);

// Looks for bytes other than `value` in those pages, outside [data, data + bytes). True if there
// are any; `damage` then says how many and on which side (the start, if on both), but not of which
// output.
bool FindDamage(const std::byte* data, uint64_t bytes, std::byte value, SlackDamage* damage);

}  // namespace poolproof::worker
