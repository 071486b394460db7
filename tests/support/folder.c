// SPDX-License-Identifier: Apache-2.0

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // mkdtemp, nftw
#endif

#include "folder.h"

#include "check.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_PATH_COUNT = 1000 };

folder folder_create(void)
{
    folder made = {"/tmp/atemi-test-XXXXXX"};
    CHECK(mkdtemp(made.path) != NULL);
    CHECK(chmod(made.path, 0777) == 0);
    return made;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *level)
{
    (void)about, (void)kind, (void)level;
    return remove(path);
}

void folder_remove(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *folder_path(const char *path, const char *name)
{
    static char *volatile paths[LARGEST_PATH_COUNT]; // so that leak checkers see them
    static int count = 0;
    CHECK(count < LARGEST_PATH_COUNT);
    const size_t size = strlen(path) + strlen(name) + 2;
    char        *joined = (char *)malloc(size);
    CHECK(joined != NULL);
    snprintf(joined, size, "%s/%s", path, name);
    paths[count] = joined;
    return paths[count++];
}

int folder_count(const char *path)
{
    DIR *stream = opendir(path);
    CHECK(stream != NULL);
    int count = 0;
    for (const struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(stream);
    return count;
}

void folder_put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK(fwrite(text, 1, strlen(text), file) == strlen(text));
    CHECK(fclose(file) == 0);
}

const char *folder_get(const char *path)
{
    static char text[1 << 16];
    FILE       *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    const size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}
