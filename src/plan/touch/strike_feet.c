// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_feet.h"

#include "atemi/math.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// With the feet's Jacobians in G, the hand's along the blow in j and t the torques of the servo,
// the blow adds to the floor's wrenches
//
//   G^T w = M a - t + j^T f
//
// by least squares, with one factor of G^T for all instants.

// A wrench that changes nothing is smaller than this fraction of the others.
static const double redundant = 1e-10;

// ---- In the blow

static void find_columns(const strike_setup *s, strike_feet *f)
{
    const int n = s->v_count, m = 6 * s->task.foot_count;
    for (int k = 0; k < s->task.foot_count; ++k) {
        atemi_link_jacobian_in(s->model, &f->stance.inverse.kinematics, s->foot_links[k], f->rows);
        for (int r = 0; r < 6; ++r) {
            for (int i = 0; i < n; ++i) {
                row_of(f->columns, m, i)[6 * k + r] = row_in(f->rows, n, r)[i];
            }
        }
    }
    f->rank = atemi_qr_factor(n, m, f->columns, m, redundant, f->tau, f->pivot, f->work);
}

// The wrenches behind forces of the joints, which are overwritten.
static void solve(const strike_setup *s, strike_feet *f, double *forces, atemi_force *wrenches)
{
    const int m = 6 * s->task.foot_count;
    double    x[6 * ATEMI_STRIKE_MAX_FEET];
    atemi_qr_solve_least_norm(s->v_count, m, f->columns, m, f->rank, f->tau, f->pivot, forces, x,
                              f->work);
    for (int k = 0; k < s->task.foot_count; ++k) {
        const double *w = x + 6 * (ptrdiff_t)k;
        wrenches[k] = (atemi_force){{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
    }
}

void strike_feet_prepare(const strike_setup *s, const double *q, strike_feet *f)
{
    atemi_mass_matrix_in(s->model, q, &f->mass, f->M);
    for (int i = 0; i < s->v_count; ++i) {
        row_of(f->M, s->v_count, i)[i] += s->rotors[i];
    }
    atemi_kinematics_update(s->model, q, NULL, NULL, &f->stance.inverse.kinematics);
    find_columns(s, f);
}

void strike_feet_in_blow(const strike_setup *s, const double *jacobian,
                         const atemi_blow_sample *sample, strike_feet *f, atemi_force *wrenches)
{
    const int n = s->v_count;
    double   *forces = f->torques;
    for (int i = 0; i < n; ++i) {
        const double torque = i < s->base_count ? 0.0 : sample->torques[i];
        forces[i] = row_dot(n, row_in(f->M, n, i), sample->accelerations) - torque +
                    sample->force * jacobian[i];
    }
    solve(s, f, forces, wrenches);
}

// ---- In motion

atemi_force strike_foot_wrench(const strike_setup *s, const atemi_kinematics *kinematics, int foot,
                               const atemi_contact_point *points, const atemi_vec3 *forces,
                               int count)
{
    const int             link = s->foot_links[foot];
    const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, link);
    atemi_force           sum = {0};
    for (int k = 0; k < count; ++k) {
        if (points[k].link == link) {
            const atemi_vec3 arm = atemi_mat3_apply(&pose.rotation, points[k].point);
            sum = atemi_force_add(sum, (atemi_force){forces[k], atemi_vec3_cross(arm, forces[k])});
        }
    }
    return sum;
}

void strike_feet_of_motion(const strike_setup *s, const double *q, const double *v, const double *a,
                           strike_feet *f, atemi_force *wrenches)
{
    atemi_contact_point points[STRIKE_MAX_CORNERS];
    atemi_vec3          forces[STRIKE_MAX_CORNERS];
    const int           count = strike_setup_corners(s, points);
    atemi_stance_dynamics_in(s->model, q, v, a, NULL, points, count, &f->stance, f->torques,
                             forces);
    for (int i = 0; i < s->task.foot_count; ++i) {
        wrenches[i] =
            strike_foot_wrench(s, &f->stance.inverse.kinematics, i, points, forces, count);
    }
}

// ---- What is left

bool strike_feet_zmp(const strike_setup *s, const atemi_kinematics *kinematics,
                     const atemi_force *wrenches, atemi_vec3 *zmp)
{
    atemi_vec3 places[ATEMI_STRIKE_MAX_FEET];
    for (int k = 0; k < s->task.foot_count; ++k) {
        places[k] = atemi_link_pose_in(s->model, kinematics, s->foot_links[k]).position;
    }
    return atemi_center_of_pressure(NULL, places, wrenches, s->task.foot_count, zmp);
}

// A horizontal force and a moment about the vertical need friction together, the moment at the
// distance of the sole's corners.
void strike_foot_grip(const strike_setup *s, int foot, atemi_force wrench, double friction,
                      double margins[2])
{
    const atemi_site *site = strike_setup_foot(s, foot);
    const double      moment = wrench.angular.z / (0.5 * hypot(site->size_x, site->size_y));
    const double      margin = friction * wrench.linear.z - hypot(wrench.linear.x, wrench.linear.y);
    margins[0] = margin - moment;
    margins[1] = margin + moment;
}

// As a moment: its force times the distance of its centre to the edge less the margin.
void strike_foot_edges(const strike_setup *s, const atemi_kinematics *kinematics, int foot,
                       atemi_force wrench, double margins[4])
{
    const atemi_site     *site = strike_setup_foot(s, foot);
    const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, site->link);
    const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, site->pose.position);
    const atemi_force     here = atemi_force_at(wrench, arm);
    const double          x = (0.5 * site->size_x - s->task.edge_margin) * here.linear.z;
    const double          y = (0.5 * site->size_y - s->task.edge_margin) * here.linear.z;
    margins[0] = x - here.angular.y;
    margins[1] = x + here.angular.y;
    margins[2] = y - here.angular.x;
    margins[3] = y + here.angular.x;
}

// ---- Workspace

strike_feet strike_feet_take(atemi_arena *arena, const strike_setup *s)
{
    const int n = s->v_count, m = 6 * s->task.foot_count;
    return (strike_feet){.rows = atemi_arena_array(arena, double, 6 * n),
                         .columns = atemi_arena_array(arena, double, n *m),
                         .tau = atemi_arena_array(arena, double, m),
                         .work = atemi_arena_array(arena, double, m *(m + 1)),
                         .M = atemi_arena_array(arena, double, n *n),
                         .pivot = atemi_arena_array(arena, int, m),
                         .torques = atemi_arena_array(arena, double, n),
                         .mass = atemi_mass_matrix_scratch_take(arena, s->model),
                         .stance = atemi_stance_scratch_take(arena, s->model)};
}
