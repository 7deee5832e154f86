// `conformance probe`: what a backend has, and what it lacks of the specs.

#include <fmt/format.h>

#include <memory>

#include "conformance/format/text.h"
#include "conformance/gate/command.h"
#include "conformance/run/probe.h"

namespace poolproof {
namespace {

struct ProbeOptions {
  BackendOptions backend;
  std::string write;
};

// "all" or what is lacking, by function and element type.
void Print(const Specs& specs, const Support& support) {
  size_t functions = 0, pairs = 0, had = 0;
  const Offers offers = support.OffersOf(specs);
  for (const Callable& all : AllCallables(specs)) {
    pairs += all.function->types.size();
    const auto found = offers.find(all.function->name);
    if (found == offers.end()) continue;
    ++functions;
    fmt::print("{}\n", all.function->name);
    for (const poolproof_element_type type : all.function->types) {
      const auto lacking = found->second.find(std::string(ElementTypeName(type)));
      if (lacking == found->second.end()) continue;
      ++had;
      fmt::print("  {:<6}{}\n", lacking->first,
                 lacking->second.empty() ? "" : fmt::format("without {}", fmt::join(lacking->second, ", ")));
    }
  }
  fmt::print("{} function{}, with element types {} of the {} that the specs have\n", functions,
             functions == 1 ? "" : "s", had, pairs);
}

void Probe(const ProbeOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Error error;
  const std::unique_ptr<Lane> lane = StartLane(options.backend.Lane(), &error);
  if (lane == nullptr) return program.Fail(kBackendNotStarted, error.message);
  const Support support = ProbeBackend(*specs, *lane);
  Print(*specs, support);
  if (!options.write.empty()) program.Write(options.write, ProbeText(*specs, lane->Info(), support));
}

}  // namespace

void AddProbeCommand(Command app, Program& program) {
  auto options = std::make_shared<ProbeOptions>();
  Command probe = app.AddCommand("probe", "Find out which calls a backend supports");
  probe.First();
  options->backend.AddTo(probe, true);
  probe.AddOption("--write", options->write,
                  "File to write, which a run takes as --probe instead of asking the backend again");
  probe.Do([&program, options] { Probe(*options, program); });
}

}  // namespace poolproof
