#include "conformance/run/vector_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "conformance/cases/fill.h"
#include "conformance/cases/run_limits.h"
#include "conformance/format/line_file.h"
#include "conformance/format/text.h"
#include "conformance/judge/message.h"
#include "conformance/results/detail.h"
#include "conformance/run/npy.h"

namespace poolproof {
namespace {

constexpr size_t kMaxStatusBytes = 4096;
constexpr size_t kLookedFor = 10;  // outputs of a case, whether it has as many or not
constexpr size_t kMaxOutputFile = static_cast<size_t>(kMaxRunBytes) + (size_t{1} << 17);

bool LinkExists(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0;
}

// Files are named without their folder where only the case is at stake.
std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

VectorRead Missing(const std::string& path, const std::string& what, Error* error) {
  error->message = fmt::format("{} {}.", NameOf(path), what);
  return VectorRead::kMissing;
}

VectorRead Refuse(const std::string& path, const std::string& what, Error* error) {
  error->message = fmt::format("{}: {}.", path, what);
  return VectorRead::kRefused;
}

// Takes the first word off `text`.
std::string TakeWord(std::string* text) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  const auto begin = std::find_if_not(text->begin(), text->end(), space);
  const auto end = std::find_if(begin, text->end(), space);
  std::string word(begin, end);
  *text = std::string(std::find_if_not(end, text->end(), space), text->end());
  while (!text->empty() && space(text->back())) text->pop_back();
  return word;
}

}  // namespace

void Vector::Compute(const reference::Selection& selection) {
  call.Bind(planned.problem);
  input_.resize(std::max<size_t>(call.inputs[0].size_bytes, 1));
  FillInput(planned.problem, input_.data());
  call.inputs[0].data = input_.data();
  ComputeExpected(planned.problem, planned.example, selection, call, &expected);
}

std::vector<std::pair<std::string, std::string>> Vector::Files() const {
  std::vector<std::pair<std::string, std::string>> files;
  files.emplace_back(".json", VectorJson(planned, call, expected).dump(1) + "\n");
  for (size_t i = 0; i < call.call.input_count; ++i) {
    files.emplace_back(fmt::format(".input{}.npy", i), NpyBytes(call.inputs[i]));
  }
  const Result& result = expected.result();
  for (size_t i = 0; result.status == POOLPROOF_OK && i < result.output_count; ++i) {
    files.emplace_back(fmt::format(".expected{}.npy", i), NpyBytes(result.outputs[i]));
  }
  return files;
}

VectorRead CheckFiles(const Vector& vector, const std::string& stem, Error* error) {
  std::string text;
  for (const auto& [suffix, bytes] : vector.Files()) {
    const std::string path = stem + suffix;
    if (!LinkExists(path)) return Missing(path, "is missing", error);
    // One byte more than there should be is enough to see that.
    if (!ReadWholeFile(path, bytes.size() + 1, &text, error)) {
      return VectorRead::kRefused;
    }
    if (text != bytes) return Refuse(path, "is not as it was written", error);
  }
  return VectorRead::kGood;
}

VectorRead TeamAnswer::Read(const Vector& vector, const std::string& stem, Error* error) {
  result_ = CaseResult();
  result_.placements = 1;
  const Result& want = vector.expected.result();
  const size_t count = vector.call.call.output_count;
  for (size_t i = count; i < kLookedFor; ++i) {
    const std::string path = fmt::format("{}.output{}.npy", stem, i);
    if (LinkExists(path)) return Refuse(path, fmt::format("the case has {} outputs", count), error);
  }
  const std::string status = stem + ".status";
  if (LinkExists(status)) {
    if (LinkExists(stem + ".output0.npy")) {
      return Refuse(status, "stands beside outputs, which one call does not give both", error);
    }
    return ReadStatus(status, error);
  }
  result_.ran = true;
  for (size_t i = 0; i < count; ++i) {
    const VectorRead read = ReadOutput(fmt::format("{}.output{}.npy", stem, i), i, want.outputs[i], error);
    if (read != VectorRead::kGood) return read;
  }
  return VectorRead::kGood;
}

VectorRead TeamAnswer::ReadOutput(const std::string& path, size_t i, const poolproof_tensor& want, Error* error) {
  if (!LinkExists(path)) return Missing(path, "is missing", error);
  std::string text;
  if (!ReadWholeFile(path, kMaxOutputFile, &text, error)) {
    return VectorRead::kRefused;
  }
  poolproof_tensor& tensor = result_.outputs[i];
  tensor = want;
  if (!ParseNpy(text, &tensor, &memory_[i], error)) return Missing(path, error->message, error);
  result_.data[0][i] = memory_[i].data();
  tensor.data = nullptr;
  return VectorRead::kGood;
}

VectorRead TeamAnswer::ReadStatus(const std::string& path, Error* error) {
  std::string text;
  if (!ReadWholeFile(path, kMaxStatusBytes, &text, error)) {
    return VectorRead::kRefused;
  }
  const std::string word = TakeWord(&text);
  result_.error = EscapeForTerminal(text);
  for (const auto status : {POOLPROOF_UNSUPPORTED, POOLPROOF_INVALID_ARGUMENT, POOLPROOF_INTERNAL_ERROR}) {
    if (word == StatusName(status)) result_.infer_status = status;
  }
  if (result_.infer_status != POOLPROOF_OK) return VectorRead::kGood;
  if (word != "CRASH" && word != "TIMEOUT") {
    return Refuse(path, fmt::format("\"{}\" is no status", EscapeForTerminal(Shorten(word, 60))), error);
  }
  result_.event = word == "CRASH" ? Event::kCrash : Event::kTimeout;
  result_.event_text = word == "CRASH" ? "ended" : "did not answer in time";
  if (!result_.error.empty()) result_.event_text += ": " + result_.error;
  return VectorRead::kGood;
}

}  // namespace poolproof
