#include "conformance/format/packed.h"

#include <algorithm>
#include <array>
#include <bit>

namespace poolproof {
namespace {

constexpr std::string_view kPackedDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr unsigned kPackedDigitBits = 6;
constexpr unsigned kPackedOrders = 32;
// Numbers are below 2^62, so that one with 2^order added to it fits.
constexpr unsigned kMaxBits = 62;

constexpr std::array<int8_t, 256> MakeValues() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (size_t i = 0; i < kPackedDigits.size(); ++i)
    values[static_cast<uint8_t>(kPackedDigits[i])] = static_cast<int8_t>(i);
  return values;
}
constexpr std::array<int8_t, 256> kValues = MakeValues();

// Bits that the code of this order takes for a number.
unsigned LengthOf(uint64_t number, unsigned order) {
  return 2 * static_cast<unsigned>(std::bit_width(number + (uint64_t{1} << order))) - 1 - order;
}

unsigned ShortestOrder(const std::vector<uint64_t>& numbers) {
  unsigned best = 0;
  uint64_t least = UINT64_MAX;
  for (unsigned order = 0; order < kPackedOrders; ++order) {
    uint64_t bits = 0;
    for (const uint64_t number : numbers) bits += LengthOf(number, order);
    if (bits >= least) continue;
    least = bits;
    best = order;
  }
  return best;
}

class BitWriter {
 public:
  explicit BitWriter(std::string* out) : out_(*out) {}
  void Write(uint64_t bits, unsigned count) {
    while (count-- > 0) {
      digit_ = digit_ << 1 | (bits >> count & 1u);
      if (++filled_ == kPackedDigitBits) Flush();
    }
  }
  // Fills the last digit up with zeros.
  void End() {
    if (filled_ > 0) Write(0, kPackedDigitBits - filled_);
  }

 private:
  void Flush() {
    out_ += kPackedDigits[digit_];
    digit_ = filled_ = 0;
  }

  std::string& out_;
  unsigned digit_ = 0, filled_ = 0;
};

}  // namespace

std::string PackNumbers(const std::vector<uint64_t>& numbers) {
  const unsigned order = ShortestOrder(numbers);
  std::string text(1, kPackedDigits[order]);
  BitWriter writer(&text);
  for (const uint64_t number : numbers) {
    const uint64_t raised = number + (uint64_t{1} << order);
    const unsigned width = static_cast<unsigned>(std::bit_width(raised));
    writer.Write(0, width - 1 - order);
    writer.Write(raised, width);
  }
  writer.End();
  return text;
}

std::string PackPlaces(const std::vector<uint64_t>& places) {
  std::vector<uint64_t> gaps;
  gaps.reserve(places.size());
  uint64_t next = 0;
  for (const uint64_t place : places) {
    gaps.push_back(place - next);
    next = place + 1;
  }
  return PackNumbers(gaps);
}

PackedNumbers::PackedNumbers(std::string_view text) : text_(text) {
  const int order = text.empty() ? -1 : kValues[static_cast<uint8_t>(text[0])];
  good_ = order >= 0 && order < static_cast<int>(kPackedOrders);
  if (good_) order_ = static_cast<unsigned>(order);
}

std::optional<unsigned> PackedNumbers::Bit() {
  if (left_ == 0) {
    if (at_ >= text_.size()) return std::nullopt;
    const int value = kValues[static_cast<uint8_t>(text_[at_++])];
    good_ = value >= 0;
    if (!good_) return std::nullopt;
    digit_ = static_cast<unsigned>(value);
    left_ = kPackedDigitBits;
  }
  return digit_ >> --left_ & 1u;
}

std::optional<uint64_t> PackedNumbers::Next() {
  if (!good_) return std::nullopt;
  unsigned width = order_ + 1;  // of the number with 2^order added to it
  std::optional<unsigned> bit = Bit();
  while (bit && *bit == 0 && width <= kMaxBits) {
    ++width;
    bit = Bit();
  }
  if (!bit) {
    good_ = good_ && width - order_ - 1 < kPackedDigitBits;  // zeros fill the last digit
    return std::nullopt;
  }
  uint64_t raised = 1;
  for (unsigned i = 1; i < width && bit && width <= kMaxBits; ++i) {
    bit = Bit();
    if (bit) raised = raised << 1 | *bit;
  }
  good_ = bit.has_value() && width <= kMaxBits;
  if (!good_) return std::nullopt;
  return raised - (uint64_t{1} << order_);
}

}  // namespace poolproof
