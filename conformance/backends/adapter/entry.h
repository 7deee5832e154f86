// The exported symbols of an adapter.
//
// POOLPROOF_ADAPTER(Traits) defines poolproof_get_backend, and beside it
//
//   const char* const* poolproof_adapter_rules(size_t* count);
//
// which lists the mapping rules of the adapter, "condition: reason", so that a report can print
// what was not asked of the library. The strings live as long as the library is loaded.
//
// Traits has static members: const char* Name(), const char* Version(), std::span<const Rule>
// Rules(), and std::unique_ptr<Adapter> Make(Options*), which may throw.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_ENTRY_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_ENTRY_H_

#include <memory>
#include <string>
#include <vector>

#include "conformance/backend_helper.h"
#include "conformance/backends/adapter/adapter.h"
#include "conformance/backends/adapter/options.h"

namespace poolproof::adapter {

template <typename Traits>
class Entry {
 public:
  explicit Entry(const std::vector<std::string>& texts) {
    Options options(texts);
    adapter_ = Traits::Make(&options);
    options.Finish();
  }

  Answer InferShapes(const backend::CallView& call) { return adapter_->InferShapes(call.Call()); }
  Answer Run(const backend::CallView& call) { return adapter_->Run(call.Call()); }

  static const char* const* RuleTexts(size_t* count) {
    static const std::vector<std::string> texts = [] {
      std::vector<std::string> all;
      for (const Rule& rule : Traits::Rules()) all.push_back(rule.Text());
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
  std::unique_ptr<Adapter> adapter_;
};

}  // namespace poolproof::adapter

#define POOLPROOF_ADAPTER(Traits)                                                                    \
  extern "C" POOLPROOF_EXPORT const poolproof_backend* poolproof_get_backend(uint32_t abi_version) { \
    return poolproof::backend::Table<poolproof::adapter::Entry<Traits>>(abi_version, Traits::Name(), \
                                                                        Traits::Version());          \
  }                                                                                                  \
  extern "C" POOLPROOF_EXPORT const char* const* poolproof_adapter_rules(size_t* count) {            \
    return poolproof::adapter::Entry<Traits>::RuleTexts(count);                                      \
  }

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_ENTRY_H_
