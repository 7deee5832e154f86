#include <algorithm>

#include "conformance/expression/expression.h"
#include "conformance/expression/words.h"

namespace poolproof::expression {
namespace {

constexpr Value kNone;

// The quotient rounded down; `up`: rounded up. Only a positive divisor divides.
Value Quotient(int64_t a, int64_t b, bool up) {
  if (b <= 0) return kNone;
  const int64_t rest = a % b;
  return Value::Of(a / b + (up ? int64_t{rest > 0} : -int64_t{rest < 0}));
}

Value Calculate(Operation operation, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  switch (operation) {
    case Operation::kNegate: overflow = __builtin_sub_overflow(int64_t{0}, a, &result); break;
    case Operation::kAbs: overflow = __builtin_mul_overflow(a, a < 0 ? -1 : 1, &result); break;
    case Operation::kAdd: overflow = __builtin_add_overflow(a, b, &result); break;
    case Operation::kSubtract: overflow = __builtin_sub_overflow(a, b, &result); break;
    case Operation::kMultiply: overflow = __builtin_mul_overflow(a, b, &result); break;
    case Operation::kModulo: return b > 0 ? Value::Of(a % b + (a % b < 0 ? b : 0)) : kNone;
    case Operation::kFloor: return Quotient(a, b, false);
    case Operation::kCeil: return Quotient(a, b, true);
    case Operation::kMin: result = std::min(a, b); break;
    case Operation::kMax: result = std::max(a, b); break;
    case Operation::kLess: result = a < b; break;
    case Operation::kAtMost: result = a <= b; break;
    case Operation::kMore: result = a > b; break;
    case Operation::kAtLeast: result = a >= b; break;
    default: return kNone;
  }
  return overflow ? kNone : Value::Of(result);
}

class Evaluator {
 public:
  Evaluator(const std::vector<Node>& nodes, const Subject& subject) : nodes_(nodes), subject_(subject) {}

  Value At(size_t place, int axis) const {
    const Node& node = nodes_[place];
    switch (node.operation) {
      case Operation::kNumber:
      case Operation::kTruth: return Value::Of(node.number);
      case Operation::kWord: return Value::Of(std::string_view(node.word));
      case Operation::kName: return subject_.ValueOf(node.name, axis);
      case Operation::kAt: return AtIndex(node, axis);
      case Operation::kGiven: return Value::Of(int64_t{subject_.IsGiven(node.name)});
      case Operation::kHas: return Value::Of(int64_t{subject_.Has(node.name, node.word)});
      case Operation::kEqual:
      case Operation::kUnequal: return Compare(node, axis);
      case Operation::kIn: return In(node, axis);
      case Operation::kNot: return Not(At(node.children[0], axis));
      case Operation::kAnd:
      case Operation::kOr: return Joined(node, axis);
      case Operation::kIf: return If(node, axis);
      case Operation::kAny:
      case Operation::kAll: return OverAxes(node);
      default: return Arithmetic(node, axis);
    }
  }

 private:
  Value AtIndex(const Node& node, int axis) const {
    const Value index = At(node.children[0], axis);
    const int64_t axes = subject_.Axes();
    if (!index.known || index.number < -axes || index.number >= axes) return kNone;
    return subject_.ValueOf(node.name, static_cast<int>(index.number + (index.number < 0 ? axes : 0)));
  }

  static bool AreEqual(const Value& a, const Value& b) { return a.number == b.number && a.word == b.word; }

  Value Compare(const Node& node, int axis) const {
    const Value a = At(node.children[0], axis), b = At(node.children[1], axis);
    if (!a.known || !b.known) return kNone;
    return Value::Of(int64_t{AreEqual(a, b) == (node.operation == Operation::kEqual)});
  }

  Value In(const Node& node, int axis) const {
    const Value a = At(node.children[0], axis);
    if (!a.known) return kNone;
    return Value::Of(int64_t{std::any_of(node.children.begin() + 1, node.children.end(), [&](size_t each) {
      const Value b = At(each, axis);
      return b.known && AreEqual(a, b);
    })});
  }

  static Value Not(const Value& a) { return a.known ? Value::Of(int64_t{a.number == 0}) : kNone; }

  // A side that decides does so even where the other side has no value.
  static Value Join(bool conjunction, const Value& a, const Value& b) {
    const int64_t decisive = conjunction ? 0 : 1;
    if ((a.known && a.number == decisive) || (b.known && b.number == decisive)) return Value::Of(decisive);
    return a.known && b.known ? Value::Of(1 - decisive) : kNone;
  }

  Value Joined(const Node& node, int axis) const {
    const bool conjunction = node.operation == Operation::kAnd;
    const Value a = At(node.children[0], axis);
    if (a.known && a.number == (conjunction ? 0 : 1)) return a;
    return Join(conjunction, a, At(node.children[1], axis));
  }

  Value If(const Node& node, int axis) const {
    const Value condition = At(node.children[0], axis);
    return condition.known ? At(node.children[condition.number != 0 ? 1 : 2], axis) : kNone;
  }

  Value OverAxes(const Node& node) const {
    const bool conjunction = node.operation == Operation::kAll;
    Value result = Value::Of(int64_t{conjunction});
    for (int axis = 0; axis < subject_.Axes(); ++axis) {
      result = Join(conjunction, result, At(node.children[0], axis));
    }
    return result;
  }

  Value Arithmetic(const Node& node, int axis) const {
    const Value a = At(node.children[0], axis);
    const Value b = node.children.size() > 1 ? At(node.children[1], axis) : Value::Of(int64_t{0});
    return a.known && b.known ? Calculate(node.operation, a.number, b.number) : kNone;
  }

  const std::vector<Node>& nodes_;
  const Subject& subject_;
};

}  // namespace

Value Evaluate(const std::vector<Node>& nodes, size_t place, const Subject& subject, int axis) {
  return Evaluator(nodes, subject).At(place, axis);
}

Value Expression::ValueAt(const Subject& subject, int axis) const {
  return Evaluate(nodes_, nodes_.size() - 1, subject, axis);
}

}  // namespace poolproof::expression
