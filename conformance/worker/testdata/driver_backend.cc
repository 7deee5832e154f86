// A backend without operators that begins as the driver of NVIDIA was seen to: it gives a thread a name, asks for the
// daemon that shares a GPU, listens under a name, and maps memory and a device (--backend-option=PATH). It does not
// start where it is refused one of these, or where it is let do more.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <thread>

#include "conformance/backend_helper.h"

namespace {

using poolproof::backend::CallView;
using poolproof::backend::Unsupported;

void Need(bool done, const std::string& what) {
  if (!done) throw std::runtime_error(what + ": " + std::strerror(errno));
}
void NeedRefusal(bool done, const std::string& what) {
  if (done) throw std::runtime_error("breach: " + what);
}

bool Opens(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

void NameThread() {
  const std::string path = "/proc/self/task/" + std::to_string(syscall(SYS_gettid)) + "/comm";
  std::string failure;
  const auto write_name = [&path, &failure] {
    const int fd = open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0 || write(fd, "driver", 6) != 6) failure = path + ": " + std::strerror(errno);
    if (fd >= 0) close(fd);
  };
  std::thread(write_name).join();
  if (!failure.empty()) throw std::runtime_error(failure);
}

int Socket(int family, int kind) { return socket(family, kind | SOCK_CLOEXEC, 0); }

void Listen() {
  const int asked = Socket(AF_UNIX, SOCK_SEQPACKET);
  Need(asked >= 0, "a local socket");
  sockaddr_un address = {AF_UNIX, "/tmp/nvidia-mps/control"};
  NeedRefusal(connect(asked, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0, "connected");
  close(asked);
  const int listener = Socket(AF_UNIX, SOCK_SEQPACKET);
  const std::string name = "driver-" + std::to_string(getpid());
  std::memset(address.sun_path, 0, sizeof(address.sun_path));
  name.copy(address.sun_path + 1, name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  Need(bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0, "a name for a socket");
  Need(listen(listener, 1) == 0, "listen");
}

void Map(const std::string& device) {
  constexpr size_t kBytes = 1 << 16;
  const int file = memfd_create("driver", MFD_CLOEXEC);
  Need(file >= 0 && ftruncate(file, kBytes) == 0, "a file in memory");
  for (const int fd : {file, open(device.c_str(), O_RDWR | O_CLOEXEC)}) {
    Need(fd >= 0, device);
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    Need(memory != MAP_FAILED, device);
    std::memset(memory, 1, kBytes);
    munmap(memory, kBytes);
    close(fd);
  }
}

void LookForMore() {
  for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET}) {
    NeedRefusal(Socket(family, SOCK_STREAM) >= 0 || Socket(family, SOCK_RAW) >= 0, "a socket");
  }
  NeedRefusal(Socket(AF_UNIX, SOCK_DGRAM) >= 0 || Socket(AF_UNIX, SOCK_RAW) >= 0, "a socket that sends to names");
  const std::string parent = "/proc/" + std::to_string(getppid());
  for (const std::string& path : {std::string("/proc/sys/kernel/hostname"), parent + "/comm", parent + "/task",
                                  std::string("/proc/sysrq-trigger"), std::string("/proc/self/oom_score_adj")}) {
    NeedRefusal(Opens(path, O_WRONLY), "wrote " + path);
  }
  NeedRefusal(Opens("/tmp/poolproof-driver", O_WRONLY | O_CREAT), "made a file");
}

class DriverBackend {
 public:
  explicit DriverBackend(const std::vector<std::string>& options) {
    NameThread();
    Listen();
    Map(options.empty() ? "/dev/zero" : options.front());
    LookForMore();
  }
  void InferShapes(const CallView&) { throw Unsupported("no operator"); }
  void Run(const CallView&) {}
};

}  // namespace

POOLPROOF_EXPORT_BACKEND(DriverBackend, "driver", "1.0")
