// Output of a short program, by which this one asks the system something before or after a backend runs.
#pragma once

#include <string>
#include <vector>

namespace poolproof::worker {

// Standard output of `program`, which gets `arguments` (the first is its name) and `environment` ("NAME=value"), and
// has no input and nowhere to write errors to. Empty where it cannot be started. It is killed 10 s after it has closed
// its output.
std::string OutputOf(const std::string& program, const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment = {});

}  // namespace poolproof::worker
