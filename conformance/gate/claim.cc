// `conformance claim` and `conformance verify-claim`: what a vendor publishes, and whether it holds.

#include "conformance/claim/claim.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "conformance/claim/rejudge.h"
#include "conformance/format/part.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"
#include "conformance/gate/command.h"

namespace poolproof {
namespace {

void PrintClaim(const Json& statement) {
  const Json& backend = ObjectOr(statement, "backend");
  const std::string part = StringOr(statement, "part");
  fmt::print("{} {}: backend {} {}, profile {}, level {}, seed {}\n", EscapeForTerminal(StringOr(statement, "product")),
             EscapeForTerminal(StringOr(statement, "product_version")), EscapeForTerminal(StringOr(backend, "name")),
             EscapeForTerminal(StringOr(backend, "version")), StringOr(statement, "profile"),
             StringOr(statement, "level"), SeedText(statement));
  if (!part.empty()) fmt::print("a part of the plan: {}\n", EscapeForTerminal(part));
  for (const Json& exception : ArrayOr(statement, "exceptions")) {
    fmt::print("exception: {} {}, {} cases: {}\n", StringOr(exception, "verdict"),
               EscapeForTerminal(StringOr(exception, "cause")), StringOr(exception, "cases"),
               EscapeForTerminal(StringOr(exception, "reason")));
  }
}

void Claim(const ClaimRequest& request, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  OpenClaim claim;
  Error error;
  int exit_code = kConforms;
  if (!WriteClaim(*specs, request, &claim, &exit_code, &error)) return program.Fail(exit_code, error.message);
  PrintClaim(claim.statement);
  fmt::print("{} cases claimed in {}\n", StringOr(claim.statement, "cases"), EscapeForTerminal(request.path));
}

struct VerifyOptions {
  BackendOptions backend;
  std::string path, share = "1%";
  std::optional<uint64_t> seed, run_seed;
  bool any_build = false;
};

// Without a seed of the caller the author of the claim cannot know which cases are drawn.
void RunShare(const Specs& specs, const OpenClaim& claim, const VerifyOptions& options, const Share& share,
              Program& program) {
  const uint64_t seed = options.seed.value_or(DrawSeed());
  Error error;
  uint64_t count = 0;
  int exit_code = kUsage;
  if (!Rejudge(specs, claim, {options.backend.Lane(), share, seed, options.any_build}, &count, &exit_code, &error)) {
    return program.Fail(exit_code, exit_code == kUsage ? options.path + ": " + error.message : error.message);
  }
  fmt::print("{} cases run again by --seed={}, each as claimed\n", count, seed);
}

// A seed that the verifier chose after the backend had been built proves that no answers were prepared.
bool HasSeed(const Json& statement, const VerifyOptions& options, Program& program) {
  const std::string claimed = StringOr(statement, "seed");
  if (!options.run_seed || claimed == std::to_string(*options.run_seed)) return true;
  program.Fail(kUsage, fmt::format("{}: statement.json: /seed is {}, and --run-seed asks for {}.", options.path,
                                   claimed, *options.run_seed));
  return false;
}

// Selects those options of a backend that the claim itself says.
bool SaysWhatTheClaimSays(const Command app, Program& program) {
  for (const char* option : {"--backend-option", "--profile", "--reading"}) {
    if (!app.Has(option)) continue;
    program.Fail(kUsage, fmt::format("{}: it is the claim that says this.", option));
    return true;
  }
  return false;
}

void Verify(const Command& app, const VerifyOptions& options, Program& program) {
  Error error;
  const auto share = ParseShare(options.share, &error);
  if (!share) return program.Fail(kUsage, error.message);
  if (SaysWhatTheClaimSays(app, program)) return;
  if (options.backend.backend.empty() && app.Has("--share")) {
    return program.Fail(kUsage, "--share: --backend is needed to run anything.");
  }
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  OpenClaim claim;
  if (!VerifyClaim(*specs, options.path, &claim, &error)) return program.Fail(kUsage, error.message);
  if (!HasSeed(claim.statement, options, program)) return;
  PrintClaim(claim.statement);
  fmt::print("{}: {} cases, each as the plan has it; the statement is what they say\n", EscapeForTerminal(options.path),
             StringOr(claim.statement, "cases"));
  if (!options.backend.backend.empty()) RunShare(*specs, claim, options, *share, program);
}

}  // namespace

void AddClaimCommand(Command app, Program& program) {
  auto request = std::make_shared<ClaimRequest>();
  request->results = {"poolproof-results/results.jsonl"};
  request->path = "claim.tar";
  Command claim = app.AddCommand("claim", "Pack what is published of a run that conforms into one file");
  claim.AddOption("--product", request->product, "What the claim is about").Required();
  claim.AddOption("--product-version", request->product_version, "Its version").Required();
  claim.AddOption("--results", request->results, "Results of the run, or of all its shards").ShowDefault();
  claim.AddOption("--baseline", request->baseline, "Baseline, the file of expected discrepancies, each with a reason");
  claim.AddOption("--probe", request->probe, "File from `probe --write` (default: what the results say)");
  claim.AddOption("--write", request->path, "File to write").ShowDefault();
  claim.Do([&program, request] { Claim(*request, program); });
}

void AddVerifyClaimCommand(Command app, Program& program) {
  auto options = std::make_shared<VerifyOptions>();
  Command verify = app.AddCommand("verify-claim", "Compute again what a claim says, and refuse it where that differs");
  verify.AddOption("file", options->path, "File of the claim").Required();
  options->backend.AddTo(verify, false);
  verify.AddOption("--share", options->share, "With --backend: how many cases, or percent of them, are run again")
      .ShowDefault();
  verify.AddOption("--seed", options->seed, "Seed by which these are drawn (default: another one each time)")
      .Checked(Seed());
  verify.AddOption("--run-seed", options->run_seed, "Seed that the results have to be of, as who verifies chose it")
      .Checked(Seed());
  verify.AddFlag("--any-build", options->any_build, "Run them by another build than that of the claim as well");
  verify.Do([verify, &program, options] { Verify(verify, *options, program); });
}

}  // namespace poolproof
