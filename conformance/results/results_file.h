// The results file while it grows: header first, then cases in plan order, a line for each. When the run ends, what
// only the whole run knows is put in, and most lines are left out, all of it at once.
//
// It is written as <out>/results.jsonl.partial and replaced by <out>/results.jsonl only when it is complete, so that
// a file of that name always has a footer. Writes by other processes are detected.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "conformance/cases/spec.h"

namespace poolproof {

class ResultsFile {
 public:
  ResultsFile();
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  using TakeLine = std::function<bool(std::string_view line)>;
  // Appends whole lines to `out`, and calls `flush` from time to time; false where either fails.
  using Flush = std::function<bool()>;
  using Fill = std::function<bool(std::string* out, const Flush& flush)>;

  // Begins a new file in an existing folder.
  bool Create(const std::string& folder, Error* error);
  // The file of an earlier run in `folder` to go on from.
  enum class Left : uint8_t { kNothing, kPartial, kComplete };
  static Left Find(const std::string& folder);
  // Opens what a run left behind, which may have ended at any byte, and hands over its whole lines. Where `line`
  // refuses one (it fills the error), nothing is changed.
  bool Resume(const std::string& folder, const TakeLine& line, Error* error);
  // Begins a file with the lines of one that is complete, which is removed then.
  bool Reopen(const std::string& folder, const Fill& fill, Error* error);
  // Bytes that are collected before they are appended.
  static constexpr size_t kAppendBytes = size_t{1} << 16;
  // Appends whole lines. They are handed to the system at once and so survive the runner.
  bool Append(std::string_view lines, Error* error);
  // Calls `line` for each line that was written, until it returns false, which fails.
  bool Read(const TakeLine& line, Error* error);
  // Writes the complete file, syncs it, and removes the partial one.
  bool Finish(const Fill& fill, Error* error);

  // Removes what was written.
  void Discard();

  std::string PartialPath() const { return FinalPath() + ".partial"; }
  std::string FinalPath() const { return folder_ + "/results.jsonl"; }

 private:
  // Digest of all lines, in order, so that they can be known again.
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
  std::string RewritePath() const { return FinalPath() + ".rewrite"; }
  // Writes a new file, syncs it and puts it in the place of `path`; its descriptor, or -1.
  int Replace(const std::string& path, const Fill& fill, Error* error);

  std::string folder_;
  int fd_ = -1;  // of the partial file
  Trace written_;
};

}  // namespace poolproof
