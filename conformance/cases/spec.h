// The operator specs in memory: what specs/*.json say, after the strict reader has accepted them.
//
// Everything that the suite knows of an operator it knows from here; no code of the suite names an
// operator. The JSON form is described, and checked, by specs/schema/*.schema.json.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/backend_helper.h"
#include "conformance/expression/expression.h"
#include "conformance/format/error.h"

namespace poolproof {

// A number of a spec or a problem line: holds every f64, int64 and uint64 value exactly.
using Number = long double;
static_assert(std::numeric_limits<Number>::digits >= 64);

// ---------------------------------------------------------------- documents

// Results of formulas, each for one axis and one window along it. The index of a tap is that of the whole window; the
// divisor of a mean is the product over its axes.
enum class Gives : uint8_t { kPadBefore, kPadAfter, kOut, kStart, kEnd, kDivisor, kIndex };
inline constexpr std::string_view kGives[] = {"pad_before", "pad_after", "out", "start", "end", "divisor", "index"};

struct Formula {
  Gives gives = Gives::kOut;
  std::string text;
  std::optional<expression::Expression> compiled;
};

// One statement of a document that can be tested. `id` is "maxpool-8/strides".
struct Clause {
  std::string id;
  std::string title;                                     // where it stands: "Attributes, strides"
  std::string statement;                                 // what it says, in our words
  std::vector<std::string> operators;                    // ids of the specs that it is about
  std::string exercised_by;                              // a condition on problems of these operators
  std::optional<expression::Expression> exercised_when;  // that condition, the operators with it
  std::vector<Formula> formulas;                         // in the order of Gives
};

struct Document {
  std::string id;  // "maxpool-8"
  std::string title;
  std::string version;
  std::string link;
  std::vector<Clause> clauses;
};

// ---------------------------------------------------------------- operators

enum class AttributeType { kInt, kIntList, kBool, kWord };

// The effect of an attribute, so that the generator can make sensible values without knowing names.
enum class Role {
  kKernel,
  kStride,
  kDilation,
  kPadBegin,
  kPadEnd,
  kPadBoth,  // the same in front and behind
  kRounding,
  kAutoPad,
  kExcludePad,
  kIndexType,
  kAxis,
  kStorageOrder,  // of positions: how the coordinates of an element become one number
  kPower,         // of a norm
  kDivisor        // of a mean, instead of the number of taps that count
};

// The request that a word makes: how the output's size is rounded, how the input is padded, what a divisor counts, or
// how positions are counted. Code that acts on words knows them by these alone.
enum class Meaning {
  kRoundDown,
  kRoundUpInside,  // up, but the last window has to start in the input or in the padding in front of it
  kRoundUp,
  kPadAsGiven,
  kPadNone,
  kPadMoreAtEnd,    // such that the output is as large as the input; an odd element at the end
  kPadMoreInFront,  // or in front
  kPaddingLeftOut,  // of a mean: its divisor counts elements of the input alone
  kPaddingCounts,
  kRowMajor,
  kColumnMajor,
};

// As specs say them.
inline constexpr std::pair<std::string_view, Meaning> kMeaningNames[] = {
    {"round-down", Meaning::kRoundDown},
    {"round-up-inside", Meaning::kRoundUpInside},
    {"round-up", Meaning::kRoundUp},
    {"pad-as-given", Meaning::kPadAsGiven},
    {"pad-none", Meaning::kPadNone},
    {"pad-more-at-end", Meaning::kPadMoreAtEnd},
    {"pad-more-in-front", Meaning::kPadMoreInFront},
    {"padding-left-out", Meaning::kPaddingLeftOut},
    {"padding-counts", Meaning::kPaddingCounts},
    {"row-major", Meaning::kRowMajor},
    {"column-major", Meaning::kColumnMajor},
};

struct AttributeSpec {
  std::string name;     // the document's own: "pads_begin"
  std::string part_of;  // the list of the call that this one is the next part of: "pads"; empty: none
  std::string key;      // in problem lines: "pb"
  AttributeType type = AttributeType::kInt;
  Role role = Role::kKernel;
  // kIntList: one entry per spatial axis. kInt with spatial_axis >= 0: the value of that axis.
  int spatial_axis = -1;
  bool required = false;
  std::string required_unless;  // a condition: "auto_pad != explicit", ledger pads-required; empty: none
  std::optional<expression::Expression> absent_when;  // that condition
  // Documented range. kInt, kIntList: [min, max]; max unset is unbounded. "axis" is relative to the
  // rank: min_rank/max_rank add minus/plus rank.
  std::optional<int64_t> min, max;
  bool range_is_rank = false;                           // the range is [-R, R-1]
  std::optional<int64_t> valid_min;                     // smallest value that is not rejected; differs from min where
                                                        // a ledger entry says so (strides: min 0, valid_min 1)
  bool keeps_sign = false;                              // of a power: odd ones are of the elements, not of magnitudes
  int least_axes = 0;                                   // spatial axes that a call needs to have to be given it
  std::vector<std::string> words;                       // kWord
  poolproof_attribute_kind call_kind = POOLPROOF_WORD;  // kWord: what it is in the call, an integer or a boolean
  std::vector<Meaning> meanings;                        // of the words, in their order, where their role has some
  // Default where absent: kInt, kBool in default_integer; kIntList: default_integer for every axis.
  std::optional<int64_t> default_integer;
  std::string default_word;
  bool default_is_kernel = false;   // kIntList: absent, it is as large as the kernel
  std::vector<int64_t> boundaries;  // values worth combining, kInt and kIntList
  std::string clause;               // id of the clause it comes from
};

struct InputSpec {
  std::string name;
  bool sizes = false;                         // carries one output size per spatial axis instead of features
  std::vector<poolproof_element_type> types;  // sizes: i32, i64; features: unused (see Function)
  std::string clause;
};

enum class Compare {
  kExact,  // bit for bit; NaN equals NaN; which zero is the ledger's signed-zero
  kIndex,  // a position; other positions only where the ledger's silences allow them
  kMean,   // inside the computed bound (floats) or a listed rounding (integers)
  kNorm,   // inside the computed bound
};

struct OutputSpec {
  std::string name;  // "values", "indices"
  Compare compare = Compare::kExact;
  std::string type_from;      // "input": the feature map's type; else an element type, or the attribute that names one
  bool optional = false;      // a call may leave it out, with all behind it
  bool whole_tensor = false;  // kIndex: positions count the whole input, not a plane
  std::string clause;
  std::string value_clause;  // what says what an element is; `clause` where nothing else does
};

// One callable name of the spec: "MaxPool-8", or "mli_krn_maxpool_hwc_fx8".
struct Function {
  std::string name;
  std::vector<poolproof_element_type> types;
  std::string layout;     // "NC..." or "C...", the spatial axes last; "CHW", "HWC"
  bool required = true;   // false: tested where the backend offers it
  bool any_rank = false;  // other ranks are not judged: the document sets no limit
  // Restrictions of a specialization; unset members do not restrict.
  std::string generic;  // the function that a specialization must agree with; empty: none
  std::optional<int64_t> kernel_width, kernel_height, channels, stride;
  enum class Padding { kAny, kNone, kKernel } padding = Padding::kAny;
  std::string clause;

  bool HasBatch() const { return layout.starts_with('N'); }
  bool IsMliLayout() const { return layout.size() == 3; }  // CHW, HWC
};

// A tensor as written in a spec.
struct TensorValue {
  std::vector<int64_t> shape;
  std::vector<Number> values;  // empty: only the shape is documented
};

struct Example {
  std::string id;  // "example-1", "layer-2"
  std::string clause;
  std::string description;
  std::string line;  // the problem as a line without data, attributes as corrected
  std::vector<TensorValue> inputs;
  std::vector<TensorValue> outputs;          // expected, with corrections applied
  std::vector<TensorValue> printed_outputs;  // as printed, where that differs; otherwise empty
  std::string printed_line;                  // attributes as printed, where that differs
  std::vector<std::string> ledger;           // entries that explain the difference
};

// A call that breaks one rule. Expected answer: INVALID_ARGUMENT, unless the ledger entry named
// is a silence, where both answers pass.
struct InvalidCall {
  std::string rule;  // "stride-zero"
  std::string clause;
  std::string statement;
  std::vector<std::string> lines;  // problem lines
  std::string ledger;              // may be empty
};

struct OperatorSpec {
  std::string id;      // file stem: "max_pool_8"
  std::string file;    // path, for messages
  std::string family;  // folder of the file, "openvino": operators of one project's documents
  std::string title;
  std::string document;  // id of the document that defines it
  std::vector<Function> functions;
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
  int min_rank = 3, max_rank = 5;  // of the first function; RanksOf (geometry.h) has those of any
  std::vector<AttributeSpec> attributes;
  std::vector<Example> examples;
  std::vector<InvalidCall> invalid_calls;
  bool kernel_within_input = false;  // kernel may not exceed the input (MLI)
  bool whole_planes = false;         // without a kernel: each window is a plane
  bool pad_below_kernel = false;     // pads must be below the kernel (MLI)
  bool pad_within_half = false;      // pads may not exceed half the kernel (PyTorch)

  const AttributeSpec* FindAttribute(std::string_view name_or_key) const;
  const Function* FindFunction(std::string_view name) const;
};

// How the first output is compared tells a maximum (exact) from a mean.
bool IsMaximum(const OperatorSpec& spec);
bool IsMean(const OperatorSpec& spec);
// Whether positions count the whole input, not a plane; of operators without an attribute that says where they begin.
bool CountsWholeTensor(const OperatorSpec& spec);

// ---------------------------------------------------------------- ledger

struct LedgerReading {
  std::string name;
  std::string statement;
  std::vector<std::string> followed_by;  // "OpenVINO 2024", "PyTorch", "ONNX Runtime", "oneDNN"
  bool rare = false;                     // few libraries follow it
};

struct LedgerEntry {
  std::string id;
  std::string kind;  // "contradiction", "silence", "erratum", "divergence"
  std::string title;
  std::string evidence;                         // what the documents say, in our words, and where
  std::vector<std::string> clauses;             // clause ids
  std::vector<LedgerReading> readings;          // default first
  std::map<std::string, std::string> profiles;  // "openvino f16" -> reading, where not the default
  std::string effect;                           // what a user sees when readings are mixed up
  std::string scope = "run";                    // how far a backend has to keep to one reading
  bool computed = false;                        // the reference computes the readings; otherwise it is about text only
};

// ---------------------------------------------------------------- networks

// A pooling layer of a published network, whichever operator computes it. Lists have one entry per
// spatial axis.
struct NetworkLayer {
  std::string network;
  bool mean = false;                                      // otherwise a maximum
  std::vector<int64_t> input;                             // [N, C, spatial...]
  std::vector<int64_t> output;                            // adaptive: spatial sizes of the output; otherwise empty
  std::vector<int64_t> kernel, strides, pads, dilations;  // empty where adaptive
  bool ceil = false;                                      // rounding up
  bool exclude_pad = false;                               // of a mean
};

// ---------------------------------------------------------------- all of it

struct Specs {
  std::vector<Document> documents;
  std::vector<OperatorSpec> operators;
  std::vector<LedgerEntry> ledger;
  std::vector<NetworkLayer> networks;
  std::string digest;                                   // of all files in their expanded form, for the results header
  std::shared_ptr<const expression::Vocabulary> names;  // of the operators, for conditions
  std::shared_ptr<const expression::Vocabulary> formula_names;

  // The spec that has a function of this name; nullptr where none has.
  const OperatorSpec* FindOperator(std::string_view function) const;
  // Names of the operators in problem lines and filters.
  std::vector<std::string> FunctionNames() const;
  const Clause* FindClause(std::string_view id) const;
  const LedgerEntry* FindLedger(std::string_view id) const;
};

// Reads the specs that are compiled into the program (directory empty), or those under
// `directory`. On failure fills `error` and returns nothing.
std::optional<Specs> LoadSpecs(const std::string& directory, Error* error);

// The specs that are compiled in, read once; ends the process with a sentence where they cannot be read.
const Specs& BuiltInSpecs();

using backend::ElementSize;
using backend::ElementTypeName;
using backend::IsFloat;
using backend::ParseElementType;

}  // namespace poolproof
