// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/contact.h"
#include "contact/data_contact.h"
#include "contact/loop_rows.h"

// A p = J v' - J v, then v' = v + M^-1 G^T p. See constraint_space.c.

// How much of its velocity each row takes: all of it, and more where a point bounces along its
// normal.
static void find_rows(const atemi_model *model, const atemi_kinematics *k,
                      const atemi_contact_set *set, double restitution,
                      atemi_constraint_space *space)
{
    space->row_count =
        atemi_contact_rows_find(model, k, true, set->contacts, set->count, space->rows);
    for (int r = 0; r < space->row_count; ++r) {
        const atemi_contact_row *row = &space->rows[r];
        const atemi_contact     *contact = &set->contacts[row->contact];
        const double bounce = set->restitution ? set->restitution[row->contact] : restitution;
        const double fraction = atemi_vec3_dot(row->direction, contact->normal);
        space->target[r] = -row->velocity;
        if (contact->mode != ATEMI_CONTACT_SURFACE && row->approach > 0.0) {
            space->target[r] += bounce * row->approach * fraction;
        }
    }
    const int of_contacts = space->row_count;
    space->row_count += atemi_loop_rows_find(model, k, true, set->loops, set->loop_count,
                                             space->rows + of_contacts);
    for (int r = of_contacts; r < space->row_count; ++r) {
        space->target[r] = -space->rows[r].velocity;
    }
}

atemi_status atemi_collision_modes_at(const atemi_model *model, const atemi_kinematics *k,
                                      atemi_mass_factor *factor, const double *v,
                                      const atemi_contact_set *set, double restitution,
                                      atemi_constraint_space *space, double *after,
                                      atemi_force *impulses, atemi_contact_report *report)
{
    find_rows(model, k, set, restitution, space);
    atemi_mass_factor_at(model, k, factor);
    if (!atemi_mass_factor_regular(model, factor)) {
        *report = atemi_contact_report_singular();
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_constraint_space_project(model, k, factor, NULL, space, report);
    const atemi_status status = atemi_constraint_space_solve(space, report);
    if (status) {
        return status;
    }
    atemi_constraint_space_respond(model, space, factor);
    for (int i = 0; i < model->v_count; ++i) {
        after[i] = v[i] + factor->work[i];
    }
    if (set->count) {
        atemi_contact_rows_collect(space->rows, space->row_count, space->target, set->count,
                                   impulses);
    }
    const int of_loops = atemi_loop_rows_count(set->loops, set->loop_count);
    const int first = space->row_count - of_loops;
    if (set->loop_forces) {
        atemi_loop_rows_collect(space->rows + first, space->target + first, set->loops,
                                set->loop_count, set->loop_forces);
    }
    return ATEMI_OK;
}

atemi_status atemi_collision_in_modes(atemi_data *data, const double *q, const double *v,
                                      const atemi_contact_set *set, double *after,
                                      atemi_force *impulses, atemi_contact_report *report)
{
    ATEMI_REQUIRE_OR(data && q && v && set && after, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(atemi_contact_set_fits(data, set, impulses), ATEMI_ERROR_CONTRACT);

    atemi_contact_report own, *found = report ? report : &own;
    atemi_data_go(data, q, v);
    const atemi_status status =
        atemi_collision_modes_at(data->model, atemi_data_kinematics(data), &data->factor, v, set,
                                 0.0, &data->contact->collision.space, after, impulses, found);
    data->factored = found->rows > 0 || status == ATEMI_OK;
    return status;
}
