// What is wrong with a command line, or with the program, in sentences of ours.
#ifndef POOLPROOF_CONFORMANCE_CLI_USAGE_H_
#define POOLPROOF_CONFORMANCE_CLI_USAGE_H_

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

namespace poolproof {

// Why `app` refuses its command line: names the option and, where there is one, the value.
std::string UsageSentence(const CLI::App& app, const CLI::ParseError& error);

// What a failure that nobody expected was.
std::string FailureSentence(const std::exception& failure);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_CLI_USAGE_H_
