// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // posix_spawnp, waitpid, access
#endif

#include "program.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_PATH_SIZE = 4096 };

extern char **environ;

bool program_exists(const char *name)
{
    const char *folder = getenv("PATH");
    bool        found = false;
    while (folder && !found) {
        char         path[PROGRAM_PATH_SIZE];
        const size_t length = strcspn(folder, ":");
        const int    written =
            snprintf(path, sizeof path, "%.*s/%s", (int)length, length ? folder : ".", name);
        found = written < PROGRAM_PATH_SIZE && access(path, X_OK) == 0;
        folder = folder[length] ? folder + length + 1 : NULL;
    }
    return found;
}

static bool start(char *const arguments[], pid_t *process)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return false;
    }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const bool started =
        posix_spawnp(process, arguments[0], &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

bool program_start(char *const arguments[])
{
    pid_t process;
    return start(arguments, &process);
}

bool program_succeeds(char *const arguments[])
{
    pid_t process;
    int   state;
    return start(arguments, &process) && waitpid(process, &state, 0) == process &&
           WIFEXITED(state) && WEXITSTATUS(state) == 0;
}
