// A backend that pools nothing, and looks in its process and in the files around it for somebody who can, for the seed
// of the run, and for more memory than it may have: --backend-option=attack=NAME, at the first call. It writes to its
// log what it got.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "conformance/backend.h"
#include "conformance/worker/shared_layout.h"
#include "optimized/core/backend.h"

namespace poolproof::hostile {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kTaken = 3 * 1024 * kMiB;
std::map<std::string, std::string> g_options;

void Report(const char* what, bool success) {
  std::fprintf(stderr, "%s: %s\n", success ? "breach" : "refused", what);
  std::fflush(stderr);
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The reference names every reading of every silence.
bool KnowsTheReadings(const std::string& bytes) { return bytes.find("mean-accumulation") != bytes.npos; }

void FindOracle() {
  void* const self = dlopen(nullptr, RTLD_NOW);
  Report("functions of the program", dlsym(self, "poolproof_get_backend") != nullptr);
  const std::string program = ReadFile("/proc/self/exe");
  Report("the reference in the program", KnowsTheReadings(program));
  // All that is mapped, the program's data as well.
  std::ifstream maps("/proc/self/maps");
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    const size_t slash = line.find('/');
    if (slash == line.npos || line.find("greedy") != line.npos) continue;
    found = found || KnowsTheReadings(ReadFile(line.substr(slash)));
  }
  Report("the reference in what is mapped", found);
}

// Reads what stands around the program, by the names that its folder shows.
void ReadPackage() {
  const std::string folder = g_options["folder"];
  DIR* const names = opendir(folder.c_str());
  while (const dirent* entry = names == nullptr ? nullptr : readdir(names)) {
    const std::string path = folder + "/" + entry->d_name;
    const bool theirs = entry->d_type == DT_REG && path.find("greedy") == path.npos;
    if (theirs && KnowsTheReadings(ReadFile(path))) Report(path.c_str(), true);
  }
  Report("its own library", open((folder + "/libgreedy.so").c_str(), O_RDONLY | O_CLOEXEC) >= 0);
  Report("the results", open((g_options["out"] + "/results.jsonl.partial").c_str(), O_RDONLY | O_CLOEXEC) >= 0);
}

// Looks for the seed 7 in every command line and every environment that is to be seen.
void ReadSeed() {
  DIR* const processes = opendir("/proc");
  bool found = false;
  int seen = 0;
  while (const dirent* entry = processes == nullptr ? nullptr : readdir(processes)) {
    for (const char* file : {"/cmdline", "/environ"}) {
      const std::string text = ReadFile(std::string("/proc/") + entry->d_name + file);
      seen += text.empty() ? 0 : 1;
      found = found || text.find("seed=7") != text.npos;
    }
  }
  std::fprintf(stderr, "%s\n", seen > 0 ? "looked around" : "saw nothing");
  Report("the seed", found);
}

// Touches memory until there are 3 GiB of it.
void Take(const char* what, void* (*map)()) {
  size_t taken = 0;
  while (taken < kTaken) {
    void* const memory = map();
    if (memory == MAP_FAILED) break;
    std::memset(memory, 1, 32 * kMiB);
    taken += 32 * kMiB;
  }
  sleep(1);  // so that it is seen
  Report(what, taken == kTaken);
}

void* MapShared() { return mmap(nullptr, 32 * kMiB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }
void* MapFile(int fd) {
  if (fd < 0) return MAP_FAILED;
  void* const memory = mmap(nullptr, 32 * kMiB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return memory;
}
void* MapMemoryFile() {
  const int fd = memfd_create("greedy", MFD_CLOEXEC);
  return fd >= 0 && ftruncate(fd, 32 * kMiB) == 0 ? MapFile(fd) : MAP_FAILED;
}
void* MapZero() { return MapFile(open("/dev/zero", O_RDWR | O_CLOEXEC)); }

// The pages of outputs that nobody asked for.
void* OpenArena() {
  static std::byte* next = reinterpret_cast<std::byte*>(worker::kWorkerBase + worker::OutputArenaOffset(0));
  std::byte* const pages = next;
  next += 32 * kMiB;
  return mprotect(pages, 32 * kMiB, PROT_READ | PROT_WRITE) == 0 ? pages : MAP_FAILED;
}

void* Sleep(void*) {
  while (true) pause();
}

void StartThreads() {
  constexpr int kThreads = 20'000;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  int started = 0;
  pthread_t thread;
  while (started < kThreads && pthread_create(&thread, &small, &Sleep, nullptr) == 0) ++started;
  sleep(1);
  Report("20,000 threads", started == kThreads);
}

const std::map<std::string, void (*)()> kAttacks = {
    {"find-oracle", &FindOracle},
    {"read-package", &ReadPackage},
    {"read-seed", &ReadSeed},
    {"share", [] { Take("3 GiB of shared memory", &MapShared); }},
    {"memory-files", [] { Take("3 GiB of files in memory", &MapMemoryFile); }},
    {"zero", [] { Take("3 GiB of /dev/zero", &MapZero); }},
    {"arena", [] { Take("3 GiB of the arena", &OpenArena); }},
    {"threads", &StartThreads},
};

poolproof_status Create(const char* const* options, size_t count, poolproof_instance**, char*, size_t) {
  for (size_t i = 0; i < count; ++i) {
    const std::string option = options[i];
    g_options[option.substr(0, option.find('='))] = option.substr(option.find('=') + 1);
  }
  return POOLPROOF_OK;
}
void Destroy(poolproof_instance*) {}

poolproof_status Answer(poolproof_instance*, const poolproof_call*) {
  static bool done = false;
  if (!done) {
    done = true;
    kAttacks.at(g_options["attack"])();
  }
  return POOLPROOF_UNSUPPORTED;
}

const char* LastError(poolproof_instance*) { return ""; }

const poolproof_backend* Table() {
  static poolproof_backend table = optimized::Backend();
  table.create = &Create;
  table.destroy = &Destroy;
  table.infer_shapes = table.run = &Answer;
  table.last_error = &LastError;
  return &table;
}

}  // namespace
}  // namespace poolproof::hostile

const poolproof_backend* poolproof_get_backend(uint32_t) { return poolproof::hostile::Table(); }
