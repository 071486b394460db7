// SPDX-License-Identifier: Apache-2.0

/// @file
/// Bodies of the textbooks, as models: a box, a ball, a rod, a cart with a pendulum.

#pragma once

#include "atemi/model.h"
#include "atemi/simulation.h"

/// A single link, with its centre of mass at its origin.
typedef struct body {
    double     mass;
    atemi_vec3 inertia; ///< about the axes of the link
    atemi_base base;    ///< floating, unless changed
    double     gravity; ///< downwards; 9.81, unless changed
} body;

body body_box(double mass, atemi_vec3 size);

/// k is 2/5 for a sphere, 2/3 for a hollow one, 1/2 for a disc and 1 for a hoop about its axis.
body body_ball(double mass, double radius, double k);

/// Slender, along z, about which it has no inertia: not for a floating base.
body body_rod(double mass, double length);

/// To be destroyed.
atemi_model *body_model(const body *b);

/// The box that most tests take: 0.4 x 0.2 x 0.1 m, 2 kg.
extern const atemi_vec3 brick_size;
extern const double     brick_mass;

atemi_model *brick_model(void);

/// Corner 0 to 7 of a box; 0 to 3 are at its bottom.
atemi_vec3 box_corner(atemi_vec3 size, int index);

/// A point of link 0 whose static and kinetic friction are the same.
atemi_simulation_point rough_point(atemi_vec3 point, double friction);

/// The bottom of a box.
void rough_bottom(atemi_vec3 size, double friction, atemi_simulation_point bottom[4]);

/// A pendulum that swings about the y axis below a cart, at the cart's origin.
typedef struct cart {
    double cart_mass, bob_mass;
    double arm;         ///< of the bob's centre of mass
    double bob_inertia; ///< about it
} cart;

/// Link `cart` on a rail along x: q = place, angle. Otherwise free: q = pose, angle.
atemi_model *cart_model(const cart *c, bool on_rail);

/// An arm on a hinge about the y axis that hangs down at q = 0, or a mass on a rail along z.
typedef struct hinge {
    bool         slides;  ///< on a rail
    double       mass;    ///< kg
    double       arm;     ///< m, to the centre of mass
    double       inertia; ///< about it, kg m^2
    double       gravity; ///< downwards
    double       damping, friction;
    atemi_limits limits;
} hinge;

atemi_model *hinge_model(const hinge *h);
