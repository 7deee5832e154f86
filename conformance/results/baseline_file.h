// The baseline as text: which cases are expected not to pass, with which answers, and why. Read by people and
// merged by git.
//
//   # poolproof baseline 3
//   # has: MaxPool-14 f32 i8
//   # lacks: MaxPool-14 f32 rank = 5
//   # random: 100000 of seed 1
//
//   # reason: ceil_torch keeps a window that starts past the input; fixed in 2.4
//   # cause: openvino-18731
//   # owner: anna
//   # expires: 2027-06-30
//   MaxPool-14/example-5<TAB>fail<TAB>3f9a6c0112ab77de
//
// A case is a line: its id, its verdict and the digest of its answer, with a tab between them. Empty lines separate
// blocks; the comments at the top of a block are about its cases. Writing sorts blocks by cause and cases by id;
// reading takes any order. A comment without a key stays with its block. Keys, of which a block needs only the first:
//
//   reason   why its cases do not pass
//   cause    the only cause that they may have: the id of a known cause, the readings of a deviation
//            ("same-stride=ceil-div"), or the signature of a group
//   also     another cause that they may have, as cases of a group do that its cause is not known of one by one; may be
//            repeated
//   owner    whom to ask
//   expires  the last day on which its cases may fail
//   varies   by=cpu or by=run, within=..., why=...: what may differ from machine to machine or from run to run.
//            within=answers: each case may pass, or have any of its answers, each in a line. within=cases: each case
//            may pass or have any answer. within=5: no cases are listed; five that have the block's `verdict`, its
//            cause and the pattern of ids `case` (* stands for any text) may fail with any answer.
//
// A case is in one block, and in another one only if that varies. `has` and `lacks` say what the backend had when
// the file was written: functions with their element types, and features that their calls may not have (support.h).
// `random` says which random problems the runs had that it was written from.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "conformance/cases/support.h"
#include "conformance/format/verdict.h"

namespace poolproof {

// How a reason begins that people have yet to write.
inline constexpr char kToBeExplained[] = "to be explained";
// Whether anything of a text can be seen: it is not made of blanks and characters of no width.
bool Shows(std::string_view text);

struct BaselineVaries {
  enum class Within : uint8_t { kAnswers, kCases, kNumber };
  std::string by, why;
  Within within = Within::kAnswers;
  uint64_t number = 0;  // kNumber: cases that may fail
};

struct BaselineBlock {
  uint64_t line = 0;  // its first one in the file, from 1
  std::vector<std::string> comments;
  std::string reason, cause, owner, expires, pattern;
  std::vector<std::string> also;
  std::optional<Verdict> verdict;  // only where a number of cases may fail
  std::optional<BaselineVaries> varies;

  bool MayFailWith(BaselineVaries::Within within) const { return varies && varies->within == within; }
  bool IsCounted() const { return MayFailWith(BaselineVaries::Within::kNumber); }
  // Whether the cause of the block, if it has one, or another that its cases may have is among those of a case.
  bool Takes(const std::vector<std::string>& causes) const;
  // Whether its cases may no longer fail today.
  bool HasExpired() const;
  // Whether a case is one of those that are counted.
  bool Counts(std::string_view id, Verdict verdict, const std::vector<std::string>& causes) const;
  // "crash openvino-18731", for people.
  std::string Name() const;
};

struct BaselineCase {
  std::string id;
  size_t block = 0;  // its number, from 0
  Verdict verdict = Verdict::kFail;
  uint64_t answer = 0;  // AnswerNumber
  uint64_t line = 0;    // in the file, from 1; of no weight in comparisons

  auto Key() const { return std::tie(id, block, verdict, answer); }
  bool operator==(const BaselineCase& other) const { return Key() == other.Key(); }
  auto operator<=>(const BaselineCase& other) const { return Key() <=> other.Key(); }
};

// Numbers of random problems by their seeds.
using RandomCounts = std::map<uint64_t, uint64_t>;

struct BaselineFile {
  std::vector<std::string> comments;  // above all blocks
  Offers offers;                      // of the backend when the file was written
  RandomCounts random;                // of the runs that it was written from
  std::vector<BaselineBlock> blocks;
  std::vector<BaselineCase> cases;  // sorted

  std::span<const BaselineCase> CasesOf(std::string_view id) const;
};

// On failure one sentence with file, line and value.
std::optional<BaselineFile> ReadBaselineFile(const std::string& path, Error* error);

// The text of the file, blocks and cases in order.
std::string BaselineText(const BaselineFile& file);

// `text` as the value of a key: on one line, with no space around it.
std::string BaselineValue(std::string_view text);

}  // namespace poolproof
