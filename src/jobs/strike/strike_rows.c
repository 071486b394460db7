// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "impact/blow_zmp.h"
#include "impact/striking_point.h"
#include "jobs/columns.h"
#include "jobs/strike/strike_run.h"
#include "plan/touch/strike_momentum.h"

#include <math.h>
#include <stdio.h>

enum { CORNERS = 4, NAME_SIZE = 256 };

// ---- Where values come from

// What a row is filled from.
typedef struct strike_row {
    const atemi_strike_run    *run;
    int                        index;
    double                     time;
    const atemi_strike_corner *corners; ///< NULL where nothing was seen
    const double              *seen;    ///< [ATEMI_SEEN_COUNT]
    double                     momentum[6];
    atemi_vec3                 zmp;   ///< of the motion
    double                     speed; ///< of the first hand along the blow
} strike_row;

static const strike_row *of(const void *row)
{
    return (const strike_row *)row;
}

static void name_corner(const atemi_strike_run *run, int foot, int corner, char name[NAME_SIZE])
{
    const atemi_site *site = atemi_model_site(run->scenario.robot.model, run->scenario.feet[foot]);
    snprintf(name, NAME_SIZE, "%.240s.%d", site->name, corner);
}

static const atemi_model *model_of(const void *row)
{
    return of(row)->run->scenario.robot.model;
}

static const double *motion(const void *row, atemi_column_quantity quantity)
{
    const atemi_strike_motion *m = &of(row)->run->attempts.best.motion;
    const size_t               i = (size_t)of(row)->index;
    const size_t               nq = (size_t)m->q_count, nv = (size_t)m->v_count;
    switch (quantity) {
    case ATEMI_COLUMN_Q:
        return m->q + i * nq;
    case ATEMI_COLUMN_V:
        return m->v + i * nv;
    case ATEMI_COLUMN_A:
        return m->a + i * nv;
    case ATEMI_COLUMN_TAU:
        break;
    }
    return m->tau + i * nv;
}

static int corner_count(const void *row)
{
    return CORNERS * of(row)->run->scenario.task.foot_count;
}

static bool corner_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    char corner[NAME_SIZE];
    name_corner(of(row)->run, i / CORNERS, i % CORNERS, corner);
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", corner);
    return true;
}

static atemi_column_contact corner(const void *row, int i)
{
    const atemi_vec3          nowhere = {NAN, NAN, NAN};
    const atemi_strike_corner unseen = {nowhere, nowhere, NAN, NAN};
    const atemi_strike_corner seen = of(row)->corners ? of(row)->corners[i] : unseen;
    return (atemi_column_contact){seen.place, seen.force, seen.mode, seen.gap};
}

static atemi_vec3 vector_of(const double *x)
{
    return (atemi_vec3){x[0], x[1], x[2]};
}

static atemi_vec3 linear(const void *row, int owner)
{
    (void)owner;
    return vector_of(of(row)->momentum);
}

static atemi_vec3 angular(const void *row, int owner)
{
    (void)owner;
    return vector_of(of(row)->momentum + 3);
}

static atemi_vec3 seen_linear(const void *row, int owner)
{
    (void)owner;
    return vector_of(of(row)->seen + ATEMI_SEEN_MOMENTUM);
}

static atemi_vec3 seen_angular(const void *row, int owner)
{
    (void)owner;
    return vector_of(of(row)->seen + ATEMI_SEEN_ANGULAR);
}

// Of the target's face.
static atemi_vec3 target_position(const void *row, int owner)
{
    (void)owner;
    const atemi_strike_run *run = of(row)->run;
    const double            travel = of(row)->seen[ATEMI_SEEN_TRAVEL];
    const atemi_vec3 travelled = atemi_vec3_scale(travel, run->scenario.task.point.direction);
    return atemi_vec3_add(run->attempts.best.target.face, travelled);
}

static double time_now(const void *row, int owner)
{
    (void)owner;
    return of(row)->time;
}

static double hand_speed(const void *row, int owner)
{
    (void)owner;
    return of(row)->speed;
}

static double planned_x(const void *row, int owner)
{
    (void)owner;
    return of(row)->zmp.x;
}

static double planned_y(const void *row, int owner)
{
    (void)owner;
    return of(row)->zmp.y;
}

static double seen_force(const void *row, int owner)
{
    (void)owner;
    return of(row)->seen[ATEMI_SEEN_FORCE];
}

static double zmp_x(const void *row, int owner)
{
    (void)owner;
    return of(row)->seen[ATEMI_SEEN_ZMP_X];
}

static double zmp_y(const void *row, int owner)
{
    (void)owner;
    return of(row)->seen[ATEMI_SEEN_ZMP_Y];
}

static double zmp_margin(const void *row, int owner)
{
    (void)owner;
    return of(row)->seen[ATEMI_SEEN_MARGIN];
}

// ---- The columns

static const atemi_column times[] = {
    {.name = "t", .unit = "s", .help = "time; first touch is at 0", .get = time_now}};

static const atemi_column motions[] = {
    {.name = "momentum.linear",
     .unit = "N s",
     .help = "of the motion, about the world's origin",
     .vector = linear},
    {.name = "momentum.angular",
     .unit = "N m s",
     .help = "of the motion, about the world's origin",
     .vector = angular},
    {.name = "hand.speed",
     .unit = "m/s",
     .help = "of the motion, of the first hand along the blow",
     .get = hand_speed},
    {.name = "zmp.planned_x",
     .unit = "m",
     .help = "of the motion, by inverse dynamics, without the blow",
     .get = planned_x},
    {.name = "zmp.planned_y",
     .unit = "m",
     .help = "of the motion, by inverse dynamics, without the blow",
     .get = planned_y}};

static const atemi_column verifications[] = {
    {.name = "verify.force",
     .unit = "N",
     .help = "of the blow by full dynamics",
     .get = seen_force},
    {.name = "zmp.x", .unit = "m", .help = "ZMP by full dynamics", .get = zmp_x},
    {.name = "zmp.y", .unit = "m", .help = "ZMP by full dynamics", .get = zmp_y},
    {.name = "zmp.margin",
     .unit = "m",
     .help = "from the ZMP to the edge of the support polygon, positive inside",
     .get = zmp_margin},
    {.name = "verify.linear_momentum",
     .unit = "N s",
     .help = "by full dynamics",
     .vector = seen_linear},
    {.name = "verify.angular_momentum",
     .unit = "N m s",
     .help = "by full dynamics",
     .vector = seen_angular},
    {.name = "target.position",
     .unit = "m",
     .help = "of the target's face by full dynamics; of two hands, between them",
     .vector = target_position}};

static const atemi_column_group groups[] = {
    {ATEMI_COLUMNS(times)},
    {.model = model_of, .motion = motion},
    {.contact = corner, .owners = corner_count, .owner = corner_name},
    {ATEMI_COLUMNS(motions)},
    {ATEMI_COLUMNS(verifications)}};

const atemi_column_table atemi_strike_column_table = {groups, sizeof groups / sizeof *groups};

// ---- Rows

// Momenta and ZMP of the motion, by inverse dynamics.
static void find_balance(strike_row *row, atemi_kinematics *kinematics)
{
    const atemi_model *model = model_of(row);
    row->zmp = (atemi_vec3){NAN, NAN, 0.0};
    atemi_blow_zmp_in(model, motion(row, ATEMI_COLUMN_Q), motion(row, ATEMI_COLUMN_V),
                      motion(row, ATEMI_COLUMN_A), &row->run->scenario.hand.point, 0.0, NULL,
                      kinematics, &row->zmp);
    atemi_strike_momentum(model, kinematics, row->momentum);
    row->speed =
        atemi_striking_point_speed_in(model, kinematics, &row->run->scenario.hand.point, 0);
}

static void fill_row(const atemi_strike_run *run, int i, atemi_kinematics *kinematics,
                     double *values)
{
    static const double              unseen[ATEMI_SEEN_COUNT] = {NAN, NAN, NAN, NAN, NAN, NAN,
                                                                 NAN, NAN, NAN, NAN, NAN};
    const atemi_strike_motion       *m = &run->attempts.best.motion;
    const atemi_strike_verification *verification = &run->attempts.best.verification;
    const double  start = atemi_strike_motion_time(m, 0), time = atemi_strike_motion_time(m, i);
    const double *seen = atemi_strike_seen_at(verification, start, time);
    strike_row    row = {.run = run,
                         .index = i,
                         .time = time,
                         .corners = atemi_strike_corners_at(verification, start, time),
                         .seen = seen ? seen : unseen};
    find_balance(&row, kinematics);
    atemi_columns_fill(&atemi_strike_column_table, &row, values);
}

static void take(const atemi_strike_run *run, atemi_arena *arena, double **row,
                 atemi_kinematics *kinematics)
{
    const strike_row named = {.run = run};
    *row =
        atemi_arena_array(arena, double, atemi_columns_count(&atemi_strike_column_table, &named));
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
    const strike_row named = {.run = run};
    status = atemi_columns_create(&atemi_strike_column_table, &named, &run->recording, error);
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
