#include "conformance/results/baseline_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "conformance/format/glob.h"
#include "conformance/format/line_file.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

using Within = BaselineVaries::Within;

constexpr std::string_view kHead = "# poolproof baseline 3";
constexpr uint64_t kMaxFileBytes = uint64_t{256} << 20;

constexpr std::pair<std::string_view, std::string BaselineBlock::*> kTexts[] = {{"reason", &BaselineBlock::reason},
                                                                                {"cause", &BaselineBlock::cause},
                                                                                {"owner", &BaselineBlock::owner},
                                                                                {"expires", &BaselineBlock::expires},
                                                                                {"case", &BaselineBlock::pattern}};

// Says why a line cannot be read, without file and full stop.
struct BadLine : std::runtime_error {
  BadLine(uint64_t at, const std::string& what) : std::runtime_error(what), line(at) {}
  const uint64_t line;
};

std::string Quoted(std::string_view value) { return "\"" + EscapeForTerminal(Shorten(value, 80)) + "\""; }

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

template <typename Number>
bool ReadNumber(std::string_view text, int base, Number* number) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), *number, base);
  return wrong == std::errc() && end == text.data() + text.size();
}

// A day of the calendar.
bool IsDate(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  const bool form = std::equal(text.begin(), text.end(), kForm.begin(), kForm.end(),
                               [](char c, char f) { return f == 'd' ? c >= '0' && c <= '9' : c == f; });
  int year = 0;
  unsigned month = 0, day = 0;
  return form && ReadNumber(text.substr(0, 4), 10, &year) && ReadNumber(text.substr(5, 2), 10, &month) &&
         ReadNumber(text.substr(8), 10, &day) &&
         (std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day)).ok();
}

class Reader {
 public:
  std::optional<BaselineFile> Read(const std::string& path, Error* error) {
    LineFile file;
    if (!file.Open(path, error)) return std::nullopt;
    try {
      std::string_view line;
      LineFile::Got got{};
      while ((got = file.Next(&line, error)) == LineFile::Got::kLine) {
        line_ = file.number();
        if (file.position() > kMaxFileBytes) Refuse("the file is larger than 256 MiB");
        if (line_ == 1) {
          TakeHead(line);
        } else {
          TakeLine(line);
        }
      }
      if (got == LineFile::Got::kError) return std::nullopt;
      if (std::exchange(line_, std::max<uint64_t>(line_, 1)) == 0) TakeHead("");
      CloseBlock();
      SortCases();
    } catch (const BadLine& problem) {
      error->message = fmt::format("{}:{}: {}.", path, problem.line, problem.what());
      return std::nullopt;
    }
    return std::move(file_);
  }

 private:
  [[noreturn]] void Refuse(const std::string& what) const { throw BadLine(line_, what); }

  void TakeHead(std::string_view line) const {
    if (line.starts_with('{')) {
      Refuse(
          "is a baseline of an older format, JSON, which is read no more: `conformance baseline "
          "--results=results.jsonl --write=pooling-baseline.txt` writes one of this format");
    }
    if (line != kHead) Refuse(fmt::format("{} is not \"{}\", with which a baseline begins", Quoted(line), kHead));
  }

  void TakeLine(std::string_view line) {
    if (Trimmed(line).empty()) return CloseBlock();
    if (line[0] != '#') return TakeCase(line);
    const std::string_view text = Trimmed(line.substr(1));
    const std::string_view key = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
    const std::string_view rest = text.substr(key.size());
    const bool keyed = !key.empty() && (rest == ":" || rest.starts_with(": "));
    const std::string_view value = keyed ? Trimmed(rest.substr(1)) : "";
    if (keyed && (key == "has" || key == "lacks")) return TakeOffer(key, value);
    if (keyed && key == "random") return TakeRandom(value);
    if (!keyed && file_.blocks.empty() && !after_head_) {
      file_.comments.emplace_back(text);
      return;
    }
    if (has_cases_) CloseBlock();
    BaselineBlock& block = OpenBlock();
    if (keyed) {
      TakeKey(key, value, &block);
    } else {
      block.comments.emplace_back(text);
    }
  }

  void TakeOffer(std::string_view key, std::string_view value) {
    std::istringstream words{std::string(value)};
    std::string function, type, feature;
    words >> function >> type;
    do {
      if (ParseElementType(type) == 0) {
        Refuse(fmt::format("\"{}\" is {}, not a function and its element types", key, Quoted(value)));
      }
      std::set<std::string>& lacking = file_.offers[function][type];
      if (key == "has") continue;
      std::getline(words >> std::ws, feature);
      if (feature.empty()) Refuse(fmt::format("\"lacks\" is {}, which names no condition on calls", Quoted(value)));
      lacking.insert(feature);
    } while (words >> type);
  }

  void TakeRandom(std::string_view value) {
    constexpr std::string_view kOfSeed = " of seed ";
    const size_t of_seed = value.find(kOfSeed);
    uint64_t count = 0, seed = 0;
    const bool read = of_seed != value.npos && ReadNumber(value.substr(0, of_seed), 10, &count) &&
                      ReadNumber(value.substr(of_seed + kOfSeed.size()), 10, &seed);
    if (!read) Refuse(fmt::format("\"random\" is {}, not a number such as \"100000 of seed 1\"", Quoted(value)));
    uint64_t& known = file_.random[seed];
    known = std::max(known, count);
  }

  void TakeKey(std::string_view key, std::string_view value, BaselineBlock* block) const {
    const auto known =
        std::find_if(std::begin(kTexts), std::end(kTexts), [&](const auto& text) { return text.first == key; });
    std::string* const text = known == std::end(kTexts) ? nullptr : &(block->*known->second);
    if (text == nullptr && key != "varies" && key != "verdict" && key != "also") {
      Refuse(fmt::format("\"{}\" is no key of a baseline", Shorten(key, 80)));
    }
    if (!Shows(value)) Refuse(fmt::format("\"{}\" is empty", key));
    if (key == "also") return void(block->also.emplace_back(value));
    if (text != nullptr ? !text->empty() : key == "varies" ? block->varies.has_value() : block->verdict.has_value()) {
      Refuse(fmt::format("\"{}\" is {} here and something else above", key, Quoted(value)));
    }
    if (key == "expires" && !IsDate(value)) {
      Refuse(fmt::format("\"expires\" is {}, not a date like 2027-06-30", Quoted(value)));
    }
    if (key == "varies") block->varies = ReadVaries(value);
    if (key == "verdict") block->verdict = ReadVerdict(value);
    if (text != nullptr) *text = value;
  }

  BaselineVaries ReadVaries(std::string_view value) const {
    std::istringstream words{std::string(value)};
    std::string by, within, why;
    words >> by >> within;
    std::getline(words >> std::ws, why);
    BaselineVaries varies;
    bool right = (by == "by=cpu" || by == "by=run") && within.starts_with("within=") && why.starts_with("why=") &&
                 Shows(std::string_view(why).substr(std::min<size_t>(4, why.size())));
    if (right && within == "within=cases") {
      varies.within = Within::kCases;
    } else if (right && within != "within=answers") {
      varies.within = Within::kNumber;
      right = ReadNumber(std::string_view(within).substr(7), 10, &varies.number) && varies.number > 0;
    }
    if (!right) {
      Refuse(
          fmt::format("\"varies\" is {}, not by=cpu or by=run, then within=answers, within=cases or within=NUMBER, "
                      "then why=TEXT",
                      Quoted(value)));
    }
    varies.by = by.substr(3);
    varies.why = Trimmed(why.substr(4));
    return varies;
  }

  Verdict ReadVerdict(std::string_view name) const {
    const auto verdict = FindVerdict(name);
    if (!verdict || Conforms(*verdict)) Refuse(Quoted(name) + " is no verdict to expect");
    return *verdict;
  }

  void TakeCase(std::string_view line) {
    if (!open_) Refuse(fmt::format("{} is in no block: no \"# reason: ...\" stands above it", Quoted(line)));
    const size_t first = std::min(line.find('\t'), line.size()), second = line.find('\t', first + 1);
    const std::string_view digits = second == line.npos ? "" : line.substr(second + 1);
    BaselineCase c;
    if (digits.size() != 16 || digits.find_first_not_of("0123456789abcdef") != digits.npos ||
        !ReadNumber(digits, 16, &c.answer)) {
      Refuse(fmt::format("{} is no case: id, verdict and 16 hexadecimal digits of its answer, with tabs between them",
                         Quoted(line)));
    }
    c.verdict = ReadVerdict(line.substr(first + 1, second - first - 1));
    c.id = line.substr(0, first);
    c.block = file_.blocks.size() - 1;
    c.line = line_;
    file_.cases.push_back(std::move(c));
    has_cases_ = true;
  }

  BaselineBlock& OpenBlock() {
    if (!open_) file_.blocks.emplace_back().line = line_;
    open_ = after_head_ = true;
    return file_.blocks.back();
  }

  void CloseBlock() {
    after_head_ = true;
    if (!open_) return;
    const BaselineBlock& block = file_.blocks.back();
    const bool counted = block.IsCounted();
    const char* const wrong = block.reason.empty()        ? "the block has no \"# reason: ...\""
                              : counted && has_cases_     ? "the block lists cases and counts them"
                              : !counted && !has_cases_   ? "the block has no cases"
                              : counted && !block.verdict ? "the block counts cases without \"# verdict: ...\""
                              : !counted && (block.verdict || !block.pattern.empty())
                                  ? "\"verdict\" and \"case\" are for a block within a number of cases"
                                  : nullptr;
    if (wrong != nullptr) throw BadLine(block.line, wrong);
    open_ = has_cases_ = false;
  }

  // Sorts the cases; each may be in one block that does not vary, with one answer.
  void SortCases() {
    std::sort(file_.cases.begin(), file_.cases.end());
    const BaselineCase *before = nullptr, *fixed = nullptr;
    for (const BaselineCase& c : file_.cases) {
      const bool varies = file_.blocks[c.block].varies.has_value();
      if (before != nullptr && before->id != c.id) fixed = nullptr;
      const BaselineCase* const other = varies ? before : fixed;
      if (other != nullptr && (!varies || *other == c)) {
        const auto [first, last] = std::minmax(other->line, c.line);
        throw BadLine(last, fmt::format("{} is in line {} already", Quoted(c.id), first));
      }
      if (!varies) fixed = &c;
      before = &c;
    }
  }

  BaselineFile file_;
  uint64_t line_ = 0;
  // Whether the comments above all blocks are over, and whether there is a block that is not, with cases or without.
  bool after_head_ = false, open_ = false, has_cases_ = false;
};

void AppendOffers(const Offers& offers, std::string* text) {
  for (const auto& [function, types] : offers) {
    *text += "# has: " + function;
    for (const auto& [type, features] : types) *text += " " + type;
    *text += "\n";
    for (const auto& [type, features] : types) {
      for (const std::string& feature : features) *text += fmt::format("# lacks: {} {} {}\n", function, type, feature);
    }
  }
}

std::string CommentLine(const std::string& text) { return text.empty() ? "#\n" : "# " + text + "\n"; }

void AppendKeys(const BaselineBlock& block, std::string* text) {
  for (const std::string& comment : block.comments) *text += CommentLine(comment);
  for (const auto& [key, member] : kTexts) {
    if (!(block.*member).empty()) *text += fmt::format("# {}: {}\n", key, block.*member);
    if (member != &BaselineBlock::cause) continue;
    for (const std::string& cause : std::set(block.also.begin(), block.also.end())) *text += "# also: " + cause + "\n";
  }
  if (block.verdict) *text += fmt::format("# verdict: {}\n", VerdictName(*block.verdict));
  if (!block.varies) return;
  const BaselineVaries& varies = *block.varies;
  const std::string within = varies.within == Within::kAnswers ? "answers"
                             : varies.within == Within::kCases ? "cases"
                                                               : std::to_string(varies.number);
  *text += fmt::format("# varies: by={} within={} why={}\n", varies.by, within, varies.why);
}

}  // namespace

bool Shows(std::string_view text) {
  // UTF-8, whose order is that of the characters; both ends of a range are of one length.
  constexpr std::pair<std::string_view, std::string_view> kUnseen[] = {
      {"\x01", " "},
      {"\x7F", "\x7F"},
      {"\xC2\x80", "\xC2\xA0"},
      {"\xC2\xAD", "\xC2\xAD"},
      {"\xCD\x8F", "\xCD\x8F"},
      {"\xD8\x9C", "\xD8\x9C"},
      {"\xE1\x85\x9F", "\xE1\x85\xA0"},
      {"\xE1\x9A\x80", "\xE1\x9A\x80"},
      {"\xE1\xA0\x8B", "\xE1\xA0\x8F"},
      {"\xE2\x80\x80", "\xE2\x80\x8F"},
      {"\xE2\x80\xA8", "\xE2\x80\xAF"},
      {"\xE2\x81\x9F", "\xE2\x81\xAF"},
      {"\xE2\xA0\x80", "\xE2\xA0\x80"},
      {"\xE3\x80\x80", "\xE3\x80\x80"},
      {"\xE3\x85\xA4", "\xE3\x85\xA4"},
      {"\xEF\xB8\x80", "\xEF\xB8\x8F"},
      {"\xEF\xBB\xBF", "\xEF\xBB\xBF"},
      {"\xEF\xBE\xA0", "\xEF\xBE\xA0"},
  };
  while (!text.empty()) {
    const auto range = std::find_if(std::begin(kUnseen), std::end(kUnseen), [text](const auto& unseen) {
      const std::string_view start = text.substr(0, unseen.first.size());
      return start >= unseen.first && start <= unseen.second;
    });
    if (range == std::end(kUnseen)) return true;
    text.remove_prefix(range->first.size());
  }
  return false;
}

bool BaselineBlock::Takes(const std::vector<std::string>& causes) const {
  const auto has = [&](const std::string& name) { return std::ranges::find(causes, name) != causes.end(); };
  return cause.empty() || has(cause) || std::ranges::any_of(also, has);
}

bool BaselineBlock::HasExpired() const {
  // A run has one day, however long it takes and whichever of its cases are asked about.
  static const std::string today = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  return !expires.empty() && expires < today;
}

bool BaselineBlock::Counts(std::string_view id, Verdict found, const std::vector<std::string>& causes) const {
  return IsCounted() && verdict == found && Takes(causes) && (pattern.empty() || GlobMatches(pattern, id));
}

std::string BaselineBlock::Name() const {
  std::string name = cause.empty() ? reason : cause;
  if (verdict) name = fmt::format("{} {}", VerdictName(*verdict), name);
  return pattern.empty() ? name : name + " " + pattern;
}

std::span<const BaselineCase> BaselineFile::CasesOf(std::string_view id) const {
  struct ById {
    bool operator()(const BaselineCase& c, std::string_view other) const { return c.id < other; }
    bool operator()(std::string_view other, const BaselineCase& c) const { return other < c.id; }
  };
  const auto [begin, end] = std::equal_range(cases.begin(), cases.end(), id, ById());
  return {begin, end};
}

std::string BaselineValue(std::string_view text) { return std::string(Trimmed(EscapeForTerminal(text))); }

std::optional<BaselineFile> ReadBaselineFile(const std::string& path, Error* error) {
  return Reader().Read(path, error);
}

std::string BaselineText(const BaselineFile& file) {
  std::vector<std::vector<std::string>> lines(file.blocks.size());
  for (const BaselineCase& c : file.cases) {
    lines[c.block].push_back(fmt::format("{}\t{}\t{:016x}\n", c.id, VerdictName(c.verdict), c.answer));
  }
  for (auto& of_block : lines) std::sort(of_block.begin(), of_block.end());
  std::vector<size_t> order(lines.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto key = [&](size_t b) { return std::tie(file.blocks[b].cause, file.blocks[b].reason, lines[b]); };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  std::string text = std::string(kHead) + "\n";
  for (const std::string& comment : file.comments) text += CommentLine(comment);
  AppendOffers(file.offers, &text);
  for (const auto& [seed, count] : file.random) text += fmt::format("# random: {} of seed {}\n", count, seed);
  for (const size_t b : order) {
    text += "\n";
    AppendKeys(file.blocks[b], &text);
    for (const std::string& line : lines[b]) text += line;
  }
  return text;
}

}  // namespace poolproof
