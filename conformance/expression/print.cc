#include <string>

#include "conformance/expression/expression.h"
#include "conformance/expression/words.h"

namespace poolproof::expression {
namespace {

// How tightly an operation binds; what binds less stands in parentheses inside of it.
enum Strength : int { kLoosest, kOr, kAnd, kNot, kComparison, kSum, kProduct, kSign, kTight };

struct Form {
  Strength strength;
  std::string_view between;  // operands of two-sided operations
};

Form FormOf(Operation operation) {
  switch (operation) {
    case Operation::kIf: return {kLoosest, ""};
    case Operation::kOr: return {kOr, " or "};
    case Operation::kAnd: return {kAnd, " and "};
    case Operation::kNot: return {kNot, ""};
    case Operation::kEqual: return {kComparison, " = "};
    case Operation::kUnequal: return {kComparison, " != "};
    case Operation::kLess: return {kComparison, " < "};
    case Operation::kAtMost: return {kComparison, " <= "};
    case Operation::kMore: return {kComparison, " > "};
    case Operation::kAtLeast: return {kComparison, " >= "};
    case Operation::kIn:
    case Operation::kHas: return {kComparison, ""};
    case Operation::kAdd: return {kSum, " + "};
    case Operation::kSubtract: return {kSum, " - "};
    case Operation::kMultiply: return {kProduct, " * "};
    case Operation::kModulo: return {kProduct, " mod "};
    case Operation::kNegate: return {kSign, ""};
    default: return {kTight, ""};
  }
}

class Printer {
 public:
  // Without a subject names stand for themselves.
  Printer(const std::vector<Node>& nodes, const Vocabulary& vocabulary, const Subject* subject)
      : nodes_(nodes), vocabulary_(vocabulary), subject_(subject) {}

  std::string At(size_t place, int axis, int loosest = kLoosest) const {
    place = Chosen(place, axis);
    const Form form = FormOf(nodes_[place].operation);
    std::string text = Bare(nodes_[place], axis, form);
    return form.strength < loosest ? "(" + text + ")" : text;
  }

 private:
  // With values, only that branch is shown which is taken.
  size_t Chosen(size_t place, int axis) const {
    while (subject_ != nullptr && nodes_[place].operation == Operation::kIf) {
      const Value condition = Evaluate(nodes_, nodes_[place].children[0], *subject_, axis);
      if (!condition.known) break;
      place = nodes_[place].children[condition.number != 0 ? 1 : 2];
    }
    return place;
  }

  std::string Bare(const Node& node, int axis, const Form& form) const {
    const auto child = [&](size_t i, int loosest) { return At(node.children[i], axis, loosest); };
    switch (node.operation) {
      case Operation::kNumber: return std::to_string(node.number);
      case Operation::kTruth: return node.number != 0 ? "true" : "false";
      case Operation::kWord: return Quoted(node.word, vocabulary_);
      case Operation::kName: return NameText(node, axis);
      case Operation::kAt: return vocabulary_[node.name].name + "[" + child(0, kLoosest) + "]";
      case Operation::kGiven: return "given(" + vocabulary_[node.name].name + ")";
      case Operation::kHas: return Quoted(node.word, vocabulary_) + " in " + vocabulary_[node.name].name;
      case Operation::kNot: return "not " + child(0, kNot);
      case Operation::kNegate: return "-" + child(0, kTight);
      case Operation::kIn: return child(0, kSum) + " in " + List(node, 1, axis, kSum, "{", "}");
      case Operation::kIf: return "if " + child(0, kOr) + " then " + child(1, kOr) + " else " + child(2, kLoosest);
      case Operation::kAny: return "any" + Inner(node);
      case Operation::kAll: return "all" + Inner(node);
      case Operation::kAbs: return "abs" + List(node, 0, axis, kLoosest, "(", ")");
      case Operation::kMin: return "min" + List(node, 0, axis, kLoosest, "(", ")");
      case Operation::kMax: return "max" + List(node, 0, axis, kLoosest, "(", ")");
      case Operation::kFloor: return "floor(" + child(0, kProduct) + " / " + child(1, kSign) + ")";
      case Operation::kCeil: return "ceil(" + child(0, kProduct) + " / " + child(1, kSign) + ")";
      // Operations of equal strength are read from the left; comparisons have no comparison inside.
      default:
        return child(0, form.strength + (form.strength == kComparison ? 1 : 0)) + std::string(form.between) +
               child(1, form.strength + 1);
    }
  }

  // Axes have several values: names stand for themselves there.
  std::string Inner(const Node& node) const {
    return "(" + Printer(nodes_, vocabulary_, nullptr).At(node.children[0], -1) + ")";
  }

  std::string List(const Node& node, size_t from, int axis, int loosest, const char* open, const char* close) const {
    std::string text;
    for (size_t i = from; i < node.children.size(); ++i) {
      text += (i > from ? ", " : open) + At(node.children[i], axis, loosest);
    }
    return text + close;
  }

  std::string NameText(const Node& node, int axis) const {
    if (subject_ == nullptr) return vocabulary_[node.name].name;
    const Value value = subject_->ValueOf(node.name, axis);
    if (!value.known) return "?";
    if (node.kind == Kind::kWord) return Quoted(value.word, vocabulary_);
    if (node.kind == Kind::kTruth) return value.number != 0 ? "true" : "false";
    return value.number < 0 ? "(" + std::to_string(value.number) + ")" : std::to_string(value.number);
  }

  const std::vector<Node>& nodes_;
  const Vocabulary& vocabulary_;
  const Subject* const subject_;
};

}  // namespace

std::string Expression::Text() const { return Printer(nodes_, *vocabulary_, nullptr).At(nodes_.size() - 1, -1); }

std::string Expression::TextWithValues(const Subject& subject, int axis) const {
  return Printer(nodes_, *vocabulary_, &subject).At(nodes_.size() - 1, axis);
}

}  // namespace poolproof::expression
