// A gate against a deliberately wrong backend, for the commands that prove the suite by such backends.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/gate/command.h"

namespace poolproof {

// The gate at its default level, without shrinking, and without a probe, since what the backend lacks has to be seen.
// `session` may be changed before it is run. Its results are in a folder of its own, which is removed with it.
struct ProofGate {
  ProofGate(const std::string& library, std::vector<std::string> backend_options) {
    static std::atomic<int> count{0};
    const std::string folder = fmt::format("poolproof-proof-{}-{}", getpid(), count++);
    session.out = (std::filesystem::temp_directory_path() / folder).string();
    session.lane.backend = library;
    session.lane.options = std::move(backend_options);
    session.shrink = false;
    session.probe = false;
  }
  ProofGate(const ProofGate&) = delete;
  ~ProofGate() {
    std::error_code ignored;
    std::filesystem::remove_all(session.out, ignored);
  }

  // As RunSession.
  std::optional<RunResult> Run(const Specs& specs, Error* error, int* exit_code) const {
    const std::atomic<bool> interrupt{false};
    return RunSession(specs, session, {}, interrupt, error, exit_code);
  }

  SessionOptions session;
};

}  // namespace poolproof
