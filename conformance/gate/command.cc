#include "conformance/gate/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "conformance/cases/plan.h"
#include "conformance/format/meant.h"
#include "conformance/format/text.h"
#include "conformance/worker/child_process.h"
#include "conformance/worker/lane.h"

namespace poolproof {

std::optional<Specs> Program::Load() {
  Error error;
  std::optional<Specs> specs = LoadSpecs(specs_directory, &error);
  if (!specs) Fail(kUsage, error.message);
  return specs;
}

void Program::Fail(int code, const std::string& message) {
  // Sentences repeat what files, libraries and command lines hold.
  std::string_view rest = message;
  std::string before = Name() + ": ";
  for (size_t end = 0; end != rest.npos; before = "  | ") {
    end = rest.find(kSaid);
    fmt::print(stderr, "{}{}\n", before, EscapeForTerminal(rest.substr(0, end)));
    if (end != rest.npos) rest.remove_prefix(end + kSaid.size());
  }
  exit_code = code;
}

std::string Program::Name() const { return std::filesystem::path(command).filename().string(); }

std::string Program::Again(const std::string& subcommand) const {
  const std::string specs = specs_directory.empty() ? "" : " --specs=" + ShellQuoted(specs_directory);
  return ShellQuoted(command) + specs + " " + subcommand;
}

bool Program::Write(const std::string& path, const std::string& text) {
  if (path.empty()) {
    fmt::print("{}", text);
    return true;
  }
  std::error_code code;
  const bool regular = std::filesystem::is_regular_file(path, code);
  // A device is written to, since a rename would put a file in its place; so is a link that leads to one.
  const bool replace = regular || !std::filesystem::exists(path, code);
  const std::string target = regular ? std::filesystem::canonical(path, code).string() : path;
  const std::string scratch = replace ? target + ".new" : target;
  std::ofstream file(scratch, std::ios::binary);
  file << text;
  file.close();
  code.clear();
  if (file && replace) std::filesystem::rename(scratch, target, code);
  if (file && !code) return true;
  if (replace) std::filesystem::remove(scratch, code);
  Fail(kRunnerFailed, path + ": cannot be written.");
  return false;
}

std::string VersionText() {
  const Specs& specs = BuiltInSpecs();
  Error error;
  return fmt::format("poolproof {}\nspecs {}\nplan {}", POOLPROOF_VERSION, specs.digest, PlanDigest(specs, &error));
}

std::string BesideProgram(std::string_view name) {
  return (std::filesystem::path(worker::ProgramFolder()).parent_path() / "lib" / name).string();
}

void BackendOptions::AddTo(Command app, bool required) {
  app.AddOption("--backend", backend,
                "Backend to judge: a shared object, or process:COMMAND for one in another language")
      .Required(required)
      .First("Library to judge; process:COMMAND for a program");
  app.AddOption("--backend-option", backend_options, "KEY=VALUE passed to the backend; may be repeated");
  app.AddOption("--device-option", device_options,
                "Likewise, but it only says on which device the backend runs: shards of one run, and a run\n"
                "that is resumed, may differ in it; may be repeated");
  AddProfileTo(app, profile).First("Whose readings of the documents to demand");
  app.AddOption("--reading", readings,
                "LEDGER-ID=READING: demand this reading instead of the profile's; may be repeated")
      .Complete(ReadingWords);
  app.AddOption("--timeout", timeout, "Seconds that one case may take")
      .Checked(Seconds(0.001, kMaxSeconds))
      .ShowDefault();
  app.AddOption("--load-timeout", load_timeout, "Seconds that the backend may take to start")
      .Checked(Seconds(0.001, kMaxSeconds))
      .ShowDefault();
  app.AddOption("--exit-timeout", exit_timeout,
                "Seconds that the backend may take to end; 0: twice as long as it took to start, or --timeout")
      .Checked(Seconds(0, kMaxSeconds))
      .ShowDefault();
  AddCellTo(app);
}

double PhysicalGib() {
  return std::ceil(static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) * 0x1p-30);
}

double BackendOptions::MachineMemoryGib() {
  constexpr double kEnough = 24;
  return std::max(kEnough, PhysicalGib());
}

namespace {

// An existing file or folder.
Check PathThatIs() {
  return {[](const std::string& path) -> std::string {
            std::error_code code;
            return std::filesystem::exists(path, code) ? "" : fmt::format("\"{}\" is no file or folder", path);
          },
          ""};
}

}  // namespace

void BackendOptions::AddCellTo(Command app) {
  const char* group = "Isolation";
  app.AddOption("--isolation", isolation,
                "How far to isolate the backend: full, standard (as far as this system can), none")
      .Checked(OneOf({"full", "standard", "none"}))
      .ShowDefault()
      .Group(group);
  app.AddOption("--allow-read", cell.allow_read, "File or folder that the backend may read; may be repeated")
      .Checked(PathThatIs())
      .Group(group)
      .First("File or folder that the library may read as well");
  app.AddOption("--allow-device", cell.allow_devices,
                "Device that the backend may use, such as /dev/dri or '/dev/nvidia*'; may be repeated")
      .Group(group);
  app.AddOption("--device", devices,
                "Kind of device that the backend may use, with what its driver needs; may be repeated")
      .Checked(OneOf(DeviceKinds()))
      .Group(group);
  app.AddFlag("--allow-network", cell.allow_network, "Let the backend open sockets").Group(group);
  app.AddOption("--pass-env", cell.pass_env,
                "Environment variable that the backend may see, NAME or 'NAME*'; may be repeated")
      .Group(group);
  app.AddOption("--processes", cell.processes,
                "Number of processes that the backend may start (default: 0 for a shared object, 256 for a program)")
      .Checked(WholeNumber(0, 100000))
      .Group(group);
  app.AddOption("--memory", memory_gib, "GiB of memory that the backend may write to; 0: no limit")
      .Checked(GiB(0, 1048576))
      .ShowDefault()
      .Group(group);
  app.AddOption("--log-limit", log_mib, "MiB to keep of what the backend prints")
      .Checked(WholeNumber(0, 1048576))
      .ShowDefault()
      .Group(group);
}

std::map<std::string, std::string> BackendOptions::Overrides() const {
  std::map<std::string, std::string> overrides;
  for (const std::string& text : readings) {
    const size_t equals = std::min(text.find('='), text.size());
    overrides[text.substr(0, equals)] = equals < text.size() ? text.substr(equals + 1) : std::string();
  }
  return overrides;
}

LaneOptions BackendOptions::Lane() const {
  LaneOptions lane;
  lane.backend = backend;
  lane.options = backend_options;
  lane.device_options = device_options;
  lane.timeout_seconds = timeout;
  lane.load_timeout_seconds = load_timeout;
  lane.exit_timeout_seconds = exit_timeout;
  lane.log_bytes = log_mib << 20;
  lane.cell = cell;
  for (const std::string& kind : devices) {
    const std::vector<std::string> paths = PathsOfDevice(kind);
    lane.cell.allow_devices.insert(lane.cell.allow_devices.end(), paths.begin(), paths.end());
  }
  lane.cell.memory_bytes = static_cast<int64_t>(memory_gib * 0x1p30);
  lane.cell.isolation = *FindIsolation(isolation);
  return lane;
}

std::string BackendOptions::Again() const {
  const BackendOptions usual;
  std::string text = backend.empty() ? "" : " --backend=" + ShellQuoted(backend);
  for (const std::string& option : backend_options) {
    text += " --backend-option=" + ShellQuoted(option);
  }
  for (const std::string& option : device_options) {
    text += " --device-option=" + ShellQuoted(option);
  }
  if (isolation != "standard") text += " --isolation=" + isolation;
  for (const std::string& path : cell.allow_read) text += " --allow-read=" + ShellQuoted(path);
  for (const std::string& path : cell.allow_devices) text += " --allow-device=" + ShellQuoted(path);
  for (const std::string& kind : devices) text += " --device=" + kind;
  for (const std::string& name : cell.pass_env) text += " --pass-env=" + ShellQuoted(name);
  if (cell.allow_network) text += " --allow-network";
  if (cell.processes >= 0) text += fmt::format(" --processes={}", cell.processes);
  if (memory_gib != usual.memory_gib) text += fmt::format(" --memory={}", memory_gib);
  if (timeout != usual.timeout) text += fmt::format(" --timeout={}", timeout);
  if (load_timeout != usual.load_timeout) text += fmt::format(" --load-timeout={}", load_timeout);
  if (exit_timeout != usual.exit_timeout) text += fmt::format(" --exit-timeout={}", exit_timeout);
  if (profile != usual.profile) text += " --profile=" + profile;
  for (const std::string& reading : readings) text += " --reading=" + ShellQuoted(reading);
  return text;
}

namespace {

// Strict: no sign, space, other base or leading zero, as the library that parses it later would take.
template <typename Number>
std::optional<Number> ParseAll(const std::string& text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const bool padded = text.size() > 1 && text[0] == '0' && text[1] != '.';
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc() || stop != end || padded) return std::nullopt;
  return number;
}

// A highest value from which on a range has no end for people.
constexpr double kUnbounded = 1e6;

template <typename Number>
Check InRange(Number low, Number high, std::string what) {
  const std::string range = fmt::format("{} from {} to {}", what, low, high);
  return {[=](const std::string& text) -> std::string {
            const std::optional<Number> number = ParseAll<Number>(text);
            if (number && *number >= low && *number <= high) return "";
            return fmt::format("\"{}\" is no {}", text, range);
          },
          fmt::format("NUMBER from {} {}", low,
                      static_cast<double>(high) < kUnbounded ? fmt::format("to {}", high) : "on")};
}

}  // namespace

Check WholeNumber(uint64_t low, uint64_t high) { return InRange(low, high, "whole number"); }
Check Seconds(double low, double high) { return InRange(low, high, "number of seconds"); }
Check GiB(double low, double high) { return InRange(low, high, "number of GiB"); }
Option AddProfileTo(Command app, std::string& profile) {
  const auto names = reference::ProfileNames();
  return app
      .AddOption("--profile", profile, fmt::format("Readings of the documents to demand: {}", fmt::join(names, ", ")))
      .ShowDefault()
      .Checked(OneOf(Words(names.begin(), names.end())));
}
Check OneOf(const Words& words) {
  return {[=](const std::string& text) -> std::string {
            const bool known = std::find(words.begin(), words.end(), text) != words.end();
            return known ? ""
                         : fmt::format("\"{}\" is none of {}{}", text, fmt::join(words, ", "), IsMeant(text, words));
          },
          "WORD", words};
}
Check OneLevel(const Words& more) {
  Words words;
  for (const Level level : {Level::kDocumented, Level::kQuick, Level::kGate, Level::kFull}) {
    words.emplace_back(LevelName(level));
  }
  words.insert(words.end(), more.begin(), more.end());
  return OneOf(words);
}
Words OperatorWords() { return BuiltInSpecs().FunctionNames(); }
Words ReadingWords() {
  Words words;
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    const auto entry = static_cast<reference::Entry>(e);
    for (size_t r = 0; r < reference::ComputableReadings(entry); ++r) {
      words.push_back(fmt::format("{}={}", reference::EntryId(entry), reference::ReadingNames(entry)[r]));
    }
  }
  return words;
}
Check RandomCount() { return WholeNumber(0, kMaxRandom); }
Check Seed() { return WholeNumber(0, UINT64_MAX); }
Check SeedOrRandom() {
  const Check seed = Seed();
  return {[seed](const std::string& text) -> std::string {
            const std::string complaint = text == kRandomSeed ? "" : seed.complaint(text);
            return complaint.empty() ? "" : complaint + ", nor \"random\"";
          },
          seed.range + " or " + std::string(kRandomSeed)};
}

}  // namespace poolproof
