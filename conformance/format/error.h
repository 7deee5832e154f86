// Bad input and failures, as every function of the suite reports them.
#pragma once

#include <string>
#include <utility>

namespace poolproof {

// `message` is one sentence that names file, place and value; empty where nothing went wrong.
struct Error {
  std::string message;
};

// Fills `error` and returns false, so that a function can end with it.
inline bool Fail(std::string message, Error* error) {
  error->message = std::move(message);
  return false;
}

}  // namespace poolproof
