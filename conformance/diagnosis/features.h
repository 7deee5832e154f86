// Features of a problem as numbers, from which the rules of causes are made.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/problem.h"

namespace poolproof {

enum class Feature : uint8_t {
  kOperator,
  kType,
  kRank,
  kAxes,
  kRounding,
  kAutoPad,
  kExcludePad,
  kIndexType,
  kFill,
  kFloat,
  kSigned,
  kBits,
  kMean,
  kIndexed,
  kAdaptive,
  kChannelsLast,
  kLacksBatch,
  kInvalid,
  kBatch,
  kChannels,
  kDepth,
  kHeight,
  kWidth,
  kLargestSize,
  kSmallestSize,
  kPlane,
  kElements,
  kOutWidth,
  kOutHeight,
  kLargestOut,
  kOutElements,
  kKernelWidth,
  kKernelHeight,
  kLargestKernel,
  kTaps,
  kReach,
  kSmallestStride,
  kLargestStride,
  kLargestDilation,
  kSmallestPad,
  kLargestPadBegin,
  kLargestPadEnd,
  kLargestPad,
  kAxis,
  kFracBits,
  kOverlap,
  kPadsDiffer,
  kKernelDiffers,
  kStridesDiffer,
  kCapacity,
  kWidthOddOf4,
  kWidthOddOf8,
  kWidthOddOf16,
  kOutWidthOddOf4,
  kOutWidthOddOf8,
  kChannelsOddOf8,
  kBatchAndChannels,
  kChannelsOddOf4,
  kStrideAlongWidth,
  kStrideAlongHeight,
  kDilationAlongWidth,
  kDilationAlongHeight,
  kDilationAlongDepth,
  kPadAlongWidth,
  kPadAlongHeight,
  kPadAlongDepth,
  kBeginUnlikeEnd,
  kBeginUnlikeEndAlongWidth,
  kPadAboveHalfKernel,
  kDilationsDiffer,
  kStrideAboveKernel,
  kHangsOver,
  kStridesGiven,
  kPadsInFrontDiffer,
  kPadInFrontAboveHalfKernel,
  kWidthOdd,
  kKernelWidthOdd,
};
inline constexpr size_t kFeatureCount = static_cast<size_t>(Feature::kKernelWidthOdd) + 1;

using Features = std::array<int64_t, kFeatureCount>;

enum class FeatureKind : uint8_t {
  kChoice,  // one of some words or numbers
  kFlag,    // a condition
  kNumber,
  kLargest,   // the largest number of all axes
  kSmallest,  // the smallest
};

struct FeatureFacts {
  FeatureKind kind;
  double cost;            // of a condition on it: how far-fetched it is that a backend looks at it
  std::string_view text;  // the name, formula or condition (docs/expressions.md)
  int64_t none = 0;       // stands for no value
  bool IsNumber() const { return kind >= FeatureKind::kNumber; }
};
const FeatureFacts& FactsOf(Feature feature);

// Words that features hold as numbers.
class WordNumbers {
 public:
  int64_t Number(std::string_view word);
  const std::string& Word(int64_t number) const { return words_[static_cast<size_t>(number)]; }

 private:
  std::map<std::string, int64_t, std::less<>> numbers_;
  std::vector<std::string> words_;
};

// `output`: as the oracle describes the first output; of rank 0 where the call is invalid.
Features FeaturesOf(const Problem& problem, const poolproof_tensor& output, bool invalid, WordNumbers* words);

}  // namespace poolproof
