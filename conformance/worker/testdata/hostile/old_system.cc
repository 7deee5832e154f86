// Runs a command as on a system without Landlock and without namespaces for ordinary users.
#include <sched.h>
#include <seccomp.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>

int main(int argc, char** argv) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  int failed = filter == nullptr ? -ENOMEM : 0;
  for (const char* name : {"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"}) {
    const int number = seccomp_syscall_resolve_name(name);
    if (failed == 0) failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
  }
  const scmp_arg_cmp user = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER);
  if (failed == 0) {
    failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 1, user);
  }
  if (failed == 0) failed = seccomp_load(filter);
  if (failed != 0 || argc < 2) {
    std::fprintf(stderr, "old_system: %s\n", std::strerror(failed != 0 ? -failed : EINVAL));
    return 2;
  }
  execvp(argv[1], argv + 1);
  std::perror(argv[1]);
  return 2;
}
