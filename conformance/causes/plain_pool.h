// The mutants' own computation: nested loops over all windows with the hooks of a mutant.
#pragma once

#include <functional>
#include <string>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {

// Computes a call that infer_shapes has accepted, into outputs of the described size. Reads no byte
// outside the feature map, whatever the hooks make of the windows.
void PlainPool(const Hooks& hooks, const poolproof_call& call);
// The same with the hooks of several mutants, one after the other; of two that reduce the last does.
void PlainPool(std::span<const Hooks* const> all, const poolproof_call& call);

// Whether the outputs of `call` are what `infer` makes of it and have room for it; if not, why.
poolproof_status CheckOutputs(const poolproof_call& call,
                              const std::function<poolproof_status(const poolproof_call&)>& infer, std::string* error);

}  // namespace poolproof::mutants
