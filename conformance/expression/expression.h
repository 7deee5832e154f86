// One small language for conditions and formulas over problems: total, integer, without loops (docs/expressions.md).
//
//   op in {MaxPool-8, MaxPool-14} and all(kernel = 3) and width mod 16 in {13, 14}
//   floor((size + pad_begin + pad_end - extent) / stride) + 1
//
// An expression is read once against a vocabulary and evaluated often; evaluation allocates nothing. A division by
// zero, an overflow of 64 bits, an index outside of a list and a name without value give no value, and a condition
// without value does not hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/format/error.h"

namespace poolproof::expression {

enum class Kind : uint8_t {
  kNumber,
  kWord,
  kTruth,
  kWords,  // of a name alone: a set, of which `word in name` asks
};

struct Name {
  std::string name;
  Kind kind = Kind::kNumber;
  bool per_axis = false;           // has one value for each spatial axis
  std::vector<std::string> words;  // those that a word can be; empty: any
};

// Names stand for their place in it.
using Vocabulary = std::vector<Name>;

// A value, or none. A truth is the number 0 or 1.
struct Value {
  bool known = false;
  int64_t number = 0;
  std::string_view word;

  static Value Of(int64_t number) { return {true, number, {}}; }
  static Value Of(std::string_view word) { return {true, 0, word}; }
};

// The values that an expression is evaluated with.
class Subject {
 public:
  virtual ~Subject() = default;
  // The value of the name at `name` of the vocabulary. `axis` counts spatial axes from the outermost; -1 for a name
  // that has one value.
  virtual Value ValueOf(size_t name, int axis) const = 0;
  virtual int Axes() const = 0;
  // Whether the call itself gives the name a value, instead of leaving it to a default.
  virtual bool IsGiven(size_t name) const = 0;
  // Whether a set has this word.
  virtual bool Has(size_t name, std::string_view word) const = 0;
};

enum class Operation : uint8_t {
  kNumber,
  kWord,
  kTruth,  // literals
  kName,
  kAt,     // a name; a name at an index, which counts from the end where negative
  kGiven,  // given(name)
  kNegate,
  kAdd,
  kSubtract,
  kMultiply,
  kModulo,
  kFloor,
  kCeil,
  kMin,
  kMax,
  kAbs,
  kEqual,
  kUnequal,
  kLess,
  kAtMost,
  kMore,
  kAtLeast,
  kIn,
  kHas,
  kNot,
  kAnd,
  kOr,
  kIf,
  kAny,
  kAll,
};

// One node of the tree; children are places in the list of nodes.
struct Node {
  Operation operation = Operation::kNumber;
  Kind kind = Kind::kNumber;
  size_t column = 0;   // of its first byte in the text, from 0
  int64_t number = 0;  // of a literal
  std::string word;    // of a literal
  size_t name = 0;
  std::vector<size_t> children;
};

class Expression {
 public:
  // A condition; a name with a value per axis stands in any(...), in all(...), or has an index. `error` says column and
  // word. `vocabulary` has to outlive the expression.
  static std::optional<Expression> Condition(const Vocabulary& vocabulary, std::string_view text, Error* error);
  // A value for one spatial axis.
  static std::optional<Expression> Formula(const Vocabulary& vocabulary, std::string_view text, Error* error);

  const Vocabulary& names() const { return *vocabulary_; }

  Kind kind() const { return nodes_.back().kind; }
  // Returns true where the expression reads the name at position `name` of the vocabulary.
  bool Names(size_t name) const {
    return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
      return (node.operation == Operation::kName || node.operation == Operation::kAt) && node.name == name;
    });
  }

  Value ValueAt(const Subject& subject, int axis) const;
  bool Holds(const Subject& subject) const {
    const Value value = ValueAt(subject, -1);
    return value.known && value.number != 0;
  }
  std::optional<int64_t> NumberAt(const Subject& subject, int axis) const {
    const Value value = ValueAt(subject, axis);
    return value.known ? std::optional(value.number) : std::nullopt;
  }

  // The canonical text: read again, it gives the same expression.
  std::string Text() const;
  // That text with the values of names put in: "floor((5 + 1 + 1 - 3) / 2) + 1"; "?" stands for no value. Where an `if`
  // is decided, its branch alone.
  std::string TextWithValues(const Subject& subject, int axis) const;

 private:
  friend class Parser;
  const Vocabulary* vocabulary_ = nullptr;
  std::vector<Node> nodes_;  // the root is the last
};

}  // namespace poolproof::expression
