// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_senses.h"

#include "atemi/robots.h"
#include "check.h"
#include "walk/biped/biped_floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// hrp2_like stands still, and its sensors are read.
typedef struct bench {
    atemi_model      *model;
    atemi_biped      *biped;
    atemi_simulation *simulation;
    biped_senses      senses;
    atemi_arena       arena;
    double           *q, *tau;
} bench;

static bench make(const atemi_biped_faults *faults)
{
    bench                    b = {0};
    atemi_urdf_options       urdf = atemi_urdf_options_default();
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_simulation_point   points[ATEMI_BIPED_POINTS];
    const atemi_surface      floor = atemi_surface_floor();
    urdf.model.base = ATEMI_BASE_FLOATING;
    CHECK_STATUS(atemi_robots_load("hrp2_like", &urdf, &b.model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_create(b.model, NULL, NULL, &b.biped, NULL), ATEMI_OK);
    const atemi_humanoid *h = atemi_biped_humanoid(b.biped);
    const size_t          nv = (size_t)atemi_model_v_count(b.model);
    b.q = calloc((size_t)atemi_model_q_count(b.model), sizeof *b.q);
    b.tau = calloc(nv, sizeof *b.tau);
    atemi_biped_posture(b.biped, b.q);
    biped_floor_points(h, 0.8, points);
    options.method = ATEMI_METHOD_STEPS;
    CHECK_STATUS(atemi_simulation_create(b.model, &floor, 1, points, ATEMI_BIPED_POINTS, &options,
                                         NULL, &b.simulation, NULL),
                 ATEMI_OK);
    double *v = calloc(nv, sizeof *v);
    CHECK_STATUS(atemi_simulation_start(b.simulation, 0.0, b.q, v, NULL), ATEMI_OK);
    free(v);
    atemi_arena measured = atemi_arena_measuring();
    biped_senses_take(&measured, b.model, h, faults, 0.001);
    CHECK_STATUS(atemi_arena_create(&b.arena, measured.used, NULL), ATEMI_OK);
    b.senses = biped_senses_take(&b.arena, b.model, h, faults, 0.001);
    biped_senses_start(&b.senses, b.q);
    return b;
}

static void destroy(bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_simulation_destroy(b->simulation);
    atemi_biped_destroy(b->biped);
    atemi_model_destroy(b->model);
    free(b->q);
    free(b->tau);
}

TEST(biped_senses, offsets_of_encoders_stay_and_are_within_their_bound)
{
    atemi_biped_faults faults = {.senses = true, .encoder_offset = 0.01, .seed = 3};
    bench              b = make(&faults);
    const int          nq = atemi_model_q_count(b.model);
    double             largest = 0.0, first[100];
    CHECK(nq <= 100);
    for (int i = 0; i < 5; ++i) {
        biped_senses_measure(&b.senses, b.simulation);
        for (int k = 7; k < nq; ++k) {
            const double off = b.senses.joint_q[k] - b.q[k];
            CHECK(fabs(off) <= 0.01);
            CHECK(i == 0 || off == first[k]);
            first[k] = off;
            largest = fmax(largest, fabs(off));
        }
    }
    CHECK(largest > 0.005); // 30 joints below half of the bound: one in 2^30
    destroy(&b);
}

// The estimator's gyroscope and accelerometer are what the unit measures at rest, plus the bias.
TEST(biped_senses, biases_are_drawn_within_their_bounds_by_the_seed)
{
    atemi_biped_faults faults = {
        .senses = true, .gyroscope_bias = 0.02, .accelerometer_bias = 0.5, .seed = 3};
    bench            b = make(&faults);
    const atemi_vec3 g = b.senses.gyroscope, a = b.senses.accelerometer;
    CHECK(fmax(fabs(g.x), fmax(fabs(g.y), fabs(g.z))) <= 0.02 && g.x != g.y && g.y != 0.0);
    CHECK(fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))) <= 0.5 && a.x != a.y && a.y != 0.0);
    b.senses.faults.seed = 4;
    biped_senses_start(&b.senses, b.q);
    CHECK(b.senses.gyroscope.x != g.x);
    destroy(&b);
}

// Of n ticks, a fraction p is lost, +- 5 sqrt(p (1 - p) / n).
TEST(biped_senses, a_lost_tick_repeats_what_was_measured_and_keeps_the_torques)
{
    atemi_biped_faults faults = {.dropped = 0.3, .seed = 5};
    bench              b = make(&faults);
    const int          nv = atemi_model_v_count(b.model), n = 4000;
    double            *wanted = calloc((size_t)nv, sizeof *wanted);
    long               before = 0;
    for (int i = 0; i < n; ++i) {
        wanted[nv - 1] = i + 1;
        const double had = b.tau[nv - 1];
        biped_senses_measure(&b.senses, b.simulation);
        biped_senses_drive(&b.senses, wanted, b.tau);
        CHECK_NEAR(b.tau[nv - 1], b.senses.lost > before ? had : i + 1, 0.0);
        CHECK(i > 0 || b.senses.lost == 0); // there is nothing to repeat
        before = b.senses.lost;
    }
    CHECK_NEAR((double)b.senses.lost / n, 0.3, 5.0 * sqrt(0.3 * 0.7 / n));
    free(wanted);
    destroy(&b);
}

TEST(biped_senses, a_weak_drive_has_a_fraction_of_its_limit)
{
    atemi_biped_faults faults = atemi_biped_faults_none();
    bench              b = make(&faults);
    const int          nv = atemi_model_v_count(b.model);
    const int          knee = atemi_model_find_joint(b.model, "left_knee");
    const atemi_joint *joint = atemi_model_joint(b.model, knee);
    double            *efforts = calloc((size_t)nv, sizeof *efforts);
    double            *wanted = calloc((size_t)nv, sizeof *wanted);
    for (int i = 0; i < nv; ++i) {
        efforts[i] = i == joint->first_v ? 0.25 : 1.0;
        wanted[i] = -1e6;
    }
    b.senses.efforts = efforts;
    biped_senses_measure(&b.senses, b.simulation);
    biped_senses_drive(&b.senses, wanted, b.tau);
    CHECK_NEAR(b.tau[joint->first_v], -0.25 * joint->limits.effort, 1e-12);
    free(efforts);
    free(wanted);
    destroy(&b);
}
