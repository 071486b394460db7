// SPDX-License-Identifier: Apache-2.0

#include "io/strike_verification.h"

#include "atemi/allocator.h"
#include "atemi/configuration.h"
#include "atemi/support.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 4 * ATEMI_STRIKE_MOST_FEET };

static const double afterwards = 0.3; // s: how long it must stand
static const double step = 5e-4;      // s

typedef struct run {
    const atemi_strike_scenario *scenario;
    const atemi_strike_motion   *motion;
    atemi_strike_verification   *verification;
    double                      *room; ///< of what is not asked for
} run;

static void on_reference(void *context, double time, double *q, double *v, double *a)
{
    const run *r = (const run *)context;
    atemi_strike_motion_at(r->motion, r->scenario->robot.model, time, q, v, a, NULL);
}

static void on_feed(void *context, double time, double *tau)
{
    const run *r = (const run *)context;
    double    *q = r->room, *v = q + r->motion->q_count, *a = v + r->motion->v_count;
    atemi_strike_motion_at(r->motion, r->scenario->robot.model, time, q, v, a, tau);
}

static double angle_between(const double *a, const double *b)
{
    const double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    return 2.0 * acos(fmin(dot, 1.0));
}

static void on_sample(void *context, const atemi_full_blow_sample *sample)
{
    const run                 *r = (const run *)context;
    atemi_strike_verification *verification = r->verification;
    const atemi_strike_motion *motion = r->motion;
    const double               at = sample->blow.time / motion->step + motion->touch;
    const int                  i = (int)lround(at);
    double                    *q = r->room, *v = q + motion->q_count, *a = v + motion->v_count;
    atemi_strike_motion_at(motion, r->scenario->robot.model, sample->blow.time, q, v, a, NULL);
    verification->tilt = angle_between(q + 3, sample->q + 3);
    if (i >= 0 && i < verification->track.count) {
        verification->track.force[i] = sample->blow.force;
        verification->track.zmp_x[i] = sample->zmp.x;
        verification->track.zmp_y[i] = sample->zmp.y;
        verification->track.margin[i] = sample->margin;
    }
}

static int find_feet(const atemi_strike_scenario *scenario, atemi_simulation_point *points)
{
    int count = 0;
    for (int i = 0; i < scenario->task.foot_count; ++i) {
        const atemi_site     *site = atemi_model_site(scenario->robot.model, scenario->feet[i]);
        const atemi_transform here = atemi_transform_identity();
        atemi_vec3            corners[4];
        const int             some = atemi_site_corners(site, &here, corners);
        for (int k = 0; k < some; ++k) {
            points[count++] = (atemi_simulation_point){.link = site->link,
                                                       .point = corners[k],
                                                       .static_friction = scenario->friction,
                                                       .kinetic_friction = scenario->friction};
        }
    }
    return count;
}

static atemi_status allocate(run *r, atemi_error *error)
{
    atemi_strike_track *track = &r->verification->track;
    const size_t        rows = (size_t)r->motion->count;
    const size_t   room = (size_t)(r->motion->q_count + 2 * r->motion->v_count) * sizeof(double);
    double **const lists[] = {&track->force, &track->zmp_x, &track->zmp_y, &track->margin};
    bool           ready = true;
    track->count = r->motion->count;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        *lists[i] = (double *)atemi_allocate(rows * sizeof(double));
        ready = ready && *lists[i];
        for (size_t k = 0; k < rows && *lists[i]; ++k) {
            (*lists[i])[k] = NAN;
        }
    }
    r->room = (double *)atemi_allocate(room);
    return ready && r->room ? ATEMI_OK
                            : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to verify a strike");
}

static atemi_status simulate(run *r, atemi_vec3 place, atemi_error *error)
{
    const atemi_strike_scenario  *scenario = r->scenario;
    const atemi_strike_task      *task = &scenario->task;
    const atemi_strike_motion    *motion = r->motion;
    const atemi_surface           floor = atemi_surface_floor();
    atemi_simulation_point        feet[MOST_POINTS];
    atemi_full_blow_options       options = atemi_full_blow_options_default();
    const atemi_full_blow_setting setting = {
        .start = atemi_strike_motion_time(motion, 0),
        .place = place,
        .q = motion->q,
        .v = motion->v,
        .reference = on_reference,
        .feed = on_feed,
        .context = r,
        .point = {task->hand_link, task->hand_point, task->direction},
        .servo = task->servo,
        .surface = task->surface,
        .target = task->target,
        .surfaces = &floor,
        .surface_count = 1,
        .feet = feet,
        .foot_count = find_feet(scenario, feet)};
    options.past_release = true;
    options.step = step;
    options.duration = atemi_strike_motion_time(motion, motion->count - 1) + afterwards;
    return atemi_full_blow(scenario->robot.model, &setting, &options, on_sample, r,
                           &r->verification->result, error);
}

atemi_status atemi_strike_verify(const atemi_strike_scenario *scenario,
                                 const atemi_strike_motion *motion, atemi_vec3 place,
                                 atemi_strike_verification *verification, atemi_error *error)
{
    run r = {.scenario = scenario, .motion = motion, .verification = verification};
    *verification = (atemi_strike_verification){0};
    atemi_status status = allocate(&r, error);
    if (!status) {
        status = simulate(&r, place, error);
    }
    atemi_release(r.room);
    verification->went_on = !status;
    if (status == ATEMI_ERROR_SINGULAR) {
        memcpy(verification->trouble, error->message, sizeof verification->trouble);
        *error = (atemi_error){0};
        status = ATEMI_OK;
    }
    return status;
}

void atemi_strike_verification_destroy(atemi_strike_verification *verification)
{
    atemi_release(verification->track.force);
    atemi_release(verification->track.zmp_x);
    atemi_release(verification->track.zmp_y);
    atemi_release(verification->track.margin);
    *verification = (atemi_strike_verification){0};
}
