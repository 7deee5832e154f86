// Strict reading of the named attributes of a call.
//
// A function answers false, and context.error says why, where the attribute is there but is not
// what the operator's document allows: wrong kind, wrong length, a word or a number out of range.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/reference.h"

namespace poolproof::reference {

// One value per spatial axis, outermost first.
using PerAxis = std::array<int64_t, 3>;

class Attributes {
 public:
  Attributes(const poolproof_call& call, Context& context) : call_(call), context_(context) {}

  // Every attribute is one of `names`, is there once, and is a filled struct of the known version.
  bool CheckNames(std::span<const std::string_view> names);

  bool IsPresent(std::string_view name) const { return Find(name) != nullptr; }

  // Refuses a call that lacks the attribute.
  bool Require(std::string_view name);

  // The readers leave `value` alone where the attribute is absent: it holds the default.

  // An integer in [min, max].
  bool ReadInteger(std::string_view name, int64_t min, int64_t max, int64_t* value);
  bool ReadBool(std::string_view name, bool* value);
  // `spatial_rank` integers, each at least `min`.
  bool ReadPerAxis(std::string_view name, int spatial_rank, int64_t min, PerAxis* value);
  // As many integers as `values` has, each at least `min`.
  bool ReadIntegers(std::string_view name, int64_t min, std::span<int64_t> values);
  // One of `words`; *value is its position there.
  bool ReadWord(std::string_view name, std::span<const std::string_view> words, int* value);

 private:
  const poolproof_attribute* Find(std::string_view name) const;
  // The attribute, nullptr where absent; sets *ok to false where its kind is not `kind`.
  const poolproof_attribute* FindKind(std::string_view name, poolproof_attribute_kind kind, bool* ok);

  const poolproof_call& call_;
  Context& context_;
};

}  // namespace poolproof::reference
