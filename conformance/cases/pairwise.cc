#include "conformance/cases/pairwise.h"

#include <cassert>
#include <tuple>
#include <utility>

namespace poolproof {
namespace {

constexpr size_t kOpen = static_cast<size_t>(-1);  // parameter without a value yet

class PairCover {
 public:
  explicit PairCover(std::span<const size_t> counts) : counts_(counts.begin(), counts.end()) {
    for (size_t count : counts_) {
      assert(count >= 1);
      offsets_.push_back(values_);
      values_ += count;
    }
    covered_.assign(values_ * values_, false);
  }

  std::vector<std::vector<size_t>> Rows() {
    std::vector<std::vector<size_t>> rows;
    if (counts_.size() == 1) return AllValues();
    for (size_t p = 0; p < counts_.size(); ++p) {
      for (size_t q = p + 1; q < counts_.size(); ++q) CoverParameters(p, q, &rows);
    }
    return rows;
  }

 private:
  std::vector<std::vector<size_t>> AllValues() const {
    std::vector<std::vector<size_t>> rows;
    for (size_t value = 0; value < counts_[0]; ++value) rows.push_back({value});
    return rows;
  }

  void CoverParameters(size_t p, size_t q, std::vector<std::vector<size_t>>* rows) {
    for (size_t a = 0; a < counts_[p]; ++a) {
      for (size_t b = 0; b < counts_[q]; ++b) {
        if (Covered(p, a, q, b)) continue;
        std::vector<size_t> row(counts_.size(), kOpen);
        row[p] = a;
        row[q] = b;
        Complete(rows->size(), &row);
        rows->push_back(std::move(row));
      }
    }
  }

  std::vector<bool>::reference Covered(size_t p, size_t a, size_t q, size_t b) {
    return covered_[(offsets_[p] + a) * values_ + offsets_[q] + b];
  }

  // Missing pairs that value `a` of parameter `p` would complete in `row`.
  size_t Gain(const std::vector<size_t>& row, size_t p, size_t a) {
    size_t gain = 0;
    for (size_t q = 0; q < row.size(); ++q) {
      if (q != p && row[q] != kOpen && !Covered(p, a, q, row[q])) ++gain;
    }
    return gain;
  }

  // Starts at another parameter and value for each row, so that ties do not always go to the first.
  void Complete(size_t number, std::vector<size_t>* row) {
    for (size_t i = 0; i < row->size(); ++i) {
      const size_t p = (number + i) % row->size();
      if ((*row)[p] != kOpen) continue;
      size_t best = number % counts_[p];
      size_t best_gain = Gain(*row, p, best);
      for (size_t step = 1; step < counts_[p]; ++step) {
        const size_t a = (number + step) % counts_[p];
        const size_t gain = Gain(*row, p, a);
        if (gain > best_gain) std::tie(best, best_gain) = std::pair(a, gain);
      }
      (*row)[p] = best;
    }
    for (size_t p = 0; p < row->size(); ++p) {
      for (size_t q = 0; q < row->size(); ++q) {
        if (p != q) Covered(p, (*row)[p], q, (*row)[q]) = true;
      }
    }
  }

  std::vector<size_t> counts_, offsets_;
  size_t values_ = 0;
  // [value of one parameter][value of another], the values of all parameters numbered through.
  std::vector<bool> covered_;
};

}  // namespace

std::vector<std::vector<size_t>> CoverPairs(std::span<const size_t> counts) { return PairCover(counts).Rows(); }

}  // namespace poolproof
