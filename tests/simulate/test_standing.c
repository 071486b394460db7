// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "allocations.h"
#include "atemi/robots.h"
#include "atemi/support.h"
#include "check.h"
#include "trial.h"

#include <math.h>
#include <string.h>

// A humanoid that holds its half-sitting posture with springs and dampers in its joints, on both
// feet, each with four points. It sinks into the springs and swings before it is at rest.

enum { MOST_Q = 64, CORNERS = 8, FIRST_JOINT_Q = 7, FIRST_JOINT_V = 6, LEG_JOINTS = 12 };

static const double g = 9.81;

typedef struct posture {
    int    joints;
    double q[MOST_Q];
} posture;

static double damping_of(int joint)
{
    return joint < LEG_JOINTS ? 150.0 : 15.0;
}

static void hold(void *context, double time, const double *q, const double *v, double *tau)
{
    const posture *p = (const posture *)context;
    (void)time;
    for (int i = 0; i < p->joints; ++i) {
        const double off = p->q[FIRST_JOINT_Q + i] - q[FIRST_JOINT_Q + i];
        tau[FIRST_JOINT_V + i] = 2000.0 * off - damping_of(i) * v[FIRST_JOINT_V + i];
    }
}

static void add_damping(void *context, double *damping)
{
    for (int i = 0; i < ((const posture *)context)->joints; ++i) {
        damping[FIRST_JOINT_V + i] += damping_of(i);
    }
}

static void add_stiffness(void *context, double *stiffness)
{
    for (int i = 0; i < ((const posture *)context)->joints; ++i) {
        stiffness[FIRST_JOINT_V + i] += 2000.0;
    }
}

static void add_sole(const atemi_model *model, const char *name, atemi_simulation_point *points)
{
    const atemi_site     *sole = atemi_model_site(model, atemi_model_find_site(model, name));
    const atemi_transform own = atemi_transform_identity();
    atemi_vec3            corners[4];
    CHECK_EQUAL_INT(atemi_site_corners(sole, &own, corners), 4);
    for (int i = 0; i < 4; ++i) {
        points[i] = (atemi_simulation_point){.link = sole->link,
                                             .point = corners[i],
                                             .static_friction = 0.7,
                                             .kinetic_friction = 0.6};
    }
}

static posture half_sitting(const atemi_model *model)
{
    posture p = {.joints = atemi_model_v_count(model) - FIRST_JOINT_V};
    CHECK(atemi_model_q_count(model) <= MOST_Q);
    memcpy(p.q, atemi_model_posture(model, atemi_model_find_posture(model, "half_sitting")),
           (size_t)atemi_model_q_count(model) * sizeof *p.q);
    return p;
}

// Lifts the base until the first point is on the floor.
static void put_on_floor(const atemi_model *model, const atemi_simulation_point *point, posture *p)
{
    atemi_data *s = data_create(model);
    atemi_update_kinematics(s, p->q, NULL, NULL);
    const atemi_transform pose = atemi_link_pose(s, point->link);
    p->q[2] -= atemi_transform_apply(&pose, point->point).z;
    atemi_data_destroy(s);
}

typedef struct stand {
    trial                  trial;
    posture                posture;
    atemi_simulation_point corners[CORNERS];
    atemi_vec3             began[CORNERS]; ///< where they were
} stand;

static void begin_by(stand *s, atemi_simulation_method method)
{
    trial_setting setting = {.method = method,
                             .surface = atemi_surface_floor(),
                             .points = s->corners,
                             .count = CORNERS,
                             .step = 2e-3,
                             .hooks = {.torque = hold, .context = &s->posture}};
    const double  v[MOST_Q] = {0};
    if (method == ATEMI_METHOD_STEPS) {
        setting.hooks.damping = add_damping;
        setting.hooks.stiffness = add_stiffness;
    }
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &setting.model, NULL), ATEMI_OK);
    add_sole(setting.model, "right_sole", s->corners);
    add_sole(setting.model, "left_sole", s->corners + 4);
    s->posture = half_sitting(setting.model);
    put_on_floor(setting.model, &s->corners[0], &s->posture);
    trial_begin(&s->trial, &setting);
    trial_start(&s->trial, s->posture.q, v);
    for (int i = 0; i < CORNERS; ++i) {
        s->began[i] = atemi_simulation_position(s->trial.simulation, i);
    }
}

static void begin(stand *s)
{
    begin_by(s, ATEMI_METHOD_EVENTS);
}

// How far a corner has gone.
static double drift(const stand *s, int corner)
{
    const atemi_vec3 now = atemi_simulation_position(s->trial.simulation, corner);
    return atemi_vec3_norm(atemi_vec3_sub(now, s->began[corner]));
}

static double speed(stand *s, int corner)
{
    const atemi_simulation_point *point = &s->corners[corner];
    const atemi_data             *k = trial_kinematics(&s->trial);
    const atemi_transform         pose = atemi_link_pose(k, point->link);
    const atemi_motion            twist = atemi_link_velocity(k, point->link);
    const atemi_vec3              arm = atemi_mat3_apply(&pose.rotation, point->point);
    return atemi_vec3_norm(atemi_motion_at(twist, arm).linear);
}

// When it has come to rest, the floor carries the weight, and nothing else.
static void check_forces(const stand *s, double fine)
{
    const double weight = atemi_model_mass(s->trial.setting.model) * g;
    atemi_vec3   sum = {0.0, 0.0, -weight};
    for (int c = 0; c < CORNERS; ++c) {
        const atemi_vec3 force = atemi_simulation_force(s->trial.simulation, c);
        CHECK(force.z > 0.0);
        sum = atemi_vec3_add(sum, force);
    }
    CHECK_NEAR(atemi_vec3_norm(sum), 0.0, fine * weight);
}

// Neither rounding errors nor those of the steps add up: after 100 s they are as large as here.
TEST(standing, leaves_every_point_where_it_was)
{
    stand s;
    begin(&s);
    for (int i = 1; i <= 100; ++i) {
        trial_run(&s.trial, 0.1 * i);
        for (int c = 0; c < CORNERS; ++c) {
            CHECK_EQUAL_INT(atemi_simulation_mode(s.trial.simulation, c), ATEMI_CONTACT_STICK);
            CHECK_NEAR(drift(&s, c), 0.0, 1e-12);
            CHECK_NEAR(speed(&s, c), 0.0, 1e-11);
        }
    }
    CHECK_EQUAL_INT(s.trial.count, 0);
    check_forces(&s, 1e-9);
    trial_end(&s.trial);
}

// By steps, what the solver leaves (1e-6 of the 2 cm/s that a step of gravity gives) adds up to
// less than 1 um in 10 s, and joints end where they do by events.
TEST(standing, by_steps_ends_where_it_does_by_events)
{
    stand by_steps, by_events;
    begin_by(&by_steps, ATEMI_METHOD_STEPS);
    begin_by(&by_events, ATEMI_METHOD_EVENTS);
    trial_run(&by_steps.trial, 10.0);
    trial_run(&by_events.trial, 10.0);
    const double *q = atemi_simulation_q(by_steps.trial.simulation);
    const double *exact = atemi_simulation_q(by_events.trial.simulation);
    for (int i = FIRST_JOINT_Q; i < atemi_model_q_count(by_steps.trial.setting.model); ++i) {
        CHECK_NEAR(q[i], exact[i], 1e-5);
    }
    for (int c = 0; c < CORNERS; ++c) {
        CHECK_EQUAL_INT(atemi_simulation_mode(by_steps.trial.simulation, c), ATEMI_CONTACT_STICK);
        CHECK_NEAR(drift(&by_steps, c), 0.0, 1e-6);
    }
    CHECK_EQUAL_INT(by_steps.trial.count, 0);
    check_forces(&by_steps, 1e-4);
    trial_end(&by_steps.trial);
    trial_end(&by_events.trial);
}

TEST(standing, takes_no_memory)
{
    stand s;
    begin(&s);
    allocations_begin();
    trial_run(&s.trial, 0.1);
    CHECK_EQUAL_INT(allocations_end(), 0);
    trial_end(&s.trial);
}
