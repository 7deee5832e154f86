#include "conformance/causes/wrong_backend.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/cases/names.h"
#include "conformance/causes/plain_pool.h"
#include "fault_lines.h"
#include "field_lines.h"
#include "reference/reference.h"

namespace poolproof::mutants {
namespace {

const expression::Vocabulary& Names() { return *BuiltInSpecs().names; }

// The roles that a stale cache keeps or goes by, by the names that expressions have for them.
constexpr std::pair<std::string_view, Role> kRoles[] = {{"kernel", Role::kKernel},
                                                        {"stride", Role::kStride},
                                                        {"dilation", Role::kDilation},
                                                        {"pad_begin", Role::kPadBegin},
                                                        {"pad_end", Role::kPadEnd}};

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

bool ParseRoles(std::string_view text, std::vector<Role>* roles, Error* error) {
  for (const std::string& name : Split(text, ',')) {
    const auto* known = std::ranges::find(kRoles, name, [](const auto& row) { return row.first; });
    if (known == std::end(kRoles)) return Fail("nothing of a call is named \"" + name + "\"", error);
    roles->push_back(known->second);
  }
  return true;
}

bool ParsePart(const std::string& text, WrongPart* part, Error* error) {
  constexpr std::string_view kStale = "stale ", kBy = " by ", kWhere = " where ", kShape = "shape",
                             kShapeAnd = "shape,";
  if (text.starts_with(kStale)) {
    const size_t by = text.find(kBy);
    if (by == text.npos) return Fail("\"" + text + "\" has no \"by\"", error);
    const std::string_view stale = std::string_view(text).substr(kStale.size(), by - kStale.size());
    std::string_view key = std::string_view(text).substr(by + kBy.size());
    if (key != kShape && !key.starts_with(kShapeAnd)) return Fail("\"" + text + "\": a key begins with shape", error);
    key.remove_prefix(std::min(kShapeAnd.size(), key.size()));
    return ParseRoles(stale, &part->stale, error) && (key.empty() || ParseRoles(key, &part->key, error));
  }
  const size_t where = text.find(kWhere);
  const std::string id = Trimmed(text.substr(0, where));
  part->mutant = FindMutant(id);
  if (part->mutant == nullptr) part->mutant = FindForm(id);
  if (part->mutant == nullptr) return Fail("no mutant is named \"" + id + "\"", error);
  if (where == text.npos) return true;
  part->where = expression::Expression::Condition(Names(), text.substr(where + kWhere.size()), error);
  return part->where || Fail("\"" + text + "\": " + error->message, error);
}

// The key under which a call is remembered.
std::string KeyOf(const WrongPart& part, const Asked& asked) {
  std::string key = asked.function->name;
  const auto add = [&key](int64_t n) { key += "," + std::to_string(n); };
  add(asked.type);
  for (const int64_t dim : asked.shape) add(dim);
  for (const Role role : part.key) {
    key += "/";
    for (int axis = 0; axis < asked.SpatialRank(); ++axis) add(AxisValue(asked, role, axis, -1));
  }
  return key;
}

// Uses what the first call with the same key asked for.
bool UseStale(const WrongPart& part, Asked& asked, Memory* memory) {
  const std::string key = KeyOf(part, asked);
  bool changed = false;
  for (const Role role : part.stale) {
    IntList* list = ListOf(asked, role);
    if (list == nullptr) continue;
    const auto [known, added] = memory->cache.try_emplace({key, role}, *list);
    if (added || known->second.size != list->size) continue;
    *list = known->second;
    changed = true;
  }
  return changed;
}

// The condition of a mutant or a form; nullptr where it has none.
const expression::Expression* WhereOf(const Mutant& mutant) {
  static const auto conditions = [] {
    std::map<std::string_view, expression::Expression> made;
    for (const auto all : {Mutants(), Forms()}) {
      for (const Mutant& each : all) {
        if (each.where.empty()) continue;
        Error error;
        auto condition = expression::Expression::Condition(Names(), each.where, &error);
        if (!condition) throw std::logic_error(std::string(each.id) + ": " + error.message);
        made.emplace(each.id, *std::move(condition));
      }
    }
    return made;
  }();
  return mutant.where.empty() ? nullptr : &conditions.at(mutant.id);
}

bool IsActive(const WrongPart& part, const Asked& asked, const poolproof_tensor* output) {
  if ((FamilyOf(asked) & part.mutant->operators) == 0) return false;
  const expression::Expression* const where = WhereOf(*part.mutant);
  const ProblemSubject subject(Names(), asked, {}, output);
  return (where == nullptr || where->Holds(subject)) && (!part.where || part.where->Holds(subject));
}

// Whether nothing of the call has to be known. A backend that dies at every call then starts again without the specs,
// which take most of the time of a start.
bool IsAlwaysActive(const WrongPart& part) {
  return part.mutant != nullptr && part.mutant->operators == kEveryOperator && part.mutant->where.empty() &&
         !part.where && part.mutant->hooks.edit == nullptr;
}

// A call as every part that is active has misread it.
class Misread {
 public:
  Misread(std::span<const WrongPart> parts, const reference::Readings& readings, Memory* memory,
          const poolproof_call& call, bool run)
      : call_(&call) {
    context.readings = readings;
    const bool reads = !std::ranges::all_of(parts, IsAlwaysActive);
    if (reads) asked_ = ReadCall(call);
    if (reads && !asked_) return;
    FindActive(parts, memory);
    bool changed = false;
    for (const WrongPart& part : parts) {
      if (part.mutant == nullptr && run) changed |= UseStale(part, *asked_, memory);
    }
    for (const Hooks* hooks : active) {
      if (hooks->edit != nullptr) hooks->edit(*asked_);
      if (hooks->readings != nullptr) hooks->readings(context.readings);
      changed |= hooks->edit != nullptr;
    }
    if (changed) Bind(call);
  }

  const poolproof_call& Call() const { return *call_; }

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
    const bool bent = AnyHook([](const Hooks* h) { return h->pool || h->range || h->taps || h->reduce || h->index; });
    if (!bent && !AnyHook([](const Hooks* h) { return h->after_infer != nullptr; })) {
      return reference::Run(call, context);
    }
    const poolproof_status status = Check(call);
    if (status != POOLPROOF_OK) return status;
    // One that only refuses other calls follows all readings where it takes one.
    if (!bent && IsDescribedRight(call)) return reference::Run(call, context);
    PlainPool(active, call);
    return status;
  }

  reference::Context context;
  std::vector<const Hooks*> active;
  std::vector<State*> states;

 private:
  void FindActive(std::span<const WrongPart> parts, Memory* memory) {
    const poolproof_tensor* output = call_->output_count == 0 ? nullptr : call_->outputs[0];
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].mutant == nullptr || (asked_ && !IsActive(parts[i], *asked_, output))) continue;
      active.push_back(&parts[i].mutant->hooks);
      states.push_back(&memory->states[i]);
    }
  }

  template <typename Has>
  bool AnyHook(Has has) const {
    return std::any_of(active.begin(), active.end(), has);
  }

  // Whether the outputs are what the reference infers.
  bool IsDescribedRight(const poolproof_call& call) {
    std::string ignored;
    const auto infer = [&](const poolproof_call& c) { return reference::InferShapes(c, context); };
    return CheckOutputs(call, infer, &ignored) == POOLPROOF_OK;
  }

  // Data and outputs are those of the call.
  void Bind(const poolproof_call& call) {
    bound_.Bind(*asked_, asked_->order);
    bound_.inputs[0].data = call.inputs[0]->data;
    bound_.inputs[0].size_bytes = call.inputs[0]->size_bytes;
    bound_.call.outputs = call.outputs;
    bound_.call.output_count = call.output_count;
    call_ = &bound_.call;
  }

  const poolproof_call* call_;
  std::optional<Asked> asked_;
  poolproof::Call bound_;
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

namespace {

std::vector<FaultLine> ReadLines(std::string_view file) {
  std::vector<FaultLine> lines;
  for (const std::string& text : Split(file, '\n')) {
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
      line.wrong = worse.starts_with("wrong") || worse.starts_with("unnamed");
      const size_t number = worse.find_first_of("0123456789");
      if (number != worse.npos) line.groups = std::stoul(worse.substr(number));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::vector<FaultLine> FaultLines() { return ReadLines(kFaultLines); }
std::vector<FaultLine> FieldLines() { return ReadLines(kFieldLines); }

poolproof_status Infer(std::span<const WrongPart> parts, const reference::Readings& readings, Memory* memory,
                       const poolproof_call& call, std::string* error) {
  memory->states.resize(parts.size());
  Misread misread(parts, readings, memory, call, false);
  const poolproof_status status = misread.Infer(misread.Call());
  *error = status == POOLPROOF_OK ? "" : misread.context.error;
  return status;
}

poolproof_status Run(std::span<const WrongPart> parts, const reference::Readings& readings, Memory* memory,
                     const poolproof_call& call, std::string* error) {
  memory->states.resize(parts.size());
  Misread misread(parts, readings, memory, call, true);
  const poolproof_call& misread_call = misread.Call();
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
