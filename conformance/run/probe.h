// Finds out what a backend has.
#pragma once

#include <string>

#include "conformance/cases/support.h"
#include "conformance/worker/lane.h"

namespace poolproof {

// Asks the backend a few thousand small calls: each function with each element type and rank, and then,
// where it has one of them, with each word, flag, absence and kind of window, one at a time. A call that
// is answered in any way but "unsupported", a crash included, is one that the backend has. The lane's
// process is started afresh afterwards. Nothing is submitted to the lane at the time.
Support ProbeBackend(const Specs& specs, Lane& lane);

// A probe file: {"poolproof_probe":1,"backend":{...},"specs":"DIGEST","lacks":{...}}.
std::string ProbeText(const Specs& specs, const BackendInfo& backend, const Support& support);
// Reads one. One sentence with the file where it is none, or is of other specs.
std::optional<Support> ReadProbe(const Specs& specs, const std::string& path, Error* error);

}  // namespace poolproof
