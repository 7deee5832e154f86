// `conformance claim` and `conformance verify-claim`: what a vendor publishes, and whether it holds.

#include "conformance/claim/claim.h"

#include <fmt/format.h>

#include <memory>

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

void Verify(const std::string& path, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  OpenClaim claim;
  Error error;
  if (!VerifyClaim(*specs, path, &claim, &error)) return program.Fail(kUsage, error.message);
  PrintClaim(claim.statement);
  fmt::print("{}: {} cases, each as the plan has it; the statement is what they say\n", OneLine(path),
             Str(claim.statement, "cases"));
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
  claim->add_option("--probe", request->probe, "File from `conformance probe --write` (default: what the results say)");
  claim->add_option("--write", request->path, "File to write")->capture_default_str();
  claim->callback([&program, request] { Claim(*request, program); });
}

void AddVerifyClaimCommand(CLI::App& app, Program& program) {
  auto path = std::make_shared<std::string>();
  CLI::App* verify =
      app.add_subcommand("verify-claim", "Compute anew what a claim says, and refuse it where that differs");
  verify->add_option("file", *path, "File of the claim")->required();
  verify->callback([&program, path] { Verify(*path, program); });
}

}  // namespace poolproof
