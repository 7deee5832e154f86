#include "conformance/format/case_counts.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "conformance/format/reader.h"

namespace poolproof {
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

void CountWord(std::string_view word, Verdict verdict, AttributeCounts* attribute) {
  ValueCounts* other = &attribute->values.back();
  for (ValueCounts& value : attribute->values) {
    if (value.value == word) other = &value;
  }
  ++other->counts[verdict];
}

void CountNumbers(std::string_view text, Verdict verdict, AttributeCounts* attribute) {
  const Extent extent = ReadNumbers(text);
  if (extent.largest == INT64_MIN) return;
  ++attribute->values[RangeOf(extent.largest)].counts[verdict];
  if (extent.differ) ++attribute->values[kMixed].counts[verdict];
}

CountedLine::ByTwo AttributesOf(const std::vector<AttributeCounts>& attributes) {
  CountedLine::ByTwo counts;
  for (const AttributeCounts& attribute : attributes) {
    for (const ValueCounts& value : attribute.values) {
      if (value.counts.Total() > 0) counts[attribute.name][value.value] = value.counts;
    }
  }
  return counts;
}

}  // namespace

std::vector<AttributeCounts> EmptyAttributes(const Json& header_operator) {
  std::vector<AttributeCounts> attributes;
  for (const Json& spec : ArrayOr(header_operator, "attributes")) {
    AttributeCounts attribute{StringOr(spec, "name"), StringOr(spec, "key"), false, {}};
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

void CountAttributes(std::string_view line, Verdict verdict, std::vector<AttributeCounts>* attributes) {
  uint64_t present = 0;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    const size_t equals = word.find('=');
    if (equals == word.npos) continue;
    for (size_t i = 0; i < attributes->size() && i < 64; ++i) {
      AttributeCounts& attribute = (*attributes)[i];
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

size_t ListedOperator(const std::vector<std::string>& names, std::string_view name) {
  size_t best = names.size(), length = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
    if (names[i].size() <= length || !name.starts_with(names[i] + "_")) continue;
    best = i;
    length = names[i].size();
  }
  return best;
}

std::string ReportedName(const std::vector<std::string>& listed, std::string_view op) {
  const size_t found = ListedOperator(listed, op);
  return found == listed.size() || listed[found] == op ? std::string(op) : SpecializationsOf(listed[found]);
}

CaseCounts::CaseCounts(const Json& header) {
  for (const Json& op : ArrayOr(ObjectOr(header, "specs"), "operators")) {
    listed_.push_back(StringOr(op, "name"));
    reported_.push_back({listed_.back(), EmptyAttributes(op)});
  }
}

CaseCounts::Function& CaseCounts::Find(std::string_view op) {
  const auto known = functions_.find(op);
  if (known != functions_.end()) return known->second;
  const size_t listed = ListedOperator(listed_, op);
  const std::string name = ReportedName(listed_, op);
  const auto at = std::find_if(reported_.begin(), reported_.end(), [&](const Reported& r) { return r.op == name; });
  Function& function = functions_.emplace(op, Function()).first->second;
  function.reported = static_cast<size_t>(at - reported_.begin());
  if (at != reported_.end()) return function;
  reported_.push_back({name, listed == listed_.size() ? std::vector<AttributeCounts>() : reported_[listed].attributes});
  for (AttributeCounts& attribute : reported_.back().attributes) {
    for (ValueCounts& value : attribute.values) value.counts = {};
  }
  return function;
}

void CaseCounts::Add(std::string_view op, std::string_view type, std::string_view section, Verdict verdict,
                     std::string_view line) {
  Function& function = Find(op);
  auto part = function.parts.find(section);
  if (part == function.parts.end()) part = function.parts.emplace(section, Function::ByType()).first;
  auto counts = part->second.find(type);
  if (counts == part->second.end()) counts = part->second.emplace(type, VerdictCounts()).first;
  ++counts->second[verdict];
  CountAttributes(line, verdict, &reported_[function.reported].attributes);
}

std::optional<bool> CaseCounts::HasAnswer(const std::string& op, const std::string& type) const {
  const auto function = functions_.find(op);
  if (function == functions_.end()) return std::nullopt;
  VerdictCounts all;
  for (const auto& [section, types] : function->second.parts) {
    const auto counts = types.find(type);
    if (counts != types.end()) all += counts->second;
  }
  if (all.Total() == 0) return std::nullopt;
  return all.Answered() > 0;
}

std::string CaseCounts::Lines() const {
  std::vector<CountedLine> lines(reported_.size());
  for (const auto& [name, function] : functions_) {
    for (const auto& [section, types] : function.parts) {
      for (const auto& [type, counts] : types) lines[function.reported].parts[section][type] += counts;
    }
  }
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].parts.empty()) continue;
    lines[i].op = reported_[i].op;
    lines[i].attributes = AttributesOf(reported_[i].attributes);
    AppendLine(lines[i], &text);
  }
  return text;
}

}  // namespace poolproof
