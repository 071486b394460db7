// SPDX-License-Identifier: Apache-2.0

#include "dynamics/base_frame.h"

#include "atemi/base.h"
#include "atemi/math.h"
#include "dynamics/frame_rows.h"
#include "dynamics/newton_euler.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// The model's base moves the link as one rigid body: a motion of the link is undone by the opposite
// one of the base, seen at its origin and along its axes. With J = (J_b, J_j) of the link,
//
//   rates = -J_b^-1 J_j,   v = (rates u; u)
//   dv_b  = -J_b^-1 (acceleration of the link for dv_b = 0)
//
// and what holds the model's base, which nothing does, is borne by the link instead:
//
//   torques = tau_j + rates^T tau_b
//   inertia_i = M_ii + 2 M_ib r + r^T M_bb r,   r column i of rates

enum { FREE = 6 };

// ---- Motion ---------------------------------------------------------------------------------

bool atemi_base_frame_fits(const atemi_model *model, int link)
{
    ATEMI_REQUIRE_OR(model, false);
    const atemi_base base = atemi_model_base(model);
    return (base == ATEMI_BASE_FLOATING && link >= 0 && link < atemi_model_link_count(model)) ||
           (base == ATEMI_BASE_FIXED && link == 0);
}

// The motion of the model's base, along its own axes, that gives the link the opposite of `motion`.
static void undo_by_base(const atemi_transform *root, const atemi_transform *link,
                         atemi_motion motion, double rates[FREE])
{
    const atemi_vec3   offset = atemi_vec3_sub(root->position, link->position);
    const atemi_motion at_root = atemi_motion_at(motion, offset);
    const atemi_vec3   linear = atemi_mat3_apply_transposed(&root->rotation, at_root.linear);
    const atemi_vec3   angular = atemi_mat3_apply_transposed(&root->rotation, at_root.angular);
    const double       all[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int r = 0; r < FREE; ++r) {
        rates[r] = -all[r];
    }
}

static atemi_motion column_of(const double *J, int n, int i)
{
    return (atemi_motion){{J[i], J[n + i], J[2 * n + i]},
                          {J[3 * n + i], J[4 * n + i], J[5 * n + i]}};
}

static void find_rates(const atemi_model *model, int link, atemi_base_frame_scratch *s)
{
    const int             n = atemi_model_v_count(model);
    const atemi_transform root = atemi_link_pose_in(model, &s->kinematics, 0);
    const atemi_transform pose = atemi_link_pose_in(model, &s->kinematics, link);
    atemi_link_jacobian_in(model, &s->kinematics, link, s->jacobian);
    memset(s->rates, 0, (size_t)FREE * (size_t)n * sizeof *s->rates);
    for (int i = FREE; i < n; ++i) {
        double rates[FREE];
        undo_by_base(&root, &pose, column_of(s->jacobian, n, i), rates);
        for (int r = 0; r < FREE; ++r) {
            s->rates[r * n + i] = rates[r];
        }
    }
}

static void put_root(const atemi_transform *root, double *q)
{
    const atemi_quaternion rotation = atemi_quaternion_from_matrix(&root->rotation);
    const double all[] = {root->position.x, root->position.y, root->position.z, rotation.x,
                          rotation.y,       rotation.z,       rotation.w};
    memcpy(q, all, sizeof all);
}

void atemi_base_frame_place(const atemi_model *model, const atemi_base_frame *frame,
                            atemi_base_frame_scratch *scratch, double *q)
{
    ATEMI_REQUIRE(model && frame && scratch && q && atemi_base_frame_fits(model, frame->link));
    if (!scratch->settled) {
        const atemi_transform at_origin = atemi_transform_identity();
        put_root(&at_origin, q);
        atemi_kinematics_update(model, q, NULL, NULL, &scratch->kinematics);
        const atemi_transform link = atemi_link_pose_in(model, &scratch->kinematics, frame->link);
        const atemi_transform back = atemi_transform_inverse(&link);
        const atemi_transform root = atemi_transform_compose(&frame->pose, &back);
        put_root(&root, q);
    }
    atemi_kinematics_update(model, q, NULL, NULL, &scratch->kinematics);
    if (!scratch->settled) {
        find_rates(model, frame->link, scratch);
    }
}

void atemi_base_frame_jacobian(const atemi_model *model, int link, atemi_vec3 point,
                               const atemi_base_frame_scratch *scratch, double *J)
{
    ATEMI_REQUIRE(model && scratch && J);
    atemi_frame_rows(model, &scratch->kinematics, link, point, J);
    if (scratch->settled) {
        return;
    }
    const int n = atemi_model_v_count(model);
    for (int r = 0; r < 6; ++r) {
        double *row = row_of(J, n, r);
        for (int b = 0; b < FREE; ++b) {
            row_subtract(n - FREE, -row[b], row_of(scratch->rates, n, b) + FREE, row + FREE);
            row[b] = 0.0;
        }
    }
}

// ---- Torques --------------------------------------------------------------------------------

// What the model's base would have to be held with goes to the joints.
static void hand_to_joints(int n, const atemi_base_frame_scratch *s, double *tau)
{
    if (s->settled) {
        return;
    }
    for (int b = 0; b < FREE; ++b) {
        row_subtract(n - FREE, -tau[b], row_of(s->rates, n, b) + FREE, tau + FREE);
        tau[b] = 0.0;
    }
}

// v and dv of the whole robot, for which the link rests.
static void complete_motion(const atemi_model *model, int link, const double *q, const double *u,
                            const double *du, atemi_base_frame_scratch *s)
{
    const int n = atemi_model_v_count(model);
    memcpy(s->v, u, (size_t)n * sizeof *u);
    memcpy(s->a, du, (size_t)n * sizeof *du);
    if (s->settled) {
        return;
    }
    for (int b = 0; b < FREE; ++b) {
        s->v[b] = row_dot(n - FREE, row_of(s->rates, n, b) + FREE, u + FREE);
        s->a[b] = 0.0;
    }
    atemi_kinematics *k = &s->inverse.kinematics;
    atemi_kinematics_update(model, q, s->v, s->a, k);
    const atemi_transform root = atemi_link_pose_in(model, k, 0),
                          pose = atemi_link_pose_in(model, k, link);
    undo_by_base(&root, &pose, atemi_link_acceleration_in(model, k, link), s->a);
}

void atemi_base_frame_inertia_torques(const atemi_model *model, const atemi_base_frame *frame,
                                      const double *u, const double *du,
                                      atemi_base_frame_scratch *scratch, double *q, double *tau)
{
    ATEMI_REQUIRE(model && frame && u && du && scratch && q && tau);
    const atemi_vec3 none = {0};
    atemi_base_frame_place(model, frame, scratch, q);
    complete_motion(model, frame->link, q, u, du, scratch);
    atemi_newton_euler(model, q, scratch->v, scratch->a, none, NULL, &scratch->inverse, tau);
    hand_to_joints(atemi_model_v_count(model), scratch, tau);
}

void atemi_base_frame_gravity_torques(const atemi_model *model, const atemi_base_frame *frame,
                                      atemi_vec3 gravity, atemi_base_frame_scratch *scratch,
                                      double *q, double *tau)
{
    ATEMI_REQUIRE(model && frame && scratch && q && tau);
    atemi_base_frame_place(model, frame, scratch, q);
    atemi_newton_euler(model, q, NULL, NULL, gravity, NULL, &scratch->inverse, tau);
    hand_to_joints(atemi_model_v_count(model), scratch, tau);
}

void atemi_base_frame_loads(const atemi_model *model, const atemi_base_frame *frame,
                            const double *u, const double *du, atemi_vec3 gravity,
                            atemi_base_frame_scratch *scratch, double *q, double *loads)
{
    ATEMI_REQUIRE(model && frame && u && du && scratch && q && loads);
    atemi_base_frame_place(model, frame, scratch, q);
    complete_motion(model, frame->link, q, u, du, scratch);
    atemi_newton_euler(model, q, scratch->v, scratch->a, gravity, NULL, &scratch->inverse, loads);
}

// ---- Inertias -------------------------------------------------------------------------------

static double effective_inertia(int n, int i, const atemi_base_frame_scratch *s)
{
    double inertia = s->M[i * n + i];
    for (int b = 0; !s->settled && b < FREE; ++b) {
        double sum = 2.0 * s->M[b * n + i];
        for (int c = 0; c < FREE; ++c) {
            sum += s->M[b * n + c] * s->rates[c * n + i];
        }
        inertia += s->rates[b * n + i] * sum;
    }
    return inertia;
}

void atemi_base_frame_effective_inertias(const atemi_model *model, const atemi_base_frame *frame,
                                         atemi_base_frame_scratch *scratch, double *q,
                                         double *inertias)
{
    ATEMI_REQUIRE(model && frame && scratch && q && inertias);
    const int n = atemi_model_v_count(model), base = scratch->settled ? 0 : FREE;
    atemi_base_frame_place(model, frame, scratch, q);
    atemi_mass_matrix_in(model, q, &scratch->mass, scratch->M);
    memset(inertias, 0, (size_t)base * sizeof *inertias);
    for (int i = base; i < n; ++i) {
        inertias[i] = effective_inertia(n, i, scratch);
    }
}

atemi_base_frame_scratch atemi_base_frame_scratch_take(atemi_arena *arena, const atemi_model *model)
{
    const size_t n = (size_t)atemi_model_v_count(model);

    atemi_base_frame_scratch s = {.settled = atemi_model_base(model) == ATEMI_BASE_FIXED};
    s.kinematics = atemi_kinematics_take(arena, model);
    s.rates = atemi_arena_array(arena, double, FREE *n);
    s.jacobian = atemi_arena_array(arena, double, FREE *n);
    s.inverse = atemi_inverse_dynamics_scratch_take(arena, model);
    s.mass = atemi_mass_matrix_scratch_take(arena, model);
    s.M = atemi_arena_array(arena, double, n *n);
    s.v = atemi_arena_array(arena, double, n);
    s.a = atemi_arena_array(arena, double, n);
    return s;
}
