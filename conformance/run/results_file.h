// The results file while it grows: header first, then cases in plan order.
//
// It is written as <out>/results.jsonl.partial and gets its name only when it is complete, so that
// a file named results.jsonl always has a footer.
#ifndef POOLPROOF_CONFORMANCE_RUN_RESULTS_FILE_H_
#define POOLPROOF_CONFORMANCE_RUN_RESULTS_FILE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "conformance/spec/spec.h"

namespace poolproof {

class ResultsFile {
 public:
  ResultsFile() = default;
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  // Makes the folder and begins a new file.
  bool Create(const std::string& folder, Error* error);
  // Whether `folder` has a partial file; a sentence if not.
  static bool CanResume(const std::string& folder, Error* error);
  // Opens the partial file of an interrupted run, cuts off an incomplete last line, and hands over
  // each complete one; `line` returns false to refuse the file (it fills the error).
  bool Resume(const std::string& folder, const std::function<bool(std::string_view)>& line,
              Error* error);
  // Appends whole lines. They are handed to the system at once and so survive the runner.
  bool Append(std::string_view lines, Error* error);
  // Replaces each line by what `rewrite` appends for it.
  bool Rewrite(const std::function<void(std::string_view line, std::string* out)>& rewrite,
               Error* error);
  // Syncs and renames to results.jsonl.
  bool Finish(Error* error);

  std::string PartialPath() const { return folder_ + "/results.jsonl.partial"; }
  std::string FinalPath() const { return folder_ + "/results.jsonl"; }

 private:
  bool Fail(const std::string& path, const char* what, Error* error);

  std::string folder_;
  int fd_ = -1;
};

// Calls `line` for each complete line of a file, the last of which needs no newline.
bool ForEachLine(const std::string& path, const std::function<bool(std::string_view)>& line,
                 Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_RESULTS_FILE_H_
