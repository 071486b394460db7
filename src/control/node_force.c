// SPDX-License-Identifier: Apache-2.0

#include "control/node_force.h"

#include "control/joint_parts.h"
#include "control/node_group.h"

#include <math.h>
#include <string.h>

// A node that presses with f needs the torques
//
//   J^T f = t,   t = measured torques - inertia and gravity torques
//
// f is the shortest that comes nearest. Joints between contacts of a robot that stands have no say:
// its feet share what the node presses with, in a way that no torque shows. Along a force axis the
// target moves with
//
//   x' = rate (wanted - f),   |x'| <= speed,   |x| <= travel
//
// so that a stiff joint presses with what is wanted, without steady error, and a soft one too.

static bool has_say(const atemi_coordination *c, int i)
{
    return c->joints[i].settings.elastic && !c->closed[i];
}

static void find_torques(const atemi_coordination *c, double *torques)
{
    for (int i = 0; i < c->count; ++i) {
        const moved_joint *j = &c->joints[i];
        torques[i] = has_say(c, i) ? j->torque - j->inertia_torque - j->gravity_torque : 0.0;
    }
}

// The joints between the base and whatever else bears a robot that stands.
static void mark_closed(atemi_coordination *c)
{
    memset(c->closed, 0, (size_t)c->count * sizeof *c->closed);
    for (int k = 0; k < c->options.contact_count; ++k) {
        atemi_nodes_mark_path(c, c->standing.supports[k].about.link, NULL, c->closed);
    }
    for (int i = 0; i < atemi_model_link_count(c->model) && c->options.contact_count; ++i) {
        if (c->held[i]) {
            atemi_nodes_mark_path(c, i, NULL, c->closed);
        }
    }
}

// J^T of the joints. Those without torque measurement have no say.
static void transpose(const atemi_coordination *c, const double *J, double *transposed)
{
    const int n = c->first_v + c->count;
    for (int i = 0; i < c->count; ++i) {
        for (int r = 0; r < 6; ++r) {
            transposed[6 * i + r] = has_say(c, i) ? J[r * n + c->first_v + i] : 0.0;
        }
    }
}

void atemi_node_force_find(atemi_coordination *c, guided_node *node)
{
    node_group              *g = &c->nodes;
    const atemi_node_target *t = &node->target;
    double                   f[6];
    atemi_base_frame_place(c->model, &c->base, &c->at_base, c->q_sensed);
    atemi_base_frame_jacobian(c->model, t->link, t->frame.position, &c->at_base, c->jacobian);
    mark_closed(c);
    transpose(c, c->jacobian, g->transposed);
    find_torques(c, g->torques);
    atemi_least_norm_factor(c->count, 6, g->transposed, NULL, g->least);
    atemi_least_norm_solve(g->least, g->torques, f);
    const atemi_mat3 *axes = &t->target.rotation;
    const atemi_vec3  linear = atemi_mat3_apply_transposed(axes, (atemi_vec3){f[0], f[1], f[2]});
    const atemi_vec3  angular = atemi_mat3_apply_transposed(axes, (atemi_vec3){f[3], f[4], f[5]});
    const double      all[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int r = 0; r < 6; ++r) {
        node->force[r] = all[r];
    }
}

bool atemi_node_force_advance(const atemi_coordination *c, guided_node *node)
{
    const atemi_node_motion *m = &c->nodes.motion;
    const atemi_force       *w = &node->target.force;
    const double             wanted[] = {w->linear.x,  w->linear.y,  w->linear.z,
                                         w->angular.x, w->angular.y, w->angular.z};
    bool                     met = true;
    for (int r = 0; r < 6; ++r) {
        if (node->target.force_axes & 1U << r) {
            const double rate = r < 3 ? m->force_rate : m->moment_rate;
            const double speed = within(rate * (wanted[r] - node->force[r]), m->force_speed);
            node->offset[r] += speed * c->options.period;
            met = met && fabs(node->offset[r]) <= m->force_travel;
        }
    }
    return met;
}
