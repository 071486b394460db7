// SPDX-License-Identifier: Apache-2.0

#include "atemi/walk.h"

#include "allocations.h"
#include "walk_rig.h"

#include <math.h>
#include <string.h>

// [WALK]: 424.13 m in 710.35 s with 1000 steps. The first steps gather speed, so that few steps are
// shorter on average than many.
static const double paper_length = 0.42413, paper_period = 0.71035;

static atemi_walk_task task_of(long steps)
{
    atemi_walk_task task = atemi_walk_task_default();
    task.steps = steps;
    return task;
}

// ---- Walking --------------------------------------------------------------------------------

TEST(walk, goes_as_far_and_as_fast_as_that_of_the_paper)
{
    const atemi_walk_task    task = task_of(24);
    const atemi_walk_summary s = walk_with(&task, NULL);
    CHECK_EQUAL_STRING(atemi_walk_end_text(s.end), "done");
    CHECK_EQUAL_INT(s.steps, 24);
    CHECK_NEAR(s.step_length, paper_length, 0.1 * paper_length);
    CHECK_NEAR(s.step_period, paper_period, 0.05 * paper_period);
    CHECK_EQUAL_INT(s.slips, 0);
}

TEST(walk, goes_on_at_a_friction_of_three_tenths)
{
    atemi_walk_task task = task_of(12);
    task.friction = 0.3;
    const atemi_walk_summary s = walk_with(&task, NULL);
    CHECK_EQUAL_STRING(atemi_walk_end_text(s.end), "done");
    CHECK(s.most_friction <= 0.3 * (1.0 + 1e-9));
}

// Wherever the patch begins under the steps.
TEST(walk, crosses_a_metre_of_ice)
{
    for (int i = 0; i < 2; ++i) {
        const atemi_floor_patch ice = {.from = 2.0 + 0.2 * i, .to = 3.0 + 0.2 * i, .friction = 0.1};
        atemi_walk_task         task = task_of(14);
        task.patches = &ice;
        task.patch_count = 1;
        const atemi_walk_summary s = walk_with(&task, NULL);
        CHECK_EQUAL_STRING(atemi_walk_end_text(s.end), "done");
        CHECK(s.slips > 0);
        CHECK(s.distance > 4.0);
    }
}

enum { RIGHT_KNEE = 4, LEFT_KNEE = 7 }; // in q

static bool measure_knees(void *context, const atemi_walk *walk)
{
    double       *least = (double *)context;
    const double *q = atemi_simulation_q(atemi_walk_simulation(walk));
    *least = fmin(*least, fmin(q[RIGHT_KNEE], q[LEFT_KNEE]));
    return true;
}

// 20 N s, half of the momentum of the walk, from both sides, at several times of a step. A knee
// that is stretched could go on either way: once, walks went on with one bent backwards.
TEST(walk, stands_pushes_without_bending_a_knee_backwards)
{
    for (int i = 0; i < 3; ++i) {
        const double            start = 5.0 + 0.24 * i;
        const atemi_timed_force push = {.wrench.linear = {i % 2 ? -200.0 : 200.0, 0.0, 0.0},
                                        .from = start,
                                        .until = start + 0.1};
        double                  least = 1.0;
        const atemi_walk_hooks  hooks = {.tick = measure_knees, .context = &least};
        atemi_walk_task         task = task_of(11);
        task.forces = &push;
        task.force_count = 1;
        CHECK_EQUAL_STRING(atemi_walk_end_text(walk_with(&task, &hooks).end), "done");
        CHECK(least > 0.0);
    }
}

// ---- Falling --------------------------------------------------------------------------------

TEST(walk, ends_in_a_fall_whose_cause_is_told)
{
    const atemi_timed_force push = {.wrench.linear = {600.0, 0.0, 0.0}, .from = 3.0, .until = 3.5};
    atemi_walk_task         pushed = task_of(20), oiled = task_of(20);
    pushed.forces = &push;
    pushed.force_count = 1;
    oiled.friction = 0.01;
    const atemi_walk_summary of_push = walk_with(&pushed, NULL), of_oil = walk_with(&oiled, NULL);
    CHECK_EQUAL_STRING(atemi_walk_end_text(of_push.end), "fell");
    CHECK_EQUAL_INT(of_push.cause, ATEMI_FALL_FORCE);
    CHECK(of_push.time > 3.0 && of_push.time < 6.0);
    CHECK_EQUAL_STRING(atemi_walk_end_text(of_oil.end), "fell");
    CHECK_EQUAL_INT(of_oil.cause, ATEMI_FALL_SLIP);
}

// ---- Books ----------------------------------------------------------------------------------

// Over the whole walk, through collisions, slips and pushes: as the motion, impulses and work are
// found to fourth order.
TEST(walk, is_explained_by_forces_and_powers)
{
    const atemi_timed_force push = {.wrench.linear = {100.0, 0.0, 0.0}, .from = 2.0, .until = 2.1};
    for (int i = 0; i < 3; ++i) {
        atemi_walk_task task = task_of(8);
        task.friction = (double[]){0.7, 0.7, 0.1}[i];
        task.forces = &push;
        task.force_count = i == 1;
        const atemi_walk_summary s = walk_with(&task, NULL);
        CHECK_EQUAL_STRING(atemi_walk_end_text(s.end), "done");
        CHECK(s.collisions > 8);
        CHECK(s.momentum_error > 0.0 && s.momentum_error < (i == 1 ? 3e-7 : 1e-7));
        CHECK(s.energy_error > 0.0 && s.energy_error < (i == 1 ? 3e-7 : 1e-7));
        CHECK_NEAR(s.joint_work - s.damping_loss - s.friction_loss - s.collision_loss, 0.0,
                   0.1 * s.joint_work);        // the rest is speed
        CHECK(s.positive_work > s.joint_work); // drives also brake
    }
}

// As the motion, impulses and work are found to fourth order.
TEST(walk, is_explained_sixteen_times_better_with_half_the_step)
{
    double momentum[2], energy[2];
    for (int i = 0; i < 2; ++i) {
        atemi_walk_task task = task_of(4);
        task.step = i ? 2e-3 : 4e-3; // the ticks, and with them the motion, are the same
        const atemi_walk_summary s = walk_with(&task, NULL);
        momentum[i] = s.momentum_error;
        energy[i] = s.energy_error;
    }
    CHECK(momentum[1] < momentum[0] / 8.0);
    CHECK(energy[1] < energy[0] / 8.0);
}

typedef struct cone {
    double friction;
    double deepest, steepest; ///< of f_n < 0, and of |f_t| beyond K f_n, relative to the weight
} cone;

static bool measure_cone(void *context, const atemi_walk *walk)
{
    cone                   *c = (cone *)context;
    const atemi_simulation *simulation = atemi_walk_simulation(walk);
    for (int foot = 0; foot < ATEMI_FEET; ++foot) {
        const atemi_vec3 heel = atemi_simulation_force(simulation, 2 * foot);
        const atemi_vec3 toe = atemi_simulation_force(simulation, 2 * foot + 1);
        const double     weight = 64.2 * 9.81;
        c->deepest = fmax(c->deepest, -fmin(heel.z, toe.z) / weight);
        c->steepest =
            fmax(c->steepest, (fabs(heel.x + toe.x) - c->friction * (heel.z + toe.z)) / weight);
    }
    return true;
}

TEST(walk, keeps_within_the_cone_of_friction)
{
    for (int i = 0; i < 3; ++i) {
        cone                   c = {.friction = (double[]){0.7, 0.2, 0.1}[i]};
        const atemi_walk_hooks hooks = {.tick = measure_cone, .context = &c};
        atemi_walk_task        task = task_of(6);
        task.friction = c.friction;
        walk_with(&task, &hooks);
        CHECK(c.deepest <= 1e-9);
        CHECK(c.steepest <= 1e-9);
    }
}

// ---- Being a function of its task -----------------------------------------------------------

static bool keep_place(void *context, const atemi_walk *walk)
{
    const double *q = atemi_simulation_q(atemi_walk_simulation(walk));
    memcpy(context, q, 19 * sizeof *q);
    return true;
}

TEST(walk, is_the_same_bit_by_bit_when_walked_again)
{
    double                 places[2][19];
    const atemi_walk_task  task = task_of(3);
    atemi_model           *model = walker();
    atemi_walk            *walk;
    const atemi_walk_hooks hooks = {.tick = keep_place, .context = places[0]};
    CHECK_STATUS(atemi_walk_create(model, &task, &hooks, &walk, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_walk_run(walk, NULL), ATEMI_OK);
    memcpy(places[1], places[0], sizeof places[1]);
    CHECK_STATUS(atemi_walk_run(walk, NULL), ATEMI_OK);
    CHECK(memcmp(places[0], places[1], sizeof places[0]) == 0);
    atemi_walk_destroy(walk);
    atemi_model_destroy(model);
}

TEST(walk, takes_no_memory_while_it_goes)
{
    const atemi_walk_task task = task_of(2);
    atemi_model          *model = walker();
    atemi_walk           *walk;
    CHECK_STATUS(atemi_walk_create(model, &task, NULL, &walk, NULL), ATEMI_OK);
    allocations_begin();
    const atemi_status status = atemi_walk_run(walk, NULL);
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK_STATUS(status, ATEMI_OK);
    atemi_walk_destroy(walk);
    atemi_model_destroy(model);
}

static bool stop_after_a_second(void *context, const atemi_walk *walk)
{
    (void)context;
    return atemi_simulation_time(atemi_walk_simulation(walk)) < 1.0;
}

TEST(walk, stops_when_told_so)
{
    const atemi_walk_hooks   hooks = {.tick = stop_after_a_second};
    const atemi_walk_task    task = task_of(20);
    const atemi_walk_summary s = walk_with(&task, &hooks);
    CHECK_EQUAL_STRING(atemi_walk_end_text(s.end), "stopped");
    CHECK_NEAR(s.time, 1.0, 1e-9);
}

static bool no_more(void *context)
{
    ++*(int *)context;
    return false;
}

// Within a tick: a step of the simulation may be short, and a tick take long.
TEST(walk, ends_within_a_tick_when_nobody_wants_more)
{
    int                    asked = 0;
    atemi_walk_task        task = atemi_walk_task_default();
    const atemi_walk_hooks hooks = {.goes_on = no_more, .context = &asked};
    task.step = task.controller.tick / 1000.0;
    const atemi_walk_summary s = walk_with(&task, &hooks);
    CHECK_EQUAL_STRING(atemi_walk_end_text(s.end), "stopped");
    CHECK_EQUAL_INT(asked, 1);
    CHECK(s.time < task.controller.tick);
}

// ---- Gait -----------------------------------------------------------------------------------

// In every step the heel lands first and the toe leaves last, and the feet exchange; a foot may
// bounce before it stands.
TEST(walk, has_the_gait_of_a_person)
{
    const atemi_walk_task task = task_of(10);
    atemi_model          *model = walker();
    atemi_walk           *walk;
    CHECK_STATUS(atemi_walk_create(model, &task, NULL, &walk, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_walk_run(walk, NULL), ATEMI_OK);
    const atemi_gait_watch *gait = atemi_walk_gait(walk);
    double                  time = 0.0, on_both = 0.0;
    for (int a = 0; a < ATEMI_FOOT_STATES; ++a) {
        for (int b = 0; b < ATEMI_FOOT_STATES; ++b) {
            time += gait->times[a][b];
            on_both += a != ATEMI_FOOT_AIR && b != ATEMI_FOOT_AIR ? gait->times[a][b] : 0.0;
        }
    }
    CHECK_NEAR(time, atemi_simulation_time(atemi_walk_simulation(walk)), 1e-9);
    CHECK(on_both > 0.05 * time && on_both < 0.25 * time);
    CHECK(gait->arrows[ATEMI_FOOT_AIR][ATEMI_FOOT_HEEL_STICK] +
              gait->arrows[ATEMI_FOOT_AIR][ATEMI_FOOT_HEEL_SLIP] >=
          9);
    CHECK(gait->times[ATEMI_FOOT_SOLE_STICK][ATEMI_FOOT_AIR] > 0.5 * time);
    CHECK(gait->exchanges >= 9 && gait->exchanges <= 15);
    atemi_walk_destroy(walk);
    atemi_model_destroy(model);
}

// ---- Refusals -------------------------------------------------------------------------------

static void check_refused(const atemi_walk_task *task, const char *part)
{
    atemi_model *model = walker();
    atemi_walk  *walk;
    atemi_error  error;
    CHECK_STATUS(atemi_walk_create(model, task, NULL, &walk, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, part);
    atemi_model_destroy(model);
}

TEST(walk, of_a_task_that_makes_no_sense_is_refused)
{
    const atemi_floor_patch backwards = {.from = 2.0, .to = 1.0, .friction = 0.1};
    const atemi_timed_force sideways = {
        .wrench.linear = {0.0, 1.0, 0.0}, .from = 1.0, .until = 2.0};
    atemi_walk_task task = task_of(0);
    check_refused(&task, "0 steps");
    task = task_of(1);
    task.patches = &backwards;
    task.patch_count = 1;
    check_refused(&task, "from 2 to 1 m");
    task = task_of(1);
    task.forces = &sideways;
    task.force_count = 1;
    check_refused(&task, "in the plane of x and z");
    task = task_of(1);
    task.friction = -1.0;
    check_refused(&task, "friction -1");
}
