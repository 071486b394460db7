// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_feet.h"

#include "atemi/dense.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// With the feet's Jacobians in G, the hand's along the blow in j and t the torques of the servo,
// the blow adds to the floor's wrenches
//
//   G^T w = M a - t + j^T f
//
// by least squares, with one factor of G^T for all instants.

// A wrench that changes nothing is smaller than this part of the others.
static const double redundant = 1e-10;

// ---- In the blow

static void find_columns(strike_problem *p)
{
    const int n = p->base.count, m = 6 * p->task.foot_count;
    for (int k = 0; k < p->task.foot_count; ++k) {
        const int link = atemi_model_site(p->model, p->task.feet[k])->link;
        atemi_link_jacobian_in(p->model, &p->stance.inverse.kinematics, link, p->feet.rows);
        for (int r = 0; r < 6; ++r) {
            for (int i = 0; i < n; ++i) {
                row_of(p->feet.columns, m, i)[6 * k + r] = row_in(p->feet.rows, n, r)[i];
            }
        }
    }
    p->feet.rank = atemi_qr_factor(n, m, p->feet.columns, m, redundant, p->feet.tau, p->feet.pivot,
                                   p->feet.work);
}

// The wrenches behind forces of the joints, which are overwritten.
static void solve(strike_problem *p, double *forces, atemi_force *wrenches)
{
    strike_feet *f = &p->feet;
    const int    m = 6 * p->task.foot_count;
    double       x[6 * ATEMI_STRIKE_MOST_FEET];
    atemi_qr_solve_least_norm(p->base.count, m, f->columns, m, f->rank, f->tau, f->pivot, forces, x,
                              f->work);
    for (int k = 0; k < p->task.foot_count; ++k) {
        const double *w = x + 6 * (ptrdiff_t)k;
        wrenches[k] = (atemi_force){{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
    }
}

void strike_feet_prepare(strike_problem *p, const double *q)
{
    atemi_mass_matrix_in(p->model, q, &p->feet.mass, p->feet.M);
    for (int i = 0; i < p->base.count; ++i) {
        row_of(p->feet.M, p->base.count, i)[i] += p->rotors[i];
    }
    atemi_kinematics_update(p->model, q, NULL, NULL, &p->stance.inverse.kinematics);
    find_columns(p);
}

void strike_feet_in_blow(strike_problem *p, const atemi_blow_sample *sample, atemi_force *wrenches)
{
    const int n = p->base.count;
    double   *forces = p->tau;
    for (int i = 0; i < n; ++i) {
        const double torque = i < p->base.base_count ? 0.0 : sample->torques[i];
        forces[i] = row_dot(n, row_in(p->feet.M, n, i), sample->accelerations) - torque +
                    sample->force * p->base.jacobian[i];
    }
    solve(p, forces, wrenches);
}

// ---- In motion

// From the forces at their corners.
static void gather(const strike_problem *p, const atemi_contact_point *points,
                   const atemi_vec3 *forces, int count, atemi_force *wrenches)
{
    const atemi_kinematics *kinematics = &p->stance.inverse.kinematics;
    for (int i = 0; i < p->task.foot_count; ++i) {
        const int             link = atemi_model_site(p->model, p->task.feet[i])->link;
        const atemi_transform pose = atemi_link_pose_in(p->model, kinematics, link);
        wrenches[i] = (atemi_force){0};
        for (int k = 0; k < count; ++k) {
            if (points[k].link == link) {
                const atemi_vec3 arm = atemi_mat3_apply(&pose.rotation, points[k].point);
                wrenches[i] = atemi_force_add(
                    wrenches[i], (atemi_force){forces[k], atemi_vec3_cross(arm, forces[k])});
            }
        }
    }
}

void strike_feet_of_motion(strike_problem *p, const double *q, const double *v, const double *a,
                           atemi_force *wrenches)
{
    atemi_contact_point points[STRIKE_MOST_CORNERS];
    atemi_vec3          forces[STRIKE_MOST_CORNERS];
    const int           count = strike_stance_points(p, points);
    atemi_stance_dynamics_in(p->model, q, v, a, NULL, points, count, &p->stance, p->tau, forces);
    gather(p, points, forces, count, wrenches);
}

// ---- What is left

bool strike_feet_zmp(const strike_problem *p, const atemi_force *wrenches, atemi_vec3 *zmp)
{
    atemi_vec3 places[ATEMI_STRIKE_MOST_FEET];
    for (int k = 0; k < p->task.foot_count; ++k) {
        const int link = atemi_model_site(p->model, p->task.feet[k])->link;
        places[k] = atemi_link_pose_in(p->model, &p->kinematics, link).position;
    }
    return atemi_center_of_pressure(NULL, places, wrenches, p->task.foot_count, zmp);
}

// A push and a turning of the sole need friction together, the turning at the distance of its
// corners.
void strike_foot_grip(const strike_problem *p, int foot, atemi_force wrench, double friction,
                      double left[2])
{
    const atemi_site *site = atemi_model_site(p->model, p->task.feet[foot]);
    const double      turning = wrench.angular.z / (0.5 * hypot(site->size_x, site->size_y));
    const double      push = friction * wrench.linear.z - hypot(wrench.linear.x, wrench.linear.y);
    left[0] = push - turning;
    left[1] = push + turning;
}

// As a moment: its force times the distance of its centre to the edge less the margin.
void strike_foot_edges(const strike_problem *p, int foot, atemi_force wrench, double left[4])
{
    const atemi_site     *site = atemi_model_site(p->model, p->task.feet[foot]);
    const atemi_transform pose = atemi_link_pose_in(p->model, &p->kinematics, site->link);
    const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, site->pose.position);
    const atemi_force     here = atemi_force_at(wrench, arm);
    const double          x = (0.5 * site->size_x - p->task.edge_margin) * here.linear.z;
    const double          y = (0.5 * site->size_y - p->task.edge_margin) * here.linear.z;
    left[0] = x - here.angular.y;
    left[1] = x + here.angular.y;
    left[2] = y - here.angular.x;
    left[3] = y + here.angular.x;
}

// ---- Room

strike_feet strike_feet_take(atemi_arena *arena, const atemi_model *model, int foot_count)
{
    const int n = atemi_model_v_count(model), m = 6 * foot_count;
    return (strike_feet){.rows = atemi_arena_array(arena, double, 6 * n),
                         .columns = atemi_arena_array(arena, double, n *m),
                         .tau = atemi_arena_array(arena, double, m),
                         .work = atemi_arena_array(arena, double, m *(m + 1)),
                         .M = atemi_arena_array(arena, double, n *n),
                         .pivot = atemi_arena_array(arena, int, m),
                         .mass = atemi_mass_matrix_scratch_take(arena, model)};
}
