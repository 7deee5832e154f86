// Mapping rules: which calls an adapter does not pass on to its library, and why, as data.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_RULE_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_RULE_H_

#include <string>

#include "conformance/backends/adapter/pool_call.h"

namespace poolproof::adapter {

// A call for which `applies` holds is UNSUPPORTED. The text is what last_error says and what
// poolproof_adapter_rules lists, so it stands alone: "dilations above 1: the library has none".
struct Rule {
  const char* condition;
  const char* reason;
  bool (*applies)(const PoolCall& call);

  std::string Text() const { return std::string(condition) + ": " + reason; }
};

}  // namespace poolproof::adapter

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_RULE_H_
