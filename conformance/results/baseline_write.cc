#include "conformance/results/baseline_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/results/answer.h"
#include "conformance/results/baseline_file.h"
#include "conformance/results/results_plan.h"

namespace poolproof {
namespace {

using Within = BaselineVaries::Within;

// A block while its cases are collected.
struct Draft {
  BaselineBlock block;
  std::set<Verdict> verdicts;                      // of its cases
  std::map<BaselineCase, std::set<size_t>> cases;  // with the numbers of the results that have them
  bool twice = false;                              // one of its cases had two answers in one run
};

class Writer {
 public:
  Writer(const Specs& specs, const BaselineRequest& request, Error* error)
      : specs_(specs), request_(request), error_(error) {}

  std::optional<WrittenBaseline> Run() {
    if (!request_.old_file.empty() && !TakeOld()) return std::nullopt;
    for (size_t f = 0; f < request_.results.size(); ++f) {
      if (!ReadGroups(request_.results[f]) || !ReadCases(f)) return std::nullopt;
    }
    for (Draft& draft : drafts_) {
      if (!Close(draft)) return std::nullopt;
    }
    written_.blocks = file_.blocks.size();
    written_.text = BaselineText(file_);
    return std::move(written_);
  }

 private:
  bool TakeOld() {
    auto old = ReadBaselineFile(request_.old_file, error_);
    if (!old) return false;
    old_ = *std::move(old);
    file_.comments = old_.comments;
    for (const BaselineBlock& block : old_.blocks) drafts_.emplace_back().block = block;
    for (const BaselineCase& c : old_.cases) {
      Draft& draft = drafts_[c.block];
      draft.verdicts.insert(c.verdict);
      if (draft.block.varies) draft.cases[c];
    }
    return true;
  }

  // Groups come last in a file, and say in which order and under which names causes are known.
  bool ReadGroups(const std::string& path) {
    PlannedReader reader;
    if (!reader.Open(specs_, path, true, error_)) return false;
    Error not_asked;
    const auto support = Support::FromJson(specs_, reader.header().value("lacks", Json()), &not_asked);
    file_.offers = support ? support->OffersOf(specs_) : Offers();
    causes_.assign(1, "");
    messages_.assign(1, "");
    while (true) {
      const PlannedReader::Item item = reader.Next(error_);
      if (item == PlannedReader::Item::kRefused) return false;
      if (item == PlannedReader::Item::kEnd) return true;
      if (item != PlannedReader::Item::kGroup) continue;
      const Json& group = reader.reader().value();
      causes_.push_back(StringOr(ObjectOr(group, "cause"), "id"));
      messages_.push_back(StringOr(group, "message"));
    }
  }

  bool ReadCases(size_t file) {
    // The file has been found in order.
    ResultsReader reader;
    seen_.clear();
    if (!reader.Open(request_.results[file], error_)) return false;
    while (true) {
      const ResultsReader::Item item = reader.Next(error_);
      if (item == ResultsReader::Item::kRefused) return false;
      if (item == ResultsReader::Item::kEnd) return true;
      if (item != ResultsReader::Item::kCase || reader.current().group == 0) continue;
      if (!TakeCase(reader, file)) return false;
    }
  }

  bool TakeCase(ResultsReader& reader, size_t file) {
    const Json& value = reader.value();
    BaselineCase c;
    c.id = reader.current().id;
    c.verdict = reader.current().verdict;
    const std::string answer = StringOr(value, "answer");
    c.answer = AnswerNumber(answer);
    const bool fits = c.id.find_first_of("\t\r\n") == c.id.npos && !c.id.starts_with('#');
    if (answer.size() != 16 || !fits) {
      error_->message = reader.Sentence(
          fits ? "a case that does not conform has no \"answer\" of 16 digits, which a baseline is made of"
               : "the id of a case begins with # or has tabs or ends of lines, which a baseline cannot have");
      return false;
    }
    std::vector<std::string> causes = StringsOf(value, "matches");
    causes.push_back(BaselineValue(StringOr(value, "signature")));
    c.block = DraftFor(c, causes);
    if (c.block == drafts_.size()) AddDraft(causes, reader.current().group);
    Draft& draft = drafts_[c.block];
    draft.verdicts.insert(c.verdict);
    ++written_.cases;
    if (draft.block.IsCounted()) return true;
    draft.cases[c].insert(file);
    const auto [first, added] = seen_.emplace(c.id, c);
    if (!added && first->second != c) draft.twice = drafts_[first->second.block].twice = true;
    return true;
  }

  // The block that lists a case already, or the first one that its cause or its pattern makes its own.
  size_t DraftFor(const BaselineCase& c, const std::vector<std::string>& causes) {
    for (const BaselineCase& old : old_.CasesOf(c.id)) {
      if (old.verdict == c.verdict && drafts_[old.block].block.Takes(causes)) return old.block;
    }
    const auto found = std::find_if(drafts_.begin(), drafts_.end(), [&](const Draft& draft) {
      const bool same = !draft.block.cause.empty() && draft.block.Takes(causes) && draft.verdicts.contains(c.verdict);
      return draft.block.IsCounted() ? draft.block.Counts(c.id, c.verdict, causes) : same;
    });
    return static_cast<size_t>(found - drafts_.begin());
  }

  // A block for a case that none fits: for the cause of its group, where the case is known to have it, otherwise for
  // what the case itself says.
  void AddDraft(const std::vector<std::string>& causes, size_t group) {
    BaselineBlock& block = drafts_.emplace_back().block;
    block.cause = causes_[group];
    if (block.cause.empty() || !block.Takes(causes)) block.cause = causes.back();
    block.reason =
        BaselineValue(fmt::format("{}: {}", kToBeExplained, messages_[group].empty() ? block.cause : messages_[group]));
  }

  // Puts the block and its cases into the file. They have to be the same in all results unless the block may vary.
  bool Close(Draft& draft) {
    const auto everywhere = [&](const auto& found) { return found.second.size() == request_.results.size(); };
    const bool same = std::all_of(draft.cases.begin(), draft.cases.end(), everywhere);
    if (!draft.block.varies && !same && request_.varies_by.empty()) {
      error_->message =
          fmt::format("{} and the other results differ in \"{}\": say why with --varies=cpu or --varies=run.",
                      request_.results[0], draft.block.Name());
      return false;
    }
    if (!draft.block.varies && (!same || draft.twice)) {
      draft.block.varies = {same ? "run" : request_.varies_by, kToBeExplained, Within::kAnswers, 0};
    }
    if (draft.cases.empty() && !draft.block.IsCounted()) {
      written_.dropped.push_back(draft.block.Name());
      return true;
    }
    for (const auto& [c, found] : draft.cases) file_.cases.emplace_back(c).block = file_.blocks.size();
    file_.blocks.push_back(draft.block);
    return true;
  }

  const Specs& specs_;
  const BaselineRequest& request_;
  Error* const error_;
  BaselineFile old_, file_;
  std::vector<Draft> drafts_;  // those of old_.blocks first
  // Causes and messages of the groups of the file that is being read, by number.
  std::vector<std::string> causes_, messages_;
  std::map<std::string, BaselineCase> seen_;  // in the file that is being read, by id
  WrittenBaseline written_;
};

}  // namespace

std::optional<WrittenBaseline> WriteBaseline(const Specs& specs, const BaselineRequest& request, Error* error) {
  return Writer(specs, request, error).Run();
}

}  // namespace poolproof
