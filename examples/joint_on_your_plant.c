// SPDX-License-Identifier: Apache-2.0
//
// Multi-Loop control on a plant of your own: a series elastic joint carries a pendulum. Sensors in,
// voltage out, 5000 times a second; on a robot the last two functions are your drivers.

#include <atemi/atemi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct pendulum {
    atemi_joint_drive drive;
    double            inertia, weight;    ///< kg m^2; N m when it is level
    double            current;            ///< A
    double            motor, motor_speed; ///< rad, rad/s of the motor
    double            position, speed;    ///< of the joint
} pendulum;

static double spring_torque(const pendulum *plant)
{
    const atemi_joint_drive *drive = &plant->drive;
    return drive->spring * (plant->motor / drive->gear - plant->position) +
           drive->spring_damping * (plant->motor_speed / drive->gear - plant->speed);
}

// A tick of 0.2 ms in twenty steps, of first order: enough for an example.
static void move(pendulum *plant, double voltage)
{
    const atemi_joint_drive *drive = &plant->drive;
    const double             step = 1e-5;
    for (int i = 0; i < 20; ++i) {
        const double torque = spring_torque(plant);
        const double friction =
            drive->viscous * plant->motor_speed + drive->coulomb * tanh(plant->motor_speed / 0.1);
        plant->current +=
            step / drive->inductance *
            (voltage - drive->resistance * plant->current - drive->back_emf * plant->motor_speed);
        plant->motor_speed +=
            step / drive->rotor_inertia *
            (drive->torque_constant * plant->current - friction - torque / drive->gear);
        plant->speed += step / plant->inertia * (torque - plant->weight * cos(plant->position));
        plant->motor += step * plant->motor_speed;
        plant->position += step * plant->speed;
    }
}

static atemi_joint_measurement measure(const pendulum *plant)
{
    return (atemi_joint_measurement){plant->motor, plant->position, plant->current};
}

int main(void)
{
    const atemi_joint_control_options options = atemi_joint_control_options_default();
    pendulum                          plant = {.drive = options.drive, .inertia = 10, .weight = 60};
    atemi_joint_control               control;
    atemi_joint_output                output;
    atemi_error                       error;
    if (atemi_joint_control_start(&options, &control, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    // A soft joint of 10 rad/s that carries its weight by feed-forward, and goes to 0.5 rad.
    atemi_joint_command command = atemi_joint_command_default();
    command.level = ATEMI_JOINT_IMPEDANCE;
    command.stiffness = plant.inertia * 100;
    command.damping = plant.inertia * 20;
    command.feedback_limit = 80;
    for (int tick = 0; tick < 10000; ++tick) {
        const double rest = fmin(1, tick * 0.2e-3);
        command.position = 0.5 * rest * rest * (3 - 2 * rest);
        command.gravity_torque = plant.weight * cos(plant.position);
        const atemi_joint_measurement measured = measure(&plant);
        atemi_joint_control_step(&control, &measured, &command, &output);
        move(&plant, output.voltage);
        if (tick % 1000 == 999) {
            printf("%4.1f s  %6.4f rad  %7.2f N m  %s\n", (tick + 1) * 0.2e-3, plant.position,
                   spring_torque(&plant), atemi_joint_state_text(output.state));
        }
    }
    return fabs(plant.position - 0.5) < 0.01 ? EXIT_SUCCESS : EXIT_FAILURE;
}
