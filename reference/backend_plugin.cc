// The reference as a backend: what the suite expects, offered through the same door as everybody
// else's answers, under any reading of the documents.
//
// Options: profile=NAME (documented, onnx, onnxruntime, openvino, pytorch), reading.ID=READING for each entry of the
// ledger that differs from the profile.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend_helper.h"
#include "reference/readings.h"
#include "reference/reference.h"

namespace poolproof::reference {
namespace {

constexpr std::string_view kProfileKey = "profile=";
constexpr std::string_view kReadingKey = "reading.";

std::string Join(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

// Applies "ID=READING".
void ApplyReading(std::string_view text, Selection* selection) {
  const std::string id(text.substr(0, text.find('=')));
  const std::optional<Entry> entry = FindEntry(id);
  if (!entry) throw backend::InvalidArgument("no ledger entry is named " + id);
  const std::string name(text.substr(std::min(text.size(), id.size() + 1)));
  const std::optional<uint8_t> reading = FindReading(*entry, name);
  if (!reading || *reading >= ComputableReadings(*entry)) {
    const auto names = ReadingNames(*entry).first(ComputableReadings(*entry));
    throw backend::InvalidArgument("entry " + id + " has no reading \"" + name + "\", but " + Join(names));
  }
  selection->Demand(*entry, *reading);
}

Selection ProfileOf(const std::string& name) {
  const std::optional<Selection> profile = FindProfile(name);
  if (profile) return *profile;
  throw backend::InvalidArgument("no profile is named \"" + name + "\", but " + Join(ProfileNames()));
}

class ReferenceBackend {
 public:
  // A profile sets every reading, so profiles are applied before single readings, in whatever order
  // they are written.
  explicit ReferenceBackend(const std::vector<std::string>& options) {
    for (const std::string& option : options) {
      if (option.starts_with(kProfileKey)) {
        selection_ = ProfileOf(option.substr(kProfileKey.size()));
      } else if (!option.starts_with(kReadingKey)) {
        throw backend::InvalidArgument("unknown option \"" + option + "\": profile=NAME or reading.ID=READING");
      }
    }
    for (const std::string_view option : options) {
      if (option.starts_with(kReadingKey)) ApplyReading(option.substr(kReadingKey.size()), &selection_);
    }
  }

  backend::Answer InferShapes(const backend::CallView& call) const { return Serve(reference::InferShapes, call); }
  backend::Answer Run(const backend::CallView& call) const { return Serve(reference::Run, call); }

 private:
  template <typename Function>
  backend::Answer Serve(const Function& function, const backend::CallView& call) const {
    Context context{selection_.For(call.Call()), {}, {}};
    const poolproof_status status = function(call.Call(), context);
    return {status, std::move(context.error)};
  }

  Selection selection_;
};

}  // namespace
}  // namespace poolproof::reference

POOLPROOF_EXPORT_BACKEND(poolproof::reference::ReferenceBackend, "poolproof-reference", POOLPROOF_VERSION)
