#include "conformance/causes/machine/argued.h"

#include "argued_text.h"

namespace poolproof::machine {

std::string_view Arguments::BuiltIn() { return kArguments; }

std::string Arguments::Read(std::string_view text, const std::string& name) {
  std::string reason;
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("= ")) {
      reason = line.substr(2);
      continue;
    }
    const std::string place = name + ":" + std::to_string(number) + ": ";
    if (reason.empty()) return place + "no line \"= REASON\" comes before \"" + std::string(line) + "\".";
    if (!by_key_.emplace(line, Reason{reason, false}).second) {
      return place + "\"" + std::string(line) + "\" is argued twice.";
    }
  }
  return "";
}

const std::string* Arguments::ReasonOf(const Mutant& mutant) {
  const auto found = by_key_.find(mutant.Key());
  if (found == by_key_.end()) return nullptr;
  found->second.used = true;
  return &found->second.text;
}

std::vector<std::string> Arguments::Unused() const {
  std::vector<std::string> unused;
  for (const auto& [key, reason] : by_key_) {
    if (!reason.used) unused.push_back(key);
  }
  return unused;
}

}  // namespace poolproof::machine
