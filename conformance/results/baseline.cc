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

uint64_t BaselineSummary::LinesThatCanGo() const {
  uint64_t lines = 0;
  for (const Change& change : changes) {
    if (LineCanGo(change.kind)) lines += change.count;
  }
  return lines;
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

Standing Baseline::StandingOf(const Record& record) const {
  const Kind kind = Find(record).kind;
  return kind == kNew ? Standing::kNew : kind == kAsExpected ? Standing::kKnown : Standing::kChanged;
}

// Notes what became of a case.
BaselineNote Baseline::List(const Found& found, const Record& record) {
  constexpr const char* kStatus[] = {"other answer", "worsened", "changed cause", "improved", "expired", "as expected"};
  if (found.kind != kAsExpected) changes_[found.kind].Add(record.id);
  return {std::string(VerdictName(found.expected)), file_.blocks[found.block].reason, kStatus[found.kind - kAnswer]};
}

std::optional<BaselineNote> Baseline::Check(const Record& record, bool* covered) {
  *covered = false;
  const std::span<const BaselineCase> listed = file_.CasesOf(record.id);
  for (const BaselineCase& c : listed) seen_[static_cast<size_t>(&c - file_.cases.data())] = true;
  if (!Conforms(record.judgement.verdict)) {
    const Found found = Find(record);
    if (found.kind == kNew) {
      changes_[kNew].Add(record.id);
      return std::nullopt;
    }
    *covered = found.kind == kAsExpected;
    if (*covered || found.kind == kExpired) ++fitted_[found.block];
    return List(found, record);
  }
  for (const BaselineCase& c : listed) {
    if (!file_.blocks[c.block].varies) return List({kImproved, c.block, c.verdict}, record);
  }
  return std::nullopt;
}

Baseline::Found Baseline::FitTo(size_t block, const Record& record) const {
  return {file_.blocks[block].HasExpired() ? kExpired : kAsExpected, block, record.judgement.verdict};
}

Baseline::Found Baseline::Find(const Record& record) const {
  const Verdict verdict = record.judgement.verdict;
  const std::vector<std::string> causes = CauseNames(record);
  const std::span<const BaselineCase> listed = file_.CasesOf(record.id);
  const BaselineCase* other_answer = nullptr;
  for (const BaselineCase& c : listed) {
    const BaselineBlock& block = file_.blocks[c.block];
    if (c.verdict != verdict || !block.Takes(causes)) continue;
    if (block.MayFailWith(Within::kCases) || c.answer == AnswerNumber(record.answer)) return FitTo(c.block, record);
    other_answer = &c;
  }
  if (other_answer != nullptr) return {kAnswer, other_answer->block, verdict};
  for (size_t b = 0; b < file_.blocks.size(); ++b) {
    const BaselineBlock& block = file_.blocks[b];
    if (block.Counts(record.id, verdict, causes)) return FitTo(b, record);
    const bool known = by_cause_ && listed.empty() && !block.cause.empty() && block.Takes(causes);
    if (known && !block.HasExpired()) return FitTo(b, record);
  }
  if (listed.empty()) return {};
  const auto same = std::find_if(listed.begin(), listed.end(), [&](const auto& c) { return c.verdict == verdict; });
  const BaselineCase& c = same == listed.end() ? listed.front() : *same;
  return {same == listed.end() ? kWorsened : kCause, c.block, c.verdict};
}

BaselineSummary Baseline::Summary(const Specs* specs, const Support* support) const {
  BaselineSummary summary;
  summary.file = path_;
  summary.random = file_.random;
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
    if (specs == nullptr || seen_[i] || again) continue;
    Error no_line;
    if (!ParseLine(*specs, file_.cases[i].id, &no_line)) unmatched.Add(file_.cases[i].id);
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
