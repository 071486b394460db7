// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/biped.h"
#include "atemi/robots.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

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
    double light;  ///< s, with less than 0.6 of the weight on the floor
    double late;   ///< s, at worst, that a foot found the floor after its time
    double left;   ///< s, until the next landing
    long   landings;
} watch;

enum { LEARNING = 8 }; // landings, before lateness counts

static bool look(void *context, const atemi_biped_walk *walk)
{
    watch                  *w = (watch *)context;
    const atemi_simulation *s = atemi_biped_walk_simulation(walk);
    const double           *q = atemi_simulation_q(s);
    double                  pressed = 0.0;
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        const atemi_vec3 f = atemi_simulation_force(s, i);
        pressed += f.z;
        w->worst_friction = fmax(w->worst_friction, hypot(f.x, f.y) - 0.8 * f.z);
        w->impulse += f.z * 1e-3;
    }
    w->light += pressed < 0.6 * w->weight ? 1e-3 : 0.0;
    const atemi_biped_state state = atemi_biped_state_get(atemi_biped_walk_controller(walk));
    w->felt = fmin(w->felt, state.friction);
    if (state.landings > LEARNING && state.landings > w->landings) {
        w->late = fmax(w->late, -w->left);
    }
    w->left = state.step_time - state.clock;
    w->landings = state.landings;
    w->lowest = fmin(w->lowest, 1.0 - 2.0 * (q[3] * q[3] + q[4] * q[4]));
    return true;
}

static atemi_biped_summary walk_with(atemi_model *model, const atemi_biped_task *task, watch *w)
{
    const atemi_biped_hooks hooks = {.tick = look, .context = w};
    atemi_biped_walk       *walk;
    *w = (watch){.lowest = 1.0, .felt = 1.0, .weight = 9.81 * atemi_model_mass(model)};
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

// Steps that answer a push from a side swing the foot within 0.2 s. Its legs are three tenths of
// the robot: where the foot counted as much as the centre of mass, the robot hopped, and slid.
TEST(biped_walk, a_foot_that_is_swung_fast_does_not_lift_the_robot)
{
    atemi_model *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    double       light = 0.0;
    for (int i = 0; i < 4; ++i) {
        watch             w;
        const double      size = (i % 2 ? 0.25 : -0.25) * atemi_model_mass(model) / 0.1;
        atemi_biped_task  task = atemi_biped_task_default();
        atemi_timed_force push = {.from = 4.0 + 0.13 * i, .until = 4.1 + 0.13 * i};
        push.wrench.linear = (atemi_vec3){0.0, size, 0.0};
        task.forces = &push;
        task.force_count = 1;
        task.steps = 12;
        CHECK_EQUAL_INT(walk_with(model, &task, &w).end, ATEMI_BIPED_DONE);
        light += w.light;
    }
    CHECK(light < 0.04); // 10 ms a walk
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

// The controller counts on 0.35 until a sole slides. What it then feels is less, the less the
// longer soles slide.
TEST(biped_walk, walks_on_ice_and_feels_it)
{
    atemi_model *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    const double floors[] = {0.2, 0.1, 0.06}, most[] = {0.5, 0.2, 0.15};
    for (int i = 0; i < 3; ++i) {
        watch            w;
        atemi_biped_task task = atemi_biped_task_default();
        task.faults = atemi_biped_faults_real();
        task.friction = floors[i];
        task.steps = 12;
        CHECK_EQUAL_INT(walk_with(model, &task, &w).end, ATEMI_BIPED_DONE);
        CHECK(w.felt < most[i] && w.felt >= 0.05);
    }
    atemi_model_destroy(model);
}

// On a slope of 6 degrees a step of 0.18 m ends 18 mm lower, which a foot that comes down with 10
// cm/s and falls on by half of g finds 50 ms late. A tenth of sqrt(leg / g) is allowed.
TEST(biped_walk, lands_in_time_on_a_slope)
{
    enum { COLUMNS = 25 };
    atemi_model  *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    double        heights[2][COLUMNS];
    watch         w;
    atemi_surface floor = {.kind = ATEMI_SURFACE_HEIGHTS, .position = {-1.0, -2.0, 0.0}};
    for (int i = 0; i < COLUMNS; ++i) { // level up to x = 0.25
        heights[0][i] = heights[1][i] = -0.105 * fmax(0.25 * i - 1.25, 0.0);
    }
    floor.table = (atemi_height_table){COLUMNS, 2, 0.25, 4.0, heights[0]};
    atemi_biped_task task = atemi_biped_task_default();
    task.faults = atemi_biped_faults_real();
    task.floor = &floor;
    CHECK_EQUAL_INT(walk_with(model, &task, &w).end, ATEMI_BIPED_DONE);
    CHECK(w.late < 0.025);
    atemi_model_destroy(model);
}

// Four landings bring it to rest. A walk of fewer never began, and so never ended.
TEST(biped_walk, a_walk_of_one_step_ends)
{
    atemi_model     *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    watch            w;
    atemi_biped_task task = atemi_biped_task_default();
    task.steps = 1;
    const atemi_biped_summary s = walk_with(model, &task, &w);
    CHECK_EQUAL_INT(s.end, ATEMI_BIPED_DONE);
    CHECK(s.steps >= 1 && s.steps <= 4);
    atemi_model_destroy(model);
}

static double bend_of(const atemi_model *model, const char *knee)
{
    atemi_biped *biped;
    double       q[64];
    CHECK(atemi_model_q_count(model) <= 64);
    CHECK_STATUS(atemi_biped_create(model, NULL, NULL, &biped, NULL), ATEMI_OK);
    atemi_biped_posture(biped, q);
    atemi_biped_destroy(biped);
    return fabs(q[atemi_model_joint(model, atemi_model_find_joint(model, knee))->first_q]);
}

// Three times as heavy, hrp2_like would need 0.98 of its knees' 168 N m to stand on one leg bent by
// 0.7: 174 kg with an arm of half a leg, 0.3 m, times the sine of half of the bend. It bends until
// that takes 0.6 of them.
TEST(biped_walk, a_weak_knee_bends_less)
{
    const atemi_model_variation heavier = {.masses = 3.0, .lengths = 1.0};
    atemi_model                *model = load("hrp2_like", ATEMI_BASE_FLOATING), *heavy;
    CHECK_STATUS(atemi_model_vary(model, &heavier, &heavy, NULL), ATEMI_OK);
    CHECK_NEAR(bend_of(model, "left_knee"), 0.7, 1e-6);
    const double bend = bend_of(heavy, "left_knee");
    const double torque = 9.81 * atemi_model_mass(heavy) * 0.3 * sin(0.5 * bend);
    CHECK_NEAR(torque, 0.6 * 168.3, 1.0);
    atemi_model_destroy(heavy);
    atemi_model_destroy(model);
}

static atemi_biped_summary walk_by(const atemi_biped_order *orders, int count, double duration)
{
    atemi_model     *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    watch            w;
    atemi_biped_task task = atemi_biped_task_default();
    task.steps = 1000;
    task.orders = orders;
    task.order_count = count;
    task.duration = duration;
    const atemi_biped_summary s = walk_with(model, &task, &w);
    CHECK_EQUAL_INT(s.end, ATEMI_BIPED_DONE);
    atemi_model_destroy(model);
    return s;
}

TEST(biped_walk, follows_orders_over_time)
{
    const atemi_biped_order stand = {.at = 0.0};
    atemi_biped_summary     s = walk_by(&stand, 1, 0.0);
    CHECK_EQUAL_INT(s.steps, 0);
    CHECK(s.distance < 0.01 && s.time < 1.1); // it sways within its soles, for a second
    const atemi_biped_order aside[] = {
        {.at = 0.0}, {.at = 1.5, .walk = true, .sideways = 0.15}, {.at = 6.0}};
    s = walk_by(aside, 3, 0.0);
    CHECK(s.steps > 4 && s.place.y > 0.1 && fabs(s.place.x) < 0.1);
    CHECK(s.time > 7.0); // a second after it stands
    const atemi_biped_order on = {.at = 0.0, .walk = true, .forwards = 0.2};
    s = walk_by(&on, 1, 4.0); // until the time is over
    CHECK_NEAR(s.time, 4.0, 1e-9);
    CHECK(s.place.x > 0.1);
}

// Nobody tells the controller of 10 % more weight in the trunk.
TEST(biped_walk, carries_an_unknown_payload)
{
    atemi_model                *model = load("hrp2_like", ATEMI_BASE_FLOATING), *loaded;
    const atemi_payload         payload = {.link = atemi_model_find_link(model, "chest"),
                                           .mass = 0.1 * atemi_model_mass(model)};
    const atemi_model_variation carries = {1.0, 1.0, &payload, 1};
    CHECK(payload.link != ATEMI_NONE);
    CHECK_STATUS(atemi_model_vary(model, &carries, &loaded, NULL), ATEMI_OK);
    watch            w;
    atemi_biped_task task = atemi_biped_task_default();
    task.believed = model;
    task.steps = 12;
    const atemi_biped_summary s = walk_with(loaded, &task, &w);
    CHECK_EQUAL_INT(s.end, ATEMI_BIPED_DONE);
    // The floor carries the payload as well.
    CHECK_NEAR(w.impulse / s.time, 9.81 * 1.1 * atemi_model_mass(model), 0.01 * w.impulse / s.time);
    atemi_model_destroy(loaded);
    atemi_model_destroy(model);
}

static double first_torque(const atemi_model *model, const atemi_model *believed)
{
    atemi_biped_task task = atemi_biped_task_default();
    task.believed = believed;
    task.duration = task.controller.tick;
    atemi_biped_walk *walk;
    CHECK_STATUS(atemi_biped_walk_create(model, &task, NULL, NULL, &walk, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_walk_run(walk, NULL), ATEMI_OK);
    const atemi_joint *knee = atemi_model_joint(model, atemi_model_find_joint(model, "left_knee"));
    const double       tau = atemi_simulation_tau(atemi_biped_walk_simulation(walk))[knee->first_v];
    atemi_biped_walk_destroy(walk);
    return tau;
}

// Standing still, all torques are proportional to the weight that the controller believes in. The
// tasks that bend the posture back are proportional to nothing, hence 2 %.
TEST(biped_walk, the_controller_acts_on_what_it_believes)
{
    const atemi_model_variation heavier = {.masses = 1.2, .lengths = 1.0};
    atemi_model                *model = load("hrp2_like", ATEMI_BASE_FLOATING), *believed;
    CHECK_STATUS(atemi_model_vary(model, &heavier, &believed, NULL), ATEMI_OK);
    const double tau = first_torque(model, NULL);
    CHECK(fabs(tau) > 1.0);
    CHECK_NEAR(first_torque(model, believed) / tau, 1.2, 0.02 * 1.2);
    atemi_model_destroy(believed);
    atemi_model_destroy(model);
}

static void note_slip(void *context, const atemi_sole_slip *slip)
{
    atemi_biped_summary *sum = (atemi_biped_summary *)context;
    ++sum->slips;
    sum->slip_distance += slip->distance;
    CHECK(slip->distance >= 1e-3 && slip->duration > 0.0 && slip->place.x < 5.0);
}

TEST(biped_walk, reports_slips_changes_and_falls)
{
    atemi_model            *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    atemi_biped_summary     heard = {0};
    const atemi_biped_hooks hooks = {.slip = note_slip, .context = &heard};
    const double            size = 1.5 * atemi_model_mass(model) / 0.1;
    atemi_timed_force       push = {.from = 4.0, .until = 4.1, .wrench.linear = {0.0, size, 0.0}};
    atemi_biped_task        task = atemi_biped_task_default();
    atemi_biped_walk       *walk;
    task.forces = &push;
    task.force_count = 1;
    CHECK_STATUS(atemi_biped_walk_create(model, &task, NULL, &hooks, &walk, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_walk_run(walk, NULL), ATEMI_OK);
    const atemi_biped_summary s = atemi_biped_walk_summary_get(walk);
    CHECK_EQUAL_INT(s.end, ATEMI_BIPED_FELL);
    CHECK_EQUAL_INT(s.cause, ATEMI_FALL_FORCE);
    // It was pushed to the left: there it leans, and there it is.
    CHECK(s.lean > 0.3 && s.lean_heading > 0.3 && s.lean_heading < 2.8 && s.place.y > 0.1);
    CHECK_EQUAL_INT(s.slips, heard.slips);
    CHECK_NEAR(s.slip_distance, heard.slip_distance, 1e-12);
    // Each foot that has left the floor by a step was on it before.
    long lifted = 0, landed = 0;
    for (int i = 1; i < ATEMI_SOLE_STATES; ++i) {
        lifted += atemi_biped_walk_changes(walk, (atemi_sole_state)i, ATEMI_SOLE_AIR);
        landed += atemi_biped_walk_changes(walk, ATEMI_SOLE_AIR, (atemi_sole_state)i);
    }
    CHECK(landed >= s.steps && lifted - landed >= 0 && lifted - landed <= ATEMI_SIDES);
    atemi_biped_walk_destroy(walk);
    atemi_model_destroy(model);
}

// Nothing may come of a force of nothing: its beginning and end are instants of ticks but for
// rounding, and the accelerometer must not see the rest of a step between both.
TEST(biped_walk, forces_that_begin_and_end_with_ticks_leave_the_sensors_alone)
{
    atemi_model      *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    atemi_timed_force none[40] = {{0}};
    watch             w;
    atemi_biped_task  task = atemi_biped_task_default();
    task.faults = atemi_biped_faults_real();
    task.steps = 6;
    const double distance = walk_with(model, &task, &w).distance;
    for (int i = 0; i < 40; ++i) {
        none[i].from = 0.05 + 0.1 * i;
        none[i].until = none[i].from + 0.05;
    }
    task.forces = none;
    task.force_count = 40;
    CHECK_NEAR(walk_with(model, &task, &w).distance, distance, 0.0);
    atemi_model_destroy(model);
}

TEST(biped_walk, is_the_same_again)
{
    atemi_model     *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    watch            first, second;
    atemi_biped_task task = atemi_biped_task_default();
    task.steps = 5;
    CHECK(walk_with(model, &task, &first).distance == walk_with(model, &task, &second).distance);
    CHECK(first.impulse == second.impulse && first.worst_friction == second.worst_friction);
    CHECK(first.lowest == second.lowest && first.late == second.late);
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
    atemi_model            *model = load("hrp2_like", ATEMI_BASE_FLOATING);
    const atemi_biped_order late[] = {{.at = 2.0}, {.at = 1.0}};
    atemi_biped_task        task = atemi_biped_task_default();
    atemi_biped_walk       *walk;
    task.orders = late;
    task.order_count = 2;
    CHECK_STATUS(atemi_biped_walk_create(model, &task, NULL, NULL, &walk, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "sort them by time");
    task.order_count = 0;
    task.believed = arm;
    CHECK_STATUS(atemi_biped_walk_create(model, &task, NULL, NULL, &walk, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "variation of the same robot");
    atemi_model_destroy(model);
    atemi_model_destroy(fixed);
    atemi_model_destroy(arm);
}
