#include "conformance/diagnosis/features.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/cases/names.h"

namespace poolproof {
namespace {

using enum FeatureKind;
using expression::Expression;

// In the order of the enum.
constexpr FeatureFacts kFacts[] = {
    {kChoice, 1.0, "op"},
    {kChoice, 1.0, "type"},
    {kChoice, 1.0, "rank"},
    {kChoice, 1.05, "axes"},
    {kChoice, 1.0, "rounding"},
    {kChoice, 1.0, "padding"},
    {kChoice, 1.0, "excludes_padding"},
    {kChoice, 1.0, "index_type"},
    {kChoice, 3.0, "fill"},
    {kFlag, 0.9, "is_float"},
    {kFlag, 1.2, "is_signed"},
    {kNumber, 1.1, "bits"},
    {kFlag, 0.9, "is_mean"},
    {kFlag, 1.1, "has_indices"},
    {kFlag, 1.0, "is_adaptive"},
    {kFlag, 1.0, "channels_last"},
    {kFlag, 1.0, "lacks_batch"},
    {kFlag, 1.5, "is_invalid"},
    {kNumber, 1.0, "batch"},
    {kNumber, 1.0, "channels"},
    {kNumber, 1.05, "depth", 1},
    {kNumber, 1.0, "height", 1},
    {kNumber, 1.0, "width"},
    {kLargest, 1.2, "size"},
    {kSmallest, 1.3, "size"},
    {kNumber, 1.25, "plane"},
    {kNumber, 1.2, "elements"},
    {kNumber, 1.1, "out_width"},
    {kNumber, 1.15, "out_height"},
    {kLargest, 1.3, "out"},
    {kNumber, 1.3, "out_elements"},
    {kNumber, 1.0, "kernel[-1]"},
    {kNumber, 1.05, "kernel[-2]", 1},
    {kLargest, 1.1, "kernel"},
    {kNumber, 1.1, "taps", INT64_MAX},
    {kLargest, 1.4, "extent"},
    {kSmallest, 1.3, "stride", 1},
    {kLargest, 1.0, "stride", 1},
    {kLargest, 1.0, "dilation", 1},
    {kSmallest, 1.4, "min(pad_begin, pad_end)"},
    {kLargest, 1.1, "pad_begin"},
    {kLargest, 1.1, "pad_end"},
    {kLargest, 1.0, "max(pad_begin, pad_end)"},
    {kNumber, 1.2, "axis"},
    {kNumber, 1.2, "frac_bits"},
    {kFlag, 1.2, "any(stride < kernel)"},
    {kFlag, 1.2, "any(pad_begin != pad_begin[0] or pad_end != pad_begin[0])"},
    {kFlag, 1.2, "any(kernel != kernel[0])"},
    {kFlag, 1.2, "any(stride != stride[0])"},
    {kNumber, 1.5, "capacity"},
    {kFlag, 1.2, "width mod 4 != 0"},
    {kFlag, 1.2, "width mod 8 != 0"},
    {kFlag, 1.2, "width mod 16 != 0"},
    {kFlag, 1.3, "out_width mod 4 != 0"},
    {kFlag, 1.3, "out_width mod 8 != 0"},
    {kFlag, 1.2, "channels mod 8 != 0"},
    {kNumber, 1.2, "batch * channels"},
    {kFlag, 1.2, "channels mod 4 != 0"},
    {kNumber, 1.15, "stride[-1]", 1},
    {kNumber, 1.15, "stride[-2]", 1},
    {kNumber, 1.15, "dilation[-1]", 1},
    {kNumber, 1.15, "dilation[-2]", 1},
    {kNumber, 1.2, "dilation[-3]", 1},
    {kNumber, 1.2, "pad_begin[-1]"},
    {kNumber, 1.2, "pad_begin[-2]"},
    {kNumber, 1.2, "pad_begin[-3]"},
    {kFlag, 1.1, "any(pad_begin != pad_end)"},
    {kFlag, 1.25, "pad_begin[-1] != pad_end[-1]"},
    {kFlag, 1.15, "any(2 * max(pad_begin, pad_end) > kernel)"},
    {kFlag, 1.2, "any(dilation != dilation[0])"},
    {kFlag, 1.2, "any(stride > kernel)"},
    {kFlag, 1.25, "any((out - 1) * stride + extent > size + pad_begin + pad_end)"},
    {kFlag, 1.1, "(given(strides) or given(stride))"},
    {kFlag, 1.15, "any(pad_before != pad_before[0])"},
    {kFlag, 1.2, "any(2 * pad_before > kernel)"},
    {kFlag, 1.2, "width mod 2 != 0"},
    {kFlag, 1.2, "kernel[-1] mod 2 != 0"},
};
static_assert(std::size(kFacts) == kFeatureCount);

// The expressions of the facts, and what they are read with.
struct Formulas {
  Formulas() {
    for (const FeatureFacts& facts : kFacts) {
      Error error;
      const auto read_as = facts.kind == kFlag ? &Expression::Condition : &Expression::Formula;
      std::optional<Expression> read = read_as(names, facts.text, &error);
      if (!read) throw std::logic_error(std::string(facts.text) + ": " + error.message);
      of_facts.push_back(*std::move(read));
    }
  }
  const expression::Vocabulary names = NamesOf(BuiltInSpecs().operators);
  std::vector<Expression> of_facts;
};

// One number over all spatial axes.
int64_t OverAxes(const Expression& formula, const FeatureFacts& facts, const ProblemSubject& subject) {
  std::optional<int64_t> found;
  for (int axis = 0; axis < subject.Axes(); ++axis) {
    const std::optional<int64_t> value = formula.NumberAt(subject, axis);
    if (!value) continue;
    found =
        facts.kind == kLargest ? std::max(found.value_or(*value), *value) : std::min(found.value_or(*value), *value);
  }
  return found.value_or(facts.none);
}

int64_t ValueOf(const Expression& formula, const FeatureFacts& facts, const ProblemSubject& subject,
                WordNumbers* words) {
  if (facts.kind == kFlag) return formula.Holds(subject) ? 1 : 0;
  if (facts.kind >= kLargest) return OverAxes(formula, facts, subject);
  const expression::Value value = formula.ValueAt(subject, -1);
  if (formula.kind() == expression::Kind::kWord) return words->Number(value.word);
  return value.known ? value.number : facts.none;
}

}  // namespace

const FeatureFacts& FactsOf(Feature feature) { return kFacts[static_cast<size_t>(feature)]; }

int64_t WordNumbers::Number(std::string_view word) {
  const auto known = numbers_.find(word);
  if (known != numbers_.end()) return known->second;
  const int64_t number = static_cast<int64_t>(words_.size());
  words_.emplace_back(word);
  numbers_.emplace(word, number);
  return number;
}

Features FeaturesOf(const Problem& problem, const poolproof_tensor& output, bool invalid, WordNumbers* words) {
  static const Formulas formulas;
  Occasion occasion;
  if (invalid) occasion.rule = "invalid";
  const ProblemSubject subject(formulas.names, problem, occasion, &output);
  Features features{};
  for (size_t i = 0; i < kFeatureCount; ++i) features[i] = ValueOf(formulas.of_facts[i], kFacts[i], subject, words);
  return features;
}

}  // namespace poolproof
