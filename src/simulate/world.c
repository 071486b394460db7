// SPDX-License-Identifier: Apache-2.0

#include "simulate/world.h"

#include "atemi/configuration.h"
#include "contact/constrained_dynamics.h"
#include "simulate/ledger.h"
#include "simulate/mode_contacts.h"
#include "simulate/point_forces.h"
#include "simulate/sightings.h"
#include "simulate/slow_sliding.h"
#include "simulate/soft_force.h"

#include <math.h>
#include <string.h>

// A sliding point to which friction leaves less of its mobility jams: forces are in proportion to
// the inverse of that, and no step follows them.
static const double least_mobile = 0.01;

static void find_torques(atemi_simulation *s, double time, const double *q, const double *v)
{
    const int n = atemi_model_v_count(s->model);
    memset(s->applied, 0, (size_t)n * sizeof *s->applied);
    memset(s->tau, 0, (size_t)n * sizeof *s->tau);
    if (s->hooks.torque) {
        s->hooks.torque(s->hooks.context, time, q, v, s->applied);
    }
    if (s->options.joint_friction) {
        atemi_joint_friction(s->model, v, s->tau);
    }
    for (int i = 0; i < n; ++i) {
        s->tau[i] += s->applied[i];
    }
}

static void add_load(atemi_simulation *s, int link, atemi_vec3 arm, atemi_vec3 force)
{
    const atemi_force load = {force, atemi_vec3_cross(arm, force)};
    s->loads[link] = atemi_force_add(s->loads[link], load);
}

// What carries the surface of a point is pushed back, where that touches.
static void push_back(atemi_simulation *s, int point)
{
    const atemi_surface  *surface = &s->surfaces[s->points[point].surface];
    const atemi_transform pose =
        atemi_link_pose_in(s->model, &s->dynamics.bias.kinematics, surface->link);
    add_load(s, surface->link, atemi_vec3_sub(s->sightings[point].position, pose.position),
             atemi_vec3_scale(-1.0, s->forces[point]));
}

static void find_loads(atemi_simulation *s, double time)
{
    memset(s->loads, 0, (size_t)atemi_model_link_count(s->model) * sizeof *s->loads);
    memset(s->forces, 0, (size_t)s->point_count * sizeof *s->forces);
    if (s->hooks.push) {
        s->hooks.push(s->hooks.context, time, s->loads);
        memcpy(s->pushed, s->loads, (size_t)atemi_model_link_count(s->model) * sizeof *s->loads);
        atemi_ledger_see_pushes(s);
    }
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_SOFT) {
            const atemi_sighting *seen = &s->sightings[i];
            s->forces[i] = soft_force(&s->points[i], &seen->view, seen->carrier, seen->velocity);
            add_load(s, s->points[i].link, s->sightings[i].arm, s->forces[i]);
            if (s->surfaces[s->points[i].surface].carried) {
                push_back(s, i);
            }
        }
    }
}

atemi_status atemi_world_accelerate(atemi_simulation *s, double time, const double *q,
                                    const double *v, double *a)
{
    find_torques(s, time, q, v);
    find_loads(s, time);
    ++s->statistics.evaluations;
    if (atemi_constrained_dynamics_load(s->model, true, s->tau, s->loads, &s->dynamics)) {
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_slow_sliding_direct(s, q, v);
    atemi_mode_contacts_build(s);
    atemi_contact_report report;
    const atemi_status   status = atemi_constrained_dynamics_answer(
        s->model, true, s->contacts, s->contact_count, &s->dynamics, a, s->contact_forces, &report);
    if (status || report.jamming < least_mobile) {
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_point_forces_find(s);
    return ATEMI_OK;
}

atemi_status atemi_world_evaluate(atemi_simulation *s, double time, const double *q,
                                  const double *v, double *a)
{
    atemi_world_observe(s, q, v);
    return atemi_world_accelerate(s, time, q, v, a);
}
