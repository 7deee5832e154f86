// Many small numbers as short text, for lists of places (FORMAT.md, "Packed numbers").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poolproof {

// In the Exp-Golomb code of the order that makes the text shortest.
std::string PackNumbers(const std::vector<uint64_t>& numbers);
// Ascending places, as the distances between them.
std::string PackPlaces(const std::vector<uint64_t>& places);

// Reads packed numbers one by one. The text has to outlive it.
class PackedNumbers {
 public:
  explicit PackedNumbers(std::string_view text);
  // The next number; nothing at the end, or where the text is not as it is written.
  std::optional<uint64_t> Next();
  // After that: whether it was the end.
  bool AtEnd() const { return good_; }

 private:
  std::optional<unsigned> Bit();

  std::string_view text_;
  size_t at_ = 1;  // of the next character
  unsigned order_ = 0;
  unsigned digit_ = 0;  // the last character
  unsigned left_ = 0;   // bits of it that were not read
  bool good_ = true;
};

}  // namespace poolproof
