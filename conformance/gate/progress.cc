#include "conformance/gate/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

constexpr auto kTerminalInterval = std::chrono::milliseconds(250);
constexpr auto kLogInterval = std::chrono::seconds(10);

size_t Columns() {
  winsize size{};
  constexpr size_t kUsual = 80;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

// As exact as an estimate can be: seconds up to two minutes.
std::string Duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::ceil(seconds));
  if (whole < 120) return fmt::format("{} s", whole);
  const int64_t minutes = (whole + 30) / 60;
  return minutes < 60 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

double SecondsOf(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

bool IsTerminal(int descriptor) { return isatty(descriptor) != 0 && Variable("TERM") != "dumb"; }

std::string Painted(Paint paint, std::string_view text) {
  constexpr std::string_view kCodes[] = {"\033[1;32m", "\033[1;31m", "\033[36m"};
  static const bool kInColour = IsTerminal(STDOUT_FILENO) && Variable("NO_COLOR").empty();
  if (!kInColour || text.empty()) return std::string(text);
  return fmt::format("{}{}\033[0m", kCodes[static_cast<size_t>(paint)], text);
}

std::string CountsText(const Tally& tally, bool painted) {
  std::string text;
  for (size_t v = 0; v < kVerdictCount; ++v) {
    const uint64_t count = tally.counts()[v];
    if (count == 0) continue;
    const VerdictFacts& facts = Facts(static_cast<Verdict>(v));
    const std::string one = fmt::format("{} {}", count, facts.name);
    const bool plain = !painted || facts.tone == "skip";
    text += text.empty() ? "" : ", ";
    text += plain ? one : Painted(facts.severity == 0 ? Paint::kGood : Paint::kBad, one);
  }
  return text;
}

ProgressLine::ProgressLine(double most_seconds) : terminal_(IsTerminal(STDERR_FILENO)), most_seconds_(most_seconds) {
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    const Clock::duration interval = terminal_ ? Clock::duration(kTerminalInterval) : kLogInterval;
    while (!over_.wait_for(lock, interval, [this] { return is_over_; })) Print();
    if (terminal_) fmt::print(stderr, "\r\033[K");
  });
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void ProgressLine::Show(std::string_view phase, double share, std::string_view detail) {
  const std::lock_guard lock(mutex_);
  if (phase != phase_) {
    phase_ = phase;
    phase_begun_ = Clock::now();
    first_ = share;
  }
  share_ = share;
  detail_ = detail;
}

void ProgressLine::Judging(double share, const Tally& tally) {
  const bool fails = !tally.classes().empty();
  Show("judging", share,
       fmt::format("{}: {}", fails ? ", then the causes" : "", tally.planned() == 0 ? "..." : CountsText(tally)));
}

// Nothing until enough has been seen.
std::string ProgressLine::TimeLeft(Clock::time_point now) const {
  constexpr double kSeconds = 2, kShare = 0.005;
  const double seconds = SecondsOf(now - phase_begun_), done = share_ - first_;
  if (seconds < kSeconds || done < kShare) return "";
  double left = seconds * (1 - share_) / done;
  if (most_seconds_ > 0) left = std::clamp(most_seconds_ - SecondsOf(now - begun_), 0.0, left);
  return fmt::format(", {} left", Duration(left));
}

std::string ProgressLine::Text(Clock::time_point now) const {
  const std::string left = TimeLeft(now);
  const std::string percent = share_ > 0 ? fmt::format(" {:.0f}%", std::floor(share_ * 100)) : "";
  const double seconds = SecondsOf(now - phase_begun_);
  const std::string since = share_ > 0 || seconds < 2 ? "" : fmt::format(" for {}", Duration(std::floor(seconds)));
  return phase_ + percent + since + left + detail_;
}

void ProgressLine::Print() {
  if (phase_.empty()) return;
  const std::string text = Text(Clock::now());
  if (terminal_) fmt::print(stderr, "\r\033[K{}", text.substr(0, Columns() - 1));
  if (!terminal_) fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
}

}  // namespace poolproof
