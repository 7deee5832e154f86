#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "conformance/expression/expression.h"
#include "conformance/expression/words.h"
#include "conformance/format/text.h"

namespace poolproof::expression {
namespace {

constexpr size_t kMaxLength = 4096;  // of the text, in bytes
constexpr int kMaxDepth = 100;       // of nesting

constexpr std::string_view KindName(Kind kind) {
  constexpr std::string_view kNames[] = {"a number", "a word", "a condition", "a set of words"};
  return kNames[static_cast<size_t>(kind)];
}

// Two-sided operations by how loosely they bind.
struct Sign {
  std::string_view text;
  Operation operation;
};
constexpr Sign kComparisons[] = {{"!=", Operation::kUnequal}, {"<=", Operation::kAtMost}, {">=", Operation::kAtLeast},
                                 {"=", Operation::kEqual},    {"<", Operation::kLess},    {">", Operation::kMore}};
constexpr Sign kSums[] = {{"+", Operation::kAdd}, {"-", Operation::kSubtract}};
constexpr Sign kProducts[] = {{"*", Operation::kMultiply}, {"mod", Operation::kModulo}};

}  // namespace

// Reads by recursive descent. A function that returns no place has said why in `error_`.
class Parser {
 public:
  using Place = std::optional<size_t>;

  Parser(const Vocabulary& vocabulary, std::string_view text, bool formula, Error* error)
      : vocabulary_(vocabulary), text_(text), formula_(formula), error_(error) {
    result_.vocabulary_ = &vocabulary;
  }

  std::optional<Expression> Parse(std::optional<Kind> kind) {
    if (text_.size() > kMaxLength) return Fail("the text is longer than 4096 bytes"), std::nullopt;
    const Place root = ReadOr();
    if (!root || (kind && !Demand(*root, *kind))) return std::nullopt;
    SkipBlanks();
    if (at_ < text_.size()) return Fail(fmt::format("\"{}\" follows the end", Rest())), std::nullopt;
    return std::move(result_);
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  std::string Rest() const { return Printable(text_.substr(at_), 20); }

  Place Fail(const std::string& why, std::optional<size_t> at = {}) {
    error_->message = fmt::format("column {}: {}", at.value_or(at_) + 1, why);
    return std::nullopt;
  }

  std::string_view NextWord() {
    SkipBlanks();
    return text_.substr(at_, WordLength(text_.substr(at_)));
  }

  // Takes a sign or a reserved word if it is next.
  bool Take(std::string_view sign) {
    SkipBlanks();
    if (IsLetter(sign[0]) ? NextWord() != sign : !text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  bool Expect(std::string_view sign) {
    if (Take(sign)) return true;
    Fail(fmt::format("\"{}\" is expected, not \"{}\"", sign, Rest()));
    return false;
  }

  // An operation begins in the text where its first operand does.
  Place Add(Operation operation, Kind kind, std::vector<size_t> children) {
    const size_t column = At(children.front()).column;
    result_.nodes_.push_back({operation, kind, column, 0, {}, 0, std::move(children)});
    return result_.nodes_.size() - 1;
  }

  Place AddLeaf(Node node) {
    result_.nodes_.push_back(std::move(node));
    return result_.nodes_.size() - 1;
  }

  Node& At(size_t place) { return result_.nodes_[place]; }

  bool Demand(size_t place, Kind kind) {
    const Node& node = At(place);
    if (node.kind == kind) return true;
    if (node.operation == Operation::kWord) return FailWithNearest(node.word, node.column), false;
    Fail(fmt::format("{} is expected, not {}", KindName(kind), KindName(node.kind)), node.column);
    return false;
  }

  template <typename Read>
  Place ReadJoined(std::string_view sign, Operation operation, const Read& read) {
    Place left = read();
    while (left && Take(sign)) {
      const Place right = read();
      if (!right || !Demand(*left, Kind::kTruth) || !Demand(*right, Kind::kTruth)) return std::nullopt;
      left = Add(operation, Kind::kTruth, {*left, *right});
    }
    return left;
  }

  // Whatever nests goes through here.
  Place ReadOr() {
    if (++depth_ > kMaxDepth) return Fail("the text is nested too deeply");
    const Place place = Take("if") ? ReadIf() : ReadJoined("or", Operation::kOr, [this] { return ReadAnd(); });
    --depth_;
    return place;
  }

  Place ReadAnd() {
    return ReadJoined("and", Operation::kAnd, [this] { return ReadNot(); });
  }

  Place ReadNot() {
    bool negated = false, any = false;
    for (; Take("not"); any = true) negated = !negated;
    const Place operand = ReadComparison();
    if (!any || !operand) return operand;
    if (!Demand(*operand, Kind::kTruth)) return std::nullopt;
    return negated ? Add(Operation::kNot, Kind::kTruth, {*operand}) : operand;
  }

  Place ReadIf() {
    const Place condition = ReadOr();
    if (!condition || !Demand(*condition, Kind::kTruth) || !Expect("then")) return std::nullopt;
    const Place first = ReadOr();
    if (!first || !Expect("else")) return std::nullopt;
    const Place second = ReadOr();
    if (!second || !Demand(*second, At(*first).kind)) return std::nullopt;
    return Add(Operation::kIf, At(*first).kind, {*condition, *first, *second});
  }

  Place ReadComparison() {
    const Place left = ReadSum();
    if (!left) return left;
    if (Take("in")) return Take("{") ? ReadIn(*left) : ReadSet(*left);
    for (const Sign& sign : kComparisons) {
      if (!Take(sign.text)) continue;
      const Place right = ReadRight(*left);
      const bool ordered = sign.operation != Operation::kEqual && sign.operation != Operation::kUnequal;
      if (!right || (ordered && !Demand(*left, Kind::kNumber)) || !Fits(*left, *right)) return std::nullopt;
      return Add(sign.operation, Kind::kTruth, {*left, *right});
    }
    return left;
  }

  // The right side of a comparison. What is compared with words is one, even where there is a name like it.
  Place ReadRight(size_t left) {
    const std::string_view word = At(left).kind == Kind::kWord ? NextWord() : std::string_view();
    return word.empty() ? ReadSum() : ReadWord(word);
  }

  // Whether a literal word is one that the name can be, or that its set can have.
  bool IsWordOf(const Name& name, const Node& literal) {
    if (name.words.empty() || Contains(name.words, literal.word)) return true;
    const std::string_view nearest = NearestWord(literal.word, name.words);
    Fail(fmt::format("\"{}\" is no {} (nearest: {})", Printable(literal.word, 64), name.name, nearest), literal.column);
    return false;
  }

  // Whether both sides of a comparison are of one kind.
  bool Fits(size_t left, size_t right) {
    const Node &a = At(left), &b = At(right);
    if (a.operation == Operation::kWord) return FailWithNearest(a.word, a.column), false;
    if (!Demand(right, a.kind)) return false;
    if (a.operation != Operation::kName || b.operation != Operation::kWord) return true;
    return IsWordOf(vocabulary_[a.name], b);
  }

  Place ReadIn(size_t left) {
    std::vector<size_t> children{left};
    do {
      const Place each = ReadRight(left);
      if (!each || !Fits(left, *each)) return std::nullopt;
      children.push_back(*each);
    } while (Take(","));
    return Expect("}") ? Add(Operation::kIn, Kind::kTruth, std::move(children)) : std::nullopt;
  }

  // word in name
  Place ReadSet(size_t word) {
    // A name stands for its own word here.
    Node& node = At(word);
    if (node.operation == Operation::kName) node.word = vocabulary_[node.name].name;
    if (node.word.empty()) return Fail("a word is expected", node.column);
    const std::string_view text = NextWord();
    const std::optional<size_t> name = Find(text);
    if (!name || vocabulary_[*name].kind != Kind::kWords) return Fail(fmt::format("\"{}\" is no set of words", Rest()));
    at_ += text.size();
    if (!IsWordOf(vocabulary_[*name], node)) return std::nullopt;
    node.operation = Operation::kHas;
    node.kind = Kind::kTruth;
    node.name = *name;
    return word;
  }

  template <typename Read>
  Place ReadLeftToRight(std::span<const Sign> signs, const Read& read) {
    Place left = read();
    while (left) {
      const auto sign = std::find_if(signs.begin(), signs.end(), [&](const Sign& each) { return Take(each.text); });
      if (sign == signs.end()) return left;
      const Place right = read();
      if (!right || !Demand(*left, Kind::kNumber) || !Demand(*right, Kind::kNumber)) return std::nullopt;
      left = Add(sign->operation, Kind::kNumber, {*left, *right});
    }
    return left;
  }

  Place ReadSum() {
    return ReadLeftToRight(kSums, [this] { return ReadProduct(); });
  }

  Place ReadProduct() {
    return ReadLeftToRight(kProducts, [this] { return ReadSigned(); });
  }

  Place ReadSigned() {
    if (!Take("-")) return ReadOperand();
    const Place operand = ReadOperand();
    if (!operand || !Demand(*operand, Kind::kNumber)) return std::nullopt;
    return Add(Operation::kNegate, Kind::kNumber, {*operand});
  }

  Place ReadOperand() {
    SkipBlanks();
    if (at_ == text_.size()) return Fail("the text ends early");
    if (Take("(")) {
      const Place inside = ReadOr();
      return inside && Expect(")") ? inside : std::nullopt;
    }
    if (IsDigit(text_[at_])) return ReadNumber();
    if (text_[at_] == '"') return ReadQuoted();
    const std::string_view word = NextWord();
    if (word.empty()) return Fail(fmt::format("\"{}\" begins no value", Rest()));
    if (word == "true" || word == "false") {
      return AddLeaf(
          {Operation::kTruth, Kind::kTruth, std::exchange(at_, at_ + word.size()), word == "true", {}, 0, {}});
    }
    if (std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved)) {
      return Fail(fmt::format("\"{}\" begins no value", word));
    }
    const size_t behind = text_.find_first_not_of(' ', at_ + word.size());
    return behind != text_.npos && text_[behind] == '(' ? ReadCall(word) : ReadName(word);
  }

  Place ReadNumber() {
    int64_t number = 0;
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (code != std::errc()) return Fail("the number does not fit into 64 bits");
    const size_t begin = std::exchange(at_, static_cast<size_t>(end - text_.data()));
    return AddLeaf({Operation::kNumber, Kind::kNumber, begin, number, {}, 0, {}});
  }

  Place ReadQuoted() {
    const size_t end = text_.find('"', at_ + 1);
    if (end == text_.npos) return Fail("the quotation mark has no second one");
    const size_t begin = std::exchange(at_, end + 1);
    return AddLeaf(
        {Operation::kWord, Kind::kWord, begin, 0, std::string(text_.substr(begin + 1, end - begin - 1)), 0, {}});
  }

  Place ReadCall(std::string_view word) {
    const size_t begin = at_;
    at_ += word.size();
    if (word == "given") return ReadGiven();
    if (word == "any") return ReadOverAxes(Operation::kAny, begin);
    if (word == "all") return ReadOverAxes(Operation::kAll, begin);
    if (word == "floor") return ReadNumbers(Operation::kFloor, "/");
    if (word == "ceil") return ReadNumbers(Operation::kCeil, "/");
    if (word == "min") return ReadNumbers(Operation::kMin, ",");
    if (word == "max") return ReadNumbers(Operation::kMax, ",");
    if (word == "abs") return ReadNumbers(Operation::kAbs, "");
    return Fail(fmt::format("there is no function \"{}\": any all given floor ceil min max abs", Printable(word, 64)),
                begin);
  }

  // One number, or two with a sign between them.
  Place ReadNumbers(Operation operation, std::string_view between) {
    if (!Expect("(")) return std::nullopt;
    std::vector<size_t> children;
    const size_t count = between.empty() ? 1 : 2;
    while (children.size() < count) {
      if (!children.empty() && !Expect(between)) return std::nullopt;
      const Place each = between != "/" ? ReadOr() : children.empty() ? ReadProduct() : ReadSigned();
      if (!each || !Demand(*each, Kind::kNumber)) return std::nullopt;
      children.push_back(*each);
    }
    return Expect(")") ? Add(operation, Kind::kNumber, std::move(children)) : std::nullopt;
  }

  Place ReadGiven() {
    if (!Expect("(")) return std::nullopt;
    const std::string_view word = NextWord();
    const std::optional<size_t> name = Find(word);
    if (!name) return FailWithNearest(word.empty() ? Rest() : std::string(word), at_);
    const size_t begin = std::exchange(at_, at_ + word.size());
    return Expect(")") ? AddLeaf({Operation::kGiven, Kind::kTruth, begin, 0, {}, *name, {}}) : std::nullopt;
  }

  Place ReadOverAxes(Operation operation, size_t begin) {
    if (over_axis_) return Fail("an axis is chosen already", begin);
    if (!Expect("(")) return std::nullopt;
    over_axis_ = true;
    const Place inside = ReadOr();
    over_axis_ = false;
    if (!inside || !Expect(")") || !Demand(*inside, Kind::kTruth)) return std::nullopt;
    return Add(operation, Kind::kTruth, {*inside});
  }

  std::optional<size_t> Find(std::string_view word) const {
    for (size_t i = 0; i < vocabulary_.size(); ++i) {
      if (vocabulary_[i].name == word) return i;
    }
    return std::nullopt;
  }

  static bool Contains(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  Place FailWithNearest(std::string_view word, size_t column) {
    std::vector<std::string> names;
    for (const Name& name : vocabulary_) names.push_back(name.name);
    const std::string nearest = names.empty() ? "" : fmt::format(" (nearest: {})", NearestWord(word, names));
    return Fail(fmt::format("there is no name \"{}\"{}", Printable(word, 64), nearest), column);
  }

  Place ReadWord(std::string_view word) {
    const size_t begin = std::exchange(at_, at_ + word.size());
    return AddLeaf({Operation::kWord, Kind::kWord, begin, 0, std::string(word), 0, {}});
  }

  // A name of the vocabulary; any other word stands for itself.
  Place ReadName(std::string_view word) {
    const std::optional<size_t> name = Find(word);
    if (!name) return ReadWord(word);
    const size_t begin = std::exchange(at_, at_ + word.size());
    const Name& facts = vocabulary_[*name];
    if (facts.kind == Kind::kWords) return Fail(fmt::format("{0} is a set, of which WORD in {0} asks", word), begin);
    if (facts.per_axis && Take("[")) {
      const Place index = ReadOr();
      if (!index || !Demand(*index, Kind::kNumber) || !Expect("]")) return std::nullopt;
      return AddLeaf({Operation::kAt, facts.kind, begin, 0, {}, *name, {*index}});
    }
    if (facts.per_axis && !over_axis_ && !formula_) {
      return Fail(fmt::format("{0} has a value for each axis: any({0} ...), all({0} ...) or {0}[0]", word), begin);
    }
    return AddLeaf({Operation::kName, facts.kind, begin, 0, {}, *name, {}});
  }

  const Vocabulary& vocabulary_;
  const std::string_view text_;
  const bool formula_;      // names with a value per axis have that of a certain axis
  bool over_axis_ = false;  // inside any(...) or all(...), they have that of each axis
  Error* const error_;
  size_t at_ = 0;
  int depth_ = 0;
  Expression result_;
};

std::optional<Expression> Expression::Condition(const Vocabulary& vocabulary, std::string_view text, Error* error) {
  return Parser(vocabulary, text, false, error).Parse(Kind::kTruth);
}

std::optional<Expression> Expression::Formula(const Vocabulary& vocabulary, std::string_view text, Error* error) {
  return Parser(vocabulary, text, true, error).Parse(std::nullopt);
}

}  // namespace poolproof::expression
