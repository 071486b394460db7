// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // pthread.h
#endif

#include "plan/search/work_line.h"

#include <pthread.h>

// A line's state, behind one lock. Piece i may begin once piece i - WORK_LINE_LAG is taken over,
// and is taken over by whoever completes the row of finished ones.
typedef struct state {
    const work_line *line;
    pthread_mutex_t  lock;
    pthread_cond_t   change;
    int              begun, taken;            // pieces
    bool             finished[WORK_LINE_LAG]; // of those under way, by index
    bool             has_more, is_over;       // pieces may begin; nothing is taken over any more
    int              workers;
} state;

static bool *finished_at(state *s, int index)
{
    return &s->finished[index % WORK_LINE_LAG];
}

// Waits until a piece may begin, and begins it.
// @return its index, or -1 if there is none any more
static int begin_next(state *s)
{
    while (s->has_more && s->begun - s->taken >= WORK_LINE_LAG) {
        pthread_cond_wait(&s->change, &s->lock);
    }
    if (s->has_more && s->line->begin(s->line->context, s->begun)) {
        *finished_at(s, s->begun) = false;
        return s->begun++;
    }
    s->has_more = false;
    return -1;
}

static void take_over_finished(state *s)
{
    while (!s->is_over && s->taken < s->begun && *finished_at(s, s->taken)) {
        s->is_over = !s->line->take_over(s->line->context, s->taken++);
    }
    if (s->is_over) {
        s->has_more = false;
        s->line->hurry(s->line->context);
    }
}

static void work_on(state *s, int worker)
{
    pthread_mutex_lock(&s->lock);
    for (int index = begin_next(s); index >= 0; index = begin_next(s)) {
        pthread_mutex_unlock(&s->lock);
        s->line->work(s->line->context, index, worker);
        pthread_mutex_lock(&s->lock);
        *finished_at(s, index) = true;
        take_over_finished(s);
        pthread_cond_broadcast(&s->change);
    }
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
}

static void *on_thread(void *context)
{
    state *s = (state *)context;
    pthread_mutex_lock(&s->lock);
    const int worker = ++s->workers;
    pthread_mutex_unlock(&s->lock);
    work_on(s, worker);
    return NULL;
}

void work_line_run(const work_line *line, int threads)
{
    state     s = {.line = line, .has_more = true};
    pthread_t others[WORK_LINE_LAG];
    int       count = 0;
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.change, NULL);
    while (count + 1 < threads && count + 1 < WORK_LINE_LAG &&
           pthread_create(&others[count], NULL, on_thread, &s) == 0) {
        ++count;
    }
    work_on(&s, 0);
    for (int i = 0; i < count; ++i) {
        pthread_join(others[i], NULL);
    }
    pthread_cond_destroy(&s.change);
    pthread_mutex_destroy(&s.lock);
}
