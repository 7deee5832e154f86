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
  bool old = false;                                // it was in the old file
  std::set<Verdict> verdicts;                      // of its cases
  std::map<BaselineCase, std::set<size_t>> cases;  // with the numbers of the results that have them
  bool twice = false;                              // one of its cases had two answers in one run
};

// A group of a results file: its known cause, otherwise its signature, and the title of the cause.
struct GroupName {
  std::string cause, title;
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
    KeepUnseen();
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
    file_.offers = old_.offers;
    file_.random = old_.random;
    seen_old_.resize(old_.cases.size());
    for (const BaselineBlock& block : old_.blocks) {
      drafts_.emplace_back().block = block;
      drafts_.back().old = true;
    }
    for (const BaselineCase& c : old_.cases) {
      Draft& draft = drafts_[c.block];
      draft.verdicts.insert(c.verdict);
      if (draft.block.varies) draft.cases[c];
    }
    return true;
  }

  // One file is for plans of every level and size: what these results do not have stays as it was.
  void KeepUnseen() {
    std::set<size_t> all;
    for (size_t f = 0; f < request_.results.size(); ++f) all.insert(f);
    for (size_t i = 0; i < seen_old_.size(); ++i) {
      Draft& draft = drafts_[old_.cases[i].block];
      if (seen_old_[i] || draft.block.varies) continue;
      draft.cases[old_.cases[i]] = all;
      ++written_.kept;
    }
  }

  // Groups come last in a file, and say in which order and under which names causes are known.
  bool ReadGroups(const std::string& path) {
    PlannedReader reader;
    if (!reader.Open(specs_, path, true, error_)) return false;
    Error not_asked;
    const auto support = Support::FromJson(specs_, reader.header().value("lacks", Json()), &not_asked);
    if (support) file_.offers = support->OffersOf(specs_);
    const PlanOptions& plan = reader.plan().Options();
    uint64_t& random = file_.random[plan.seed];
    random = std::max(random, RandomOf(plan));
    groups_.assign(1, {});
    while (true) {
      const PlannedReader::Item item = reader.Next(error_);
      if (item == PlannedReader::Item::kRefused) return false;
      if (item == PlannedReader::Item::kEnd) return true;
      if (item == PlannedReader::Item::kCase) MarkOld(reader.planned().id);
      if (item != PlannedReader::Item::kGroup) continue;
      const Json& group = reader.reader().value();
      const Json& cause = ObjectOr(group, "cause");
      const std::string id = StringOr(cause, "id");
      groups_.push_back({id.empty() ? BaselineValue(StringOr(group, "signature")) : id, StringOr(cause, "title")});
    }
  }

  void MarkOld(const std::string& id) {
    for (const BaselineCase& c : old_.CasesOf(id)) seen_old_[static_cast<size_t>(&c - old_.cases.data())] = true;
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
    const GroupName& group = groups_[reader.current().group];
    c.block = DraftFor(c, causes, group);
    if (c.block == drafts_.size()) AddDraft(c, group, StringOr(value, "message"));
    Draft& draft = drafts_[c.block];
    if (!draft.block.Takes(causes)) draft.block.also.push_back(causes.back());
    draft.verdicts.insert(c.verdict);
    ++written_.cases;
    if (draft.block.IsCounted()) return true;
    draft.cases[c].insert(file);
    const auto [first, added] = seen_.emplace(c.id, c);
    if (!added && first->second != c) draft.twice = drafts_[first->second.block].twice = true;
    return true;
  }

  // The block that lists a case already, that of a pattern, that of the cause of its group, or one of the old file for
  // a cause of its own. A bug is one block, whatever the cases of its group look like one by one.
  size_t DraftFor(const BaselineCase& c, const std::vector<std::string>& causes, const GroupName& group) {
    for (const BaselineCase& old : old_.CasesOf(c.id)) {
      if (old.verdict == c.verdict && drafts_[old.block].block.Takes(causes)) return old.block;
    }
    const auto first = [&](auto&& fits) { return std::ranges::find_if(drafts_, fits) - drafts_.begin(); };
    const auto end = static_cast<ptrdiff_t>(drafts_.size());
    ptrdiff_t found = first([&](const Draft& draft) { return draft.block.Counts(c.id, c.verdict, causes); });
    const auto lists = [](const Draft& draft) { return !draft.block.IsCounted() && !draft.block.cause.empty(); };
    if (found == end) found = first([&](const Draft& d) { return lists(d) && d.block.cause == group.cause; });
    if (found == end) {
      found = first([&](const Draft& draft) {
        return draft.old && lists(draft) && draft.block.Takes(causes) && draft.verdicts.contains(c.verdict);
      });
    }
    return static_cast<size_t>(found);
  }

  // A block for the cause of a group. A known one has a title for all operators; otherwise the message of the case is
  // of its own, as is a signature with a bar.
  void AddDraft(const BaselineCase& c, const GroupName& group, const std::string& message) {
    BaselineBlock& block = drafts_.emplace_back().block;
    block.cause = group.cause;
    const bool of_one = block.cause.find('|') != block.cause.npos;
    const std::string why = !group.title.empty() ? group.title
                            : of_one             ? message
                                                 : fmt::format("{} {}", VerdictName(c.verdict), block.cause);
    block.reason = BaselineValue(fmt::format("{}: {}", kToBeExplained, why.empty() ? block.cause : why));
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
  std::vector<bool> seen_old_;                // whether the results have the case, as old_.cases
  std::vector<Draft> drafts_;                 // those of old_.blocks first
  std::vector<GroupName> groups_;             // of the file that is being read, by number
  std::map<std::string, BaselineCase> seen_;  // in the file that is being read, by id
  WrittenBaseline written_;
};

// Collects what runs made of the cases of a baseline.
class Pruner {
 public:
  Pruner(const Specs& specs, BaselineFile file)
      : specs_(specs), file_(std::move(file)), passed_(file_.cases.size()), failed_(passed_), complete_(false) {}

  bool Read(const std::string& path, Error* error) {
    PlannedReader reader;
    if (!reader.Open(specs_, path, true, error)) return false;
    const Json& header = reader.header();
    bool whole = StringOr(header, "filter").empty() && IntOr(ObjectOr(header, "shard"), "count") == 1;
    while (true) {
      const PlannedReader::Item item = reader.Next(error);
      if (item == PlannedReader::Item::kRefused) return false;
      if (item == PlannedReader::Item::kEnd) break;
      if (item == PlannedReader::Item::kFooter) {
        whole = whole && StringOr(reader.reader().value(), "stopped").empty();
      } else if (item == PlannedReader::Item::kCase) {
        Take(reader.planned().id, Conforms(reader.current().verdict));
      }
    }
    complete_ = complete_ || whole;
    return true;
  }

  PrunedBaseline Run() {
    PrunedBaseline pruned;
    std::vector<uint64_t> left(file_.blocks.size());
    std::vector<BaselineCase> cases;
    for (size_t i = 0; i < passed_.size(); ++i) {
      const BaselineCase& c = file_.cases[i];
      if (Goes(i)) {
        ++pruned.lines;
      } else {
        ++left[c.block];
        cases.push_back(c);
      }
    }
    file_.cases = std::move(cases);
    DropEmpty(left, &pruned);
    pruned.text = BaselineText(file_);
    return pruned;
  }

 private:
  void Take(const std::string& id, bool conforms) {
    for (const BaselineCase& c : file_.CasesOf(id)) {
      const auto at = static_cast<size_t>(&c - file_.cases.data());
      (conforms ? passed_ : failed_)[at] = true;
    }
  }

  bool Goes(size_t at) const {
    const BaselineCase& c = file_.cases[at];
    if (failed_[at]) return false;
    if (passed_[at]) return !file_.blocks[c.block].varies;
    Error no_line;
    return complete_ && !ParseLine(specs_, c.id, &no_line);
  }

  void DropEmpty(const std::vector<uint64_t>& left, PrunedBaseline* pruned) {
    std::vector<size_t> places(file_.blocks.size());
    std::vector<BaselineBlock> blocks;
    for (size_t b = 0; b < file_.blocks.size(); ++b) {
      places[b] = blocks.size();
      if (left[b] > 0 || file_.blocks[b].IsCounted()) {
        blocks.push_back(std::move(file_.blocks[b]));
      } else {
        pruned->dropped.push_back(file_.blocks[b].Name());
      }
    }
    file_.blocks = std::move(blocks);
    for (BaselineCase& c : file_.cases) c.block = places[c.block];
  }

  const Specs& specs_;
  BaselineFile file_;
  std::vector<bool> passed_, failed_;  // as file_.cases
  bool complete_;                      // a run had all cases that have names
};

}  // namespace

std::optional<WrittenBaseline> WriteBaseline(const Specs& specs, const BaselineRequest& request, Error* error) {
  return Writer(specs, request, error).Run();
}

std::optional<PrunedBaseline> PruneBaseline(const Specs& specs, const std::string& path,
                                            const std::vector<std::string>& results, Error* error) {
  auto file = ReadBaselineFile(path, error);
  if (!file) return std::nullopt;
  Pruner pruner(specs, *std::move(file));
  for (const std::string& each : results) {
    if (!pruner.Read(each, error)) return std::nullopt;
  }
  return pruner.Run();
}

}  // namespace poolproof
