#include "conformance/worker/backend_loader.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>

namespace poolproof::worker {
namespace {

std::string MachineName(unsigned machine) {
  switch (machine) {
    case EM_386: return "32-bit x86";
    case EM_X86_64: return "x86-64";
    case EM_ARM: return "32-bit ARM";
    case EM_AARCH64: return "AArch64";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "PowerPC 64";
    default: return "machine " + std::to_string(machine) + " of the ELF format";
  }
}

#if defined(__x86_64__)
constexpr unsigned kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kMachine = EM_AARCH64;
#else
constexpr unsigned kMachine = EM_NONE;
#endif

std::string AProgram(const std::string& path) { return "a program, judged with --backend=process:" + path; }

// The end of a sentence for a file of other bytes, with the first of them as a string of C.
std::string NoSharedObject(std::string_view head) {
  constexpr size_t kShown = 24;
  std::string begin;
  for (const char byte : head.substr(0, kShown)) {
    const bool plain = byte >= ' ' && byte <= '~';
    std::array<char, 5> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "\\x%02x", static_cast<unsigned char>(byte));
    begin += plain ? std::string(1, byte) : byte == '\n' ? "\\n" : std::string(escaped.data());
  }
  return "no shared object: it begins with \"" + begin + "\"";
}

// Names the kind of a file that is no shared object of this machine; empty where it may be one.
std::string WhatElse(const std::string& path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) return "a folder";
  std::ifstream file(path, std::ios::binary);
  std::array<char, sizeof(Elf64_Ehdr)> head{};
  file.read(head.data(), head.size());
  const std::string_view begin(head.data(), static_cast<size_t>(file.gcount()));
  if (begin.empty()) return file.eof() ? "empty" : "";
  if (begin.starts_with("#!")) return AProgram(path);
  if (begin.starts_with("!<arch>")) return "a static library; link it into a shared object";
  if (!begin.starts_with(ELFMAG)) return NoSharedObject(begin);
  if (!file) return "cut off: it has " + std::to_string(begin.size()) + " bytes";
  Elf64_Ehdr header;  // of which the first fields are those of 32 bits as well
  std::memcpy(&header, head.data(), sizeof(header));
  if (header.e_type == ET_REL) return "an object file, which is not linked yet";
  if (header.e_type == ET_EXEC) return AProgram(path);
  if (kMachine == EM_NONE || header.e_machine == kMachine) return "";
  return "for " + MachineName(header.e_machine) + ", and this program for " + MachineName(kMachine);
}

std::string CheckTable(const std::string& path, const poolproof_backend* table) {
  const std::string own = std::to_string(POOLPROOF_ABI_VERSION);
  if (table == nullptr) {
    return path + " does not serve ABI version " + own + ": poolproof_get_backend returned NULL";
  }
  // The version stands in the first bytes of every version of the table, so it is asked first.
  if (table->struct_size < offsetof(poolproof_backend, name)) {
    return path + " has a backend table of " + std::to_string(table->struct_size) +
           " bytes, too short to name its ABI version";
  }
  if (table->abi_version != POOLPROOF_ABI_VERSION) {
    return path + " was built for ABI version " + std::to_string(table->abi_version) +
           ", this program serves version " + own;
  }
  if (table->struct_size < sizeof(poolproof_backend)) {
    return path + " has a backend table of " + std::to_string(table->struct_size) + " bytes, ABI version " + own +
           " needs " + std::to_string(sizeof(poolproof_backend));
  }
  if (table->create == nullptr || table->destroy == nullptr || table->infer_shapes == nullptr ||
      table->run == nullptr || table->last_error == nullptr) {
    return path + " has a backend table in which a function is NULL";
  }
  if (table->name == nullptr || table->version == nullptr) {
    return path + " has a backend table in which name or version is NULL";
  }
  return "";
}

std::string CreateInstance(const std::string& path, const std::vector<std::string>& options, LoadedBackend* loaded) {
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());
  std::array<char, 1024> error{};
  const poolproof_status status =
      loaded->table->create(pointers.data(), pointers.size(), &loaded->instance, error.data(), error.size());
  if (status == POOLPROOF_OK) return "";
  error.back() = '\0';
  return path + " could not make an instance, " + StatusName(status) +
         (error[0] == '\0' ? "" : std::string(": ") + error.data());
}

}  // namespace

std::string LoadBackend(const std::string& path, const std::vector<std::string>& options, LoadedBackend* loaded) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::string said = dlerror();
    std::string what = WhatElse(path);
    if (what.empty() && said.ends_with("executable")) what = AProgram(path);
    return "cannot load the shared object: " + (what.empty() ? said : path + " is " + what);
  }
  void* symbol = dlsym(library, "poolproof_get_backend");
  if (symbol == nullptr) return path + " does not export poolproof_get_backend";
  const auto get_backend = reinterpret_cast<poolproof_get_backend_fn>(symbol);
  loaded->table = get_backend(POOLPROOF_ABI_VERSION);
  const std::string error = CheckTable(path, loaded->table);
  return error.empty() ? CreateInstance(path, options, loaded) : error;
}

std::string StatusName(poolproof_status status) {
  switch (status) {
    case POOLPROOF_OK: return "OK";
    case POOLPROOF_UNSUPPORTED: return "UNSUPPORTED";
    case POOLPROOF_INVALID_ARGUMENT: return "INVALID_ARGUMENT";
    case POOLPROOF_INTERNAL_ERROR: return "INTERNAL_ERROR";
    default: return "status " + std::to_string(status);
  }
}

}  // namespace poolproof::worker
