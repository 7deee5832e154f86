// `conformance complete`: what may stand next on a command line, for the completion of shells.

#include <fmt/format.h>

#include <memory>

#include "conformance/gate/command.h"

namespace poolproof {

void AddCompleteCommand(Command app) {
  auto before = std::make_shared<Words>();
  Command complete = app.AddCommand("complete", "Print what may stand next on a command line, a word on each line");
  complete.AddOption("before", *before, "Words that stand before it, after --");
  complete.Hide().Do([app, before] {
    for (const std::string& word : app.Next(*before)) fmt::print("{}\n", word);
  });
}

}  // namespace poolproof
