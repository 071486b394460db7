// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "dynamics/mass_rows.h"
#include "simulate/driven/whole_body.h"

#include <math.h>
#include <string.h>

// A tick of h, with tau(theta, q, w, v) what the drives do to the links:
//
//   half     motors over h/2 by their own short steps, links along v     q_m = q + h/2 v
//   kick     v' = v + h a,   M(q_m) a + h(q_m, v) = tau + loads + J^T f
//   half     motors over h/2, links along v'                             q' = q_m + h/2 v'
//
// which is of second order, keeps the energy of springs, and is stable for 4 I > 2 h d + h^2 k,
// with I what a joint feels of its link, k and d of its spring. The winding is solved without error
// by the motors' own steps (src/simulate/driven/joint_plant.c), so its time L/R may be as short as
// it likes. So may stops be as hard as they like: they are met as by a link of the inertia 1 /
// (M^-1)_ii, the least that joint i can feel.
//
// A brake that closed at b is a stop on both sides of it. Each of n counts with n (M^-1)_ii: the
// sum of their answers is then no more than what stops them all.

// ---- Holds ----------------------------------------------------------------------------------

// The place of a link that is held, or of ATEMI_NONE a free one; NULL where there is none.
static held_link *find_hold(const atemi_whole_body_plant *p, int link)
{
    for (int i = 0; i < p->options.max_holds; ++i) {
        if (p->holds[i].link == link) {
            return &p->holds[i];
        }
    }
    return NULL;
}

static void find_contacts(atemi_whole_body_plant *p)
{
    p->contact_count = 0;
    for (int i = 0; i < p->options.max_holds; ++i) {
        if (p->holds[i].link != ATEMI_NONE) {
            atemi_held_link_contacts(p->model, &p->kinematics, &p->holds[i], p->options.period,
                                     p->contacts + p->contact_count);
            p->contact_count += HELD_CONTACTS;
        }
    }
}

static void keep_forces(atemi_whole_body_plant *p)
{
    for (int i = 0; i < p->contact_count; i += HELD_CONTACTS) {
        find_hold(p, p->contacts[i].link)->force =
            atemi_held_link_force(p->model, &p->kinematics, p->contacts + i, p->contact_forces + i);
    }
}

atemi_status atemi_whole_body_plant_hold(atemi_whole_body_plant *plant, int link,
                                         atemi_error *error)
{
    ATEMI_REQUIRE_OR(plant && link >= 0 && link < atemi_model_link_count(plant->model),
                     ATEMI_ERROR_CONTRACT);
    if (find_hold(plant, link)) {
        return ATEMI_OK;
    }
    held_link *free = find_hold(plant, ATEMI_NONE);
    if (!free) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT,
                          "%d links are held already, as many as may be: release one",
                          plant->options.max_holds);
    }
    atemi_whole_body_observe(plant, plant->q);
    *free = (held_link){.link = link,
                        .anchor = atemi_link_pose_in(plant->model, &plant->kinematics, link)};
    return ATEMI_OK;
}

void atemi_whole_body_plant_release(atemi_whole_body_plant *plant, int link)
{
    ATEMI_REQUIRE(plant && link >= 0);
    held_link *held = find_hold(plant, link);
    if (held) {
        held->link = ATEMI_NONE;
    }
}

bool atemi_whole_body_plant_is_held(const atemi_whole_body_plant *plant, int link)
{
    ATEMI_REQUIRE_OR(plant && link >= 0, false);
    return find_hold(plant, link) != NULL;
}

// ---- A tick ---------------------------------------------------------------------------------

void atemi_whole_body_plant_measure(atemi_whole_body_plant *plant, int joint,
                                    atemi_joint_measurement *measurement)
{
    ATEMI_REQUIRE(plant && joint >= 0 && joint < plant->count);
    atemi_joint_plant_measure(&plant->joints[joint], measurement);
}

void atemi_whole_body_plant_apply(atemi_whole_body_plant *plant, int joint, double voltage)
{
    ATEMI_REQUIRE(plant && joint >= 0 && joint < plant->count);
    atemi_joint_plant_apply(&plant->joints[joint], voltage);
}

// Motors over half a tick, and what they then do to the links.
static void drive(atemi_whole_body_plant *p, const double *q)
{
    for (int i = 0; i < p->count; ++i) {
        atemi_joint_plant *j = &p->joints[i];
        const double mean = atemi_joint_plant_follow(j, 0.5 * p->options.period, q[p->first_q + i],
                                                     p->v[p->first_v + i]);
        p->tau[p->first_v + i] =
            atemi_joint_drive_is_elastic(&j->options.drive) ? atemi_joint_plant_torque(j) : mean;
    }
}

double atemi_whole_body_mobility(atemi_whole_body_plant *p, int joint)
{
    memset(p->answer, 0, (size_t)(p->first_v + p->count) * sizeof *p->answer);
    p->answer[p->first_v + joint] = 1.0;
    atemi_mass_factor_solve(p->model, &p->dynamics.factor, p->answer);
    return p->answer[p->first_v + joint];
}

// A brake that is closed is a stop on both sides, where it closed. A torque is found for a joint
// alone, with the mobility that all brakes together may have: so no number of them gives energy.
static double brake_torque(atemi_whole_body_plant *p, int i)
{
    const atemi_joint_plant         *j = &p->joints[i];
    const atemi_joint_plant_options *o = &j->options;
    const double h = p->options.period, hard = o->stop_damping + h * o->stop_stiffness;
    const double mobility = p->brake_count * atemi_whole_body_mobility(p, i);
    const double ahead = j->joint_position + h * j->joint_velocity - p->brakes[i];
    return -(o->stop_stiffness * ahead + o->stop_damping * j->joint_velocity) /
           (1.0 + h * mobility * hard);
}

static void close_brakes(atemi_whole_body_plant *p)
{
    if (p->brake_count > 0) {
        atemi_mass_factor_at(p->model, &p->kinematics, &p->dynamics.factor);
    }
    for (int i = 0; i < p->count && p->brake_count > 0; ++i) {
        if (!isnan(p->brakes[i])) {
            p->torques[p->first_v + i] += brake_torque(p, i);
        }
    }
}

static void meet_stops(atemi_whole_body_plant *p)
{
    const double h = p->options.period;
    bool         any = false;
    for (int i = 0; i < p->count; ++i) {
        if (atemi_joint_plant_stop_torque(&p->joints[i], h, 0.0) != 0.0) {
            if (!any) {
                atemi_mass_factor_at(p->model, &p->kinematics, &p->dynamics.factor);
                any = true;
            }
            p->torques[p->first_v + i] +=
                atemi_joint_plant_stop_torque(&p->joints[i], h, atemi_whole_body_mobility(p, i));
        }
    }
}

static void find_torques(atemi_whole_body_plant *p)
{
    memset(p->torques, 0, (size_t)(p->first_v + p->count) * sizeof *p->torques);
    if (p->options.joint_friction) {
        atemi_joint_friction(p->model, p->v, p->torques);
    }
    for (int i = p->first_v; i < p->first_v + p->count; ++i) {
        p->torques[i] += p->tau[i];
    }
    meet_stops(p);
    close_brakes(p);
}

static atemi_status fail_infinite(const atemi_whole_body_plant *p, atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                      "the motion has become infinite at %g s: shorten the period, or soften what "
                      "is touched",
                      p->time);
}

// Of what is [v_count].
static bool is_finite(const atemi_whole_body_plant *p, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < p->first_v + p->count; ++i) {
        sum += fabs(x[i]);
    }
    return isfinite(sum);
}

static atemi_status accelerate(atemi_whole_body_plant *p, atemi_error *error)
{
    atemi_whole_body_observe(p, p->middle);
    find_torques(p);
    atemi_whole_body_find_loads(p);
    find_contacts(p);
    const atemi_status status = atemi_constrained_dynamics_in(
        p->model, p->middle, p->v, p->torques, p->loads, p->contacts, p->contact_count,
        &p->dynamics, p->a, p->contact_forces, NULL);
    if (!is_finite(p, status ? p->torques : p->a)) {
        return fail_infinite(p, error);
    }
    if (status) {
        return atemi_fail(error, status,
                          "what holds the robot contradicts itself at %g s: hold fewer links, or "
                          "the same ones elsewhere",
                          p->time);
    }
    keep_forces(p);
    return ATEMI_OK;
}

static void kick(atemi_whole_body_plant *p)
{
    for (int i = 0; i < p->first_v + p->count; ++i) {
        p->v[i] += p->options.period * p->a[i];
    }
}

// The robot as it is from now on.
static void change(atemi_whole_body_plant *p)
{
    const double rounding = 1e-9;
    while (p->change_at < p->options.change_count &&
           p->time >= p->changes[p->change_at] - rounding) {
        p->model = p->robots[++p->change_at];
    }
}

atemi_status atemi_whole_body_plant_advance(atemi_whole_body_plant *plant, atemi_error *error)
{
    ATEMI_REQUIRE_OR(plant, ATEMI_ERROR_CONTRACT);
    atemi_whole_body_plant *p = plant;
    const double            half = 0.5 * p->options.period;
    change(p);
    drive(p, p->q);
    atemi_configuration_integrate(p->model, p->q, p->v, half, p->middle);
    atemi_whole_body_move_bodies(p);
    const atemi_status status = accelerate(p, error);
    if (!status) {
        kick(p);
        atemi_whole_body_kick_bodies(p);
        // What is felt is that of the middle; motors go on to the end.
        for (int i = 0; i < p->count; ++i) {
            atemi_joint_plant_follow(&p->joints[i], half, p->middle[p->first_q + i],
                                     p->v[p->first_v + i]);
        }
        atemi_configuration_integrate(p->model, p->middle, p->v, half, p->q);
        p->time += p->options.period;
    }
    return status;
}

// ---- The state reached ----------------------------------------------------------------------

double atemi_whole_body_plant_time(const atemi_whole_body_plant *plant)
{
    ATEMI_REQUIRE_OR(plant, 0.0);
    return plant->time;
}

const double *atemi_whole_body_plant_q(const atemi_whole_body_plant *plant)
{
    ATEMI_REQUIRE_OR(plant, NULL);
    return plant->q;
}

const double *atemi_whole_body_plant_v(const atemi_whole_body_plant *plant)
{
    ATEMI_REQUIRE_OR(plant, NULL);
    return plant->v;
}

const double *atemi_whole_body_plant_a(const atemi_whole_body_plant *plant)
{
    ATEMI_REQUIRE_OR(plant, NULL);
    return plant->a;
}

const double *atemi_whole_body_plant_tau(const atemi_whole_body_plant *plant)
{
    ATEMI_REQUIRE_OR(plant, NULL);
    return plant->tau;
}

const atemi_joint_plant *atemi_whole_body_plant_joint(const atemi_whole_body_plant *plant,
                                                      int                           joint)
{
    ATEMI_REQUIRE_OR(plant && joint >= 0 && joint < plant->count, NULL);
    return &plant->joints[joint];
}

atemi_transform atemi_whole_body_plant_pose(const atemi_whole_body_plant *plant, int link,
                                            const atemi_transform *frame)
{
    ATEMI_REQUIRE_OR(plant && link >= 0 && link < atemi_model_link_count(plant->model),
                     atemi_transform_identity());
    const atemi_transform pose = atemi_link_pose_in(plant->model, &plant->kinematics, link);
    return frame ? atemi_transform_compose(&pose, frame) : pose;
}

atemi_touch atemi_whole_body_plant_touch(const atemi_whole_body_plant *plant, int point)
{
    const atemi_touch none = {0};
    ATEMI_REQUIRE_OR(plant && point >= 0 && point < plant->options.point_count, none);
    return plant->touches[point];
}

atemi_touch atemi_whole_body_plant_ground(const atemi_whole_body_plant *plant, int index)
{
    const atemi_touch none = {0};
    ATEMI_REQUIRE_OR(plant && index >= 0 && index < plant->options.ground_count, none);
    return plant->grounds[index].touch;
}

atemi_soft_body_state atemi_whole_body_plant_body(const atemi_whole_body_plant *plant, int body)
{
    const atemi_soft_body_state none = {0};
    ATEMI_REQUIRE_OR(plant && body >= 0 && body < plant->options.body_count, none);
    return plant->bodies[body].state;
}

atemi_force atemi_whole_body_plant_hold_force(const atemi_whole_body_plant *plant, int link)
{
    const atemi_force none = {0};
    ATEMI_REQUIRE_OR(plant && link >= 0, none);
    const held_link *held = find_hold(plant, link);
    return held ? held->force : none;
}

atemi_force atemi_whole_body_plant_pull_force(const atemi_whole_body_plant *plant, int index)
{
    const atemi_force none = {0};
    ATEMI_REQUIRE_OR(plant && index >= 0 && index < plant->options.max_pulls, none);
    return plant->pull_forces[index];
}

atemi_force atemi_whole_body_plant_wrench(atemi_whole_body_plant *plant, int joint)
{
    const atemi_force none = {0};
    ATEMI_REQUIRE_OR(plant, none);
    atemi_whole_body_plant *p = plant;
    atemi_contact_forces_add_in(p->model, &p->kinematics, p->contacts, p->contact_forces,
                                p->contact_count, p->loads);
    p->contact_count = 0; // they are among the loads now
    atemi_inverse_dynamics_in(p->model, p->middle, p->v, p->a, p->loads, &p->inverse, p->nought);
    memset(p->nought, 0, (size_t)atemi_model_v_count(p->model) * sizeof *p->nought);
    return atemi_joint_wrench_in(p->model, &p->inverse, joint);
}
