// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/dynamics.h"
#include "dynamics/data_parts.h"
#include "dynamics/mass_rows.h"
#include "dynamics/newton_euler.h"

#include <string.h>

// a = M^-1 (tau - h): the bias force h by inverse dynamics at rest acceleration, then M solved by
// articulated bodies. Both are O(nodes). Handling the bias first leaves the articulated bodies
// without velocity terms, and lets the bias run over whole blocks of nodes. Where joints are
// coupled M has not the shape of a tree, and is solved by its factor.

static void subtract_from(const double *tau, int count, double *h)
{
    for (int i = 0; i < count; ++i) {
        h[i] = (tau ? tau[i] : 0.0) - h[i];
    }
}

static bool solve_by_bodies(atemi_data *data)
{
    const atemi_kinematics *k = atemi_data_kinematics(data);
    atemi_bodies_rotate(data->model, k, data->bodies);
    if (!atemi_articulated_factor(data->model, k, data->bodies, data->nodes)) {
        return false;
    }
    atemi_articulated_solve(data->model, data->nodes, data->load);
    return true;
}

static bool solve_by_factor(atemi_data *data)
{
    if (!data->factored) {
        atemi_mass_factor_at(data->model, atemi_data_kinematics(data), &data->factor);
        data->factored = atemi_mass_factor_regular(data->model, &data->factor);
    }
    if (data->factored) {
        atemi_mass_factor_solve(data->model, &data->factor, data->load);
    }
    return data->factored;
}

atemi_status atemi_forward_dynamics_at(atemi_data *data, const double *tau,
                                       const atemi_force *external, double *a)
{
    ATEMI_REQUIRE_OR(data && data->posed, ATEMI_ERROR_CONTRACT);
    const atemi_model *model = data->model;
    if (model->v_count == 0) {
        return ATEMI_OK;
    }
    ATEMI_REQUIRE_OR(a, ATEMI_ERROR_CONTRACT);
    atemi_newton_euler_at(model, data->moving, NULL, model->gravity, external, &data->inverse,
                          data->load);
    data->accelerations = ATEMI_ACCELERATIONS_NONE; // those without torques
    data->loaded = false;
    subtract_from(tau, model->v_count, data->load);
    if (!(model->coupled ? solve_by_factor : solve_by_bodies)(data)) {
        return ATEMI_ERROR_SINGULAR;
    }
    memcpy(a, data->load, (size_t)model->v_count * sizeof *a);
    return ATEMI_OK;
}

atemi_status atemi_forward_dynamics(atemi_data *data, const double *q, const double *v,
                                    const double *tau, const atemi_force *external, double *a)
{
    ATEMI_REQUIRE_OR(data && (q || data->model->v_count == 0), ATEMI_ERROR_CONTRACT);
    atemi_data_go(data, q, v);
    return atemi_forward_dynamics_at(data, tau, external, a);
}
