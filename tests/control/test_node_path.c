// SPDX-License-Identifier: Apache-2.0

#include "control/node_path.h"

#include "atemi/math.h"
#include "check.h"
#include "data.h"

#include <math.h>

static void plan(guided_node *node)
{
    const atemi_node_motion motion = atemi_node_motion_default();
    atemi_trapezoid_task    tasks[PATH_AXES];
    atemi_node_path_tasks(node, &motion, tasks);
    CHECK(atemi_trapezoid_synchronize(tasks, PATH_AXES, 0.0, node->trajectories));
}

static guided_node turning(double from, double to)
{
    const atemi_transform start = {atemi_mat3_from_rpy(0.0, 0.0, from), {1.0, 2.0, 3.0}};
    guided_node           node = {.target = atemi_node_target_default()};
    node.target.target = (atemi_transform){atemi_mat3_from_rpy(0.0, 0.0, to), {1.0, 2.0, 3.0}};
    atemi_node_path_rest(&start, &node);
    plan(&node);
    return node;
}

static double yaw_of(const guided_node *node)
{
    const atemi_transform pose = atemi_node_path_pose(node);
    return atan2(pose.rotation.x.y, pose.rotation.x.x);
}

// From 2.9 to -2.9 rad it is 0.48 rad through a half turn, not 5.8 rad back.
TEST(node_path, turns_the_shorter_way)
{
    guided_node  node = turning(2.9, -2.9);
    const double duration = node.trajectories[6].duration;
    CHECK(duration < 2.0);
    atemi_node_path_advance(&node, 0.5 * duration);
    CHECK(cos(yaw_of(&node)) < -1.0 + 1e-12);
    atemi_node_path_advance(&node, duration);
    CHECK_NEAR(yaw_of(&node), -2.9, 1e-12);
}

// Up to just less than a half turn: no faster than 0.5 rad/s anywhere, and that fast somewhere.
TEST(node_path, keeps_its_angular_velocity)
{
    static const double angles[] = {0.1, 1.0, 2.0, 3.1};
    for (int k = 0; k < 4; ++k) {
        guided_node  node = turning(0.0, angles[k]);
        double       before = 0.0, fastest = 0.0;
        const double step = 1e-3;
        for (double t = step; t < node.trajectories[6].duration; t += step) {
            atemi_node_path_advance(&node, t);
            fastest = fmax(fastest, (yaw_of(&node) - before) / step);
            before = yaw_of(&node);
        }
        CHECK(fastest <= 0.5 + 1e-9);
        CHECK(k == 0 || fastest > 0.49);
    }
}

// The offset of a force axis is along the axes of the target.
TEST(node_path, is_moved_along_force_axes)
{
    guided_node node = turning(0.0, 0.5);
    node.offset[0] = 0.1;
    node.offset[5] = 0.2;
    atemi_node_path_advance(&node, node.trajectories[6].duration);
    const atemi_transform pose = atemi_node_path_pose(&node);
    CHECK_NEAR(pose.position.x, 1.0 + 0.1 * cos(0.5), 1e-12);
    CHECK_NEAR(pose.position.y, 2.0 + 0.1 * sin(0.5), 1e-12);
    CHECK_NEAR(yaw_of(&node), 0.7, 1e-12);
}
