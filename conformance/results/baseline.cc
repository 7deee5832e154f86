#include "conformance/results/baseline.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/results/answer.h"

namespace poolproof {
namespace {

using Within = BaselineVaries::Within;

}  // namespace

std::vector<std::string> CauseNames(const Record& record) {
  std::vector<std::string> names;
  for (size_t i = 0; i < Causes().size(); ++i) {
    if (record.causes[i]) names.push_back(Causes()[i].id);
  }
  names.push_back(BaselineValue(record.signature));
  return names;
}

void BaselineSummary::Change::Add(std::string id) {
  constexpr size_t kListed = 100;  // the rest is counted
  ++count;
  if (ids.size() < kListed) ids.push_back(std::move(id));
}

std::optional<Baseline> Baseline::Load(const std::string& path, Error* error) {
  auto file = ReadBaselineFile(path, error);
  if (!file) return std::nullopt;
  Baseline baseline;
  baseline.path_ = path;
  baseline.fitted_.resize(file->blocks.size());
  baseline.seen_.resize(file->cases.size());
  baseline.file_ = *std::move(file);
  return baseline;
}

// Notes what became of a case.
BaselineNote Baseline::List(Kind kind, size_t block, Verdict expected, const Record& record) {
  constexpr const char* kStatus[] = {"other answer", "worsened", "changed cause", "improved", "expired", "as expected"};
  if (kind != kAsExpected) changes_[kind].Add(record.id);
  return {std::string(VerdictName(expected)), file_.blocks[block].reason, kStatus[kind - kAnswer]};
}

BaselineNote Baseline::MarkCovered(size_t block, const Record& record, bool* covered) {
  ++fitted_[block];
  *covered = !file_.blocks[block].HasExpired();
  return List(*covered ? kAsExpected : kExpired, block, record.judgement.verdict, record);
}

std::optional<BaselineNote> Baseline::Check(const Record& record, bool* covered) {
  *covered = false;
  const std::span<const BaselineCase> listed = file_.CasesOf(record.id);
  for (const BaselineCase& c : listed) seen_[static_cast<size_t>(&c - file_.cases.data())] = true;
  if (!Conforms(record.judgement.verdict)) return CheckFailure(record, listed, covered);
  for (const BaselineCase& c : listed) {
    if (!file_.blocks[c.block].varies) return List(kImproved, c.block, c.verdict, record);
  }
  return std::nullopt;
}

std::optional<BaselineNote> Baseline::CheckFailure(const Record& record, std::span<const BaselineCase> listed,
                                                   bool* covered) {
  const Verdict verdict = record.judgement.verdict;
  const std::vector<std::string> causes = CauseNames(record);
  const BaselineCase* other_answer = nullptr;
  for (const BaselineCase& c : listed) {
    const BaselineBlock& block = file_.blocks[c.block];
    if (c.verdict != verdict || !block.Takes(causes)) continue;
    const bool any = block.MayFailWith(Within::kCases);
    if (any || c.answer == AnswerNumber(record.answer)) return MarkCovered(c.block, record, covered);
    other_answer = &c;
  }
  if (other_answer != nullptr) return List(kAnswer, other_answer->block, verdict, record);
  for (size_t b = 0; b < file_.blocks.size(); ++b) {
    if (file_.blocks[b].Counts(record.id, verdict, causes)) return MarkCovered(b, record, covered);
  }
  if (listed.empty()) {
    changes_[kNew].Add(record.id);
    return std::nullopt;
  }
  const auto same = std::find_if(listed.begin(), listed.end(), [&](const auto& c) { return c.verdict == verdict; });
  const BaselineCase& c = same == listed.end() ? listed.front() : *same;
  return List(same == listed.end() ? kWorsened : kCause, c.block, c.verdict, record);
}

BaselineSummary Baseline::Summary(bool complete, const Support* support) const {
  BaselineSummary summary;
  summary.file = path_;
  BaselineSummary::Change exceeded{"exceeded", {}, 0}, unmatched{"unmatched", {}, 0}, lost{"lost", {}, 0};
  for (size_t b = 0; b < fitted_.size(); ++b) {
    const BaselineBlock& block = file_.blocks[b];
    if (!block.varies) continue;
    summary.varying.push_back(
        fmt::format("{} of {} by {}: {}", fitted_[b], block.Name(), block.varies->by, block.varies->why));
    if (block.IsCounted() && fitted_[b] > block.varies->number) {
      exceeded.Add(fmt::format("{}: {} cases, at most {} may fail", block.Name(), fitted_[b], block.varies->number));
    }
  }
  for (size_t i = 0; i < seen_.size(); ++i) {
    const bool again = i > 0 && file_.cases[i].id == file_.cases[i - 1].id;
    if (complete && !seen_[i] && !again) unmatched.Add(file_.cases[i].id);
  }
  if (support != nullptr) {
    for (std::string& name : support->LostSince(file_.offers)) lost.Add(std::move(name));
  }
  summary.changes.assign(std::begin(changes_), std::end(changes_));
  for (BaselineSummary::Change* change : {&exceeded, &unmatched, &lost}) summary.changes.push_back(std::move(*change));
  std::erase_if(summary.changes, [](const BaselineSummary::Change& change) { return change.count == 0; });
  return summary;
}

}  // namespace poolproof
