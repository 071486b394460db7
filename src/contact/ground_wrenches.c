// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/math.h"
#include "contact/data_contact.h"

#include <math.h>
#include <string.h>

// A load that changes nothing is smaller than this part of the others.
static const double redundant = 1e-10;

// G^T, column by column a component of a wrench.
static void find_columns(const atemi_data *data, const int *links, int count, double *columns)
{
    const int n = data->model->v_count, m = 6 * count;
    double   *rows = data->contact->jacobian;
    for (int k = 0; k < count; ++k) {
        atemi_link_jacobian(data, links[k], rows);
        for (int r = 0; r < 6; ++r) {
            for (int i = 0; i < n; ++i) {
                columns[i * m + 6 * k + r] = rows[r * n + i];
            }
        }
    }
}

// What explains `rest` with the least sum of squares.
static void solve(const atemi_data *data, int m, double *columns, double *rest, double *answer)
{
    const atemi_contact_parts *parts = data->contact;
    const int                  n = data->model->v_count;
    int                       *pivot = parts->collision.space.pivot;
    const int rank = atemi_qr_factor(n, m, columns, m, redundant, parts->row, pivot, parts->work);
    atemi_qr_solve_least_norm(n, m, columns, m, rank, parts->row, pivot, rest, answer, parts->work);
}

static void explain(atemi_data *data, const double *tau, const int *links, int count,
                    atemi_force *wrenches)
{
    atemi_contact_parts *parts = data->contact;
    double              *answer = parts->collision.space.target;
    for (int i = 0; i < data->model->v_count; ++i) {
        data->load[i] -= tau[i];
    }
    find_columns(data, links, count, parts->motion);
    solve(data, 6 * count, parts->motion, data->load, answer);
    for (int k = 0; k < count; ++k) {
        const double *x = &answer[6 * k];
        wrenches[k] = (atemi_force){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
        parts->loads[links[k]] = atemi_force_add(parts->loads[links[k]], wrenches[k]);
    }
}

static double unexplained(const double *tau, const double *needed, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(needed[i] - tau[i]));
    }
    return most;
}

double atemi_ground_wrenches(atemi_data *data, const double *q, const double *v, const double *a,
                             const double *tau, const atemi_force *external, const int *links,
                             int count, atemi_force *wrenches)
{
    ATEMI_REQUIRE_OR(data && q && tau && count >= 0 && count <= data->contact->max_contacts,
                     (double)NAN);
    atemi_force *loads = data->contact->loads;
    const size_t size = (size_t)data->model->link_count * sizeof *loads;
    memset(loads, 0, size);
    if (external) {
        memcpy(loads, external, size);
    }
    atemi_inverse_dynamics(data, q, v, a, loads, data->load);
    if (count > 0) {
        explain(data, tau, links, count, wrenches);
    }
    atemi_inverse_dynamics_at(data, a, loads, data->load);
    return unexplained(tau, data->load, data->model->v_count);
}
