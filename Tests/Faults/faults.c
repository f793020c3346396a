/* Lets one system call that changes files fail, or ends the process at it; to be named in LD_PRELOAD.
 *
 *   FAULT_LOG         a file that gets a line for each such call: its name and what it is about
 *   FAULT_AT          the number of the call that fails, counted from 1
 *   FAULT_ERRNO       the error that it fails with; 0 ends the process by SIGKILL in its place
 *   FAULT_READS       a folder: counts the calls that read what lies below it, not those that change files
 *   FAULT_HALVES      lets every read and write do half of what was asked
 *   FAULT_INTERRUPTS  lets every call that a signal may interrupt be interrupted once
 *
 * Writing to standard error is left alone, because failures are reported there.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DESCRIPTORS 65536

static atomic_int calls;
/* Whether something was written to a descriptor, so that its close may tell of an error. */
static atomic_bool written[DESCRIPTORS];

static void log_call(const char *name, const char *subject) {
  const char *path = getenv("FAULT_LOG");
  if (!path) return;
  char line[8192];
  int length = snprintf(line, sizeof line, "%s %s\n", name, subject);
  if (length >= (int)sizeof line) length = sizeof line - 1;
  int log = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0) return;
  syscall(SYS_write, log, line, length);
  syscall(SYS_close, log);
}

/* Whether a thread is between the line in the log and the count, so that the n-th line is that of the n-th call. */
static atomic_flag is_counting = ATOMIC_FLAG_INIT;

/* Counts a call; whether it is the one that fails, with errno set. */
static int is_reached(const char *name, const char *subject) {
  while (atomic_flag_test_and_set(&is_counting)) sched_yield();
  log_call(name, subject);
  int number = atomic_fetch_add(&calls, 1) + 1;
  atomic_flag_clear(&is_counting);
  const char *at = getenv("FAULT_AT");
  if (!at || atoi(at) != number) return 0;
  const char *code = getenv("FAULT_ERRNO");
  errno = code ? atoi(code) : 0;
  if (errno == 0) syscall(SYS_kill, getpid(), SIGKILL);
  return 1;
}

/* The same for a call that changes files. */
static int fails(const char *name, const char *subject) {
  return !getenv("FAULT_READS") && is_reached(name, subject);
}

/* The path of an open file or folder, or of the current folder. */
static const char *path_of(int descriptor, char path[4096]) {
  char link[64] = "/proc/self/cwd";
  if (descriptor != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, 4095);
  path[length > 0 ? length : 0] = 0;
  return path;
}

static int fails_on(const char *name, int descriptor) {
  char path[4096];
  return fails(name, path_of(descriptor, path));
}

/* The same for a call that reads something in a folder, or the folder itself where there is no path. */
static int fails_reading(const char *name, int folder, const char *path) {
  const char *top = getenv("FAULT_READS");
  if (!top) return 0;
  char above[4096] = "", whole[8192];
  if (!path || path[0] != '/') path_of(folder, above);
  int is_top = above[0] == '/' && above[1] == 0;
  snprintf(whole, sizeof whole, "%s%s%s", is_top ? "" : above, path && path[0] != '/' ? "/" : "", path ? path : "");
  return strncmp(whole, top, strlen(top)) == 0 && is_reached(name, whole);
}

/* Whether a signal is said to have come, with errno set: it is, and the call that is made again is let alone. */
static int is_interrupted(void) {
  static _Thread_local int was;
  if (!getenv("FAULT_INTERRUPTS")) return 0;
  was = !was;
  if (was) errno = EINTR;
  return was;
}

/* How many bytes of a read or a write are done. */
static size_t portion(size_t count) { return count > 1 && getenv("FAULT_HALVES") ? count / 2 : count; }

static void mark(int descriptor, int is_written) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) written[descriptor] = is_written;
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
  if (is_interrupted()) return -1;
  if (flags & O_CREAT ? fails("open", path) : fails_reading("open", folder, path)) return -1;
  return syscall(SYS_openat, folder, path, flags, mode);
}

#include "opening.h"

int close(int descriptor) {
  int counts = descriptor > 2 && descriptor < DESCRIPTORS && written[descriptor];
  mark(descriptor, 0);
  int fault = counts && fails_on("close", descriptor);
  int code = errno;
  int result = syscall(SYS_close, descriptor);
  /* The kernel closes it before it says so. */
  if (getenv("FAULT_INTERRUPTS")) {
    errno = EINTR;
    return -1;
  }
  if (!fault) return result;
  errno = code;
  return -1;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (is_interrupted() || (descriptor != 2 && fails_on("write", descriptor))) return -1;
  mark(descriptor, 1);
  return syscall(SYS_write, descriptor, bytes, portion(count));
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset) {
  if (is_interrupted() || fails_on("pwrite", descriptor)) return -1;
  mark(descriptor, 1);
  return syscall(SYS_pwrite64, descriptor, bytes, portion(count), offset);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return write_at(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
  return write_at(descriptor, bytes, count, offset);
}

/* Calls on a descriptor, those that a signal may interrupt, and calls on a path: all need only be passed on. */
#define ON_DESCRIPTOR(name, number, parameters, ...) \
  int name parameters { return fails_on(#name, descriptor) ? -1 : syscall(number, __VA_ARGS__); }
#define WAITING(name, number, parameters, ...) \
  int name parameters { \
    return is_interrupted() || fails_on(#name, descriptor) ? -1 : syscall(number, __VA_ARGS__); \
  }
#define ON_PATH(name, number, parameters, ...) \
  int name parameters { return fails(#name, path) ? -1 : syscall(number, __VA_ARGS__); }

WAITING(fsync, SYS_fsync, (int descriptor), descriptor)
WAITING(fdatasync, SYS_fdatasync, (int descriptor), descriptor)
WAITING(syncfs, SYS_syncfs, (int descriptor), descriptor)
WAITING(
    sync_file_range, SYS_sync_file_range, (int descriptor, off_t start, off_t count, unsigned flags), descriptor,
    start, count, flags)
WAITING(ftruncate, SYS_ftruncate, (int descriptor, off_t size), descriptor, size)
ON_DESCRIPTOR(fchmod, SYS_fchmod, (int descriptor, mode_t mode), descriptor, mode)
ON_DESCRIPTOR(
    futimens, SYS_utimensat, (int descriptor, const struct timespec times[2]), descriptor, (char *)0, times, 0)

int flock(int descriptor, int operation) {
  /* Letting go of a lock neither waits nor fails. */
  if (operation != LOCK_UN && (is_interrupted() || fails_on("flock", descriptor))) return -1;
  return syscall(SYS_flock, descriptor, operation);
}

ON_PATH(mkdir, SYS_mkdir, (const char *path, mode_t mode), path, mode)
ON_PATH(mkdirat, SYS_mkdirat, (int folder, const char *path, mode_t mode), folder, path, mode)
ON_PATH(rename, SYS_rename, (const char *path, const char *target), path, target)
ON_PATH(
    renameat, SYS_renameat, (int folder, const char *path, int other, const char *target), folder, path, other,
    target)
ON_PATH(
    renameat2, SYS_renameat2, (int folder, const char *path, int other, const char *target, unsigned flags),
    folder, path, other, target, flags)
ON_PATH(
    linkat, SYS_linkat, (int folder, const char *path, int other, const char *target, int flags), folder, path,
    other, target, flags)
ON_PATH(unlink, SYS_unlink, (const char *path), path)
ON_PATH(unlinkat, SYS_unlinkat, (int folder, const char *path, int flags), folder, path, flags)
ON_PATH(rmdir, SYS_rmdir, (const char *path), path)
ON_PATH(
    utimensat, SYS_utimensat, (int folder, const char *path, const struct timespec times[2], int flags), folder,
    path, times, flags)

/* Calls that read. */
ssize_t read(int descriptor, void *bytes, size_t count) {
  if (is_interrupted() || fails_reading("read", descriptor, 0)) return -1;
  return syscall(SYS_read, descriptor, bytes, portion(count));
}

static ssize_t read_at(int descriptor, void *bytes, size_t count, off_t offset) {
  if (is_interrupted() || fails_reading("pread", descriptor, 0)) return -1;
  return syscall(SYS_pread64, descriptor, bytes, portion(count), offset);
}
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  return read_at(descriptor, bytes, count, offset);
}
ssize_t pread64(int descriptor, void *bytes, size_t count, off_t offset) {
  return read_at(descriptor, bytes, count, offset);
}

ssize_t getdents64(int folder, void *entries, size_t size) {
  return fails_reading("getdents64", folder, 0) ? -1 : syscall(SYS_getdents64, folder, entries, size);
}

#define LOOK(name, folder, path, parameters, ...) \
  int name parameters { \
    return fails_reading(#name, folder, path) ? -1 : syscall(SYS_newfstatat, __VA_ARGS__); \
  }
LOOK(stat, AT_FDCWD, path, (const char *path, struct stat *status), AT_FDCWD, path, status, 0)
LOOK(lstat, AT_FDCWD, path, (const char *path, struct stat *status), AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW)
LOOK(fstat, descriptor, 0, (int descriptor, struct stat *status), descriptor, "", status, AT_EMPTY_PATH)
LOOK(
    fstatat, folder, path, (int folder, const char *path, struct stat *status, int flags), folder, path, status,
    flags)

ssize_t readlinkat(int folder, const char *path, char *target, size_t size) {
  return fails_reading("readlinkat", folder, path) ? -1 : syscall(SYS_readlinkat, folder, path, target, size);
}
