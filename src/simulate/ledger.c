// SPDX-License-Identifier: Apache-2.0

#include "simulate/ledger.h"

#include "contact/rows.h"

#include <math.h>
#include <string.h>

// Impulses and work are integrated as the state is, by the Runge-Kutta method:
//
//   h / 6 (k_1 + 2 k_2 + 2 k_3 + k_4)
//
// with k_i what flows in stage i. Bumps come on top of that, and so do the impulses f of the rows
// that velocities u are projected by, after which they are zero: their work is f.u / 2.
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

void atemi_ledger_open(atemi_simulation *s)
{
    memset(s->flown, 0, sizeof s->flown);
    memset(s->pushing, 0, sizeof s->pushing);
    memset(s->projecting, 0, sizeof s->projecting);
    s->bump_work = s->exchanged = s->unsure = 0.0;
}

void atemi_ledger_see_pushes(atemi_simulation *s)
{
    const atemi_kinematics *k = &s->dynamics.bias.kinematics;
    memset(s->pushing, 0, sizeof s->pushing);
    for (int link = 0; link < atemi_model_link_count(s->model); ++link) {
        const atemi_motion v = atemi_link_velocity_in(s->model, k, link);
        s->pushing[0] += atemi_motion_power(v, s->loads[link]);
        add_force(s->loads[link].linear, s->pushing + 1);
    }
}

static void look_at_joints(const atemi_simulation *s, const double *v, double *flow)
{
    double torques = 0.0, all = 0.0, dissipated = 0.0;
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        const double power = s->tau[i] * v[i];
        const double most = s->damped[i] * v[i] * v[i] + s->rubbed[i] * fabs(v[i]);
        const double taken = -power < most ? -power : most;
        torques += s->applied[i] * v[i];
        all += power;
        dissipated += taken > 0.0 ? taken : 0.0;
    }
    flow[ATEMI_FLOW_TORQUES] = torques;
    flow[ATEMI_FLOW_FRICTION] = all - torques;
    flow[ATEMI_FLOW_DISSIPATED] = dissipated;
}

static double dissipated_by(const atemi_simulation *s, int point)
{
    const atemi_sighting *seen = &s->sightings[point];
    const double rest = atemi_compliance_force(s->points[point].compliance, -seen->view.gap, 0.0);
    const atemi_vec3 lost =
        atemi_vec3_sub(s->forces[point], atemi_vec3_scale(rest, seen->view.normal));
    return fmax(0.0, -atemi_vec3_dot(lost, seen->velocity));
}

// What carries its surface feels the opposite of a point's force.
static void look_at_points(const atemi_simulation *s, double *flow)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] != ATEMI_CONTACT_OPEN) {
            flow[ATEMI_FLOW_CONTACTS] += atemi_vec3_dot(s->forces[i], s->sightings[i].velocity);
            if (s->modes[i] == ATEMI_CONTACT_SOFT) {
                flow[ATEMI_FLOW_DISSIPATED] += dissipated_by(s, i);
            }
            if (!s->surfaces[s->points[i].surface].carried) {
                add_force(s->forces[i], flow + ATEMI_FLOW_FORCE);
            }
        }
    }
}

void atemi_ledger_look(atemi_simulation *s, int stage, const double *v)
{
    double *flow = s->flows[stage];
    memset(flow, 0, sizeof s->flows[stage]);
    look_at_joints(s, v, flow);
    look_at_points(s, flow);
    flow[ATEMI_FLOW_PUSHES] = s->pushing[0];
    memcpy(flow + ATEMI_FLOW_PUSH, s->pushing + 1, 3 * sizeof *flow);
}

void atemi_ledger_see_projection(atemi_simulation *s, bool any)
{
    const atemi_constraint_space *space = &s->dynamics.space;
    memset(s->projecting, 0, sizeof s->projecting);
    for (int r = 0; r < space->row_count && any; ++r) {
        s->projecting[0] += 0.5 * space->target[r] * space->rows[r].velocity;
        add_force(atemi_vec3_scale(space->target[r], space->rows[r].push), s->projecting + 1);
    }
}

void atemi_ledger_keep_projection(atemi_simulation *s)
{
    s->bump_work += s->projecting[0];
    s->exchanged += fabs(s->projecting[0]);
    for (int i = 0; i < 3; ++i) {
        s->flown[ATEMI_FLOW_FORCE + i] += s->projecting[1 + i];
    }
}

void atemi_ledger_keep_stages(atemi_simulation *s)
{
    const double h = s->time - s->start_time;
    for (int i = 0; i < ATEMI_FLOW_COUNT && h > 0.0; ++i) {
        const double work =
            h / 6.0 * (s->flows[0][i] + 2.0 * (s->flows[1][i] + s->flows[2][i]) + s->flows[3][i]);
        s->flown[i] += work;
        s->exchanged += i < ATEMI_FLOW_DISSIPATED ? fabs(work) : 0.0;
    }
}

void atemi_ledger_keep_ends(atemi_simulation *s)
{
    const double h = s->time - s->start_time;
    atemi_ledger_look(s, 1, s->v);
    for (int i = 0; i < ATEMI_FLOW_COUNT && h > 0.0; ++i) {
        const double work = 0.5 * h * (s->flows[0][i] + s->flows[1][i]);
        const double change = 0.5 * h * fabs(s->flows[0][i] - s->flows[1][i]);
        s->flown[i] += work;
        s->exchanged += i < ATEMI_FLOW_DISSIPATED ? fabs(work) : 0.0;
        s->unsure += i < ATEMI_FLOW_DISSIPATED ? change : 0.0;
    }
}

void atemi_ledger_keep_bump(atemi_simulation *s, double energy)
{
    for (int i = 0; i < s->point_count; ++i) {
        add_force(s->impulses[i], s->flown + ATEMI_FLOW_FORCE);
    }
    s->bump_work += energy;
    s->exchanged += fabs(energy);
}

static atemi_vec3 vector_at(const double *x)
{
    return (atemi_vec3){x[0], x[1], x[2]};
}

atemi_simulation_ledger atemi_simulation_ledger_get(const atemi_simulation *simulation)
{
    const double *flown = simulation->flown;
    return (atemi_simulation_ledger){
        .impulse = vector_at(flown + ATEMI_FLOW_FORCE),
        .push_impulse = vector_at(flown + ATEMI_FLOW_PUSH),
        .torque_work = flown[ATEMI_FLOW_TORQUES],
        .friction_work = flown[ATEMI_FLOW_FRICTION],
        .contact_work = flown[ATEMI_FLOW_CONTACTS],
        .push_work = flown[ATEMI_FLOW_PUSHES],
        .bump_work = simulation->bump_work,
    };
}
