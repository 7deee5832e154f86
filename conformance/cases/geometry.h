// Reading and changing a problem axis by axis, whether its operator has one list per attribute or
// one attribute per axis, and whatever its layout. Spatial axes count from 0, outermost first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "conformance/cases/problem.h"

namespace poolproof {

// Which dimensions of the feature map are batch (-1: none), channels and the first spatial one.
struct Layout {
  int batch = 0, channels = 1, spatial = 2;
  bool ChannelsLast() const { return channels > spatial; }
};
Layout LayoutOf(const Function& function);

// Whether the function has no batch although the first one of the operator has.
bool LacksBatch(const OperatorSpec& spec, const Function& function);

// The ranks of the feature map with which a function is called: those of the operator, one less where it LacksBatch.
struct Ranks {
  int least = 0, most = 0;
};
Ranks RanksOf(const OperatorSpec& spec, const Function& function);

int64_t SpatialSize(const Problem& problem, int axis);
void SetSpatialSize(Problem* problem, int axis, int64_t size);

// Index in spec.attributes of the attribute with this role: the one of `axis`, or the one for all
// axes.
std::optional<size_t> AttributeIndex(const OperatorSpec& spec, Role role, int axis = -1);
bool HasRole(const OperatorSpec& spec, Role role);

// Value of the attribute for one axis where it is absent: that of the spec, or the kernel; else `fallback`.
int64_t DefaultValue(const Problem& problem, size_t attribute, int axis, int64_t fallback);
// Value for one axis: as given, else the default of the spec, else `fallback` (also where a list is
// too short).
int64_t AxisValue(const Problem& problem, Role role, int axis, int64_t fallback);
// Makes the attribute present. A list grows to the spatial rank, new entries being `value`. No
// effect where the operator has no such role.
void SetAxisValue(Problem* problem, Role role, int axis, int64_t value);

// The word of the attribute with this role: as given, else the default; "" without such an
// attribute.
std::string_view WordOf(const Problem& problem, Role role);

// The meaning of the word of the attribute with this role; none without such an attribute, or where the spec does not
// know the word.
std::optional<Meaning> MeaningOf(const Problem& problem, Role role);
// The word of the spec that means this; "" where it has none.
std::string_view WordFor(const OperatorSpec& spec, Meaning meaning);
// Gives the attribute the word that means this; false, and nothing changed, where the operator has none.
bool SetMeaning(Problem* problem, Meaning meaning);

// Whether the divisor of a mean leaves padding out: as given, else by default, or where the operator does not ask.
bool ExcludesPadding(const Problem& problem);
// No effect where the operator does not ask.
void SetExcludesPadding(Problem* problem, bool excludes);

// Whether the pads as given take part: there is no automatic padding, or it is none.
bool PadsCount(const Problem& problem);
// Whether pads are chosen such that the output is as large as the input.
bool KeepsSize(const Problem& problem);
// The pads in front of the axis and behind it, given or chosen, where its output has `outputs` positions.
int64_t PadBefore(const Problem& problem, int axis, int64_t outputs);
int64_t PadAfter(const Problem& problem, int axis, int64_t outputs);
// Whether the document lets the attribute be absent, given the other attributes.
bool MayBeAbsent(const Problem& problem, size_t attribute);

// The widest padding that the document allows beside a kernel of this size.
int64_t MostPad(const OperatorSpec& spec, int64_t kernel);
// Distance from the first to behind the last tap of a window.
int64_t EffectiveKernel(const Problem& problem, int axis);

}  // namespace poolproof
