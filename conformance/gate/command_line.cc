#include "conformance/gate/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/format/text.h"

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
  const std::string_view similar = SimilarWord(word.substr(0, word.find('=')), known);
  return similar.empty() ? "" : fmt::format("; is {} meant?", similar);
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
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && IsPath(words[0])) words[0] = first_path_ + "=" + words[0];
  // The parser would take the next word for the value.
  const auto is_empty = [](const std::string& word) {
    return word.starts_with("--") && word.find('=') + 1 == word.size();
  };
  const auto empty = std::find_if(words.begin(), words.end(), is_empty);
  if (empty != words.end()) return fmt::format("{} has no value (--help lists the options).", *empty);
  std::reverse(words.begin(), words.end());
  try {
    app_->parse(std::move(words));
  } catch (const CLI::Success& asked) {
    app_->exit(asked);  // prints the help, or the version
  } catch (const CLI::ParseError& error) {
    return UsageSentence(*app_, error);
  }
  return "";
}

}  // namespace poolproof
