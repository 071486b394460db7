// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/joint_control.h"
#include "base/message.h"

// Each fault in one sentence: what was seen, with its figures, and what to do.

ATEMI_PRINTF(3, 4)
static void put(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_format(text, size, format, arguments);
    va_end(arguments);
}

static void say_reading(const atemi_joint_control *c, const char *which,
                        const atemi_joint_tracker *t, double to_joint, char *text, size_t size)
{
    const double ms = 1e3 * c->options.patience;
    put(text, size,
        "%s encoder not credible for %.3g ms: the last reading was more than %.3g rad of the "
        "joint from where it can be; check its cable, its supply, and speed_limit",
        which, ms, t->gate * to_joint);
}

static void say_stuck(const atemi_joint_control *c, const char *which, char *text, size_t size)
{
    put(text, size,
        "%s encoder stuck: its reading does not change, while %.3g N m at the joint are "
        "unexplained; check its coupling and its cable",
        which, c->stop.unexplained_torque);
}

void atemi_joint_fault_describe(const atemi_joint_control *control, atemi_joint_fault fault,
                                char *text, size_t size)
{
    ATEMI_REQUIRE(control && text && size >= MESSAGE_ELLIPSIS_SIZE);
    const atemi_joint_control         *c = control;
    const atemi_joint_control_options *o = &c->options;
    switch (fault) {
    case ATEMI_JOINT_MOTOR_READING:
        say_reading(c, "motor", &c->motor, c->reduction, text, size);
        return;
    case ATEMI_JOINT_JOINT_READING:
        say_reading(c, "joint", &c->joint, 1.0, text, size);
        return;
    case ATEMI_JOINT_MOTOR_STUCK:
        say_stuck(c, "motor", text, size);
        return;
    case ATEMI_JOINT_JOINT_STUCK:
        say_stuck(c, "joint", text, size);
        return;
    case ATEMI_JOINT_CURRENT_SENSOR:
        if (!c->current_lost) {
            put(text, size,
                "current sensor jumped, or is no number; that reading is ignored: check its cable");
            return;
        }
        put(text, size,
            "current sensor disagrees with the model of the motor by %.3g N m at the joint; "
            "it goes on without the sensor: check it, or the drive's resistance and back_emf",
            c->stop.sensor_torque);
        return;
    case ATEMI_JOINT_NO_COMMAND:
        put(text, size,
            "no new command for %.3g ms: the coordination or its bus is late; allow more "
            "(command_timeout), or find out what holds it up",
            1e3 * o->command_timeout);
        return;
    case ATEMI_JOINT_COMMAND_LIMITED:
        put(text, size,
            "a command beyond the limits of the joint (%.3g N m, %.3g rad/s, %.4g to %.4g "
            "rad) is clipped",
            o->torque_limit, o->speed_limit, o->lowest, o->highest);
        return;
    case ATEMI_JOINT_COMMAND_UNFIT:
        put(text, size, "a command is no number, or unfit for a joint %s a spring; it is ignored",
            c->is_elastic ? "with" : "without");
        return;
    case ATEMI_JOINT_AT_STOP:
        put(text, size, "at the %s end of its range, %.4g rad; nothing presses further",
            c->stop_side > 0 ? "upper" : "lower", c->stop_side > 0 ? o->highest : o->lowest);
        return;
    case ATEMI_JOINT_OVERSPEED:
        put(text, size,
            "overspeed: its motor turned as for %.3g rad/s of the joint, whose limit is %.3g; "
            "look for a collision, slower tasks, or gains too high for its inertia "
            "(--explain shows margins)",
            c->stop.speed, o->speed_limit);
        return;
    case ATEMI_JOINT_TORQUE_CONTRADICTED:
        put(text, size,
            "the spring's torque disagrees with the motor's current by %.3g N m at the joint, and "
            "model and friction explain %.3g; check the couplings of both encoders, the current "
            "sensor, and the drive's spring, torque_constant and friction",
            c->stop.contradiction, c->stop.allowance);
        return;
    }
    put(text, size, "unknown fault %d", (int)fault);
}
