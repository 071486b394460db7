// SPDX-License-Identifier: Apache-2.0

#include "atemi/forward_dynamics.h"

#include "atemi/contract.h"
#include "dynamics/articulated.h"
#include "dynamics/mass_rows.h"

#include <string.h>

// a = M^-1 (tau - h): the bias force h by inverse dynamics at rest acceleration, then M solved by
// articulated bodies. Both are O(nodes). Handling the bias first leaves the articulated bodies
// without velocity terms, and lets the bias run over whole blocks of nodes.

static void subtract_from(const double *tau, int count, double *h)
{
    for (int i = 0; i < count; ++i) {
        h[i] = (tau ? tau[i] : 0.0) - h[i];
    }
}

atemi_forward_dynamics_scratch atemi_forward_dynamics_scratch_take(atemi_arena       *arena,
                                                                   const atemi_model *model)
{
    atemi_forward_dynamics_scratch s = {.bias = atemi_inverse_dynamics_scratch_take(arena, model)};
    if (model->coupled) {
        s.factor = atemi_mass_factor_take(arena, model);
    } else {
        s.bodies = atemi_arena_array(arena, atemi_composite_block, model->block_count);
        s.nodes = atemi_arena_array(arena, atemi_articulated_node, model->node_count);
    }
    s.load = atemi_arena_array(arena, double, model->v_count);
    return s;
}

atemi_status atemi_forward_dynamics_in(const atemi_model *model, const double *q, const double *v,
                                       const double *tau, const atemi_force *external,
                                       atemi_forward_dynamics_scratch *scratch, double *a)
{
    ATEMI_REQUIRE_OR(model && scratch, ATEMI_ERROR_CONTRACT);
    if (model->v_count == 0) {
        return ATEMI_OK;
    }
    ATEMI_REQUIRE_OR(q && a, ATEMI_ERROR_CONTRACT);
    const atemi_kinematics *k = &scratch->bias.kinematics;

    atemi_inverse_dynamics_in(model, q, v, NULL, external, &scratch->bias, scratch->load);
    subtract_from(tau, model->v_count, scratch->load);
    if (model->coupled) {
        atemi_mass_factor_update(model, q, &scratch->factor);
        if (!atemi_mass_factor_regular(model, &scratch->factor)) {
            return ATEMI_ERROR_SINGULAR;
        }
        atemi_mass_factor_solve(model, &scratch->factor, scratch->load);
    } else {
        atemi_bodies_turn(model, k, scratch->bodies);
        if (!atemi_articulated_factor(model, k, scratch->bodies, scratch->nodes)) {
            return ATEMI_ERROR_SINGULAR;
        }
        atemi_articulated_solve(model, scratch->nodes, scratch->load);
    }
    memcpy(a, scratch->load, (size_t)model->v_count * sizeof *a);
    return ATEMI_OK;
}
