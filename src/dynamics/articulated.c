// SPDX-License-Identifier: Apache-2.0

#include "dynamics/articulated.h"

#include <math.h>

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
//   A' = A,   B' = B - A [r],   C' = C + Y + Y^T  with  Y = [r] (B + B') / 2
//
// A rigid body starts with A = m 1, B = -[h], C = I. Then M x = b by
//
//   inward    u_i = b_i - s_i^T p_i,   p_parent += p_i + U_i u_i / D_i, moved by r
//   outward   x_i = (u_i - U_i^T a) / D_i,   a_i = a + s_i x_i,   a = a_parent moved by r
//
// What the velocity does is in the bias force, which forward_dynamics.c subtracts first, so no term
// here depends on it.

static quad3 columns(atemi_vec3 x, atemi_vec3 y, atemi_vec3 z)
{
    return (quad3){quad_of(x), quad_of(y), quad_of(z)};
}

static void start_as_rigid(const atemi_composite_block *body, int lane,
                           atemi_articulated_node *node)
{
    const double     m = body->mass.of[lane];
    const atemi_vec3 h = atemi_lane3(&body->first_moment, lane);
    const atemi_vec3 I = atemi_lane3(&body->inertia, lane), P = atemi_lane3(&body->product, lane);

    node->mass =
        columns((atemi_vec3){m, 0.0, 0.0}, (atemi_vec3){0.0, m, 0.0}, (atemi_vec3){0.0, 0.0, m});
    node->coupling = columns((atemi_vec3){0.0, -h.z, h.y}, (atemi_vec3){h.z, 0.0, -h.x},
                             (atemi_vec3){-h.y, h.x, 0.0});
    node->inertia = columns((atemi_vec3){I.x, P.z, P.y}, (atemi_vec3){P.z, I.y, P.x},
                            (atemi_vec3){P.y, P.x, I.z});
}

static void place_axis(const atemi_node_block *constants, const atemi_kinematics_block *k, int lane,
                       atemi_articulated_node *node)
{
    node->reach = quad_of(atemi_lane3(&k->reach, lane));
    node->rotation = quad_of(atemi_lane3(&k->axis_angular, lane));
    node->slide =
        quad_scale(constants->prismatic.of[lane], quad_of(atemi_lane3(&k->axis_linear, lane)));
}

// U and D.
static void respond(bool revolute, double rotor, atemi_articulated_node *node)
{
    if (revolute) {
        node->force = quad3_apply(&node->coupling, node->rotation);
        node->moment = quad3_apply(&node->inertia, node->rotation);
        node->inverse = 1.0 / (quad_dot(node->rotation, node->moment) + rotor);
    } else {
        node->force = quad3_apply(&node->mass, node->slide);
        node->moment = quad3_apply_transposed(&node->coupling, node->slide);
        node->inverse = 1.0 / (quad_dot(node->slide, node->force) + rotor);
    }
}

// A - a b^T
static quad3 less_product(const quad3 *A, quad a, quad b)
{
    return (quad3){quad_add_scaled(A->x, -quad_x(b), a), quad_add_scaled(A->y, -quad_y(b), a),
                   quad_add_scaled(A->z, -quad_z(b), a)};
}

// B - A [r]
static quad3 moved_coupling(const quad3 *A, const quad3 *B, quad r)
{
    const double x = quad_x(r), y = quad_y(r), z = quad_z(r);
    return (quad3){quad_add_scaled(quad_add_scaled(B->x, -z, A->y), y, A->z),
                   quad_add_scaled(quad_add_scaled(B->y, -x, A->z), z, A->x),
                   quad_add_scaled(quad_add_scaled(B->z, -y, A->x), x, A->y)};
}

static quad3 cross_columns(quad r, const quad3 *A)
{
    return (quad3){quad_cross(r, A->x), quad_cross(r, A->y), quad_cross(r, A->z)};
}

static void add_to(quad3 *sum, const quad3 *A)
{
    *sum = quad3_add(sum, A);
}

// The body that yields in its own joint, added to its parent.
static void add_to_parent(const atemi_articulated_node *node, atemi_articulated_node *parent)
{
    const quad  f = quad_scale(node->inverse, node->force);
    const quad  n = quad_scale(node->inverse, node->moment);
    const quad3 A = less_product(&node->mass, f, node->force);
    const quad3 B = less_product(&node->coupling, f, node->moment);
    const quad3 C = less_product(&node->inertia, n, node->moment);
    const quad  r = node->reach;
    const quad3 moved = moved_coupling(&A, &B, r);
    const quad3 sum = quad3_add(&B, &moved);
    const quad3 Y = cross_columns(quad_scale(0.5, r), &sum);
    const quad3 Y_transposed = quad3_transposed(&Y);

    add_to(&parent->mass, &A);
    add_to(&parent->coupling, &moved);
    add_to(&parent->inertia, &C);
    add_to(&parent->inertia, &Y);
    add_to(&parent->inertia, &Y_transposed);
}

// Of the body's inertia about any axis, or its mass: a smaller D is rounding.
static const double no_inertia = 1e-13;

// Whether U and D mean something. Sums of diagonals: those of C, or of A.
static bool yields(bool revolute, const atemi_articulated_node *node)
{
    const quad3 *m = revolute ? &node->inertia : &node->mass;
    const double scale = quad_x(m->x) + quad_y(m->y) + quad_z(m->z);
    return node->inverse > 0.0 && node->inverse * no_inertia * scale < 1.0 &&
           isfinite(node->inverse);
}

bool atemi_articulated_factor(const atemi_model *model, const atemi_kinematics *k,
                              const atemi_composite_block *bodies, atemi_articulated_node *nodes)
{
    for (int i = 0; i < model->node_count; ++i) {
        const int block = atemi_block(i), lane = atemi_lane(i);
        start_as_rigid(&bodies[block], lane, &nodes[i]);
        place_axis(&model->blocks[block], &k->blocks[block], lane, &nodes[i]);
    }
    for (int place = model->node_count - 1; place >= 0; --place) {
        const int               i = model->schedule[place], lane = atemi_lane(i);
        const atemi_node_block *constants = &model->blocks[atemi_block(i)];
        const bool              revolute = constants->revolute.of[lane] != 0.0;
        respond(revolute, constants->armature.of[lane], &nodes[i]);
        if (!yields(revolute, &nodes[i])) {
            return false;
        }
        if (model->parents[i] != ATEMI_NONE) {
            add_to_parent(&nodes[i], &nodes[model->parents[i]]);
        }
    }
    return true;
}

// What a node's load leaves to its parent.
static void hand_to_parent(const atemi_articulated_node *node, atemi_articulated_node *parent)
{
    const double rate = node->load * node->inverse;
    const quad   force = quad_add_scaled(node->linear, rate, node->force);
    const quad   moment = quad_add_scaled(node->angular, rate, node->moment);
    parent->linear = quad_add(parent->linear, force);
    parent->angular = quad_add(parent->angular, quad_add(moment, quad_cross(node->reach, force)));
}

static void collect_loads(const atemi_model *model, atemi_articulated_node *nodes, const double *b)
{
    const quad nothing = quad_of((atemi_vec3){0.0, 0.0, 0.0});
    for (int i = 0; i < model->node_count; ++i) {
        nodes[i].linear = nodes[i].angular = nothing;
    }
    for (int place = model->node_count - 1; place >= 0; --place) {
        const int               i = model->schedule[place], p = model->parents[i];
        atemi_articulated_node *node = &nodes[i];
        node->load = b[i] - quad_dot2(node->slide, node->linear, node->rotation, node->angular);
        if (p != ATEMI_NONE) {
            hand_to_parent(node, &nodes[p]);
        }
    }
}

void atemi_articulated_solve(const atemi_model *model, atemi_articulated_node *nodes, double *x)
{
    const quad nothing = quad_of((atemi_vec3){0.0, 0.0, 0.0});
    collect_loads(model, nodes, x);
    for (int place = 0; place < model->node_count; ++place) {
        const int               i = model->schedule[place], p = model->parents[i];
        atemi_articulated_node *node = &nodes[i];
        const quad              angular = p == ATEMI_NONE ? nothing : nodes[p].angular;
        const quad              linear =
            p == ATEMI_NONE ? nothing : quad_add(nodes[p].linear, quad_cross(angular, node->reach));
        x[i] = (node->load - quad_dot2(node->force, linear, node->moment, angular)) * node->inverse;
        node->linear = quad_add_scaled(linear, x[i], node->slide);
        node->angular = quad_add_scaled(angular, x[i], node->rotation);
    }
}
