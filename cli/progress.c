// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // sigaction, clock_gettime, isatty
#endif

#include "progress.h"

#include "io/bytes/visible.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TEXT = 48, MESSAGE_SIZE = 256 }; // so that a line of 80 has room

static const char full_bar[] = "####################";

static const double between_bars = 0.1; // s

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t interrupted; // the signal; 0 for none

static struct {
    bool   is_terminal;
    int    width; ///< as it is shown; 0 while it is not
    double last;  ///< when it was drawn
    char   text[MESSAGE_SIZE];
} bar;

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void on_interrupt(int signal)
{
    interrupted = signal;
}

static void erase(void)
{
    fprintf(stderr, "\r%*s\r", bar.width, "");
    bar.width = 0;
}

static void draw(double done)
{
    const int width = (int)sizeof full_bar - 1, filled = (int)(done * width);
    erase();
    bar.width = fprintf(stderr, "[%.*s%*s] %3.0f %%%s%.*s", filled, full_bar, width - filled, "",
                        100.0 * done, bar.text[0] ? "  " : "", MAX_TEXT, bar.text);
    fflush(stderr);
}

static void on_message(void *context, const char *text)
{
    (void)context;
    atemi_visible_text(text, bar.text, sizeof bar.text);
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
    static const atemi_job_hooks hooks = {.progress = on_progress, .tell = on_message};
    struct sigaction             action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; ++i) {
        struct sigaction before;
        if (sigaction(ending[i], NULL, &before) == 0 &&
            (ending[i] == SIGINT || before.sa_handler != SIG_IGN)) { // nohup goes on
            sigaction(ending[i], &action, NULL);
        }
    }
    bar.is_terminal = isatty(STDERR_FILENO);
    bar.last = progress_clock();
    return &hooks;
}

void progress_hide(void)
{
    if (bar.width > 0) {
        erase();
    }
}

void progress_end(void)
{
    struct sigaction now;
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; ++i) {
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == on_interrupt) {
            signal(ending[i], SIG_DFL);
        }
    }
    progress_hide();
}

const char *progress_message(void)
{
    return bar.text;
}

bool progress_was_interrupted(void)
{
    return interrupted != 0;
}

int progress_interrupted_code(void)
{
    return 128 + (int)interrupted;
}
