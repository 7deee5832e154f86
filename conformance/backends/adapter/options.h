// The "key=value" options of an instance.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_OPTIONS_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_OPTIONS_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/adapter/pool_call.h"

namespace poolproof::adapter {

// An adapter takes the options it knows; what is left at the end is an error.
class Options {
 public:
  // INVALID_ARGUMENT for an option without '='.
  static Answer Read(const char* const* options, size_t count, Options* out);

  // The value of `key`, or `otherwise`; either way the key is known from now on.
  std::string Take(const std::string& key, std::string otherwise);
  // The position in `words` of the value of `key`, words[0] where the key is absent. A value that
  // is not in `words` is remembered as the error.
  size_t TakeWord(const std::string& key, const std::vector<std::string>& words);

  // INVALID_ARGUMENT if a value or a key was wrong.
  Answer Finish() const;

 private:
  std::map<std::string, std::string> left_;
  std::string error_;
};

}  // namespace poolproof::adapter

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_OPTIONS_H_
