// `conformance show ID`: one case, drawn, with what each reading of the documents expects. `conformance show --spec
// OP`: what the specs say of an operator, with all that is extended and derived.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "conformance/cases/assemble.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/formulas.h"
#include "conformance/format/meant.h"
#include "conformance/gate/command.h"
#include "conformance/gate/draw.h"
#include "conformance/judge/message.h"

namespace poolproof {
namespace {

struct ShowOptions {
  std::string id, spec, profile = reference::DefaultProfile();
  std::vector<int64_t> at;
};

std::string ValueText(const AttributeSpec& spec, const AttributeValue& value) {
  if (!value.present) return "(absent: its default applies)";
  switch (spec.type) {
    case AttributeType::kInt: return fmt::format("{}", value.integer);
    case AttributeType::kBool: return value.integer != 0 ? "true" : "false";
    case AttributeType::kWord: return value.word;
    case AttributeType::kIntList: break;
  }
  return fmt::format("[{}]", fmt::join(value.list.begin(), value.list.end(), ", "));
}

void PrintAttributes(const Problem& problem) {
  for (size_t i = 0; i < problem.spec->attributes.size(); ++i) {
    const AttributeSpec& spec = problem.spec->attributes[i];
    fmt::print("  {:<20} {}\n", spec.name, ValueText(spec, problem.attributes[i]));
  }
}

void PrintOutputs(const PlannedCase& planned, const Result& result) {
  if (result.status != POOLPROOF_OK) return;
  for (size_t i = 0; i < result.output_count; ++i) {
    fmt::print("output {}, {}:\n{}", OutputName(planned.problem, i), ShapeText(result.outputs[i]),
               DrawTensor(result.outputs[i], {}));
  }
}

void PrintReadings(const PlannedCase& planned, Call& call, const Expected& expected) {
  Expected other;
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    const auto entry = static_cast<reference::Entry>(e);
    if (!expected.touched().Has(entry)) continue;
    for (uint8_t r = 0; r < reference::ComputableReadings(entry); ++r) {
      if (r == expected.readings()[entry]) continue;
      reference::Readings readings = expected.readings();
      readings[entry] = r;
      other.Compute(call, readings, planned.problem.ShapesAlone(), planned.problem.capacity);
      if (SameBytes(expected.result(), other.result())) continue;
      fmt::print("\nunder {}={}: {}\n", reference::EntryId(entry), reference::ReadingNames(entry)[r],
                 StatusName(other.result().status));
      PrintOutputs(planned, other.result());
    }
  }
}

// The element at a position, the first one where none is given; nothing where the output has no such position.
std::optional<int64_t> Element(const std::vector<int64_t>& at, const poolproof_tensor& output) {
  if (at.empty()) return 0;
  if (at.size() != static_cast<size_t>(output.rank)) return std::nullopt;
  int64_t flat = 0;
  for (size_t d = 0; d < at.size(); ++d) {
    if (at[d] < 0 || at[d] >= output.dims[d]) return std::nullopt;
    flat = flat * output.dims[d] + at[d];
  }
  return flat;
}

// Prints the documents' formulas with their numbers, those of a window for the one at the position and its first tap in
// the input.
void PrintFormulas(const ShowOptions& options, const Specs& specs, const Problem& problem, const Call& call,
                   const Expected& expected) {
  const Result& result = expected.result();
  if (result.status != POOLPROOF_OK) return;
  const std::optional<int64_t> element = Element(options.at, result.outputs[0]);
  WindowPlace place;
  Gives last = Gives::kOut;
  if (element && result.outputs[0].size_bytes > 0) {
    place = PlaceOf(problem, result.outputs[0], *element);
    const auto taps = reference::FindOperator(call.call.op)->window(call.call, expected.readings(), *element).offsets;
    last = taps.empty() ? Gives::kDivisor : Gives::kIndex;
    if (!taps.empty()) place.tap = taps.front();
  }
  for (const std::string& text : Formulas(specs, problem, expected.readings()).Texts(Gives::kPadBefore, last, place)) {
    fmt::print("  {}\n", text);
  }
}

// ", which is f32 [1,1,4,4]", or nothing where nothing is computed.
std::string ShapeOf(const Result& result) {
  const bool known = result.status == POOLPROOF_OK && result.output_count > 0;
  return known ? ", which is " + ShapeText(result.outputs[0]) : "";
}

// False where there is no output at the position that is asked for.
bool PrintExpected(const ShowOptions& options, const PlannedCase& planned, const Call& call, const Expected& expected) {
  const Result& result = expected.result();
  fmt::print("\nexpected under profile {}: {}{}\n", options.profile, StatusName(result.status),
             expected.error().empty() ? "" : " (" + expected.error() + ")");
  if (result.status != POOLPROOF_OK || !result.computed) return options.at.empty();
  const std::optional<int64_t> element = Element(options.at, result.outputs[0]);
  if (!element) return false;
  if (result.outputs[0].size_bytes > 0) fmt::print("{}", DrawWindow(planned.problem, call, expected, *element));
  PrintOutputs(planned, result);
  return true;
}

void ShowSpec(const std::string& name, const Specs& specs, Program& program) {
  Error error;
  const OperatorSpec* spec = specs.FindOperator(name);
  for (const OperatorSpec& one : specs.operators) spec = one.id == name ? &one : spec;
  if (spec == nullptr) {
    return program.Fail(kUsage, fmt::format("--spec: no operator or function is named {}{}", JsonQuoted(name),
                                            IsMeant(name, specs.FunctionNames())));
  }
  const auto files = LoadExpandedFiles(program.specs_directory, &error);
  if (!files) return program.Fail(kUsage, error.message);
  for (const ExpandedFile& file : *files) {
    if ("specs/" + file.path == spec->file) fmt::print("{}\n", file.text);
  }
}

void Show(const ShowOptions& options, Program& program) {
  if (options.id.empty() == options.spec.empty()) return program.Fail(kUsage, "show takes either a case or --spec");
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  if (!options.spec.empty()) return ShowSpec(options.spec, *specs, program);
  Error error;
  const auto selection = SelectReadings(options.profile, {}, &error);
  const auto planned = FindCase(*specs, options.id, &error);
  if (!selection || !planned) return program.Fail(kUsage, error.message);
  fmt::print("{}\n", planned->line);
  if (planned->example != nullptr) fmt::print("{}\n", planned->example->description);
  if (planned->invalid != nullptr) fmt::print("{}\n", planned->invalid->statement);
  Call call;
  call.Bind(planned->problem);
  std::vector<std::byte> input(planned->problem.ShapesAlone() ? 0 : call.inputs[0].size_bytes);
  if (!input.empty()) FillInput(planned->problem, input.data());
  call.inputs[0].data = input.data();
  PrintAttributes(planned->problem);
  Expected expected;
  ComputeExpected(planned->problem, planned->example, *selection, call, &expected);
  PrintFormulas(options, *specs, planned->problem, call, expected);
  if (!PrintExpected(options, *planned, call, expected)) {
    return program.Fail(kUsage, fmt::format("--at={}: there is no such position in the output{}.",
                                            fmt::join(options.at, ","), ShapeOf(expected.result())));
  }
  PrintReadings(*planned, call, expected);
}

}  // namespace

void AddShowCommand(Command app, Program& program) {
  auto options = std::make_shared<ShowOptions>();
  Command show = app.AddCommand("show", "Draw one case, with what each reading expects");
  show.First();
  show.AddOption("id", options->id, "Problem line, or id of a case");
  show.AddOption("--at", options->at, "Output position whose window to draw, such as 0,0,1,2").Delimiter(',');
  AddProfileTo(show, options->profile);
  show.AddOption("--spec", options->spec, "Print what the specs say of this operator or function, as JSON, instead");
  show.Do([&program, options] { Show(*options, program); });
}

}  // namespace poolproof
