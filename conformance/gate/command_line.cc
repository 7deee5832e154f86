#include "conformance/gate/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/format/meant.h"

namespace poolproof {
namespace {

// The parser says only in its text which option it means: "--name", or the first word.
std::string NameIn(const std::string& text) {
  const size_t begin = text.find("--") == text.npos ? 0 : text.find("--");
  return text.substr(begin, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin) - begin);
}

const CLI::App& CommandOf(const CLI::App& app) {
  return app.get_subcommands().empty() ? app : *app.get_subcommands().front();
}

std::string ValueOf(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = CommandOf(app).get_option_no_throw(name);
  return option == nullptr ? "" : fmt::format("{}", fmt::join(option->results(), " "));
}

// A question after the option or command that `word` resembles; empty where it resembles none.
std::string Nearest(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  const bool is_option = word.starts_with('-');
  for (const CLI::Option* option : CommandOf(app).get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  if (!is_option) known.clear();
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!is_option) known.push_back(command->get_name());
  }
  return IsMeant(word.substr(0, word.find('=')), known);
}

// The command below `app` that the words name, else `app`.
const CLI::App* CommandIn(const CLI::App* app, const Words& words) {
  const auto names = [&words](const CLI::App* command) {
    return std::find(words.begin(), words.end(), command->get_name()) != words.end();
  };
  const std::vector<const CLI::App*> named = app->get_subcommands(names);
  return named.empty() ? app : named.front();
}

// Gives the help of each option its default in brackets.
void ShowDefaults(CLI::App* app) {
  for (CLI::Option* option : app->get_options([](const CLI::Option* o) { return !o->get_default_str().empty(); })) {
    option->option_text(fmt::format("{} [{}]", option->get_type_name(), option->get_default_str()));
  }
  for (CLI::App* command : app->get_subcommands([](CLI::App*) { return true; })) ShowDefaults(command);
}

std::string UsageSentence(const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what(), name = NameIn(text);
  std::string what;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> left = app.remaining(true);
    const std::string word = left.empty() ? "" : left.front();
    what = fmt::format("\"{}\" is no option or command here{}", word, Nearest(app, word));
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

bool IsPath(const std::string& word) {
  return !word.starts_with('-') && (word.find('/') != word.npos || word.ends_with(".so"));
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
  option_->check(CLI::Validator([complaint = check.complaint](std::string& value) { return complaint(value); }, ""));
  if (!check.range.empty()) option_->type_name(check.range);
  if (!check.words.empty()) Complete([words = check.words] { return words; });
  return *this;
}

Option& Option::First(const std::string& help) {
  guide_->first_options[option_] = help;
  return *this;
}

Option& Option::Complete(std::function<Words()> words) {
  guide_->words[option_] = std::move(words);
  return *this;
}

template <typename Value>
Option Command::AddOption(const std::string& name, Value& value, const std::string& help) {
  return {app_->add_option(name, value, help), guide_};
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
  return {app_->add_flag(name, value, help), guide_};
}

Command Command::AddCommand(const std::string& name, const std::string& help) {
  return {app_->add_subcommand(name, help), guide_};
}

void Command::Do(std::function<void()> action) { app_->callback(std::move(action)); }
bool Command::Has(const std::string& option) const { return app_->count(option) > 0; }
bool Command::HasCommand() const { return !app_->get_subcommands().empty(); }

Command& Command::First() {
  guide_->first_commands.push_back(app_);
  return *this;
}

Command& Command::Hide() {
  app_->group("");
  return *this;
}

std::string Command::Help() const {
  const auto row = [](const std::string& name, const std::string& help) {
    return fmt::format("  {:<14}{}\n", name, help);
  };
  std::string text = app_->get_description() + "\n\nUsage: " + app_->get_name() + " ./libmine.so [OPTIONS]\n       " +
                     app_->get_name() + " COMMAND [OPTIONS]\n\nOptions:\n";
  for (const CLI::Option* option : app_->get_options()) {
    const auto first = guide_->first_options.find(option);
    if (first != guide_->first_options.end()) text += row(option->get_name(), first->second);
  }
  text += row("--help-all", "All options and commands; COMMAND --help: those of one") + "\nCommands:\n";
  for (const CLI::App* command : guide_->first_commands) text += row(command->get_name(), command->get_description());
  return text;
}

Words Command::Next(const Words& before) const {
  const CLI::App* const command = CommandIn(app_, before);
  if (!before.empty() && before.back().starts_with("--")) {
    const CLI::Option* const option = command->get_option_no_throw(before.back());
    const auto known = guide_->words.find(option);
    if (known != guide_->words.end()) return known->second();
    if (option != nullptr && option->get_expected_max() > 0) return {};  // a file, a number
  }
  Words words;
  for (const CLI::Option* option : command->get_options()) {
    const auto known = option->get_positional() ? guide_->words.find(option) : guide_->words.end();
    if (known != guide_->words.end()) words = known->second();
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  for (const CLI::App* below : command->get_subcommands([](const CLI::App*) { return true; })) {
    if (!below->get_group().empty()) words.push_back(below->get_name());
  }
  return words;
}

CommandLine::CommandLine(const std::string& about, const std::string& program)
    : app_(std::make_unique<CLI::App>(about, program)) {
  constexpr size_t kColumn = 31;  // of the text of an option: none is one shorter, which would leave one blank
  app_->get_formatter()->column_width(kColumn);
}
CommandLine::~CommandLine() = default;

void CommandLine::SetVersion(std::string (*text)(), const std::string& help) {
  app_->set_version_flag("--version", std::function<std::string()>(text), help);
}

void CommandLine::SetHelpAll(const std::string& help) { app_->set_help_all_flag("--help-all", help); }

std::string CommandLine::Parse(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && IsPath(words[0])) words[0] = first_path_ + "=" + words[0];
  // The parser would take the next word for the value.
  const auto is_empty = [](const std::string& word) {
    return word.starts_with("--") && word.find('=') + 1 == word.size();
  };
  const auto empty = std::find_if(words.begin(), words.end(), is_empty);
  if (empty != words.end()) return fmt::format("{} has no value (--help lists the options).", *empty);
  std::reverse(words.begin(), words.end());
  ShowDefaults(app_.get());
  try {
    app_->parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app_->get_subcommands().empty() ? Root().Help() : app_->help());
  } catch (const CLI::Success& asked) {
    app_->exit(asked);  // prints the help, or the version
  } catch (const CLI::ParseError& error) {
    return UsageSentence(*app_, error);
  }
  return "";
}

}  // namespace poolproof
