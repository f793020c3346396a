// Calls of Linux that its C library's headers declare for _GNU_SOURCE only, which Swift's Glibc module does not set, or in
// a header that it leaves out.
//
// No header of the C library that declares structures: theirs would count as this module's in the files that happen
// to be compiled behind one that imports it. On 64 bits off_t is a long and pid_t an int.
#pragma once
#include <stddef.h>

int syncfs(int descriptor);
int sync_file_range(int descriptor, long offset, long count, unsigned int flags);
int sched_getaffinity(int process, size_t size, void *set);
int renameat2(
    int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
int mallopt(int parameter, int value);
long getdents64(int folder, void *entries, size_t size);
long listxattr(const char *path, char *names, size_t size);
long getxattr(const char *path, const char *name, void *value, size_t size);
int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags);
int fremovexattr(int descriptor, const char *name);
int pipe2(int *ends, int flags);
int memfd_create(const char *name, unsigned int flags);
