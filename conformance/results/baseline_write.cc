#include "conformance/results/baseline_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/results/baseline.h"
#include "conformance/results/results_plan.h"

namespace poolproof {
namespace {

using nlohmann::ordered_json;
using Item = PlannedReader::Item;
using Within = BaselineVaries::Within;

constexpr char kToBeExplained[] = "to be explained";

bool Numbered(const BaselineEntry& entry) { return entry.varies && entry.varies->within == Within::kNumber; }

// An entry while its cover is collected.
struct Draft {
  BaselineEntry entry;
  std::vector<Cover> covers;  // one per results file
};

class Writer {
 public:
  Writer(const Specs& specs, const BaselineRequest& request, Error* error)
      : specs_(specs), request_(request), error_(error) {}

  std::optional<WrittenBaseline> Run() {
    if (!TakeOld()) return std::nullopt;
    for (size_t f = 0; f < request_.results.size(); ++f) {
      if (!ReadGroups(request_.results[f]) || !ReadCases(f)) return std::nullopt;
    }
    ordered_json entries = ordered_json::array();
    for (Draft& draft : drafts_) {
      if (!AddEntry(draft, &entries)) return std::nullopt;
    }
    written_.entries = entries.size();
    ordered_json file = {{"poolproof_baseline", 2}};
    if (!lacks_.is_null()) file["lacks"] = lacks_;
    file["entries"] = std::move(entries);
    written_.text = file.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    return std::move(written_);
  }

 private:
  bool TakeOld() {
    if (request_.old_file.empty()) return true;
    auto old = ReadBaselineFile(request_.old_file, true, error_);
    if (!old) return false;
    for (BaselineEntry& entry : old->entries) {
      if (!entry.varies) entry.example.clear();
      AddDraft(std::move(entry));
    }
    return true;
  }

  void AddDraft(BaselineEntry entry) {
    Draft& draft = drafts_.emplace_back();
    draft.entry = std::move(entry);
    draft.covers.resize(request_.results.size());
  }

  // Groups come last in a file, and say in which order and under which names causes are known.
  bool ReadGroups(const std::string& path) {
    PlannedReader reader;
    if (!reader.Open(specs_, path, true, error_)) return false;
    lacks_ = reader.header().value("lacks", Json());
    causes_.assign(1, "");
    messages_.assign(1, "");
    while (true) {
      const Item item = reader.Next(error_);
      if (item == Item::kRefused) return false;
      if (item == Item::kEnd) return true;
      if (item == Item::kGroup) TakeGroup(reader.reader().value());
    }
  }

  void TakeGroup(const Json& group) {
    causes_.push_back(StringOr(ObjectOr(group, "cause"), "id"));
    messages_.push_back(StringOr(group, "message"));
  }

  // An entry for a case that none fits: for the cause of its group, where the case is known to have
  // it, otherwise for what the case itself says.
  BaselineEntry EntryFor(const Record& record, size_t group) const {
    BaselineEntry entry;
    entry.verdict = record.judgement.verdict;
    const std::vector<std::string> names = CauseNames(record);
    entry.cause = causes_[group];
    const bool known = std::find(names.begin(), names.end(), entry.cause) != names.end();
    if (entry.cause.empty() || !known) entry.cause = record.signature;
    entry.reason = fmt::format("{}: {}", kToBeExplained, messages_[group].empty() ? entry.cause : messages_[group]);
    return entry;
  }

  bool ReadCases(size_t file) {
    // The file has been found in order.
    ResultsReader reader;
    const std::string& path = request_.results[file];
    if (!reader.Open(path, &error_->message)) return false;
    while (true) {
      const ResultsReader::Item item = reader.Next(&error_->message);
      if (item == ResultsReader::Item::kRefused) return false;
      if (item == ResultsReader::Item::kEnd) return true;
      if (item != ResultsReader::Item::kCase || reader.current().group == 0) continue;
      if (!TakeCase(reader, file)) return false;
    }
  }

  bool TakeCase(ResultsReader& reader, size_t file) {
    const Json& value = reader.value();
    Record record;
    record.id = reader.current().id;
    record.judgement.verdict = *FindVerdict(StringOr(value, "verdict"));
    record.answer = StringOr(value, "answer");
    record.signature = StringOr(value, "signature");
    for (const std::string& id : StringsOf(value, "matches")) {
      for (size_t i = 0; i < Causes().size(); ++i) {
        if (Causes()[i].id == id) record.causes.set(i);
      }
    }
    if (record.answer.size() != 16) {
      error_->message =
          reader.Sentence("a case that does not conform has no \"answer\" of 16 digits, which a baseline is made of");
      return false;
    }
    if (Assign(record, file)) return true;
    if (request_.old_only) {
      ++written_.uncovered;
      return true;
    }
    AddDraft(EntryFor(record, reader.current().group));
    Assign(record, file);
    return true;
  }

  // The first entry that fits is the case's, as when the gate looks it up.
  bool Assign(const Record& record, size_t file) {
    for (Draft& draft : drafts_) {
      if (!draft.entry.Fits(record)) continue;
      if (draft.entry.example.empty()) draft.entry.example = record.id;
      draft.covers[file].Add(record.id, record.answer);
      if (draft.entry.varies && !Numbered(draft.entry)) draft.entry.cover.Add(record.id, record.answer);
      ++written_.cases;
      return true;
    }
    return false;
  }

  // The cases of all results together; they have to be the same unless the entry may vary.
  bool Unite(Draft& draft) {
    bool same = true;
    for (const Cover& cover : draft.covers) same &= cover.SameCasesAs(draft.covers[0]);
    if (draft.entry.varies) return true;
    if (same) {
      draft.entry.cover = draft.covers[0];
      return true;
    }
    if (request_.varies_by.empty()) {
      error_->message =
          fmt::format("{} and the other results differ in \"{}\": say why with --varies=cpu or --varies=run.",
                      request_.results[0], draft.entry.Name());
      return false;
    }
    draft.entry.varies = BaselineVaries{request_.varies_by, kToBeExplained, Within::kAnswers, 0};
    draft.entry.cover = Cover();
    for (const Cover& cover : draft.covers) draft.entry.cover.Add(cover);
    return true;
  }

  bool AddEntry(Draft& draft, ordered_json* entries) {
    if (!Unite(draft)) return false;
    const BaselineEntry& entry = draft.entry;
    if (entry.cover.size() == 0 && !Numbered(entry)) {
      if (!request_.old_file.empty()) written_.dropped.push_back(entry.Name());
      return true;
    }
    ordered_json value = ordered_json::object();
    if (entry.pattern != "*") value["case"] = entry.pattern;
    value["verdict"] = VerdictName(entry.verdict);
    const auto put = [&value](const char* key, const std::string& text) {
      if (!text.empty()) value[key] = text;
    };
    put("cause", entry.cause);
    put("reason", entry.reason);
    put("owner", entry.owner);
    put("expires", entry.expires);
    put("example", entry.example);
    if (entry.varies) value["varies"] = VariesJson(*entry.varies);
    if (!Numbered(entry)) entry.cover.Write(entry.varies.has_value(), &value);
    entries->push_back(std::move(value));
    return true;
  }

  static ordered_json VariesJson(const BaselineVaries& varies) {
    ordered_json value = {{"by", varies.by}, {"reason", varies.reason}};
    switch (varies.within) {
      case Within::kAnswers: value["within"] = "answers"; break;
      case Within::kCases: value["within"] = "cases"; break;
      case Within::kNumber: value["within"] = varies.number; break;
    }
    return value;
  }

  const Specs& specs_;
  const BaselineRequest& request_;
  Error* const error_;
  std::vector<Draft> drafts_;
  Json lacks_;  // of the last file; null where nobody asked the backend
  // Of the groups of the file that is being read, by number.
  std::vector<std::string> causes_, messages_;
  WrittenBaseline written_;
};

}  // namespace

std::optional<WrittenBaseline> WriteBaseline(const Specs& specs, const BaselineRequest& request, Error* error) {
  return Writer(specs, request, error).Run();
}

}  // namespace poolproof
