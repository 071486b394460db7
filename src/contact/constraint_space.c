// SPDX-License-Identifier: Apache-2.0

#include "contact/constraint_space.h"

#include "atemi/base.h"
#include "atemi/math.h"
#include "contact/jamming.h"
#include "contact/semidefinite.h"

#include <math.h>
#include <string.h>

// With M = L^T D L (mass_factor.c) and the columns
//
//   W_J = L^-T J^T,   W_G = L^-T G^T,   w = L^-T load
//
// everything that M^-1 is needed for is
//
//   A = J M^-1 G^T = W_J^T D^-1 W_G,   J M^-1 load = W_J^T D^-1 w
//   M^-1 (load + G^T f) = L^-1 D^-1 (w + W_G f)
//
// W_J and W_G are those of the groups of rows (row_group.c).

// Relative to the largest, smaller diagonal elements of R are rounding errors of A.
static const double rank_tolerance = 1e-11;

// Relative to the largest, a smaller diagonal element of A is that of a row that moves nothing.
static const double idle_tolerance = 1e-24;

// How far the targets of redundant rows may differ, relative to the largest.
static const double contradiction_tolerance = 1e-7;

// ---- Projection -----------------------------------------------------------------------------

static void project_rows(const atemi_model *model, const atemi_kinematics *k,
                         const atemi_mass_factor *factor, atemi_constraint_space *space)
{
    space->group_count =
        atemi_row_groups_find(model, space->rows, space->row_count, space->columns, space->groups);
    for (int g = 0; g < space->group_count; ++g) {
        atemi_row_group_project(model, k, factor, space->rows, &space->groups[g]);
    }
}

static void fill_system(const atemi_model *model, const atemi_mass_factor *factor,
                        atemi_constraint_space *space)
{
    for (int g = 0; g < space->group_count; ++g) {
        atemi_row_group_multiply(model, factor, &space->groups[g], space->groups,
                                 space->group_count, space->strip, space->row_count, space->system);
    }
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

// (J M^-1 J^T)_rr of the tied rows.
static void find_mobilities(const atemi_model *model, const atemi_mass_factor *factor,
                            const atemi_constraint_space *space, double *mobility)
{
    for (int g = 0; g < space->group_count; ++g) {
        const atemi_row_group *group = &space->groups[g];
        for (int i = 0; group->tied && i < group->count; ++i) {
            mobility[group->first + i] = atemi_row_group_mobility(model, factor, group, i);
        }
    }
}

static double find_jamming(const atemi_model *model, const atemi_mass_factor *factor,
                           const atemi_constraint_space *space)
{
    const size_t size = (size_t)space->row_count * (size_t)space->row_count;
    if (is_symmetric(space)) {
        return 1.0;
    }
    memcpy(space->work, space->system, size * sizeof *space->work);
    find_mobilities(model, factor, space, space->work + size);
    return atemi_jamming_find(space->rows, space->row_count, space->work, space->work + size);
}

static void take_load(const atemi_model *model, const atemi_mass_factor *factor, const double *load,
                      atemi_constraint_space *space)
{
    space->loaded = load != NULL;
    if (!load) {
        return;
    }
    memcpy(space->load, load, (size_t)model->v_count * sizeof *load);
    atemi_mass_factor_inward(model, factor, space->load);
    for (int g = 0; g < space->group_count; ++g) {
        atemi_row_group_relieve(model, factor, space->load, &space->groups[g], space->target);
    }
}

void atemi_constraint_space_group(const atemi_model *model, const atemi_kinematics *k,
                                  const atemi_mass_factor *factor, atemi_constraint_space *space)
{
    space->loaded = false;
    project_rows(model, k, factor, space);
}

void atemi_constraint_space_project(const atemi_model *model, const atemi_kinematics *k,
                                    const atemi_mass_factor *factor, const double *load,
                                    atemi_constraint_space *space, atemi_contact_report *report)
{
    const int n = space->row_count;
    project_rows(model, k, factor, space);
    fill_system(model, factor, space);
    take_load(model, factor, load, space);
    *report = (atemi_contact_report){.rows = n, .rank = n, .condition = 1.0};
    report->jamming = find_jamming(model, factor, space);
}

// ---- Solution -------------------------------------------------------------------------------

// (fmax would be a call.)
static double larger(double most, double x)
{
    return x > most ? x : most;
}

static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = larger(most, fabs(x[i]));
    }
    return most;
}

// Rows that move nothing (sideways in a planar robot) ask nothing and give nothing. Marks and
// counts them; false if one of them asks for something.
static bool find_idle_rows(atemi_constraint_space *space, int *idle)
{
    const int n = space->row_count;
    double    most = 0.0, asked = 1.0;
    for (int r = 0; r < n; ++r) {
        most = larger(most, fabs(space->system[r * (n + 1)]));
        asked = larger(asked, fabs(space->target[r]));
    }
    *idle = 0;
    for (int r = 0; r < n; ++r) {
        atemi_contact_row *row = &space->rows[r];
        row->idle = fabs(space->system[r * (n + 1)]) <= idle_tolerance * most && !row->tied;
        if (row->idle && fabs(space->target[r]) > contradiction_tolerance * asked) {
            return false;
        }
        *idle += row->idle;
    }
    return true;
}

// Closes system and target up over the idle rows.
static void leave_out_idle_rows(atemi_constraint_space *space)
{
    const int n = space->row_count;
    double   *to = space->system;
    for (int r = 0, row = 0; r < n; ++r) {
        for (int c = 0; c < n && !space->rows[r].idle; ++c) {
            if (!space->rows[c].idle) {
                *to++ = space->system[r * n + c];
            }
        }
        if (!space->rows[r].idle) {
            space->target[row++] = space->target[r];
        }
    }
}

// And opens the multipliers again.
static void put_in_idle_rows(atemi_constraint_space *space, int active)
{
    for (int r = space->row_count - 1; r >= 0; --r) {
        space->target[r] = space->rows[r].idle ? 0.0 : space->target[--active];
    }
}

// The squared ratio of the largest to the smallest diagonal element: a cheap look at the condition.
static double spread_of(int n, const double *L)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < n; ++i) {
        const double d = L[i * (n + 1)];
        least = d < least ? d : least;
        most = larger(most, d);
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

// Adds the preferred multipliers s of the rows, or makes the target less A s.
static void add_preferred(const atemi_constraint_space *space, double *multipliers)
{
    for (int r = 0, row = 0; r < space->row_count; ++r) {
        if (!space->rows[r].idle) {
            multipliers[row++] += space->rows[r].preferred;
        }
    }
}

static void subtract_preferred(const atemi_constraint_space *space, int n, double *target)
{
    for (int c = 0, column = 0; c < space->row_count; ++c) {
        const double preferred = space->rows[c].preferred;
        for (int r = 0; r < n && !space->rows[c].idle && preferred != 0.0; ++r) {
            target[r] -= space->system[r * n + column] * preferred;
        }
        column += !space->rows[c].idle;
    }
}

// By pivoted QR, with the least sum of squares where the rows are redundant.
// @return the largest of what is left of targets that contradict each other
static double solve_by_qr(int n, double *A, double *work, int *pivot, double *x,
                          atemi_contact_report *report)
{
    double *tau = work, *b = work + n, *scratch = work + 2 * n;
    memcpy(b, x, (size_t)n * sizeof *b);
    const int rank = atemi_qr_factor(n, n, A, n, rank_tolerance, tau, pivot, scratch);
    report->rank = rank;
    report->condition = (double)INFINITY;
    if (rank) {
        report->condition = fabs(A[0] / A[(rank - 1) * (n + 1)]);
    }
    atemi_qr_solve_least_norm(n, n, A, n, rank, tau, pivot, b, x, scratch);
    return largest(n - rank, b + rank);
}

// The same where A is symmetric.
static double solve_symmetric(int n, double *A, double *work, int *pivot, double *x,
                              atemi_contact_report *report)
{
    const atemi_semidefinite_report found =
        atemi_semidefinite_solve(n, A, rank_tolerance, pivot, work, x);
    report->rank = found.rank;
    report->condition = found.condition;
    return found.left;
}

// f = s + d with the least d that does it.
static atemi_status solve_near_preferred(atemi_constraint_space *space, int n, bool symmetric,
                                         atemi_contact_report *report)
{
    const double asked = largest(n, space->target);
    subtract_preferred(space, n, space->target);
    const double left = (symmetric ? solve_symmetric : solve_by_qr)(
        n, space->system, space->work, space->pivot, space->target, report);
    add_preferred(space, space->target);
    return left <= contradiction_tolerance * asked ? ATEMI_OK : ATEMI_ERROR_SINGULAR;
}

// Whether rows must depend on each other: those of points that stick to one link, whose distance
// stays anyway.
static bool is_redundant(const atemi_constraint_space *space)
{
    for (int g = 0; g < space->group_count; ++g) {
        const atemi_row_group *group = &space->groups[g];
        if (group->count >= 6 && !group->tied && !space->rows[group->first + 5].angular) {
            return true;
        }
    }
    return false;
}

// Of `n` rows that are not idle.
static atemi_status solve_active(atemi_constraint_space *space, int n, atemi_contact_report *report)
{
    const bool symmetric = is_symmetric(space);
    report->rank = n;
    if (n == 0) {
        return ATEMI_OK;
    }
    return symmetric && !is_redundant(space) &&
                   solve_by_cholesky(n, space->system, space->work, space->target,
                                     &report->condition)
               ? ATEMI_OK
               : solve_near_preferred(space, n, symmetric, report);
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
    if (!find_idle_rows(space, &idle)) {
        report->condition = (double)INFINITY;
        report->rank = n - idle - 1;
        return ATEMI_ERROR_SINGULAR;
    }
    if (idle) {
        leave_out_idle_rows(space);
    }
    const atemi_status status = solve_active(space, n - idle, report);
    if (idle) {
        put_in_idle_rows(space, n - idle);
    }
    return status;
}

// ---- Response -------------------------------------------------------------------------------

void atemi_constraint_space_respond(const atemi_model *model, atemi_constraint_space *space,
                                    atemi_mass_factor *factor)
{
    const size_t size = (size_t)model->v_count * sizeof *factor->work;
    if (space->loaded) {
        memcpy(factor->work, space->load, size);
    } else {
        memset(factor->work, 0, size);
    }
    for (int g = 0; g < space->group_count; ++g) {
        atemi_row_group_push(model, &space->groups[g], space->target, factor->work);
    }
    for (int k = 0; k < model->v_count; ++k) {
        factor->work[k] *= factor->inverse[k];
    }
    atemi_mass_factor_outward(model, factor);
}

// ---- The interface --------------------------------------------------------------------------

atemi_constraint_space atemi_constraint_space_take_rows(atemi_arena       *arena,
                                                        const atemi_model *model, int max_contacts,
                                                        int max_rows)
{
    return atemi_constraint_space_take_grouped(arena, model, max_contacts, max_rows, max_rows);
}

atemi_constraint_space atemi_constraint_space_take_grouped(atemi_arena       *arena,
                                                           const atemi_model *model,
                                                           int max_contacts, int max_rows,
                                                           int most_solved)
{
    const size_t           rows = (size_t)max_rows, solved = (size_t)most_solved;
    atemi_constraint_space s = {.max_contacts = max_contacts};
    s.rows = atemi_arena_array(arena, atemi_contact_row, rows);
    s.groups = atemi_arena_array(arena, atemi_row_group, max_contacts);
    s.columns = atemi_arena_array(arena, double, atemi_row_group_scratch_size(model, max_contacts));
    s.load = atemi_arena_array(arena, double, atemi_mass_factor_stride(model));
    s.strip = atemi_arena_array(arena, double, ATEMI_LANES *atemi_row_group_padded(max_contacts));
    s.system = atemi_arena_array(arena, double, solved *solved + ATEMI_LANES);
    s.target = atemi_arena_array(arena, double, rows);
    s.work = atemi_arena_array(arena, double, solved *(solved + 4));
    s.pivot = atemi_arena_array(arena, int, rows);
    return s;
}
