// The parser of the command line, behind an interface of ours: its own header takes ten seconds to compile, in
// every file that includes it.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the parser's own
class App;
class Option;
}  // namespace CLI

namespace poolproof {

// Constraint on the value of an option.
struct Check {
  std::function<std::string(const std::string& value)> complaint;  // empty: it is
  std::string range;                                               // for the help
};

// One option of a command, to say more about it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option& Required(bool required = true);
  Option& ShowDefault();
  Option& Group(const std::string& group);
  Option& Delimiter(char between);
  Option& Checked(const Check& check);

 private:
  CLI::Option* option_;
};

// A command with its options. A copy is the same command.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}
  // `name` is "--name", or a word for what stands without one. command_line.cc lists what `value` may be; it is
  // written when the command line is parsed.
  template <typename Value>
  Option AddOption(const std::string& name, Value& value, const std::string& help);
  Option AddFlag(const std::string& name, bool& value, const std::string& help);
  Command AddCommand(const std::string& name, const std::string& help);
  // Action once the command line is parsed.
  void Do(std::function<void()> action);

  bool Has(const std::string& option) const;  // on the command line
  bool HasCommand() const;                    // likewise, one below this one
  std::string Help() const;

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  CommandLine(const std::string& about, const std::string& program);
  ~CommandLine();
  Command Root() { return Command(app_.get()); }
  void SetVersion(std::string (*text)(), const std::string& help);
  void SetHelpAll(const std::string& help);
  // A path in place of a command is the value of this option: "program ./libmine.so" is "program
  // --backend=./libmine.so".
  void SetFirstPath(const std::string& option) { first_path_ = option; }
  // Parses, and does what the command does; what that throws passes. Why the command line is refused, in a sentence
  // that names the option and, where there is one, the value; otherwise empty.
  std::string Parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::string first_path_;
};

}  // namespace poolproof
