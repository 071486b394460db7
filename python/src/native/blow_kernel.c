// SPDX-License-Identifier: Apache-2.0

#include "kernels.h"

#include <math.h>

// in: q, speed, v or NULL; out: nine numbers of the blow, virtual mass and least ZMP margin, the
// largest torques of the servos. All are NaN where the hand has no freedom to move.

typedef struct watcher {
    const atemi_worker          *worker;
    const atemi_blow_parameters *blow;
    const double                *q;
    atemi_support_plane          plane;
    atemi_support                support;
    double                       margin;
} watcher;

/// The polygon of all sites on grounded links, on the horizontal plane of the first.
static void find_support(watcher *w)
{
    const atemi_model *model = w->worker->model;
    atemi_vec3        *corners = w->worker->blow.corners;
    int                count = 0;
    for (int i = 0; i < atemi_model_site_count(model); ++i) {
        const atemi_site *site = atemi_model_site(model, i);
        bool              stands = false;
        for (int k = 0; k < w->blow->ground.count; ++k) {
            stands = stands || w->blow->ground.links[k] == site->link;
        }
        if (stands) {
            const atemi_transform pose = atemi_link_pose(w->worker->blow.base.data, site->link);
            count += atemi_site_corners(site, &pose, corners + count);
        }
    }
    w->plane = atemi_support_plane_floor();
    w->plane.point.z = count > 0 ? corners[0].z : 0.0;
    w->support = atemi_support_polygon(&w->plane, corners, count, corners);
    w->margin = count > 0 ? (double)INFINITY : (double)NAN;
}

static void look(void *context, const atemi_blow_sample *sample)
{
    watcher   *w = context;
    atemi_vec3 zmp;
    if (w->support.count > 0 &&
        atemi_blow_zmp(w->worker->blow.base.data, w->q, sample->rates, sample->accelerations,
                       &w->blow->point, sample->force, &w->plane, &zmp)) {
        w->margin = fmin(w->margin, atemi_support_distance(&w->support, zmp).distance);
    }
}

static void put_nothing(int joints, double *const *out)
{
    for (int i = 0; i < 9; ++i) {
        out[0][i] = (double)NAN;
    }
    out[1][0] = out[1][1] = (double)NAN;
    for (int i = 0; i < joints; ++i) {
        out[2][i] = (double)NAN;
    }
}

static void put(const atemi_blow_result *result, int joints, double *const *out)
{
    const double numbers[9] = {result->peak_force,   result->peak_time,     result->impulse,
                               result->contact_time, result->compression,   result->hand_speed,
                               result->target_speed, result->target_travel, result->duration};
    for (int i = 0; i < 9; ++i) {
        out[0][i] = numbers[i];
    }
    for (int i = 0; i < joints; ++i) {
        out[2][i] = result->peak_torques[i];
    }
}

/// Evenly over the blow, from its first instant to the end of the longest.
static atemi_blow_watch watch_of(watcher *w, double duration)
{
    double *times = w->worker->blow.times;
    for (int i = 0; i < w->blow->samples; ++i) {
        times[i] = duration * i / w->blow->samples;
    }
    return (atemi_blow_watch){
        .times = times, .count = w->blow->samples, .take = look, .context = w};
}

/// What the ZMP needs besides: the accelerations of servos that lead the hand straight on. They do
/// not change the force.
static atemi_status find_accelerations(const atemi_worker *worker, const atemi_virtual_base *base,
                                       const atemi_blow_parameters *blow, const double *q,
                                       atemi_blow_setting *setting)
{
    atemi_straight_reference reference = worker->blow.reference;
    if (!setting->rates) {
        atemi_virtual_base_rates(base, setting->speed, worker->blow.rates);
        setting->rates = worker->blow.rates;
    }
    setting->accelerations = worker->blow.accelerations;
    return atemi_straight_reference_start(&reference, q, setting->rates, setting->speed,
                                          &blow->ground, &blow->point, worker->blow.accelerations,
                                          blow->error);
}

atemi_status atemi_kernel_blow(const atemi_worker            *worker,
                               const atemi_kernel_parameters *parameters, const double *const *in,
                               double *const *out)
{
    const atemi_blow_parameters *blow = parameters->blow;
    atemi_virtual_base           base = worker->blow.base;
    atemi_blow_scratch           scratch = worker->blow.scratch;
    const int                    joints = atemi_model_v_count(worker->model);
    atemi_blow_result            result;
    atemi_status status = atemi_virtual_base_update(worker->model, in[0], &blow->ground,
                                                    &blow->point, &base, blow->error);
    if (!status) {
        atemi_blow_setting setting = blow->setting;
        watcher            w = {.worker = worker, .blow = blow, .q = in[0], .margin = (double)NAN};
        setting.speed = in[1][0];
        setting.rates = in[2];
        if (blow->samples > 0) {
            find_support(&w);
            status = find_accelerations(worker, &base, blow, in[0], &setting);
        }
        const atemi_blow_watch watch = watch_of(&w, blow->options.duration);
        out[1][0] = atemi_virtual_mass(&base);
        if (!status) {
            status = atemi_blow(&base, &setting, &blow->options, blow->samples > 0 ? &watch : NULL,
                                &scratch, &result, blow->error);
        }
        out[1][1] = w.margin;
    }
    if (status == ATEMI_ERROR_SINGULAR) {
        put_nothing(joints, out);
        return ATEMI_OK;
    }
    if (!status) {
        put(&result, joints, out);
    }
    return status;
}
