#include "conformance/problem/generate.h"

#include <algorithm>

#include "conformance/problem/fill.h"
#include "conformance/problem/fill_value.h"
#include "conformance/problem/geometry.h"
#include "conformance/problem/plain.h"
#include "reference/reference.h"

namespace poolproof {
namespace {

constexpr int kAttempts = 8;
constexpr int64_t kUsualElements = 1000;

// What is small, per number of spatial axes.
struct Limits {
  int64_t kernel, large_kernel, dilation, extra;  // extra: size beyond what the kernel needs
};
constexpr Limits kLimits[] = {{9, 24, 4, 60}, {5, 13, 3, 12}, {3, 5, 2, 4}};

class Draft {
 public:
  Draft(const OperatorSpec& spec, const Function& function, Choices& choices)
      : choices_(choices) {
    problem_.spec = &spec;
    problem_.function = &function;
  }

  Problem Draw() {
    problem_.type = choices_.Of(problem_.function->types);
    DrawRank();
    DrawWords();
    for (int axis = 0; axis < problem_.SpatialRank(); ++axis) DrawAxis(axis);
    if (choices_.Percent(35)) MakeSymmetric();
    for (int axis = 0; axis < problem_.SpatialRank(); ++axis) DrawSize(axis);
    DrawOuter();
    if (problem_.HasSizes()) DrawSizes();
    DrawAbsent();
    DrawContents();
    return std::move(problem_);
  }

 private:
  const OperatorSpec& Spec() const { return *problem_.spec; }
  const Function& Restrictions() const { return *problem_.function; }
  const Limits& Small() const {
    return kLimits[std::clamp(problem_.SpatialRank() - 1, 0, 2)];
  }

  void DrawRank() {
    const int64_t rank = choices_.Between(Spec().min_rank, Spec().max_rank);
    for (int64_t i = 0; i < rank; ++i) problem_.shape.push_back(1);
  }

  // Everything that is not a number per axis. Words come first because they decide what the rest
  // means.
  void DrawWords() {
    for (size_t i = 0; i < Spec().attributes.size(); ++i) {
      const AttributeSpec& spec = Spec().attributes[i];
      AttributeValue& value = problem_.attributes[i];
      const bool leave_out = !spec.required && choices_.Percent(25);
      if (leave_out || spec.type == AttributeType::kIntList || spec.spatial_axis >= 0) continue;
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

  void Set(Role role, int axis, int64_t value) {
    const std::optional<size_t> index = AttributeIndex(Spec(), role, axis);
    if (index) SetAxisValue(&problem_, role, axis, IntoRange(Spec().attributes[*index], value));
  }

  void DrawAxis(int axis) {
    const bool large = choices_.Percent(4);
    const int64_t kernel = choices_.Between(1, large ? Small().large_kernel : Small().kernel);
    const std::optional<int64_t>& fixed =
        axis == 0 ? Restrictions().kernel_height : Restrictions().kernel_width;
    Set(Role::kKernel, axis, fixed.value_or(kernel));
    const int64_t stride = choices_.Percent(15) ? kernel + choices_.Between(0, 2)
                                                : choices_.Between(1, 3);
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
      case Function::Padding::kAny:
        begin = DrawPad(axis);
        end = DrawPad(axis);
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
    return choices_.Between(0, Spec().pad_below_kernel ? std::min(most, kernel - 1) : most);
  }

  // Equal axes are what fast paths are written for.
  void MakeSymmetric() {
    if (Restrictions().kernel_height || Restrictions().kernel_width) return;
    for (Role role :
         {Role::kKernel, Role::kStride, Role::kDilation, Role::kPadBegin, Role::kPadEnd}) {
      for (int axis = 1; axis < problem_.SpatialRank(); ++axis) {
        Set(role, axis, AxisValue(problem_, role, 0, 1));
      }
    }
  }

  void DrawSize(int axis) {
    const int64_t eff = EffectiveKernel(problem_, axis);
    const int64_t stride = AxisValue(problem_, Role::kStride, axis, 1);
    const std::string_view auto_pad = WordOf(problem_, Role::kAutoPad);
    int64_t least = eff;
    if (PadsCount(problem_)) {
      least -= AxisValue(problem_, Role::kPadBegin, axis, 0) +
               AxisValue(problem_, Role::kPadEnd, axis, 0);
    } else if (auto_pad.starts_with("same")) {
      least = 1;
    }
    if (Spec().kernel_within_input) least = std::max(least, eff);
    const int64_t extras[] = {0, 1, stride - 1, stride, choices_.Between(0, Small().extra),
                              choices_.Between(0, Small().extra)};
    SetSpatialSize(&problem_, axis, std::max<int64_t>(1, least) + choices_.Of(extras));
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
    shape[static_cast<size_t>(layout.channels)] =
        Restrictions().channels.value_or(std::min(channels, room));
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
      const int64_t sizes[] = {1, size, (size + 1) / 2, choices_.Between(1, size),
                               choices_.Between(1, size), size + choices_.Between(1, 5)};
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
      const bool is_default = std::all_of(value.list.begin(), value.list.end(), [&](int64_t entry) {
        return entry == spec.default_integer;
      });
      const bool is_pad = spec.role == Role::kPadBegin || spec.role == Role::kPadEnd;
      const bool ignored = is_pad && !PadsCount(problem_);
      if ((is_default || ignored) && MayBeAbsent(problem_, i)) value = AttributeValue();
    }
  }

  void DrawContents() {
    const bool fixed_point = problem_.type == POOLPROOF_FX8 || problem_.type == POOLPROOF_FX16;
    const uint64_t bits = 8 * ElementSize(problem_.type);
    if (fixed_point) problem_.frac_bits = static_cast<int32_t>(choices_.Below(bits));
    problem_.fill = choices_.Of(FillNames());
    problem_.seed = choices_.Below(10000);
  }

  Choices& choices_;
  Problem problem_;
};

// The names that every backend has get most of the problems; specializations share the rest.
const Function& DrawFunction(const OperatorSpec& spec, Choices& choices) {
  const auto required = static_cast<uint64_t>(
      std::count_if(spec.functions.begin(), spec.functions.end(),
                    [](const Function& function) { return function.required; }));
  const bool specialized = required == 0 ||
                           (required < spec.functions.size() && choices.Percent(35));
  uint64_t left = choices.Below(specialized ? spec.functions.size() - required : required);
  for (const Function& function : spec.functions) {
    if (function.required != specialized && left-- == 0) return function;
  }
  return spec.functions.front();
}

}  // namespace

bool IsValid(const Problem& problem, int64_t max_elements) {
  if (problem.Elements() > max_elements) return false;
  Call call;
  call.Bind(problem);
  reference::Context context;
  if (reference::InferShapes(call.call, context) != POOLPROOF_OK) return false;
  for (size_t i = 0; i < call.call.output_count; ++i) {
    int64_t elements = 1;
    for (int32_t d = 0; d < call.outputs[i].rank; ++d) {
      if (__builtin_mul_overflow(elements, call.outputs[i].dims[d], &elements)) return false;
    }
    if (elements > max_elements) return false;
  }
  return true;
}

Problem RandomProblem(const OperatorSpec& spec, const Function& function, Choices& choices) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Problem problem = Draft(spec, function, choices).Draw();
    if (IsValid(problem)) return problem;
  }
  Choices simplest{std::span<const uint8_t>()};
  return Draft(spec, function, simplest).Draw();
}

Problem RandomProblem(const Specs& specs, Choices& choices) {
  const OperatorSpec& spec = choices.Of(specs.operators);
  const Function& function = DrawFunction(spec, choices);
  return RandomProblem(spec, function, choices);
}

Problem RandomProblem(const Specs& specs, uint64_t seed, uint64_t index) {
  Choices choices(fill::Mix64(fill::Mix64(seed) + index));
  return RandomProblem(specs, choices);
}

}  // namespace poolproof
