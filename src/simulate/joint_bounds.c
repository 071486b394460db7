// SPDX-License-Identifier: Apache-2.0

#include "simulate/joint_bounds.h"

#include <math.h>

// A coupled joint q_c = m q + o, within its limits, has q between (limit - o) / m; its friction F
// and damping D are felt as |m| F and m^2 D.

atemi_joint_bounds atemi_joint_bounds_take(atemi_arena *arena, const atemi_model *model)
{
    const int n = atemi_model_v_count(model);
    return (atemi_joint_bounds){.count = n,
                                .joints = atemi_arena_array(arena, int, n),
                                .coordinates = atemi_arena_array(arena, int, n),
                                .lower = atemi_arena_array(arena, double, n),
                                .upper = atemi_arena_array(arena, double, n),
                                .viscous = atemi_arena_array(arena, double, n),
                                .coulomb = atemi_arena_array(arena, double, n),
                                .efforts = atemi_arena_array(arena, double, n)};
}

static void clear(atemi_joint_bounds *b)
{
    for (int i = 0; i < b->count; ++i) {
        b->joints[i] = b->coordinates[i] = ATEMI_NONE;
        b->lower[i] = -(double)INFINITY;
        b->upper[i] = b->efforts[i] = (double)INFINITY;
        b->viscous[i] = b->coulomb[i] = 0.0;
    }
}

static void add_friction(const atemi_joint *joint, int rate, double scale, atemi_joint_bounds *b)
{
    b->viscous[rate] += scale * scale * joint->damping;
    b->coulomb[rate] += fabs(scale) * joint->friction;
}

static void add_stops(const atemi_simulation_options *options, const atemi_joint *joint, int rate,
                      double scale, double offset, atemi_joint_bounds *b)
{
    if (!options->joint_stops || scale == 0.0 || joint->type == ATEMI_JOINT_CONTINUOUS) {
        return;
    }
    const double one = (joint->limits.lower - offset) / scale;
    const double other = (joint->limits.upper - offset) / scale;
    b->lower[rate] = fmax(b->lower[rate], fmin(one, other));
    b->upper[rate] = fmin(b->upper[rate], fmax(one, other));
}

void atemi_joint_bounds_fill(const atemi_model *model, const atemi_simulation_options *options,
                             atemi_joint_bounds *bounds)
{
    clear(bounds);
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        for (int i = 0; i < joint->v_count; ++i) {
            bounds->joints[joint->first_v + i] = j;
            add_friction(joint, joint->first_v + i, options->joint_friction ? 1.0 : 0.0, bounds);
        }
        if (joint->v_count == 1) {
            bounds->coordinates[joint->first_v] = joint->first_q;
            bounds->efforts[joint->first_v] = joint->limits.effort;
            add_stops(options, joint, joint->first_v, 1.0, 0.0, bounds);
        } else if (joint->v_count == 0 && joint->mimic.joint != ATEMI_NONE) {
            const int    rate = atemi_model_joint(model, joint->mimic.joint)->first_v;
            const double scale = joint->mimic.multiplier;
            add_friction(joint, rate, options->joint_friction ? scale : 0.0, bounds);
            add_stops(options, joint, rate, scale, joint->mimic.offset, bounds);
        }
    }
    for (int i = 0; i < bounds->count; ++i) {
        const bool stops = isfinite(bounds->lower[i]) || isfinite(bounds->upper[i]);
        bounds->coordinates[i] = stops ? bounds->coordinates[i] : ATEMI_NONE;
    }
}

void atemi_joint_bounds_admit(atemi_joint_bounds *bounds, const double *q)
{
    for (int i = 0; i < bounds->count; ++i) {
        if (bounds->coordinates[i] != ATEMI_NONE) {
            bounds->lower[i] = fmin(bounds->lower[i], q[bounds->coordinates[i]]);
            bounds->upper[i] = fmax(bounds->upper[i], q[bounds->coordinates[i]]);
        }
    }
}

double atemi_joint_bounds_overrun(const atemi_joint_bounds *bounds, const double *q)
{
    double overrun = 0.0;
    for (int i = 0; i < bounds->count; ++i) {
        if (bounds->coordinates[i] != ATEMI_NONE) {
            const double at = q[bounds->coordinates[i]];
            overrun = fmax(overrun, fmax(bounds->lower[i] - at, at - bounds->upper[i]));
        }
    }
    return overrun;
}
