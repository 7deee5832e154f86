#include <charconv>
#include <cstdlib>

#include "reports/run.h"

namespace poolproof::reports {
namespace {

// Integer attributes are shown in these ranges. A list is counted at its largest entry, and once
// more under the last range if its entries differ.
enum Range { kLeftOut, kNegative, kZero, kOne, kTwo, kThree, kFourUp, kEightUp, kMixed, kRanges };
constexpr const char* kRangeNames[kRanges] = {"absent", "negative", "0",           "1",       "2",
                                              "3",      "4 to 7",   "8 and above", "per axis"};

Range RangeOf(int64_t value) {
  if (value < 0) return kNegative;
  if (value <= 3) return static_cast<Range>(kZero + value);
  return value < 8 ? kFourUp : kEightUp;
}

struct Extent {
  int64_t largest = INT64_MIN;
  bool differ = false;
};

// "3", "3x2", "[3,2]": whatever separates the numbers.
Extent ReadNumbers(std::string_view text) {
  Extent extent;
  bool first = true;
  for (size_t i = 0; i < text.size();) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
    if (error != std::errc()) {
      ++i;
      continue;
    }
    i = static_cast<size_t>(end - text.data());
    extent.differ |= !first && value != extent.largest;
    extent.largest = std::max(extent.largest, value);
    first = false;
  }
  return extent;
}

void CountWord(std::string_view word, Verdict verdict, AttributeTally* attribute) {
  ValueTally* other = &attribute->values.back();
  for (ValueTally& value : attribute->values) {
    if (value.value == word) other = &value;
  }
  ++other->counts[verdict];
}

void CountNumbers(std::string_view text, Verdict verdict, AttributeTally* attribute) {
  const Extent extent = ReadNumbers(text);
  if (extent.largest == INT64_MIN) return;
  ++attribute->values[RangeOf(extent.largest)].counts[verdict];
  if (extent.differ) ++attribute->values[kMixed].counts[verdict];
}

}  // namespace

std::vector<AttributeTally> EmptyAttributes(const Json& header_operator) {
  std::vector<AttributeTally> attributes;
  for (const Json& spec : ArrayOr(header_operator, "attributes")) {
    AttributeTally attribute{StringOr(spec, "name"), StringOr(spec, "key"), false, {}};
    const std::vector<std::string> words = StringsOf(spec, "words");
    attribute.is_word = !words.empty();
    if (attribute.is_word) {
      attribute.values.push_back({kRangeNames[kLeftOut], {}});
      for (const std::string& word : words) attribute.values.push_back({word, {}});
      attribute.values.push_back({"any other word", {}});
    } else {
      for (const char* name : kRangeNames) attribute.values.push_back({name, {}});
    }
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

void TallyAttributes(std::string_view line, Verdict verdict, std::vector<AttributeTally>* attributes) {
  uint64_t present = 0;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    const size_t equals = word.find('=');
    if (equals == word.npos) continue;
    for (size_t i = 0; i < attributes->size() && i < 64; ++i) {
      AttributeTally& attribute = (*attributes)[i];
      if (attribute.key != word.substr(0, equals)) continue;
      present |= uint64_t{1} << i;
      const std::string_view value = word.substr(equals + 1);
      attribute.is_word ? CountWord(value, verdict, &attribute) : CountNumbers(value, verdict, &attribute);
    }
  }
  for (size_t i = 0; i < attributes->size() && i < 64; ++i) {
    if ((present >> i & 1u) == 0) ++(*attributes)[i].values.front().counts[verdict];
  }
}

}  // namespace poolproof::reports
