// The results file while it grows: header first, then cases in plan order. What only the whole run knows of its cases
// is put in when it ends, all of it at once.
//
// It is written as <out>/results.jsonl.partial and gets its name only when it is complete, so that
// a file named results.jsonl always has a footer. Whoever writes into it beside us is found out.
// Compressed it is <out>/results.jsonl.zst, one zstd frame for each time that it was written anew; all that was
// appended can be read from it at any time, though the last frame goes on or was cut off.
#ifndef POOLPROOF_CONFORMANCE_RESULTS_RESULTS_FILE_H_
#define POOLPROOF_CONFORMANCE_RESULTS_RESULTS_FILE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "conformance/cases/spec.h"
#include "conformance/format/compressor.h"

namespace poolproof {

class ResultsFile {
 public:
  ResultsFile();
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  // Begins a new file in an existing folder.
  bool Create(const std::string& folder, bool compressed, Error* error);
  // Whether `folder` has something to go on from; a sentence if not.
  static bool CanResume(const std::string& folder, Error* error);
  // Opens what a run left behind, which may have ended at any byte, and hands over its whole lines.
  // `line` says whether to keep a line, to cut the file off before it and be done, or to refuse the
  // file (it fills the error); nothing is changed then. A complete file is opened again. What was
  // compressed stays so.
  enum class Keep : uint8_t { kKeep, kCut, kRefuse };
  bool Resume(const std::string& folder, const std::function<Keep(std::string_view)>& line, Error* error);
  // So many bytes are collected before they are appended.
  static constexpr size_t kAppendBytes = size_t{1} << 16;
  // Appends whole lines. They are handed to the system at once and so survive the runner.
  bool Append(std::string_view lines, Error* error);
  // Calls `line` for each line that was written, until it returns false, which fails.
  bool Read(const std::function<bool(std::string_view)>& line, Error* error);
  // Replaces each line by what `rewrite` appends for it. Where that is false, nothing is changed.
  bool Rewrite(const std::function<bool(std::string_view line, std::string* out)>& rewrite, Error* error);
  // Reads the file once more, syncs it and gives it its name, of which there is then one file.
  bool Finish(Error* error);

  // Removes what was written.
  void Discard();

  std::string PartialPath() const { return FinalPath() + ".partial"; }
  std::string FinalPath() const { return folder_ + (compressed_ ? "/results.jsonl.zst" : "/results.jsonl"); }

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
  std::string RewritePath() const { return folder_ + "/results.jsonl.rewrite"; }
  // Finds what a run left behind, and whether that is complete.
  bool Find(const std::string& folder, bool* complete, Error* error);
  // Writes lines to the end of `path`, which is open.
  bool Put(std::string_view lines, const std::string& path, Error* error);
  bool EndFrame(const std::string& path, Error* error);
  // Puts a new file in the place of this one: `fill` appends whole lines to `out`, and after each of
  // them calls `next`, which is false where they cannot be written.
  using Fill = std::function<bool(std::string* out, const std::function<bool()>& next)>;
  bool Replace(const Fill& fill, Error* error);
  bool CutAfter(uint64_t bytes, Error* error);

  std::string folder_;
  bool compressed_ = false;
  int fd_ = -1;
  std::unique_ptr<Compressor> compressor_;  // of fd_; none: it is not compressed
  Trace written_;
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RESULTS_RESULTS_FILE_H_
