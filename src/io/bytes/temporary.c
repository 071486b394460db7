// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // flock, O_NOFOLLOW, clock_gettime
#endif

#include "io/bytes/temporary.h"

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

enum { LETTERS = 8, SEALED = 2 * LETTERS }; // eight of chance, eight that seal them

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

static void spell(uint64_t number, char word[LETTERS])
{
    for (int i = 0; i < LETTERS; ++i, number >>= 5) {
        word[i] = letters[number & 31];
    }
}

// FNV-1a, 64 bits; its low ones are folded with the high ones.
static uint64_t add_to_hash(uint64_t hash, const char *text, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

// The letters that follow `chance` in a name beside `last`. They do not occur by accident: one
// ending of 32^8 is right.
static void seal(const char *last, const char *chance, char word[LETTERS])
{
    uint64_t hash = add_to_hash(UINT64_C(0xCBF29CE484222325), last, strlen(last));
    hash = add_to_hash(hash, "/atemi/", 7);
    hash = add_to_hash(hash, chance, LETTERS);
    spell(hash ^ (hash >> 40), word);
}

bool atemi_temporary_name(const char *path, char name[ATEMI_TEMPORARY_PATH])
{
    char        ending[SEALED + 1] = {0};
    const char *slash = strrchr(path, '/');
    spell(next_number(), ending);
    seal(slash ? slash + 1 : path, ending, ending + LETTERS);
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
    if (strncmp(name, target, length) != 0 || strncmp(name + length, mark, marked) != 0 ||
        strlen(name) != length + marked + SEALED) {
        return false;
    }
    const char *ending = name + length + marked;
    char        wanted[LETTERS];
    seal(target, ending, wanted);
    return strspn(ending, letters) == SEALED && memcmp(ending + LETTERS, wanted, LETTERS) == 0;
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
