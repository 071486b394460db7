// SPDX-License-Identifier: Apache-2.0

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include "allocations.h"
#include "check.h"
#include "folder.h"
#include "io/bytes/whole_file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static atemi_status write_text(const char *path, const char *text, atemi_error *error)
{
    return atemi_whole_file_write(path, text, strlen(text), error);
}

static void check_failure(const char *path, const char *part)
{
    atemi_error error = {0};
    CHECK_STATUS(write_text(path, "text", &error), ATEMI_ERROR_FILE);
    CHECK_CONTAINS(error.message, part);
    CHECK_CONTAINS(error.file, strlen(path) < ATEMI_ERROR_FILE_SIZE ? path : "...");
}

TEST(whole_file, has_all_its_bytes)
{
    folder      home = folder_create();
    atemi_error error = {0};
    const char *path = folder_path(home.path, "file");
    CHECK_STATUS(write_text(path, "first", &error), ATEMI_OK);
    CHECK_EQUAL_STRING(folder_get(path), "first");
    CHECK_STATUS(write_text(path, "", &error), ATEMI_OK);
    CHECK_EQUAL_STRING(folder_get(path), "");
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

TEST(whole_file, of_any_size_arrives_in_order)
{
    enum { COUNT = 300000 };
    folder           home = folder_create();
    atemi_error      error = {0};
    atemi_whole_file file;
    const char      *path = folder_path(home.path, "file");
    CHECK_STATUS(atemi_whole_file_create(&file, path, ATEMI_LINKS_REPLACED, &error), ATEMI_OK);
    static char large[ATEMI_WHOLE_FILE_BUFFER + 17];
    memset(large, 'x', sizeof large);
    for (int i = 0; i < COUNT; ++i) {
        char *text = atemi_whole_file_reserve(&file, 16);
        atemi_whole_file_advance(&file, (size_t)snprintf(text, 16, "%d\n", i));
    }
    atemi_whole_file_put(&file, large, sizeof large);
    atemi_whole_file_put(&file, "end\n", 4);
    const size_t size = file.size;
    CHECK_STATUS(atemi_whole_file_finish(&file, &error), ATEMI_OK);

    FILE *read = fopen(path, "rb");
    CHECK(read != NULL);
    for (int i = 0; i < COUNT; ++i) {
        char line[32];
        CHECK(fgets(line, sizeof line, read) != NULL);
        CHECK_EQUAL_INT(atoi(line), i);
    }
    CHECK(fread(large, 1, sizeof large, read) == sizeof large);
    CHECK(large[0] == 'x' && large[sizeof large - 1] == 'x');
    CHECK(fread(large, 1, sizeof large, read) == 4);
    CHECK((size_t)ftell(read) == size);
    fclose(read);
    folder_remove(home.path);
}

TEST(whole_file, is_not_there_before_it_is_finished)
{
    folder           home = folder_create();
    atemi_error      error = {0};
    atemi_whole_file file;
    const char      *path = folder_path(home.path, "file");
    folder_put(path, "old");
    CHECK_STATUS(atemi_whole_file_create(&file, path, ATEMI_LINKS_REPLACED, &error), ATEMI_OK);
    atemi_whole_file_put(&file, "new", 3);
    CHECK_EQUAL_STRING(folder_get(path), "old");
    atemi_whole_file_destroy(&file);
    CHECK_EQUAL_STRING(folder_get(path), "old");
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    atemi_whole_file_destroy(&file);
    folder_remove(home.path);
}

TEST(whole_file, keeps_the_rights_of_the_one_it_replaces)
{
    folder      home = folder_create();
    atemi_error error = {0};
    const char *path = folder_path(home.path, "file");
    struct stat about;
    folder_put(path, "old");
    CHECK(chmod(path, 0640) == 0);
    CHECK_STATUS(write_text(path, "new", &error), ATEMI_OK);
    CHECK(stat(path, &about) == 0);
    CHECK_EQUAL_INT(about.st_mode & 0777U, 0640);
    folder_remove(home.path);
}

TEST(whole_file, that_the_user_names_goes_where_a_symbolic_link_points)
{
    folder           home = folder_create();
    atemi_error      error = {0};
    atemi_whole_file file;
    const char      *target = folder_path(home.path, "target");
    const char      *link = folder_path(home.path, "link");
    struct stat      about;
    folder_put(target, "old");
    CHECK(symlink("target", link) == 0);
    CHECK_STATUS(atemi_whole_file_create(&file, link, ATEMI_LINKS_FOLLOWED, &error), ATEMI_OK);
    atemi_whole_file_put(&file, "new", 3);
    CHECK_STATUS(atemi_whole_file_finish(&file, &error), ATEMI_OK);
    CHECK_EQUAL_STRING(folder_get(target), "new");
    CHECK(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
    folder_remove(home.path);
}

// A device of our own making, as only root can: those in /dev are left alone by tests.
TEST(whole_file, that_we_name_replaces_no_device)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "device");
    struct stat null, about;
    CHECK(stat("/dev/null", &null) == 0);
    if (mknod(path, S_IFCHR | 0666, null.st_rdev) == 0) {
        check_failure(path, "a device of this name");
        CHECK(lstat(path, &about) == 0 && S_ISCHR(about.st_mode));
    }
    folder_remove(home.path);
}

// Whoever made the folder may have put a link to a file of the reader's there.
TEST(whole_file, that_we_name_takes_the_place_of_a_link_or_a_pipe)
{
    folder      home = folder_create();
    atemi_error error = {0};
    const char *target = folder_path(home.path, "target");
    struct stat about;
    folder_put(target, "old");
    CHECK(symlink("target", folder_path(home.path, "link")) == 0);
    CHECK(symlink("nowhere", folder_path(home.path, "dangling")) == 0);
    CHECK(symlink("circle", folder_path(home.path, "circle")) == 0);
    CHECK(mkfifo(folder_path(home.path, "pipe"), 0666) == 0);
    static const char *const names[] = {"link", "dangling", "circle", "pipe"};
    for (int i = 0; i < 4; ++i) {
        const char *path = folder_path(home.path, names[i]);
        CHECK_STATUS(write_text(path, "new", &error), ATEMI_OK);
        CHECK_EQUAL_STRING(folder_get(path), "new");
        CHECK(lstat(path, &about) == 0 && S_ISREG(about.st_mode));
    }
    CHECK_EQUAL_STRING(folder_get(target), "old");
    CHECK_EQUAL_INT(folder_count(home.path), 5);
    folder_remove(home.path);
}

TEST(whole_file, says_what_stands_in_its_way)
{
    folder home = folder_create();
    char   longest[ATEMI_WHOLE_FILE_PATH + 16];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    check_failure(folder_path(home.path, "missing/file"), "does not exist");
    check_failure(home.path, "folder of this name");
    folder_put(folder_path(home.path, "file"), "x");
    check_failure(folder_path(home.path, "file/inside"), "not a folder");
    check_failure(longest, "longer than the system allows");
    check_failure("", "does not exist");
    CHECK(symlink("circle", folder_path(home.path, "circle")) == 0);
    check_failure(folder_path(home.path, "circle/file"), "circle of symbolic links");
    folder_remove(home.path);
}

TEST(whole_file, without_a_descriptor_left_is_an_error)
{
    folder        home = folder_create();
    struct rlimit limit, none;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    none = (struct rlimit){0, limit.rlim_max};
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    check_failure(folder_path(home.path, "file"), "too many files are open");
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    folder_remove(home.path);
}

// Of an error that has no text of its own, its number is said.
TEST(whole_file, says_the_number_of_an_error_that_nobody_foresaw)
{
    atemi_error error = {0};
    CHECK_STATUS(atemi_whole_file_fail(EIO, "file", &error), ATEMI_ERROR_FILE);
    char expected[32];
    snprintf(expected, sizeof expected, "(error %d)", EIO);
    CHECK_CONTAINS(error.message, expected);
    CHECK_EQUAL_STRING(error.file, "file");
}

// What the user names and is no file is written directly: /dev/full is a disk that is always full.
TEST(whole_file, on_a_full_disk_is_an_error)
{
    atemi_error      error = {0};
    atemi_whole_file file;
    struct stat      about;
    CHECK_STATUS(atemi_whole_file_create(&file, "/dev/full", ATEMI_LINKS_FOLLOWED, &error),
                 ATEMI_OK);
    atemi_whole_file_put(&file, "text", 4);
    CHECK_STATUS(atemi_whole_file_finish(&file, &error), ATEMI_ERROR_FILE);
    CHECK_CONTAINS(error.message, "disk is full");
    CHECK(stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode));
    CHECK_STATUS(atemi_whole_file_create(&file, "/dev/null", ATEMI_LINKS_FOLLOWED, &error),
                 ATEMI_OK);
    atemi_whole_file_put(&file, "text", 4);
    CHECK_STATUS(atemi_whole_file_finish(&file, &error), ATEMI_OK);
    CHECK(stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode));
}

// Runs a claim in a child, which may change what a process cannot change back.
static void in_child(void (*claim)(const char *path), const char *path)
{
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        claim(path);
        _exit(0);
    }
    int result = -1;
    CHECK(waitpid(child, &result, 0) == child);
    CHECK(WIFEXITED(result) && WEXITSTATUS(result) == 0);
}

static void require(int condition, int code)
{
    if (!condition) {
        _exit(code);
    }
}

static void fail_in_the_middle(const char *path)
{
    static char         text[1 << 20];
    const struct rlimit limit = {1 << 19, 1 << 19};
    atemi_error         error = {0};
    signal(SIGXFSZ, SIG_IGN);
    require(setrlimit(RLIMIT_FSIZE, &limit) == 0, 1);
    require(atemi_whole_file_write(path, text, sizeof text, &error) == ATEMI_ERROR_FILE, 2);
    require(strstr(error.message, "larger than the system allows") != NULL, 3);
}

TEST(whole_file, that_fails_in_the_middle_leaves_the_old_one)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "file");
    folder_put(path, "old");
    in_child(fail_in_the_middle, path);
    CHECK_EQUAL_STRING(folder_get(path), "old");
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

static void write_as_nobody(const char *path)
{
    atemi_error error = {0};
    if (geteuid() == 0) {
        require(setuid(65534) == 0, 1);
    }
    require(write_text(path, "new", &error) == ATEMI_ERROR_FILE, 2);
    require(strstr(error.message, "no permission") != NULL, 3);
}

TEST(whole_file, in_a_folder_without_permission_is_an_error)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "file");
    folder_put(path, "old");
    CHECK(chmod(home.path, 0555) == 0);
    in_child(write_as_nobody, path);
    CHECK(chmod(home.path, 0755) == 0);
    CHECK_EQUAL_STRING(folder_get(path), "old");
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

TEST(whole_file, without_memory_is_an_error)
{
    folder      home = folder_create();
    atemi_error error = {0};
    failing_allocator_install(1);
    const atemi_status status = write_text(folder_path(home.path, "file"), "x", &error);
    failing_allocator_remove();
    CHECK_STATUS(status, ATEMI_ERROR_MEMORY);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    CHECK_EQUAL_INT(folder_count(home.path), 0);
    folder_remove(home.path);
}
