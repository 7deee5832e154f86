// Cases that are told by their places alone: they pass and read silences in one way, or are unsupported for one reason.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "conformance/format/case_line.h"
#include "conformance/format/error.h"
#include "conformance/format/packed.h"

namespace poolproof {

// How the cases of a line round quotients.
struct AlikeRounds {
  std::vector<uint32_t> answers;  // each once, as bits; 0 for none
  std::string of;                 // packed: which of them is that of each case

  static constexpr char kWhat[] = "\"rounds\"";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& r, Keys&& keys) {
    return keys("answers", r.answers, Need::kRequired) && keys("of", r.of, Need::kRequired);
  }
};

struct AlikeLine {
  Verdict verdict = Verdict::kPass;  // or kUnsupported
  std::string op, message;           // of what is unsupported
  ReadingNames readings;
  std::map<std::string, AlikeRounds> rounds;  // by ledger entry
  uint64_t cases = 0;
  std::string example;  // id of the first
  std::string places;   // packed

  static constexpr char kWhat[] = "a line of cases that are alike";
  template <typename Self, typename Keys>
  static bool ForEachKey(Self& a, Keys&& keys) {
    constexpr Need kRequired = Need::kRequired, kOptional = Need::kOptional;
    return keys("alike", a.verdict, kRequired) && keys("operator", a.op, kOptional) &&
           keys("message", a.message, kOptional) && keys("readings", a.readings, kOptional) &&
           keys("cases", a.cases, kRequired) && keys("example", a.example, kRequired) &&
           keys("places", a.places, kRequired) && keys("rounds", a.rounds, kOptional);
  }
};

// Such a line from its object; the lists hold what it counts. On failure false, and a reason without place and full
// stop.
bool ReadAlikeLine(const Json& value, AlikeLine* line, Error* error);

// The cases of many such lines in the order of their places.
class AlikeCases {
 public:
  void Add(AlikeLine line);
  // Place of the next case; nothing at the end.
  std::optional<uint64_t> Place() const;
  // Goes on to the case after it.
  void Next() { Take(nullptr); }
  // Likewise; fills verdict, message, readings and rounds of `c`, which has none.
  void Take(CaseLine* c);

 private:
  struct List {
    explicit List(AlikeLine l);
    AlikeLine line;
    PackedNumbers places;
    std::map<std::string, PackedNumbers> of;
    uint64_t next = 0;
  };
  using Entry = std::pair<uint64_t, size_t>;  // place, number of the list

  void Queue(size_t list);

  std::vector<std::unique_ptr<List>> lists_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next_;
};

}  // namespace poolproof
