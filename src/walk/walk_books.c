// SPDX-License-Identifier: Apache-2.0

#include "walk/walk_books.h"

#include <math.h>
#include <string.h>

// Between events
//
//   E'    = tau . v - d v . v + f . v_slide + push . v      tau of the drives
//   m c'' = f + m g + push
//
// summed over a tick by the trapezoidal rule. In a bump both leap: such ticks explain nothing.

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
    const atemi_vec3 momentum = atemi_momentum(b->model, &b->kinematics).linear;
    return (atemi_walk_stock){
        .time = atemi_simulation_time(s),
        .energy = atemi_kinetic_energy(b->model, &b->kinematics) +
                  atemi_potential_energy(b->model, &b->kinematics),
        .momentum_x = momentum.x,
        .momentum_z = momentum.z,
    };
}

static void look_at_drives(atemi_walk_books *b, const atemi_simulation *s)
{
    const double *v = atemi_simulation_v(s), *tau = atemi_simulation_tau(s);
    for (int i = 0; i < atemi_model_v_count(b->model); ++i) {
        const double power = tau[i] * v[i];
        b->flows[ATEMI_FLOW_JOINTS] += power;
        b->flows[ATEMI_FLOW_POSITIVE] += fmax(power, 0.0);
        b->flows[ATEMI_FLOW_DAMPING] -= b->damping[i] * v[i] * v[i];
        if (isfinite(b->efforts[i]) && b->efforts[i] > 0.0) {
            b->most_torque = fmax(b->most_torque, fabs(tau[i]) / b->efforts[i]);
        }
    }
}

static double slide_speed(const atemi_walk_books *b, const atemi_simulation *s, int point)
{
    const int             link = b->links[point];
    const atemi_motion    v = atemi_link_velocity(b->model, &b->kinematics, link);
    const atemi_transform pose = atemi_link_pose(b->model, &b->kinematics, link);
    const atemi_vec3      place = atemi_simulation_position(s, point);
    return atemi_motion_at(v, atemi_vec3_sub(place, pose.position)).linear.x;
}

static void look_at_floor(atemi_walk_books *b, const atemi_simulation *s)
{
    for (int i = 0; i < ATEMI_WALKING_POINTS; ++i) {
        const atemi_vec3 force = atemi_simulation_force(s, i);
        b->flows[ATEMI_FLOW_X] += force.x;
        b->flows[ATEMI_FLOW_Z] += force.z;
        if (atemi_simulation_mode(s, i) == ATEMI_CONTACT_SLIP) {
            b->flows[ATEMI_FLOW_FRICTION] += force.x * slide_speed(b, s, i);
        }
    }
}

static void look_at_friction(atemi_walk_books *b, const atemi_simulation *s)
{
    const double weight =
        atemi_model_mass(b->model) * atemi_vec3_norm(atemi_model_gravity(b->model));
    for (int i = 0; i < ATEMI_WALKING_POINTS; i += ATEMI_FOOT_POINTS) {
        const atemi_vec3 push =
            atemi_vec3_add(atemi_simulation_force(s, i), atemi_simulation_force(s, i + 1));
        if (push.z > carrying * weight) {
            b->most_friction = fmax(b->most_friction, fabs(push.x) / push.z);
        }
    }
}

static void look_at_pushes(atemi_walk_books *b, const atemi_force *pushes)
{
    for (int link = 0; link < atemi_model_link_count(b->model); ++link) {
        const atemi_motion v = atemi_link_velocity(b->model, &b->kinematics, link);
        b->flows[ATEMI_FLOW_PUSHES] += atemi_motion_power(v, pushes[link]);
        b->flows[ATEMI_FLOW_X] += pushes[link].linear.x;
        b->flows[ATEMI_FLOW_Z] += pushes[link].linear.z;
    }
}

static void look(atemi_walk_books *b, const atemi_simulation *s, const atemi_force *pushes)
{
    const double     mass = atemi_model_mass(b->model);
    const atemi_vec3 g = atemi_model_gravity(b->model);
    b->stock = stock_now(b, s);
    memset(b->flows, 0, sizeof b->flows);
    b->flows[ATEMI_FLOW_X] = mass * g.x;
    b->flows[ATEMI_FLOW_Z] = mass * g.z;
    look_at_drives(b, s);
    look_at_floor(b, s);
    look_at_friction(b, s);
    look_at_pushes(b, pushes);
}

// ---- Keeping --------------------------------------------------------------------------------

// What changed in a quiet tick without a flow that explains it.
static void compare(atemi_walk_books *b, const atemi_walk_stock *before, const double *tick)
{
    const double work = tick[ATEMI_FLOW_JOINTS] + tick[ATEMI_FLOW_DAMPING] +
                        tick[ATEMI_FLOW_FRICTION] + tick[ATEMI_FLOW_PUSHES];
    b->energy_turned += fabs(tick[ATEMI_FLOW_JOINTS]) + fabs(tick[ATEMI_FLOW_DAMPING]) +
                        fabs(tick[ATEMI_FLOW_FRICTION]) + fabs(tick[ATEMI_FLOW_PUSHES]);
    b->energy_missed += b->stock.energy - before->energy - work;
    b->impulse_turned += fabs(tick[ATEMI_FLOW_X]) + fabs(tick[ATEMI_FLOW_Z]);
    b->impulse_missed_x += b->stock.momentum_x - before->momentum_x - tick[ATEMI_FLOW_X];
    b->impulse_missed_z += b->stock.momentum_z - before->momentum_z - tick[ATEMI_FLOW_Z];
}

void atemi_walk_books_open(atemi_walk_books *books, const atemi_simulation *simulation,
                           const int *links, const atemi_force *pushes)
{
    const atemi_walk_books blank = {.model = books->model,
                                    .kinematics = books->kinematics,
                                    .damping = books->damping,
                                    .efforts = books->efforts};
    *books = blank;
    memcpy(books->links, links, sizeof books->links);
    look(books, simulation, pushes);
}

void atemi_walk_books_keep(atemi_walk_books *books, const atemi_simulation *simulation,
                           const atemi_force *pushes, bool quiet)
{
    const atemi_walk_stock before = books->stock;
    double                 tick[ATEMI_FLOWS];
    memcpy(tick, books->flows, sizeof tick);
    look(books, simulation, pushes);
    const double dt = books->stock.time - before.time;
    for (int i = 0; i < ATEMI_FLOWS; ++i) {
        tick[i] = 0.5 * dt * (tick[i] + books->flows[i]);
        books->sums[i] += tick[i];
    }
    if (quiet) {
        compare(books, &before, tick);
    }
}
