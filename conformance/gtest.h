// The gate in a test program of yours, by GoogleTest: a test for each operator, of a backend that is linked into the
// program. Header only, C++17; main is yours or that of gtest_main.
//
//   POOLPROOF_GATE(Pooling, poolproof_get_backend, "--level=quick", "--random=1000")
//
// The last words are options of the program `poolproof`, which runs the backend in processes of its own: they are this
// program, started once more for nothing else. So a crash or a hang of the backend fails the test of its operator and
// ends nothing. The gate is run once, when its first test is; reports are in poolproof-results/Pooling.
//
// `poolproof` is found by the variable POOLPROOF_PROGRAM, else where a macro of that name says (which the CMake target
// poolproof::gtest sets), else on the PATH.
#ifndef POOLPROOF_CONFORMANCE_GTEST_H_
#define POOLPROOF_CONFORMANCE_GTEST_H_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backend_process.h"

#ifndef POOLPROOF_PROGRAM
#define POOLPROOF_PROGRAM "poolproof"
#endif

namespace poolproof::gtest {

// The test that is no test: it serves the backend to the gate that another process of this program runs.
inline constexpr const char* kServe = "backend";
// Faults that fail the run though no case of it does.
inline constexpr const char* kRun = "run";
inline constexpr const char* kServing = "POOLPROOF_SERVING";

inline std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

struct Said {
  int status = -1;   // of the program
  std::string text;  // both of its streams
};

inline Said RunProgram(const std::vector<std::string>& arguments) {
  const char* variable = std::getenv("POOLPROOF_PROGRAM");
  std::string command = Quoted(variable != nullptr ? variable : POOLPROOF_PROGRAM);
  for (const std::string& argument : arguments) command += " " + Quoted(argument);
  Said said;
  FILE* pipe = popen((command + " 2>&1 < /dev/null").c_str(), "r");
  if (pipe == nullptr) return said;
  char buffer[4096];
  for (size_t got = 0; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) said.text.append(buffer, got);
  const int status = pclose(pipe);
  said.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

// One test suite of junit.xml, as the program writes it.
struct Suite {
  bool answered = false;              // any case of it
  std::vector<std::string> failures;  // a text each
};

inline std::string Between(const std::string& text, const std::string& begin, const std::string& end, size_t* at) {
  const size_t first = text.find(begin, *at);
  *at = first == text.npos ? text.npos : text.find(end, first + begin.size());
  if (*at == text.npos) return "";
  std::string found = text.substr(first + begin.size(), *at - first - begin.size());
  for (const auto& [name, meant] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    for (size_t i = 0; (i = found.find(name, i)) != found.npos; ++i) found.replace(i, std::string(name).size(), meant);
  }
  return found;
}

inline std::map<std::string, Suite> ReadSuites(const std::string& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::map<std::string, Suite> suites;
  for (size_t at = 0; (at = text.find("<testsuite ", at)) != text.npos;) {
    const size_t end = std::min(text.find("</testsuite>", at), text.size());
    const std::string part = text.substr(at, end - at);
    size_t in = 0;
    Suite& suite = suites[Between(part, " name=\"", "\"", &in)];
    const std::string tests = Between(part, " tests=\"", "\"", &in);
    suite.answered = Between(part, " skipped=\"", "\"", &in) != tests;
    while ((in = part.find("<failure ", in)) != part.npos) {
      suite.failures.push_back(Between(part, ">", "</failure>", &in));
      if (in == part.npos) break;
    }
    at = end;
  }
  return suites;
}

// One run of the program.
class Gate {
 public:
  Gate(std::string name, std::vector<std::string> options) : name_(std::move(name)), options_(std::move(options)) {}

  // The operators of the specs, of which those that a document derives from another one have its test, and the run.
  std::vector<std::string> Groups() const {
    if (std::getenv(kServing) != nullptr) return {kServe};
    std::vector<std::string> groups;
    const Said said = RunProgram({"list"});
    size_t at = 0;
    for (std::string line; at < said.text.size() && said.status == 0; at += line.size() + 1) {
      line = said.text.substr(at, said.text.find('\n', at) - at);
      const std::string id = line.substr(std::min(line.find(' '), line.size()));
      const size_t first = std::min(id.find_first_not_of(' '), id.size());
      Add(id.substr(first, id.find('/') - first), &groups);
    }
    groups.push_back(kRun);
    return groups;
  }

  void Check(const std::string& group) {
    if (said_.status < 0) Run();
    const bool judged = said_.status == 0 || said_.status == 1;
    if (!judged) GTEST_FAIL() << "poolproof could not judge the backend:\n" << said_.text;
    Suite found;
    for (const auto& [name, suite] : suites_) {
      if (name != group && name.rfind(group + "_", 0) != 0) continue;
      found.answered = found.answered || suite.answered;
      found.failures.insert(found.failures.end(), suite.failures.begin(), suite.failures.end());
    }
    if (!found.failures.empty()) GTEST_FAIL() << Shown(group, found.failures);
    if (group == kRun) {
      if (said_.status != 0 && !AnyFailure()) GTEST_FAIL() << said_.text;
    } else if (!found.answered) {
      GTEST_SKIP() << "the backend does not have it, or no case of it was run";
    }
  }

 private:
  static void Add(const std::string& name, std::vector<std::string>* groups) {
    for (const std::string& known : *groups) {
      if (name == known || name.rfind(known + "_", 0) == 0) return;
    }
    if (!name.empty()) groups->push_back(name);
  }

  // Replies take the way of standard output, and what is printed meanwhile that of standard error.
  std::string Backend() const {
    char self[PATH_MAX + 1] = "";
    if (readlink("/proc/self/exe", self, PATH_MAX) < 0) return "";
    return "process:unset GTEST_OUTPUT GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX; " + std::string(kServing) + "=1 exec " +
           Quoted(self) + " --gtest_filter='*/" + name_ + ".*/" + kServe + "' 3>&1 1>&2";
  }

  void Run() {
    const std::string out = "poolproof-results/" + name_;
    std::vector<std::string> arguments = options_;
    arguments.push_back("--backend=" + Backend());
    arguments.push_back("--out=" + out);
    said_ = RunProgram(arguments);
    if (said_.status == 0 || said_.status == 1) suites_ = ReadSuites(out + "/junit.xml");
  }

  bool AnyFailure() const {
    for (const auto& [name, suite] : suites_) {
      if (!suite.failures.empty()) return true;
    }
    return false;
  }

  std::string Shown(const std::string& group, const std::vector<std::string>& failures) const {
    constexpr size_t kShown = 3;
    std::string text = group + " does not conform\n";
    for (size_t i = 0; i < failures.size() && i < kShown; ++i) text += "\n" + failures[i] + "\n";
    if (failures.size() > kShown) text += "\nand " + std::to_string(failures.size() - kShown) + " more\n";
    return text + "\nreport: poolproof-results/" + name_ + "/report.html";
  }

  const std::string name_;
  const std::vector<std::string> options_;
  Said said_;
  std::map<std::string, Suite> suites_;
};

// "MaxPool-8" as GoogleTest takes it.
inline std::string NameOf(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

inline void CheckOrServe(Gate& gate, const std::string& group, poolproof_get_backend_fn get_backend) {
  constexpr int kReplies = 3;
  if (group != kServe) return gate.Check(group);
  ASSERT_EQ(::poolproof::backend::Serve(get_backend, STDIN_FILENO, kReplies), 0);
}

}  // namespace poolproof::gtest

// Tests Operators/NAME.Conforms/MaxPool_8 and so on; `get_backend` is a poolproof_get_backend_fn.
#define POOLPROOF_GATE(name, get_backend, ...)                                                   \
  inline ::poolproof::gtest::Gate& PoolproofGate##name() {                                       \
    static ::poolproof::gtest::Gate gate(#name, {__VA_ARGS__});                                  \
    return gate;                                                                                 \
  }                                                                                              \
  class name : public ::testing::TestWithParam<std::string> {};                                  \
  INSTANTIATE_TEST_SUITE_P(Operators, name, ::testing::ValuesIn(PoolproofGate##name().Groups()), \
                           ::poolproof::gtest::NameOf);                                          \
  TEST_P(name, Conforms) { ::poolproof::gtest::CheckOrServe(PoolproofGate##name(), GetParam(), get_backend); }

#endif  // POOLPROOF_CONFORMANCE_GTEST_H_
