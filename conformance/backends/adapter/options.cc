#include "conformance/backends/adapter/options.h"

#include <algorithm>

#include "conformance/backend_helper.h"

namespace poolproof::adapter {

Options::Options(const std::vector<std::string>& options) {
  for (const std::string& text : options) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) throw backend::InvalidArgument("option '" + text + "' is not key=value");
    left_[text.substr(0, equals)] = text.substr(equals + 1);
  }
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
  std::string error = "option " + key + "=" + value + " is none of";
  for (const std::string& word : words) error += " " + word;
  throw backend::InvalidArgument(error);
}

void Options::Finish() const {
  if (!left_.empty()) throw backend::InvalidArgument("there is no option '" + left_.begin()->first + "'");
}

}  // namespace poolproof::adapter
