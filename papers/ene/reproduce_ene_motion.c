// SPDX-License-Identifier: Apache-2.0

#include "papers/ene/reproduce_ene_motion.h"

#include "atemi/model.h"
#include "atemi/robots.h"

#include <math.h>
#include <string.h>

// Runge-Kutta of fourth order over the accelerations of [ENE] eq. 36, h = 1e-2 s. The constraint is
// kept in its second derivative only, so after each step the hand is put back onto the floor, along
// the row J of its Jacobian that moves it up:
//
//   q -= J^T z / (J J^T) until z = 0,     v -= J^T J v / (J J^T)
//
// Centres of mass, c from the link's origin:  s'' = p'' + w' x c + w x (w x c)    [ENE] eq. 5
// Forces on link i:                           f_i - f_i+1 + m g                   [ENE] eq. 38-41

static const double step = 1e-2;
static const double gravity = 9.8;
static const double on_floor = 1e-15; // m, a few roundings

enum { MAX_CORRECTIONS = 8 };

// ---- The motion's parts

static atemi_status load(atemi_ene_motion *m, atemi_error *error)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    options.model.gravity.z = -gravity;
    return atemi_robots_load(m->setting.robot, &options, &m->model, error);
}

static void take(atemi_ene_motion *m, atemi_arena *arena)
{
    m->data = atemi_data_take(arena, m->model, &(atemi_data_options){.max_contacts = 1});
    m->external = atemi_arena_array(arena, atemi_force, atemi_model_link_count(m->model));
    m->jacobian = atemi_arena_array(arena, double, 6 * m->links);
}

static void place(atemi_ene_motion *m)
{
    const int posture = atemi_model_find_posture(m->model, m->setting.posture);
    memcpy(m->state.q, atemi_model_posture(m->model, posture), (size_t)m->links * sizeof(double));
    m->hand = atemi_contact_default();
    m->hand.link = atemi_model_find_link(m->model, "tip");
    m->hand.friction = m->setting.friction;
}

// ---- Integration

static atemi_status accelerate(atemi_ene_motion *m, double time, atemi_ene_state *s,
                               atemi_error *error)
{
    double tau[ATEMI_ENE_MAX_LINKS] = {0}, friction[ATEMI_ENE_MAX_LINKS];
    if (m->setting.torque) {
        m->setting.torque(time, tau);
    }
    atemi_joint_friction(m->model, s->v, friction);
    for (int i = 0; i < m->links; ++i) {
        tau[i] += friction[i];
    }
    const atemi_contact_set set = {.contacts = &m->hand, .count = 1};
    const atemi_status      status =
        atemi_extended_newton_euler(m->data, s->q, s->v, tau, &set, s->a, &m->hand_force, NULL);
    return status ? atemi_fail(error, status, "%s cannot keep its hand on the floor at t = %.3f s",
                               m->setting.robot, time)
                  : ATEMI_OK;
}

// Where the rates of one stage lead from the state in the time h.
static atemi_ene_state ahead(const atemi_ene_motion *m, const atemi_ene_state *stage, double h)
{
    atemi_ene_state s = m->state;
    for (int i = 0; i < m->links; ++i) {
        s.q[i] += h * stage->v[i];
        s.v[i] += h * stage->a[i];
    }
    return s;
}

static void advance(atemi_ene_motion *m, const atemi_ene_state k[4])
{
    for (int i = 0; i < m->links; ++i) {
        m->state.q[i] += step / 6.0 * (k[0].v[i] + 2.0 * (k[1].v[i] + k[2].v[i]) + k[3].v[i]);
        m->state.v[i] += step / 6.0 * (k[0].a[i] + 2.0 * (k[1].a[i] + k[2].a[i]) + k[3].a[i]);
    }
    m->steps += 1;
}

static atemi_status integrate(atemi_ene_motion *m, atemi_error *error)
{
    static const double part[4] = {0.0, 0.5 * step, 0.5 * step, step};
    const double        time = atemi_ene_motion_time(m);
    atemi_ene_state     k[4] = {m->state};
    for (int i = 1; i < 4; ++i) {
        k[i] = ahead(m, &k[i - 1], part[i]);
        const atemi_status status = accelerate(m, time + part[i], &k[i], error);
        if (status) {
            return status;
        }
    }
    advance(m, k);
    return ATEMI_OK;
}

// ---- The floor

static const double *upward_row(atemi_ene_motion *m)
{
    atemi_link_jacobian(m->data, m->hand.link, m->jacobian);
    return m->jacobian + 2 * (ptrdiff_t)m->links;
}

static double product(const atemi_ene_motion *m, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < m->links; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Changes x along J until J x has become less by `excess`.
static void take_off(atemi_ene_motion *m, double excess, double *x)
{
    const double *J = upward_row(m);
    const double  factor = excess / product(m, J, J);
    for (int i = 0; i < m->links; ++i) {
        x[i] -= factor * J[i];
    }
}

static void return_to_floor(atemi_ene_motion *m)
{
    double height = atemi_ene_motion_hand_height(m);
    for (int i = 0; i < MAX_CORRECTIONS && fabs(height) > on_floor; ++i) {
        take_off(m, height, m->state.q);
        height = atemi_ene_motion_hand_height(m);
    }
    take_off(m, product(m, upward_row(m), m->state.v), m->state.v);
}

// ---- What acts

static void find_joint_forces(atemi_ene_motion *m, atemi_ene_loads *loads)
{
    double                  tau[ATEMI_ENE_MAX_LINKS];
    const atemi_contact_set set = {.contacts = &m->hand, .count = 1};
    const int               count = atemi_model_link_count(m->model);
    memset(m->external, 0, (size_t)count * sizeof *m->external);
    atemi_contact_forces_add(m->data, &set, &m->hand_force, m->external);
    atemi_inverse_dynamics(m->data, m->state.q, m->state.v, m->state.a, m->external, tau);
    for (int i = 0; i < m->links; ++i) {
        const int             link = atemi_model_joint(m->model, i)->child_link;
        const atemi_transform pose = atemi_link_pose(m->data, link);
        loads->joint_force[i] =
            atemi_mat3_apply(&pose.rotation, atemi_joint_wrench(m->data, i).linear);
    }
}

static void find_net_forces(const atemi_ene_motion *m, atemi_ene_loads *loads)
{
    for (int i = 0; i < m->links; ++i) {
        const bool       last = i == m->links - 1;
        const atemi_vec3 onward =
            last ? atemi_vec3_scale(-1.0, m->hand_force.linear) : loads->joint_force[i + 1];
        loads->net_force[i] = atemi_vec3_sub(loads->joint_force[i], onward);
        loads->net_force[i].z -= loads->mass[i] * gravity;
    }
}

static atemi_vec3 center_acceleration(const atemi_ene_motion *m, int link, atemi_vec3 center)
{
    const atemi_transform pose = atemi_link_pose(m->data, link);
    const atemi_motion    velocity = atemi_link_velocity(m->data, link);
    const atemi_motion    origin = atemi_link_acceleration(m->data, link);
    const atemi_vec3      c = atemi_mat3_apply(&pose.rotation, center);
    const atemi_vec3      w = velocity.angular;
    return atemi_vec3_add(origin.linear,
                          atemi_vec3_add(atemi_vec3_cross(origin.angular, c),
                                         atemi_vec3_cross(w, atemi_vec3_cross(w, c))));
}

static void find_links(const atemi_ene_motion *m, atemi_ene_loads *loads)
{
    for (int i = 0; i < m->links; ++i) {
        const int            link = atemi_model_joint(m->model, i)->child_link;
        const atemi_inertia *inertia = &atemi_model_link(m->model, link)->inertia;
        loads->mass[i] = inertia->mass;
        loads->acceleration[i] = center_acceleration(m, link, inertia->com);
    }
}

// ---- Public

static atemi_status make(atemi_ene_motion *m, atemi_error *error)
{
    atemi_status status = load(m, error);
    if (status) {
        return status;
    }
    m->links = atemi_model_v_count(m->model);
    take(m, &m->arena);
    status = atemi_arena_create(&m->arena, m->arena.used, error);
    if (status) {
        return status;
    }
    take(m, &m->arena);
    place(m);
    return accelerate(m, 0.0, &m->state, error);
}

atemi_status atemi_ene_motion_begin(const atemi_ene_setting *setting, atemi_ene_motion *motion,
                                    atemi_error *error)
{
    *motion = (atemi_ene_motion){.setting = *setting, .arena = atemi_arena_measuring()};
    const atemi_status status = make(motion, error);
    if (status) {
        atemi_ene_motion_end(motion);
    }
    return status;
}

void atemi_ene_motion_end(atemi_ene_motion *motion)
{
    atemi_arena_destroy(&motion->arena);
    atemi_model_destroy(motion->model);
}

atemi_status atemi_ene_motion_step(atemi_ene_motion *motion, atemi_error *error)
{
    const atemi_status status = integrate(motion, error);
    if (status) {
        return status;
    }
    if (!motion->setting.drifts) {
        return_to_floor(motion);
    }
    return accelerate(motion, atemi_ene_motion_time(motion), &motion->state, error);
}

atemi_status atemi_ene_motion_run(atemi_ene_motion *motion, double time, atemi_error *error)
{
    const long   steps = lround(time / step);
    atemi_status status = ATEMI_OK;
    while (motion->steps < steps && !status) {
        status = atemi_ene_motion_step(motion, error);
    }
    return status;
}

static bool is_faster(const atemi_ene_motion *m, double speed)
{
    bool faster = false;
    for (int i = 0; i < m->links; ++i) {
        faster = faster || fabs(m->state.v[i]) > speed;
    }
    return faster;
}

atemi_status atemi_ene_motion_settle(atemi_ene_motion *motion, double speed, double latest,
                                     atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    while (is_faster(motion, speed) && atemi_ene_motion_time(motion) < latest && !status) {
        status = atemi_ene_motion_step(motion, error);
    }
    return status;
}

double atemi_ene_motion_time(const atemi_ene_motion *motion)
{
    return motion->steps * step;
}

double atemi_ene_motion_hand_height(atemi_ene_motion *motion)
{
    atemi_update_kinematics(motion->data, motion->state.q, NULL, NULL);
    return atemi_link_pose(motion->data, motion->hand.link).position.z;
}

double atemi_ene_motion_manipulability(atemi_ene_motion *motion)
{
    const double *z = upward_row(motion), *y = z - motion->links;
    const double  yz = product(motion, y, z);
    return sqrt(fmax(product(motion, y, y) * product(motion, z, z) - yz * yz, 0.0));
}

atemi_ene_loads atemi_ene_motion_loads(atemi_ene_motion *motion)
{
    atemi_ene_loads loads = {0};
    atemi_update_kinematics(motion->data, motion->state.q, motion->state.v, motion->state.a);
    find_links(motion, &loads);
    find_joint_forces(motion, &loads);
    find_net_forces(motion, &loads);
    return loads;
}
