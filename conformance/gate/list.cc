// `conformance list`: the cases that a run would plan.

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "conformance/gate/command.h"
#include "conformance/results/results_plan.h"

namespace poolproof {
namespace {

constexpr size_t kBlock = size_t{1} << 16;  // bytes that are printed at once

struct ListOptions {
  std::string level = "documented", filter, family, results;
  uint64_t seed = 1, random = 0;
};

// Every case of a results file as a line, also those that have none there.
void ListResults(const Specs& specs, const std::string& path, Program& program) {
  Error error;
  std::string text;
  const bool read = EachCaseOfResults(
      specs, path,
      [&text](const CaseLine& c) {
        AppendLine(c, &text);
        if (text.size() > kBlock) fmt::print("{}", std::exchange(text, ""));
      },
      &error);
  if (!read) return program.Fail(kUsage, error.message);
  fmt::print("{}", text);
}

void List(const ListOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  if (!options.results.empty()) return ListResults(*specs, options.results, program);
  PlanOptions plan_options;
  Error error;
  const auto level = FindLevel(options.level, &error);
  if (!level) return program.Fail(kUsage, error.message);
  plan_options.level = *level;
  const auto filter =
      options.family.empty() ? options.filter : WithFamilies(*specs, options.filter, options.family, &error);
  if (!filter) return program.Fail(kUsage, error.message);
  plan_options.filter = *filter;
  plan_options.seed = options.seed;
  plan_options.random_count = options.random;
  const std::optional<Plan> plan = Plan::Make(*specs, plan_options, &error);
  if (!plan) return program.Fail(kUsage, error.message);
  PlannedCase planned;
  uint64_t listed = 0;
  for (uint64_t n = 0; n < plan->Size(); ++n) {
    if (!plan->Get(n, &planned)) continue;
    ++listed;
    fmt::print("{:<12}{}{}\n", SectionName(planned.section), planned.id,
               planned.id == planned.line ? "" : "  " + planned.line);
  }
  if (listed == 0) {
    program.Fail(kUsage, NoCaseFits(plan_options.filter));
  }
}

}  // namespace

void AddListCommand(Command app, Program& program) {
  auto options = std::make_shared<ListOptions>();
  Command list = app.AddCommand("list", "List the cases of a plan: section, id, problem line");
  list.First();
  list.AddOption("--level", options->level, "How much to list: " + std::string(kLevelNames))
      .ShowDefault()
      .Checked(OneLevel());
  list.AddOption("--filter", options->filter, "Only cases that every word matches, as for a run")
      .Complete(OperatorWords);
  list.AddOption("--family", options->family, "Only operators of these projects' documents, as for a run")
      .Complete(BuiltInFamilies);
  list.AddOption("--seed", options->seed, "Seed of the random part").Checked(Seed()).ShowDefault();
  list.AddOption("--random", options->random, "Number of random problems to list as well").Checked(RandomCount());
  list.AddOption("--results", options->results, "Instead: each case of this results.jsonl as a line of JSON");
  list.Do([&program, options] { List(*options, program); });
}

}  // namespace poolproof
