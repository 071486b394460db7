// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_component_derivatives.h"

#include "atemi/math.h"
#include "dynamics/data_parts.h"
#include "dynamics/frame_rows.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// A component w has the least weighted length of all that meet its goals A w = d:
//
//   W w = A^T l,   A w = d,   W = 0 for the base
//
// so that with a change of posture and goals
//
//   W dw - A^T dl = r_1 = d(A^T l) - dW w,   A dw = r_2 = dd - dA w
//
// and with the reduction of strike_components.c (rows F of the first foot, D of all others)
//
//   s_1 = r_1j - X^T r_1b,   s_2 = r_2D - D_b F_b^-1 r_2F
//   (C W^-1 C^T) dz = s_2 - C W^-1 s_1,   dw_j = W^-1 (C^T dz + s_1),   dw_b = F_b^-1 r_2F - X dw_j
//   l_D = z,   l_F = -F_b^-T D_b^T z
//
// dA w is how the goals' velocities and momenta change at constant joint velocities. A^T l are the
// joint forces of wrenches l on hands and feet and, of the momentum goals, those that give all
// links the same spatial acceleration m = (l_x / M, l_y / M, l_Pz, l_Lx, l_Ly, 0) about the world's
// origin: inverse dynamics of a robot at rest, with the base's acceleration b in its own frame,
//
//   d b = -x x b    for a displacement x of the base
//
// A wrench at the arm r from its link's origin has the moment r x f, which changes with the link's
// rotation t by (t x r) x f.

// ---- Directions

strike_directions strike_directions_of(const strike_variables *variables)
{
    strike_directions d = {.count = variables->count, .stride = matrix_stride(variables->count)};
    const struct {
        size_t field;
        int   *place;
    } values[] = {
        {offsetof(strike_values, speed), &d.speed}, {offsetof(strike_values, lift), &d.lift},
        {offsetof(strike_values, roll), &d.roll},   {offsetof(strike_values, pitch), &d.pitch},
        {offsetof(strike_values, com_x), &d.com_x}, {offsetof(strike_values, com_y), &d.com_y}};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
        *values[k].place = ATEMI_NONE;
        for (int i = 0; i < variables->count; ++i) {
            if (variables->list[i].field == values[k].field) {
                *values[k].place = i;
            }
        }
    }
    return d;
}

strike_component_workspace strike_component_workspace_take(atemi_arena             *arena,
                                                           const strike_setup      *setup,
                                                           const strike_directions *directions)
{
    const int n = setup->v_count, rows = strike_goals_count(setup), stride = directions->stride;
    return (strike_component_workspace){
        .derivatives = atemi_derivatives_scratch_take(arena, setup->model),
        .a = atemi_arena_array(arena, double, n),
        .tau = atemi_arena_array(arena, double, n),
        .dq = atemi_arena_array(arena, double, n *n),
        .dv = atemi_arena_array(arena, double, n *n),
        .da = atemi_arena_array(arena, double, n *n),
        .rows = atemi_arena_array(arena, double, 6 * n),
        .matrix = atemi_arena_array(arena, double, 6 * n),
        .slopes = atemi_arena_array(arena, double, n),
        .wrenches = atemi_arena_array(arena, atemi_force, atemi_model_link_count(setup->model)),
        .lambda = atemi_arena_array(arena, double, rows),
        .missing = atemi_arena_array(arena, double, rows *stride),
        .reduced = atemi_arena_array(arena, double, rows *stride),
        .forces = atemi_arena_array(arena, double, n *stride),
        .few = atemi_arena_array(arena, double, 6 * stride)};
}

// Everything about one posture.
typedef struct posture {
    const strike_setup              *s;
    const strike_directions         *d;
    const strike_velocity_workspace *v;
    strike_component_workspace      *w;
    const double                    *q, *dq;
    int                              n, base, joints, stride;
    int                              body, foot; ///< first rows of these goals
    int                              of_hand;    ///< rows of a hand
    double                           F[36];      ///< factor of F_b
    int                              pivot[6];
} posture;

// The frame that six rows of the goals are of, or three for its velocity alone.
typedef struct frame {
    int        link, row, count;
    atemi_vec3 point;
} frame;

static int frame_count(const posture *p)
{
    return atemi_striking_point_hands(&p->s->task.point) + p->s->task.foot_count;
}

static frame frame_at(const posture *p, int i)
{
    const int hands = atemi_striking_point_hands(&p->s->task.point);
    if (i < hands) {
        const atemi_striking_hand hand = atemi_striking_point_hand(&p->s->task.point, i);
        return (frame){hand.link, p->of_hand * i, p->of_hand, hand.point};
    }
    const int foot = i - hands;
    return (frame){p->s->foot_links[foot], p->foot + 6 * foot, 6,
                   strike_setup_foot(p->s, foot)->pose.position};
}

static const double *goal_row(const posture *p, int i)
{
    return row_in(p->v->goals.rows, p->n, i);
}

// ---- Multipliers

static void factor_first_foot(posture *p)
{
    for (int i = 0; i < p->base; ++i) {
        memcpy(p->F + p->base * i, goal_row(p, p->foot + i), (size_t)p->base * sizeof *p->F);
    }
    atemi_lu_factor(p->base, p->F, p->base, p->pivot);
}

// x becomes F_b^-T x.
static void solve_transposed(const posture *p, double *x)
{
    const int n = p->base;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            x[i] -= p->F[k * n + i] * x[k];
        }
        x[i] /= p->F[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            x[i] -= p->F[k * n + i] * x[k];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        const double kept = x[i];
        x[i] = x[p->pivot[i]];
        x[p->pivot[i]] = kept;
    }
}

// l of all goals.
// @param d [rows] what the goals of the component are
static void find_multipliers(const posture *p, const double *d)
{
    const strike_reduction *r = &p->v->reduction;
    double                 *z = r->z, *lambda = p->w->lambda, x[6] = {0};
    for (int i = 0; i < r->count; ++i) {
        z[i] = r->scale[i] * d[r->goals[i]];
    }
    memset(lambda, 0, (size_t)p->v->goals.count * sizeof *lambda);
    atemi_cholesky_solve(r->count, r->S, r->stride, z);
    for (int i = 0; i < r->count; ++i) {
        lambda[r->goals[i]] = r->scale[i] * z[i];
        row_subtract(p->base, r->scale[i] * z[i], goal_row(p, r->goals[i]), x);
    }
    solve_transposed(p, x);
    memcpy(lambda + p->foot, x, (size_t)p->base * sizeof *lambda);
}

// ---- r_2

// missing_i += rows_i dq, for some of the rows of a frame or momentum
static void add_changes(const posture *p, const double *rows, int count, int first)
{
    matrix_add_multiply(count, p->n, rows, p->n, p->dq, p->stride,
                        row_of(p->w->missing, p->stride, first));
}

// The momentum about the world's origin instead of the centre of mass, and the centre's velocity:
// P_z, L_x, L_y, v_x, v_y.
static void find_momentum_changes(const posture *p, double *rows)
{
    const atemi_model *model = p->s->model;
    const int          n = p->n;
    const double       share = 1.0 / atemi_model_mass(model);
    double            *d = p->w->rows, *A = p->w->matrix;
    atemi_momentum_derivatives(model, &p->w->derivatives, d, NULL, NULL, A);
    const atemi_kinematics *k = &p->w->derivatives.inverse.kinematics;
    const atemi_vec3 c = atemi_center_of_mass_in(model, k), P = atemi_momentum_in(model, k).linear;
    for (int i = 0; i < n; ++i) {
        const atemi_vec3 dP = {d[i], d[n + i], d[2 * n + i]};
        const atemi_vec3 dc = {share * A[i], share * A[n + i], share * A[2 * n + i]};
        const atemi_vec3 moved = atemi_vec3_add(atemi_vec3_cross(c, dP), atemi_vec3_cross(dc, P));
        rows[i] = dP.z;
        rows[n + i] = d[3 * n + i] + moved.x;
        rows[2 * n + i] = d[4 * n + i] + moved.y;
        rows[3 * n + i] = share * dP.x;
        rows[4 * n + i] = share * dP.y;
    }
}

// -dA w of all goals.
static void find_missing(const posture *p, const double *w)
{
    const atemi_model         *model = p->s->model;
    atemi_derivatives_scratch *scratch = &p->w->derivatives;
    memset(p->w->missing, 0, (size_t)p->v->goals.count * (size_t)p->stride * sizeof *p->w->missing);
    atemi_derivatives_update(model, p->q, w, NULL, NULL, scratch);
    for (int i = 0; i < frame_count(p); ++i) {
        const frame f = frame_at(p, i);
        atemi_link_derivatives(model, scratch, f.link, f.point, p->w->rows, NULL, NULL, NULL);
        add_changes(p, p->w->rows, f.count, f.row);
    }
    find_momentum_changes(p, p->w->dv);
    add_changes(p, p->w->dv, STRIKE_BODY_GOALS, p->body);
    matrix_scale(p->v->goals.count * p->stride, -1.0, p->w->missing, p->w->missing);
}

static void decide(const posture *p, int row, int direction, double by)
{
    if (direction != ATEMI_NONE) {
        row_of(p->w->missing, p->stride, row)[direction] += by;
    }
}

static void decide_on_hands(const posture *p)
{
    const atemi_vec3 n = p->s->task.point.direction;
    for (int i = 0; i < atemi_striking_point_hands(&p->s->task.point); ++i) {
        decide(p, p->of_hand * i, p->d->speed, n.x);
        decide(p, p->of_hand * i + 1, p->d->speed, n.y);
        decide(p, p->of_hand * i + 2, p->d->speed, n.z);
    }
}

static void decide_on_body(const posture *p)
{
    const int places[STRIKE_BODY_GOALS] = {p->d->lift, p->d->roll, p->d->pitch, p->d->com_x,
                                           p->d->com_y};
    for (int i = 0; i < STRIKE_BODY_GOALS; ++i) {
        decide(p, p->body + i, places[i], 1.0);
    }
}

// ---- r_1

// The base's acceleration, in its own frame, that gives all links the spatial acceleration m in
// spite of gravity.
static atemi_motion base_acceleration(const posture *p, const atemi_transform *root)
{
    const double    *l = p->w->lambda + p->body, share = 1.0 / atemi_model_mass(p->s->model);
    const atemi_vec3 turn = {l[1], l[2], 0.0}, g = atemi_model_gravity(p->s->model);
    const atemi_vec3 m = {share * l[3] + g.x, share * l[4] + g.y, l[0] + g.z};
    const atemi_vec3 there = atemi_vec3_add(m, atemi_vec3_cross(turn, root->position));
    return (atemi_motion){atemi_mat3_apply_transposed(&root->rotation, there),
                          atemi_mat3_apply_transposed(&root->rotation, turn)};
}

static atemi_force wrench_of(const posture *p, const frame *f)
{
    const double *l = p->w->lambda + f->row;
    return f->count == 6 ? (atemi_force){{l[0], l[1], l[2]}, {l[3], l[4], l[5]}}
                         : (atemi_force){{l[0], l[1], l[2]}, {0.0, 0.0, 0.0}};
}

static void find_wrenches(const posture *p, const atemi_kinematics *kinematics)
{
    const atemi_model *model = p->s->model;
    memset(p->w->wrenches, 0, (size_t)atemi_model_link_count(model) * sizeof *p->w->wrenches);
    for (int i = 0; i < frame_count(p); ++i) {
        const frame           f = frame_at(p, i);
        const atemi_transform pose = atemi_link_pose_in(model, kinematics, f.link);
        const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, f.point);
        const atemi_force     l = wrench_of(p, &f);
        atemi_force          *on = &p->w->wrenches[f.link];
        on->linear = atemi_vec3_sub(on->linear, l.linear);
        on->angular = atemi_vec3_sub(on->angular, l.angular);
        on->angular = atemi_vec3_sub(on->angular, atemi_vec3_cross(arm, l.linear));
    }
}

// Adds M_b db.
static void add_base_changes(const posture *p, atemi_motion b)
{
    double *db = p->w->few;
    for (int c = 0; c < p->stride; ++c) {
        const double    *dq = p->dq + c;
        const int        s = p->stride;
        const atemi_vec3 move = {dq[0], dq[s], dq[2 * s]}, turn = {dq[3 * s], dq[4 * s], dq[5 * s]};
        const atemi_vec3 linear =
            atemi_vec3_add(atemi_vec3_cross(b.linear, turn), atemi_vec3_cross(b.angular, move));
        const atemi_vec3 angular = atemi_vec3_cross(b.angular, turn);
        const double     values[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
        for (int i = 0; i < 6; ++i) {
            db[i * s + c] = values[i];
        }
    }
    matrix_add_multiply(p->n, 6, p->w->da, p->n, db, p->stride, p->w->forces);
}

// Adds J_w^T (t x r) x f for the frame of a wrench.
static void add_arm_changes(const posture *p, const frame *f, atemi_vec3 arm, atemi_vec3 force)
{
    const double along = atemi_vec3_dot(arm, force), r[] = {arm.x, arm.y, arm.z};
    const double f_[] = {force.x, force.y, force.z};
    double      *turns = p->w->few, *moments = turns + 3 * (ptrdiff_t)p->stride;
    double      *J = p->w->rows + 3 * (ptrdiff_t)p->n, E[9];
    atemi_link_jacobian_in(p->s->model, atemi_data_kinematics(p->v->goals.data), f->link,
                           p->w->rows);
    memset(turns, 0, 6 * (size_t)p->stride * sizeof *turns);
    matrix_add_multiply(3, p->n, J, p->n, p->dq, p->stride, turns);
    for (int i = 0; i < 9; ++i) {
        E[i] = r[i / 3] * f_[i % 3] - (i % 4 == 0 ? along : 0.0);
    }
    matrix_add_multiply(3, 3, E, 3, turns, p->stride, moments);
    matrix_add_transposed(3, p->n, J, p->n, moments, p->stride, p->w->forces);
}

// d(A^T l) - dW w
static void find_forces(const posture *p, const double *w)
{
    const atemi_model      *model = p->s->model;
    const atemi_kinematics *kinematics = atemi_data_kinematics(p->v->goals.data);
    const atemi_transform   root = atemi_link_pose_in(model, kinematics, 0);
    const atemi_motion      b = base_acceleration(p, &root);
    const double a[] = {b.linear.x, b.linear.y, b.linear.z, b.angular.x, b.angular.y, b.angular.z};
    memset(p->w->forces, 0, (size_t)p->n * (size_t)p->stride * sizeof *p->w->forces);
    memset(p->w->a, 0, (size_t)p->n * sizeof *p->w->a);
    memcpy(p->w->a, a, sizeof a);
    find_wrenches(p, kinematics);
    atemi_inverse_dynamics_derivatives(model, p->q, NULL, p->w->a, p->w->wrenches,
                                       &p->w->derivatives, NULL, p->w->dq, p->w->dv, p->w->da);
    matrix_add_multiply(p->n, p->n, p->w->dq, p->n, p->dq, p->stride, p->w->forces);
    add_base_changes(p, b);
    for (int i = 0; i < frame_count(p); ++i) {
        const frame           f = frame_at(p, i);
        const atemi_transform pose = atemi_link_pose_in(model, kinematics, f.link);
        add_arm_changes(p, &f, atemi_mat3_apply(&pose.rotation, f.point), wrench_of(p, &f).linear);
    }
    for (int i = p->base; i < p->n; ++i) {
        row_subtract(p->stride, p->w->slopes[i] * w[i], row_in(p->dq, p->stride, i),
                     row_of(p->w->forces, p->stride, i));
    }
}

// ---- Solution

static void swap_rows(const posture *p, double *a, double *b)
{
    for (int c = 0; c < p->stride; ++c) {
        const double kept = a[c];
        a[c] = b[c];
        b[c] = kept;
    }
}

// The rows of the first foot become F_b^-1 r_2F.
static void solve_first_foot(const posture *p)
{
    const int n = p->base, stride = p->stride;
    double   *r = row_of(p->w->missing, stride, p->foot);
    for (int i = 0; i < n; ++i) {
        if (p->pivot[i] != i) {
            swap_rows(p, row_of(r, stride, i), row_of(r, stride, p->pivot[i]));
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            row_subtract(stride, p->F[i * n + k], row_in(r, stride, k), row_of(r, stride, i));
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            row_subtract(stride, p->F[i * n + k], row_in(r, stride, k), row_of(r, stride, i));
        }
        matrix_scale(stride, 1.0 / p->F[i * n + i], row_in(r, stride, i), row_of(r, stride, i));
    }
}

// The forces of the joints become s_1.
static void reduce_forces(const posture *p)
{
    const int size = p->base * p->stride;
    matrix_scale(size, -1.0, p->w->forces, p->w->few);
    matrix_add_transposed(p->base, p->joints, p->v->reduction.X, p->joints, p->w->few, p->stride,
                          row_of(p->w->forces, p->stride, p->base));
}

// s_2 - C W^-1 s_1, each row scaled.
static void reduce_missing(const posture *p)
{
    const strike_reduction *r = &p->v->reduction;
    const int               stride = p->stride;
    for (int i = 0; i < r->count; ++i) {
        double *to = row_of(p->w->reduced, stride, i);
        matrix_scale(stride, -1.0, row_in(p->w->missing, stride, r->goals[i]), to);
        matrix_add_multiply(1, p->base, goal_row(p, r->goals[i]), p->n,
                            row_in(p->w->missing, stride, p->foot), stride, to);
    }
    matrix_add_multiply(r->count, p->joints, r->weighted, p->joints,
                        row_in(p->w->forces, stride, p->base), stride, p->w->reduced);
    for (int i = 0; i < r->count; ++i) {
        double *to = row_of(p->w->reduced, stride, i);
        matrix_scale(stride, -r->scale[i], to, to);
    }
}

// All columns at once: rows of the right side take each other's multiples.
static void solve_scaled(const posture *p)
{
    const strike_reduction *r = &p->v->reduction;
    const int               m = r->count;
    double                 *x = p->w->reduced;
    for (int i = 0; i < m; ++i) {
        const double *L = row_in(r->S, r->stride, i);
        double       *row = row_of(x, p->stride, i);
        for (int k = 0; k < i; ++k) {
            row_subtract(p->stride, L[k], row_in(x, p->stride, k), row);
        }
        for (int c = 0; c < p->stride; ++c) {
            row[c] /= L[i];
        }
    }
    for (int i = m - 1; i >= 0; --i) {
        const double *L = row_in(r->S, r->stride, i);
        double       *row = row_of(x, p->stride, i);
        for (int c = 0; c < p->stride; ++c) {
            row[c] /= L[i];
        }
        for (int k = 0; k < i; ++k) {
            row_subtract(p->stride, L[k], row, row_of(x, p->stride, k));
        }
    }
}

static void solve_changes(const posture *p, double *result)
{
    const strike_reduction *r = &p->v->reduction;
    const int               stride = p->stride;
    double                 *joints = row_of(result, stride, p->base);
    solve_first_foot(p);
    reduce_forces(p);
    reduce_missing(p);
    solve_scaled(p);
    for (int j = 0; j < p->joints; ++j) {
        matrix_scale(stride, r->ease[j], row_in(p->w->forces, stride, p->base + j),
                     row_of(joints, stride, j));
    }
    for (int i = 0; i < r->count; ++i) {
        double *row = row_of(p->w->reduced, stride, i);
        matrix_scale(stride, r->scale[i], row, row);
    }
    matrix_add_transposed(r->count, p->joints, r->weighted, p->joints, p->w->reduced, stride,
                          joints);
    matrix_scale(p->base * stride, -1.0, row_in(p->w->missing, stride, p->foot), result);
    matrix_add_multiply(p->base, p->joints, r->X, p->joints, joints, stride, result);
    matrix_scale(p->base * stride, -1.0, result, result);
}

// ---- Both components

static void vary(const posture *p, const double *d, const double *w, bool is_hand, double *result)
{
    find_multipliers(p, d);
    find_missing(p, w);
    if (is_hand) {
        decide_on_hands(p);
    } else {
        decide_on_body(p);
    }
    find_forces(p, w);
    solve_changes(p, result);
}

void strike_components_vary(const strike_setup *setup, const strike_directions *directions,
                            const double *q, const strike_components *components,
                            const strike_velocity_workspace *velocities, const double *dq,
                            strike_component_workspace *work, const strike_components *result)
{
    const strike_reduction *r = &velocities->reduction;
    posture                 p = {.s = setup,
                                 .d = directions,
                                 .v = velocities,
                                 .w = work,
                                 .q = q,
                                 .dq = dq,
                                 .n = setup->v_count,
                                 .base = setup->base_count,
                                 .joints = setup->v_count - setup->base_count,
                                 .stride = directions->stride,
                                 .of_hand = strike_goals_of_hand(setup)};
    p.body = p.of_hand * atemi_striking_point_hands(&setup->task.point);
    p.foot = p.body + STRIKE_BODY_GOALS;
    factor_first_foot(&p);
    atemi_limit_weight_slopes(setup->model, q, work->slopes);
    if (result->hand) {
        vary(&p, r->hand, components->hand, true, result->hand);
    }
    vary(&p, r->body, components->body, false, result->body);
}
