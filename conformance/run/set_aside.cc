#include "conformance/run/set_aside.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/problem.h"
#include "conformance/results/answer.h"

namespace poolproof {
namespace {

enum Kind { kHang, kDeath, kNoEnd };

Kind KindOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kTimeout: return kHang;
    case Verdict::kCrash:
    case Verdict::kOutOfBounds:
    case Verdict::kInputModified: return kDeath;
    default: return kNoEnd;
  }
}

std::string Why(int kind, uint32_t ends) {
  if (kind == kHang) return fmt::format("{} of its cases hung", ends);
  return fmt::format("{} of its cases ended the process", ends);
}

}  // namespace

SetAside::Key SetAside::KeyOf(const OperatorSpec& spec, poolproof_element_type type) {
  return {spec.functions.front().name, type};
}

void SetAside::Note(const Record& record) {
  const Kind kind = KindOf(record.judgement.verdict);
  if (kind == kNoEnd) return;
  const std::lock_guard lock(mutex_);
  std::vector<uint64_t>& places = pairs_[KeyOf(*record.spec, record.type)].places[kind];
  places.insert(std::upper_bound(places.begin(), places.end(), record.n), record.n);
  if (places.size() > Limits(kind).pair) places.pop_back();
  any_ = true;
}

uint32_t SetAside::EndsBefore(const Pair& pair, int kind, uint64_t n) const {
  const std::vector<uint64_t>& places = pair.places[kind];
  const EndLimits& limits = Limits(kind);
  const auto before = [&](uint32_t ends) { return places.size() >= ends && places[ends - 1] < n; };
  if (before(limits.pair)) return limits.pair;
  return strict_from_[kind] < n && before(limits.few) ? limits.few : 0;
}

bool SetAside::Knows(uint64_t n, const OperatorSpec& spec, poolproof_element_type type) const {
  if (!any_) return false;
  const std::lock_guard lock(mutex_);
  const auto pair = pairs_.find(KeyOf(spec, type));
  return pair != pairs_.end() && (EndsBefore(pair->second, kHang, n) > 0 || EndsBefore(pair->second, kDeath, n) > 0);
}

void SetAside::Deliver(Record* record) {
  if (!any_) return;
  const std::lock_guard lock(mutex_);
  const Key key = KeyOf(*record->spec, record->type);
  const auto found = pairs_.find(key);
  for (int kind = 0; found != pairs_.end() && kind < kKinds; ++kind) {
    Pair& pair = found->second;
    const uint32_t ends = EndsBefore(pair, kind, record->n);
    if (ends == 0) continue;
    ++pair.missing;
    if (pair.why.empty()) pair.why = Why(kind, ends);
    record->judgement = Judgement();
    record->judgement.message =
        fmt::format("Not run: {} {} was set aside, since {}.", key.first, ElementTypeName(key.second), pair.why);
    record->causes.reset();
    record->signature = fmt::format("{}|{} set aside", record->spec->id, ElementTypeName(key.second));
    record->answer = EvidenceDigest(record->signature);
    return;
  }
  const Kind kind = KindOf(record->judgement.verdict);
  if (kind != kNoEnd && ++total_[kind] == Limits(kind).total) strict_from_[kind] = record->n;
}

void SetAside::Restore(const Record& record) {
  Record copy = record;
  Note(copy);
  Deliver(&copy);
}

std::vector<AsidePair> SetAside::Pairs() const {
  const std::lock_guard lock(mutex_);
  std::vector<AsidePair> all;
  for (const auto& [key, pair] : pairs_) {
    if (pair.missing == 0) continue;
    all.push_back({key.first, std::string(ElementTypeName(key.second)), pair.why, pair.missing});
  }
  return all;
}

}  // namespace poolproof
