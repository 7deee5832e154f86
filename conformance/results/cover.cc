#include "conformance/results/cover.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/cases/digest.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

using nlohmann::ordered_json;

constexpr int kHashBits = 48;
constexpr size_t kAnswerDigits = 16, kShortAnswerDigits = 4, kRestDigits = 10;
constexpr size_t kShortDigits = kRestDigits + kShortAnswerDigits;

bool IsHex(std::string_view text, size_t digits) {
  return text.size() == digits &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool Contains(const std::vector<std::string>& answers, std::string_view answer) {
  return std::find(answers.begin(), answers.end(), answer) != answers.end();
}

}  // namespace

uint64_t Cover::HashOf(std::string_view id) {
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a, then mixed: its low bits alone are weak
  for (const char c : id) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  return (h ^ (h >> 32)) >> (64 - kHashBits);
}

void Cover::Add(std::string_view id, std::string_view answer) {
  Case& c = cases_[HashOf(id)];
  if (in_short_form_) answer = answer.substr(0, kShortAnswerDigits);
  if (c.answers.empty() && !in_short_form_) c.id = id;
  if (!Contains(c.answers, answer)) c.answers.emplace_back(answer);
}

void Cover::Add(const Cover& other) {
  for (const auto& [hash, c] : other.cases_) {
    for (const std::string& answer : c.answers) Add(c.id, answer);
  }
}

Cover::Fit Cover::Find(std::string_view id, std::string_view answer) const {
  const auto found = cases_.find(HashOf(id));
  if (found == cases_.end()) return Fit::kNone;
  const Case& c = found->second;
  if (!c.id.empty() && c.id != id) return Fit::kNone;
  if (in_short_form_) answer = answer.substr(0, kShortAnswerDigits);
  return Contains(c.answers, answer) ? Fit::kAnswer : Fit::kCase;
}

Cover::Fit Cover::Meet(std::string_view id, std::string_view answer) {
  const Fit fit = Find(id, answer);
  if (fit == Fit::kNone) return fit;
  Case& c = cases_[HashOf(id)];
  // A random problem may come twice.
  if (!std::exchange(c.met, true) && fit == Fit::kAnswer) met_sum_.Add(id, answer);
  return fit;
}

void Cover::See(std::string_view id) {
  if (!HasCase(id)) return;
  if (!std::exchange(cases_[HashOf(id)].seen, true)) ++seen_;
}

std::vector<uint64_t> Cover::Hashes() const {
  std::vector<uint64_t> hashes;
  for (const auto& [hash, c] : cases_) hashes.push_back(hash);
  return hashes;
}

bool Cover::SameCasesAs(const Cover& other) const {
  return std::equal(
      cases_.begin(), cases_.end(), other.cases_.begin(), other.cases_.end(),
      [](const auto& a, const auto& b) { return a.first == b.first && a.second.answers == b.second.answers; });
}

void Cover::Sum::Add(std::string_view id, std::string_view answer) {
  const Digest::Bits digest = Digest().Add(id).Add("\n").Add(answer).Value();
  low_ += digest.low;
  high_ += digest.high + (low_ < digest.low ? 1 : 0);
  ++count_;
}

std::string Cover::Sum::Hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

ordered_json Cover::ShortLines() const {
  ordered_json lines = ordered_json::array();
  std::string line;
  uint64_t last = 256;
  for (const auto& [hash, c] : cases_) {
    const uint64_t first = hash >> (kHashBits - 8);
    if (first != last && !line.empty()) lines.push_back(std::exchange(line, ""));
    if (first != last) line = fmt::format("{:02x}:", first);
    last = first;
    for (const std::string& answer : c.answers) {
      line +=
          fmt::format("{:010x}{}", hash & ((uint64_t{1} << (kHashBits - 8)) - 1), answer.substr(0, kShortAnswerDigits));
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

void Cover::Write(bool varies, ordered_json* entry) const {
  if (cases_.size() <= kNamed && !in_short_form_) {
    ordered_json cases = ordered_json::object();
    for (const auto& [hash, c] : cases_) {
      cases[c.id] = c.answers.size() == 1 ? ordered_json(c.answers[0]) : ordered_json(c.answers);
    }
    (*entry)["cases"] = cases;
    return;
  }
  Sum sum;
  for (const auto& [hash, c] : cases_) sum.Add(c.id, c.answers[0]);
  (*entry)["count"] = cases_.size();
  if (!varies) (*entry)["digest"] = sum.Hex();
  (*entry)["cases"] = ShortLines();
}

bool Cover::Read(const ordered_json& entry, Error* error) {
  const auto cases = entry.find("cases");
  if (cases == entry.end()) return Fail("\"cases\" is missing", error);
  if (cases->is_object()) {
    for (const char* key : {"count", "digest"}) {
      if (entry.contains(key)) {
        return Fail(fmt::format("\"{}\" stands beside cases that are listed by id", key), error);
      }
    }
    return ReadNamed(*cases, error);
  }
  if (cases->is_array()) return ReadShort(entry, error);
  return Fail(fmt::format("\"cases\" is {}, neither an object nor a list", ShortenedJson(*cases)), error);
}

bool Cover::ReadNamed(const ordered_json& cases, Error* error) {
  for (const auto& [id, value] : cases.items()) {
    const ordered_json answers = value.is_array() ? value : ordered_json::array({value});
    if (answers.empty()) return Fail(fmt::format("/cases: \"{}\" has no answer", EscapeForTerminal(id)), error);
    for (const ordered_json& answer : answers) {
      if (!answer.is_string() || !IsHex(answer.get_ref<const std::string&>(), kAnswerDigits)) {
        return Fail(fmt::format("/cases: the answer of \"{}\" is {}, not {} hexadecimal digits", EscapeForTerminal(id),
                                ShortenedJson(answer), kAnswerDigits),
                    error);
      }
      Add(id, answer.get_ref<const std::string&>());
    }
  }
  return true;
}

bool Cover::ReadShortLine(std::string_view line, Error* error) {
  const std::string_view first = line.substr(0, 2);
  const bool headed = line.size() > 3 && IsHex(first, 2) && line[2] == ':';
  const std::string_view rest = headed ? line.substr(3) : std::string_view();
  if (!headed || rest.size() % kShortDigits != 0 || !IsHex(rest, rest.size())) {
    return Fail(fmt::format("\"{}\" is no list of cases in short form", EscapeForTerminal(Shorten(line, 60))), error);
  }
  for (size_t at = 0; at < rest.size(); at += kShortDigits) {
    const std::string digits = std::string(first) + std::string(rest.substr(at, kRestDigits));
    uint64_t hash = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
    Case& c = cases_[hash];
    const std::string_view answer = rest.substr(at + kRestDigits, kShortAnswerDigits);
    if (!Contains(c.answers, answer)) c.answers.emplace_back(answer);
  }
  return true;
}

bool Cover::ReadShort(const ordered_json& entry, Error* error) {
  in_short_form_ = true;
  const auto count = entry.find("count"), digest = entry.find("digest");
  if (count == entry.end() || !count->is_number_unsigned()) {
    return Fail("\"count\" is missing or no number, which cases in short form need", error);
  }
  if (digest != entry.end()) {
    if (!digest->is_string() || !IsHex(digest->get_ref<const std::string&>(), 32)) {
      return Fail(fmt::format("\"digest\" is {}, not 32 hexadecimal digits", ShortenedJson(*digest)), error);
    }
    digest_ = digest->get<std::string>();
  }
  const ordered_json& cases = entry["cases"];
  for (size_t i = 0; i < cases.size(); ++i) {
    const bool text = cases[i].is_string();
    if (!ReadShortLine(text ? cases[i].get_ref<const std::string&>() : ShortenedJson(cases[i]), error)) {
      return Fail(fmt::format("/cases/{}: {}", i, error->message), error);
    }
  }
  if (count->get<uint64_t>() == cases_.size()) return true;
  return Fail(fmt::format("\"count\" is {}, the cases are {}: it was merged by hand and has to be "
                          "written anew from a run (`baseline --update`)",
                          count->get<uint64_t>(), cases_.size()),
              error);
}

}  // namespace poolproof
