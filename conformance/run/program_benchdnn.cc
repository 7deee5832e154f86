// Problems as lines of oneDNN's benchdnn.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/geometry.h"
#include "conformance/run/program_parts.h"

namespace poolproof {
namespace {

// Why benchdnn has no such problem; empty where it has.
std::string WhyNotBenchdnn(const Vector& vector, const std::vector<WindowAxis>& axes) {
  const Problem& problem = vector.planned.problem;
  if (NamesOfType(problem.type).benchdnn.empty()) {
    return fmt::format("oneDNN pools no {}", ElementTypeName(problem.type));
  }
  for (const WindowAxis& axis : axes) {
    if (std::max(axis.pad_begin, axis.Overhang()) >= axis.Extent())
      return "oneDNN has no windows that lie in padding alone";
    // The end pad of oneDNN is what its windows reach: of a mean that counts padding it is the divisor.
    if (IsMean(*problem.spec) && !ExcludesPadding(problem) && axis.Overhang() > axis.pad_end) {
      return "its last window hangs over the padding, and oneDNN would count that as padding";
    }
  }
  return "";
}

// "_ih3iw3": a letter and a number for each axis.
std::string PartOf(const std::vector<WindowAxis>& axes, char what,
                   const std::function<int64_t(const WindowAxis&)>& of) {
  const std::string_view letters = std::string_view("dhw").substr(3 - axes.size());
  std::string text = "_";
  for (size_t i = 0; i < axes.size(); ++i) text += fmt::format("{}{}{}", what, letters[i], of(axes[i]));
  return text;
}

}  // namespace

std::optional<std::string> BenchdnnText(const PlannedCase& planned, const Vector& vector, std::string* why) {
  const Problem& problem = vector.planned.problem;
  const Result& result = vector.expected.result();
  const bool known = IsMaximum(*problem.spec) || IsMean(*problem.spec);
  if (problem.HasSizes() || !known) *why = "oneDNN has no such pooling";
  if (!why->empty()) return std::nullopt;
  const std::vector<WindowAxis> axes = WindowAxesOf(vector);
  *why = WhyNotBenchdnn(vector, axes);
  if (!why->empty()) return std::nullopt;
  const std::string text = PartOf(axes, 'i', [](const WindowAxis& axis) { return axis.size; }) +
                           PartOf(axes, 'o', [](const WindowAxis& axis) { return axis.outputs; }) +
                           PartOf(axes, 'k', [](const WindowAxis& axis) { return axis.kernel; }) +
                           PartOf(axes, 's', [](const WindowAxis& axis) { return axis.stride; }) +
                           PartOf(axes, 'p', [](const WindowAxis& axis) { return axis.pad_begin; }) +
                           // Without dilation it is 0.
                           PartOf(axes, 'd', [](const WindowAxis& axis) { return axis.dilation - 1; });
  const char* const algorithm = IsMaximum(*problem.spec) ? "max" : ExcludesPadding(problem) ? "avg_np" : "avg_p";
  return fmt::format(
      "# {}\n# benchdnn fills in values of its own.\n--pool --dir={} --dt={} --tag=abx --alg={} mb{}ic{}{}\n",
      planned.line, result.output_count > 1 ? "FWD_D" : "FWD_I", NamesOfType(problem.type).benchdnn, algorithm,
      problem.function->HasBatch() ? problem.shape[0] : 1,
      problem.shape[static_cast<size_t>(LayoutOf(*problem.function).channels)], text);
}

}  // namespace poolproof
