// SPDX-License-Identifier: Apache-2.0

#include "atemi/allocator.h"
#include "impact/blow_zmp.h"
#include "jobs/columns.h"
#include "jobs/row.h"
#include "jobs/strike/strike_run.h"
#include "plan/strike_momentum.h"

#include <math.h>
#include <stdio.h>

enum { CORNERS = 4, MOST_CORNERS = CORNERS * ATEMI_STRIKE_MOST_FEET, NAME_SIZE = 256 };

// ---- Columns

static void name_corner(const atemi_strike_run *run, int foot, int corner, char name[NAME_SIZE])
{
    const atemi_site *site = atemi_model_site(run->scenario.robot.model, run->scenario.feet[foot]);
    snprintf(name, NAME_SIZE, "%.240s.%d", site->name, corner);
}

static void add_corners(atemi_column_list *list, const atemi_strike_run *run)
{
    atemi_scenario_contact        about[MOST_CORNERS];
    const atemi_scenario_contacts contacts = {.count = CORNERS * run->scenario.task.foot_count,
                                              .about = about};
    for (int i = 0; i < contacts.count; ++i) {
        name_corner(run, i / CORNERS, i % CORNERS, about[i].name);
    }
    atemi_columns_add_contacts(list, &contacts);
}

static void add_columns(atemi_column_list *list, const void *context)
{
    const atemi_strike_run *run = (const atemi_strike_run *)context;
    atemi_columns_add(list, "s", "t");
    atemi_columns_add_motion(list, run->scenario.robot.model);
    add_corners(list, run);
    atemi_columns_add_vector(list, "N s", "momentum.", "linear");
    atemi_columns_add_vector(list, "N m s", "momentum.", "angular");
    atemi_columns_add(list, "m", "zmp.planned_x");
    atemi_columns_add(list, "m", "zmp.planned_y");
    atemi_columns_add(list, "N", "verify.force");
    atemi_columns_add_zmp(list);
    atemi_columns_add_vector(list, "N s", "verify.", "linear_momentum");
    atemi_columns_add_vector(list, "N m s", "verify.", "angular_momentum");
    atemi_columns_add_vector(list, "m", "target.", "position");
}

// ---- A row

static double *put_corners(const atemi_strike_run *run, double time, double *next)
{
    const atemi_vec3           nowhere = {NAN, NAN, NAN};
    const atemi_strike_corner  unseen = {nowhere, nowhere, NAN, NAN};
    const double               start = atemi_strike_motion_time(&run->attempts.best.motion, 0);
    const atemi_strike_corner *corners =
        atemi_strike_corners_at(&run->attempts.best.verification, start, time);
    for (int i = 0; i < CORNERS * run->scenario.task.foot_count; ++i) {
        const atemi_strike_corner *corner = corners ? &corners[i] : &unseen;
        next = row_put_vector(next, corner->place);
        next = row_put_vector(next, corner->force);
        *next++ = corner->mode;
        *next++ = corner->gap;
    }
    return next;
}

// Momenta and ZMP of the motion, by inverse dynamics.
static double *put_balance(const atemi_strike_run *run, int i, atemi_kinematics *kinematics,
                           double *next)
{
    const atemi_strike_motion *m = &run->attempts.best.motion;
    const atemi_model         *model = run->scenario.robot.model;
    const double              *q = m->q + (size_t)i * (size_t)m->q_count;
    const double              *v = m->v + (size_t)i * (size_t)m->v_count;
    const double              *a = m->a + (size_t)i * (size_t)m->v_count;
    atemi_vec3                 zmp = {NAN, NAN, 0.0};
    atemi_blow_zmp_in(model, q, v, a, &run->scenario.hand.point, 0.0, NULL, kinematics, &zmp);
    atemi_strike_momentum(model, kinematics, next);
    next += 6;
    *next++ = zmp.x;
    *next++ = zmp.y;
    return next;
}

// Of the target's face.
static void put_target(const atemi_strike_run *run, double travel, double *next)
{
    const atemi_vec3 way = atemi_vec3_scale(travel, run->scenario.task.point.direction);
    row_put_vector(next, atemi_vec3_add(run->attempts.best.target.face, way));
}

static void fill_row(const atemi_strike_run *run, int i, atemi_kinematics *kinematics, double *next)
{
    static const double        unseen[ATEMI_SEEN_COUNT] = {NAN, NAN, NAN, NAN, NAN, NAN,
                                                           NAN, NAN, NAN, NAN, NAN};
    const atemi_strike_motion *m = &run->attempts.best.motion;
    const size_t               nq = (size_t)m->q_count, nv = (size_t)m->v_count, row = (size_t)i;
    const double               time = atemi_strike_motion_time(m, i);
    const double              *seen = atemi_strike_seen_at(&run->attempts.best.verification,
                                                           atemi_strike_motion_time(m, 0), time);
    *next++ = time;
    next = row_put(next, m->q_count, m->q + row * nq);
    next = row_put(next, m->v_count, m->v + row * nv);
    next = row_put(next, m->v_count, m->a + row * nv);
    next = row_put(next, m->v_count, m->tau + row * nv);
    next = put_corners(run, time, next);
    next = put_balance(run, i, kinematics, next);
    seen = seen ? seen : unseen;
    next = row_put(next, ATEMI_SEEN_TRAVEL, seen);
    put_target(run, seen[ATEMI_SEEN_TRAVEL], next);
}

static void take(const atemi_strike_run *run, atemi_arena *arena, double **row,
                 atemi_kinematics *kinematics)
{
    *row = atemi_arena_array(arena, double, atemi_columns_count(add_columns, run));
    *kinematics = atemi_kinematics_take(arena, run->scenario.robot.model);
}

static atemi_status add_floor(atemi_strike_run *run, atemi_error *error)
{
    const atemi_recorded_surface floor = {"floor", atemi_surface_floor()};
    return atemi_recording_add_surface(run->recording, &floor, error);
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
    if (!status) {
        status = add_floor(run, error);
    }
    for (int i = 0; i < run->attempts.best.motion.count && !status; ++i) {
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
    for (int i = 0; i < run->attempts.best.verification.footstep_count && !status; ++i) {
        const atemi_strike_footstep *step = &run->attempts.best.verification.footsteps[i];
        char                         what[NAME_SIZE];
        name_corner(run, step->foot, step->corner, what);
        const atemi_recorded_event event = {
            .t = step->time, .kind = atemi_event_kind_text(step->kind), .what = what};
        status = atemi_recording_add_event(run->recording, &event, error);
    }
    return status;
}
