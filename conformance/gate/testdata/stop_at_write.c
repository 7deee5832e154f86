// Preloaded into the program by a test: kills it at a chosen change of the files in one folder, a
// write being half done by then.
//
//   STOP_FOLDER   folder whose files count
//   STOP_AT       number of the change, from 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int in_folder(const char* path) {
  const char* folder = getenv("STOP_FOLDER");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int concerns(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = '\0';
  return in_folder(path);
}

// Whether this change is the one to stop at.
static int is_last(void) {
  static int seen = 0;
  const char* at = getenv("STOP_AT");
  return at != NULL && __sync_add_and_fetch(&seen, 1) == atoi(at);
}

static void stop(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

ssize_t write(int fd, const void* bytes, size_t count) {
  ssize_t (*next)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  if (concerns(fd) && is_last()) {
    next(fd, bytes, count / 2);
    stop();
  }
  return next(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  ssize_t (*next)(int, const struct iovec*, int) = dlsym(RTLD_NEXT, "writev");
  if (concerns(fd) && is_last()) {
    next(fd, parts, count / 2);
    stop();
  }
  return next(fd, parts, count);
}

int rename(const char* from, const char* to) {
  int (*next)(const char*, const char*) = dlsym(RTLD_NEXT, "rename");
  if (in_folder(to) && is_last()) stop();
  return next(from, to);
}

int unlink(const char* path) {
  int (*next)(const char*) = dlsym(RTLD_NEXT, "unlink");
  if (in_folder(path) && is_last()) stop();
  return next(path);
}

int fsync(int fd) {
  int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
  if (concerns(fd) && is_last()) stop();
  return next(fd);
}

int ftruncate(int fd, off_t length) {
  int (*next)(int, off_t) = dlsym(RTLD_NEXT, "ftruncate");
  if (concerns(fd) && is_last()) stop();
  return next(fd, length);
}
