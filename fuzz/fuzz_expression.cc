// The reader of conditions and formulas.
//
// - any text is read or refused with a reason
// - what was read prints as text that reads back as the same, and gives the same
#include <cassert>

#include "conformance/cases/names.h"
#include "fuzz/harness.h"

namespace {

using namespace poolproof;  // NOLINT: a harness
using expression::Expression;
using Read = std::optional<Expression> (*)(const expression::Vocabulary&, std::string_view, Error*);

void Check(Read read, std::string_view text, const ProblemSubject& subject) {
  const expression::Vocabulary& names = *BuiltInSpecs().names;
  Error error;
  const std::optional<Expression> once = read(names, text, &error);
  assert(once.has_value() == error.message.empty());
  if (!once) return;
  const std::string printed = once->Text();
  const std::optional<Expression> again = read(names, printed, &error);
  // Blanks and parentheses make the printed text longer than what is read.
  if (!again && printed.size() > text.size()) return;
  assert(again && again->Text() == printed);
  for (int axis = 0; axis < subject.Axes(); ++axis) {
    assert(once->NumberAt(subject, axis) == again->NumberAt(subject, axis));
    assert(!once->TextWithValues(subject, axis).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Problem problem =
      *ParseLine(BuiltInSpecs(), "MaxPool-8 f32 in=1x3x8x9 k=3x2 s=2 pb=1x0 pe=1 d=1x2 rounding=ceil", nullptr);
  const ProblemSubject subject(*BuiltInSpecs().names, problem);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Check(&Expression::Condition, text, subject);
  Check(&Expression::Formula, text, subject);
  return 0;
}
