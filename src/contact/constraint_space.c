// SPDX-License-Identifier: Apache-2.0

#include "contact/constraint_space.h"

#include "atemi/dense.h"

#include <math.h>
#include <string.h>

// With M = L^T D L (mass_factor.c), the columns of
//
//   W = L^-T [J^T  G^T  load]
//
// are found together, and give everything that M^-1 is needed for:
//
//   A = J M^-1 G^T = W_J^T D^-1 W_G,   J M^-1 load = W_J^T D^-1 w
//   M^-1 (load + G^T f) = L^-1 D^-1 (w + W_G f)
//
// G^T has a column of its own only for rows whose force is tied to friction. The columns stand side
// by side in memory, so that each step of L^-T is one scaled subtraction of whole blocks.

// Relative to the largest, smaller diagonal elements of R are rounding errors of A.
static const double rank_tolerance = 1e-11;

// Relative to the largest, a smaller diagonal element of A is that of a row that moves nothing.
static const double idle_tolerance = 1e-24;

// How far the targets of redundant rows may differ, relative to the largest.
static const double contradiction_tolerance = 1e-7;

// Where things are in a row of W: J^T, then a column for each tied row, then the load.
typedef struct columns {
    int rows, load, blocks;
} columns;

static columns plan_columns(const atemi_constraint_space *space)
{
    int tied = 0;
    for (int r = 0; r < space->row_count; ++r) {
        tied += space->rows[r].tied;
    }
    const int load = space->row_count + tied;
    return (columns){space->row_count, load, load / ATEMI_LANES + 1};
}

static size_t width_of(const columns *plan)
{
    return (size_t)plan->blocks * ATEMI_LANES;
}

// ---- Projection -----------------------------------------------------------------------------

static void add_column(const atemi_model *model, const atemi_kinematics *k,
                       const atemi_contact_row *row, atemi_vec3 direction, size_t width, double *W)
{
    for (int i = row->node; i != ATEMI_NONE; i = model->parents[i]) {
        const atemi_node_drive *drive = &model->drives[i];
        W[(size_t)drive->v * width] += drive->scale * atemi_contact_row_rate(k, row, direction, i);
    }
}

static void fill_columns(const atemi_model *model, const atemi_kinematics *k, const double *load,
                         const columns *plan, atemi_constraint_space *space)
{
    const size_t width = width_of(plan);
    double      *W = space->columns;
    int          tied = plan->rows;
    memset(W, 0, (size_t)model->v_count * width * sizeof *W);
    for (int r = 0; r < plan->rows; ++r) {
        const atemi_contact_row *row = &space->rows[r];
        add_column(model, k, row, row->direction, width, W + r);
        if (row->tied) {
            add_column(model, k, row, row->push, width, W + tied++);
        }
    }
    for (int i = 0; load && i < model->v_count; ++i) {
        W[(size_t)i * width + (size_t)plan->load] = load[i];
    }
}

// a += s b, rows of W
static void add_row(double *a, double s, const double *b, int blocks)
{
    for (int i = 0; i < blocks; ++i) {
        pack_put(a + i * ATEMI_LANES,
                 pack_at(a + i * ATEMI_LANES) + s * pack_at(b + i * ATEMI_LANES));
    }
}

// W <- L^-T W
static void sweep_inward(const atemi_model *model, const atemi_mass_factor *factor,
                         const columns *plan, double *W)
{
    const size_t width = width_of(plan), stride = atemi_mass_factor_stride(model);
    for (int k = model->v_count - 1; k > 0; --k) {
        const double *l = factor->rows + (size_t)k * stride;
        for (int i = model->factor_parents[k]; i != ATEMI_NONE; i = model->factor_parents[i]) {
            add_row(W + (size_t)i * width, -l[i], W + (size_t)k * width, plan->blocks);
        }
    }
}

// W_J^T D^-1 W, all columns of W at once.
static void multiply(const atemi_model *model, const atemi_mass_factor *factor, const columns *plan,
                     const double *W, double *products)
{
    const size_t width = width_of(plan);
    memset(products, 0, (size_t)plan->rows * width * sizeof *products);
    for (int k = 0; k < model->v_count; ++k) {
        const double *row = W + (size_t)k * width;
        for (int r = 0; r < plan->rows; ++r) {
            if (row[r] != 0.0) {
                add_row(products + (size_t)r * width, factor->inverse[k] * row[r], row,
                        plan->blocks);
            }
        }
    }
}

// Takes A and the remaining target out of the products; returns the least of A_rr relative to
// (J M^-1 J^T)_rr over the tied rows.
static double extract_system(const columns *plan, atemi_constraint_space *space)
{
    const int n = plan->rows;
    double    least = 1.0;
    for (int r = 0; r < n; ++r) {
        const double *product = space->products + (size_t)r * width_of(plan);
        int           tied = n;
        for (int c = 0; c < n; ++c) {
            space->system[r * n + c] = product[space->rows[c].tied ? tied++ : c];
        }
        space->target[r] -= product[plan->load];
        if (space->rows[r].tied && product[r] > 0.0) {
            least = fmin(least, space->system[r * n + r] / product[r]);
        }
    }
    return least;
}

void atemi_constraint_space_project(const atemi_model *model, const atemi_kinematics *k,
                                    const atemi_mass_factor *factor, const double *load,
                                    atemi_constraint_space *space, atemi_contact_report *report)
{
    const columns plan = plan_columns(space);
    fill_columns(model, k, load, &plan, space);
    sweep_inward(model, factor, &plan, space->columns);
    multiply(model, factor, &plan, space->columns, space->products);
    *report = (atemi_contact_report){.rows = plan.rows, .rank = plan.rows, .condition = 1.0};
    report->jamming = extract_system(&plan, space);
}

// ---- Solution -------------------------------------------------------------------------------

// Rows that move nothing (sideways in a planar robot) ask nothing and give nothing.
static void silence_row(int n, int r, double *system, double *target)
{
    for (int i = 0; i < n; ++i) {
        system[r * n + i] = system[i * n + r] = 0.0;
    }
    system[r * (n + 1)] = 1.0;
    target[r] = 0.0;
}

// Silences all idle rows and counts them; false if one of them asks for something.
static bool silence_idle_rows(atemi_constraint_space *space, int *idle)
{
    const int n = space->row_count;
    double    most = 0.0, asked = 1.0;
    for (int r = 0; r < n; ++r) {
        most = fmax(most, fabs(space->system[r * (n + 1)]));
        asked = fmax(asked, fabs(space->target[r]));
    }
    *idle = 0;
    for (int r = 0; r < n; ++r) {
        if (fabs(space->system[r * (n + 1)]) <= idle_tolerance * most && !space->rows[r].tied) {
            if (fabs(space->target[r]) > contradiction_tolerance * asked) {
                return false;
            }
            silence_row(n, r, space->system, space->target);
            ++*idle;
        }
    }
    return true;
}

static bool is_symmetric(const atemi_constraint_space *space)
{
    for (int r = 0; r < space->row_count; ++r) {
        if (space->rows[r].tied) {
            return false;
        }
    }
    return true;
}

// The squared ratio of the largest to the smallest diagonal element: a cheap look at the condition.
static double spread_of(int n, const double *L)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < n; ++i) {
        least = fmin(least, fabs(L[i * n + i]));
        most = fmax(most, fabs(L[i * n + i]));
    }
    return most / least * (most / least);
}

static bool solve_by_cholesky(int n, const double *A, double *L, double *x, double *condition)
{
    memcpy(L, A, (size_t)n * (size_t)n * sizeof *L);
    if (!atemi_cholesky_factor(n, L, n)) {
        return false;
    }
    *condition = spread_of(n, L);
    if (!(*condition < 1.0 / rank_tolerance)) {
        return false;
    }
    atemi_cholesky_solve(n, L, n, x);
    return true;
}

// By pivoted QR, with the least sum of squares where the rows are redundant.
static atemi_status solve_by_qr(int n, double *A, double *work, int *pivot, double *x,
                                atemi_contact_report *report)
{
    double *tau = work, *b = work + n, *room = work + 2 * n;
    double  largest = 0.0, left = 0.0;
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(x[i]));
    }
    memcpy(b, x, (size_t)n * sizeof *b);
    const int rank = atemi_qr_factor(n, n, A, n, rank_tolerance, tau, pivot, room);
    report->rank = rank;
    report->condition = (double)INFINITY;
    if (rank) {
        report->condition = fabs(A[0] / A[(rank - 1) * (n + 1)]);
    }
    atemi_qr_solve_least_norm(n, n, A, n, rank, tau, pivot, b, x, room);
    for (int i = rank; i < n; ++i) {
        left = fmax(left, fabs(b[i]));
    }
    return left <= contradiction_tolerance * largest ? ATEMI_OK : ATEMI_ERROR_SINGULAR;
}

atemi_status atemi_constraint_space_solve(atemi_constraint_space *space,
                                          atemi_contact_report   *report)
{
    const int n = space->row_count;
    if (n == 0) {
        return ATEMI_OK;
    }
    if (!(report->jamming > 0.0)) {
        report->condition = INFINITY;
        return ATEMI_ERROR_SINGULAR;
    }
    int idle;
    if (!silence_idle_rows(space, &idle)) {
        report->condition = (double)INFINITY;
        report->rank = n - idle - 1;
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_status status = ATEMI_OK;
    if (!is_symmetric(space) ||
        !solve_by_cholesky(n, space->system, space->work, space->target, &report->condition)) {
        status = solve_by_qr(n, space->system, space->work, space->pivot, space->target, report);
    }
    report->rank -= idle;
    return status;
}

// ---- Response -------------------------------------------------------------------------------

void atemi_constraint_space_respond(const atemi_model *model, atemi_constraint_space *space,
                                    atemi_mass_factor *factor)
{
    const columns plan = plan_columns(space);
    const size_t  width = width_of(&plan);
    int           tied = plan.rows;
    memset(space->factors, 0, width * sizeof *space->factors);
    for (int r = 0; r < plan.rows; ++r) {
        space->factors[space->rows[r].tied ? tied++ : r] = space->target[r];
    }
    space->factors[plan.load] = 1.0;
    for (int k = 0; k < model->v_count; ++k) {
        pack sum = {0};
        for (int b = 0; b < plan.blocks; ++b) {
            sum += pack_at(space->columns + (size_t)k * width + (size_t)(b * ATEMI_LANES)) *
                   pack_at(space->factors + b * ATEMI_LANES);
        }
        factor->work[k] = factor->inverse[k] * pack_sum(sum);
    }
    atemi_mass_factor_outward(model, factor);
}

// ---- The interface --------------------------------------------------------------------------

atemi_constraint_space atemi_constraint_space_take(atemi_arena *arena, const atemi_model *model,
                                                   int max_contacts)
{
    const size_t rows = (size_t)ATEMI_CONTACT_MAX_ROWS * (size_t)max_contacts;
    const size_t width = (2 * rows / ATEMI_LANES + 1) * ATEMI_LANES;

    atemi_constraint_space s = {.max_contacts = max_contacts};
    s.rows = atemi_arena_array(arena, atemi_contact_row, rows);
    s.columns = atemi_arena_array(arena, double, (size_t)model->v_count *width);
    s.products = atemi_arena_array(arena, double, rows *width);
    s.system = atemi_arena_array(arena, double, rows *rows);
    s.target = atemi_arena_array(arena, double, rows);
    s.factors = atemi_arena_array(arena, double, width);
    s.work = atemi_arena_array(arena, double, rows *(rows + 4));
    s.pivot = atemi_arena_array(arena, int, rows);
    return s;
}
