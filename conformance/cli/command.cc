#include "conformance/cli/command.h"

#include <fmt/format.h>

namespace poolproof {

std::optional<Specs> Program::Load() {
  Error error;
  std::optional<Specs> specs = LoadSpecs(specs_directory, &error);
  if (!specs) Fail(kUsage, error.message);
  return specs;
}

void Program::Fail(int code, const std::string& message) {
  fmt::print(stderr, "conformance: {}\n", message);
  exit_code = code;
}

void BackendOptions::AddTo(CLI::App* app, bool required) {
  app->add_option("--backend", backend,
                  "Shared object of the backend, or process:COMMAND for another language")
      ->required(required);
  app->add_option("--backend-option", backend_options,
                  "KEY=VALUE given to the backend; may be repeated");
  app->add_option("--profile", profile, "Readings of the documents: documented, openvino, pytorch")
      ->capture_default_str();
  app->add_option("--reading", readings, "LEDGER-ID=READING overrides the profile; may be repeated");
  app->add_option("--timeout", timeout, "Seconds that one case may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

std::map<std::string, std::string> BackendOptions::Overrides() const {
  std::map<std::string, std::string> overrides;
  for (const std::string& text : readings) {
    const size_t equals = std::min(text.find('='), text.size());
    overrides[text.substr(0, equals)] =
        equals < text.size() ? text.substr(equals + 1) : std::string();
  }
  return overrides;
}

LaneOptions BackendOptions::Lane() const {
  LaneOptions lane;
  lane.backend = backend;
  lane.options = backend_options;
  lane.timeout_seconds = timeout;
  return lane;
}

std::string BackendOptions::Again() const {
  std::string text = " --backend=" + ShellQuoted(backend);
  for (const std::string& option : backend_options) {
    text += " --backend-option=" + ShellQuoted(option);
  }
  if (profile != "documented") text += " --profile=" + profile;
  for (const std::string& reading : readings) text += " --reading=" + ShellQuoted(reading);
  return text;
}

std::string ShellQuoted(const std::string& text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string("-_./=:,+@").find(c) !=
                                                              std::string::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace poolproof
