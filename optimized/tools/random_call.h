// Random calls of every operator, with data that tells wrong results from right ones.
#ifndef POOLPROOF_OPTIMIZED_TOOLS_RANDOM_CALL_H_
#define POOLPROOF_OPTIMIZED_TOOLS_RANDOM_CALL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend.h"

namespace poolproof::optimized {

// SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  int64_t In(int64_t low, int64_t high) {  // both included
    return low + static_cast<int64_t>(Next() % static_cast<uint64_t>(high - low + 1));
  }
  bool OneIn(int64_t n) { return In(1, n) == 1; }

 private:
  uint64_t state_;
};

// The operators that calls are made for; for MLI one name per layout and type.
const std::vector<std::string>& OperatorNames();
// "f32".
std::string_view TypeName(poolproof_element_type type);

// One call that owns all that it points to. Most calls are valid; some break a rule.
class RandomCall {
 public:
  // `max_elements` bounds input and output.
  RandomCall(const std::string& op, Random& random, int64_t max_elements);
  RandomCall(const RandomCall&) = delete;
  RandomCall& operator=(const RandomCall&) = delete;

  // Other data: see random_data.h.
  void FillWithZeros(Random& random);

  poolproof_call& call() { return call_; }
  poolproof_tensor& input() { return inputs_[0]; }
  poolproof_tensor& output(size_t i) { return outputs_[i]; }
  const std::vector<unsigned char>& data() const { return data_; }
  // The call in one line, without its data.
  std::string Line() const;

 private:
  struct Attribute {
    std::string name;
    std::vector<int64_t> values;
    std::string word;
    poolproof_attribute_kind kind;
  };

  void MakeShape(Random& random, int64_t max_elements);
  void MakeFixed(Random& random);
  void MakeTiles(Random& random, std::vector<int64_t>& kernel, std::vector<int64_t>& strides,
                 std::vector<int64_t>& begin, std::vector<int64_t>& end);
  void MakeFrequent(Random& random, std::vector<int64_t>& kernel, std::vector<int64_t>& strides,
                    std::vector<int64_t>& begin, std::vector<int64_t>& end);
  void MakeWords(Random& random);
  void MakeAdaptive(Random& random);
  void MakeMli(Random& random);
  void MakeData(Random& random);
  void Bind();

  void List(const char* name, std::vector<int64_t> values);
  void Int(const char* name, int64_t value) { attributes_.push_back({name, {value}, "", POOLPROOF_INT}); }
  void Word(const char* name, const char* word) {
    attributes_.push_back({name, {}, word, POOLPROOF_WORD});
  }

  std::string op_;
  bool mli_, adaptive_;
  std::vector<int64_t> dims_;
  std::vector<Attribute> attributes_;
  std::vector<int64_t> sizes_;
  std::vector<unsigned char> data_;
  poolproof_tensor inputs_[2] = {}, outputs_[2] = {};
  std::vector<poolproof_attribute> abi_attributes_;
  std::vector<const poolproof_attribute*> attribute_pointers_;
  const poolproof_tensor* input_pointers_[2] = {};
  poolproof_tensor* output_pointers_[2] = {};
  poolproof_call call_ = {};
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_TOOLS_RANDOM_CALL_H_
