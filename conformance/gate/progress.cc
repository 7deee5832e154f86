#include "conformance/gate/progress.h"

#include <fmt/format.h>

namespace poolproof {
namespace {

constexpr auto kLogInterval = std::chrono::seconds(10);

std::string Duration(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace

std::string CountsText(const Tally& tally) {
  std::string text;
  for (size_t v = 0; v < kVerdictCount; ++v) {
    const uint64_t count = tally.counts()[v];
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, VerdictName(static_cast<Verdict>(v)));
  }
  return text;
}

void ProgressLine::Show(uint64_t done, uint64_t size, const Tally& tally) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ && now - shown_ < kLogInterval) return;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  if (first_ == 0) first_ = done;
  const double rate = seconds > 0 ? static_cast<double>(done - first_) / seconds : 0;
  std::string text = fmt::format("judging {}/{} ({}%)", done, size, done * 100 / size);
  if (rate > 0) {
    text += fmt::format(", {:.0f} per second, {} left", rate, Duration(static_cast<double>(size - done) / rate));
  }
  Print(text + ": " + CountsText(tally));
}

void ProgressLine::Phase(std::string_view phase) {
  if (!terminal_ && std::chrono::steady_clock::now() - shown_ < kLogInterval) return;
  Print(std::string(phase));
}

void ProgressLine::Print(const std::string& text) {
  shown_ = std::chrono::steady_clock::now();
  fmt::print(stderr, "{}{:.120}{}", terminal_ ? "\r\033[K" : "", text, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

}  // namespace poolproof
