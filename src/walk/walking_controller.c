// SPDX-License-Identifier: Apache-2.0

#include "atemi/walk.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "dynamics/newton_euler.h"
#include "walk/walking_options.h"
#include "walk/walking_parts.h"

#include <math.h>
#include <string.h>

// With the accelerations a of all rates (walk/walking_motion.c) and the floor's force F:
//
//   M a + h = tau + J_p^T F                       tau is zero for the base
//
// The base of M a + h is F, and tau follows. Two feet on the floor share F, each in its own centre
// of pressure p.

enum { LEG_RATES = ATEMI_WANTED_MOST - ATEMI_WALKING_BASE_RATES };

// ---- Making one -----------------------------------------------------------------------------

static void take(atemi_arena *arena, atemi_walking_controller *c)
{
    const int nq = atemi_model_q_count(c->model), nv = atemi_model_v_count(c->model);
    c->posture = atemi_arena_array(arena, double, nq);
    double **of_v[] = {&c->limits,  &c->damping, &c->still, &c->before,
                       &c->torques, &c->a,       &c->load,  &c->row};
    for (size_t i = 0; i < sizeof of_v / sizeof of_v[0]; ++i) {
        *of_v[i] = atemi_arena_array(arena, double, nv);
    }
    c->M = atemi_arena_array(arena, double, nv *nv);
    c->mass = atemi_mass_matrix_scratch_take(arena, c->model);
    c->inverse = atemi_inverse_dynamics_scratch_take(arena, c->model);
    atemi_planar_link *links[] = {&c->feet[ATEMI_LEFT], &c->feet[ATEMI_RIGHT], &c->waist, &c->head};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; ++i) {
        *links[i] = atemi_planar_link_take(arena, c->model);
    }
}

static int rate_of_leg(const atemi_walking_controller *c, int k)
{
    return atemi_walking_body_rate(&c->body, k / ATEMI_LEG_JOINTS, k % ATEMI_LEG_JOINTS);
}

static void find_rates(atemi_walking_controller *c)
{
    for (int k = 0; k < ATEMI_WALKING_BASE_RATES; ++k) {
        c->wanted.unknowns[k] = k;
    }
    for (int k = 0; k < LEG_RATES; ++k) {
        c->wanted.unknowns[ATEMI_WALKING_BASE_RATES + k] = rate_of_leg(c, k);
    }
    atemi_walking_drives(c->model, c->damping, c->limits);
}

// Legs bent so that the hips are as high as they shall be, feet flat below them.
static void bend_legs(const atemi_walking_controller *c, double *q)
{
    const double a = c->body.thigh, b = c->body.shin, h = c->stride.options.hip_height;
    const double knee = acos((h * h - a * a - b * b) / (2.0 * a * b));
    const double hip = -atan2(b * sin(knee), a + b * cos(knee));
    const double bent[ATEMI_LEG_JOINTS] = {hip, knee, -hip - knee};
    for (int k = 0; k < LEG_RATES; ++k) {
        q[rate_of_leg(c, k)] = bent[k % ATEMI_LEG_JOINTS];
    }
}

static void find_posture(atemi_walking_controller *c)
{
    const int    standing = atemi_model_find_posture(c->model, "standing");
    const size_t size = (size_t)atemi_model_q_count(c->model) * sizeof *c->posture;
    atemi_configuration_neutral(c->model, c->posture);
    if (standing != ATEMI_NONE) {
        memcpy(c->posture, atemi_model_posture(c->model, standing), size);
    }
    bend_legs(c, c->posture);
    atemi_kinematics_update(c->model, c->posture, NULL, NULL, &c->inverse.kinematics);
    const atemi_transform foot =
        atemi_link_pose_in(c->model, &c->inverse.kinematics, c->body.feet[ATEMI_LEFT].link);
    const double floor =
        atemi_transform_apply(&foot, c->body.feet[ATEMI_LEFT].points[ATEMI_HEEL]).z;
    c->posture[1] -= floor;
    c->head_height =
        atemi_link_pose_in(c->model, &c->inverse.kinematics, c->body.head).position.z - floor;
}

atemi_status atemi_walking_controller_create(const atemi_model           *model,
                                             const atemi_walking_options *options,
                                             atemi_walking_controller   **controller,
                                             atemi_error                 *error)
{
    ATEMI_REQUIRE_OR(model && controller, ATEMI_ERROR_CONTRACT);
    *controller = NULL;
    atemi_walking_controller made = {.model = model};
    made.stride.options = options ? *options : atemi_walking_options_default();
    atemi_status status = atemi_walking_body_find(model, &made.body, error);
    if (!status) {
        status = atemi_walking_options_check(&made.stride.options, &made.body, error);
    }
    if (status) {
        return status;
    }
    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_walking_controller, 1);
    take(&arena, &made);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_walking_controller *c = atemi_arena_array(&arena, atemi_walking_controller, 1);
    *c = made;
    take(&arena, c);
    c->arena = arena;
    c->stride.gravity = -atemi_model_gravity(model).z;
    c->stride.lean = atemi_model_gravity(model).x / c->stride.gravity;
    c->stride.reach = c->body.thigh + c->body.shin;
    c->stride.ankles = c->body.sole;
    find_rates(c);
    find_posture(c);
    atemi_stride_start(&c->stride);
    *controller = c;
    return ATEMI_OK;
}

void atemi_walking_controller_destroy(atemi_walking_controller *controller)
{
    if (controller) {
        atemi_arena arena = controller->arena;
        atemi_arena_destroy(&arena);
    }
}

void atemi_walking_controller_posture(atemi_walking_controller *controller, double *q)
{
    ATEMI_REQUIRE(controller && q);
    memcpy(q, controller->posture, (size_t)atemi_model_q_count(controller->model) * sizeof *q);
    controller->started = false;
    controller->limited = 0;
    atemi_stride_start(&controller->stride);
}

int atemi_walking_controller_point(const atemi_walking_controller *controller, int point,
                                   atemi_vec3 *place)
{
    ATEMI_REQUIRE_OR(controller && point >= 0 && point < ATEMI_WALKING_POINTS && place, ATEMI_NONE);
    const atemi_walking_foot *foot = &controller->body.feet[point / ATEMI_FOOT_POINTS];
    *place = foot->points[point % ATEMI_FOOT_POINTS];
    return foot->link;
}

// ---- Looking --------------------------------------------------------------------------------

static atemi_foot_view look_at_foot(const atemi_walking_controller *c, int f,
                                    const atemi_walking_senses *senses)
{
    const atemi_planar_link *link = &c->feet[f];
    const int                first = ATEMI_FOOT_POINTS * f;
    const bool               heel_down = senses->touches[first + ATEMI_HEEL];
    const bool               toe_down = senses->touches[first + ATEMI_TOE];
    const atemi_planar_point heel =
        atemi_planar_link_point(link, c->body.feet[f].points[ATEMI_HEEL]);
    const atemi_planar_point toe = atemi_planar_link_point(link, c->body.feet[f].points[ATEMI_TOE]);
    const atemi_planar_point rest =
        atemi_planar_link_point(link, atemi_walking_resting_point(c, f, heel_down, toe_down));
    return (atemi_foot_view){
        .heel = heel.x,
        .toe = toe.x,
        .heel_height = heel.z,
        .heel_speed = heel.vx,
        .ankle_x = link->x,
        .ankle_z = link->z,
        .angle = link->angle,
        .slide = fabs(rest.vx),
        .heel_down = heel_down,
        .toe_down = toe_down,
        .push_x = senses->forces[first].x + senses->forces[first + 1].x,
        .push_z = senses->forces[first].z + senses->forces[first + 1].z,
    };
}

static atemi_body_view look(atemi_walking_controller *c, const atemi_walking_senses *senses)
{
    const atemi_model *model = c->model;
    atemi_kinematics_update(model, senses->q, senses->v, c->still, &c->inverse.kinematics);
    atemi_planar_link_look(model, &c->inverse.kinematics, 0, &c->waist);
    atemi_planar_link_look(model, &c->inverse.kinematics, c->body.head, &c->head);
    for (int f = 0; f < ATEMI_FEET; ++f) {
        atemi_planar_link_look(model, &c->inverse.kinematics, c->body.feet[f].link, &c->feet[f]);
    }
    const atemi_vec3 com = atemi_center_of_mass_in(model, &c->inverse.kinematics);
    const double     momentum = atemi_momentum_in(model, &c->inverse.kinematics).linear.x;
    return (atemi_body_view){
        .com_x = com.x,
        .com_z = com.z,
        .com_speed = momentum / atemi_model_mass(model),
        .hip_x = c->waist.x,
        .hip_speed = c->waist.vx,
        .feet = {look_at_foot(c, ATEMI_LEFT, senses), look_at_foot(c, ATEMI_RIGHT, senses)},
    };
}

// ---- Torques --------------------------------------------------------------------------------

// M a + h, into the torques.
static void find_loads(atemi_walking_controller *c)
{
    const int n = atemi_model_v_count(c->model);
    for (int i = 0; i < n; ++i) {
        c->torques[i] = c->load[i];
        for (int k = 0; k < n; ++k) {
            c->torques[i] += c->M[i * n + k] * c->a[k];
        }
    }
}

// What the force (x, z) of the floor on a foot spares its leg.
static void relieve(atemi_walking_controller *c, int foot, double x, double z)
{
    const atemi_planar_link *link = &c->feet[foot];
    const double             arm_x = c->stride.pressures[foot] - link->x, arm_z = -link->z;
    for (int k = 0; k < ATEMI_LEG_JOINTS; ++k) {
        const int i = atemi_walking_body_rate(&c->body, foot, k);
        c->torques[i] -= atemi_planar_x(link, arm_z, i) * x + atemi_planar_z(link, arm_x, i) * z;
    }
}

static void find_torques(atemi_walking_controller *c)
{
    find_loads(c);
    const double along = c->torques[0], up = c->torques[1];
    const double x = c->waist.cosine * along + c->waist.sine * up;
    const double z = c->waist.cosine * up - c->waist.sine * along;
    for (int f = 0; f < ATEMI_FEET; ++f) {
        relieve(c, f, c->stride.shares[f] * x, c->stride.shares[f] * z);
    }
    memset(c->torques, 0, ATEMI_WALKING_BASE_RATES * sizeof *c->torques);
}

// How much of their efforts the drives need at this tick, for what the damping takes as well.
static double find_strain(const atemi_walking_controller *c, const double *v)
{
    double strain = 0.0;
    for (int i = ATEMI_WALKING_BASE_RATES; i < atemi_model_v_count(c->model); ++i) {
        strain = fmax(strain, fabs(c->torques[i] + c->damping[i] * v[i]) / c->limits[i]);
    }
    return strain;
}

static void swap(double **a, double **b)
{
    double *const kept = *a;
    *a = *b;
    *b = kept;
}

void atemi_walking_controller_tick(atemi_walking_controller *controller, double time,
                                   const atemi_walking_senses *senses)
{
    ATEMI_REQUIRE(controller && senses && senses->q && senses->v);
    atemi_walking_controller *c = controller;
    const size_t              size = (size_t)atemi_model_v_count(c->model) * sizeof *c->torques;
    const atemi_body_view     view = look(c, senses);
    atemi_stride_update(&c->stride, &view);
    atemi_mass_matrix_in(c->model, senses->q, &c->mass, c->M);
    atemi_newton_euler_at(c->model, true, NULL, atemi_model_gravity(c->model), NULL, &c->inverse,
                          c->load);
    swap(&c->before, &c->torques);
    if (atemi_walking_motion_find(c, &view, senses)) {
        find_torques(c);
    } else {
        memcpy(c->torques, c->before, size);
    }
    if (!c->started) {
        memcpy(c->before, c->torques, size);
    }
    c->strain = find_strain(c, senses->v);
    c->limited += c->strain > 1.0;
    c->started = true;
    c->time = time;
}

// (fmin and fmax would be calls.)
static double within(double x, double limit)
{
    const double below = x < limit ? x : limit;
    return below > -limit ? below : -limit;
}

void atemi_walking_controller_torque(const atemi_walking_controller *controller, double time,
                                     const double *v, double *tau)
{
    ATEMI_REQUIRE(controller && v && tau);
    const atemi_walking_controller *c = controller;
    const double part = fmin(fmax((time - c->time) / c->stride.options.tick, 0.0), 1.0);
    for (int i = 0; i < atemi_model_v_count(c->model); ++i) {
        const double ramp = c->before[i] + part * (c->torques[i] - c->before[i]);
        tau[i] = within(ramp + c->damping[i] * v[i], c->limits[i]);
    }
}

atemi_walking_state atemi_walking_controller_state(const atemi_walking_controller *controller)
{
    atemi_walking_state state = controller->stride.state;
    state.limited = controller->limited;
    state.strain = controller->strain;
    return state;
}
