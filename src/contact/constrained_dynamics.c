// SPDX-License-Identifier: Apache-2.0

#include "contact/constrained_dynamics.h"

#include "atemi/base.h"
#include "contact/data_contact.h"
#include "contact/loop_rows.h"
#include "dynamics/newton_euler.h"

#include <string.h>

// A f = target - J M^-1 (tau - h), then a = M^-1 (tau - h + G^T f). See constraint_space.c.

// What the equation is about, wherever it lies.
typedef struct system {
    atemi_inverse_dynamics_scratch *bias;
    atemi_mass_factor              *factor;
    atemi_constraint_space         *space;
    double                         *load;
} system;

static system system_of(atemi_constrained_dynamics_scratch *scratch)
{
    return (system){&scratch->bias, &scratch->factor, &scratch->space, scratch->load};
}

// What is held is to have no acceleration.
static void find_rows(const atemi_model *model, const atemi_kinematics *k, bool moving,
                      const atemi_contact_set *set, atemi_constraint_space *space)
{
    const int of_contacts =
        atemi_contact_rows_find(model, k, moving, set->contacts, set->count, space->rows);
    space->row_count = of_contacts + atemi_joint_rows_find(set->holds, set->hold_count, NULL,
                                                           space->rows + of_contacts);
    for (int i = 0; i < set->hold_count; ++i) {
        space->rows[of_contacts + i].preferred = set->holds[i].preferred;
    }
    space->row_count += atemi_loop_rows_find(model, k, moving, set->loops, set->loop_count,
                                             space->rows + space->row_count);
    for (int r = 0; r < space->row_count; ++r) {
        space->target[r] = space->rows[r].target;
    }
}

static void find_load(const atemi_model *model, bool moving, const double *tau,
                      const atemi_force *external, const system *s)
{
    atemi_newton_euler_at(model, moving, NULL, model->gravity, external, s->bias, s->load);
    for (int i = 0; i < model->v_count; ++i) {
        s->load[i] = (tau ? tau[i] : 0.0) - s->load[i];
    }
}

static atemi_status load(const atemi_model *model, bool moving, const double *tau,
                         const atemi_force *external, const system *s)
{
    find_load(model, moving, tau, external, s);
    atemi_mass_factor_at(model, &s->bias->kinematics, s->factor);
    return atemi_mass_factor_regular(model, s->factor) ? ATEMI_OK : ATEMI_ERROR_SINGULAR;
}

static atemi_status answer(const atemi_model *model, bool moving, const atemi_contact_set *set,
                           const system *s, double *a, atemi_force *forces,
                           atemi_contact_report *report)
{
    const atemi_kinematics *k = &s->bias->kinematics;
    find_rows(model, k, moving, set, s->space);
    atemi_constraint_space_project(model, k, s->factor, s->load, s->space, report);
    const atemi_status status = atemi_constraint_space_solve(s->space, report);
    if (status) {
        return status;
    }
    atemi_constraint_space_respond(model, s->space, s->factor);
    memcpy(a, s->factor->work, (size_t)model->v_count * sizeof *a);
    if (set->count) {
        atemi_contact_rows_collect(s->space->rows, s->space->row_count, s->space->target,
                                   set->count, forces);
    }
    const int first_of_loops =
        s->space->row_count - atemi_loop_rows_count(set->loops, set->loop_count);
    const double *of_holds = s->space->target + first_of_loops - set->hold_count;
    if (set->loop_forces) {
        atemi_loop_rows_collect(s->space->rows + first_of_loops, s->space->target + first_of_loops,
                                set->loops, set->loop_count, set->loop_forces);
    }
    for (int i = 0; i < set->hold_count; ++i) {
        set->holds[i].force = of_holds[i];
    }
    return ATEMI_OK;
}

// ---- In the caller's memory -----------------------------------------------------------------

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

atemi_status atemi_constrained_dynamics_load(const atemi_model *model, bool moving,
                                             const double *tau, const atemi_force *external,
                                             atemi_constrained_dynamics_scratch *scratch)
{
    const system s = system_of(scratch);
    return load(model, moving, tau, external, &s);
}

atemi_status atemi_constrained_dynamics_load_damped(const atemi_model *model, const double *tau,
                                                    const atemi_force *external, double ahead,
                                                    const double                       *damping,
                                                    atemi_constrained_dynamics_scratch *scratch)
{
    const system s = system_of(scratch);
    find_load(model, true, tau, external, &s);
    atemi_mass_factor_fill(model, &s.bias->kinematics, s.factor);
    for (int i = 0; i < model->v_count; ++i) {
        *atemi_mass_factor_diagonal(model, s.factor, i) += ahead * damping[i];
    }
    atemi_mass_factor_eliminate(model, s.factor);
    return atemi_mass_factor_regular(model, s.factor) ? ATEMI_OK : ATEMI_ERROR_SINGULAR;
}

atemi_status atemi_constrained_dynamics_answer(const atemi_model *model, bool moving,
                                               const atemi_contact_set            *set,
                                               atemi_constrained_dynamics_scratch *scratch,
                                               double *a, atemi_force *forces,
                                               atemi_contact_report *report)
{
    const system s = system_of(scratch);
    return answer(model, moving, set, &s, a, forces, report);
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

    const system            s = system_of(scratch);
    const atemi_contact_set set = {.contacts = contacts, .count = count};
    atemi_contact_report    own;
    report = report ? report : &own;
    atemi_kinematics_update(model, q, v, NULL, &scratch->bias.kinematics);
    if (load(model, v != NULL, tau, external, &s)) {
        *report = atemi_contact_report_singular();
        return ATEMI_ERROR_SINGULAR;
    }
    return answer(model, v != NULL, &set, &s, a, forces, report);
}

void atemi_contact_forces_add_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                 const atemi_contact *contacts, const atemi_force *forces,
                                 int count, atemi_force *external)
{
    ATEMI_REQUIRE(model && kinematics && external && (count == 0 || (contacts && forces)));
    for (int i = 0; i < count; ++i) {
        const int             link = contacts[i].link, other = contacts[i].other;
        const atemi_transform pose = atemi_link_pose_in(model, kinematics, link);
        const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, contacts[i].point);
        const atemi_force     moved = atemi_force_at(forces[i], atemi_vec3_scale(-1.0, arm));
        external[link] = atemi_force_add(external[link], moved);
        if (contacts[i].carried) {
            const atemi_vec3  origin = atemi_link_pose_in(model, kinematics, other).position;
            const atemi_vec3  back = atemi_vec3_sub(origin, atemi_vec3_add(pose.position, arm));
            const atemi_force opposite = {atemi_vec3_scale(-1.0, forces[i].linear),
                                          atemi_vec3_scale(-1.0, forces[i].angular)};
            external[other] = atemi_force_add(external[other], atemi_force_at(opposite, back));
        }
    }
}

// ---- In a data ------------------------------------------------------------------------------

atemi_status atemi_constrained_dynamics_at(atemi_data *data, const double *tau,
                                           const atemi_force       *external,
                                           const atemi_contact_set *set, double *a,
                                           atemi_force *forces, atemi_contact_report *report)
{
    ATEMI_REQUIRE_OR(data && data->posed && a, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(atemi_contact_set_fits(data, set, forces), ATEMI_ERROR_CONTRACT);
    const atemi_contact_set none = {0}, *of = set ? set : &none;
    const system s = {&data->inverse, &data->factor, &data->contact->collision.space, data->load};
    atemi_contact_report own, *found = report ? report : &own;

    data->accelerations = ATEMI_ACCELERATIONS_NONE; // those without torques
    data->loaded = false;
    data->factored = load(data->model, data->moving, tau, external, &s) == ATEMI_OK;
    if (!data->factored) {
        *found = atemi_contact_report_singular();
        return ATEMI_ERROR_SINGULAR;
    }
    return answer(data->model, data->moving, of, &s, a, forces, found);
}

atemi_status atemi_constrained_dynamics(atemi_data *data, const double *q, const double *v,
                                        const double *tau, const atemi_force *external,
                                        const atemi_contact_set *set, double *a,
                                        atemi_force *forces, atemi_contact_report *report)
{
    ATEMI_REQUIRE_OR(data && q, ATEMI_ERROR_CONTRACT);
    atemi_data_go(data, q, v);
    return atemi_constrained_dynamics_at(data, tau, external, set, a, forces, report);
}

void atemi_contact_forces_add(const atemi_data *data, const atemi_contact_set *set,
                              const atemi_force *forces, atemi_force *external)
{
    ATEMI_REQUIRE(data && data->posed && atemi_contact_set_fits(data, set, forces));
    if (set) {
        atemi_contact_forces_add_in(data->model, atemi_data_kinematics(data), set->contacts, forces,
                                    set->count, external);
    }
    if (set && set->loop_forces) {
        atemi_loop_forces_add(data->model, atemi_data_kinematics(data), set->loops,
                              set->loop_forces, set->loop_count, external);
    }
}
