/* Records what a program does to names and to the disk, so that a test can make what a power cut would leave; to be named
 * in LD_PRELOAD.
 *
 *   RECORD_LOG    a file that gets a line for each event, its fields separated by tabs
 *   RECORD_STORE  a folder for the contents that a flush makes durable
 *   RECORD_TOP    the folder below which a flush of the whole file system is recorded
 *   RECORD_NO_SYNCFS  refuses such a flush, as some sandboxes do
 *
 * Files and folders are named by their inodes:
 *   create FOLDER NAME FILE | mkdir FOLDER NAME FILE | link FOLDER NAME FILE | unlink FOLDER NAME
 *   rename FOLDER NAME FOLDER NAME | exchange FOLDER NAME FOLDER NAME
 *   sync FILE COPY | syncfolder FOLDER | syncall COPY FILE COPY FILE …
 * Writes need no event: what no flush made durable is lost.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Held during a call and its line, so that the lines are in the order of the calls. */
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int copies;

static void write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = syscall(SYS_write, descriptor, bytes, count);
    if (done <= 0) return;
    bytes += done;
    count -= done;
  }
}

static void record(const char *format, ...) {
  const char *path = getenv("RECORD_LOG");
  if (!path) return;
  char line[16384];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  int log = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0) return;
  write_all(log, line, length);
  syscall(SYS_close, log);
}

static int status_of(int folder, const char *path, struct stat *status, int flags) {
  return syscall(SYS_newfstatat, folder, path, status, flags);
}

/* The folder of a path, as its inode, and the path's last component. */
static unsigned long parent_of(int folder, const char *path, char name[512]) {
  char above[4096];
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  size_t start = length;
  while (start > 0 && path[start - 1] != '/') start--;
  snprintf(name, 512, "%.*s", (int)(length - start), path + start);
  snprintf(above, sizeof above, "%.*s", (int)start, path);
  struct stat status = {0};
  if (status_of(folder, start > 0 ? above : "", &status, start > 0 ? 0 : AT_EMPTY_PATH) != 0) return 0;
  return status.st_ino;
}

/* Copies the contents of an open file to the store; the number of the copy. */
static int copy_of(int descriptor) {
  const char *store = getenv("RECORD_STORE");
  if (!store) return -1;
  int number = copies++;
  char path[4096], link[64], bytes[65536];
  snprintf(path, sizeof path, "%s/%d", store, number);
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  int source = syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
  int target = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  ssize_t count;
  while (source >= 0 && (count = syscall(SYS_read, source, bytes, sizeof bytes)) > 0) write_all(target, bytes, count);
  syscall(SYS_close, source);
  syscall(SYS_close, target);
  return number;
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
  if (!(flags & O_CREAT)) return syscall(SYS_openat, folder, path, flags, mode);
  pthread_mutex_lock(&order);
  struct stat status;
  int was = status_of(folder, path, &status, 0) == 0;
  int descriptor = syscall(SYS_openat, folder, path, flags, mode);
  int code = errno;
  if (descriptor >= 0 && !was && status_of(descriptor, "", &status, AT_EMPTY_PATH) == 0) {
    char name[512];
    unsigned long parent = parent_of(folder, path, name);
    record("create\t%lu\t%s\t%lu\n", parent, name, (unsigned long)status.st_ino);
  }
  pthread_mutex_unlock(&order);
  errno = code;
  return descriptor;
}

#include "opening.h"

/* The other calls of the C library that make files, which Foundation uses; each makes a name of its own. */
static int made_temporary(int descriptor, const char *path) {
  struct stat status;
  char name[512];
  if (descriptor >= 0 && status_of(descriptor, "", &status, AT_EMPTY_PATH) == 0) {
    unsigned long parent = parent_of(AT_FDCWD, path, name);
    record("create\t%lu\t%s\t%lu\n", parent, name, (unsigned long)status.st_ino);
  }
  return descriptor;
}
#define TEMPORARY(name, parameters, ...) \
  int name parameters { \
    int (*next) parameters = dlsym(RTLD_NEXT, #name); \
    pthread_mutex_lock(&order); \
    int descriptor = made_temporary(next(__VA_ARGS__), path); \
    pthread_mutex_unlock(&order); \
    return descriptor; \
  }
TEMPORARY(mkstemp, (char *path), path)
TEMPORARY(mkstemp64, (char *path), path)
TEMPORARY(mkostemp, (char *path, int flags), path, flags)
TEMPORARY(mkostemp64, (char *path, int flags), path, flags)

FILE *fopen(const char *path, const char *mode) {
  FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
  pthread_mutex_lock(&order);
  struct stat status;
  int was = status_of(AT_FDCWD, path, &status, 0) == 0;
  FILE *file = next(path, mode);
  int code = errno;
  if (file && !was) made_temporary(fileno(file), path);
  pthread_mutex_unlock(&order);
  errno = code;
  return file;
}

/* A call on names, and the line about it where it succeeded. */
static int mkdir_recorded(int folder, const char *path, mode_t mode) {
  pthread_mutex_lock(&order);
  int result = syscall(SYS_mkdirat, folder, path, mode);
  int code = errno;
  struct stat status;
  char name[512];
  if (result == 0 && status_of(folder, path, &status, 0) == 0) {
    unsigned long parent = parent_of(folder, path, name);
    record("mkdir\t%lu\t%s\t%lu\n", parent, name, (unsigned long)status.st_ino);
  }
  pthread_mutex_unlock(&order);
  errno = code;
  return result;
}
int mkdir(const char *path, mode_t mode) { return mkdir_recorded(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return mkdir_recorded(folder, path, mode); }

static int rename_recorded(int folder, const char *path, int other, const char *target, unsigned flags) {
  pthread_mutex_lock(&order);
  int result = syscall(SYS_renameat2, folder, path, other, target, flags);
  int code = errno;
  char name[512], new_name[512];
  if (result == 0) {
    unsigned long from = parent_of(folder, path, name), to = parent_of(other, target, new_name);
    record("%s\t%lu\t%s\t%lu\t%s\n", flags & 2 ? "exchange" : "rename", from, name, to, new_name);
  }
  pthread_mutex_unlock(&order);
  errno = code;
  return result;
}
int rename(const char *path, const char *target) { return rename_recorded(AT_FDCWD, path, AT_FDCWD, target, 0); }
int renameat(int folder, const char *path, int other, const char *target) {
  return rename_recorded(folder, path, other, target, 0);
}
int renameat2(int folder, const char *path, int other, const char *target, unsigned flags) {
  return rename_recorded(folder, path, other, target, flags);
}

static int link_recorded(int folder, const char *path, int other, const char *target, int flags) {
  pthread_mutex_lock(&order);
  int result = syscall(SYS_linkat, folder, path, other, target, flags);
  int code = errno;
  struct stat status;
  char name[512];
  if (result == 0 && status_of(other, target, &status, AT_SYMLINK_NOFOLLOW) == 0) {
    unsigned long parent = parent_of(other, target, name);
    record("link\t%lu\t%s\t%lu\n", parent, name, (unsigned long)status.st_ino);
  }
  pthread_mutex_unlock(&order);
  errno = code;
  return result;
}
int link(const char *path, const char *target) { return link_recorded(AT_FDCWD, path, AT_FDCWD, target, 0); }
int linkat(int folder, const char *path, int other, const char *target, int flags) {
  return link_recorded(folder, path, other, target, flags);
}

static int unlink_recorded(int folder, const char *path, int flags) {
  pthread_mutex_lock(&order);
  char name[512];
  unsigned long parent = parent_of(folder, path, name);
  int result = syscall(SYS_unlinkat, folder, path, flags);
  int code = errno;
  if (result == 0) record("unlink\t%lu\t%s\n", parent, name);
  pthread_mutex_unlock(&order);
  errno = code;
  return result;
}
int unlink(const char *path) { return unlink_recorded(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return unlink_recorded(folder, path, flags); }
int rmdir(const char *path) { return unlink_recorded(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  struct stat status;
  if (status_of(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  return unlink_recorded(AT_FDCWD, path, S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0);
}

/* Flushes. */
static int sync_recorded(int descriptor, long number) {
  pthread_mutex_lock(&order);
  int result = syscall(number, descriptor);
  int code = errno;
  struct stat status;
  if (result == 0 && status_of(descriptor, "", &status, AT_EMPTY_PATH) == 0) {
    unsigned long inode = status.st_ino;
    if (S_ISDIR(status.st_mode)) record("syncfolder\t%lu\n", inode);
    else if (S_ISREG(status.st_mode)) record("sync\t%lu\t%d\n", inode, copy_of(descriptor));
  }
  pthread_mutex_unlock(&order);
  errno = code;
  return result;
}
int fsync(int descriptor) { return sync_recorded(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return sync_recorded(descriptor, SYS_fdatasync); }

static int copy_below_top(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)place;
  if (kind != FTW_F || !S_ISREG(status->st_mode)) return 0;
  int descriptor = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (descriptor < 0) return 0;
  record("\t%lu\t%d", (unsigned long)status->st_ino, copy_of(descriptor));
  syscall(SYS_close, descriptor);
  return 0;
}
static int sync_all_recorded(int result) {
  const char *top = getenv("RECORD_TOP");
  int code = errno;
  if (result == 0 && top) {
    record("syncall");
    nftw(top, copy_below_top, 16, FTW_PHYS);
    record("\n");
  }
  errno = code;
  return result;
}
int syncfs(int descriptor) {
  if (getenv("RECORD_NO_SYNCFS")) {
    errno = ENOSYS;
    return -1;
  }
  pthread_mutex_lock(&order);
  int result = sync_all_recorded(syscall(SYS_syncfs, descriptor));
  pthread_mutex_unlock(&order);
  return result;
}
