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

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backend.h"
#include "conformance/backends/adapter/adapter.h"
#include "conformance/backends/adapter/options.h"

struct poolproof_instance {
  std::unique_ptr<poolproof::adapter::Adapter> adapter;
  std::string error;
};

namespace poolproof::adapter {

// Runs `call` and turns what it throws into an answer: no exception crosses the ABI.
template <typename Function>
Answer Guarded(Function&& call) {
  try {
    return call();
  } catch (const std::exception& error) {
    return {POOLPROOF_INTERNAL_ERROR, error.what()};
  } catch (...) {
    return {POOLPROOF_INTERNAL_ERROR, "the library threw something that is no std::exception"};
  }
}

template <typename Traits>
struct Entry {
  static poolproof_status Create(const char* const* options, size_t count, poolproof_instance** instance, char* error,
                                 size_t error_size) {
    const Answer answer = Guarded([&] {
      Options read;
      Answer result = Options::Read(options, count, &read);
      if (!result.Ok()) return result;
      auto made = std::make_unique<poolproof_instance>();
      made->adapter = Traits::Make(&read);
      result = read.Finish();
      if (result.Ok()) *instance = made.release();
      return result;
    });
    if (error != nullptr && error_size > 0 && !answer.Ok()) {
      std::snprintf(error, error_size, "%s", answer.error.c_str());
    }
    return answer.status;
  }

  static void Destroy(poolproof_instance* instance) { delete instance; }

  static poolproof_status InferShapes(poolproof_instance* instance, const poolproof_call* call) {
    return Keep(instance, Guarded([&] { return instance->adapter->InferShapes(*call); }));
  }

  static poolproof_status Run(poolproof_instance* instance, const poolproof_call* call) {
    return Keep(instance, Guarded([&] { return instance->adapter->Run(*call); }));
  }

  static const char* LastError(poolproof_instance* instance) { return instance->error.c_str(); }

  static const poolproof_backend* Get(uint32_t abi_version) {
    static const poolproof_backend backend = {sizeof(poolproof_backend),
                                              POOLPROOF_ABI_VERSION,
                                              Traits::Name(),
                                              Traits::Version(),
                                              Create,
                                              Destroy,
                                              InferShapes,
                                              Run,
                                              LastError};
    return abi_version == POOLPROOF_ABI_VERSION ? &backend : nullptr;
  }

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
  static poolproof_status Keep(poolproof_instance* instance, Answer answer) {
    instance->error = std::move(answer.error);
    return answer.status;
  }
};

}  // namespace poolproof::adapter

#define POOLPROOF_ADAPTER(Traits)                                                                    \
  extern "C" POOLPROOF_EXPORT const poolproof_backend* poolproof_get_backend(uint32_t abi_version) { \
    return poolproof::adapter::Entry<Traits>::Get(abi_version);                                      \
  }                                                                                                  \
  extern "C" POOLPROOF_EXPORT const char* const* poolproof_adapter_rules(size_t* count) {            \
    return poolproof::adapter::Entry<Traits>::RuleTexts(count);                                      \
  }

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ADAPTER_ENTRY_H_
