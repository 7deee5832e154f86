#include "conformance/cases/callables.h"

#include <algorithm>
#include <cassert>

namespace poolproof {
namespace {

// The callables of one operator.
std::span<const Callable> DrawOperator(std::span<const Callable> callables, Choices& choices) {
  assert(!callables.empty());
  uint64_t operators = 0;
  for (size_t i = 0; i < callables.size(); ++i) {
    operators += i == 0 || callables[i].spec != callables[i - 1].spec;
  }
  uint64_t left = choices.Below(operators);
  size_t begin = 0;
  while (true) {
    size_t end = begin;
    while (end < callables.size() && callables[end].spec == callables[begin].spec) ++end;
    if (left-- == 0) return callables.subspan(begin, end - begin);
    begin = end;
  }
}

// The names that every backend has get most of the problems; specializations share the rest.
const Callable& DrawFunction(std::span<const Callable> callables, Choices& choices) {
  const auto required = static_cast<uint64_t>(std::count_if(
      callables.begin(), callables.end(), [](const Callable& callable) { return callable.function->required; }));
  const bool specialized = required == 0 || (required < callables.size() && choices.Percent(35));
  uint64_t left = choices.Below(specialized ? callables.size() - required : required);
  for (const Callable& callable : callables) {
    if (callable.function->required != specialized && left-- == 0) return callable;
  }
  return callables.front();
}

}  // namespace

std::vector<Callable> AllCallables(const Specs& specs) {
  std::vector<Callable> callables;
  for (const OperatorSpec& spec : specs.operators) {
    for (const Function& function : spec.functions) callables.push_back({&spec, &function});
  }
  return callables;
}

const Callable& DrawCallable(std::span<const Callable> callables, Choices& choices) {
  return DrawFunction(DrawOperator(callables, choices), choices);
}

}  // namespace poolproof
