// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // sigaction, clock_gettime, isatty
#endif

#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char full_bar[] = "########################################";

static const double between_bars = 0.1; // s

static volatile sig_atomic_t interrupted;

static struct {
    bool   is_terminal, is_shown;
    double last; ///< when the bar was drawn
} bar;

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void draw(double done)
{
    const int width = (int)sizeof full_bar - 1, filled = (int)(done * width);
    fprintf(stderr, "\r[%.*s%*s] %3.0f %%", filled, full_bar, width - filled, "", 100.0 * done);
    fflush(stderr);
    bar.is_shown = true;
}

static bool on_progress(void *context, double done)
{
    (void)context;
    if (bar.is_terminal) {
        const double now = progress_clock();
        if (now - bar.last > between_bars) {
            draw(done);
            bar.last = now;
        }
    }
    return !interrupted;
}

const atemi_job_hooks *progress_begin(void)
{
    static const atemi_job_hooks hooks = {.progress = on_progress};
    struct sigaction             action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
    bar.is_terminal = isatty(STDERR_FILENO);
    bar.last = progress_clock();
    return &hooks;
}

void progress_end(void)
{
    signal(SIGINT, SIG_DFL);
    if (bar.is_shown) {
        fprintf(stderr, "\r%*s\r", (int)sizeof full_bar + 10, "");
        bar.is_shown = false;
    }
}

bool progress_was_interrupted(void)
{
    return interrupted != 0;
}
