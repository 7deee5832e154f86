// What this program plans, in one word.
#ifndef POOLPROOF_CONFORMANCE_RUN_PLAN_DIGEST_H_
#define POOLPROOF_CONFORMANCE_RUN_PLAN_DIGEST_H_

#include <string>

#include "conformance/spec/spec.h"

namespace poolproof {

// 32 hexadecimal digits: over section, id and line of every fixed case of level full, and the first of
// the random ones, by which a change of how they are drawn shows. Empty, and a sentence, where a line of
// the specs is no problem.
std::string PlanDigest(const Specs& specs, Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_PLAN_DIGEST_H_
