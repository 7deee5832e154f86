// `conformance reproduce LINE --backend=LIB`: just one case, with everything there is to see.

#include <fmt/format.h>

#include <memory>

#include "conformance/cases/formulas.h"
#include "conformance/diagnosis/clause.h"
#include "conformance/format/text.h"
#include "conformance/gate/command.h"
#include "conformance/gate/draw.h"
#include "conformance/judge/message.h"
#include "conformance/results/detail.h"
#include "conformance/results/finish.h"
#include "conformance/run/program_as.h"
#include "conformance/run/reproducer.h"

namespace poolproof {
namespace {

struct ReproduceOptions {
  BackendOptions backend;
  std::string id, with, write_c, as;
};

void PrintComparison(const PlannedCase& planned, OneCase& one) {
  const Result& want = one.expected().result();
  const Result got = one.Answer();
  if (want.status != POOLPROOF_OK || got.status != POOLPROOF_OK || !want.computed) return;
  const bool same = SameShapes(want, got);
  for (size_t i = 0; i < want.output_count; ++i) {
    const auto wrong = same ? WrongElements(one.call(), one.expected(), got, i) : std::vector<int64_t>();
    fmt::print("\nexpected {}, {}:\n{}", OutputName(planned.problem, i), ShapeText(want.outputs[i]),
               DrawTensor(want.outputs[i], wrong));
    fmt::print("got {}, {}:\n{}", OutputName(planned.problem, i), ShapeText(got.outputs[i]),
               got.computed ? DrawTensor(got.outputs[i], wrong) : "(not run)\n");
  }
}

void PrintWindow(const PlannedCase& planned, OneCase& one, const Judgement& judgement) {
  const Result& want = one.expected().result();
  if (want.status != POOLPROOF_OK || !want.computed || want.outputs[0].size_bytes == 0) return;
  const bool value = judgement.difference == Difference::kValue;
  fmt::print("\n{}", DrawWindow(planned.problem, one.call(), one.expected(), value ? judgement.element : 0));
}

void PrintCauses(OneCase& one, const Judgement& judgement) {
  if (Conforms(judgement.verdict) || one.result().event != Event::kNone) return;
  Diagnostician diagnostician;
  const CauseSet causes = diagnostician.Diagnose(one.call(), one.expected(), one.Answer());
  for (size_t i = 0; i < Causes().size(); ++i) {
    if (causes[i]) fmt::print("matches: {} ({})\n", Causes()[i].title, Causes()[i].id);
  }
}

void PrintClause(const Specs& specs, const PlannedCase& planned, const Judgement& judgement) {
  if (Conforms(judgement.verdict)) return;
  if (const Clause* clause = specs.FindClause(ClauseOf(specs, planned, judgement))) {
    fmt::print("document: {}: {}\n", clause->id, clause->statement);
  }
}

// How the documents compute the sizes, or the window, of what is wrong.
void PrintFormula(const Specs& specs, const Problem& problem, OneCase& one, const Judgement& judgement) {
  std::string why;
  const reference::Readings& readings = one.expected().readings();
  const poolproof_tensor& want = one.expected().result().outputs[0];
  if (judgement.difference == Difference::kShape) {
    why = WhySizesAre(specs, problem, readings, want, one.Answer().outputs[0]);
  } else if (judgement.difference == Difference::kValue) {
    why = WhyWindowIs(specs, problem, readings, want, judgement.element);
  }
  if (!why.empty()) fmt::print("formula:{}\n", why);
}

void PrintOne(const Specs& specs, const PlannedCase& planned, OneCase& one, const Judgement& judgement) {
  fmt::print("{}\n{}{}{}\n", EscapeForTerminal(planned.line), VerdictName(judgement.verdict),
             judgement.message.empty() ? "" : ": ", EscapeForTerminal(judgement.message));
  PrintClause(specs, planned, judgement);
  PrintFormula(specs, planned.problem, one, judgement);
  PrintCauses(one, judgement);
  PrintWindow(planned, one, judgement);
  if (one.result().event == Event::kNone) PrintComparison(planned, one);
}

Record RecordOf(const PlannedCase& planned, const Judgement& judgement) {
  Record record;
  record.id = planned.id;
  record.function = planned.problem.function;
  record.type = planned.problem.type;
  record.judgement = judgement;
  return record;
}

// Runs the case that is said to contradict the first one, and says whether it does.
void Contradict(const Specs& specs, const Selection& selection, const PlannedCase& first, const Judgement& judgement,
                const PlannedCase& second, OneCase& one, Program& program) {
  fmt::print("\nThe case that contradicts it:\n");
  const Judgement other = one.Run(second);
  PrintOne(specs, second, one, other);
  if (!Conforms(other.verdict)) program.exit_code = kDoesNotConform;
  const std::string how = ContradictionOf(selection, RecordOf(first, judgement), RecordOf(second, other));
  if (how.empty()) {
    fmt::print("\nThe two cases do not contradict each other.\n");
    return;
  }
  fmt::print("\n{}: {}\n", VerdictName(Verdict::kInconsistent), EscapeForTerminal(how));
  program.exit_code = kDoesNotConform;
}

// Prints the case as a program of somebody else's, for which no backend is needed.
void PrintAs(const Specs& specs, const Selection& selection, const PlannedCase& planned, const std::string& form,
             Program& program) {
  Error error;
  const auto text = ProgramAs(specs, form, selection, planned, &error);
  if (!text) return program.Fail(kUsage, error.message);
  fmt::print("{}", *text);
}

void Reproduce(const ReproduceOptions& options, Program& program) {
  if (options.backend.backend.empty() && options.as.empty()) {
    return program.Fail(kUsage, "--backend is needed (--help lists the options).");
  }
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Error error;
  const auto selection = SelectReadings(options.backend.profile, options.backend.Overrides(), &error);
  const auto planned = FindCase(*specs, options.id, &error);
  const bool two = !options.with.empty();
  const auto second = planned && two ? FindCase(*specs, options.with, &error) : std::nullopt;
  if (!selection || !planned || (two && !second)) return program.Fail(kUsage, error.message);
  if (!options.as.empty()) return PrintAs(*specs, *selection, *planned, options.as, program);
  const std::unique_ptr<Lane> lane = StartLane(options.backend.Lane(), &error);
  if (!lane) return program.Fail(kBackendNotStarted, error.message);
  OneCase one(*lane, *selection);
  const Judgement judgement = one.Run(*planned);
  program.exit_code = Conforms(judgement.verdict) ? kConforms : kDoesNotConform;
  PrintOne(*specs, *planned, one, judgement);
  if (!options.write_c.empty() &&
      !program.Write(options.write_c, ReproducerSource(*planned, one.call(), one.expected()))) {
    return;
  }
  if (two) Contradict(*specs, *selection, *planned, judgement, *second, one, program);
  lane->Stop();
  for (const ProcessFault& fault : lane->ProcessFaults()) {
    fmt::print("\n{}outside of the case the backend {}\n", fault.warning ? "warning: " : "",
               EscapeForTerminal(fault.text));
    if (!fault.warning) program.exit_code = kDoesNotConform;
  }
}

}  // namespace

void AddReproduceCommand(Command app, Program& program) {
  auto options = std::make_shared<ReproduceOptions>();
  Command reproduce = app.AddCommand("reproduce", "Run one case and show how the result differs");
  reproduce.First();
  reproduce.AddOption("id", options->id, "Problem line, or id of a case").Required();
  reproduce.AddOption("--with", options->with,
                      "Second case, which contradicts the first one by reading a silence in another way");
  options->backend.AddTo(reproduce, false);
  reproduce.AddOption("--write-c", options->write_c,
                      "C program to write, which shows the difference without poolproof");
  reproduce
      .AddOption("--as", options->as,
                 "Print the case as a program or a line of somebody else's instead, which needs no poolproof and no\n"
                 "backend: torch and onnx (Python), benchdnn (of oneDNN), c (with a call to fill in)")
      .Checked(OneOf({std::begin(kProgramForms), std::end(kProgramForms)}));
  reproduce.Do([&program, options] { Reproduce(*options, program); });
}

}  // namespace poolproof
