// SPDX-License-Identifier: Apache-2.0

// What the controller does without ROS. Exit code 0 if every claim holds.

#include "../src/robot_loop.hpp"

#include <cmath>
#include <cstdio>

static int failures = 0;

static void check(bool holds, const char *claim)
{
    std::printf("%s: %s\n", holds ? "ok" : "FAILED", claim);
    failures += holds ? 0 : 1;
}

static atemi_model *arm(atemi_base base)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *model = nullptr;
    options.model.base = base;
    atemi_robots_load("two_link", &options, &model, nullptr);
    return model;
}

using Names = std::vector<std::string>;

static void check_names()
{
    atemi_model *model = arm(ATEMI_BASE_FLOATING);
    const Names  names = atemi_controller::joint_names(model);
    atemi_model_destroy(model);
    check(names == Names{"joint1", "joint2"}, "joints are named in the order of the control");
    check(atemi_controller::interfaces(names, "effort") == Names{"joint1/effort", "joint2/effort"},
          "interfaces are named as ros2_control does");
}

// What the arm's weight takes at rest: m g l / 2 and so on, with both rods level along y.
static void check_torques()
{
    atemi_controller::RobotLoop loop(arm(ATEMI_BASE_FIXED), 1e-3);
    loop.positions = {-std::acos(0.0), 0.0};
    for (int k = 0; k < 1500; ++k) {
        loop.update();
    }
    check(std::fabs(std::fabs(loop.torques[0]) - 2 * 9.81 * 0.5) < 1e-3,
          "the shoulder bears both rods");
    check(std::fabs(std::fabs(loop.torques[1]) - 9.81 * 0.25) < 1e-3, "the elbow bears one");
    check(!loop.has_stopped(), "nothing stopped");
}

static void check_moves()
{
    atemi_controller::RobotLoop loop(arm(ATEMI_BASE_FIXED), 1e-3);
    for (int k = 0; k < 1500; ++k) {
        loop.update();
    }
    const double before = loop.torques[0];
    check(loop.move({"joint3"}, {0.1}, 1.0) == "there is no joint 'joint3'",
          "unknown joints are refused");
    check(loop.move({"joint1", "joint2"}, {0.1}, 1.0) == "there are 2 names and 1 positions",
          "lists of two lengths are refused");
    check(loop.move({"joint1"}, {std::nan("")}, 1.0) != "",
          "a target that is no number is refused");
    check(loop.move({"joint1"}, {0.01}, 0.2).empty(), "a target is taken");
    for (int k = 0; k < 400; ++k) {
        loop.update();
    }
    check(loop.torques[0] > before + 0.01, "and pulls a joint that stays where it is");
}

static void check_loss()
{
    atemi_controller::RobotLoop loop(arm(ATEMI_BASE_FIXED), 1e-3);
    for (int k = 0; k < 500; ++k) {
        loop.update();
    }
    loop.positions[1] = std::nan("");
    for (int k = 0; k < 100; ++k) {
        loop.update();
    }
    check(loop.has_stopped() && loop.torques[1] == 0.0, "a joint that is lost is given nothing");
    loop.positions[1] = 0.0;
    loop.restart();
    for (int k = 0; k < 100; ++k) {
        loop.update();
    }
    check(!loop.has_stopped(), "and goes on once it is restarted");
}

static void check_refusal()
{
    std::string problem;
    try {
        atemi_controller::RobotLoop loop(arm(ATEMI_BASE_FIXED), 3e-3);
    } catch (const std::runtime_error &error) {
        problem = error.what();
    }
    check(problem.find("no multiple") != std::string::npos, "a rate that does not fit is refused");
}

int main()
{
    check_names();
    check_torques();
    check_moves();
    check_loss();
    check_refusal();
    return failures ? 1 : 0;
}
