// A copy of a call whose attributes can be changed: how a mutant misreads what it was asked.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "conformance/backend.h"

namespace poolproof::mutants {

class CallEdit {
 public:
  explicit CallEdit(const poolproof_call& call);
  CallEdit(const CallEdit&) = delete;
  CallEdit& operator=(const CallEdit&) = delete;

  // nullptr where the attribute is absent or of another kind. What a list holds may have any
  // length.
  std::vector<int64_t>* List(std::string_view name);
  int64_t* Integer(std::string_view name);
  // "" where absent.
  std::string_view Word(std::string_view name) const;
  // The names of all lists, in the order of the call.
  std::vector<std::string_view> ListNames() const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // The strings have to outlive the edit: literals.
  void SetWord(const char* name, const char* word);
  void SetList(const char* name, std::vector<int64_t> values);
  void Remove(std::string_view name);
  void Rename(std::string_view name, const char* new_name);
  void Swap(std::string_view a, std::string_view b);  // values of two attributes of one kind

  std::string_view Op() const { return call_.op == nullptr ? "" : call_.op; }
  std::vector<poolproof_tensor>& Inputs() { return inputs_; }
  int SpatialRank() const;

  // The edited call. Outputs are those of the original.
  const poolproof_call& Call();

 private:
  const poolproof_attribute* Find(std::string_view name) const;
  poolproof_attribute* Find(std::string_view name);
  poolproof_attribute& Add(const char* name, poolproof_attribute_kind kind);

  poolproof_call call_;
  std::vector<poolproof_attribute> attributes_;
  std::deque<std::vector<int64_t>> lists_;  // parallel to attributes_
  std::vector<poolproof_tensor> inputs_;
  std::vector<const poolproof_attribute*> attribute_pointers_;
  std::vector<const poolproof_tensor*> input_pointers_;
};

}  // namespace poolproof::mutants
