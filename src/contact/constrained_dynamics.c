// SPDX-License-Identifier: Apache-2.0

#include "contact/constrained_dynamics.h"

#include "atemi/contract.h"
#include "contact/constraint_space.h"
#include "dynamics/newton_euler.h"

#include <math.h>
#include <string.h>

// A f = target - J M^-1 (tau - h), then a = M^-1 (tau - h + G^T f). See constraint_space.c.

static void find_rows(const atemi_model *model, const atemi_kinematics *k, bool moving,
                      const atemi_contact *contacts, int count, atemi_constraint_space *space)
{
    space->row_count = atemi_contact_rows_find(model, k, moving, contacts, count, space->rows);
    for (int r = 0; r < space->row_count; ++r) {
        space->target[r] = space->rows[r].target;
    }
}

atemi_constrained_dynamics_scratch
atemi_constrained_dynamics_scratch_take_rows(atemi_arena *arena, const atemi_model *model,
                                             int max_contacts, int max_rows)
{
    atemi_constrained_dynamics_scratch s;
    s.bias = atemi_inverse_dynamics_scratch_take(arena, model);
    s.factor = atemi_mass_factor_take(arena, model);
    s.space = atemi_constraint_space_take_rows(arena, model, max_contacts, max_rows);
    s.load = atemi_arena_array(arena, double, model->v_count);
    return s;
}

atemi_constrained_dynamics_scratch atemi_constrained_dynamics_scratch_take(atemi_arena       *arena,
                                                                           const atemi_model *model,
                                                                           int max_contacts)
{
    ATEMI_REQUIRE_OR(max_contacts >= 0 && max_contacts <= ATEMI_CONTACT_MAX_COUNT,
                     (atemi_constrained_dynamics_scratch){0});
    return atemi_constrained_dynamics_scratch_take_rows(arena, model, max_contacts,
                                                        ATEMI_CONTACT_MAX_ROWS * max_contacts);
}

atemi_status atemi_constrained_dynamics_load(const atemi_model *model, bool moving,
                                             const double *tau, const atemi_force *external,
                                             atemi_constrained_dynamics_scratch *scratch)
{
    double *load = scratch->load;
    atemi_newton_euler_at(model, moving, NULL, model->gravity, external, &scratch->bias, load);
    for (int i = 0; i < model->v_count; ++i) {
        load[i] = (tau ? tau[i] : 0.0) - load[i];
    }
    atemi_mass_factor_at(model, &scratch->bias.kinematics, &scratch->factor);
    return atemi_mass_factor_regular(model, &scratch->factor) ? ATEMI_OK : ATEMI_ERROR_SINGULAR;
}

atemi_status atemi_constrained_dynamics_answer(const atemi_model *model, bool moving,
                                               const atemi_contact *contacts, int count,
                                               atemi_constrained_dynamics_scratch *scratch,
                                               double *a, atemi_force *forces,
                                               atemi_contact_report *report)
{
    const atemi_kinematics *k = &scratch->bias.kinematics;
    atemi_constraint_space *space = &scratch->space;
    find_rows(model, k, moving, contacts, count, space);
    atemi_constraint_space_project(model, k, &scratch->factor, scratch->load, space, report);
    const atemi_status status = atemi_constraint_space_solve(space, report);
    if (status) {
        return status;
    }
    atemi_constraint_space_respond(model, space, &scratch->factor);
    memcpy(a, scratch->factor.work, (size_t)model->v_count * sizeof *a);
    if (count) {
        atemi_contact_rows_collect(space->rows, space->row_count, space->target, count, forces);
    }
    return ATEMI_OK;
}

atemi_status atemi_constrained_dynamics_in(const atemi_model *model, const double *q,
                                           const double *v, const double *tau,
                                           const atemi_force   *external,
                                           const atemi_contact *contacts, int count,
                                           atemi_constrained_dynamics_scratch *scratch, double *a,
                                           atemi_force *forces, atemi_contact_report *report)
{
    ATEMI_REQUIRE_OR(model && scratch && q && a, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count >= 0 && count <= scratch->space.max_contacts, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count == 0 || (contacts && forces), ATEMI_ERROR_CONTRACT);

    atemi_contact_report own;
    report = report ? report : &own;
    atemi_kinematics_update(model, q, v, NULL, &scratch->bias.kinematics);
    if (atemi_constrained_dynamics_load(model, v != NULL, tau, external, scratch)) {
        *report = (atemi_contact_report){.condition = (double)INFINITY, .jamming = 1.0};
        return ATEMI_ERROR_SINGULAR;
    }
    return atemi_constrained_dynamics_answer(model, v != NULL, contacts, count, scratch, a, forces,
                                             report);
}

void atemi_contact_forces_add_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                 const atemi_contact *contacts, const atemi_force *forces,
                                 int count, atemi_force *external)
{
    ATEMI_REQUIRE(model && kinematics && external && (count == 0 || (contacts && forces)));
    for (int i = 0; i < count; ++i) {
        const int             link = contacts[i].link;
        const atemi_transform pose = atemi_link_pose_in(model, kinematics, link);
        const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, contacts[i].point);
        const atemi_force     moved = atemi_force_at(forces[i], atemi_vec3_scale(-1.0, arm));
        external[link] = atemi_force_add(external[link], moved);
    }
}
