// A problem: one operator call with its data, complete in one line of text.
//
//   MaxPool-14 f32 in=1x3x8x9 k=3x2 s=2 pb=1x0 pe=1x1 rounding=ceil_torch index=i32 axis=2
//       fill=ties seed=7
//
// The first word is the operator, the second the element type; then key=value words. Keys: `in`
// (shape of the feature map), the keys of the operator's attributes (specs), and
//   sizes=7x5 sizestype=i64   second input of the adaptive operators
//   frac=7                    fractional bits of fx8 and fx16
//   fill=NAME seed=N          how the input is filled (fill.h); fill=none: not at all, the shapes of
//                             the result alone are asked for and judged
//   data=1,-2.5,nan,-inf      explicit input values instead of a fill
//   outputs=1                 how many outputs are asked for, where the operator may be called without the last
//   capacity=-1               bytes by which the outputs are larger (or smaller) than needed; 0x-1: one by one
// An int list is 3x2; one number stands for all spatial axes; [3] or [] is a list of just that
// length, which may be wrong on purpose. An attribute that is not written is absent from the call.
// The order of words means nothing; the order of the attributes in the call is drawn from the seed
// (0: that of the document).
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend.h"
#include "conformance/cases/spec.h"

namespace poolproof {

inline constexpr int kMaxAttributes = 12;
inline constexpr int kMaxInputs = 2;
inline constexpr int kMaxOutputs = 2;

// A short list of integers without allocation.
struct IntList {
  std::array<int64_t, POOLPROOF_MAX_RANK> value{};
  uint8_t size = 0;

  int64_t operator[](size_t i) const {
    assert(i < size);
    return value[i];
  }
  int64_t& operator[](size_t i) {
    assert(i < size);
    return value[i];
  }
  const int64_t* begin() const { return value.data(); }
  const int64_t* end() const { return value.data() + size; }
  void push_back(int64_t v) {
    assert(size < value.size());
    value[size++] = v;
  }
  friend bool operator==(const IntList& a, const IntList& b);
};

// Bytes by which the memory of each output is larger than needed, or smaller where negative.
struct Capacity {
  std::array<int64_t, kMaxOutputs> more{};

  Capacity() = default;
  Capacity(int64_t all) { more.fill(all); }  // NOLINT(google-explicit-constructor): one number stands for all
  bool IsOne() const { return *this == Capacity(more[0]); }
  // Bytes of output `i`, which needs `bytes`.
  int64_t Room(size_t i, int64_t bytes) const { return more[i] < -bytes ? 0 : bytes + more[i]; }
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

struct AttributeValue {
  bool present = false;
  int64_t integer = 0;  // kInt; kBool 0 or 1
  IntList list;         // kIntList
  std::string word;     // kWord; may be a word that the spec does not know
  friend bool operator==(const AttributeValue&, const AttributeValue&) = default;
};

struct Problem {
  const OperatorSpec* spec = nullptr;  // never null in a valid problem
  const Function* function = nullptr;  // the name called
  poolproof_element_type type = POOLPROOF_F32;
  IntList shape;                                          // of the feature map
  std::array<AttributeValue, kMaxAttributes> attributes;  // parallel to spec->attributes
  IntList sizes;                                          // second input, where the spec has one
  poolproof_element_type sizes_type = POOLPROOF_I64;
  int32_t frac_bits = 0;
  Capacity capacity;
  uint8_t outputs = 0;  // that are asked for; 0: all
  std::string fill = "distinct";
  uint64_t seed = 0;
  std::vector<Number> data;  // explicit values; overrides fill when not empty

  int SpatialRank() const { return static_cast<int>(shape.size) - (function->HasBatch() ? 2 : 1); }
  bool IsMliLayout() const { return function->IsMliLayout(); }
  bool HasSizes() const;       // the operator takes a second input that carries sizes
  size_t OutputCount() const;  // outputs of the call
  int64_t Elements() const;    // of the feature map; saturates at INT64_MAX
  int64_t InputBytes() const;  // of the feature map; saturates at INT64_MAX
  bool ShapesAlone() const;    // there is no data: the call is inferred, never run
  const AttributeValue* Find(Role role, int spatial_axis = -1) const;
  AttributeValue* Find(Role role, int spatial_axis = -1);
};

// A list that grows without moving its problems, which are large.
using Problems = std::deque<Problem>;

// The canonical line. ParseLine(PrintLine(p)) gives p again.
std::string PrintLine(const Problem& problem);
void AppendLine(const Problem& problem, std::string* out);

// Reads a line. On failure `error` names the word and its position in the line. Data are rounded to
// the element type (integers: must be values of it). `specs` has to outlive the problem.
std::optional<Problem> ParseLine(const Specs& specs, std::string_view line, Error* error);

// The call of a problem, pointing into itself and into the problem: neither may move or change
// while it is used. Data pointers are set by the caller; outputs are described with element type 0
// and rank 0 until they are inferred. `sizes` data is filled in.
class Call {
 public:
  Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  void Bind(const Problem& problem);
  // With the attributes in this order, by their places in the spec.
  void Bind(const Problem& problem, std::span<const uint8_t> order);

  poolproof_call call{};
  poolproof_tensor inputs[kMaxInputs]{};
  poolproof_tensor outputs[kMaxOutputs]{};

 private:
  void BindSizes(const Problem& problem, poolproof_tensor* tensor);

  void BindAttributes(const Problem& problem, std::span<const uint8_t> order);
  void Join(const Problem& problem, size_t attribute);

  poolproof_attribute attributes_[kMaxAttributes]{};
  IntList joined_;  // of the list that several attributes of the spec are parts of
  const poolproof_attribute* attribute_pointers_[kMaxAttributes]{};
  const poolproof_tensor* input_pointers_[kMaxInputs]{};
  poolproof_tensor* output_pointers_[kMaxOutputs]{};
  int64_t sizes64_[POOLPROOF_MAX_RANK]{};
  int32_t sizes32_[POOLPROOF_MAX_RANK]{};
};

}  // namespace poolproof
