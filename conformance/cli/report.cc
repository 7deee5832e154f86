#include "conformance/cli/command.h"
#include "conformance/cli/summary.h"

namespace poolproof {

bool WriteReports(const SessionResult&, const std::string&, const std::string&, Error*) {
  return true;
}

void AddReportCommand(CLI::App&, Program&) {}

}  // namespace poolproof
