#include "reference/mli_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace poolproof::reference {
namespace {

// "n" in k1xn and knx1: that side of the kernel is free.
constexpr int kFree = 0;

// A specialization as its name spells it.
struct Specialization {
  bool kernel = false;  // has a k<W>x<H> part
  int width = kFree;
  int height = kFree;
  int channels = 0;  // 0: no ch part
  bool str1 = false;
  MliPadding padding = MliPadding::kAny;
  bool generic = false;
};

bool Skip(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// A decimal number without sign or leading zero.
bool SkipNumber(std::string_view* text, int* value) {
  if (text->empty() || text->front() < '1' || text->front() > '9') return false;
  const char* end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, *value);
  text->remove_prefix(static_cast<size_t>(rest - text->data()));
  return error == std::errc();
}

bool SkipSide(std::string_view* text, int* value) {
  *value = kFree;
  return Skip("n", text) || SkipNumber(text, value);
}

// Reads [_k<W>x<H>][_ch<N>][_str1][_nopad|_krnpad] or _generic, all of `text`.
bool ParseSpecialization(std::string_view text, Specialization* spec) {
  if (text == "_generic") {
    spec->generic = true;
    return true;
  }
  if (!text.starts_with("_krnpad") && Skip("_k", &text)) {
    spec->kernel = true;
    if (!SkipSide(&text, &spec->width) || !Skip("x", &text) || !SkipSide(&text, &spec->height)) {
      return false;
    }
  }
  if (Skip("_ch", &text) && !SkipNumber(&text, &spec->channels)) return false;
  spec->str1 = Skip("_str1", &text);
  if (Skip("_nopad", &text)) {
    spec->padding = MliPadding::kNone;
  } else if (Skip("_krnpad", &text)) {
    spec->padding = MliPadding::kKernel;
  }
  return text.empty();
}

using Kernel = std::pair<int, int>;  // width, height

template <size_t kCount>
bool Contains(const std::array<Kernel, kCount>& kernels, const Specialization& s) {
  return std::find(kernels.begin(), kernels.end(), Kernel{s.width, s.height}) != kernels.end();
}

bool IsSquare(const Specialization& s, int smallest, int largest) {
  return s.width == s.height && s.width >= smallest && s.width <= largest;
}

// 54 square, 16 thin, k1xn, knx1 and ch1, 4 without stride, generic.
bool MaxpoolHas(const Specialization& s) {
  constexpr std::array<Kernel, 4> kThin = {{{1, 2}, {1, 3}, {2, 1}, {3, 1}}};
  constexpr std::array<Kernel, 2> kOneSideFree = {{{1, kFree}, {kFree, 1}}};
  const bool padded = s.padding != MliPadding::kAny;
  const bool any_or_1 = s.channels == 0 || s.channels == 1;
  if (s.generic) return true;
  if (!s.kernel) return s.channels == 1 && s.str1 && !padded;
  if (!s.str1) return IsSquare(s, 2, 3) && any_or_1 && !padded;
  if (Contains(kOneSideFree, s)) return s.channels == 0 && !padded;
  if (Contains(kThin, s)) return any_or_1 && padded;
  return IsSquare(s, 2, 10) && (any_or_1 || s.channels == 3) && padded;
}

// 15 without padding, 15 with, 9 of any stride, generic.
bool AvepoolHas(const Specialization& s) {
  constexpr std::array<Kernel, 7> kWithoutPadding = {{{4, 2}, {6, 2}, {6, 4}, {6, 8}, {8, 2}, {8, 4}, {8, 6}}};
  constexpr std::array<Kernel, 9> kWithPadding = {
      {{4, 2}, {4, 6}, {4, 8}, {6, 2}, {6, 4}, {6, 8}, {8, 2}, {8, 4}, {8, 6}}};
  if (s.generic) return true;
  if (!s.kernel || s.channels != 0) return false;
  switch (s.padding) {
    case MliPadding::kNone: return s.str1 && (IsSquare(s, 2, 9) || Contains(kWithoutPadding, s));
    case MliPadding::kKernel:
      if (!s.str1) return IsSquare(s, 2, 10);
      return IsSquare(s, 4, 9) || Contains(kWithPadding, s);
    default: return false;
  }
}

}  // namespace

std::optional<MliFunction> ParseMliName(std::string_view operation, std::string_view name) {
  MliFunction function;
  if (!Skip("mli_krn_", &name) || !Skip(operation, &name)) return std::nullopt;
  function.hwc = Skip("_hwc", &name);
  if (!function.hwc && !Skip("_chw", &name)) return std::nullopt;
  const bool fx16 = Skip("_fx16", &name);
  if (!fx16 && !Skip("_fx8", &name)) return std::nullopt;
  function.type = fx16 ? POOLPROOF_FX16 : POOLPROOF_FX8;
  if (name.empty()) return function;
  Specialization spec;
  if (function.hwc || !ParseSpecialization(name, &spec)) return std::nullopt;
  if (!(operation == "maxpool" ? MaxpoolHas(spec) : AvepoolHas(spec))) return std::nullopt;
  function.kernel_width = spec.width;
  function.kernel_height = spec.height;
  function.channels = spec.channels;
  function.stride_1 = spec.str1;
  // Only with stride 1 does krnpad fix the padding; else it says that there may be some.
  const bool any = spec.padding == MliPadding::kKernel && !spec.str1;
  function.padding = any ? MliPadding::kAny : spec.padding;
  return function;
}

}  // namespace poolproof::reference
