// SPDX-License-Identifier: Apache-2.0

#include "dynamics/articulated.h"

// Articulated-body inertias [Featherstone08, 7.2]. With the blocks of
//
//   force  = A a + B alpha
//   moment = B^T a + C alpha
//
// taken about the node's own origin, and s its axis:
//
//   turn    U = (B s, C s),     D = s.C s + rotor
//   slide   U = (A s, B^T s),   D = s.A s + rotor
//   yielding body   I - U U^T / D, handed to the parent's origin, r away:
//   A' = A,   B'_i = B_i + r x A_i (rows),   C' = C + r x B^T + (r x B'^T)^T (columns)
//
// A rigid body starts with A = m 1, B alpha = alpha x h = -h x alpha, C = I. Then M x = b by
//
//   inward    u_i = b_i - S_i^T p_i,   p_parent += p_i + U_i u_i / D_i
//   outward   x_i = (u_i - U_i^T a_parent) / D_i,   a_i = a_parent + S_i x_i
//
// with U, p and a at the common origin, where handing on is adding. What the velocity does is in
// the bias force, which forward_dynamics.c subtracts first, so no term here depends on it.

enum { XX, YY, ZZ, YZ, XZ, XY };

static void start_as_rigid(const atemi_composite_block *body, int lane, atemi_articulated_node *node)
{
    const double     m = body->mass.of[lane];
    const atemi_vec3 h = atemi_lane3(&body->first_moment, lane);
    const double     A[6] = {m, m, m, 0.0, 0.0, 0.0};
    const double     B[9] = {0.0, h.z, -h.y, -h.z, 0.0, h.x, h.y, -h.x, 0.0};
    const double     C[6] = {body->inertia.x.of[lane], body->inertia.y.of[lane],
                             body->inertia.z.of[lane], body->product.x.of[lane],
                             body->product.y.of[lane], body->product.z.of[lane]};
    for (int e = 0; e < 6; ++e) {
        node->mass[e] = A[e];
        node->inertia[e] = C[e];
    }
    for (int e = 0; e < 9; ++e) {
        node->coupling[e] = B[e];
    }
}

static atemi_vec3 symmetric_apply(const double *S, atemi_vec3 a)
{
    return (atemi_vec3){S[XX] * a.x + S[XY] * a.y + S[XZ] * a.z,
                        S[XY] * a.x + S[YY] * a.y + S[YZ] * a.z,
                        S[XZ] * a.x + S[YZ] * a.y + S[ZZ] * a.z};
}

static atemi_vec3 matrix_apply(const double *B, atemi_vec3 a)
{
    return (atemi_vec3){B[0] * a.x + B[1] * a.y + B[2] * a.z, B[3] * a.x + B[4] * a.y + B[5] * a.z,
                        B[6] * a.x + B[7] * a.y + B[8] * a.z};
}

static atemi_vec3 matrix_apply_transposed(const double *B, atemi_vec3 a)
{
    return (atemi_vec3){B[0] * a.x + B[3] * a.y + B[6] * a.z, B[1] * a.x + B[4] * a.y + B[7] * a.z,
                        B[2] * a.x + B[5] * a.y + B[8] * a.z};
}

// S -= a b^T, of which only the symmetric part is wanted.
static void symmetric_subtract(double *S, atemi_vec3 a, atemi_vec3 b)
{
    S[XX] -= a.x * b.x;
    S[YY] -= a.y * b.y;
    S[ZZ] -= a.z * b.z;
    S[YZ] -= a.y * b.z;
    S[XZ] -= a.x * b.z;
    S[XY] -= a.x * b.y;
}

static void matrix_subtract(double *B, atemi_vec3 a, atemi_vec3 b)
{
    B[0] -= a.x * b.x;
    B[1] -= a.x * b.y;
    B[2] -= a.x * b.z;
    B[3] -= a.y * b.x;
    B[4] -= a.y * b.y;
    B[5] -= a.y * b.z;
    B[6] -= a.z * b.x;
    B[7] -= a.z * b.y;
    B[8] -= a.z * b.z;
}

// U and D of a node, U about its own origin.
static void push(bool turns, atemi_vec3 s, double rotor, atemi_articulated_node *node)
{
    if (turns) {
        node->force = matrix_apply(node->coupling, s);
        node->moment = symmetric_apply(node->inertia, s);
    } else {
        node->force = symmetric_apply(node->mass, s);
        node->moment = matrix_apply_transposed(node->coupling, s);
    }
    node->inverse = 1.0 / (atemi_vec3_dot(s, turns ? node->moment : node->force) + rotor);
}

static void yield_along(atemi_articulated_node *node)
{
    const atemi_vec3 f = atemi_vec3_scale(node->inverse, node->force);
    const atemi_vec3 n = atemi_vec3_scale(node->inverse, node->moment);
    symmetric_subtract(node->mass, f, node->force);
    matrix_subtract(node->coupling, f, node->moment);
    symmetric_subtract(node->inertia, n, node->moment);
}

static void add_to_parent(const atemi_articulated_node *node, atemi_vec3 r,
                          atemi_articulated_node *parent)
{
    const double *A = node->mass, *B = node->coupling, *C = node->inertia;

    const double moved[9] = {
        B[0] + r.y * A[XZ] - r.z * A[XY], B[1] + r.z * A[XX] - r.x * A[XZ],
        B[2] + r.x * A[XY] - r.y * A[XX], B[3] + r.y * A[YZ] - r.z * A[YY],
        B[4] + r.z * A[XY] - r.x * A[YZ], B[5] + r.x * A[YY] - r.y * A[XY],
        B[6] + r.y * A[ZZ] - r.z * A[YZ], B[7] + r.z * A[XZ] - r.x * A[ZZ],
        B[8] + r.x * A[YZ] - r.y * A[XZ]};

    // (r x column of B)_row + (r x column of B')_row, transposed in the first term.
    parent->inertia[XX] +=
        C[XX] + (r.y * B[6] - r.z * B[3]) + (r.y * moved[6] - r.z * moved[3]);
    parent->inertia[YY] +=
        C[YY] + (r.z * B[1] - r.x * B[7]) + (r.z * moved[1] - r.x * moved[7]);
    parent->inertia[ZZ] +=
        C[ZZ] + (r.x * B[5] - r.y * B[2]) + (r.x * moved[5] - r.y * moved[2]);
    parent->inertia[YZ] +=
        C[YZ] + (r.x * B[4] - r.y * B[1]) + (r.z * moved[2] - r.x * moved[8]);
    parent->inertia[XZ] +=
        C[XZ] + (r.x * B[3] - r.y * B[0]) + (r.y * moved[8] - r.z * moved[5]);
    parent->inertia[XY] +=
        C[XY] + (r.z * B[0] - r.x * B[6]) + (r.y * moved[7] - r.z * moved[4]);
    for (int e = 0; e < 9; ++e) {
        parent->coupling[e] += moved[e];
    }
    for (int e = 0; e < 6; ++e) {
        parent->mass[e] += A[e];
    }
}

void atemi_articulated_factor(const atemi_model *model, const atemi_kinematics *k,
                              const atemi_composite_block *bodies, atemi_articulated_node *nodes)
{
    for (int i = 0; i < model->node_count; ++i) {
        start_as_rigid(&bodies[atemi_block(i)], atemi_lane(i), &nodes[i]);
    }
    for (int i = model->node_count - 1; i >= 0; --i) {
        atemi_articulated_node       *node = &nodes[i];
        const atemi_node_block       *constants = &model->blocks[atemi_block(i)];
        const atemi_kinematics_block *block = &k->blocks[atemi_block(i)];
        const int                     lane = atemi_lane(i), p = model->parents[i];
        const bool                    turns = constants->revolute.of[lane] != 0.0;
        const atemi_vec3              x = atemi_lane3(&block->position, lane);

        push(turns, atemi_lane3(turns ? &block->axis_angular : &block->axis_linear, lane),
             constants->armature.of[lane], node);
        if (p != ATEMI_NONE) {
            const atemi_kinematics_block *parent = &k->blocks[atemi_block(p)];
            yield_along(node);
            add_to_parent(node, atemi_vec3_sub(x, atemi_lane3(&parent->position, atemi_lane(p))),
                          &nodes[p]);
        }
        node->moment = atemi_vec3_add(node->moment, atemi_vec3_cross(x, node->force));
    }
}

static atemi_vec3 add_scaled(atemi_vec3 a, double s, atemi_vec3 b)
{
    return atemi_vec3_add(a, atemi_vec3_scale(s, b));
}

void atemi_articulated_solve(const atemi_model *model, const atemi_kinematics *k,
                             atemi_articulated_node *nodes, double *x)
{
    const atemi_vec3 nothing = {0};
    for (int i = 0; i < model->node_count; ++i) {
        nodes[i].linear = nodes[i].angular = nothing;
    }
    for (int i = model->node_count - 1; i >= 0; --i) {
        atemi_articulated_node       *node = &nodes[i];
        const atemi_kinematics_block *block = &k->blocks[atemi_block(i)];
        const int                     lane = atemi_lane(i), p = model->parents[i];
        node->load = x[i] - atemi_vec3_dot(atemi_lane3(&block->axis_linear, lane), node->linear) -
                     atemi_vec3_dot(atemi_lane3(&block->axis_angular, lane), node->angular);
        if (p != ATEMI_NONE) {
            const double rate = node->load * node->inverse;
            nodes[p].linear =
                atemi_vec3_add(nodes[p].linear, add_scaled(node->linear, rate, node->force));
            nodes[p].angular =
                atemi_vec3_add(nodes[p].angular, add_scaled(node->angular, rate, node->moment));
        }
    }
    for (int i = 0; i < model->node_count; ++i) {
        atemi_articulated_node       *node = &nodes[i];
        const atemi_kinematics_block *block = &k->blocks[atemi_block(i)];
        const int                     lane = atemi_lane(i), p = model->parents[i];
        const atemi_vec3              linear = p == ATEMI_NONE ? nothing : nodes[p].linear;
        const atemi_vec3              angular = p == ATEMI_NONE ? nothing : nodes[p].angular;
        x[i] = (node->load - atemi_vec3_dot(node->force, linear) -
                atemi_vec3_dot(node->moment, angular)) *
               node->inverse;
        node->linear = add_scaled(linear, x[i], atemi_lane3(&block->axis_linear, lane));
        node->angular = add_scaled(angular, x[i], atemi_lane3(&block->axis_angular, lane));
    }
}
