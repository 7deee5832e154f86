// The parser of the command line, behind an interface of ours: its own header takes ten seconds to compile, in
// every file that includes it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the parser's own
class App;
class Option;
}  // namespace CLI

namespace poolproof {

using Words = std::vector<std::string>;

// Constraint on the value of an option.
struct Check {
  std::function<std::string(const std::string& value)> complaint;  // empty: it is
  std::string range;                                               // for the help, "NUMBER from 0 to 9"
  Words words = {};                                                // for completion, where there are few
};

// Texts for the first screen of help, and words for completion, which the parser has no place for.
struct Guide {
  std::map<const CLI::Option*, std::string> first_options;  // of the first screen, with what it says of them
  std::vector<const CLI::App*> first_commands;
  std::map<const CLI::Option*, std::function<Words()>> words;
};

// One option of a command, to say more about it.
class Option {
 public:
  Option(CLI::Option* option, Guide* guide) : option_(option), guide_(guide) {}
  Option& Required(bool required = true);
  Option& ShowDefault();
  Option& Group(const std::string& group);
  Option& Delimiter(char between);
  Option& Checked(const Check& check);
  // Puts it on the screen that a newcomer sees first.
  Option& First(const std::string& help);
  // Values, or beginnings of them, for completion.
  Option& Complete(std::function<Words()> words);

 private:
  CLI::Option* option_;
  Guide* guide_;
};

// A command with its options. A copy is the same command.
class Command {
 public:
  Command(CLI::App* app, Guide* guide) : app_(app), guide_(guide) {}
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
  // Puts it on the screen that a newcomer sees first.
  Command& First();
  // Leaves it out of every help.
  Command& Hide();
  // The screen that a newcomer sees first; for the root alone.
  std::string Help() const;
  // Words that may stand next on a command line of these; the last one may be an option whose value is next. For the
  // root alone.
  Words Next(const Words& before) const;

 private:
  CLI::App* app_;
  Guide* guide_;
};

class CommandLine {
 public:
  CommandLine(const std::string& about, const std::string& program);
  ~CommandLine();
  Command Root() { return Command(app_.get(), &guide_); }
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
  Guide guide_;
  std::string first_path_;
};

}  // namespace poolproof
