// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"

#include "atemi/base.h"
#include "atemi/dynamics.h"
#include "atemi/math.h"
#include "dynamics/data_parts.h"
#include "dynamics/frame_rows.h"
#include "dynamics/mass_rows.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// With the grounded links fixed, starting from C = M^-1, each row g of their Jacobians takes the
// motion that it forbids:
//
//   x = C g^T,   a = g x,   C <- C - x x^T / a
//
// A row whose motion other rows have taken already has a = 0 and is passed over.
//
// With heavy ones, M gets  M_g J_v^T J_v + I_g J_w^T J_w  at each link's centre of mass, and with b
// the rates of the base and j those of the joints, [SDC] eq. 5:
//
//   X = M_bb^-1 M_bj,   H* = M_jj - M_jb X,   J* = J_j - J_b X
//   C_jj = H*^-1,   C_bj = -X C_jj,   c_j = C_jj J*^T n,   c_b = M_bb^-1 J_b^T n - X c_j
//
// In both, 1 / m_a = n^T J C J^T n, [SDC] eq. 15 with J* and C_jj. A rotor R on joint i makes
//
//   M_ii <- M_ii + R
//
// before anything is inverted: a link that is almost without inertia has no digits left afterwards.
// A joint that is locked has no row and column in M, and zeros in C.

// Relative to what it was at first, less freedom than this is rounding error.
static const double freedom_tolerance = 1e-10;

// ---- Checks ---------------------------------------------------------------------------------

static bool is_link(const atemi_model *model, int link)
{
    return link >= 0 && link < atemi_model_link_count(model);
}

static atemi_status check_ground(const atemi_model *model, const atemi_ground *ground,
                                 atemi_error *error)
{
    for (int i = 0; i < ground->count; ++i) {
        if (!is_link(model, ground->links[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "link %d is grounded, but there is no such link", ground->links[i]);
        }
    }
    if (ground->grounding == ATEMI_GROUNDING_HEAVY && ground->locked) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "joints are locked and grounded links heavy: fix these instead");
    }
    if (ground->grounding == ATEMI_GROUNDING_HEAVY &&
        !(ground->mass > 0.0 && isfinite(ground->mass) && ground->inertia > 0.0 &&
          isfinite(ground->inertia))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the extra mass of grounded links is %g kg and %g kg m^2: both must be "
                          "positive",
                          ground->mass, ground->inertia);
    }
    return ATEMI_OK;
}

// ---- Jacobians ------------------------------------------------------------------------------

static void add_row(atemi_vec3 d, atemi_virtual_base *b)
{
    const int n = b->count;
    for (int i = 0; i < n; ++i) {
        b->jacobian[i] += d.x * b->rows[i] + d.y * b->rows[n + i] + d.z * b->rows[2 * n + i];
    }
}

// n^T J, the mean over the hands.
static void find_point_row(const atemi_model *model, const atemi_striking_point *at,
                           atemi_virtual_base *b)
{
    const int hands = atemi_striking_point_hands(at);
    memset(b->jacobian, 0, (size_t)b->count * sizeof *b->jacobian);
    for (int k = 0; k < hands; ++k) {
        const atemi_striking_hand hand = atemi_striking_point_hand(at, k);
        atemi_frame_rows(model, atemi_data_kinematics(b->data), hand.link, hand.point, b->rows);
        add_row(at->direction, b);
    }
    for (int i = 0; i < b->count; ++i) {
        b->jacobian[i] /= hands;
    }
}

// ---- Fixed ----------------------------------------------------------------------------------

// C = L^-1 D^-1 L^-T, all columns at once. L has elements only between a rate and those that carry
// it (mass_factor.c).
static void invert_mass(const atemi_model *model, atemi_virtual_base *b)
{
    const int *parents = model->factor_parents, stride = b->stride;
    const int  width = (int)atemi_mass_factor_stride(model);
    double    *C = b->mobility;
    memset(C, 0, (size_t)b->count * (size_t)stride * sizeof *C);
    for (int k = b->count - 1; k >= 0; --k) {
        const double *L = row_in(b->data->factor.rows, width, k);
        row_of(C, stride, k)[k] = 1.0;
        for (int i = parents[k]; i != ATEMI_NONE; i = parents[i]) {
            row_subtract(stride, L[i], row_in(C, stride, k), row_of(C, stride, i));
        }
    }
    for (int k = 0; k < b->count; ++k) {
        const double *L = row_in(b->data->factor.rows, width, k);
        double       *row = row_of(C, stride, k);
        for (int j = 0; j < stride; ++j) {
            row[j] *= b->data->factor.inverse[k];
        }
        for (int i = parents[k]; i != ATEMI_NONE; i = parents[i]) {
            row_subtract(stride, L[i], row_in(C, stride, i), row);
        }
        b->freedom[k] = row[k];
    }
}

static void apply_mobility(const double *x, const atemi_virtual_base *b, double *y)
{
    memset(y, 0, (size_t)b->stride * sizeof *y);
    matrix_add_product(b->count, b->mobility, b->stride, x, y);
}

// Takes the motion that a row forbids, unless others have.
static void forbid(const double *row, double free, atemi_virtual_base *b)
{
    double *x = b->work;
    apply_mobility(row, b, x);
    const double a = row_dot(b->count, row, x);
    if (!(a > freedom_tolerance * free)) {
        return;
    }
    for (int i = 0; i < b->count; ++i) {
        row_subtract(b->stride, x[i] / a, x, row_of(b->mobility, b->stride, i));
    }
}

// What a row could move at first, as if the rates did not know of each other.
static double freedom_of(const double *row, const atemi_virtual_base *b)
{
    double sum = 0.0;
    for (int i = 0; i < b->count; ++i) {
        sum += b->freedom[i] * row[i] * row[i];
    }
    return sum;
}

static void fix_link(const atemi_model *model, int link, atemi_virtual_base *b)
{
    atemi_frame_rows(model, atemi_data_kinematics(b->data), link, (atemi_vec3){0}, b->rows);
    for (int r = 0; r < 6; ++r) {
        const double *row = row_of(b->rows, b->count, r);
        forbid(row, freedom_of(row, b), b);
    }
}

static bool is_locked(const atemi_ground *ground, int rate)
{
    return ground->locked && ground->locked[rate];
}

// Row and column k of M become those of one.
static void lock(const atemi_model *model, int k, atemi_mass_factor *factor)
{
    const int width = (int)atemi_mass_factor_stride(model);
    memset(row_of(factor->rows, width, k), 0, (size_t)k * sizeof *factor->rows);
    for (int i = k + 1; i < atemi_model_v_count(model); ++i) {
        row_of(factor->rows, width, i)[k] = 0.0;
    }
    *atemi_mass_factor_diagonal(model, factor, k) = 1.0;
}

// The factor of M with the rotors.
static atemi_status factor_mass(const atemi_model *model, const atemi_ground *ground,
                                atemi_virtual_base *b, atemi_error *error)
{
    atemi_mass_factor *factor = &b->data->factor;
    b->data->factored = false; // not that of M alone
    if (b->count > 0) {
        atemi_mass_factor_fill(model, atemi_data_kinematics(b->data), factor);
        for (int i = b->base_count; i < b->count; ++i) {
            *atemi_mass_factor_diagonal(model, factor, i) +=
                ground->rotors ? ground->rotors[i] : 0.0;
            if (is_locked(ground, i)) {
                lock(model, i, factor);
            }
        }
        atemi_mass_factor_eliminate(model, factor);
    }
    return atemi_mass_factor_check(model, factor, error);
}

static atemi_status fill_fixed(const atemi_model *model, const atemi_ground *ground,
                               atemi_virtual_base *b, double *free, atemi_error *error)
{
    const atemi_status status = factor_mass(model, ground, b, error);
    if (status) {
        return status;
    }
    invert_mass(model, b);
    for (int i = b->base_count; i < b->count; ++i) {
        if (is_locked(ground, i)) {
            row_of(b->mobility, b->stride, i)[i] = b->freedom[i] = 0.0;
        }
    }
    *free = freedom_of(b->jacobian, b);
    for (int i = 0; i < ground->count; ++i) {
        fix_link(model, ground->links[i], b);
    }
    apply_mobility(b->jacobian, b, b->response);
    b->give = row_dot(b->count, b->jacobian, b->response);
    return ATEMI_OK;
}

// ---- Heavy ----------------------------------------------------------------------------------

static void weigh_down(const atemi_model *model, int link, const atemi_ground *ground,
                       atemi_virtual_base *b)
{
    const int n = b->count;
    atemi_frame_rows(model, atemi_data_kinematics(b->data), link,
                     atemi_model_link(model, link)->inertia.com, b->rows);
    for (int r = 0; r < 6; ++r) {
        const double *row = row_of(b->rows, n, r);
        const double  extra = r < 3 ? ground->mass : ground->inertia;
        for (int i = 0; i < n; ++i) {
            row_subtract(n, -extra * row[i], row, row_of(b->M, n, i));
        }
    }
}

// M_bb becomes its factor, M_bj becomes X, M_jj becomes H*; n^T J_j becomes n^T J*.
static bool eliminate_base(int n, int base, atemi_virtual_base *b)
{
    const int joints = n - base;
    double   *M = b->M, column[6] = {0};
    if (!atemi_cholesky_factor(base, M, n)) {
        return false;
    }
    for (int j = 0; j < joints; ++j) {
        b->generalized_jacobian[j] = b->jacobian[base + j];
        for (int i = 0; i < base; ++i) {
            column[i] = row_of(M, n, i)[base + j];
        }
        atemi_cholesky_solve(base, M, n, column);
        for (int i = 0; i < base; ++i) {
            row_of(M, n, i)[base + j] = column[i];
            b->generalized_jacobian[j] -= b->jacobian[i] * column[i];
        }
    }
    for (int i = 0; i < joints; ++i) {
        double *H = row_of(b->generalized_inertia, joints, i);
        double *row = row_of(M, n, base + i);
        memcpy(H, row + base, (size_t)joints * sizeof *H);
        for (int k = 0; k < base; ++k) {
            row_subtract(joints, row[k], row_of(M, n, k) + base, H);
        }
    }
    return true;
}

// C_jj, column by column, through the factor of H*, which takes the place of M_jj.
static bool invert_generalized(int n, int base, atemi_virtual_base *b)
{
    const int joints = n - base;
    double   *L = row_of(b->M, n, base) + base;
    for (int i = 0; i < joints; ++i) {
        memcpy(row_of(L, n, i), row_of(b->generalized_inertia, joints, i),
               (size_t)joints * sizeof *L);
    }
    if (!atemi_cholesky_factor(joints, L, n)) {
        return false;
    }
    for (int i = 0; i < joints; ++i) {
        double *row = row_of(b->mobility, b->stride, base + i) + base;
        row[i] = 1.0;
        atemi_cholesky_solve(joints, L, n, row);
    }
    return true;
}

// What torques do to the base: C_bj, and its transpose.
static void fill_base_rows(int n, int base, atemi_virtual_base *b)
{
    const int joints = n - base;
    for (int i = 0; i < base; ++i) {
        const double *X = row_of(b->M, n, i) + base;
        double       *row = row_of(b->mobility, b->stride, i) + base;
        for (int k = 0; k < joints; ++k) {
            row_subtract(joints, X[k], row_of(b->mobility, b->stride, base + k) + base, row);
        }
    }
    for (int k = 0; k < joints; ++k) {
        for (int i = 0; i < base; ++i) {
            row_of(b->mobility, b->stride, base + k)[i] =
                row_of(b->mobility, b->stride, i)[base + k];
        }
    }
}

static void fill_response(int n, int base, atemi_virtual_base *b)
{
    const int joints = n - base;
    memcpy(b->response, b->jacobian, (size_t)base * sizeof *b->response);
    atemi_cholesky_solve(base, b->M, n, b->response);
    for (int i = 0; i < joints; ++i) {
        b->response[base + i] = row_dot(joints, row_of(b->mobility, b->stride, base + i) + base,
                                        b->generalized_jacobian);
    }
    for (int i = 0; i < base; ++i) {
        b->response[i] -= row_dot(joints, row_of(b->M, n, i) + base, b->response + base);
    }
    b->give = row_dot(joints, b->generalized_jacobian, b->response + base);
}

static atemi_status fill_heavy(const atemi_model *model, const atemi_ground *ground,
                               atemi_virtual_base *b, double *free, atemi_error *error)
{
    const int n = b->count, base = b->base_count;
    memset(b->mobility, 0, (size_t)n * (size_t)b->stride * sizeof *b->mobility);
    atemi_mass_matrix_at(b->data, b->M);
    for (int i = base; ground->rotors && i < n; ++i) {
        row_of(b->M, n, i)[i] += ground->rotors[i];
    }
    for (int i = 0; i < ground->count; ++i) {
        weigh_down(model, ground->links[i], ground, b);
    }
    if (atemi_update_factor(b->data, ground->rotors ? NULL : error) && !ground->rotors) {
        return ATEMI_ERROR_SINGULAR;
    }
    if (!eliminate_base(n, base, b) || !invert_generalized(n, base, b)) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "the generalized inertia of the robot is singular: give its links mass, "
                          "or less to the grounded ones");
    }
    fill_base_rows(n, base, b);
    fill_response(n, base, b);
    *free = b->give;
    return ATEMI_OK;
}

// Far away, squares of lengths drown all inertia, and overflow in the end.
static atemi_status check_configuration(const atemi_model *model, const double *q,
                                        atemi_error *error)
{
    const double farthest = 1e15;
    for (int i = 0; i < atemi_model_q_count(model); ++i) {
        if (!(fabs(q[i]) <= farthest)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "coordinate %d of the posture is %g, at most 1e15 m or rad are "
                              "possible: is the hand too fast, or the robot too far away?",
                              i, q[i]);
        }
    }
    return ATEMI_OK;
}

// ---- The interface --------------------------------------------------------------------------

atemi_ground atemi_ground_default(void)
{
    return (atemi_ground){.grounding = ATEMI_GROUNDING_FIXED, .mass = 1e5, .inertia = 1e5};
}

atemi_virtual_base atemi_virtual_base_take(atemi_arena *arena, const atemi_model *model)
{
    const int    count = atemi_model_v_count(model);
    const size_t n = (size_t)count, stride = (size_t)matrix_stride(count);

    atemi_virtual_base b = {.count = count, .stride = (int)stride};
    b.base_count = atemi_base_v_count(atemi_model_base(model));
    b.mobility = atemi_arena_array(arena, double, n *stride);
    b.response = atemi_arena_array(arena, double, stride);
    b.jacobian = atemi_arena_array(arena, double, stride);
    b.generalized_inertia = atemi_arena_array(arena, double, n *n);
    b.generalized_jacobian = atemi_arena_array(arena, double, stride);
    b.data = atemi_data_take(arena, model, &(atemi_data_options){.max_contacts = 0});
    b.rows = atemi_arena_array(arena, double, 6 * n);
    b.work = atemi_arena_array(arena, double, stride);
    b.freedom = atemi_arena_array(arena, double, stride);
    b.M = atemi_arena_array(arena, double, n *n);
    return b;
}

atemi_status atemi_virtual_base_update(const atemi_model *model, const double *q,
                                       const atemi_ground         *ground,
                                       const atemi_striking_point *point, atemi_virtual_base *base,
                                       atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && q && point && base, ATEMI_ERROR_CONTRACT);
    const atemi_ground none = atemi_ground_default(), *held = ground ? ground : &none;
    ATEMI_REQUIRE_OR(held->count >= 0 && (held->count == 0 || held->links), ATEMI_ERROR_CONTRACT);

    atemi_status status = atemi_striking_point_check(model, point, error);
    if (status == ATEMI_OK) {
        status = check_ground(model, held, error);
    }
    if (status != ATEMI_OK) {
        return status;
    }
    status = check_configuration(model, q, error);
    if (status != ATEMI_OK) {
        return status;
    }
    double free = 0.0;
    atemi_update_kinematics(base->data, q, NULL, NULL);
    find_point_row(model, point, base);
    status = held->grounding == ATEMI_GROUNDING_FIXED ? fill_fixed(model, held, base, &free, error)
                                                      : fill_heavy(model, held, base, &free, error);
    if (status == ATEMI_OK && !(base->give > freedom_tolerance * free && isfinite(base->give))) {
        status = atemi_fail(error, ATEMI_ERROR_SINGULAR,
                            "the striking point on %s%s cannot move along the direction of the "
                            "blow: ground fewer links, or strike in another direction or posture",
                            atemi_model_link(model, point->link)->name,
                            point->more > 0 ? " together with the other hand" : "");
    }
    return status;
}

double atemi_virtual_mass(const atemi_virtual_base *base)
{
    ATEMI_REQUIRE_OR(base, 0.0);
    return 1.0 / base->give;
}

void atemi_virtual_base_rates(const atemi_virtual_base *base, double speed, double *v)
{
    ATEMI_REQUIRE(base && v);
    for (int i = 0; i < base->count; ++i) {
        v[i] = base->response[i] * (speed / base->give);
    }
}

void atemi_virtual_base_project(atemi_virtual_base *base, const double *wanted, double *v)
{
    ATEMI_REQUIRE(base && wanted && v && wanted != v);
    double *momentum = base->rows, *gravity = base->rows + base->count;
    atemi_inverse_dynamics_at(base->data, NULL, NULL, gravity);
    atemi_inverse_dynamics_at(base->data, wanted, NULL, momentum);
    for (int i = 0; i < base->count; ++i) {
        const double *C = row_in(base->mobility, base->stride, i);
        v[i] = 0.0;
        for (int k = 0; k < base->count; ++k) {
            v[i] += C[k] * (momentum[k] - gravity[k]);
        }
    }
}
