// SPDX-License-Identifier: Apache-2.0

/// @file
/// Blows by full dynamics on a test bench, and beside their estimate.

#pragma once

#include "atemi/full_blow.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

static const double pi = 3.14159265358979323846;

/// A robot, how it strikes, and what came of it.
typedef struct bench {
    atemi_model            *model;
    double                  q[MOST], v[MOST];
    double                  stiffness[MOST], damping[MOST], limits[MOST];
    atemi_surface           floor;
    atemi_simulation_point  feet[8];
    atemi_full_blow_setting setting;
    atemi_full_blow_options options;
    atemi_full_blow_result  result;
    double                  end_q[MOST], end_v[MOST]; ///< of the robot, at the last sample
    double                  first_force;
    int                     samples;
} bench;

static inline void bench_begin(bench *b, atemi_model *model)
{
    const atemi_blow_setting usual = atemi_blow_setting_default();
    *b = (bench){.model = model, .options = atemi_full_blow_options_default()};
    b->floor = (atemi_surface){.kind = ATEMI_SURFACE_PLANE, .axis = {0.0, 0.0, 1.0}};
    b->setting = (atemi_full_blow_setting){.q = b->q,
                                           .v = b->v,
                                           .surface = usual.surface,
                                           .target = usual.target,
                                           .surfaces = &b->floor,
                                           .surface_count = 1,
                                           .feet = b->feet};
    b->setting.servo =
        (atemi_blow_servo){.stiffness = b->stiffness, .damping = b->damping, .limits = b->limits};
    for (int i = 0; i < MOST; ++i) {
        b->limits[i] = (double)INFINITY;
    }
}

static inline void bench_end(bench *b)
{
    atemi_model_destroy(b->model);
}

/// A mass on a rail along x: atemi_blow() knows all about it.
static inline void slider(bench *b, double mass, double speed)
{
    atemi_model_builder *builder = tree_begin();
    const atemi_inertia  none = {0}, body = {.mass = mass, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    tree_add_link(builder, "wall", &none);
    tree_add_link(builder, "hand", &body);
    tree_add_joint(builder, "rail", ATEMI_JOINT_PRISMATIC, "wall", "hand",
                   (atemi_vec3){1.0, 0.0, 0.0}, (atemi_vec3){0.0, 0.0, 0.0});
    bench_begin(b, tree_finish(builder, ATEMI_BASE_FIXED));
    b->setting.point = (atemi_striking_point){.link = 1, .direction = {1.0, 0.0, 0.0}};
    b->v[0] = speed;
    b->options.step = 1e-5;
}

static inline void use_spring(bench *b, atemi_blow_law law, double stiffness, double damping)
{
    b->setting.surface.law = law;
    b->setting.surface.spring = (atemi_spring_damper){stiffness, damping};
}

static inline void note(void *context, const atemi_full_blow_sample *sample)
{
    bench *b = (bench *)context;
    if (b->samples++ == 0) {
        b->first_force = sample->blow.force;
    }
    memcpy(b->end_q, sample->q, (size_t)atemi_model_q_count(b->model) * sizeof *b->end_q);
    memcpy(b->end_v, sample->blow.rates, (size_t)atemi_model_v_count(b->model) * sizeof *b->end_v);
}

static inline atemi_full_blow_result strike(bench *b)
{
    atemi_error error = {0};
    b->samples = 0;
    const atemi_status status =
        atemi_full_blow(b->model, &b->setting, &b->options, note, b, &b->result, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return b->result;
}

/// The same blow by atemi_blow(); its arrays are gone. `drift` is that of the hand while the joints
/// keep their rates.
static inline atemi_blow_result estimate(const bench *b, const atemi_ground *ground, double drift)
{
    atemi_arena        arena = atemi_arena_measuring();
    atemi_virtual_base base = atemi_virtual_base_take(&arena, b->model);
    atemi_blow_scratch scratch = atemi_blow_scratch_take(&arena, b->model);
    atemi_blow_setting setting = atemi_blow_setting_default();
    atemi_blow_options options = atemi_blow_options_default();
    atemi_blow_result  result;
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    base = atemi_virtual_base_take(&arena, b->model);
    scratch = atemi_blow_scratch_take(&arena, b->model);
    CHECK_STATUS(atemi_virtual_base_update(b->model, b->q, ground, &b->setting.point, &base, NULL),
                 ATEMI_OK);
    setting.rates = b->v;
    setting.drift = drift;
    setting.servo = b->setting.servo;
    setting.surface = b->setting.surface;
    setting.target = b->setting.target;
    options.duration = b->options.duration;
    options.step = 1e-5;
    options.method =
        setting.surface.law == ATEMI_BLOW_OTHER_LAW ? ATEMI_BLOW_RK4 : ATEMI_BLOW_EXACT;
    CHECK_STATUS(atemi_blow(&base, &setting, &options, NULL, &scratch, &result, NULL), ATEMI_OK);
    atemi_arena_destroy(&arena);
    return result;
}

static inline void check_as_estimated(bench *b, double tolerance)
{
    const atemi_blow_result      expected = estimate(b, NULL, 0.0);
    const atemi_full_blow_result r = strike(b);
    CHECK_NEAR(r.peak_force, expected.peak_force, tolerance * expected.peak_force);
    CHECK_NEAR(r.impulse, expected.impulse, tolerance * expected.impulse);
    CHECK_NEAR(r.contact_time, expected.contact_time,
               b->setting.surface.law == ATEMI_BLOW_COMPRESSION_DAMPER
                   ? tolerance * expected.contact_time
                   : b->options.step); // where the force ends
    CHECK_NEAR(r.compression, expected.compression, tolerance * expected.compression);
    CHECK_NEAR(r.hand_speed, expected.hand_speed, 100.0 * tolerance); // of that step
    CHECK_NEAR(r.target_speed, expected.target_speed, tolerance);
    CHECK_EQUAL_INT(r.released, expected.released);
    CHECK_EQUAL_INT(r.saturated, expected.saturated);
}

static inline double momentum_along(const atemi_model *model, const double *q, const double *v,
                                    atemi_vec3 direction)
{
    atemi_data *s = data_create(model);
    double      A[6 * MOST], sum = 0.0;
    atemi_momentum_matrix(s, q, A);
    const int    n = atemi_model_v_count(model);
    const double along[3] = {direction.x, direction.y, direction.z};
    for (int r = 0; r < 3; ++r) {
        for (int i = 0; i < n; ++i) {
            sum += along[r] * A[r * n + i] * v[i];
        }
    }
    atemi_data_destroy(s);
    return sum;
}
