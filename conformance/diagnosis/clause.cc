#include "conformance/diagnosis/clause.h"

#include "conformance/cases/geometry.h"

namespace poolproof {
namespace {

struct CauseRow {
  std::string_view cause;
  Role role;
};

constexpr CauseRow kRows[] = {
    {"exclude-pad-inverted", Role::kExcludePad},
    {"exclude-pad-ignored", Role::kExcludePad},
    {"onnxruntime-24681", Role::kExcludePad},
    {"onnxruntime-27375", Role::kExcludePad},
    {"padding-repeats-edge", Role::kExcludePad},
    {"kernel-reversed", Role::kKernel},
    {"last-tap-skipped", Role::kKernel},
    {"mli-kernel-width-height-swapped", Role::kKernel},
    {"strides-reversed", Role::kStride},
    {"stride-of-first-axis", Role::kStride},
    {"mli-stride-width-height-swapped", Role::kStride},
    {"dilation-of-first-axis", Role::kDilation},
    {"dilation-ignored", Role::kDilation},
    {"dilation-counts-gaps", Role::kDilation},
    {"dilation-only-in-shape", Role::kDilation},
    {"onnxruntime-29637", Role::kDilation},
    {"pads-swapped", Role::kPadBegin},
    {"pads-begin-end-swapped", Role::kPadBegin},
    {"pads-end-as-begin", Role::kPadEnd},
    {"padding-shifts-nothing", Role::kPadBegin},
    {"windows-moved-inside", Role::kPadBegin},
    {"onednn-1094", Role::kPadBegin},
    {"embarc-mli-krnpad", Role::kPadBegin},
    {"mli-padding-top-bottom-swapped", Role::kPadBegin},
    {"mli-padding-left-as-top", Role::kPadBegin},
    {"mli-padding-as-zero", Role::kPadBegin},
    {"mli-average-counts-padding", Role::kPadBegin},
    {"openvino-18731", Role::kRounding},
    {"onnxruntime-15446", Role::kRounding},
    {"pytorch-57178", Role::kRounding},
    {"tvm-18641", Role::kRounding},
    {"tt-metal-11044", Role::kRounding},
    {"ceil-torch-as-ceil", Role::kRounding},
    {"ceil-torch-as-floor", Role::kRounding},
    {"floor-as-ceil", Role::kRounding},
    {"rounding-default-ceil", Role::kRounding},
    {"same-upper-lower-swapped", Role::kAutoPad},
    {"same-as-valid", Role::kAutoPad},
    {"same-divides-by-stride", Role::kAutoPad},
    {"valid-keeps-pads", Role::kAutoPad},
    {"index-not-modulo-axis", Role::kAxis},
    {"index-wrong-axis", Role::kAxis},
    {"index-negative-axis-ignored", Role::kAxis},
    {"index-without-batch", Role::kAxis},
    {"index-without-channel", Role::kAxis},
    {"index-i32-where-i64-is-asked", Role::kIndexType},
    {"index-type-ignored", Role::kIndexType},
};

// The clause of the word that decides how large the output is: of auto_pad unless the pads count as
// given, otherwise of the rounding.
std::string ClauseOfSize(const Specs& specs, const Problem& problem) {
  const Role role = PadsCount(problem) ? Role::kRounding : Role::kAutoPad;
  const auto index = AttributeIndex(*problem.spec, role);
  if (!index) return "";
  const std::string& clause = problem.spec->attributes[*index].clause;
  const std::string of_word = clause + "-" + std::string(WordOf(problem, role));
  return specs.FindClause(of_word) == nullptr ? clause : of_word;
}

// The first clause that the entry names of the operator's own document, or of any.
std::string ClauseOfOpenPoint(const Specs& specs, const OperatorSpec& spec, const Choice& choice) {
  const LedgerEntry* entry = specs.FindLedger(reference::EntryId(choice.entry));
  if (entry == nullptr || entry->clauses.empty()) return "";
  for (const std::string& clause : entry->clauses) {
    if (clause.starts_with(spec.document + "/")) return clause;
  }
  return entry->clauses[0];
}

}  // namespace

std::string ClauseOf(const Specs& specs, const PlannedCase& planned, const Judgement& judgement) {
  if (planned.example != nullptr) return planned.example->clause;
  if (planned.invalid != nullptr) return planned.invalid->clause;
  const OperatorSpec& spec = *planned.problem.spec;
  if (!judgement.deviations.empty()) return ClauseOfOpenPoint(specs, spec, judgement.deviations[0]);
  if (judgement.output >= spec.outputs.size()) return "";
  const OutputSpec& output = spec.outputs[judgement.output];
  if (judgement.difference == Difference::kValue) return output.value_clause;
  if (judgement.difference != Difference::kShape) return "";
  const std::string size = ClauseOfSize(specs, planned.problem);
  return size.empty() ? output.clause : size;
}

std::string ClauseOfCause(const Specs& specs, const Problem& problem, std::string_view cause) {
  for (const CauseRow& row : kRows) {
    if (row.cause != cause) continue;
    const auto index = AttributeIndex(*problem.spec, row.role, 0);
    if (!index) return "";
    const AttributeSpec& attribute = problem.spec->attributes[*index];
    if (attribute.type != AttributeType::kWord) return attribute.clause;
    const std::string of_word = attribute.clause + "-" + std::string(WordOf(problem, row.role));
    return specs.FindClause(of_word) == nullptr ? attribute.clause : of_word;
  }
  return "";
}

}  // namespace poolproof
