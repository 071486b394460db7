// SPDX-License-Identifier: Apache-2.0

/// @file
/// Blows of masses on rails and of a humanoid, on a test bench.

#pragma once

#include "atemi/blow.h"
#include "atemi/robots.h"
#include "check.h"
#include "random_tree.h"
#include "two_rails.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

/// A robot, what it strikes with, and how.
typedef struct bench {
    atemi_model         *model;
    atemi_arena          arena;
    atemi_virtual_base   base;
    atemi_blow_scratch   scratch;
    int                  n;
    double               q[MOST];
    int                  feet[2];
    atemi_ground         ground;
    atemi_striking_point point;
    double               stiffness[MOST], damping[MOST], limits[MOST], viscous[MOST], coulomb[MOST];
    double               held[MOST];
    atemi_blow_setting   setting;
    atemi_blow_options   options;
    atemi_blow_result    result;
} bench;

static inline void bench_take(bench *b)
{
    b->base = atemi_virtual_base_take(&b->arena, b->model);
    b->scratch = atemi_blow_scratch_take(&b->arena, b->model);
}

static inline void bench_begin(bench *b, atemi_model *model)
{
    memset(b, 0, sizeof *b);
    b->model = model;
    b->arena = atemi_arena_measuring();
    bench_take(b);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    bench_take(b);
    b->n = atemi_model_v_count(model);
    b->ground = atemi_ground_default();
    b->ground.links = b->feet;
    b->setting = atemi_blow_setting_default();
    b->options = atemi_blow_options_default();
}

static inline void bench_end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static inline void freeze(bench *b)
{
    CHECK_STATUS(atemi_virtual_base_update(b->model, b->q, &b->ground, &b->point, &b->base, NULL),
                 ATEMI_OK);
}

/// A mass on a rail along x: its virtual mass is its mass.
static inline void slider(bench *b, double mass, double speed)
{
    atemi_model_builder *builder = tree_begin();
    const atemi_inertia  none = {0}, body = {.mass = mass, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    tree_add_link(builder, "wall", &none);
    tree_add_link(builder, "hand", &body);
    tree_add_joint(builder, "rail", ATEMI_JOINT_PRISMATIC, "wall", "hand",
                   (atemi_vec3){1.0, 0.0, 0.0}, (atemi_vec3){0.0, 0.0, 0.0});
    bench_begin(b, tree_finish(builder, ATEMI_BASE_FIXED));
    b->point = (atemi_striking_point){.link = 1, .direction = {1.0, 0.0, 0.0}};
    b->setting.speed = speed;
    freeze(b);
}

/// Two such masses on rails of their own, which strike together.
static inline void sliders(bench *b, double mass, double speed)
{
    bench_begin(b, two_rails(mass, mass));
    b->point = both_rails();
    b->setting.speed = speed;
    freeze(b);
}

static inline void set_joint(bench *b, const char *name, double angle)
{
    const int joint = atemi_model_find_joint(b->model, name);
    b->q[atemi_model_joint(b->model, joint)->first_q] = angle;
}

/// hrp2_like on both feet, its right fist forward, with the same gains in every joint.
static inline void humanoid(bench *b, double stiffness, double damping, double speed)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    bench_begin(b, model);
    memcpy(b->q, atemi_model_posture(model, atemi_model_find_posture(model, "half_sitting")),
           (size_t)atemi_model_q_count(model) * sizeof *b->q);
    b->q[2] = 0.649; // so that it stands on the floor
    set_joint(b, "right_shoulder_pitch", -0.6);
    set_joint(b, "right_elbow", -1.2);
    b->feet[0] = atemi_model_find_link(model, "right_sole");
    b->feet[1] = atemi_model_find_link(model, "left_sole");
    b->ground.count = 2;
    b->point = (atemi_striking_point){.link = atemi_model_find_link(model, "right_fist"),
                                      .direction = {1.0, 0.0, 0.0}};
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1) {
            b->stiffness[joint->first_v] = stiffness;
            b->damping[joint->first_v] = damping;
            b->limits[joint->first_v] = joint->limits.effort;
        }
    }
    b->setting.servo =
        (atemi_blow_servo){.stiffness = b->stiffness, .damping = b->damping, .limits = b->limits};
    b->setting.speed = speed;
    freeze(b);
}

static inline atemi_blow_result strike(bench *b)
{
    CHECK_STATUS(
        atemi_blow(&b->base, &b->setting, &b->options, NULL, &b->scratch, &b->result, NULL),
        ATEMI_OK);
    return b->result;
}

static inline atemi_blow_result strike_by(bench *b, atemi_blow_method method, double step)
{
    b->options.method = method;
    b->options.step = step;
    return strike(b);
}

static inline void use_spring(bench *b, atemi_blow_law law, double stiffness, double damping)
{
    b->setting.surface.law = law;
    b->setting.surface.spring = (atemi_spring_damper){stiffness, damping};
}
