// The mutants' own computation: nested loops over all windows with the hooks of a mutant.
#ifndef POOLPROOF_CONFORMANCE_MUTANTS_PLAIN_POOL_H_
#define POOLPROOF_CONFORMANCE_MUTANTS_PLAIN_POOL_H_

#include "conformance/mutants/mutant.h"

namespace poolproof::mutants {

// Computes a call that infer_shapes has accepted, into outputs of the described size. Reads no byte
// outside the feature map, whatever the hooks make of the windows.
void PlainPool(const Hooks& hooks, const poolproof_call& call);
// The same with the hooks of several mutants, one after the other; of two that reduce the last does.
void PlainPool(std::span<const Hooks* const> all, const poolproof_call& call);

}  // namespace poolproof::mutants

#endif  // POOLPROOF_CONFORMANCE_MUTANTS_PLAIN_POOL_H_
