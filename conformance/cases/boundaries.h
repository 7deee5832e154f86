// The systematic problems: attribute boundaries combined pairwise, special values, published bugs.
// All are deterministic; boundaries and special values are valid under the profile "documented".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/problem.h"

namespace poolproof {

// Element types, ranks, every attribute's boundaries, words and absence, index types, fills, and
// sizes beside the kernel, such that every pair of two such values that can occur together does.
// Functions that restrict their domain (specializations) get a few problems each. `spec` outlives
// them.
Problems BoundaryProblems(const OperatorSpec& spec);

// Each of width, height, channels, batch, taps and outputs next to every power of two up to 4096,
// for each element type; and small cubes, as blocked layouts and tiles have them. Windows are the
// usual ones of networks.
Problems SizeProblems(const OperatorSpec& spec);

// Calls that differ in one attribute, dimension or type, each between two of the same other one: for every element
// type.
Problems TwinProblems(const OperatorSpec& spec);

// Means of windows that overlap, of each width, over values of which some make others vanish in a sum: of element types
// that have such values.
Problems RunningSumProblems(const OperatorSpec& spec);

// Means of bf16 and f16 over each number of taps, of data by which a divisor that is off by one shows wherever any data
// show it.
Problems DivisorProblems(const OperatorSpec& spec);

// Outputs with less room than they need: all of them, and one of several alone; of every function and type.
Problems CapacityProblems(const OperatorSpec& spec);

// Batches, channels and their product next to 2^16, for types of 4 and of 8 bytes; and shapes alone, past what f32, i32
// and f64 count.
Problems GridProblems(const OperatorSpec& spec);

// Sums of the type's extremes past 2^8, 2^16, 2^24 and 2^31, and elements at places past 2^8, 2^16
// and 2^24 of a plane, over channels and over batches. `every_type`: those past 2^24 whose elements tell each place
// are of every element type, not of one that is small.
Problems CounterProblems(const OperatorSpec& spec, bool every_type);

// Elements at places past 2^31 of a plane, over channels and over batches: feature maps of 2 GiB, of one byte
// per element, and few windows. Of operators that cover their input nothing.
Problems HugeProblems(const OperatorSpec& spec);

// The pooling layers of networks that the operator can compute, with some element types each, in turn.
// One problem in `whole` has the layer as it is, unless it is very large; in the others it has fewer
// channels and batches where it is large. 1: all layers as they are, with every element type.
// `layers`: the place of each in specs.networks; may be null.
Problems NetworkProblems(const Specs& specs, const OperatorSpec& spec, size_t whole,
                         std::vector<size_t>* layers = nullptr);
// A layer as it is, as a problem of one function of the operator, what a layer does not say at its default; nothing
// where the function cannot compute it.
std::optional<Problem> LayerProblem(const OperatorSpec& spec, const Function& function, poolproof_element_type type,
                                    const NetworkLayer& layer);

// Special values: each element type of each function that is not a specialization, with each of
// NaN, infinities, zeros, lowest, highest at first, last, corner and pad-adjacent taps.
Problems SpecialProblems(const OperatorSpec& spec);
// Each of these without padding, and with such that the output is as large as the input, for backends that take no
// pads.
Problems SpecialProblemsWithoutPads(const OperatorSpec& spec);

// A defect that was published, and a problem that shows it.
struct Regression {
  std::string report;  // "openvino 18731: rounding up, one output too many ..."
  std::string line;    // a valid problem, or a call that is to be rejected
};
// The list fuzz/regressions.txt as it was when the program was built.
std::vector<Regression> Regressions();

}  // namespace poolproof
