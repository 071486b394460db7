// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the controller plugin does without ROS: a robot's model and control, arrays of positions in
/// and torques out, and targets by the names of joints.

#pragma once

#include <atemi/atemi.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace atemi_controller
{

/// The names of a robot's joints, in the order of its control.
inline std::vector<std::string> joint_names(const atemi_model *model)
{
    const int                first = atemi_base_v_count(atemi_model_base(model));
    std::vector<std::string> names(static_cast<std::size_t>(atemi_model_v_count(model) - first));
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1) {
            names[static_cast<std::size_t>(joint->first_v - first)] = joint->name;
        }
    }
    return names;
}

/// "joint/kind" of every joint, as ros2_control names interfaces.
inline std::vector<std::string> interfaces(const std::vector<std::string> &joints,
                                           const std::string              &kind)
{
    std::vector<std::string> names;
    for (const std::string &joint : joints) {
        names.push_back(joint + "/" + kind);
    }
    return names;
}

/// A robot under control. After construction nothing allocates but move().
class RobotLoop
{
  public:
    /// @param model taken over
    /// @throw std::runtime_error what cannot be, in words
    RobotLoop(atemi_model *model, double period) : model_(model)
    {
        atemi_robot_control_options options = atemi_robot_control_options_default();
        atemi_robot_control        *control = nullptr;
        atemi_error                 error;
        options.period = period;
        if (atemi_robot_control_create(model, &options, &control, &error) != ATEMI_OK) {
            throw std::runtime_error(error.message);
        }
        control_.reset(control);
        joints_ = joint_names(model);
        positions.resize(joints_.size());
        torques.resize(joints_.size());
    }

    std::vector<double> positions; ///< rad, to be written before update(); NaN where unknown
    std::vector<double> torques;   ///< N m, of the last update()

    const std::vector<std::string> &joints() const { return joints_; }

    /// One tick.
    void update()
    {
        const atemi_robot_bus bus = {this, read, write};
        atemi_robot_control_tick(control_.get(), &bus);
    }

    /// Moves joints so that all arrive together.
    /// @return "" or what cannot be, in words; then nothing changes
    std::string move(const std::vector<std::string> &names, const std::vector<double> &goals,
                     double duration)
    {
        std::vector<atemi_joint_target> targets;
        atemi_error                     error;
        if (names.size() != goals.size()) {
            return "there are " + std::to_string(names.size()) + " names and " +
                   std::to_string(goals.size()) + " positions";
        }
        atemi_coordination *coordination = atemi_robot_control_coordination(control_.get());
        for (std::size_t i = 0; i < names.size(); ++i) {
            const int joint = atemi_coordination_find_joint(coordination, names[i].c_str());
            if (joint == ATEMI_NONE) {
                return "there is no joint '" + names[i] + "'";
            }
            targets.push_back({joint, goals[i], 0.0, 0.0});
        }
        const atemi_status status =
            atemi_coordination_move_joints(coordination, ATEMI_SOURCE_USER, targets.data(),
                                           static_cast<int>(targets.size()), duration, &error);
        return status == ATEMI_OK ? "" : error.message;
    }

    bool has_stopped() const { return atemi_robot_control_has_stopped(control_.get()); }

    void restart() { atemi_robot_control_restart(control_.get()); }

  private:
    struct release {
        void operator()(atemi_model *model) const { atemi_model_destroy(model); }
        void operator()(atemi_robot_control *control) const
        {
            atemi_robot_control_destroy(control);
        }
    };

    static bool read(void *context, atemi_joint_measurement *measurements, int count)
    {
        const RobotLoop *loop = static_cast<const RobotLoop *>(context);
        for (int i = 0; i < count; ++i) {
            measurements[i] = {};
            measurements[i].joint_position = loop->positions[static_cast<std::size_t>(i)];
        }
        return true;
    }

    static void write(void *context, const atemi_joint_output *outputs, int count)
    {
        RobotLoop *loop = static_cast<RobotLoop *>(context);
        for (int i = 0; i < count; ++i) {
            loop->torques[static_cast<std::size_t>(i)] = outputs[i].torque_demand;
        }
    }

    std::unique_ptr<atemi_model, release>         model_;
    std::unique_ptr<atemi_robot_control, release> control_;
    std::vector<std::string>                      joints_;
};

} // namespace atemi_controller
