#include "conformance/cli/usage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

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

}  // namespace

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
    what = text;  // by the validators of command.h
  } else {
    what = fmt::format("{}: \"{}\" cannot be read", name, ValueOf(app, name));
  }
  return what + " (--help lists the options).";
}

std::string FailureSentence(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return "There is not enough memory.";
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&failure)) {
    return fmt::format("{}: {}.", file->path1().string(), file->code().message());
  }
  if (const auto* json = dynamic_cast<const nlohmann::json::exception*>(&failure)) {
    return fmt::format("A JSON value is of another type than this program expects (fault {}).", json->id);
  }
  return failure.what();
}

}  // namespace poolproof
