// Problems and expected outputs as files, for teams that cannot load a library; and their outputs
// judged. conformance/worker/VECTORS.md describes the files.
#pragma once

#include <string>

#include "conformance/run/session.h"

namespace poolproof {

// Writes the cases of a plan and the manifest into an empty or new folder; `count` is what was
// written. Cases too large to compute are left out.
bool WriteVectors(const Plan& plan, const std::string& profile, const reference::Selection& selection,
                  const std::string& folder, uint64_t* count, Error* error);

// Judges the outputs in `folder`. A case of which a vector or an output is not there is `missing`; a
// folder that does not hold what its manifest says is refused. Of `options` count the profile by which
// to judge (that of the vectors where empty), baseline_path, out and phase, which says how far it is; the rest is
// filled. On an error one sentence and the exit code that fits.
std::optional<RunResult> JudgeVectors(const Specs& specs, SessionOptions* options, const std::string& folder,
                                      int* exit_code, Error* error);

}  // namespace poolproof
