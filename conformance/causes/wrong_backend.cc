#include "conformance/causes/wrong_backend.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/causes/call_names.h"
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

bool ParsePart(const std::string& text, WrongPart* part, Error* error) {
  constexpr std::string_view kStale = "stale ", kBy = " by ", kWhere = " where ";
  if (text.starts_with(kStale)) {
    const size_t by = text.find(kBy);
    if (by == text.npos) return Fail("\"" + text + "\" has no \"by\"", error);
    part->stale = Split(std::string_view(text).substr(kStale.size(), by - kStale.size()), ',');
    part->key = Split(std::string_view(text).substr(by + kBy.size()), ',');
    return true;
  }
  const size_t where = text.find(kWhere);
  const std::string id = Trimmed(text.substr(0, where));
  part->mutant = FindMutant(id);
  if (part->mutant == nullptr) part->mutant = FindForm(id);
  if (part->mutant == nullptr) return Fail("no mutant is named \"" + id + "\"", error);
  if (where == text.npos) return true;
  part->where = expression::Expression::Condition(CallNames(), text.substr(where + kWhere.size()), error);
  return part->where || Fail("\"" + text + "\": " + error->message, error);
}

// The key under which a call is remembered.
std::string KeyOf(const WrongPart& part, const poolproof_call& call) {
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
void UseStale(const WrongPart& part, CallEdit& edit, Memory* memory) {
  const std::string key = KeyOf(part, edit.Call());
  for (const std::string& name : part.stale) {
    std::vector<int64_t>* list = edit.List(name);
    if (list == nullptr) continue;
    const auto [known, added] = memory->cache.try_emplace(key + "/" + name, *list);
    if (!added && known->second.size() == list->size()) *list = known->second;
  }
}

// Conditions of the mutants, by their places among all of them.
const expression::Expression* WhereOf(const Mutant& mutant) {
  static const std::vector<std::optional<expression::Expression>> conditions = [] {
    std::vector<std::optional<expression::Expression>> made;
    for (const Mutant& each : Mutants()) {
      Error error;
      made.push_back(expression::Expression::Condition(CallNames(), each.where.empty() ? "true" : each.where, &error));
      if (!made.back()) throw std::logic_error(std::string(each.id) + ": " + error.message);
    }
    return made;
  }();
  return mutant.where.empty() ? nullptr : &*conditions[static_cast<size_t>(&mutant - Mutants().data())];
}

bool IsActive(const WrongPart& part, const poolproof_call& call) {
  if (call.op == nullptr || !part.mutant->AppliesTo(call.op)) return false;
  const expression::Expression* const where = WhereOf(*part.mutant);
  const CallSubject subject(call);
  return (where == nullptr || where->Holds(subject)) && (!part.where || part.where->Holds(subject));
}

// A call as every part that is active has misread it.
struct Misread {
  Misread(std::span<const WrongPart> parts, const reference::Readings& readings, Memory* memory,
          const poolproof_call& call, bool run)
      : edit(call) {
    context.readings = readings;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].mutant == nullptr) {
        if (run) UseStale(parts[i], edit, memory);
        continue;
      }
      if (!IsActive(parts[i], call)) continue;
      const Hooks& hooks = parts[i].mutant->hooks;
      if (hooks.edit != nullptr) hooks.edit(edit);
      if (hooks.readings != nullptr) hooks.readings(context.readings);
      active.push_back(&hooks);
      states.push_back(&memory->states[i]);
    }
  }

  // Whether a step is bent that the reference does not have.
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

  // Whether the outputs of `call` are what the misread call infers and have room for it; if not, why.
  poolproof_status Check(const poolproof_call& call) {
    return CheckOutputs(call, [&](const poolproof_call& c) { return Infer(c); }, &context.error);
  }

  poolproof_status Compute(const poolproof_call& call) {
    if (!ComputesItself()) return reference::Run(call, context);
    const poolproof_status status = Check(call);
    if (status == POOLPROOF_OK) PlainPool(active, call);
    return status;
  }

  CallEdit edit;
  reference::Context context;
  std::vector<const Hooks*> active;
  std::vector<State*> states;
};

}  // namespace

std::optional<std::vector<WrongPart>> ParseWrongBackend(std::string_view text, Error* error) {
  std::vector<WrongPart> parts;
  if (text == "none") return parts;
  for (const std::string& each : Split(text, '+')) {
    if (!ParsePart(each, &parts.emplace_back(), error)) return std::nullopt;
  }
  return parts;
}

std::vector<FaultLine> FaultLines() {
  std::vector<FaultLine> lines;
  for (const std::string& text : Split(kFaultLines, '\n')) {
    if (text.empty() || text.starts_with('#')) continue;
    const size_t mark = text.find(" ! ");
    const std::string right = text.substr(0, mark);
    const size_t bar = right.find('|');
    FaultLine line{Trimmed(right.substr(0, bar)), {}};
    const std::vector<std::string> parts = Split(bar == text.npos ? line.faults : right.substr(bar + 1), '+');
    for (const std::string& part : parts) {
      line.names.push_back(bar == text.npos ? std::vector{part.substr(0, part.find(' '))} : Split(part, ' '));
    }
    line.groups = line.names.size();
    if (mark != text.npos) {
      const std::string worse = Trimmed(text.substr(mark + 3));
      line.wrong = worse.starts_with("wrong");
      const size_t number = worse.find_first_of("0123456789");
      if (number != worse.npos) line.groups = std::stoul(worse.substr(number));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

poolproof_status Infer(std::span<const WrongPart> parts, const reference::Readings& readings, Memory* memory,
                       const poolproof_call& call, std::string* error) {
  memory->states.resize(parts.size());
  Misread misread(parts, readings, memory, call, false);
  const poolproof_status status = misread.Infer(misread.edit.Call());
  *error = status == POOLPROOF_OK ? "" : misread.context.error;
  return status;
}

poolproof_status Run(std::span<const WrongPart> parts, const reference::Readings& readings, Memory* memory,
                     const poolproof_call& call, std::string* error) {
  memory->states.resize(parts.size());
  Misread misread(parts, readings, memory, call, true);
  const poolproof_call& misread_call = misread.edit.Call();
  // A cached plan that does not fit the outputs is not used.
  const bool stale = misread.active.empty() && !parts.empty() && misread.Check(misread_call) != POOLPROOF_OK;
  for (size_t i = 0; i < misread.active.size(); ++i) {
    if (misread.active[i]->before_run) misread.active[i]->before_run(misread_call, *misread.states[i]);
  }
  poolproof_status status = misread.Compute(stale ? call : misread_call);
  for (size_t i = 0; i < misread.active.size(); ++i) {
    if (misread.active[i]->after_run) status = misread.active[i]->after_run(misread_call, *misread.states[i], status);
  }
  for (State& state : memory->states) ++state.runs;
  *error = status == POOLPROOF_OK ? "" : misread.context.error;
  return status;
}

}  // namespace poolproof::mutants
