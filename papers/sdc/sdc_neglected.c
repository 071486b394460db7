// SPDX-License-Identifier: Apache-2.0

#include "papers/sdc/sdc_neglected.h"

#include "atemi/blow.h"
#include "atemi/dynamics.h"
#include "atemi/robots.h"
#include "papers/sdc/sdc_motions.h"

#include <math.h>
#include <stdio.h>

// [SDC] eq. 7 and 8: centrifugal and Coriolis terms c*, and gravity g, are small beside the blow's
// force. What counts is what they do to the speed u of the hand. With the feet held (atemi/blow.h),
// c and m_a of the virtual base, and the force of first touch, which is the largest:
//
//   du/dt = c^T (tau - h) + f / m_a,      f = damping v_c
//   velocity terms    |c^T h(q, v)| m_a / f      v: of the straight motion of the hand
//   gravity           |c^T h(q, 0)| m_a / f

static const double gravity = 9.8;   // m/s^2
static const double damping = 300.0; // N s/m, of the contact
static const double much_less = 0.1;

static const char FREE[] = "'relatively small': less than a tenth, as the acceleration of the hand "
                           "at first touch, no torque in the joints; the largest of the speeds";

typedef struct neglected_bench {
    atemi_model         *model;
    atemi_arena          arena;
    atemi_virtual_base   base;
    atemi_data          *data;
    double              *v, *bias, *at_rest; ///< [v_count]
    atemi_striking_point fist;
    int                  feet[2];
    atemi_ground         ground;
} neglected_bench;

static void take(neglected_bench *b)
{
    const int n = atemi_model_v_count(b->model);
    b->base = atemi_virtual_base_take(&b->arena, b->model);
    b->data = atemi_data_take(&b->arena, b->model, NULL);
    b->v = atemi_arena_array(&b->arena, double, n);
    b->bias = atemi_arena_array(&b->arena, double, n);
    b->at_rest = atemi_arena_array(&b->arena, double, n);
}

static atemi_status begin(neglected_bench *b, atemi_error *error)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.gravity.z = -gravity;
    *b = (neglected_bench){.arena = atemi_arena_measuring(), .ground = atemi_ground_default()};
    const atemi_status status = atemi_robots_load("hrp2_like", &options, &b->model, error);
    if (status) {
        return status;
    }
    take(b);
    if (atemi_arena_create(&b->arena, b->arena.used, NULL)) {
        atemi_model_destroy(b->model);
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a robot");
    }
    take(b);
    const atemi_site *fist =
        atemi_model_site(b->model, atemi_model_find_site(b->model, "right_fist"));
    b->fist = (atemi_striking_point){
        .link = fist->link, .point = fist->pose.position, .direction = {1.0, 0.0, 0.0}};
    b->feet[0] = atemi_model_site(b->model, atemi_model_find_site(b->model, "right_sole"))->link;
    b->feet[1] = atemi_model_site(b->model, atemi_model_find_site(b->model, "left_sole"))->link;
    b->ground.links = b->feet;
    b->ground.count = 2;
    return ATEMI_OK;
}

static void end(neglected_bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static double response_to(const neglected_bench *b, const double *forces)
{
    double sum = 0.0;
    for (int i = 0; i < b->base.count; ++i) {
        sum += b->base.response[i] * forces[i];
    }
    return fabs(sum) * atemi_virtual_mass(&b->base);
}

// Beside the force of first touch at the speed of the hand.
static void compare(neglected_bench *b, const double *q, double speed, double *velocity,
                    double *weight)
{
    const double force = damping * speed;
    atemi_virtual_base_rates(&b->base, speed, b->v);
    atemi_inverse_dynamics(b->data, q, NULL, NULL, NULL, b->at_rest);
    atemi_inverse_dynamics(b->data, q, b->v, NULL, NULL, b->bias);
    for (int i = 0; i < b->base.count; ++i) {
        b->bias[i] -= b->at_rest[i];
    }
    *velocity = fmax(*velocity, response_to(b, b->bias) / force);
    *weight = fmax(*weight, response_to(b, b->at_rest) / force);
}

static atemi_status add_posture(atemi_reproduction *reproduction, neglected_bench *b, int posture,
                                atemi_error *error)
{
    const atemi_printed small = {ATEMI_REPRODUCED_PREDICTED, much_less, 0.0, "-", FREE,
                                 ATEMI_REPRODUCED_AT_MOST};
    const char          letter = sdc_motion_names[posture * SDC_SPEEDS][0];
    double              velocity = 0.0, weight = 0.0;
    char                name[32];
    snprintf(name, sizeof name, "punch_%.0fkg", sdc_masses[posture]);
    const double      *q = atemi_model_posture(b->model, atemi_model_find_posture(b->model, name));
    const atemi_status status =
        atemi_virtual_base_update(b->model, q, &b->ground, &b->fist, &b->base, error);
    if (status) {
        return status;
    }
    for (int i = 0; i < SDC_SPEEDS; ++i) {
        compare(b, q, sdc_speeds[i], &velocity, &weight);
    }
    atemi_reproduction_add(reproduction, small, velocity,
                           "eq. 7: velocity terms beside the blow's force, posture %c", letter);
    atemi_reproduction_add(reproduction, small, weight,
                           "eq. 8: gravity beside the blow's force, posture %c", letter);
    return ATEMI_OK;
}

atemi_status sdc_neglected_add(atemi_reproduction *reproduction, atemi_error *error)
{
    neglected_bench b;
    atemi_status    status = begin(&b, error);
    if (status) {
        return status;
    }
    for (int posture = 0; posture < SDC_POSTURES && !status; ++posture) {
        status = add_posture(reproduction, &b, posture, error);
    }
    end(&b);
    return status;
}
