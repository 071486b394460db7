// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // open, unlink
#endif

#include "io/bytes/temporary.h"

#include "check.h"
#include "folder.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file with a temporary name of `path`, claimed.
static int make(const char *path, char name[ATEMI_TEMPORARY_PATH])
{
    CHECK(atemi_temporary_name(path, name));
    const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
    CHECK(descriptor >= 0);
    CHECK(atemi_temporary_claim(descriptor, name));
    return descriptor;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

TEST(temporary, name_stands_beside_its_target_and_differs_every_time)
{
    char first[ATEMI_TEMPORARY_PATH], second[ATEMI_TEMPORARY_PATH];
    CHECK(atemi_temporary_name("a/run", first) && atemi_temporary_name("a/run", second));
    CHECK(strncmp(first, "a/run.tmp-", 10) == 0 && strlen(first) == 26);
    CHECK(strcmp(first, second) != 0);
}

TEST(temporary, name_that_is_too_long_is_none)
{
    char path[ATEMI_TEMPORARY_PATH], name[ATEMI_TEMPORARY_PATH];
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    CHECK(!atemi_temporary_name(path, name));
}

TEST(temporary, file_stays_while_its_writer_lives)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "file");
    char        name[ATEMI_TEMPORARY_PATH];
    const int   descriptor = make(path, name);
    atemi_temporary_sweep(path, unlink);
    CHECK(is_there(name));
    close(descriptor);
    atemi_temporary_sweep(path, unlink);
    CHECK(!is_there(name));
    folder_remove(home.path);
}

// Between open() and the claim, a sweep may have taken the file for a leftover.
TEST(temporary, file_that_was_swept_before_its_claim_is_not_claimed)
{
    folder home = folder_create();
    char   path[ATEMI_TEMPORARY_PATH];
    CHECK(atemi_temporary_name(folder_path(home.path, "file"), path));
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    atemi_temporary_sweep(folder_path(home.path, "file"), unlink);
    CHECK(!is_there(path));
    CHECK(!atemi_temporary_claim(descriptor, path));
    folder_put(path, "of somebody else");
    CHECK(!atemi_temporary_claim(descriptor, path));
    close(descriptor);
    folder_remove(home.path);
}

TEST(temporary, file_that_is_being_swept_is_not_claimed)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "file.tmp-abcdefgh");
    const int   descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    const int   sweeper = open(path, O_RDONLY);
    CHECK(atemi_temporary_claim(sweeper, path));
    CHECK(!atemi_temporary_claim(descriptor, path));
    close(sweeper);
    close(descriptor);
    folder_remove(home.path);
}

TEST(temporary, sweep_leaves_names_of_others)
{
    static const char *const others[] = {"file",
                                         "file.tmp",
                                         "file.tmp-original",
                                         "file.tmp-abcdefghabcdefgh",
                                         "file.tmp-yesterdaysbackup",
                                         "file.tmp-",
                                         "my_file.tmp-abcdefgh"};
    enum { COUNT = sizeof others / sizeof others[0] };
    folder home = folder_create();
    for (int i = 0; i < COUNT; ++i) {
        folder_put(folder_path(home.path, others[i]), "mine");
    }
    char left[ATEMI_TEMPORARY_PATH], alike[ATEMI_TEMPORARY_PATH];
    CHECK(atemi_temporary_name(folder_path(home.path, "file"), left));
    CHECK(atemi_temporary_name(folder_path(home.path, "file2"), alike));
    folder_put(left, "left");
    folder_put(alike, "of another target");
    atemi_temporary_sweep(folder_path(home.path, "file"), unlink);
    CHECK_EQUAL_INT(folder_count(home.path), COUNT + 1);
    CHECK(!is_there(left));

    // One letter more, less or other than ours is a user's.
    folder_put(alike, "of another target");
    for (size_t i = 0; i < 4; ++i) {
        memcpy(alike, left, sizeof alike);
        const size_t length = strlen(alike);
        if (i == 0) {
            alike[length - 1] = '\0';
        } else if (i == 1) {
            memcpy(alike + length, "a", 2);
        } else {
            char *letter = &alike[i == 2 ? length - 1 : length - 16];
            *letter = *letter == 'a' ? 'b' : 'a';
        }
        folder_put(alike, "mine");
        atemi_temporary_sweep(folder_path(home.path, "file"), unlink);
        CHECK(is_there(alike));
    }
    folder_remove(home.path);
}

TEST(temporary, sweep_of_a_folder_that_is_not_there_does_nothing)
{
    folder home = folder_create();
    atemi_temporary_sweep(folder_path(home.path, "missing/file"), unlink);
    CHECK_EQUAL_INT(folder_count(home.path), 0);
    folder_remove(home.path);
}

TEST(temporary, sweep_follows_no_links_and_leaves_what_is_not_its_kind)
{
    folder      home = folder_create();
    const char *mine = folder_path(home.path, "mine");
    char        link[ATEMI_TEMPORARY_PATH], inner[ATEMI_TEMPORARY_PATH];
    CHECK(atemi_temporary_name(folder_path(home.path, "file"), link));
    CHECK(atemi_temporary_name(folder_path(home.path, "file"), inner));
    folder_put(mine, "mine");
    CHECK(symlink(mine, link) == 0 && mkdir(inner, 0777) == 0);
    atemi_temporary_sweep(folder_path(home.path, "file"), unlink);
    CHECK(is_there(mine) && is_there(link) && is_there(inner));
    folder_remove(home.path);
}
