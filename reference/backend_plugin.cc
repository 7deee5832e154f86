// The reference as a backend: what the suite expects, offered through the same door as everybody
// else's answers, under any reading of the documents.
//
// Options: profile=NAME (documented, openvino, pytorch), reading.ID=READING for each entry of the
// ledger that differs from the profile.
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "conformance/backend.h"
#include "reference/readings.h"
#include "reference/reference.h"

struct poolproof_instance {
  poolproof::reference::Readings readings;
  std::string error;
};

namespace poolproof::reference {
namespace {

constexpr std::string_view kProfileKey = "profile=";
constexpr std::string_view kReadingKey = "reading.";

std::string Join(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

// Applies "ID=READING"; otherwise says what is wrong.
std::string ApplyReading(std::string_view text, Readings* readings) {
  const std::string_view id = text.substr(0, text.find('='));
  const std::optional<Entry> entry = FindEntry(id);
  if (!entry) return "no ledger entry is named " + std::string(id);
  const std::string_view name = text.substr(std::min(text.size(), id.size() + 1));
  const std::optional<uint8_t> reading = FindReading(*entry, name);
  if (!reading || *reading >= ComputableReadings(*entry)) {
    const auto names = ReadingNames(*entry).first(ComputableReadings(*entry));
    return "entry " + std::string(id) + " has no reading \"" + std::string(name) + "\", but " + Join(names);
  }
  (*readings)[*entry] = *reading;
  return "";
}

// A profile sets every reading, so profiles are applied before single readings, in whatever order
// they are written.
std::string ApplyProfile(std::string_view name, Readings* readings) {
  const std::optional<Readings> profile = FindProfile(name);
  if (!profile) {
    return "no profile is named \"" + std::string(name) + "\", but " + Join(ProfileNames());
  }
  *readings = *profile;
  return "";
}

std::string ApplyOptions(std::span<const char* const> options, Readings* readings) {
  std::string error;
  for (const std::string_view option : options) {
    if (!error.empty()) return error;
    if (option.starts_with(kProfileKey)) {
      error = ApplyProfile(option.substr(kProfileKey.size()), readings);
    } else if (!option.starts_with(kReadingKey)) {
      error = "unknown option \"" + std::string(option) + "\": profile=NAME or reading.ID=READING";
    }
  }
  for (const std::string_view option : options) {
    if (!error.empty()) return error;
    if (option.starts_with(kReadingKey)) {
      error = ApplyReading(option.substr(kReadingKey.size()), readings);
    }
  }
  return error;
}

void CopyError(std::string_view text, char* error, size_t size) {
  if (error == nullptr || size == 0) return;
  const size_t count = std::min(text.size(), size - 1);
  std::memcpy(error, text.data(), count);
  error[count] = '\0';
}

poolproof_status Create(const char* const* options, size_t option_count, poolproof_instance** instance, char* error,
                        size_t error_size) {
  try {
    auto made = std::make_unique<poolproof_instance>();
    const std::string refusal = ApplyOptions({options, option_count}, &made->readings);
    if (!refusal.empty()) {
      CopyError(refusal, error, error_size);
      return POOLPROOF_INVALID_ARGUMENT;
    }
    *instance = made.release();
    return POOLPROOF_OK;
  } catch (const std::bad_alloc&) {
    CopyError("out of memory", error, error_size);
    return POOLPROOF_INTERNAL_ERROR;
  }
}

void Destroy(poolproof_instance* instance) { delete instance; }

// Calls `function` with the readings of the instance and keeps its error.
template <poolproof_status (*kFunction)(const poolproof_call&, Context&)>
poolproof_status Serve(poolproof_instance* instance, const poolproof_call* call) {
  try {
    Context context{instance->readings, {}, {}};
    const poolproof_status status = kFunction(*call, context);
    instance->error.swap(context.error);
    return status;
  } catch (const std::bad_alloc&) {
    instance->error = "out of memory";  // short enough not to allocate
    return POOLPROOF_INTERNAL_ERROR;
  }
}

const char* LastError(poolproof_instance* instance) { return instance->error.c_str(); }

constexpr poolproof_backend kBackend = {sizeof(poolproof_backend),
                                        POOLPROOF_ABI_VERSION,
                                        "poolproof-reference",
                                        POOLPROOF_VERSION,
                                        Create,
                                        Destroy,
                                        Serve<InferShapes>,
                                        Serve<Run>,
                                        LastError};

}  // namespace
}  // namespace poolproof::reference

extern "C" const poolproof_backend* poolproof_get_backend(uint32_t abi_version) {
  return abi_version == POOLPROOF_ABI_VERSION ? &poolproof::reference::kBackend : nullptr;
}
