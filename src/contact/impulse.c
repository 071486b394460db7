// SPDX-License-Identifier: Apache-2.0

#include "atemi/impulse.h"

#include "atemi/contract.h"
#include "contact/constraint_space.h"

#include <math.h>

// A p = J v' - J v, then v' = v + M^-1 G^T p. See constraint_space.c.

// How much of its velocity each row takes: all of it, and more where a point bounces along its
// normal.
static void find_rows(const atemi_model *model, const atemi_kinematics *k,
                      const atemi_contact *contacts, int count, double restitution,
                      atemi_constraint_space *space)
{
    space->row_count = atemi_contact_rows_find(model, k, true, contacts, count, space->rows);
    for (int r = 0; r < space->row_count; ++r) {
        const atemi_contact_row *row = &space->rows[r];
        const atemi_contact     *contact = &contacts[row->contact];
        const double             share = atemi_vec3_dot(row->direction, contact->normal);
        space->target[r] = -row->velocity;
        if (contact->mode != ATEMI_CONTACT_SURFACE && row->approach > 0.0) {
            space->target[r] += restitution * row->approach * share;
        }
    }
}

atemi_collision_modes_scratch
atemi_collision_modes_scratch_take(atemi_arena *arena, const atemi_model *model, int max_contacts)
{
    atemi_collision_modes_scratch s;
    s.kinematics = atemi_kinematics_take(arena, model);
    s.factor = atemi_mass_factor_take(arena, model);
    s.space = atemi_constraint_space_take(arena, model, max_contacts);
    return s;
}

atemi_status atemi_collision_modes_in(const atemi_model *model, const double *q, const double *v,
                                      const atemi_contact *contacts, int count, double restitution,
                                      atemi_collision_modes_scratch *scratch, double *after,
                                      atemi_force *impulses, atemi_contact_report *report)
{
    ATEMI_REQUIRE_OR(model && scratch && q && v && after, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count >= 0 && count <= scratch->space.max_contacts, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count == 0 || (contacts && impulses), ATEMI_ERROR_CONTRACT);

    atemi_kinematics    *k = &scratch->kinematics;
    atemi_contact_report own, *told = report ? report : &own;
    atemi_kinematics_update(model, q, v, NULL, k);
    find_rows(model, k, contacts, count, restitution, &scratch->space);
    atemi_mass_factor_at(model, k, &scratch->factor);
    if (!atemi_mass_factor_regular(model, &scratch->factor)) {
        *told = (atemi_contact_report){.condition = (double)INFINITY, .jamming = 1.0};
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_constraint_space_project(model, k, &scratch->factor, NULL, &scratch->space, told);
    const atemi_status status = atemi_constraint_space_solve(&scratch->space, told);
    if (status) {
        return status;
    }
    atemi_constraint_space_respond(model, &scratch->space, &scratch->factor);
    for (int i = 0; i < model->v_count; ++i) {
        after[i] = v[i] + scratch->factor.work[i];
    }
    if (count) {
        atemi_contact_rows_collect(scratch->space.rows, scratch->space.row_count,
                                   scratch->space.target, count, impulses);
    }
    return ATEMI_OK;
}
