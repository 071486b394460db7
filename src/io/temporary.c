// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // flock, O_NOFOLLOW, clock_gettime
#endif

#include "io/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LETTERS = 8 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
static const char mark[] = ".tmp-";

// Different in every process, thread and call; that it is new is for open() and mkdir() to say.
static uint64_t next_number(void)
{
    static atomic_uint calls;
    struct timespec    now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t call = atomic_fetch_add(&calls, 1) + ((uint64_t)getpid() << 20);
    const uint64_t mixed = ((uint64_t)now.tv_nsec ^ (call << 24)) * UINT64_C(0x9E3779B97F4A7C15);
    return mixed ^ (mixed >> 32);
}

bool atemi_temporary_name(const char *path, char name[ATEMI_TEMPORARY_PATH])
{
    char     ending[LETTERS + 1] = {0};
    uint64_t number = next_number();
    for (int i = 0; i < LETTERS; ++i, number >>= 5) {
        ending[i] = letters[number & 31];
    }
    return snprintf(name, ATEMI_TEMPORARY_PATH, "%s%s%s", path, mark, ending) <
           ATEMI_TEMPORARY_PATH;
}

bool atemi_temporary_claim(int descriptor, const char *name)
{
    struct stat named, opened;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        return errno != EWOULDBLOCK;
    }
    return stat(name, &named) == 0 && fstat(descriptor, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

// ---- Leftovers

static bool is_temporary_of(const char *name, const char *target)
{
    const size_t length = strlen(target);
    const size_t marked = strlen(mark);
    return strncmp(name, target, length) == 0 && strncmp(name + length, mark, marked) == 0 &&
           strlen(name) == length + marked + LETTERS &&
           strspn(name + length + marked, letters) == LETTERS;
}

static void remove_if_left(const char *name, int (*remove)(const char *name))
{
    const int descriptor = open(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
        return;
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
        (void)remove(name); // what cannot be removed stays
    }
    close(descriptor);
}

// The folder that `path` is in, as a text to put before its names.
static bool cut_last_name(const char *path, char folder[ATEMI_TEMPORARY_PATH], const char **last)
{
    const char  *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    *last = path + length;
    return snprintf(folder, ATEMI_TEMPORARY_PATH, "%.*s", (int)length, path) < ATEMI_TEMPORARY_PATH;
}

void atemi_temporary_sweep(const char *path, int (*remove)(const char *name))
{
    char        folder[ATEMI_TEMPORARY_PATH], name[ATEMI_TEMPORARY_PATH];
    const char *last;
    if (!cut_last_name(path, folder, &last)) {
        return;
    }
    DIR *entries = opendir(folder[0] ? folder : ".");
    if (!entries) {
        return;
    }
    for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (is_temporary_of(entry->d_name, last) &&
            snprintf(name, sizeof name, "%s%s", folder, entry->d_name) < (int)sizeof name) {
            remove_if_left(name, remove);
        }
    }
    closedir(entries);
}
