// Line to problem. Whatever is wrong is reported with the word and where it stands; nothing is
// guessed and nothing is skipped.
#include <charconv>
#include <limits>
#include <set>

#include "conformance/cases/fill.h"
#include "conformance/cases/number.h"
#include "conformance/cases/problem.h"
#include "conformance/format/meant.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

// A line longer than this is no problem line but a wrong file.
constexpr size_t kMaxLine = size_t{1} << 20;
constexpr size_t kMaxQuoted = 40;  // bytes of a word that are repeated

std::string Quote(std::string_view text) { return "'" + Printable(text, kMaxQuoted) + "'"; }

// Splits at blanks; Next() gives the words one by one and remembers where they stood.
class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {}

  bool Next() {
    const size_t begin = line_.find_first_not_of(" \t", end_);
    if (begin == line_.npos) return false;
    end_ = std::min(line_.find_first_of(" \t", begin), line_.size());
    begin_ = begin;
    ++count_;
    return true;
  }
  std::string_view Word() const { return line_.substr(begin_, end_ - begin_); }
  std::string Place() const {
    return "word " + std::to_string(count_) + " (column " + std::to_string(begin_ + 1) + "), " + Quote(Word());
  }

 private:
  std::string_view line_;
  size_t begin_ = 0, end_ = 0, count_ = 0;
};

template <typename T>
bool ParseInteger(std::string_view text, T* value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return code == std::errc() && end == text.data() + text.size();
}

class LineParser {
 public:
  LineParser(const Specs& specs, std::string_view line, Error* error)
      : specs_(specs), line_(line), words_(line), error_(error) {}

  std::optional<Problem> Parse() {
    if (line_.size() > kMaxLine) {
      error_->message = "the line has " + std::to_string(line_.size()) + " characters; a problem line has at most " +
                        std::to_string(kMaxLine);
      return std::nullopt;
    }
    if (!ParseFunction() || !ParseType() || !ParseShape()) return std::nullopt;
    while (words_.Next()) {
      if (!ParsePair()) return std::nullopt;
    }
    if (!Finish()) return std::nullopt;
    return std::move(problem_);
  }

 private:
  bool Fail(const std::string& reason) {
    error_->message = words_.Place() + ": " + reason;
    return false;
  }
  bool FailMissing(const std::string& what) {
    error_->message = "the line ends before " + what;
    return false;
  }

  bool ParseFunction() {
    if (!words_.Next()) return FailMissing("the operator, its first word");
    problem_.spec = specs_.FindOperator(words_.Word());
    if (problem_.spec == nullptr) {
      return Fail("no operator of this name" +
                  IsMeant(words_.Word(), specs_.FunctionNames(), "; the command 'list' names them"));
    }
    problem_.function = problem_.spec->FindFunction(words_.Word());
    return true;
  }

  bool ParseType() {
    if (!words_.Next()) return FailMissing("the element type, its second word");
    problem_.type = ParseElementType(words_.Word());
    if (problem_.type == 0) {
      return Fail("no element type; one of f64 f32 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 fx8 fx16");
    }
    return true;
  }

  // `in` comes first of all pairs because the lists of the others depend on the rank.
  bool ParseShape() {
    if (!words_.Next()) return FailMissing("the shape, in=");
    if (!words_.Word().starts_with("in=")) return Fail("the third word is the shape, in=1x3x8x8");
    seen_.insert("in");
    bool one = false;
    if (!ParseList(words_.Word().substr(3), &problem_.shape, &one)) return false;
    for (int64_t dim : problem_.shape) {
      if (dim < 0) return Fail("a dimension is at least 0");
    }
    return true;
  }

  bool ParsePair() {
    const std::string_view word = words_.Word();
    const size_t equals = word.find('=');
    if (equals == word.npos || equals == 0) return Fail("a word here has the form key=value");
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    if (value.empty()) return Fail("the value is empty; leave the word out for an absent key");
    if (!seen_.insert(key).second) return Fail("the key was given before");
    for (size_t i = 0; i < problem_.spec->attributes.size(); ++i) {
      if (problem_.spec->attributes[i].key == key) return ParseAttribute(i, value);
    }
    return ParseGeneral(key, value);
  }

  bool CheckBool(std::string_view text) {
    return text == "true" || text == "false" || Fail("the value is true or false");
  }

  bool ParseAttribute(size_t i, std::string_view text) {
    AttributeValue& value = problem_.attributes[i];
    value.present = true;
    const AttributeSpec& spec = problem_.spec->attributes[i];
    switch (spec.type) {
      case AttributeType::kInt: return ParseInteger(text, &value.integer) || Fail("the value is an integer of 64 bits");
      case AttributeType::kIntList: return ParseSpatialList(text, &value.list);
      case AttributeType::kBool: value.integer = text == "true"; return CheckBool(text);
      case AttributeType::kWord:
        value.word = text;
        if (spec.call_kind == POOLPROOF_BOOL) return CheckBool(text);
        return spec.call_kind == POOLPROOF_WORD || ParseInteger(text, &value.integer) ||
               Fail("the value is an integer of 64 bits");
    }
    return false;
  }

  bool ParseGeneral(std::string_view key, std::string_view value) {
    if (key == "sizes" && problem_.HasSizes()) return ParseSpatialList(value, &problem_.sizes);
    if (key == "sizestype" && problem_.HasSizes()) {
      problem_.sizes_type = ParseElementType(value);
      return problem_.sizes_type == POOLPROOF_I32 || problem_.sizes_type == POOLPROOF_I64 ||
             Fail("the value is i32 or i64");
    }
    if (key == "frac") {
      return ParseInteger(value, &problem_.frac_bits) || Fail("the value is an integer of 32 bits");
    }
    if (key == "capacity") return ParseCapacity(value);
    if (key == "outputs" && HasOptionalOutputs()) return ParseOutputs(value);
    if (key == "seed") {
      return ParseInteger(value, &problem_.seed) || Fail("the value is an integer from 0 to 2^64-1");
    }
    if (key == "fill") return ParseFill(value);
    if (key == "data") return ParseData(value);
    return Fail("no such key" + KeyMeant(key) + "; allowed are " + Keys());
  }

  // A document's name for an attribute, or one like it, means the key.
  std::string KeyMeant(std::string_view key) const {
    std::vector<std::string> names;
    for (const AttributeSpec& attribute : problem_.spec->attributes) names.push_back(attribute.name);
    const std::string_view similar = SimilarWord(key, names);
    for (const AttributeSpec& attribute : problem_.spec->attributes) {
      if (attribute.name == similar) return "; is " + attribute.key + " meant, for " + attribute.name + "?";
    }
    return "";
  }

  std::string Keys() const {
    std::string keys;
    for (const AttributeSpec& attribute : problem_.spec->attributes) keys += attribute.key + " ";
    return keys + (problem_.HasSizes() ? "sizes sizestype " : "") + (HasOptionalOutputs() ? "outputs " : "") +
           "frac capacity fill seed data";
  }

  bool ParseFill(std::string_view value) {
    if (IsFill(value)) {
      problem_.fill = value;
      return true;
    }
    std::string names;
    for (std::string_view name : FillNames()) names.append(" ").append(name);
    names.append(" ").append(kOutliers).append(" ").append(kQuotients);
    return Fail("no such fill" + IsMeant(value, FillNames()) + "; one of" + names + ", or none for shapes alone");
  }

  bool ParseData(std::string_view text) {
    while (true) {
      const size_t comma = std::min(text.find(','), text.size());
      Number value;
      if (!ParseNumber(text.substr(0, comma), &value)) {
        return Fail(Quote(text.substr(0, comma)) + " is no number");
      }
      problem_.data.push_back(RoundToType(problem_.type, value));
      if (!IsFloat(problem_.type) && problem_.data.back() != value) {
        return Fail(Quote(text.substr(0, comma)) + " is no value of the element type");
      }
      if (comma == text.size()) break;
      text.remove_prefix(comma + 1);
    }
    if (static_cast<int64_t>(problem_.data.size()) != problem_.Elements()) {
      return Fail("the shape has " + std::to_string(problem_.Elements()) + " elements, the data " +
                  std::to_string(problem_.data.size()));
    }
    return true;
  }

  bool ParseSpatialList(std::string_view text, IntList* list) {
    bool one = false;
    if (!ParseList(text, list, &one)) return false;
    if (!one) return true;
    for (int axis = 1; axis < problem_.SpatialRank(); ++axis) list->push_back((*list)[0]);
    return true;
  }

  bool HasOptionalOutputs() const { return problem_.spec->outputs.back().optional; }

  bool ParseOutputs(std::string_view text) {
    size_t count = 0;
    const size_t all = problem_.spec->outputs.size();
    const bool known =
        ParseInteger(text, &count) && count >= 1 && count < all && problem_.spec->outputs[count].optional;
    problem_.outputs = static_cast<uint8_t>(count);
    return known || Fail("the value is a number of outputs below all " + std::to_string(all));
  }

  bool ParseCapacity(std::string_view text) {
    IntList list;
    bool one = false;
    if (!ParseList(text, &list, &one)) return false;
    if (!one && list.size != problem_.OutputCount()) return Fail("the value has a number for each output");
    problem_.capacity = list[0];
    std::copy(list.begin(), list.end(), problem_.capacity.more.begin());
    return true;
  }

  // `one` is set where the text is a single number without brackets.
  bool ParseList(std::string_view text, IntList* list, bool* one) {
    const bool brackets = text.size() >= 2 && text.front() == '[' && text.back() == ']';
    if (brackets) text = text.substr(1, text.size() - 2);
    if (text.empty() && brackets) return true;
    while (true) {
      const size_t cross = std::min(text.find('x'), text.size());
      int64_t value;
      if (!ParseInteger(text.substr(0, cross), &value)) {
        return Fail(Quote(text.substr(0, cross)) + " is no integer of 64 bits");
      }
      if (list->size == POOLPROOF_MAX_RANK) {
        return Fail("a list has at most " + std::to_string(POOLPROOF_MAX_RANK) + " entries");
      }
      list->push_back(value);
      if (cross == text.size()) break;
      text.remove_prefix(cross + 1);
    }
    *one = !brackets && list->size == 1;
    return true;
  }

  bool Finish() {
    if (problem_.HasSizes() && !seen_.contains("sizes")) return FailMissing("the key sizes");
    if (problem_.sizes_type != POOLPROOF_I32) return true;
    for (int64_t size : problem_.sizes) {
      if (size != static_cast<int32_t>(size)) {
        error_->message = "the value " + std::to_string(size) + " of sizes does not fit sizestype i32";
        return false;
      }
    }
    return true;
  }

  const Specs& specs_;
  std::string_view line_;
  Words words_;
  Error* error_;
  Problem problem_;
  std::set<std::string_view> seen_;
};

}  // namespace

std::optional<Problem> ParseLine(const Specs& specs, std::string_view line, Error* error) {
  return LineParser(specs, line, error).Parse();
}

}  // namespace poolproof
