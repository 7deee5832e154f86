// The files of one vector, and what a team wrote for it.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "conformance/run/engine.h"

namespace poolproof {

// A planned case with its input and expected result, computed here.
class Vector {
 public:
  PlannedCase planned;
  Call call;
  Expected expected;

  // The call of `planned`.
  void Compute(const reference::Selection& selection);
  // Suffix and bytes of each file that the suite writes: ".json", ".input0.npy", ".expected0.npy".
  std::vector<std::pair<std::string, std::string>> Files() const;

 private:
  std::vector<std::byte> input_;
};

// How reading what belongs to one vector came out.
enum class VectorRead : uint8_t {
  kGood,
  kMissing,  // something is not there, or is no output; the message says what
  kRefused,  // the folder is not what it should be; one sentence
};

// Whether the files that the suite wrote are as it wrote them.
VectorRead CheckFiles(const Vector& vector, const std::string& stem, Error* error);

// The answer that a team wrote for one case, in the form in which a lane reports.
class TeamAnswer {
 public:
  VectorRead Read(const Vector& vector, const std::string& stem, Error* error);
  const CaseResult& result() const { return result_; }

 private:
  VectorRead ReadStatus(const std::string& path, Error* error);
  VectorRead ReadOutput(const std::string& path, size_t i, const poolproof_tensor& want, Error* error);

  CaseResult result_;
  std::array<std::vector<std::byte>, kMaxOutputs> memory_;
};

}  // namespace poolproof
