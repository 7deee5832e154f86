#include "conformance/backends/adapter/options.h"

#include <algorithm>

namespace poolproof::adapter {

Answer Options::Read(const char* const* options, size_t count, Options* out) {
  for (size_t i = 0; i < count; ++i) {
    const std::string text = options[i];
    const size_t equals = text.find('=');
    if (equals == std::string::npos) return Invalid("option '" + text + "' is not key=value");
    out->left_[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return {};
}

std::string Options::Take(const std::string& key, std::string otherwise) {
  const auto found = left_.find(key);
  if (found == left_.end()) return otherwise;
  std::string value = found->second;
  left_.erase(found);
  return value;
}

size_t Options::TakeWord(const std::string& key, const std::vector<std::string>& words) {
  const std::string value = Take(key, words.front());
  const auto found = std::find(words.begin(), words.end(), value);
  if (found != words.end()) return static_cast<size_t>(found - words.begin());
  error_ = "option " + key + "=" + value + " is none of";
  for (const std::string& word : words) error_ += " " + word;
  return 0;
}

Answer Options::Finish() const {
  if (!error_.empty()) return Invalid(error_);
  if (!left_.empty()) return Invalid("there is no option '" + left_.begin()->first + "'");
  return {};
}

}  // namespace poolproof::adapter
