// SPDX-License-Identifier: Apache-2.0

#include "control/node_solver.h"

#include "control/joint_parts.h"
#include "control/node_path.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// All nodes are goals of one inverse kinematics, with weights of their priorities, and one more
// goal holds the base: the posture found is the one nearest to the last. What the nodes leave free
// may approach a posture: the search starts from where the null space of the nodes takes the
// joints.

enum { FEW_ITERATIONS = 5, MANY_ITERATIONS = 50 };

// With the usual 1e-12, rounding alone moved redundant joints by 3e-10 rad in one step of 20 ms:
// times stiffness and damping of a closed chain, 0.8 % of the torque steps of climb.yaml hung on
// the last bit. With 1e-6 they agree to 3e-6, and still two or three iterations do.
static const double solver_damping = 1e-6;

// ---- The null space -------------------------------------------------------------------------

// The row of J along an axis of the target, of the joints in use.
static void write_row(const atemi_coordination *c, const double *J, atemi_vec3 axis, double *row)
{
    const int n = c->first_v + c->count;
    for (int i = 0; i < c->count; ++i) {
        const double *column = J + c->first_v + i;
        const double  along = axis.x * column[0] + axis.y * column[n] + axis.z * column[2 * n];
        row[i] = c->nodes.used[i] ? along : 0.0;
    }
}

static void add_node_rows(atemi_coordination *c, const guided_node *node, int *count)
{
    node_group              *g = &c->nodes;
    const atemi_node_target *t = &node->target;
    const atemi_mat3        *R = &t->target.rotation;
    const atemi_vec3         axes[] = {R->x, R->y, R->z};
    const int                n = c->first_v + c->count;
    atemi_base_frame_jacobian(c->model, t->link, t->frame.position, &c->at_base, c->jacobian);
    for (int r = 0; r < 6; ++r) {
        if (t->priority[r] != ATEMI_PRIORITY_IGNORE) {
            write_row(c, c->jacobian + (r < 3 ? 0 : 3 * n), axes[r % 3],
                      row_of(g->rows, c->count, *count));
            g->values[(*count)++] = 0.0;
        }
    }
}

static void add_posture_rows(const atemi_coordination *c, node_group *g)
{
    memset(g->identity, 0, (size_t)c->count * (size_t)c->count * sizeof *g->identity);
    for (int i = 0; i < c->count; ++i) {
        const moved_joint *j = &c->joints[i];
        const double       rate = g->motion.posture_rate * (g->posture[i] - j->command.position);
        g->identity[i * c->count + i] = g->used[i] ? 1.0 : 0.0;
        g->values[i] = g->used[i] ? within(rate, j->settings.velocity) : 0.0;
    }
    atemi_task_priority_add(c->count, g->identity, g->values, &g->tasks);
}

// Moves the trial towards the posture as the nodes let it.
static void approach_posture(atemi_coordination *c)
{
    node_group *g = &c->nodes;
    int         rows = 0;
    atemi_base_frame_place(c->model, &c->base, &c->at_base, c->trial);
    for (int k = 0; k < g->count; ++k) {
        add_node_rows(c, &g->nodes[k], &rows);
    }
    atemi_task_priority_begin(c->count, &g->tasks);
    atemi_task_priority_add(rows, g->rows, g->values, &g->tasks);
    add_posture_rows(c, g);
    for (int i = 0; i < c->count; ++i) {
        c->trial[c->first_q + i] += c->options.period * g->tasks.rates[i];
    }
}

// ---- Inverse kinematics ---------------------------------------------------------------------

// Its way in time is s^2 (3 - 2 s). What is not level with gravity is free.
static void set_center(const atemi_coordination *c, node_group *g)
{
    atemi_posture_goal *goal = &g->goals[g->count + 1];
    const double        time = g->time + g->pace * c->options.period;
    const double        s = fmin(time / fmax(g->duration, c->options.period), 1.0);
    const double        weight = atemi_priority_weight(ATEMI_PRIORITY_MEDIUM);
    const atemi_vec3    way = atemi_vec3_sub(g->center_end, g->center_start);
    *goal = (atemi_posture_goal){.kind = ATEMI_GOAL_CENTER_OF_MASS,
                                 .frame = atemi_transform_identity(),
                                 .target = atemi_transform_identity(),
                                 .weight = {weight, weight}};
    goal->target.position =
        atemi_vec3_add(g->center_start, atemi_vec3_scale(s * s * (3.0 - 2.0 * s), way));
}

static void set_goals(const atemi_coordination *c, node_group *g)
{
    for (int k = 0; k < g->count; ++k) {
        const atemi_node_target *t = &g->nodes[k].target;
        atemi_posture_goal      *goal = &g->goals[k];
        *goal = (atemi_posture_goal){.kind = ATEMI_GOAL_FRAME, .link = t->link, .frame = t->frame};
        goal->target = atemi_node_path_pose(&g->nodes[k]);
        for (int r = 0; r < 6; ++r) {
            goal->weight[r] = atemi_priority_weight(t->priority[r]);
        }
    }
    atemi_posture_goal *base = &g->goals[g->count];
    *base = atemi_posture_goal_default();
    base->link = c->base.link;
    base->target = c->base.pose;
    set_center(c, g);
}

static bool is_row_off(const atemi_coordination *c, int k, int r)
{
    const node_group   *g = &c->nodes;
    const atemi_motion *e = &atemi_inverse_kinematics_errors(g->inverse)[k];
    const double        errors[] = {e->linear.x,  e->linear.y,  e->linear.z,
                                    e->angular.x, e->angular.y, e->angular.z};
    const bool          is_base = k == g->count;
    const bool          is_center = k > g->count;
    const bool          critical =
        is_base || is_center || g->nodes[k].target.priority[r] == ATEMI_PRIORITY_CRITICAL;
    const double limit = r < 3 ? c->options.position_tolerance : c->options.rotation_tolerance;
    return critical && !is_center && !(fabs(errors[r]) <= limit);
}

static bool is_critical_off(const atemi_coordination *c, int goals)
{
    for (int row = 0; row < 6 * goals; ++row) {
        if (is_row_off(c, row / 6, row % 6)) {
            return true;
        }
    }
    return false;
}

static void search(atemi_coordination *c, int goals, int iterations, bool unbent)
{
    node_group                      *g = &c->nodes;
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    options.moving = g->moving;
    options.iterations = iterations;
    options.retries = 0;
    options.damping = solver_damping;
    options.unbent = unbent;
    if (atemi_inverse_kinematics(c->model, g->goals, goals, &options, g->inverse, c->trial,
                                 &g->report, NULL)) {
        g->report.outcome = ATEMI_POSTURE_NEAREST;
    }
}

// A fixed base needs no goal. What is near is followed by the shortest steps; the curvature of the
// goals, which finds a solution at the edge of reach, would let joints drift that no goal holds.
bool atemi_nodes_solve(atemi_coordination *c)
{
    node_group *g = &c->nodes;
    const int   goals = g->count + (c->first_v > 0 ? 1 : 0) + (g->is_centered ? 1 : 0);
    memcpy(c->trial, c->q, (size_t)atemi_model_q_count(c->model) * sizeof *c->trial);
    if (g->motion.posture) {
        approach_posture(c);
    }
    set_goals(c, g);
    search(c, goals, FEW_ITERATIONS, true);
    if (g->report.outcome != ATEMI_POSTURE_REACHED && is_critical_off(c, goals)) {
        search(c, goals, MANY_ITERATIONS - FEW_ITERATIONS, false);
        g->report.iterations += FEW_ITERATIONS;
    }
    return !is_critical_off(c, goals);
}
