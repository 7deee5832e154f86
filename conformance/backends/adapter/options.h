// The "key=value" options of an instance.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace poolproof::adapter {

// An adapter takes the options it knows; what is left at the end is an error.
class Options {
 public:
  // Throws InvalidArgument for an option without '='.
  explicit Options(const std::vector<std::string>& options);

  // The value of `key`, or `otherwise`; either way the key is known from now on.
  std::string Take(const std::string& key, std::string otherwise);
  // The position in `words` of the value of `key`, words[0] where the key is absent. Throws
  // InvalidArgument for a value that is not in `words`.
  size_t TakeWord(const std::string& key, const std::vector<std::string>& words);

  // Throws InvalidArgument if an option was not taken.
  void Finish() const;

 private:
  std::map<std::string, std::string> left_;
};

}  // namespace poolproof::adapter
