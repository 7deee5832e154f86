#include "conformance/gate/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace poolproof {
namespace {

// The parser says only in its text which option it means: "--name", or the first word.
std::string NameIn(const std::string& text) {
  const size_t begin = text.find("--") == text.npos ? 0 : text.find("--");
  return text.substr(begin, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin) - begin);
}

std::string ValueOf(const CLI::App& app, const std::string& name) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const CLI::Option* option = command->get_option_no_throw(name);
  return option == nullptr ? "" : fmt::format("{}", fmt::join(option->results(), " "));
}

std::string UsageSentence(const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what(), name = NameIn(text);
  std::string what;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> left = app.remaining(true);
    what = fmt::format("\"{}\" is no option or command here", left.empty() ? "" : left.front());
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    what = name + " is needed";
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string value = ValueOf(app, name);
    what = value.empty() ? name + " needs a value" : fmt::format("{}: \"{}\" is not one value", name, value);
  } else if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    what = text;  // a complaint of a Check
  } else {
    what = fmt::format("{}: \"{}\" cannot be read", name, ValueOf(app, name));
  }
  return what + " (--help lists the options).";
}

}  // namespace

Option& Option::Required(bool required) {
  option_->required(required);
  return *this;
}

Option& Option::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

Option& Option::Group(const std::string& group) {
  option_->group(group);
  return *this;
}

Option& Option::Delimiter(char between) {
  option_->delimiter(between);
  return *this;
}

Option& Option::Checked(const Check& check) {
  option_->check(
      CLI::Validator([complaint = check.complaint](std::string& value) { return complaint(value); }, check.range));
  return *this;
}

template <typename Value>
Option Command::AddOption(const std::string& name, Value& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

template Option Command::AddOption(const std::string&, std::string&, const std::string&);
template Option Command::AddOption(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::AddOption(const std::string&, std::vector<int64_t>&, const std::string&);
template Option Command::AddOption(const std::string&, int&, const std::string&);
template Option Command::AddOption(const std::string&, int64_t&, const std::string&);
template Option Command::AddOption(const std::string&, uint64_t&, const std::string&);
template Option Command::AddOption(const std::string&, std::optional<uint64_t>&, const std::string&);
template Option Command::AddOption(const std::string&, double&, const std::string&);

Option Command::AddFlag(const std::string& name, bool& value, const std::string& help) {
  return Option(app_->add_flag(name, value, help));
}

Command Command::AddCommand(const std::string& name, const std::string& help) {
  return Command(app_->add_subcommand(name, help));
}

void Command::Do(std::function<void()> action) { app_->callback(std::move(action)); }
bool Command::Has(const std::string& option) const { return app_->count(option) > 0; }
bool Command::HasCommand() const { return !app_->get_subcommands().empty(); }
std::string Command::Help() const { return app_->help(); }

CommandLine::CommandLine(const std::string& about, const std::string& program)
    : app_(std::make_unique<CLI::App>(about, program)) {}
CommandLine::~CommandLine() = default;

void CommandLine::SetVersion(std::string (*text)(), const std::string& help) {
  app_->set_version_flag("--version", std::function<std::string()>(text), help);
}

void CommandLine::SetHelpAll(const std::string& help) { app_->set_help_all_flag("--help-all", help); }

std::string CommandLine::Parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& asked) {
    app_->exit(asked);  // prints the help, or the version
  } catch (const CLI::ParseError& error) {
    return UsageSentence(*app_, error);
  }
  return "";
}

}  // namespace poolproof
