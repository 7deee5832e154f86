// Copies input 1 to output 1, and to output 2 the position of each element as i32. The word of the
// attribute "fault" makes one call go wrong in just one way.
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>

#include "conformance/backend_helper.h"

namespace {

using poolproof::backend::CallView;
using poolproof::backend::Dims;

// Volatile, so that no compiler proves the fault away.
volatile char g_sink = 0;
volatile bool g_deeper = true;

void ReadAt(const char* address) {
  const char value = *static_cast<const volatile char*>(address);
  g_sink = value;
}
void WriteAt(char* address) { *static_cast<volatile char*>(address) = 1; }

[[gnu::noinline]] int Overflow(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return g_deeper ? Overflow(depth + 1) + frame[0] : 0;
}

// 32 MB on each of stdout and stderr.
void Flood() {
  const std::string line(31'999, 'x');
  for (int i = 0; i < 1000; ++i) {
    std::printf("%s\n", line.c_str());
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

// Writes to `address` when run has long returned.
void WriteLate(volatile char* address, int64_t microseconds) {
  std::thread([=] {
    usleep(static_cast<useconds_t>(microseconds));
    *address = static_cast<char>(~*address);
  }).detach();
}

sigjmp_buf g_back;
void JumpBack(int) { siglongjmp(g_back, 1); }

// Installs a handler that swallows the fault of an access and goes on after it.
void Swallow(const std::string& how, const char* address) {
  struct sigaction action = {};
  action.sa_handler = &JumpBack;
  action.sa_flags = SA_NODEFER;
  if (how == "sigaction") sigaction(SIGSEGV, &action, nullptr);
  if (how == "signal") signal(SIGSEGV, &JumpBack);
  if (how == "syscall") {
    // As the kernel has it: handler, flags, restorer, mask.
    sigaction(SIGUSR1, &action, nullptr);
    unsigned long kernel[4] = {};
    syscall(SYS_rt_sigaction, SIGUSR1, nullptr, kernel, 8);
    syscall(SYS_rt_sigaction, SIGSEGV, kernel, nullptr, 8);
  }
  if (sigsetjmp(g_back, 1) == 0) ReadAt(address);
}

[[noreturn]] void Hang() {
  while (true) usleep(1000);
}

class Misbehaving {
 public:
  explicit Misbehaving(const std::vector<std::string>& options) {
    for (const std::string& option : options) {
      if (option == "create=hang") Hang();
      if (option == "create=crash") std::abort();
      if (option == "create=exit") std::exit(7);
      if (option == "create=stdout") std::printf("created\n");
      if (option.starts_with("end=")) {
        end_ = option.substr(4);
      } else if (option != "create=stdout") {
        throw poolproof::backend::InvalidArgument("unknown option " + option);
      }
    }
  }

  ~Misbehaving() {
    if (end_ == "crash") std::abort();
    if (end_ == "hang") Hang();
    if (end_ == "child" && fork() == 0) Hang();
    if (end_ == "daemon" && fork() == 0) {
      setsid();
      if (fork() == 0) Hang();
      _exit(0);
    }
    if (end_ == "at-exit") std::atexit([] { std::abort(); });
    if (end_ == "status") _exit(3);
  }

  void InferShapes(const CallView& call) {
    ++infers_;
    const std::string fault(call.Word("fault", ""));
    const auto& input = call.Input(0);
    call.DescribeOutput(0, input.element_type, call.InputDims(0));
    if (call.OutputCount() > 1) call.DescribeOutput(1, POOLPROOF_I32, call.InputDims(0));
    auto& output = call.Output(0);
    if (fault == "infer-unsupported") throw poolproof::backend::Unsupported("not this one");
    if (fault == "infer-abort") std::abort();
    if (fault == "infer-reads-data") ReadAt(call.InputData<char>(0));
    if (fault == "infer-hang") Hang();
    if (fault == "infer-differs" && infers_ % 2 == 0) call.DescribeOutput(0, POOLPROOF_F32, {1});
    if (fault == "rank-9") output.rank = 9;
    if (fault == "negative-dim") output.dims[0] = -1;
    if (fault == "unknown-type") output.element_type = 99;
    if (fault == "short-bytes") output.size_bytes -= 1;
    if (fault == "infer-writes-struct-size") output.struct_size = 1;
    if (fault == "infer-writes-data") output.data = &infers_;
    if (fault == "nothing-described") std::memset(&output.element_type, 0, 4);
    if (fault == "huge-output") call.DescribeOutput(0, POOLPROOF_I8, {int64_t{1} << 40});
    if (fault == "wide-output") call.DescribeOutput(0, POOLPROOF_I8, {100'000});
  }

  void Run(const CallView& call) {
    const std::string fault(call.Word("fault", ""));
    if (fault == "wide-output") {
      std::memset(call.OutputData<char>(0), 9, 100'000);
      return;
    }
    call.CheckCapacity();
    Copy(call, fault == "skip-last" ? 4 : 0);
    Misbehave(fault, call);
    MisbehaveInMemory(fault, call);
  }

 private:
  static void Copy(const CallView& call, size_t leave_out) {
    const size_t bytes = call.Input(0).size_bytes - leave_out;
    if (bytes > 0) std::memcpy(call.OutputData<char>(0), call.InputData<char>(0), bytes);
    if (call.OutputCount() < 2) return;
    const size_t count = call.Output(1).size_bytes / sizeof(int32_t);
    for (size_t i = 0; i < count; ++i) call.OutputData<int32_t>(1)[i] = static_cast<int32_t>(i);
  }

  void Misbehave(const std::string& fault, const CallView& call) {
    if (fault == "abort") std::abort();
    if (fault == "exit") std::exit(3);
    if (fault == "null") ReadAt(reinterpret_cast<const char*>(call.Int("address", 0)));
    if (fault == "divide") raise(SIGFPE);
    if (fault == "illegal") __builtin_trap();
    if (fault == "overflow-stack") g_sink = static_cast<char>(Overflow(0));
    if (fault == "hang") Hang();
    if (fault == "slow") usleep(static_cast<useconds_t>(call.Int("microseconds", 0)));
    if (fault == "stdout") std::printf("noise\n");
    if (fault == "scribble" && infers_ == call.Int("at", 0)) {
      std::memset(reinterpret_cast<void*>(call.Int("address", 0)), -1, 4096);
    }
    if (fault == "flood") Flood();
    if (fault == "kill-self") kill(getpid(), SIGKILL);
    if (fault == "leak") static_cast<void>(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (fault == "internal") throw std::runtime_error("the device is gone");
    if (fault == "run-changes-shape") call.Output(0).rank = 1;
    if (fault == "run-changes-struct-size") call.Output(0).struct_size = 1;
    if (fault == "run-changes-data") call.Output(0).data = &last_;
    if (fault == "history") call.OutputData<float>(0)[0] = last_;
    if (call.Input(0).element_type == POOLPROOF_F32 && call.Input(0).size_bytes > 0) {
      last_ = call.InputData<float>(0)[0];
    }
  }

  static void MisbehaveInMemory(const std::string& fault, const CallView& call) {
    const auto& in = call.Input(0);
    const auto& out = call.Output(0);
    char* input = static_cast<char*>(in.data);
    char* output = static_cast<char*>(out.data);
    const std::map<std::string, std::pair<char*, bool>> accesses = {
        {"read-past-end", {input + in.size_bytes, false}},
        {"read-before-start", {input - 1, false}},
        {"read-8-past-end", {input + in.size_bytes + 7, false}},
        {"read-output-past-end", {output + out.size_bytes, false}},
        {"write-past-end", {output + out.size_bytes, true}},
        {"write-before-start", {output - 1, true}},
        {"write-3-before-start", {output - 3, true}},
        {"write-input", {input, true}},
        {"write-input-past-end", {input + in.size_bytes, true}},
    };
    const auto access = accesses.find(fault);
    if (access != accesses.end()) {
      access->second.second ? WriteAt(access->second.first) : ReadAt(access->second.first);
    }
    if (fault.starts_with("swallow-")) {
      Swallow(fault.substr(8), call.Int("address", -1) == 0 ? nullptr : input + in.size_bytes);
    }
    if (fault == "written-late") WriteLate(output, call.Int("microseconds", 0));
    if (fault == "unprotect-input") {
      char* page = input - reinterpret_cast<uintptr_t>(input) % 4096;
      if (mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0) WriteAt(input);
    }
    if (fault == "addresses") {
      const void* addresses[] = {input, output, call.Word("fault", "").data()};
      std::memcpy(output, addresses, sizeof(addresses));
    }
    if (fault == "write-description") const_cast<poolproof_tensor&>(in).dims[0] = 5;
    if (fault == "write-attribute") {
      WriteAt(const_cast<char*>(call.Word("fault", "").data()));
    }
  }

  std::string end_;
  int infers_ = 0;
  float last_ = 0;
};

}  // namespace

POOLPROOF_EXPORT_BACKEND(Misbehaving, "misbehaving", "0.1")
