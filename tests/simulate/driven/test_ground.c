// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven/ground.h"

#include "check.h"

#include <math.h>

static const atemi_vec3 rest = {0.0, 0.0, 0.0};

static ground_point ground_of(double friction)
{
    ground_point g = {.about = {.place = {0.0, 0.0, 1.0},
                                .normal = {0.0, 0.0, 1.0},
                                .friction = friction,
                                .stiffness = 1e5,
                                .damping = 100.0}};
    atemi_ground_start(2e-4, 1e-9, &g); // on something heavy
    return g;
}

static atemi_vec3 at(double x, double y, double depth)
{
    return (atemi_vec3){x, y, 1.0 - depth};
}

TEST(ground, pushes_by_its_spring_and_its_damper_and_never_pulls)
{
    ground_point g = ground_of(0.5);
    atemi_ground_touch(&g, at(0.0, 0.0, 1e-3), rest);
    CHECK_NEAR(g.touch.force.z, 100.0, 1e-9);
    atemi_ground_touch(&g, at(0.0, 0.0, 1e-3), (atemi_vec3){0.0, 0.0, -0.5});
    CHECK_NEAR(g.touch.force.z, 150.0, 1e-9);
    atemi_ground_touch(&g, at(0.0, 0.0, 1e-3), (atemi_vec3){0.0, 0.0, 2.0});
    CHECK_NEAR(atemi_vec3_norm(g.touch.force), 0.0, 0.0);
    atemi_ground_touch(&g, at(0.0, 0.0, -1e-3), rest);
    CHECK_NEAR(atemi_vec3_norm(g.touch.force), 0.0, 0.0);
    CHECK_NEAR(g.touch.gap, 1e-3, 1e-15);
}

TEST(ground, holds_a_point_where_it_touched_as_long_as_friction_does)
{
    ground_point g = ground_of(0.5);
    atemi_ground_touch(&g, at(0.0, 0.0, 1e-3), rest);
    atemi_ground_touch(&g, at(3e-4, -4e-4, 1e-3), rest); // 0.5 mm: 50 N, all that friction has
    CHECK_NEAR(g.touch.force.x, -30.0, 1e-9);
    CHECK_NEAR(g.touch.force.y, 40.0, 1e-9);
    atemi_ground_touch(&g, at(0.0, 0.0, 1e-3), rest);
    CHECK_NEAR(g.touch.force.x, 0.0, 1e-9);
}

TEST(ground, is_taken_along_by_a_point_that_slips)
{
    ground_point g = ground_of(0.5);
    atemi_ground_touch(&g, at(0.0, 0.0, 1e-3), rest);
    atemi_ground_touch(&g, at(0.1, 0.0, 1e-3), rest);
    CHECK_NEAR(g.touch.force.x, -50.0, 1e-9);
    // The spring is as long as friction allows: half of that back, and it holds with half.
    atemi_ground_touch(&g, at(0.1 - 2.5e-4, 0.0, 1e-3), rest);
    CHECK_NEAR(g.touch.force.x, -25.0, 1e-9);
}

TEST(ground, takes_energy_from_a_point_that_slides_to_and_fro)
{
    ground_point g = ground_of(0.5);
    const double step = 1e-5;
    double       work = 0.0, x = 0.0;
    for (int k = 0; k < 40000; ++k) {
        const double next = 0.01 * sin(2e-3 * k);
        atemi_ground_touch(&g, at(x, 0.0, 1e-3), (atemi_vec3){(next - x) / step, 0.0, 0.0});
        work += g.touch.force.x * (next - x);
        x = next;
    }
    // 50 N along 40000 x 2e-3 / (2 pi) turns of 4 cm each, less what the spring keeps.
    CHECK_NEAR(work, -50.0 * 40000 * 2e-3 / 6.283185307 * 0.04, 2.0);
}

TEST(ground, forgets_where_a_point_stood_that_was_lifted)
{
    ground_point g = ground_of(0.5);
    atemi_ground_touch(&g, at(0.0, 0.0, 1e-3), rest);
    atemi_ground_touch(&g, at(2e-4, 0.0, -1e-3), rest);
    atemi_ground_touch(&g, at(2e-4, 0.0, 1e-3), rest);
    CHECK_NEAR(g.touch.force.x, 0.0, 1e-9);
}

// A point of 10 g on a ground of 1e7 N/m: a tick of 0.2 ms could follow neither it nor its damper.
TEST(ground, is_as_stiff_as_a_tick_can_follow)
{
    const double h = 2e-4, mass = 0.01;
    ground_point g = ground_of(0.5);
    g.about.stiffness = 1e7;
    g.about.damping = 1e4;
    atemi_ground_start(h, 1.0 / mass, &g);
    double z = -1e-3, v = 0.0;
    for (int k = 0; k < 20000; ++k) { // as the plant goes on
        atemi_ground_touch(&g, at(0.0, 0.0, -(z + 0.5 * h * v)), (atemi_vec3){0.0, 0.0, v});
        const double a = g.touch.force.z / mass - 9.81;
        z += 0.5 * h * v;
        v += h * a;
        z += 0.5 * h * v;
    }
    CHECK_NEAR(-z, mass * 9.81 / g.stiffness, 1e-9);
    CHECK(g.stiffness > 1e5 && g.stiffness < 1e7 && g.damping < 1e4);
}
