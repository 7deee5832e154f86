#include "conformance/causes/faults.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "conformance/backend_helper.h"
#include "conformance/causes/plain_pool.h"
#include "fault_lines.h"
#include "reference/reference.h"

namespace poolproof::mutants {
namespace {

// All numbers of attributes whose names begin like this; MLI has one attribute for each side.
std::vector<int64_t> NumbersOf(const poolproof_call& call, std::string_view prefix) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < call.attribute_count; ++i) {
    const poolproof_attribute& a = *call.attributes[i];
    if (!std::string_view(a.name).starts_with(prefix)) continue;
    if (a.kind == POOLPROOF_INT_LIST) numbers.insert(numbers.end(), a.integers, a.integers + a.count);
    if (a.kind == POOLPROOF_INT) numbers.push_back(a.integer);
  }
  return numbers;
}

int64_t Largest(const std::vector<int64_t>& numbers, int64_t otherwise) {
  return numbers.empty() ? otherwise : *std::max_element(numbers.begin(), numbers.end());
}

int64_t Dim(const poolproof_call& call, std::string_view of) {
  const poolproof_tensor& in = *call.inputs[0];
  const std::string_view op = call.op;
  const bool mli = op.starts_with("mli_");
  const bool last = op.find("_hwc_") != op.npos;
  const int spatial = mli ? (last ? 0 : 1) : 2, rank = mli ? 2 : in.rank - 2;
  const auto dim = [&](int d) { return d >= 0 && d < in.rank ? in.dims[d] : 1; };
  if (of == "batch") return mli ? 1 : dim(0);
  if (of == "channels") return dim(mli ? (last ? 2 : 0) : 1);
  const int back = of == "width" ? 1 : of == "height" ? 2 : 3;
  return back > rank ? 1 : dim(spatial + rank - back);
}

int64_t NumberOf(const poolproof_call& call, std::string_view of) {
  if (of == "rank") return call.inputs[0]->rank;
  if (of == "stride") return Largest(NumbersOf(call, "stride"), 1);
  if (of == "dilation") return Largest(NumbersOf(call, "dilation"), 1);
  if (of == "pad") return Largest(NumbersOf(call, "pad"), 0);
  if (of == "kernel") return Largest(NumbersOf(call, "kernel"), 1);
  if (of != "taps") return Dim(call, of);
  int64_t taps = 1;
  for (const int64_t k : NumbersOf(call, "kernel")) taps *= k;
  return taps;
}

std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == text.npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

std::vector<std::string> Split(std::string_view text, char by) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(by, at), text.size());
    parts.push_back(Trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

bool ParseCondition(const std::string& text, FaultCondition* condition) {
  const size_t sign = text.find_first_of("><=%");
  if (sign == text.npos) return false;
  condition->of = Trimmed(text.substr(0, sign));
  condition->sign = text[sign];
  const size_t skip = condition->sign == '>' || condition->sign == '<' ? 2 : 1;
  const std::string value = Trimmed(text.substr(std::min(sign + skip, text.size())));
  condition->word = value;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), condition->number);
  if (condition->of == "type") return backend::ParseElementType(value) != 0;
  return code == std::errc() && end == value.data() + value.size();
}

bool ParsePart(const std::string& text, FaultPart* part) {
  constexpr std::string_view kStale = "stale ", kBy = " by ", kWhere = " where ";
  if (text.starts_with(kStale)) {
    const size_t by = text.find(kBy);
    if (by == text.npos) return false;
    part->stale = Split(std::string_view(text).substr(kStale.size(), by - kStale.size()), ',');
    part->key = Split(std::string_view(text).substr(by + kBy.size()), ',');
    return true;
  }
  const size_t where = text.find(kWhere);
  const std::string id = Trimmed(text.substr(0, where));
  part->mutant = FindMutant(id);
  if (part->mutant == nullptr) part->mutant = FindForm(id);
  if (part->mutant == nullptr) return false;
  return where == text.npos || ParseCondition(text.substr(where + kWhere.size()), &part->where);
}

// What a call is remembered by.
std::string KeyOf(const FaultPart& part, const poolproof_call& call) {
  std::string key = call.op;
  const auto add = [&key](int64_t n) { key += "," + std::to_string(n); };
  const poolproof_tensor& in = *call.inputs[0];
  add(in.element_type);
  for (int d = 0; d < std::clamp(in.rank, 0, POOLPROOF_MAX_RANK); ++d) add(in.dims[d]);
  for (const std::string& name : part.key) {
    if (name == "shape") continue;
    key += name;
    for (const int64_t n : NumbersOf(call, name)) add(n);
  }
  return key;
}

// Uses what the first call with the same key asked for.
void UseStale(const FaultPart& part, CallEdit& edit, FaultSession& session) {
  const std::string key = KeyOf(part, edit.Call());
  for (const std::string& name : part.stale) {
    std::vector<int64_t>* list = edit.List(name);
    if (list == nullptr) continue;
    const auto [known, added] = session.cache.try_emplace(key + "/" + name, *list);
    if (!added && known->second.size() == list->size()) *list = known->second;
  }
}

// What is left of a call when every part that is active has misread it.
struct Misread {
  Misread(FaultSession& session, const poolproof_call& call, bool run) : edit(call) {
    for (size_t i = 0; i < session.parts.size(); ++i) {
      const FaultPart& part = session.parts[i];
      if (part.mutant == nullptr) {
        if (run) UseStale(part, edit, session);
        continue;
      }
      if (call.op == nullptr || !part.mutant->Concerns(call.op) || !part.where.Holds(call)) continue;
      const Hooks& hooks = part.mutant->hooks;
      if (hooks.edit != nullptr) hooks.edit(edit);
      if (hooks.readings != nullptr) hooks.readings(context.readings);
      active.push_back(&hooks);
      states.push_back(&session.states[i]);
    }
  }

  bool ComputesItself() const {
    return std::any_of(active.begin(), active.end(), [](const Hooks* h) {
      return h->after_infer || h->pool || h->range || h->taps || h->reduce || h->index;
    });
  }

  poolproof_status Infer(const poolproof_call& call) {
    poolproof_status status = reference::InferShapes(call, context);
    for (const Hooks* h : active) {
      if (h->after_infer != nullptr) status = h->after_infer(call, status);
    }
    return status;
  }

  CallEdit edit;
  reference::Context context;
  std::vector<const Hooks*> active;
  std::vector<State*> states;
};

// Whether the outputs of `call` are what the misread call infers and have room for it.
bool OutputsFit(Misread& misread, const poolproof_call& call) {
  std::string why;
  return CheckOutputs(call, [&](const poolproof_call& c) { return misread.Infer(c); }, &why) == POOLPROOF_OK;
}

}  // namespace

bool FaultCondition::Holds(const poolproof_call& call) const {
  if (sign == 0) return true;
  if (call.input_count == 0) return false;
  if (of == "type") return backend::ElementTypeName(call.inputs[0]->element_type) == word;
  const int64_t have = NumberOf(call, of);
  switch (sign) {
    case '>': return have >= number;
    case '<': return have <= number;
    case '%': return number != 0 && have % number != 0;
    default: return have == number;
  }
}

std::optional<std::vector<FaultPart>> ParseFaults(std::string_view text, Error* error) {
  std::vector<FaultPart> parts;
  for (const std::string& each : Split(text, '+')) {
    FaultPart part;
    if (!ParsePart(each, &part)) {
      error->message = "\"" + each +
                       "\" is no part of a wrong backend: MUTANT, MUTANT where width>=32, or stale "
                       "pads_begin by shape";
      return std::nullopt;
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<FaultLine> FaultLines() {
  std::vector<FaultLine> lines;
  for (const std::string& text : Split(kFaultLines, '\n')) {
    if (text.empty() || text.starts_with('#')) continue;
    const std::vector<std::string> halves = Split(text, '!');
    const size_t bar = halves[0].find('|');
    FaultLine line{Trimmed(halves[0].substr(0, bar)), {}};
    const std::vector<std::string> parts = Split(bar == text.npos ? line.faults : halves[0].substr(bar + 1), '+');
    for (const std::string& part : parts) {
      line.names.push_back(bar == text.npos ? std::vector{part.substr(0, part.find(' '))} : Split(part, ' '));
    }
    line.groups = line.names.size();
    if (halves.size() > 1) {
      line.wrong = halves[1].starts_with("wrong");
      const size_t number = halves[1].find_first_of("0123456789");
      if (number != text.npos) line.groups = std::stoul(halves[1].substr(number));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

poolproof_status Infer(FaultSession& session, const poolproof_call& call) {
  session.states.resize(session.parts.size());
  Misread misread(session, call, false);
  const poolproof_status status = misread.Infer(misread.edit.Call());
  session.error = status == POOLPROOF_OK ? "" : misread.context.error;
  return status;
}

poolproof_status Run(FaultSession& session, const poolproof_call& call) {
  session.states.resize(session.parts.size());
  Misread misread(session, call, true);
  // A cached plan that does not fit the outputs is not used.
  if (misread.active.empty() && !OutputsFit(misread, misread.edit.Call())) {
    return reference::Run(call, misread.context);
  }
  const poolproof_call& misread_call = misread.edit.Call();
  for (size_t i = 0; i < misread.active.size(); ++i) {
    if (misread.active[i]->before_run) misread.active[i]->before_run(misread_call, *misread.states[i]);
  }
  poolproof_status status = POOLPROOF_OK;
  if (!misread.ComputesItself()) {
    status = reference::Run(misread_call, misread.context);
  } else if (OutputsFit(misread, misread_call)) {
    PlainPool(misread.active, misread_call);
  } else {
    status = POOLPROOF_INVALID_ARGUMENT;
  }
  for (size_t i = 0; i < misread.active.size(); ++i) {
    State& state = *misread.states[i];
    if (misread.active[i]->after_run) status = misread.active[i]->after_run(misread_call, state, status);
    ++state.runs;
  }
  session.error = status == POOLPROOF_OK ? "" : misread.context.error;
  return status;
}

}  // namespace poolproof::mutants
