// The oracle: every operator, computed plainly, under any reading of the open points.
//
// A call is the poolproof_call of backend.h, so the oracle takes exactly what a backend takes.
// Nothing here throws; nothing here allocates once an error string is not needed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend.h"
#include "reference/readings.h"
#include "reference/rounding.h"

namespace poolproof::reference {

// Further input of a computation than the call, and further output than the tensors.
struct Context {
  Readings readings;  // in
  EntrySet touched;   // out: entries on which the result may depend; accumulates
  std::string error;  // out: why the status is not OK
  // out: entries of `touched` that only bound errors, and whose other readings may refuse a result that the selected
  // ones allow. Of the rest of those a right result tells nothing.
  EntrySet binding = {};
};

// How an element that differs from the expected one is to be judged.
enum class Acceptance : uint8_t {
  kRejected,   // wrong
  kTolerated,  // inside the written tolerance of the operator
  kSilence,    // another answer that the silence `entry` allows; its reading is `reading`
};
struct ElementJudgement {
  Acceptance acceptance = Acceptance::kRejected;
  Entry entry = Entry::kTies;  // where kSilence
  uint8_t reading = 0;         // where kSilence; the "other" reading unless it is known exactly
  double ulp = 0;              // distance from the exact result in ulp of the output type
  double exact = 0;            // the exact result, for messages; NaN where there is none
  double bound = 0;            // the tolerance that applied, absolute; 0 where the rule is exact
};

// Called for one element after the other; false stops.
using JudgementVisitor = std::function<bool(int64_t element, const ElementJudgement&)>;

// The window of one output element, for drawings and for checks of indices and of the documents' formulas.
struct Window {
  int spatial_rank = 0;
  std::array<int64_t, 3> begin{};                 // first tap per spatial axis, input coordinates; may be negative
  std::array<int64_t, 3> step{};                  // distance between taps
  std::array<int64_t, 3> taps{};                  // number of taps per axis, those in padding included
  std::array<int, 3> axis{};                      // which dimension of the input each spatial axis is
  std::array<int64_t, 3> pad_begin{}, pad_end{};  // of each spatial axis, given or chosen; 0 where adaptive
  int64_t divisor = 0;                            // of a mean: how many taps count
  std::vector<int64_t> offsets;                   // flat input offsets of the taps inside the input, row-major
};

// One operator, or one family of names ("mli_krn_maxpool_..."). Each file in operators/ defines one
// table of these; CMake collects the tables.
struct Operator {
  // Whether this entry serves the operator name `op`.
  bool (*handles)(std::string_view op);
  // As poolproof_backend::infer_shapes.
  poolproof_status (*infer_shapes)(const poolproof_call& call, Context& context);
  // As poolproof_backend::run. The outputs need not have been inferred before: they are checked.
  poolproof_status (*run)(const poolproof_call& call, Context& context);
  // Judges element `element` of output `output`, whose bytes are at `got`, for a call that is OK
  // under `readings` and whose expected bytes differ. The outputs of `call` are described (type,
  // dims) but their data is not looked at.
  ElementJudgement (*judge)(const poolproof_call& call, const Readings& readings, size_t output, int64_t element,
                            const void* got);
  // The same for every element of output `output` whose bytes at `expected` and `got` differ.
  void (*judge_different)(const poolproof_call& call, const Readings& readings, size_t output, const void* expected,
                          const void* got, const JudgementVisitor& visit);
  // Evidence of the values at `got`, of output 0 of a call that is OK under `readings`, for how
  // quotients are rounded.
  RoundingAnswers (*rounding)(const poolproof_call& call, const Readings& readings, const void* got);
  // The window of output element `element` of a call that is OK under `readings`.
  Window (*window)(const poolproof_call& call, const Readings& readings, int64_t element);
};

// nullptr where no operator serves the name.
const Operator* FindOperator(std::string_view op);

// As the members of Operator, UNSUPPORTED where no operator serves call.op.
poolproof_status InferShapes(const poolproof_call& call, Context& context);
poolproof_status Run(const poolproof_call& call, Context& context);

// Bytes of one element of `type`; 0 for a value that is no element type.
size_t ElementSize(poolproof_element_type type);

}  // namespace poolproof::reference
