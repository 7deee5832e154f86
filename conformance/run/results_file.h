// The results file while it grows: header first, then cases in plan order.
//
// It is written as <out>/results.jsonl.partial and gets its name only when it is complete, so that
// a file named results.jsonl always has a footer. Whoever writes into it beside us is found out.
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
  ResultsFile();
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  // Begins a new file in an existing folder.
  bool Create(const std::string& folder, Error* error);
  // Whether `folder` has something to go on from; a sentence if not.
  static bool CanResume(const std::string& folder, Error* error);
  // Opens what a run left behind, which may have ended at any byte, and hands over its whole lines.
  // `line` says whether to keep a line, to cut the file off before it and be done, or to refuse the
  // file (it fills the error); nothing is changed then. A complete file is opened again.
  enum class Keep : uint8_t { kKeep, kCut, kRefuse };
  bool Resume(const std::string& folder, const std::function<Keep(std::string_view)>& line, Error* error);
  // Appends whole lines. They are handed to the system at once and so survive the runner.
  bool Append(std::string_view lines, Error* error);
  // Replaces each line by what `rewrite` appends for it.
  bool Rewrite(const std::function<void(std::string_view line, std::string* out)>& rewrite, Error* error);
  // Reads the file once more, syncs and renames it to results.jsonl.
  bool Finish(Error* error);

  // Removes what was written.
  void Discard();

  std::string PartialPath() const { return folder_ + "/results.jsonl.partial"; }
  std::string FinalPath() const { return folder_ + "/results.jsonl"; }

 private:
  // Of all lines, in order, so that they can be known again.
  class Trace {
   public:
    explicit Trace(uint64_t key) : key_(key), state_(key) {}
    void Add(std::string_view lines);     // whole ones
    void AddLine(std::string_view line);  // without its newline
    bool operator==(const Trace& other) const { return state_ == other.state_; }
    Trace Empty() const { return Trace(key_); }

   private:
    uint64_t key_, state_;
  };

  bool Fail(const std::string& path, const char* what, Error* error) const;
  bool FailChanged(Error* error) const;
  // Calls `line` for each line and checks that they are those that were written.
  bool ReadBack(const std::function<bool(std::string_view)>& line, Error* error) const;

  std::string folder_;
  int fd_ = -1;
  Trace written_;
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_RESULTS_FILE_H_
