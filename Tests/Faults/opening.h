/* The calls that open files, for libraries that are named in LD_PRELOAD: each ends in `opened`, which a library defines
 * before it includes this.
 */
#include <fcntl.h>
#include <stdarg.h>

static mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(rest, int) : 0;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = mode_of(flags, rest); \
    va_end(rest); \
    return opened(AT_FDCWD, path, flags, mode); \
  }
#define OPENAT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = mode_of(flags, rest); \
    va_end(rest); \
    return opened(folder, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
