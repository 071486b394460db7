// SPDX-License-Identifier: Apache-2.0

#include "walk/walk_books.h"

#include <math.h>

// From the start on, events included (atemi/simulation.h, the ledger):
//
//   E - E_0 = work of the drives, of the joints' friction, under sliding feet, of pushes, of
//   collisions p - p_0 = impulse of the floor and of pushes + m g t
//
// The work of those drives only that push has corners where they turn round, and is summed over
// ticks by the trapezoidal rule.

static const double carrying = 0.1; // part of the weight, on a foot whose use of friction counts

void atemi_walk_books_take(atemi_arena *arena, const atemi_model *model, atemi_walk_books *books)
{
    const int rates = atemi_model_v_count(model);
    books->model = model;
    books->kinematics = atemi_kinematics_take(arena, model);
    books->damping = atemi_arena_array(arena, double, rates);
    books->efforts = atemi_arena_array(arena, double, rates);
}

// ---- Looking --------------------------------------------------------------------------------

static atemi_walk_stock stock_now(atemi_walk_books *b, const atemi_simulation *s)
{
    atemi_kinematics_update(b->model, atemi_simulation_q(s), atemi_simulation_v(s), NULL,
                            &b->kinematics);
    const atemi_vec3 momentum = atemi_momentum_in(b->model, &b->kinematics).linear;
    return (atemi_walk_stock){
        .time = atemi_simulation_time(s),
        .energy = atemi_kinetic_energy_in(b->model, &b->kinematics) +
                  atemi_potential_energy_in(b->model, &b->kinematics),
        .momentum_x = momentum.x,
        .momentum_z = momentum.z,
    };
}

static void look_at_drives(atemi_walk_books *b, const atemi_simulation *s)
{
    const double *v = atemi_simulation_v(s), *tau = atemi_simulation_tau(s);
    b->pushing_power = 0.0;
    for (int i = 0; i < atemi_model_v_count(b->model); ++i) {
        b->pushing_power += fmax(tau[i] * v[i], 0.0);
        if (isfinite(b->efforts[i]) && b->efforts[i] > 0.0) {
            b->most_torque = fmax(b->most_torque, fabs(tau[i]) / b->efforts[i]);
        }
    }
}

static double weight_of(const atemi_walk_books *b)
{
    return atemi_model_mass(b->model) * atemi_vec3_norm(atemi_model_gravity(b->model));
}

static void look_at_friction(atemi_walk_books *b, const atemi_simulation *s)
{
    for (int i = 0; i < ATEMI_WALKING_POINTS; i += ATEMI_FOOT_POINTS) {
        const atemi_vec3 push =
            atemi_vec3_add(atemi_simulation_force(s, i), atemi_simulation_force(s, i + 1));
        if (push.z > carrying * weight_of(b)) {
            b->most_friction = fmax(b->most_friction, fabs(push.x) / push.z);
        }
    }
}

// ---- Keeping --------------------------------------------------------------------------------

void atemi_walk_books_open(atemi_walk_books *books, const atemi_simulation *simulation)
{
    books->positive_work = books->most_friction = books->most_torque = 0.0;
    books->first = stock_now(books, simulation);
    books->last_time = books->first.time;
    look_at_drives(books, simulation);
    look_at_friction(books, simulation);
}

void atemi_walk_books_keep(atemi_walk_books *books, const atemi_simulation *simulation)
{
    const double before = books->pushing_power, time = atemi_simulation_time(simulation);
    look_at_drives(books, simulation);
    look_at_friction(books, simulation);
    books->positive_work += 0.5 * (time - books->last_time) * (before + books->pushing_power);
    books->last_time = time;
}

// ---- Closing --------------------------------------------------------------------------------

static double ratio(double missed, double turned)
{
    return turned > 0.0 ? missed / turned : 0.0;
}

static double energy_error(double change, const atemi_simulation_ledger *l)
{
    const double parts[] = {l->torque_work, l->friction_work, l->contact_work, l->external_work,
                            l->collision_work};
    double       missed = change, turned = 0.0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        missed -= parts[i];
        turned += fabs(parts[i]);
    }
    return ratio(fabs(missed), turned);
}

static double momentum_error(const atemi_walk_books *b, const atemi_walk_stock *now,
                             const atemi_simulation_ledger *l)
{
    const double     time = now->time - b->first.time;
    const atemi_vec3 fall =
        atemi_vec3_scale(time * atemi_model_mass(b->model), atemi_model_gravity(b->model));
    const atemi_vec3 acted = atemi_vec3_add(l->impulse, l->external_impulse);
    const double     x = now->momentum_x - b->first.momentum_x - acted.x - fall.x;
    const double     z = now->momentum_z - b->first.momentum_z - acted.z - fall.z;
    return ratio(hypot(x, z), atemi_vec3_norm(l->impulse) + atemi_vec3_norm(l->external_impulse) +
                                  atemi_vec3_norm(fall));
}

atemi_walk_errors atemi_walk_books_close(atemi_walk_books       *books,
                                         const atemi_simulation *simulation)
{
    const atemi_simulation_ledger ledger = atemi_simulation_ledger_get(simulation);
    const atemi_walk_stock        now = stock_now(books, simulation);
    return (atemi_walk_errors){.momentum = momentum_error(books, &now, &ledger),
                               .energy = energy_error(now.energy - books->first.energy, &ledger)};
}
