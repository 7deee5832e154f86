#include "reports/reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "reports/text.h"

namespace poolproof::reports {
namespace {

constexpr int64_t kFormat = 1;
constexpr size_t kMaxQuote = 80;  // bytes of a value that an error repeats

std::string Quote(std::string_view value) { return Visible(Shorten(value, kMaxQuote)); }

// State of one reading; each method returns false after filling the error.
class Reading {
 public:
  Reading(const std::string& path, ResultsHandler* handler, std::string* error)
      : path_(path), handler_(handler), error_(error) {}

  bool Run() {
    errno = 0;
    std::ifstream file(path_, std::ios::binary);
    if (!file) return Say(fmt::format("cannot be read: {}", std::strerror(errno)));
    for (std::string line; std::getline(file, line);) {
      ++number_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (!line.empty() && !Line(line)) return false;
    }
    if (file.bad()) return Say(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (!header_) return Say("is empty: a results file begins with a header");
    if (!footer_) {
      return Say(fmt::format("has no footer after {} lines: the run did not end, or the file is cut",
                             number_));
    }
    return true;
  }

 private:
  bool Say(const std::string& what) {
    *error_ = fmt::format("{}: {}.", path_, what);
    return false;
  }
  bool SayLine(const std::string& what) {
    *error_ = fmt::format("{}:{}: {}.", path_, number_, what);
    return false;
  }

  bool Line(const std::string& text) {
    Json value = Json::parse(text, nullptr, false);
    // Backends may put any bytes into their messages; nothing else of the line is lost by them.
    if (value.is_discarded()) value = Json::parse(ValidUtf8(text), nullptr, false);
    if (!value.is_object()) {
      return SayLine(fmt::format("no JSON object: \"{}\"", Quote(text)));
    }
    if (footer_) return SayLine(fmt::format("follows the footer: \"{}\"", Quote(text)));
    if (!header_) return Header(std::move(value), text);
    if (value.contains("footer")) return Footer(value);
    if (value.contains("group") && !value.contains("id")) {
      handler_->OnGroup(std::move(value));
      return true;
    }
    return ReadCase(value);
  }

  bool Header(Json value, const std::string& text) {
    if (!value.contains("poolproof_results")) {
      return SayLine(fmt::format("no header of a results file: \"{}\"", Quote(text)));
    }
    const Json& format = value["poolproof_results"];
    if (format != kFormat) {
      return SayLine(fmt::format("results format {} cannot be read, only format {}",
                                 Quote(AsText(format)), kFormat));
    }
    header_ = true;
    handler_->OnHeader(std::move(value));
    return true;
  }

  bool ReadCase(const Json& value) {
    for (const char* key : {"id", "section", "verdict"}) {
      const auto it = value.find(key);
      if (it == value.end()) return SayLine(fmt::format("a case without \"{}\"", key));
      if (!it->is_string()) {
        return SayLine(fmt::format("\"{}\" is no text: {}", key, Quote(AsText(*it))));
      }
    }
    Case c;
    const std::string verdict = Str(value, "verdict");
    const auto known = FindVerdict(verdict);
    if (!known) return SayLine(fmt::format("there is no verdict \"{}\"", Quote(verdict)));
    c.verdict = *known;
    Fill(value, &c);
    ++counts_[c.verdict];
    handler_->OnCase(c);
    return true;
  }

  static void Fill(const Json& value, Case* c) {
    c->id = Str(value, "id");
    c->line = value.contains("line") ? Str(value, "line") : c->id;
    c->section = Str(value, "section");
    c->message = Str(value, "message");
    c->with = Str(value, "with");
    c->group = Int(value, "group");
    const std::string_view line = c->line;
    const size_t first = std::min(line.find(' '), line.size());
    c->op = line.substr(0, first);
    const std::string_view rest = line.substr(std::min(first + 1, line.size()));
    c->type = rest.substr(0, rest.find(' '));
    for (const auto& [entry, reading] : Object(value, "deviates").items()) {
      c->deviates[entry] = AsText(reading);
    }
    const Json& baseline = Object(value, "baseline");
    c->baselined = !baseline.empty();
    c->baseline_expected = Str(baseline, "expected");
    c->baseline_reason = Str(baseline, "reason");
    c->baseline_status = Str(baseline, "status");
  }

  // The counts of the footer are the runner's own; a file that lost or gained a case shows here.
  bool Footer(const Json& value) {
    const Json& footer = Object(value, "footer");
    for (const auto& [name, count] : Object(footer, "counts").items()) {
      if (!FindVerdict(name)) {
        return SayLine(fmt::format("the footer counts a verdict \"{}\"", Quote(name)));
      }
    }
    for (size_t i = 0; i < kVerdictCount; ++i) {
      const std::string name(Facts(static_cast<Verdict>(i)).name);
      const int64_t counted = Int(Object(footer, "counts"), name.c_str());
      if (counted != static_cast<int64_t>(counts_.n[i])) {
        return SayLine(fmt::format("the footer counts {} cases as {}, the file holds {}", counted,
                                   name, counts_.n[i]));
      }
    }
    footer_ = true;
    handler_->OnFooter(footer);
    return true;
  }

  const std::string& path_;
  ResultsHandler* const handler_;
  std::string* const error_;
  uint64_t number_ = 0;
  bool header_ = false, footer_ = false;
  Counts counts_;
};

}  // namespace

bool ReadResults(const std::string& path, ResultsHandler* handler, std::string* error) {
  return Reading(path, handler, error).Run();
}

}  // namespace poolproof::reports
