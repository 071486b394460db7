// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "atemi/support.h"
#include "plan/problem/strike_task.h"
#include "plan/touch/strike_momentum.h"

#include <math.h>
#include <string.h>

// Corners of soles. strike_task_check() refuses more feet.
enum { MAX_POINTS = 4 * ATEMI_STRIKE_MAX_FEET };

static const double afterwards = 0.3; // s: how long it must stand
static const double step = 5e-4;      // s
static const double fallen = 0.2;     // rad: a base so far off its reference falls

typedef struct run {
    const atemi_strike_task           *task;
    const atemi_strike_verify_options *options;
    const atemi_strike_motion         *motion;
    atemi_strike_verification         *verification;
    atemi_arena                        arena;
    double                            *q, *v, *a; ///< of the reference at an instant
    atemi_kinematics                   kinematics;
    atemi_simulation_point             points[MAX_POINTS]; ///< of the feet
    int                                point_count;
    atemi_contact_mode                 modes[MAX_POINTS]; ///< at the last instant
    bool                               has_modes;
} run;

static void on_reference(void *context, double time, double *q, double *v, double *a)
{
    const run *r = (const run *)context;
    atemi_strike_motion_at(r->motion, r->task->model, time, q, v, a, NULL);
}

static void on_feed(void *context, double time, double *tau)
{
    const run *r = (const run *)context;
    atemi_strike_motion_at(r->motion, r->task->model, time, r->q, r->v, r->a, tau);
}

static double angle_between(const double *a, const double *b)
{
    const double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    return 2.0 * acos(fmin(dot, 1.0));
}

void atemi_strike_momentum(const atemi_model *model, const atemi_kinematics *kinematics,
                           double momentum[6])
{
    const atemi_force about_center = atemi_momentum_in(model, kinematics);
    const atemi_vec3  P = about_center.linear;
    const atemi_vec3  L = atemi_vec3_add(
        about_center.angular, atemi_vec3_cross(atemi_center_of_mass_in(model, kinematics), P));
    const double six[6] = {P.x, P.y, P.z, L.x, L.y, L.z};
    memcpy(momentum, six, sizeof six);
}

// ---- What is seen after each step

static void watch_base(run *r, const atemi_full_blow_sample *sample)
{
    atemi_strike_verification *verification = r->verification;
    const double               time = sample->blow.time;
    atemi_strike_motion_at(r->motion, r->task->model, time, r->q, r->v, r->a, NULL);
    const double tilt = angle_between(r->q + 3, sample->q + 3);
    if (tilt > fallen && isnan(verification->fall_time)) {
        verification->fall_time = time;
    }
    verification->tilt = fmax(verification->tilt, tilt);
}

static void keep_corners(const run *r, const atemi_simulation *simulation,
                         atemi_strike_corner *corners)
{
    for (int i = 0; i < r->point_count; ++i) {
        corners[i] = (atemi_strike_corner){.place = atemi_simulation_position(simulation, i),
                                           .force = atemi_simulation_force(simulation, i),
                                           .mode = (double)atemi_simulation_mode(simulation, i),
                                           .gap = atemi_simulation_gap(simulation, i)};
    }
}

static void keep(run *r, const atemi_full_blow_sample *sample)
{
    const atemi_model         *model = r->task->model;
    atemi_strike_verification *verification = r->verification;
    const double               start = atemi_strike_motion_time(r->motion, 0);
    const long                 i = lround((sample->blow.time - start) / step);
    if (i < 0 || i >= verification->count) {
        return;
    }
    double *seen = verification->seen + (size_t)i * ATEMI_SEEN_COUNT;
    seen[ATEMI_SEEN_FORCE] = sample->blow.force;
    seen[ATEMI_SEEN_ZMP_X] = sample->has_zmp ? sample->zmp.x : (double)NAN;
    seen[ATEMI_SEEN_ZMP_Y] = sample->has_zmp ? sample->zmp.y : (double)NAN;
    seen[ATEMI_SEEN_MARGIN] = sample->has_zmp ? sample->margin : (double)NAN;
    seen[ATEMI_SEEN_TRAVEL] = verification->result.target_travel;
    atemi_kinematics_update(model, sample->q, sample->blow.rates, NULL, &r->kinematics);
    atemi_strike_momentum(model, &r->kinematics, seen + ATEMI_SEEN_MOMENTUM);
    keep_corners(r, sample->simulation, verification->corners + i * verification->corner_count);
}

// What has happened to a point, from its modes at two instants.
static bool find_kind(atemi_contact_mode before, atemi_contact_mode now, atemi_event_kind *kind)
{
    *kind = now == ATEMI_CONTACT_OPEN      ? ATEMI_EVENT_LIFT_OFF
            : before == ATEMI_CONTACT_OPEN ? ATEMI_EVENT_TOUCHDOWN
            : now == ATEMI_CONTACT_SLIP    ? ATEMI_EVENT_SLIP
                                           : ATEMI_EVENT_STICK;
    return before != now;
}

static void watch_feet(run *r, const atemi_full_blow_sample *sample)
{
    atemi_strike_verification *verification = r->verification;
    for (int i = 0; i < r->point_count; ++i) {
        const atemi_contact_mode mode = atemi_simulation_mode(sample->simulation, i);
        atemi_event_kind         kind;
        if (r->has_modes && find_kind(r->modes[i], mode, &kind) &&
            verification->footstep_count < ATEMI_STRIKE_MAX_FOOTSTEPS) {
            verification->footsteps[verification->footstep_count++] =
                (atemi_strike_footstep){sample->blow.time, kind, i / 4, i % 4};
        }
        r->modes[i] = mode;
    }
    r->has_modes = true;
}

static void on_sample(void *context, const atemi_full_blow_sample *sample)
{
    run *r = (run *)context;
    watch_base(r, sample);
    watch_feet(r, sample);
    keep(r, sample);
}

// ---- The simulation

static int find_feet(const atemi_strike_task *task, double friction, atemi_simulation_point *points)
{
    int count = 0;
    for (int i = 0; i < task->foot_count; ++i) {
        atemi_contact_point corners[4]; // of one site
        const int           some = atemi_site_points(task->model, &task->feet[i], 1, corners);
        for (int k = 0; k < some; ++k) {
            points[count++] = (atemi_simulation_point){.link = corners[k].link,
                                                       .point = corners[k].point,
                                                       .static_friction = friction,
                                                       .kinetic_friction = friction};
        }
    }
    return count;
}

static void take(run *r, atemi_arena *arena)
{
    r->q = atemi_arena_array(arena, double, r->motion->q_count);
    r->v = atemi_arena_array(arena, double, r->motion->v_count);
    r->a = atemi_arena_array(arena, double, r->motion->v_count);
    r->kinematics = atemi_kinematics_take(arena, r->task->model);
}

static double end_time(const run *r)
{
    return atemi_strike_motion_time(r->motion, r->motion->count - 1) + afterwards;
}

static void forget_all(atemi_strike_verification *verification)
{
    const atemi_vec3          nowhere = {NAN, NAN, NAN};
    const atemi_strike_corner unseen = {nowhere, nowhere, NAN, NAN};
    for (ptrdiff_t i = 0; i < (ptrdiff_t)verification->count * ATEMI_SEEN_COUNT; ++i) {
        verification->seen[i] = NAN;
    }
    for (ptrdiff_t i = 0; i < (ptrdiff_t)verification->count * verification->corner_count; ++i) {
        verification->corners[i] = unseen;
    }
}

static atemi_status allocate(run *r, atemi_error *error)
{
    atemi_strike_verification *verification = r->verification;
    const double               start = atemi_strike_motion_time(r->motion, 0);
    const int                  count = (int)lround((end_time(r) - start) / step) + 1;
    const size_t               size = (size_t)count * ATEMI_SEEN_COUNT;
    verification->seen = (double *)atemi_allocate(size * sizeof(double));
    verification->footsteps = (atemi_strike_footstep *)atemi_allocate(
        ATEMI_STRIKE_MAX_FOOTSTEPS * sizeof *verification->footsteps);
    verification->corners = (atemi_strike_corner *)atemi_allocate(
        (size_t)count * (size_t)r->point_count * sizeof *verification->corners);
    if (!verification->seen || !verification->footsteps || !verification->corners) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to verify a strike");
    }
    verification->count = count;
    verification->corner_count = r->point_count;
    forget_all(verification);
    atemi_arena arena = atemi_arena_measuring();
    take(r, &arena);
    const atemi_status status = atemi_arena_create(&r->arena, arena.used, error);
    if (!status) {
        take(r, &r->arena);
    }
    return status;
}

static atemi_status simulate(run *r, atemi_error *error)
{
    const atemi_strike_task      *task = r->task;
    const atemi_strike_motion    *motion = r->motion;
    const atemi_surface           floor = atemi_surface_floor();
    atemi_full_blow_options       options = atemi_full_blow_options_default();
    const atemi_full_blow_setting setting = {.start = atemi_strike_motion_time(motion, 0),
                                             .place = r->options->place,
                                             .q = motion->q,
                                             .v = motion->v,
                                             .reference = on_reference,
                                             .feed = on_feed,
                                             .context = r,
                                             .point = task->point,
                                             .servo = task->servo,
                                             .surface = task->surface,
                                             .target = task->target,
                                             .surfaces = &floor,
                                             .surface_count = 1,
                                             .feet = r->points,
                                             .foot_count = r->point_count};
    options.past_release = true;
    options.goes_on = r->options->goes_on;
    options.goes_on_context = r->options->context;
    options.step = step;
    options.counted = motion->blow_time;
    options.duration = end_time(r);
    return atemi_full_blow(task->model, &setting, &options, on_sample, r, &r->verification->result,
                           error);
}

// The least margin of the ZMP before first touch, until hand and target part, and after that.
static void find_margins(const run *r)
{
    atemi_strike_verification *verification = r->verification;
    const double               start = atemi_strike_motion_time(r->motion, 0),
                 touch = verification->result.touch_time;
    for (int k = 0; k < ATEMI_PHASE_COUNT; ++k) {
        verification->margins[k] = NAN;
    }
    for (int i = 0; i < verification->count; ++i) {
        const double time = start + i * step;
        const double margin = verification->seen[(size_t)i * ATEMI_SEEN_COUNT + ATEMI_SEEN_MARGIN];
        double      *least =
            &verification
                 ->margins[!(time >= touch)                                   ? ATEMI_PHASE_BEFORE
                           : time < touch + verification->result.contact_time ? ATEMI_PHASE_BLOW
                                                                              : ATEMI_PHASE_AFTER];
        *least = fmin(*least, margin);
    }
}

atemi_status atemi_strike_verify(const atemi_strike_task *task, const atemi_strike_motion *motion,
                                 const atemi_strike_verify_options *options,
                                 atemi_strike_verification *verification, atemi_error *error)
{
    ATEMI_REQUIRE_OR(task && motion && options && verification, ATEMI_ERROR_CONTRACT);
    run r = {.task = task, .options = options, .motion = motion, .verification = verification};
    *verification = (atemi_strike_verification){.fall_time = NAN};
    atemi_status status = strike_task_check(task, error); // no more feet than MAX_POINTS holds
    if (status) {
        return status;
    }
    r.point_count = find_feet(task, options->friction, r.points);
    status = allocate(&r, error);
    if (!status) {
        status = simulate(&r, error);
        find_margins(&r);
    }
    atemi_arena_destroy(&r.arena);
    verification->stopped = verification->result.stopped;
    verification->went_on = !status && !verification->stopped;
    if (status == ATEMI_ERROR_SINGULAR) {
        memcpy(verification->trouble, error->message, sizeof verification->trouble);
        *error = (atemi_error){0};
        status = ATEMI_OK;
    }
    return status;
}

void atemi_strike_verification_destroy(atemi_strike_verification *verification)
{
    atemi_release(verification->seen);
    atemi_release(verification->footsteps);
    atemi_release(verification->corners);
    *verification = (atemi_strike_verification){0};
}

bool atemi_strike_stands(const atemi_strike_verification *verification)
{
    return verification->went_on && isnan(verification->fall_time);
}

// The instant of a time, or -1 beyond the end.
static long instant_at(const atemi_strike_verification *verification, double start, double time)
{
    const long i = lround((time - start) / step);
    return i < verification->count ? i : -1;
}

const double *atemi_strike_seen_at(const atemi_strike_verification *verification, double start,
                                   double time)
{
    const long i = instant_at(verification, start, time);
    return i >= 0 ? verification->seen + i * ATEMI_SEEN_COUNT : NULL;
}

const atemi_strike_corner *atemi_strike_corners_at(const atemi_strike_verification *verification,
                                                   double start, double time)
{
    const long i = instant_at(verification, start, time);
    return i >= 0 ? verification->corners + i * verification->corner_count : NULL;
}
