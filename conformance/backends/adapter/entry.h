// The exported symbols of an adapter.
//
// POOLPROOF_ADAPTER(Library, name, version) defines poolproof_get_backend, and beside it
//
//   const char* const* poolproof_adapter_rules(size_t* count);
//
// which lists the mapping rules of the adapter, "condition: reason", so that a report can print
// what was not asked of the library. The strings live as long as the library is loaded.
//
// Library is a class as backend_helper.h describes it, but is made from an Options*, of which it takes
// the options that it knows, and has static std::span<const Rule> Rules().
#pragma once

#include <string>
#include <vector>

#include "conformance/backend_helper.h"
#include "conformance/backends/adapter/adapter.h"
#include "conformance/backends/adapter/options.h"

namespace poolproof::adapter {

template <typename Library>
class Entry {
 public:
  explicit Entry(const std::vector<std::string>& texts) : options_(texts), library_(&options_) { options_.Finish(); }

  void InferShapes(const backend::CallView& call) { library_.InferShapes(call); }
  void Run(const backend::CallView& call) { library_.Run(call); }

  static const char* const* RuleTexts(size_t* count) {
    static const std::vector<std::string> texts = [] {
      std::vector<std::string> all;
      for (const Rule& rule : Library::Rules()) all.push_back(rule.Text());
      return all;
    }();
    static const std::vector<const char*> pointers = [] {
      std::vector<const char*> all;
      for (const std::string& text : texts) all.push_back(text.c_str());
      return all;
    }();
    *count = pointers.size();
    return pointers.data();
  }

 private:
  Options options_;
  Library library_;
};

}  // namespace poolproof::adapter

#define POOLPROOF_ADAPTER(Library, name, version)                                         \
  extern "C" POOLPROOF_EXPORT const char* const* poolproof_adapter_rules(size_t* count) { \
    return poolproof::adapter::Entry<Library>::RuleTexts(count);                          \
  }                                                                                       \
  POOLPROOF_EXPORT_BACKEND(poolproof::adapter::Entry<Library>, name, version)
