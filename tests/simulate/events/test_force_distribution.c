// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/force_distribution.h"

#include "brick_rig.h"
#include "check.h"

// Distributes a force at the centre of the brick's lower side.
static void distribute(trial *t, atemi_force force)
{
    const double        v[6] = {0};
    const atemi_contact whole = {.mode = ATEMI_CONTACT_SURFACE};
    const int           first = 0;
    brick_begin(t, 0.5, 0.0, v);
    atemi_force_distribution_find(&t->simulation->set, &whole, &first, &force, 1);
}

// Force and moment of the points' forces are those of the contact, and within the edges none pulls.
TEST(force_distribution, has_the_force_and_moment_of_its_contact)
{
    trial             t;
    const atemi_force force = {.linear = {1.0, -2.0, 30.0}, .angular = {0.5, -1.0, 0.2}};
    atemi_vec3        sum = {0}, moment = {0};
    distribute(&t, force);
    for (int i = 0; i < 4; ++i) {
        const atemi_vec3 f = t.simulation->set.forces[i];
        const atemi_vec3 at = t.simulation->set.states[i].position;
        CHECK(f.z > 0.0);
        sum = atemi_vec3_add(sum, f);
        moment = atemi_vec3_add(moment, atemi_vec3_cross(at, f));
    }
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(sum, force.linear)), 0.0, 1e-13);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(moment, force.angular)), 0.0, 1e-13);
    trial_end(&t);
}

// Pressed beyond where four least forces would all push, towards a corner, but not outside of the
// other three: the fourth carries nothing.
TEST(force_distribution, lets_a_point_that_would_pull_carry_nothing)
{
    trial        t;
    const double f = 10.0, part = 0.3; // of the way to a corner's two edges
    distribute(&t,
               (atemi_force){.linear = {0.0, 0.0, f},
                             .angular = {part * f * brick_size.y, -part * f * brick_size.x, 0.0}});
    int    idle = 0;
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        idle += t.simulation->set.forces[i].z == 0.0;
        CHECK(t.simulation->set.forces[i].z >= 0.0);
        sum += t.simulation->set.forces[i].z;
    }
    CHECK_EQUAL_INT(idle, 1);
    CHECK_NEAR(sum, f, 1e-13);
    trial_end(&t);
}
