// Reads the named attributes of a call and says in one sentence what is wrong with one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "conformance/backend.h"
#include "optimized/core/operator.h"

namespace poolproof::optimized {

class Attributes {
 public:
  explicit Attributes(const poolproof_call& call) : call_(call) {}

  // Rejects attributes whose name is not listed, and a name given twice.
  Result CheckNames(std::span<const std::string_view> names) const;
  Result CheckNames(std::initializer_list<std::string_view> names) const {
    return CheckNames(std::span(names.begin(), names.size()));
  }

  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // A list of exactly `count` integers, each >= min. Required unless it has a default, which then
  // fills `values` where the attribute is absent.
  Result List(std::string_view name, int count, int64_t min, const int64_t* default_value, int64_t* values) const;
  // One of `words`; `index` is its position, and stays as it is where the attribute is absent.
  Result Word(std::string_view name, std::initializer_list<std::string_view> words, int* index) const;
  // An integer in [min, max]; required unless `value` may stay as it is.
  Result Int(std::string_view name, int64_t min, int64_t max, bool required, int64_t* value) const;
  // Required unless `value` may stay as it is.
  Result Bool(std::string_view name, bool required, bool* value) const;

 private:
  const poolproof_attribute* Find(std::string_view name) const;

  const poolproof_call& call_;
};

}  // namespace poolproof::optimized
