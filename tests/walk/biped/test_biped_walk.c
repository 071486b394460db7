// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/biped.h"
#include "atemi/robots.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whole walks of hrp2_like. What a walk is measured by is the simulation, which knows nothing of
// the controller.

static atemi_model *load(const char *name, atemi_base base)
{
    atemi_model       *model;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = base;
    CHECK_STATUS(atemi_robots_load(name, &options, &model, NULL), ATEMI_OK);
    return model;
}

typedef struct watch {
    double worst_friction; ///< |f_t| - friction f_n, N
    double weight, impulse;
    double lowest; ///< upwards component of the trunk's z
    double felt;   ///< least friction
} watch;

static bool look(void *context, const atemi_biped_walk *walk)
{
    watch                  *w = (watch *)context;
    const atemi_simulation *s = atemi_biped_walk_simulation(walk);
    const double           *q = atemi_simulation_q(s);
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        const atemi_vec3 f = atemi_simulation_force(s, i);
        w->worst_friction = fmax(w->worst_friction, hypot(f.x, f.y) - 0.8 * f.z);
        w->impulse += f.z * 1e-3;
    }
    w->felt = fmin(w->felt, atemi_biped_state_get(atemi_biped_walk_controller(walk)).friction);
    w->lowest = fmin(w->lowest, 1.0 - 2.0 * (q[3] * q[3] + q[4] * q[4]));
    return true;
}

static atemi_biped_summary walk_with(atemi_model *model, const atemi_biped_task *task, watch *w)
{
    const atemi_biped_hooks hooks = {.tick = look, .context = w};
    atemi_biped_walk       *walk;
    *w = (watch){.lowest = 1.0, .felt = 1.0};
    CHECK_STATUS(atemi_biped_walk_create(model, task, NULL, &hooks, &walk, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_walk_run(walk, NULL), ATEMI_OK);
    const atemi_biped_summary summary = atemi_biped_walk_summary_get(walk);
    atemi_biped_walk_destroy(walk);
    return summary;
}

TEST(biped_walk, walks_forwards_and_comes_to_rest)
{
    atemi_model              *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    watch                     w;
    const atemi_biped_summary s = walk_with(model, NULL, &w);
    CHECK_EQUAL_INT(s.end, ATEMI_BIPED_DONE);
    CHECK(s.steps >= 20);
    CHECK_EQUAL_INT(s.failures, 0);
    CHECK(s.distance > 2.5 && s.effort < 1.0);
    CHECK(w.lowest > 0.99);         // the trunk leans by 8 degrees at most
    CHECK(w.worst_friction < 1e-6); // cones hold at every instant
    // The floor carries the weight, on average over a walk from rest to rest.
    CHECK_NEAR(w.impulse / s.time, 9.81 * atemi_model_mass(model), 0.01 * w.impulse / s.time);
    atemi_model_destroy(model);
}

TEST(biped_walk, walks_backwards_sideways_and_turns)
{
    atemi_model *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    const struct {
        double forwards, sideways, turning;
    } gaits[] = {
        {-0.2, 0.0, 0.0}, {0.0, 0.15, 0.0}, {0.0, -0.15, 0.0}, {0.2, 0.0, 0.15}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof gaits / sizeof *gaits; ++i) {
        watch            w;
        atemi_biped_task task = atemi_biped_task_default();
        task.controller.forwards = gaits[i].forwards;
        task.controller.sideways = gaits[i].sideways;
        task.controller.turning = gaits[i].turning;
        task.steps = 12;
        CHECK_EQUAL_INT(walk_with(model, &task, &w).end, ATEMI_BIPED_DONE);
    }
    atemi_model_destroy(model);
}

TEST(biped_walk, a_push_of_a_fifth_of_its_momentum_from_any_side_does_not_fell_it)
{
    atemi_model *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    for (int i = 0; i < 8; ++i) {
        watch             w;
        const double      angle = 0.785398163397448 * i, size = 0.2 * atemi_model_mass(model) / 0.1;
        atemi_biped_task  task = atemi_biped_task_default();
        atemi_timed_force push = {.link = 0, .from = 4.0 + 0.07 * i, .until = 4.1 + 0.07 * i};
        push.wrench.linear = (atemi_vec3){size * cos(angle), size * sin(angle), 0.0};
        task.forces = &push;
        task.force_count = 1;
        task.steps = 12;
        CHECK_EQUAL_INT(walk_with(model, &task, &w).end, ATEMI_BIPED_DONE);
    }
    atemi_model_destroy(model);
}

TEST(biped_walk, walks_by_its_sensors_with_delay_lag_and_noise)
{
    atemi_model *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        watch            w;
        atemi_biped_task task = atemi_biped_task_default();
        task.faults = atemi_biped_faults_real();
        task.faults.seed = seed;
        task.faults.delay = 0.002 * (double)seed; // up to 6 ms
        const atemi_biped_summary s = walk_with(model, &task, &w);
        CHECK_EQUAL_INT(s.end, ATEMI_BIPED_DONE);
        CHECK(w.lowest > 0.99 && s.distance > 2.5);
        CHECK(w.felt == task.controller.friction); // nothing has slipped
    }
    atemi_model_destroy(model);
}

// The controller counts on 0.6 until a sole slides. What it then feels is of the floor's size: the
// pyramid has 0.7 to 1 of the friction, it keeps 0.8 of what slid, and less while it slides on.
TEST(biped_walk, walks_on_ice_and_feels_it)
{
    atemi_model *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    const double floors[] = {0.2, 0.1, 0.06};
    for (int i = 0; i < 3; ++i) {
        watch            w;
        atemi_biped_task task = atemi_biped_task_default();
        task.faults = atemi_biped_faults_real();
        task.friction = floors[i];
        task.steps = 12;
        CHECK_EQUAL_INT(walk_with(model, &task, &w).end, ATEMI_BIPED_DONE);
        CHECK(w.felt < 1.4 * floors[i] && w.felt >= 0.03);
    }
    atemi_model_destroy(model);
}

TEST(biped_walk, is_the_same_again)
{
    atemi_model     *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    watch            first, second;
    atemi_biped_task task = atemi_biped_task_default();
    task.steps = 5;
    CHECK(walk_with(model, &task, &first).distance == walk_with(model, &task, &second).distance);
    CHECK(memcmp(&first, &second, sizeof first) == 0);
    atemi_model_destroy(model);
}

TEST(biped_walk, a_tick_allocates_nothing)
{
    atemi_model       *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    atemi_biped       *biped;
    const int          nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    double            *q = calloc((size_t)nq, sizeof *q), *v = calloc((size_t)nv, sizeof *v);
    double            *tau = calloc((size_t)nv, sizeof *tau);
    atemi_biped_senses senses = {.q = q, .v = v, .forces = {280.0, 280.0}};
    CHECK_STATUS(atemi_biped_create(model, NULL, NULL, &biped, NULL), ATEMI_OK);
    atemi_biped_posture(biped, q);
    allocations_begin();
    for (int i = 0; i < 3000; ++i) { // standing, leaving, swinging
        atemi_biped_tick(biped, &senses, tau);
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK(atemi_biped_state_get(biped).phase != ATEMI_BIPED_STANDS);
    atemi_biped_destroy(biped);
    free(q);
    free(v);
    free(tau);
    atemi_model_destroy(model);
}

TEST(biped_walk, refuses_what_cannot_walk)
{
    atemi_error  error;
    atemi_biped *biped;
    atemi_model *fixed = load("hrp2_like", ATEMI_BASE_FIXED);
    atemi_model *arm = load("three_link", ATEMI_BASE_FLOATING);
    CHECK_STATUS(atemi_biped_create(fixed, NULL, NULL, &biped, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "floating");
    CHECK(biped == NULL);
    CHECK_STATUS(atemi_biped_create(arm, NULL, NULL, &biped, &error), ATEMI_ERROR_INPUT);
    atemi_model_destroy(fixed);
    atemi_model_destroy(arm);
}
