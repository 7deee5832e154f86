#include <fcntl.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "conformance/worker/testdata/hostile/attack.h"

namespace poolproof::hostile {
namespace {

// The cell is closed before the first instruction of the library.
const bool g_socket_while_loaded = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0;

std::string Victim() { return g_target.victim + "/file"; }
std::string NewFile() { return g_target.victim + "/new"; }

void ChangeMode() {
  Report("chmod", chmod(Victim().c_str(), 0777) == 0);
  const int fd = open((g_target.victim + "/readable").c_str(), O_RDONLY | O_CLOEXEC);
  Report("fchmod", fchmod(fd, 0777) == 0);
}

void ChangeTimes() {
  const timeval times[2] = {{1, 0}, {1, 0}};
  Report("utimes", utimes(Victim().c_str(), times) == 0);
}

void ChangeFlags() {
  const int fd = open("/etc/hostname", O_RDONLY | O_CLOEXEC);
  int flags = 0;
  Report("flags of a file",
         fd >= 0 && ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 && ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0);
}

void MakeFiles() {
  Report("mkdir", mkdir(NewFile().c_str(), 0700) == 0);
  Report("symlink", symlink("file", (NewFile() + "2").c_str()) == 0);
  Report("link", link(Victim().c_str(), (NewFile() + "3").c_str()) == 0);
  Report("mkfifo", mkfifo((NewFile() + "4").c_str(), 0600) == 0);
}

// Where CI systems and shells pick up what a job leaves.
void WriteAround() {
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", "/run", "."}) {
    TryOpen(std::string(folder) + "/poolproof-hostile", O_WRONLY | O_CREAT);
  }
}

void WriteHome() {
  const char* home = std::getenv("HOME");
  TryOpen(std::string(home == nullptr ? "/root" : home) + "/poolproof-hostile", O_WRONLY | O_CREAT);
}

void ForgeResults() {
  for (const char* file : {"results.jsonl", "results.jsonl.partial", "summary.json"}) {
    TryOpen(g_target.out + "/" + file, O_WRONLY | O_CREAT);
  }
  Report("rename the results",
         rename((g_target.out + "/results.jsonl.partial").c_str(), (g_target.out + "/results.jsonl").c_str()) == 0);
}

// The log comes through a pipe, which leads to no file.
void TruncateLog() {
  Report("truncate the log", ftruncate(STDERR_FILENO, 0) == 0);
  TryOpen(g_target.out + "/backend-1.log", O_WRONLY);
}

void ReadVariables() {
  bool found = false;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    found |= std::strstr(*variable, "hunter2") != nullptr;
  }
  Report("find the token", found);
  std::string text(1 << 16, '\0');
  const int fd = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);
  const ssize_t got = read(fd, text.data(), text.size());
  Report("find the token in /proc", got > 0 && text.find("hunter2") != text.npos);
}

void TrySocket(int family, int type, int protocol, const char* name) {
  Report(std::string("socket ") + name, socket(family, type | SOCK_CLOEXEC, protocol) >= 0);
}

void TerminalInput() {
  char key = 'x';
  const int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
  Report("type into the terminal", ioctl(fd >= 0 ? fd : 0, TIOCSTI, &key) == 0);
}

}  // namespace

void AddFileAttacks(Attacks* attacks) {
  attacks->merge(Attacks{
      {"read-secret", [] { TryOpen(g_target.victim + "/secret", O_RDONLY); }},
      {"write-victim", [] { TryOpen(Victim(), O_WRONLY); }},
      {"append-victim", [] { TryOpen(Victim(), O_WRONLY | O_APPEND); }},
      {"create-file", [] { TryOpen(NewFile(), O_WRONLY | O_CREAT); }},
      {"truncate-victim", [] { Report("truncate", truncate(Victim().c_str(), 0) == 0); }},
      {"unlink-victim", [] { Report("unlink", unlink(Victim().c_str()) == 0); }},
      {"rename-victim", [] { Report("rename", rename(Victim().c_str(), NewFile().c_str()) == 0); }},
      {"chmod-victim", &ChangeMode},
      {"utimes-victim", &ChangeTimes},
      {"xattr-victim", [] { Report("setxattr", setxattr(Victim().c_str(), "user.x", "x", 1, 0) == 0); }},
      {"flags-of-file", &ChangeFlags},
      {"make-files", &MakeFiles},
      {"write-around", &WriteAround},
      {"write-home", &WriteHome},
      {"forge-results", &ForgeResults},
      {"truncate-log", &TruncateLog},
      {"read-variables", &ReadVariables},
      {"socket-tcp", [] { TrySocket(AF_INET, SOCK_STREAM, 0, "tcp"); }},
      {"socket-tcp6", [] { TrySocket(AF_INET6, SOCK_STREAM, 0, "tcp6"); }},
      {"socket-udp", [] { TrySocket(AF_INET, SOCK_DGRAM, 0, "udp"); }},
      {"socket-unix", [] { TrySocket(AF_UNIX, SOCK_STREAM, 0, "unix"); }},
      {"socket-netlink", [] { TrySocket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE, "netlink"); }},
      {"socket-packet", [] { TrySocket(AF_PACKET, SOCK_RAW, 0, "packet"); }},
      {"socket-while-loaded", [] { Report("socket before create", g_socket_while_loaded); }},
      {"terminal-input", &TerminalInput},
  });
}

}  // namespace poolproof::hostile
