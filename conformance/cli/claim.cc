// `conformance claim` and `conformance verify-claim`: what a vendor publishes, and whether it holds.

#include "conformance/claim/claim.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <random>

#include "conformance/claim/rejudge.h"
#include "conformance/cli/command.h"
#include "reports/reader.h"
#include "reports/text.h"

namespace poolproof {
namespace {

using reports::OneLine;
using reports::Str;

void PrintClaim(const reports::Json& statement) {
  const reports::Json& backend = reports::Object(statement, "backend");
  const std::string part = Str(statement, "part");
  fmt::print("{} {}: backend {} {}, profile {}, level {}, seed {}\n", OneLine(Str(statement, "product")),
             OneLine(Str(statement, "product_version")), OneLine(Str(backend, "name")),
             OneLine(Str(backend, "version")), Str(statement, "profile"), Str(statement, "level"),
             Str(statement, "seed"));
  if (!part.empty()) fmt::print("a part of the plan: {}\n", OneLine(part));
  for (const reports::Json& exception : reports::Array(statement, "exceptions")) {
    fmt::print("exception: {} {}, {} cases: {}\n", Str(exception, "verdict"), OneLine(Str(exception, "cause")),
               Str(exception, "cases"), OneLine(Str(exception, "reason")));
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
  fmt::print("{} cases claimed in {}\n", Str(claim.statement, "cases"), OneLine(request.path));
}

struct VerifyOptions {
  BackendOptions backend;
  std::string path, share = "1%";
  std::optional<uint64_t> seed;
  bool any_build = false;
};

// Where the caller names no seed nobody who wrote the claim can know which cases are drawn.
void RunShare(const Specs& specs, const OpenClaim& claim, const VerifyOptions& options, const Share& share,
              Program& program) {
  std::random_device device;
  const uint64_t seed = options.seed.value_or(device());
  Error error;
  uint64_t count = 0;
  int exit_code = kUsage;
  if (!Rejudge(specs, claim, {options.backend.Lane(), share, seed, options.any_build}, &count, &exit_code, &error)) {
    return program.Fail(exit_code, exit_code == kUsage ? options.path + ": " + error.message : error.message);
  }
  fmt::print("{} cases run again by --seed={}, each as claimed\n", count, seed);
}

// Of the options of a backend those that the claim itself says.
bool SaysWhatTheClaimSays(const CLI::App& app, Program& program) {
  for (const char* option : {"--backend-option", "--profile", "--reading"}) {
    if (app.count(option) == 0) continue;
    program.Fail(kUsage, fmt::format("{}: it is the claim that says this.", option));
    return true;
  }
  return false;
}

void Verify(const CLI::App& app, const VerifyOptions& options, Program& program) {
  Error error;
  const auto share = ParseShare(options.share, &error);
  if (!share) return program.Fail(kUsage, error.message);
  if (SaysWhatTheClaimSays(app, program)) return;
  if (options.backend.backend.empty() && app.count("--share") > 0) {
    return program.Fail(kUsage, "--share: --backend is needed to run anything.");
  }
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  OpenClaim claim;
  if (!VerifyClaim(*specs, options.path, &claim, &error)) return program.Fail(kUsage, error.message);
  PrintClaim(claim.statement);
  fmt::print("{}: {} cases, each as the plan has it; the statement is what they say\n", OneLine(options.path),
             Str(claim.statement, "cases"));
  if (!options.backend.backend.empty()) RunShare(*specs, claim, options, *share, program);
}

}  // namespace

void AddClaimCommand(CLI::App& app, Program& program) {
  auto request = std::make_shared<ClaimRequest>();
  request->results = {"poolproof-results/results.jsonl"};
  request->path = "claim.tar";
  CLI::App* claim = app.add_subcommand("claim", "Pack what is published of a run that conforms into one file");
  claim->add_option("--product", request->product, "What the claim is about")->required();
  claim->add_option("--product-version", request->product_version, "Its version")->required();
  claim->add_option("--results", request->results, "Results of the run, or of all its shards")->capture_default_str();
  claim->add_option("--baseline", request->baseline,
                    "Baseline, the file of expected discrepancies, each with a reason");
  claim->add_option("--probe", request->probe, "File from `probe --write` (default: what the results say)");
  claim->add_option("--write", request->path, "File to write")->capture_default_str();
  claim->callback([&program, request] { Claim(*request, program); });
}

void AddVerifyClaimCommand(CLI::App& app, Program& program) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verify =
      app.add_subcommand("verify-claim", "Compute anew what a claim says, and refuse it where that differs");
  verify->add_option("file", options->path, "File of the claim")->required();
  options->backend.AddTo(verify, false);
  verify->add_option("--share", options->share, "With --backend: so many cases, or percent of them, are run again")
      ->capture_default_str();
  verify->add_option("--seed", options->seed, "Seed by which these are drawn (default: another one each time)")
      ->check(Seed());
  verify->add_flag("--any-build", options->any_build, "Run them by another build than that of the claim as well");
  verify->callback([verify, &program, options] { Verify(*verify, *options, program); });
}

}  // namespace poolproof
