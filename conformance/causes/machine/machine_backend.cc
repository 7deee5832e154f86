// The one that all mutants of a library share: its list, and the option that switches one on.
#include "conformance/causes/machine/machine.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/backend.h"
#include "conformance/causes/machine/mutate.h"

// The backend that the library was made of, whose entry was given this name.
extern "C" const poolproof_backend* poolproof_machine_original(uint32_t abi_version);

namespace poolproof::machine {

uint32_t chosen = 0;
bool tracing = false;

namespace {

constexpr std::string_view kMutantKey = "mutant=";

// All that transform.py has written, by number.
constexpr Mutant kWritten[] = {
#include POOLPROOF_MACHINE_PLACES
};
constexpr size_t kNumbers = std::end(kWritten)[-1].number + size_t{1};

// By number: whether the mutant has a meaning, and whether it is in `noted`.
bool is_entered[kNumbers], is_noted[kNumbers];
// Those noted since they were asked for, and those before, which the caller reads.
std::vector<uint32_t> noted, told;

std::vector<Mutant> MakeList() {
  std::vector<Mutant> list;
  std::copy_if(std::begin(kWritten), std::end(kWritten), std::back_inserter(list),
               [](const Mutant& mutant) { return is_entered[mutant.number]; });
  return list;
}

const std::vector<Mutant>& List() {
  static const std::vector<Mutant> list = MakeList();
  return list;
}

bool Choose(std::string_view name) {
  chosen = 0;
  if (name == "none") return true;
  for (const Mutant& mutant : List()) {
    if (name == mutant.Name()) chosen = mutant.number;
  }
  return chosen != 0;
}

poolproof_status Create(const char* const* options, size_t option_count, poolproof_instance** instance, char* error,
                        size_t error_size) {
  std::vector<const char*> others;
  for (const char* const option : std::span(options, option_count)) {
    const std::string_view text = option;
    if (!text.starts_with(kMutantKey)) {
      others.push_back(option);
    } else if (!Choose(text.substr(kMutantKey.size()))) {
      std::snprintf(error, error_size, "no mutant is named \"%s\"", option + kMutantKey.size());
      return POOLPROOF_INVALID_ARGUMENT;
    }
  }
  return poolproof_machine_original(POOLPROOF_ABI_VERSION)
      ->create(others.data(), others.size(), instance, error, error_size);
}

poolproof_backend MakeBackend() {
  poolproof_backend backend = *poolproof_machine_original(POOLPROOF_ABI_VERSION);
  backend.create = Create;
  return backend;
}

}  // namespace

void Note(uint32_t mutant) {
  if (!is_noted[mutant]) noted.push_back(mutant);
  is_noted[mutant] = true;
}

bool Enter(uint32_t mutant) { return is_entered[mutant] = true; }

}  // namespace poolproof::machine

const poolproof::machine::Mutant* poolproof_machine_mutants(size_t* count) {
  *count = poolproof::machine::List().size();
  return poolproof::machine::List().data();
}

void poolproof_machine_trace(bool on) { poolproof::machine::tracing = on; }

const uint32_t* poolproof_machine_noted(size_t* count) {
  using namespace poolproof::machine;
  for (const uint32_t mutant : noted) is_noted[mutant] = false;
  told.swap(noted);
  noted.clear();
  *count = told.size();
  return told.data();
}

extern "C" const poolproof_backend* poolproof_get_backend(uint32_t abi_version) {
  static const poolproof_backend backend = poolproof::machine::MakeBackend();
  return abi_version == POOLPROOF_ABI_VERSION ? &backend : nullptr;
}
