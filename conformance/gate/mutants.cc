// `conformance mutants`: the proof of the suite, a table of wrong backends and how each is caught.

#include <fmt/format.h>

#include <memory>

#include "conformance/causes/mutant.h"
#include "conformance/format/text.h"
#include "conformance/gate/proof_gate.h"

namespace poolproof {
namespace {

struct MutantsOptions {
  std::string library, only, write;
  uint64_t random = 20000;
  double timeout = 1;
};

// One row of the table.
struct MutantRow {
  std::string verdict, first, cause;
  uint64_t cases = 0;  // that fail
  bool whole = true;   // the whole plan was run, not only up to the last of them
  bool caught = false;
};

bool MayEarn(const mutants::Mutant& mutant, std::string_view verdict) {
  return (" " + std::string(mutant.verdicts) + " ").find(" " + std::string(verdict) + " ") != std::string::npos;
}

// Cases after which the gate stops: more than one, so that no mutant is caught by luck.
constexpr uint64_t kCasesOfPureMutant = 25;
// A mutant that stands for many like it, with other sizes, is caught if this number of cases show it.
constexpr uint64_t kEnoughCases = 20;
// Deaths after which an operator and type is set aside, and the rest of its cases are missing.
constexpr uint32_t kDeathsOfMissing = 2;

// Sets up the gate to stop early.
void SetUp(const mutants::Mutant& mutant, const MutantsOptions& options, SessionOptions& session) {
  session.lane.timeout_seconds = options.timeout;
  // A mutant that hangs in every invalid call costs many timeouts.
  if (!mutant.IsPure() && MayEarn(mutant, VerdictName(Verdict::kTimeout))) session.lane.timeout_seconds /= 4;
  session.lane.cell.processes = 4;  // so that one can be left behind
  // Late writes are to be seen at the first case also where a busy machine wakes the thread late.
  if (MayEarn(mutant, VerdictName(Verdict::kWrittenLate))) session.lane.rest_seconds = 0.2;
  session.engine.stop_after = mutant.IsPure() ? kCasesOfPureMutant : 1;
  if (MayEarn(mutant, VerdictName(Verdict::kMissing))) {
    session.engine.stop_after = 0;
    session.engine.limits.deaths = {kDeathsOfMissing, kDeathsOfMissing, kDeathsOfMissing};
  }
  // The problems of the gate show what the small ones do; only some mutants need its sizes.
  session.plan.level = mutant.explains ? Level::kQuick : Level::kGate;
  session.plan.random_count = options.random;
  // One that is wrong in few places is right in the others, of which some are enough.
  if (!mutant.explains && !mutant.where.empty()) {
    session.plan.filter = fmt::format("({}) or section in {{boundaries, specials}}", mutant.where);
  }
  // A write past an output is seen where that is too small.
  if (!mutant.explains && MayEarn(mutant, VerdictName(Verdict::kOutOfBounds))) session.plan.filter = "capacity < 0";
}

// All known causes that explain the group, the reading that it follows, or what happened. Addresses, and what two runs
// of a case gave, may differ from run to run and are left out.
std::string Diagnosis(const CauseGroup& group) {
  std::string text;
  for (size_t i = 0; i < Causes().size(); ++i) {
    if (group.causes[i]) text += (text.empty() ? "" : ", ") + Causes()[i].id;
  }
  if (!text.empty()) return text;
  if (!group.reading.empty()) return group.reading;
  if (group.verdict == Verdict::kNondeterministic) {
    return group.message.substr(0, group.message.find(';')) + ".";
  }
  text = group.message;
  constexpr std::string_view kAddress = " at address ";
  const size_t at = text.find(kAddress);
  if (at != text.npos) text.erase(at, text.find_first_of(" .", at + kAddress.size()) - at);
  return text;
}

// An expected verdict of the group's cases, otherwise its own, which is the worst of them.
std::string_view VerdictOf(const mutants::Mutant& mutant, const CauseGroup& group) {
  for (const auto& [verdict, cases] : group.verdicts) {
    if (MayEarn(mutant, VerdictName(verdict))) return VerdictName(verdict);
  }
  return VerdictName(group.verdict);
}

// The first group of an expected verdict, otherwise the first one.
MutantRow RowOf(const mutants::Mutant& mutant, const RunResult& result) {
  MutantRow row;
  for (const CauseGroup& group : result.tally.groups()) {
    const std::string_view verdict = VerdictOf(mutant, group);
    if (!row.verdict.empty() && (row.caught || !MayEarn(mutant, verdict))) continue;
    row = {.verdict = std::string(verdict),
           .first = group.first.front(),
           .cause = Diagnosis(group),
           .caught = MayEarn(mutant, verdict)};
  }
  if (result.tally.groups().empty() && !result.engine.process_faults.empty()) {
    row = {.verdict = "process-fault",
           .first = "",
           .cause = "Outside of any case the backend " + result.engine.process_faults.front().text + ".",
           .caught = MayEarn(mutant, "process-fault")};
  } else if (result.tally.groups().empty() && !result.conforms) {
    row.verdict = "nothing passed";
    row.caught = MayEarn(mutant, VerdictName(Verdict::kUnsupported));
  }
  return row;
}

MutantRow RunGate(const Specs& specs, const mutants::Mutant& mutant, const MutantsOptions& options) {
  ProofGate gate(options.library, {"mutant=" + std::string(mutant.id)});
  SetUp(mutant, options, gate.session);
  Error error;
  int exit_code = kConforms;
  const auto result = gate.Run(specs, &error, &exit_code);
  if (result) {
    MutantRow row = RowOf(mutant, *result);
    for (const CauseGroup& group : result->tally.groups()) row.cases += group.cases;
    row.whole = !result->engine.stopped;
    row.caught &= mutant.explains || !mutant.IsPure() || row.cases >= kEnoughCases;
    return row;
  }
  return {.verdict = fmt::format("exit code {}", exit_code), .first = error.message, .cause = ""};
}

std::string Cell(std::string_view text) { return EscapeMarkup(text, Markup::kMarkdownCell); }

// The cases in flight when the gate stops are left to chance where a mutant misbehaves.
std::string CasesText(const mutants::Mutant& mutant, const MutantRow& row) {
  if (!mutant.IsPure()) return "";
  return fmt::format("{}{}", row.cases, row.whole ? "" : " and more");
}

void Prove(const MutantsOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  std::string table =
      "| mutant | what is wrong | verdict | cases | first case | diagnosis |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  int survivors = 0, shown = 0;
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    if (!options.only.empty() && mutant.id.find(options.only) == std::string_view::npos) continue;
    const MutantRow row = RunGate(*specs, mutant, options);
    ++shown;
    survivors += row.caught ? 0 : 1;
    const std::string line = fmt::format(
        "| {} | {} | {} | {} | {} | {} |\n", mutant.id, Cell(mutant.title),
        row.caught ? row.verdict : fmt::format("**not caught** ({})", row.verdict.empty() ? "pass" : row.verdict),
        CasesText(mutant, row), row.first.empty() ? "" : EscapeMarkup(row.first, Markup::kMarkdownCode),
        Cell(row.cause));
    fmt::print(stderr, "{:<44} {} {}\n", mutant.id, row.verdict, row.cases);
    table += line;
  }
  if (shown == 0) return program.Fail(kUsage, fmt::format("--only \"{}\" names no mutant.", options.only));
  if (!program.Write(options.write, table)) return;
  fmt::print("{} mutants, {} not caught\n", shown, survivors);
  program.exit_code = survivors == 0 ? kConforms : kDoesNotConform;
}

}  // namespace

void AddMutantsCommand(Command app, Program& program) {
  auto options = std::make_shared<MutantsOptions>();
  options->library = BesideProgram("libpoolproof_mutants.so");
  Command command = app.AddCommand("mutants", "Run the gate against each deliberately wrong backend");
  command.AddOption("--library", options->library, "Shared object that holds the mutants").ShowDefault();
  command.AddOption("--only", options->only, "Only mutants whose id contains this");
  command.AddOption("--random", options->random, "Most random problems to run per mutant")
      .Checked(RandomCount())
      .ShowDefault();
  command.AddOption("--timeout", options->timeout, "Seconds that one case may take")
      .Checked(Seconds(0.001, kMaxSeconds))
      .ShowDefault();
  command.AddOption("--write", options->write, "File to write the table to (default: standard output)");
  command.Do([&program, options] { Prove(*options, program); });
}

}  // namespace poolproof
