// SPDX-License-Identifier: Apache-2.0

/// @file
/// A ros2_control controller: positions of all joints in, efforts out, targets by a topic. What it
/// does is in robot_loop.hpp.

#include "robot_loop.hpp"

#include <controller_interface/controller_interface.hpp>
#include <pluginlib/class_list_macros.hpp>
#include <realtime_tools/realtime_buffer.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

namespace atemi_controller
{

using controller_interface::CallbackReturn;
using controller_interface::interface_configuration_type;
using controller_interface::InterfaceConfiguration;

class AtemiController : public controller_interface::ControllerInterface
{
  public:
    CallbackReturn on_init() override
    {
        auto_declare<std::string>("robot", ""); // a URDF file
        auto_declare<bool>("floating", false);  // or bolted to the world by its root
        auto_declare<double>("duration", 2.0);  // s, of a motion
        return CallbackReturn::SUCCESS;
    }

    CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
    {
        try {
            loop_ = std::make_unique<RobotLoop>(load(), 1.0 / get_update_rate());
        } catch (const std::exception &problem) {
            RCLCPP_ERROR(get_node()->get_logger(), "%s", problem.what());
            return CallbackReturn::ERROR;
        }
        duration_ = get_node()->get_parameter("duration").as_double();
        targets_ = get_node()->create_subscription<sensor_msgs::msg::JointState>(
            "~/targets", 1, [this](const sensor_msgs::msg::JointState::SharedPtr message) {
                wanted_.writeFromNonRT(message);
            });
        return CallbackReturn::SUCCESS;
    }

    InterfaceConfiguration command_interface_configuration() const override
    {
        return {interface_configuration_type::INDIVIDUAL, interfaces(loop_->joints(), "effort")};
    }

    InterfaceConfiguration state_interface_configuration() const override
    {
        return {interface_configuration_type::INDIVIDUAL, interfaces(loop_->joints(), "position")};
    }

    CallbackReturn on_activate(const rclcpp_lifecycle::State &) override
    {
        loop_->restart();
        return CallbackReturn::SUCCESS;
    }

    CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) override
    {
        for (auto &command : command_interfaces_) {
            command.set_value(0.0);
        }
        return CallbackReturn::SUCCESS;
    }

    controller_interface::return_type update(const rclcpp::Time &,
                                             const rclcpp::Duration &) override
    {
        take_targets();
        for (std::size_t i = 0; i < state_interfaces_.size(); ++i) {
            loop_->positions[i] = state_interfaces_[i].get_value();
        }
        loop_->update();
        for (std::size_t i = 0; i < command_interfaces_.size(); ++i) {
            command_interfaces_[i].set_value(loop_->torques[i]);
        }
        return controller_interface::return_type::OK;
    }

  private:
    atemi_model *load()
    {
        const std::string  file = get_node()->get_parameter("robot").as_string();
        atemi_urdf_options options = atemi_urdf_options_default();
        atemi_model       *model = nullptr;
        atemi_error        error;
        const bool         floats = get_node()->get_parameter("floating").as_bool();
        options.model.base = floats ? ATEMI_BASE_FLOATING : ATEMI_BASE_FIXED;
        if (atemi_urdf_load(file.c_str(), &options, &model, &error) != ATEMI_OK) {
            throw std::runtime_error(error.message);
        }
        return model;
    }

    void take_targets()
    {
        const auto message = *wanted_.readFromRT();
        if (message && message != taken_) {
            taken_ = message;
            const std::string problem = loop_->move(message->name, message->position, duration_);
            if (!problem.empty()) {
                RCLCPP_WARN(get_node()->get_logger(), "%s", problem.c_str());
            }
        }
    }

    using Targets = sensor_msgs::msg::JointState::SharedPtr;
    std::unique_ptr<RobotLoop>                                    loop_;
    double                                                        duration_ = 2.0;
    rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr targets_;
    realtime_tools::RealtimeBuffer<Targets>                       wanted_;
    Targets                                                       taken_;
};

} // namespace atemi_controller

PLUGINLIB_EXPORT_CLASS(atemi_controller::AtemiController, controller_interface::ControllerInterface)
