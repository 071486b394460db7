// SPDX-License-Identifier: Apache-2.0

#include "control/node_force.h"

#include "check.h"

#include <math.h>

enum { AXES = 6 };

typedef struct bench {
    atemi_coordination coordination;
    guided_node        node;
} bench;

// 50 Hz; forces and moments are wanted along all axes, each another one.
static bench begin(void)
{
    bench b = {0};
    b.coordination.options.period = 0.02;
    b.coordination.nodes.motion = atemi_node_motion_default();
    b.node.target.force_axes = 0x3f;
    b.node.target.force = (atemi_force){{10.0, -20.0, 30.0}, {1.0, -2.0, 3.0}};
    return b;
}

// Rates of 1e-4 m/s for a newton and 1e-3 rad/s for a newton metre, for 0.02 s.
TEST(node_force, moves_each_axis_by_what_is_missing_there)
{
    static const double pressed[AXES] = {1.0, 2.0, 3.0, 0.1, 0.2, 0.3};
    static const double missing[AXES] = {9.0, -22.0, 27.0, 0.9, -2.2, 2.7};
    bench               b = begin();
    for (int r = 0; r < AXES; ++r) {
        b.node.force[r] = pressed[r];
    }
    CHECK(atemi_node_force_advance(&b.coordination, &b.node));
    for (int r = 0; r < AXES; ++r) {
        CHECK_NEAR(b.node.offset[r], (r < 3 ? 1e-4 : 1e-3) * missing[r] * 0.02, 1e-15);
    }
}

TEST(node_force, leaves_the_other_axes_alone)
{
    bench b = begin();
    b.node.target.force_axes = ATEMI_AXIS_Y | ATEMI_AXIS_ANGULAR_Z;
    CHECK(atemi_node_force_advance(&b.coordination, &b.node));
    for (int r = 0; r < AXES; ++r) {
        CHECK((b.node.offset[r] != 0.0) == (r == 1 || r == 5));
    }
}

// No faster than 0.05 m/s, for no more than 0.1 m: 100 steps.
TEST(node_force, goes_no_faster_and_no_farther_than_it_may)
{
    bench b = begin();
    b.node.target.force_axes = ATEMI_AXIS_X;
    b.node.target.force.linear.x = 1e6;
    for (int k = 1; k < 100; ++k) {
        CHECK(atemi_node_force_advance(&b.coordination, &b.node));
        CHECK_NEAR(b.node.offset[0], 0.05 * 0.02 * k, 1e-14);
    }
    atemi_node_force_advance(&b.coordination, &b.node);
    CHECK(!atemi_node_force_advance(&b.coordination, &b.node));
}
