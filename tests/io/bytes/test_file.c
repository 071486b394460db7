// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // symlink, mkfifo, setrlimit
#endif

#include "io/bytes/file.h"

#include "atemi/base.h"
#include "check.h"
#include "folder.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef atemi_status (*reader)(const char *path, size_t limit, char **bytes, size_t *size,
                               atemi_error *error);

static void check_refused_by(reader read, const char *path, size_t limit, atemi_status status,
                             const char *part)
{
    atemi_error error = {0};
    char       *bytes = NULL;
    size_t      size = 1;
    CHECK_STATUS(read(path, limit, &bytes, &size, &error), status);
    CHECK(!bytes);
    CHECK_CONTAINS(error.message, part);
    CHECK_CONTAINS(error.file, strlen(path) < ATEMI_ERROR_FILE_SIZE ? path : "...");
}

static void check_refused(const char *path, size_t limit, atemi_status status, const char *part)
{
    check_refused_by(atemi_file_read, path, limit, status, part);
}

TEST(file, says_what_stands_in_the_way_of_reading_it)
{
    folder home = folder_create();
    char   longest[5000];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    const char *circle = folder_path(home.path, "circle");
    CHECK(symlink("circle", circle) == 0);
    folder_put(folder_path(home.path, "file"), "12345");
    check_refused(folder_path(home.path, "none"), 10, ATEMI_ERROR_FILE, "no such file");
    check_refused(folder_path(home.path, "file/in"), 10, ATEMI_ERROR_FILE, "not a folder");
    check_refused(home.path, 10, ATEMI_ERROR_FILE, "this is a folder");
    check_refused(longest, 10, ATEMI_ERROR_FILE, "longer than the system allows");
    check_refused(circle, 10, ATEMI_ERROR_FILE, "circle of symbolic links");
    check_refused(folder_path(home.path, "file"), 4, ATEMI_ERROR_LIMIT, "larger than");
    folder_remove(home.path);
}

TEST(file, that_the_system_cannot_open_is_refused)
{
    struct rlimit limit, none;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    none = (struct rlimit){0, limit.rlim_max};
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    check_refused("/dev/null", 10, ATEMI_ERROR_FILE, "the system cannot open the file");
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

// /proc/self/mem can be opened and is no folder, but nothing is at its beginning.
TEST(file, that_cannot_be_read_to_its_end_is_refused)
{
    if (access("/proc/self/mem", R_OK) == 0) {
        check_refused_by(atemi_file_read_given, "/proc/self/mem", 10, ATEMI_ERROR_FILE,
                         "cannot read the file to its end");
    }
}

// ---- Pipes, whose size nobody knows beforehand

enum { PIPED = 200000 };

static void *fill_pipe(void *path)
{
    FILE *stream = fopen((const char *)path, "wb");
    for (int i = 0; stream && i < PIPED; ++i) {
        fputc('a' + i % 26, stream);
    }
    if (stream) {
        fclose(stream);
    }
    return NULL;
}

TEST(file, that_the_user_names_may_be_a_pipe)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "pipe");
    char       *bytes = NULL;
    size_t      size = 0;
    pthread_t   writer;
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(pthread_create(&writer, NULL, fill_pipe, (void *)(uintptr_t)path) == 0);
    CHECK_STATUS(atemi_file_read_given(path, PIPED, &bytes, &size, NULL), ATEMI_OK);
    CHECK(pthread_join(writer, NULL) == 0);
    CHECK_EQUAL_INT((int)size, PIPED);
    for (int i = 0; i < PIPED; ++i) {
        CHECK(bytes[i] == 'a' + i % 26);
    }
    atemi_release(bytes);
    folder_remove(home.path);
}

TEST(file, that_is_an_endless_pipe_is_refused)
{
    check_refused_by(atemi_file_read_given, "/dev/zero", 1 << 20, ATEMI_ERROR_LIMIT,
                     "larger than 1 MiB");
}

// Nobody writes to the pipe: without O_NONBLOCK, open() would wait until the test is killed.
TEST(file, that_another_file_names_is_regular)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "pipe");
    CHECK(mkfifo(path, 0600) == 0);
    check_refused(path, 10, ATEMI_ERROR_FILE, "a regular file is needed here");
    check_refused("/dev/zero", 10, ATEMI_ERROR_FILE, "a regular file is needed here");
    folder_remove(home.path);
}

TEST(file, is_the_same_however_its_path_is_spelled)
{
    folder              home = folder_create();
    atemi_file_identity first, second, other;
    CHECK(mkdir(folder_path(home.path, "in"), 0777) == 0);
    folder_put(folder_path(home.path, "a"), "same");
    folder_put(folder_path(home.path, "b"), "same");
    CHECK(symlink("../a", folder_path(home.path, "in/link")) == 0);
    CHECK(atemi_file_identify(folder_path(home.path, "./in/../a"), &first));
    CHECK(atemi_file_identify(folder_path(home.path, "in/link"), &second));
    CHECK(atemi_file_identify(folder_path(home.path, "b"), &other));
    CHECK(first.device == second.device && first.number == second.number);
    CHECK(first.number != other.number);
    CHECK(!atemi_file_identify(folder_path(home.path, "none"), &other));
    folder_remove(home.path);
}
