// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE // syscall()
#endif

#include "system_calls.h"

#include "check.h"
#include "instrumented.h"

#if defined(__linux__) && !defined(UNDER_VALGRIND) && !defined(UNDER_THREAD_SANITIZER)

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_SECCOMP = 77 };

// In strict mode the kernel kills a process at any system call but read, write and exit.
void check_no_system_calls(void (*run)(void *context), void *context)
{
    const pid_t child = fork();
    if (child == 0) {
        const bool strict = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0;
        run(context);
        syscall(SYS_exit, strict ? 0 : NO_SECCOMP);
    }
    int status = 0;
    CHECK_EQUAL_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == NO_SECCOMP);
}

#else

void check_no_system_calls(void (*run)(void *context), void *context)
{
    (void)run;
    (void)context;
}

#endif
