#include "conformance/cases/generate.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "conformance/cases/fill.h"
#include "conformance/cases/fill_value.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

constexpr int kAttempts = 8;
constexpr int64_t kUsualElements = 1000;

// Small sizes, per number of spatial axes.
struct Limits {
  int64_t kernel, large_kernel, dilation, extra;  // extra: size beyond what the kernel needs
};
constexpr Limits kLimits[] = {{9, 24, 4, 60}, {5, 13, 3, 12}, {3, 5, 2, 4}};

// One problem of kOneIsLarge draws its dimensions log-uniformly from a number of elements that is
// shared among them: kUsualElements, twice as many in one of kOneDoubles, and so on, up to 16 MiB.
constexpr uint64_t kOneIsLarge = 7, kOneDoubles = 4;
constexpr int kMostDoublings = 14;
constexpr int64_t kMostBytes = int64_t{16} << 20;
constexpr int64_t kMostWidth = 1024, kMostDepth = 64, kMostChannels = 2048, kMostBatch = 64;
constexpr int64_t kMostKernel = 64, kMostStep = 64, kMostTaps = 70000;
// Taps of all windows together, for each element.
constexpr int64_t kTapsPerElement = 8;

class Draft {
 public:
  Draft(const Callable& callable, Choices& choices) : choices_(choices), without_(callable.without) {
    problem_.spec = callable.spec;
    problem_.function = callable.function;
  }

  Problem Draw() {
    problem_.type = DrawType();
    DrawRank();
    DrawWords();
    DrawOutputs();
    if (choices_.Below(kOneIsLarge) == kOneIsLarge - 1) {
      DrawLarge();
    } else {
      DrawSmall();
    }
    DrawAbsent();
    DrawContents();
    return std::move(problem_);
  }

 private:
  void DrawSmall() {
    for (int axis = 0; axis < problem_.SpatialRank(); ++axis) DrawAxis(axis);
    if (choices_.Percent(35)) MakeSymmetric();
    for (int axis = 0; axis < problem_.SpatialRank(); ++axis) DrawSize(axis);
    DrawOuter();
    if (problem_.HasSizes()) DrawSizes();
  }

  // Extents first, then windows that fit them, then no more taps than the elements are worth.
  void DrawLarge() {
    int64_t elements = kUsualElements;
    for (int n = 0; n < kMostDoublings && choices_.Below(kOneDoubles) == kOneDoubles - 1; ++n) elements *= 2;
    elements = std::min(elements, kMostBytes / static_cast<int64_t>(ElementSize(problem_.type)));
    DrawExtents(elements);
    if (problem_.HasSizes()) return DrawLargeSizes(elements);
    for (int axis = 0; axis < problem_.SpatialRank(); ++axis) DrawLargeWindow(axis);
    if (choices_.Percent(35)) MakeSymmetric();
    for (int axis = 0; axis < problem_.SpatialRank(); ++axis) MakeRoom(axis);
    LimitOuter(elements);
    LimitTaps(elements);
  }

  // Each dimension takes a share, in an order of chance.
  void DrawExtents(int64_t elements) {
    const Layout layout = LayoutOf(Restrictions());
    const size_t rank = problem_.shape.size;
    const size_t first = choices_.Below(rank), step = choices_.Below(2) == 0 ? 1 : rank - 1;
    for (size_t n = 0; n < rank; ++n) {
      const size_t d = (first + n * step) % rank;
      const int place = static_cast<int>(d);
      const bool depth = place == layout.spatial && problem_.SpatialRank() == 3;
      const int64_t most = place == layout.batch      ? kMostBatch
                           : place == layout.channels ? kMostChannels
                           : depth                    ? kMostDepth
                                                      : kMostWidth;
      problem_.shape[d] = choices_.Log(1, std::min(most, elements));
      if (place == layout.channels && Restrictions().channels) {
        problem_.shape[d] = *Restrictions().channels;
      }
      elements = std::max<int64_t>(1, elements / problem_.shape[d]);
    }
  }

  // A kernel as networks have it, any that fits, or all of the axis.
  void DrawLargeWindow(int axis) {
    const int64_t size = SpatialSize(problem_, axis);
    const uint64_t how = choices_.Below(10);
    const int64_t any = choices_.Log(1, std::min(kMostKernel, size));
    const int64_t kernel = how < 6 ? choices_.Between(1, std::min<int64_t>(5, size)) : how < 9 ? any : size;
    const std::optional<int64_t>& fixed = axis == 0 ? Restrictions().kernel_height : Restrictions().kernel_width;
    Set(Role::kKernel, axis, fixed.value_or(kernel));
    const int64_t gap = kernel > 1 ? std::clamp<int64_t>((size - 1) / (kernel - 1), 1, kMostStep) : kMostStep;
    Set(Role::kDilation, axis, choices_.Percent(25) ? choices_.Log(1, gap) : 1);
    const uint64_t step = choices_.Below(20);
    const int64_t stride = step < 12   ? choices_.Between(1, 3)
                           : step < 15 ? kernel
                                       : choices_.Log(1, std::min(kMostStep, size + 1));
    Set(Role::kStride, axis, Restrictions().stride.value_or(stride));
    DrawPads(axis);
  }

  // The axis is at least as long as its window needs.
  void MakeRoom(int axis) { SetSpatialSize(&problem_, axis, std::max(SpatialSize(problem_, axis), LeastSize(axis))); }

  // Where windows took more than their share, channels and batches give it back.
  void LimitOuter(int64_t elements) {
    const Layout layout = LayoutOf(Restrictions());
    for (const int dimension : {layout.channels, layout.batch}) {
      const int64_t all = problem_.Elements();
      if (dimension < 0 || all <= elements || Restrictions().channels) continue;
      int64_t& size = problem_.shape[static_cast<size_t>(dimension)];
      size = std::max<int64_t>(1, size * elements / all);
    }
  }

  // About the windows along an axis; where the size is kept, one for each element.
  int64_t Windows(int axis) const {
    const int64_t size = SpatialSize(problem_, axis);
    if (KeepsSize(problem_)) return size;
    return size / AxisValue(problem_, Role::kStride, axis, 1) + 1;
  }

  // Halves the kernel whose windows overlap most, or has the most taps, until all windows together
  // have few enough taps.
  void LimitTaps(int64_t elements) {
    if (Restrictions().kernel_height || Restrictions().kernel_width) return;
    for (int steps = 0; steps < 64; ++steps) {
      int64_t taps = 1, windows = problem_.Elements();
      int longest = 0;
      for (int axis = 0; axis < problem_.SpatialRank(); ++axis) {
        const int64_t kernel = AxisValue(problem_, Role::kKernel, axis, 1);
        taps *= kernel;
        windows = windows / SpatialSize(problem_, axis) * Windows(axis);
        if (kernel > AxisValue(problem_, Role::kKernel, longest, 1)) longest = axis;
      }
      const int64_t most = kTapsPerElement * std::max(elements, problem_.Elements());
      if (taps <= kMostTaps && taps <= most / std::max<int64_t>(windows, 1)) return;
      const int64_t kernel = AxisValue(problem_, Role::kKernel, longest, 1);
      const int64_t stride = AxisValue(problem_, Role::kStride, longest, 1);
      const bool slide = stride < kernel && stride < kMostStep && !Restrictions().stride;
      if (slide && choices_.Percent(50)) {
        Set(Role::kStride, longest, 2 * stride);
      } else {
        Set(Role::kKernel, longest, std::max<int64_t>(1, kernel / 2));
        if (MostPad(Spec(), kernel) < kernel) DrawPads(longest);
      }
      if (kernel == 1) return;
    }
  }

  // No more outputs, and no more taps of all cells together, than the elements are worth.
  void DrawLargeSizes(int64_t elements) {
    int64_t left = std::max<int64_t>(1, 2 * elements / problem_.Elements());
    for (int axis = 0; axis < problem_.SpatialRank(); ++axis) {
      const int64_t size = SpatialSize(problem_, axis);
      const int64_t out = choices_.Percent(20) ? 1 : choices_.Log(1, std::min(kMostWidth, left * size));
      problem_.sizes.push_back(out);
      left = std::max<int64_t>(1, left * size / out);
      if (out > size) left = 1;
    }
    problem_.sizes_type = choices_.Percent(50) ? POOLPROOF_I32 : POOLPROOF_I64;
  }

  const OperatorSpec& Spec() const { return *problem_.spec; }
  const Function& Restrictions() const { return *problem_.function; }
  const Limits& Small() const { return kLimits[std::clamp(problem_.SpatialRank() - 1, 0, 2)]; }

  poolproof_element_type DrawType() {
    const std::vector<poolproof_element_type>& types = problem_.function->types;
    assert(static_cast<size_t>(std::popcount(without_)) < types.size());
    uint64_t left = choices_.Below(types.size() - static_cast<size_t>(std::popcount(without_)));
    size_t i = 0;
    while ((without_ >> i & 1u) != 0 || left-- > 0) ++i;
    return types[i];
  }

  void DrawRank() {
    const Ranks ranks = RanksOf(Spec(), Restrictions());
    const int64_t rank = choices_.Between(ranks.least, ranks.most);
    for (int64_t i = 0; i < rank; ++i) problem_.shape.push_back(1);
  }

  // Everything that is not a number per axis. Words come first because they decide what the rest
  // means.
  void DrawWords() {
    for (size_t i = 0; i < Spec().attributes.size(); ++i) {
      const AttributeSpec& spec = Spec().attributes[i];
      AttributeValue& value = problem_.attributes[i];
      const bool leave_out = !spec.required && choices_.Percent(spec.role == Role::kDivisor ? 80 : 25);
      if (leave_out || problem_.SpatialRank() < spec.least_axes || spec.type == AttributeType::kIntList ||
          spec.spatial_axis >= 0)
        continue;
      value.present = true;
      if (spec.type == AttributeType::kWord) {
        value.word = choices_.Of(spec.words);
      } else if (spec.type == AttributeType::kBool) {
        value.integer = static_cast<int64_t>(choices_.Below(2));
      } else if (spec.range_is_rank) {
        value.integer = choices_.Between(-problem_.shape.size, problem_.shape.size - 1);
      } else {
        value.integer = IntoRange(spec, choices_.Between(0, 8));
      }
    }
  }

  void DrawOutputs() {
    if (Spec().outputs.back().optional && choices_.Percent(25)) problem_.outputs = 1;
  }

  void Set(Role role, int axis, int64_t value) {
    const std::optional<size_t> index = AttributeIndex(Spec(), role, axis);
    if (index) SetAxisValue(&problem_, role, axis, IntoRange(Spec().attributes[*index], value));
  }

  void DrawAxis(int axis) {
    const bool large = choices_.Percent(4);
    const int64_t kernel = choices_.Between(1, large ? Small().large_kernel : Small().kernel);
    const std::optional<int64_t>& fixed = axis == 0 ? Restrictions().kernel_height : Restrictions().kernel_width;
    Set(Role::kKernel, axis, fixed.value_or(kernel));
    const int64_t stride = choices_.Percent(15) ? kernel + choices_.Between(0, 2) : choices_.Between(1, 3);
    Set(Role::kStride, axis, Restrictions().stride.value_or(stride));
    Set(Role::kDilation, axis, choices_.Percent(35) ? choices_.Between(1, Small().dilation) : 1);
    DrawPads(axis);
  }

  void DrawPads(int axis) {
    const int64_t kernel = AxisValue(problem_, Role::kKernel, axis, 1);
    int64_t begin = 0, end = 0;
    switch (Restrictions().padding) {
      case Function::Padding::kNone: break;
      case Function::Padding::kKernel:
        begin = (kernel - 1) / 2;
        end = kernel / 2;
        break;
      case Function::Padding::kAny: begin = DrawPad(axis); end = DrawPad(axis);
    }
    Set(Role::kPadBegin, axis, begin);
    Set(Role::kPadEnd, axis, end);
  }

  // Mostly as networks have it; now and then wide enough for a window that lies in padding wholly.
  int64_t DrawPad(int axis) {
    const int64_t eff = EffectiveKernel(problem_, axis);
    const uint64_t how = choices_.Below(20);
    if (how < 8) return 0;
    const int64_t most = how < 15 ? eff / 2 : how < 19 ? eff - 1 : eff + 2;
    const int64_t kernel = AxisValue(problem_, Role::kKernel, axis, 1);
    return choices_.Between(0, std::min(most, MostPad(Spec(), kernel)));
  }

  // Equal axes are what fast paths are written for.
  void MakeSymmetric() {
    if (Restrictions().kernel_height || Restrictions().kernel_width) return;
    for (Role role : {Role::kKernel, Role::kStride, Role::kDilation, Role::kPadBegin, Role::kPadEnd}) {
      for (int axis = 1; axis < problem_.SpatialRank(); ++axis) {
        Set(role, axis, AxisValue(problem_, role, 0, 1));
      }
    }
  }

  // The smallest size of which the windows along the axis are valid.
  int64_t LeastSize(int axis) const {
    const int64_t eff = EffectiveKernel(problem_, axis);
    int64_t least = eff;
    if (PadsCount(problem_)) {
      least -= AxisValue(problem_, Role::kPadBegin, axis, 0) + AxisValue(problem_, Role::kPadEnd, axis, 0);
    } else if (KeepsSize(problem_)) {
      least = 1;
    }
    if (Spec().kernel_within_input) least = std::max(least, eff);
    return std::max<int64_t>(1, least);
  }

  void DrawSize(int axis) {
    const int64_t stride = AxisValue(problem_, Role::kStride, axis, 1);
    const int64_t extras[] = {
        0, 1, stride - 1, stride, choices_.Between(0, Small().extra), choices_.Between(0, Small().extra)};
    SetSpatialSize(&problem_, axis, LeastSize(axis) + choices_.Of(extras));
  }

  // Batch and channels; a long row now and then, where vector loops have body and tail.
  void DrawOuter() {
    const Layout layout = LayoutOf(Restrictions());
    const int last = problem_.SpatialRank() - 1;
    if (choices_.Percent(8)) {
      SetSpatialSize(&problem_, last, SpatialSize(problem_, last) + choices_.Between(1, 70));
    }
    const int64_t inner = problem_.Elements();
    const bool large = choices_.Percent(2);
    const int64_t room = std::max<int64_t>(1, (large ? 8 : 1) * kUsualElements / inner);
    const bool channels_last = layout.channels > layout.spatial;
    const int64_t channels = choices_.Between(1, channels_last && choices_.Percent(50) ? 40 : 4);
    auto& shape = problem_.shape;
    shape[static_cast<size_t>(layout.channels)] = Restrictions().channels.value_or(std::min(channels, room));
    if (layout.batch >= 0) {
      const int64_t left = room / shape[static_cast<size_t>(layout.channels)];
      shape[static_cast<size_t>(layout.batch)] =
          std::clamp<int64_t>(choices_.Between(-3, 3), 1, std::max<int64_t>(1, left));
    }
  }

  // Output sizes below, equal to, a divisor of, and above the input.
  void DrawSizes() {
    for (int axis = 0; axis < problem_.SpatialRank(); ++axis) {
      const int64_t size = SpatialSize(problem_, axis);
      const int64_t sizes[] = {
          1, size, (size + 1) / 2, choices_.Between(1, size), choices_.Between(1, size), size + choices_.Between(1, 5)};
      problem_.sizes.push_back(choices_.Of(sizes));
    }
    problem_.sizes_type = choices_.Percent(50) ? POOLPROOF_I32 : POOLPROOF_I64;
  }

  // Leaves out what may be absent: attributes at their default, pads that are ignored.
  void DrawAbsent() {
    for (size_t i = 0; i < Spec().attributes.size(); ++i) {
      const AttributeSpec& spec = Spec().attributes[i];
      AttributeValue& value = problem_.attributes[i];
      if (!value.present || spec.type != AttributeType::kIntList || !choices_.Percent(50)) continue;
      bool is_default = true;
      for (int axis = 0; axis < value.list.size; ++axis) {
        is_default &= value.list[static_cast<size_t>(axis)] == DefaultValue(problem_, i, axis, -1);
      }
      const bool is_pad = spec.role == Role::kPadBegin || spec.role == Role::kPadEnd;
      const bool ignored = is_pad && !PadsCount(problem_);
      if ((is_default || ignored) && MayBeAbsent(problem_, i)) value = AttributeValue();
    }
  }

  void DrawContents() {
    const bool fixed_point = problem_.type == POOLPROOF_FX8 || problem_.type == POOLPROOF_FX16;
    const uint64_t bits = 8 * ElementSize(problem_.type);
    if (fixed_point) {
      const auto last = static_cast<int64_t>(bits) + 8;
      problem_.frac_bits = static_cast<int32_t>(choices_.Percent(20) ? choices_.Between(-last, last)
                                                                     : static_cast<int64_t>(choices_.Below(bits)));
    }
    problem_.fill = choices_.Of(FillNames());
    problem_.seed = choices_.Below(10000);
  }

  Choices& choices_;
  const uint32_t without_;  // of the element types
  Problem problem_;
};

Problem DrawValid(const Callable& callable, Choices& choices) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Problem problem = Draft(callable, choices).Draw();
    if (IsValid(problem)) return problem;
  }
  Choices simplest{std::span<const uint8_t>()};
  return Draft(callable, simplest).Draw();
}

}  // namespace

Problem RandomProblem(std::span<const Callable> callables, Choices& choices) {
  return DrawValid(DrawCallable(callables, choices), choices);
}

Problem RandomProblem(const OperatorSpec& spec, const Function& function, Choices& choices) {
  return DrawValid({&spec, &function}, choices);
}

Problem RandomProblem(const Specs& specs, Choices& choices) { return RandomProblem(AllCallables(specs), choices); }

Problem RandomProblem(std::span<const Callable> callables, uint64_t seed, uint64_t index) {
  Choices choices(fill::Mix64(fill::Mix64(seed) + index));
  return RandomProblem(callables, choices);
}

Problem RandomProblem(const Specs& specs, uint64_t seed, uint64_t index) {
  return RandomProblem(AllCallables(specs), seed, index);
}

}  // namespace poolproof
