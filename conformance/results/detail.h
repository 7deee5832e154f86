// One judged case as data: input, window, expected, got, wrong elements. What reports draw.
#pragma once

#include <nlohmann/json.hpp>

#include "conformance/cases/plan.h"
#include "conformance/causes/diagnose.h"
#include "conformance/judge/judge.h"

namespace poolproof {

// Tensors of more elements than this are described by type and shape alone.
inline constexpr int64_t kMaxDetailElements = 4096;

// "detail" of conformance/format/FORMAT.md for a case that has been run.
nlohmann::ordered_json MakeDetail(const PlannedCase& planned, Call& call, const Expected& expected, const Result* got,
                                  const Judgement& judgement);

// {"type":"f32","shape":[...],"values":["1","nan"]} of a tensor with data.
nlohmann::ordered_json TensorJson(const poolproof_tensor& tensor);

// The problem with its data and expected outputs, for teams that cannot load a library.
nlohmann::ordered_json VectorJson(const PlannedCase& planned, const Call& call, const Expected& expected);

// Null where the cause has no id.
nlohmann::ordered_json CauseJson(const Cause& cause);

}  // namespace poolproof
