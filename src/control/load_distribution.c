// SPDX-License-Identifier: Apache-2.0

#include "control/load_distribution.h"

#include "atemi/coordination.h"
#include "control/coordination_options.h"
#include "math/rows.h"

// Held by its base alone, a robot takes the torques t. Links that are held besides, with
// Jacobians J where the base rests, may bear forces and moments f, any of them:
//
//   t' = t - J^T f      holds it as well: whatever moves, J u = 0, takes the same power, u . t'
//
// Of all f the one counts that strains the joints least, with E their effort limits, W the weight:
//
//   minimize  sum (t'_i / E_i)^2 + e^2 |f / W|^2,   e = 0.1
//   (R R^T + e^2 / W^2) f = R (t / E),   R = J / E
//
// So a joint at its limit costs what ten weights do (moments: at a lever of a metre). Without e,
// stretched legs would bear against each other whatever relieves a knee a little.

static const double force_cost = 0.1;        // e
static const double standard_gravity = 9.81; // m/s^2: in orbit forces cost the same

atemi_load_distribution atemi_load_distribution_take(atemi_arena *arena, const atemi_model *model,
                                                     int max_links)
{
    atemi_load_distribution loads = {.max_links = max_links};
    loads.first_v = atemi_base_v_count(atemi_model_base(model));
    loads.joint_count = atemi_model_v_count(model) - loads.first_v;
    const size_t rows = 6 * (size_t)max_links, n = (size_t)loads.joint_count;
    loads.jacobian = atemi_arena_array(arena, double, 6 * (n + (size_t)loads.first_v));
    loads.scaled = atemi_arena_array(arena, double, rows *n);
    loads.limits = atemi_arena_array(arena, double, n);
    loads.factor = atemi_arena_array(arena, double, rows *rows);
    loads.forces = atemi_arena_array(arena, double, rows);
    return loads;
}

void atemi_load_distribution_start(const atemi_model *model, atemi_load_distribution *loads)
{
    for (int i = 0; i < loads->joint_count; ++i) {
        loads->limits[i] = atemi_joint_rating_of(model, i).effort;
    }
}

static void add_link(const atemi_model *model, int link, const atemi_base_frame_scratch *scratch,
                     atemi_load_distribution *l)
{
    const atemi_vec3 origin = {0};
    const int        n = l->first_v + l->joint_count;
    atemi_base_frame_jacobian(model, link, origin, scratch, l->jacobian);
    for (int r = 0; r < 6; ++r) {
        double *row = row_of(l->scaled, l->joint_count, l->rows++);
        for (int i = 0; i < l->joint_count; ++i) {
            row[i] = l->jacobian[r * n + l->first_v + i] / l->limits[i];
        }
    }
}

void atemi_load_distribution_place(const atemi_model *model, const atemi_base_frame *base,
                                   const atemi_base_frame_scratch *scratch, const bool *held,
                                   atemi_load_distribution *loads)
{
    atemi_load_distribution *l = loads;
    const double             cost = force_cost / (standard_gravity * atemi_model_mass(model));
    l->rows = 0;
    for (int i = 0; i < atemi_model_link_count(model) && l->rows < 6 * l->max_links; ++i) {
        if (held[i] && i != base->link) {
            add_link(model, i, scratch, l);
        }
    }
    for (int r = 0; r < l->rows; ++r) {
        for (int s = 0; s < l->rows; ++s) {
            row_of(l->factor, l->rows, r)[s] =
                row_dot(l->joint_count, row_of(l->scaled, l->joint_count, r),
                        row_of(l->scaled, l->joint_count, s)) +
                (r == s ? cost * cost : 0.0);
        }
    }
    l->rows = atemi_cholesky_factor(l->rows, l->factor, l->rows) ? l->rows : 0;
}

void atemi_load_distribution_apply(atemi_load_distribution *loads, double *torques)
{
    const atemi_load_distribution *l = loads;
    for (int i = 0; i < l->joint_count; ++i) {
        torques[i] /= l->limits[i];
    }
    for (int r = 0; r < l->rows; ++r) {
        l->forces[r] = row_dot(l->joint_count, row_of(l->scaled, l->joint_count, r), torques);
    }
    atemi_cholesky_solve(l->rows, l->factor, l->rows, l->forces);
    for (int i = 0; i < l->joint_count; ++i) {
        double borne = 0.0;
        for (int r = 0; r < l->rows; ++r) {
            borne += row_of(l->scaled, l->joint_count, r)[i] * l->forces[r];
        }
        torques[i] = (torques[i] - borne) * l->limits[i];
    }
}
