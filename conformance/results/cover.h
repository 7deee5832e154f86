// The cases that a baseline entry was made from, with the wrong answers that they had.
#ifndef POOLPROOF_CONFORMANCE_RESULTS_COVER_H_
#define POOLPROOF_CONFORMANCE_RESULTS_COVER_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "conformance/cases/spec.h"

namespace poolproof {

// In a file a few cases are listed with id and answer:
//
//   "cases":{"MaxPool-8/example-1":"3f9a6c0112ab77de"}
//
// and many in short form, one line per first byte of the hash of the id, each case with six bytes of
// that hash (the first of which begins the line) and two of its answer:
//
//   "count":3,"digest":"9b1c...","cases":["0a:1b2c3d4e5f3f9a","7c:..."]
//
// `digest` is over the ids and answers in full, so that in a whole run nothing at all may differ.
// A case that varies may have several answers; then there is no digest.
class Cover {
 public:
  enum class Fit : uint8_t {
    kNone,    // another case
    kCase,    // the case, with another answer
    kAnswer,  // the case with its answer
  };

  // Cases up to this number are listed with their ids.
  static constexpr size_t kNamed = 12;

  // `answer`: 16 hexadecimal digits. The same case with the same answer counts once. What was read in
  // short form stays so.
  void Add(std::string_view id, std::string_view answer);
  void Add(const Cover& other);
  Fit Find(std::string_view id, std::string_view answer) const;
  bool HasCase(std::string_view id) const { return Find(id, "") != Fit::kNone; }
  // The case was in a run.
  void See(std::string_view id);
  // It was, and the entry is the one that it belongs to.
  Fit Meet(std::string_view id, std::string_view answer);
  // Different cases: all, and those that were seen.
  uint64_t size() const { return cases_.size(); }
  uint64_t seen() const { return seen_; }
  // Whether the cases that were met with their answers are all there are, to the last bit.
  bool MetAll() const { return met_sum_.count() == size() && (digest_.empty() || met_sum_.Hex() == digest_); }
  // HashOf(id) for each case.
  std::vector<uint64_t> Hashes() const;
  static uint64_t HashOf(std::string_view id);

  // Puts "cases" and, in short form, "count" and "digest" into `entry`; no digest where something
  // may vary.
  void Write(bool varies, nlohmann::ordered_json* entry) const;
  // Reads them. On failure one sentence without file and full stop, but with the JSON pointer of the
  // place in the entry.
  bool Read(const nlohmann::ordered_json& entry, Error* error);

  // A digest over cases and answers that does not depend on their order.
  class Sum {
   public:
    void Add(std::string_view id, std::string_view answer);
    std::string Hex() const;
    uint64_t count() const { return count_; }

   private:
    uint64_t low_ = 0, high_ = 0, count_ = 0;
  };
  bool SameCasesAs(const Cover& other) const;

 private:
  // The first six bytes of the hash of an id, and what is known of its answers: the first two bytes
  // of each, in full only where the cases are listed.
  struct Case {
    std::string id;  // empty in short form
    std::vector<std::string> answers;
    bool seen = false, met = false;
  };

  bool ReadNamed(const nlohmann::ordered_json& cases, Error* error);
  bool ReadShort(const nlohmann::ordered_json& entry, Error* error);
  bool ReadShortLine(std::string_view line, Error* error);
  nlohmann::ordered_json ShortLines() const;

  std::map<uint64_t, Case> cases_;  // by hash of the id
  bool in_short_form_ = false;      // as it was read
  std::string digest_;              // empty where the file has none, being listed in full or varying
  uint64_t seen_ = 0;
  Sum met_sum_;
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RESULTS_COVER_H_
