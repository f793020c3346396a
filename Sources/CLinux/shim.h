// Calls of Linux that its C library's headers declare for _GNU_SOURCE only, which Swift's Glibc module does not set.
#pragma once
#include <stddef.h>
#include <sys/types.h>

int syncfs(int descriptor);
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned int flags);
int sched_getaffinity(pid_t process, size_t size, void *set);
int renameat2(
    int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
