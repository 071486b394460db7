// SPDX-License-Identifier: Apache-2.0

#include "atemi/allocator.h"
#include "io/columns.h"
#include "io/strike_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Columns

static void add_columns(atemi_column_list *list, const void *context)
{
    const atemi_strike_run *run = (const atemi_strike_run *)context;
    atemi_columns_add(list, "s", "t");
    atemi_columns_add_motion(list, run->scenario.robot.model);
    atemi_columns_add_vector(list, "N s", "momentum.", "linear");
    atemi_columns_add_vector(list, "N m s", "momentum.", "angular");
    atemi_columns_add(list, "m", "zmp.planned_x");
    atemi_columns_add(list, "m", "zmp.planned_y");
    atemi_columns_add(list, "N", "verify.force");
    atemi_columns_add_zmp(list);
    atemi_columns_add_vector(list, "N s", "verify.", "linear_momentum");
    atemi_columns_add_vector(list, "N m s", "verify.", "angular_momentum");
}

// ---- A row

static double *put(double *next, const double *values, int count)
{
    memcpy(next, values, (size_t)count * sizeof *next);
    return next + count;
}

// Momenta and ZMP of the motion, by inverse dynamics.
static double *put_balance(const atemi_strike_run *run, int i, atemi_kinematics *kinematics,
                           double *next)
{
    const atemi_strike_motion *m = &run->round.motion;
    const atemi_model         *model = run->scenario.robot.model;
    const double              *q = m->q + (size_t)i * (size_t)m->q_count;
    const double              *v = m->v + (size_t)i * (size_t)m->v_count;
    const double              *a = m->a + (size_t)i * (size_t)m->v_count;
    atemi_vec3                 zmp = {NAN, NAN, 0.0};
    atemi_blow_zmp(model, q, v, a, &run->scenario.hand.point, 0.0, NULL, kinematics, &zmp);
    atemi_strike_momentum(model, kinematics, next);
    next += 6;
    *next++ = zmp.x;
    *next++ = zmp.y;
    return next;
}

static void fill_row(const atemi_strike_run *run, int i, atemi_kinematics *kinematics, double *next)
{
    static const double        unseen[ATEMI_SEEN_COUNT] = {NAN, NAN, NAN, NAN, NAN,
                                                           NAN, NAN, NAN, NAN, NAN};
    const atemi_strike_motion *m = &run->round.motion;
    const size_t               nq = (size_t)m->q_count, nv = (size_t)m->v_count, row = (size_t)i;
    const double               time = atemi_strike_motion_time(m, i);
    const double              *seen =
        atemi_strike_seen_at(&run->round.verification, atemi_strike_motion_time(m, 0), time);
    *next++ = time;
    next = put(next, m->q + row * nq, m->q_count);
    next = put(next, m->v + row * nv, m->v_count);
    next = put(next, m->a + row * nv, m->v_count);
    next = put(next, m->tau + row * nv, m->v_count);
    next = put_balance(run, i, kinematics, next);
    put(next, seen ? seen : unseen, ATEMI_SEEN_COUNT);
}

static void take(const atemi_strike_run *run, atemi_arena *arena, double **row,
                 atemi_kinematics *kinematics)
{
    *row = atemi_arena_array(arena, double, atemi_columns_count(add_columns, run));
    *kinematics = atemi_kinematics_take(arena, run->scenario.robot.model);
}

atemi_status atemi_strike_add_rows(atemi_strike_run *run, atemi_error *error)
{
    double          *row;
    atemi_kinematics kinematics;
    atemi_arena      arena = atemi_arena_measuring();
    take(run, &arena, &row, &kinematics);
    atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    take(run, &arena, &row, &kinematics);
    status = atemi_columns_create(add_columns, run, &run->recording, error);
    for (int i = 0; i < run->round.motion.count && !status; ++i) {
        fill_row(run, i, &kinematics, row);
        status = atemi_recording_append(run->recording, row, error);
    }
    atemi_arena_destroy(&arena);
    return status;
}

// ---- Events

atemi_status atemi_strike_add_footsteps(atemi_strike_run *run, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < run->round.verification.footstep_count && !status; ++i) {
        const atemi_strike_footstep *step = &run->round.verification.footsteps[i];
        const int                    site = run->scenario.feet[step->foot];
        char                         what[256];
        snprintf(what, sizeof what, "%.240s.%d",
                 atemi_model_site(run->scenario.robot.model, site)->name, step->corner);
        const atemi_recorded_event event = {
            .t = step->time, .kind = atemi_event_kind_text(step->kind), .what = what};
        status = atemi_recording_add_event(run->recording, &event, error);
    }
    return status;
}
