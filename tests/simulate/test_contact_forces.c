// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "pile.h"

#include <math.h>

static const double g = 9.81;

// Two boxes on each other at rest: on each the contacts bear its weight, and what they have of the
// moment about its middle is none. The lower one is pressed from above by the upper one's weight.
// Forces at rest are found to 1e-6 of the weight, positions to 1e-4 m.
TEST(contact_forces, of_a_stack_at_rest_bear_each_weight)
{
    const atemi_vec3       size = {0.2, 0.2, 0.1};
    const atemi_scene_body bodies[] = {
        pile_body("lower", 3.0, ATEMI_SHAPE_BOX, size, (atemi_vec3){0, 0, 0.05}),
        pile_body("upper", 2.0, ATEMI_SHAPE_BOX, size, (atemi_vec3){0.03, 0, 0.15})};
    const pile_setting setting = {.friction = 0.5, .step = 1e-3};
    atemi_force        forces[3];
    pile               p;
    pile_begin(&p, bodies, 2, &setting);
    pile_start(&p);
    pile_run(&p, 0.2);
    atemi_simulation_contact_forces(p.simulation, forces);
    CHECK_NEAR(forces[p.first].linear.z, 3.0 * g, 1e-3 * g);
    CHECK_NEAR(forces[p.first + 1].linear.z, 2.0 * g, 1e-3 * g);
    CHECK_NEAR(forces[p.first + 1].angular.y, 0.0, 1e-3);
    CHECK_NEAR(forces[p.first].angular.y, 0.0, 1e-3);
    CHECK_NEAR(forces[0].linear.z, 0.0, 0.0); // the floor is no link
    pile_end(&p);
}

// In flight there are none, and in space the forces of two bodies on each other cancel.
TEST(contact_forces, are_opposite_on_two_bodies_and_none_in_flight)
{
    const atemi_vec3       size = {0.1, 0.0, 0.0};
    const atemi_scene_body bodies[] = {
        pile_body("a", 1.0, ATEMI_SHAPE_SPHERE, size, (atemi_vec3){0, 0, 0}),
        pile_body("b", 1.0, ATEMI_SHAPE_SPHERE, size, (atemi_vec3){0.2005, 0, 0})};
    const pile_setting setting = {.step = 1e-3, .floats = true};
    atemi_force        forces[4];
    pile               p;
    pile_begin(&p, bodies, 2, &setting);
    p.v[0] = 1.0;
    pile_start(&p);
    atemi_simulation_contact_forces(p.simulation, forces);
    CHECK_NEAR(forces[p.first].linear.x, 0.0, 0.0);
    pile_run(&p, 1e-3); // they meet at half of this step, and go on together
    atemi_simulation_contact_forces(p.simulation, forces);
    CHECK_NEAR(forces[p.first].linear.x, -500.0, 1e-3); // half of 1 N s in 1 ms
    CHECK_NEAR(forces[p.first + 1].linear.x, 500.0, 1e-3);
    pile_end(&p);
}
