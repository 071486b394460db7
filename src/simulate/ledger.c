// SPDX-License-Identifier: Apache-2.0

#include "simulate/ledger.h"

#include <math.h>
#include <string.h>

// Impulses and work are integrated as the state is, by the Runge-Kutta method:
//
//   h / 6 (k_1 + 2 k_2 + 2 k_3 + k_4)
//
// with k_i what flows in stage i. Collisions come on top of that, and so do the impulses that
// velocities are projected by.
//
// Of a joint's torque tau, dampers and friction take what they can, and no more than it takes:
//
//   min(D v^2 + C |v|, -tau v) >= 0
//
// Of the force f of a soft surface they take all but its force at rest: -(f - f_rest n).u

static void add_force(atemi_vec3 force, double *to)
{
    to[0] += force.x;
    to[1] += force.y;
    to[2] += force.z;
}

// What of a point's force the robot as a whole gets.
static void add_outer(const atemi_simulation_contacts *set, int point, atemi_vec3 force, double *to)
{
    add_force(atemi_vec3_scale(set->outer[point], force), to);
}

// ---- Flows ----------------------------------------------------------------------------------

static void look_at_joints(const atemi_evaluation *e, const double *v, double *flow)
{
    double torques = 0.0, all = 0.0, dissipated = 0.0;
    for (int i = 0; i < atemi_model_v_count(e->model); ++i) {
        const double power = e->tau[i] * v[i];
        const double most =
            e->damping.viscous[i] * v[i] * v[i] + e->damping.coulomb[i] * fabs(v[i]);
        const double taken = -power < most ? -power : most;
        torques += e->applied[i] * v[i];
        all += power;
        dissipated += taken > 0.0 ? taken : 0.0;
    }
    flow[ATEMI_FLOW_TORQUES] = torques;
    flow[ATEMI_FLOW_FRICTION] = all - torques;
    flow[ATEMI_FLOW_DISSIPATED] = dissipated;
}

static double dissipated_by(const atemi_simulation_contacts *set, int point)
{
    const atemi_contact_state *seen = &set->states[point];
    const double rest = atemi_compliance_force(set->points[point].compliance, -seen->view.gap, 0.0);
    const atemi_vec3 lost =
        atemi_vec3_sub(set->forces[point], atemi_vec3_scale(rest, seen->view.normal));
    return fmax(0.0, -atemi_vec3_dot(lost, seen->velocity));
}

static void look_at_links(const atemi_evaluation *e, double *flow)
{
    const atemi_kinematics *k = &e->dynamics.bias.kinematics;
    atemi_vec3              force = {0.0, 0.0, 0.0};
    double                  power = 0.0;
    for (int link = 0; link < atemi_model_link_count(e->model); ++link) {
        power += atemi_motion_power(atemi_link_velocity_in(e->model, k, link), e->external[link]);
        force = atemi_vec3_add(force, e->external[link].linear);
    }
    flow[ATEMI_FLOW_EXTERNAL_POWER] = power;
    add_force(force, flow + ATEMI_FLOW_EXTERNAL_FORCE);
}

static void look_at_points(const atemi_simulation_contacts *set, double *flow)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (set->modes[i] != ATEMI_CONTACT_OPEN) {
            flow[ATEMI_FLOW_CONTACTS] += atemi_vec3_dot(set->forces[i], set->states[i].velocity);
            if (set->modes[i] == ATEMI_CONTACT_SOFT) {
                flow[ATEMI_FLOW_DISSIPATED] += dissipated_by(set, i);
            }
            add_outer(set, i, set->forces[i], flow + ATEMI_FLOW_FORCE);
        }
    }
}

void atemi_flows_find(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                      const double *v, atemi_flows *flows)
{
    double *of = flows->of;
    memset(of, 0, sizeof flows->of);
    look_at_joints(e, v, of);
    look_at_points(set, of);
    add_force(atemi_closed_loops_outer(&set->loops), of + ATEMI_FLOW_FORCE);
    if (e->hooks->external_forces) {
        look_at_links(e, of);
    }
}

// ---- Booking --------------------------------------------------------------------------------

static void add(atemi_ledger *ledger, int flow, double work)
{
    ledger->sum.of[flow] += work;
    ledger->exchanged += flow < ATEMI_FLOW_DISSIPATED ? fabs(work) : 0.0;
}

void atemi_ledger_add_stages(atemi_ledger *ledger, double h, const atemi_flows *stages)
{
    const double *k0 = stages[0].of, *k1 = stages[1].of, *k2 = stages[2].of, *k3 = stages[3].of;
    for (int i = 0; i < ATEMI_FLOW_COUNT && h > 0.0; ++i) {
        add(ledger, i, h / 6.0 * (k0[i] + 2.0 * (k1[i] + k2[i]) + k3[i]));
    }
}

void atemi_ledger_add_ends(atemi_ledger *ledger, double h, const atemi_flows *ends)
{
    const double *from = ends[0].of, *to = ends[1].of;
    for (int i = 0; i < ATEMI_FLOW_COUNT && h > 0.0; ++i) {
        const double change = 0.5 * h * fabs(from[i] - to[i]);
        add(ledger, i, 0.5 * h * (from[i] + to[i]));
        ledger->unsure += i < ATEMI_FLOW_DISSIPATED ? change : 0.0;
    }
}

void atemi_ledger_add_work(atemi_ledger *ledger, const atemi_flows *work, double collisions)
{
    for (int i = 0; i < ATEMI_FLOW_COUNT; ++i) {
        add(ledger, i, work->of[i]);
    }
    ledger->collision_work += collisions;
    ledger->exchanged += fabs(collisions);
}

void atemi_ledger_add_projection(atemi_ledger *ledger, atemi_vec3 impulse, double work)
{
    ledger->collision_work += work;
    ledger->exchanged += fabs(work);
    add_force(impulse, ledger->sum.of + ATEMI_FLOW_FORCE);
}

void atemi_ledger_add_collision(atemi_ledger *ledger, const atemi_simulation_contacts *set,
                                const atemi_vec3 *impulses, double energy)
{
    for (int i = 0; i < set->point_count; ++i) {
        add_outer(set, i, impulses[i], ledger->sum.of + ATEMI_FLOW_FORCE);
    }
    ledger->collision_work += energy;
    ledger->exchanged += fabs(energy);
}

void atemi_ledger_report(atemi_ledger *ledger, const atemi_simulation_hooks *hooks, double time,
                         atemi_event event)
{
    event.time = time;
    ++ledger->statistics.events;
    if (hooks->event) {
        hooks->event(hooks->context, &event);
    }
}

void atemi_ledger_report_point(atemi_ledger *ledger, const atemi_simulation_hooks *hooks,
                               double time, const atemi_simulation_contacts *set, int point,
                               atemi_event event)
{
    atemi_touch_report touch;
    event.point = point < set->own_count ? point : ATEMI_NONE;
    event.joint = ATEMI_NONE;
    if (event.point == ATEMI_NONE && point != ATEMI_NONE) {
        touch = atemi_shape_point_report(set, point);
        event.touch = &touch;
        event.impulse = atemi_vec3_scale(atemi_shape_point_sign(set, point), event.impulse);
    }
    atemi_ledger_report(ledger, hooks, time, event);
}

static atemi_vec3 vector_at(const double *x)
{
    return (atemi_vec3){x[0], x[1], x[2]};
}

atemi_simulation_ledger atemi_ledger_sums(const atemi_ledger *ledger)
{
    const double *sum = ledger->sum.of;
    return (atemi_simulation_ledger){
        .impulse = vector_at(sum + ATEMI_FLOW_FORCE),
        .external_impulse = vector_at(sum + ATEMI_FLOW_EXTERNAL_FORCE),
        .torque_work = sum[ATEMI_FLOW_TORQUES],
        .friction_work = sum[ATEMI_FLOW_FRICTION],
        .contact_work = sum[ATEMI_FLOW_CONTACTS],
        .external_work = sum[ATEMI_FLOW_EXTERNAL_POWER],
        .collision_work = ledger->collision_work,
    };
}
