// SPDX-License-Identifier: Apache-2.0

#include "joint_study.h"

#include "control/coordination_options.h"
#include "control/joint_options.h"

#include "atemi/control_loop.h"

#include <math.h>
#include <stdlib.h>

static const double turn = 6.283185307179586;
static const double degrees = 57.295779513082320877;

// ---- Finding --------------------------------------------------------------------------------

static double given_or(double given, double otherwise)
{
    return isnan(given) ? otherwise : given;
}

static atemi_joint_control_options control_of(const joint_study *study, int i)
{
    const atemi_joint_drive     drive = atemi_joint_drive_of(study->model, i);
    atemi_joint_control_options o = atemi_joint_control_options_of(study->model, i, &drive);
    o.takes_torque = study->takes_torque;
    return isnan(study->period) ? o : atemi_joint_control_options_at(&o, study->period);
}

static atemi_coordinated_joint joint_of(const joint_study *study, int i,
                                        const atemi_joint_control_options *control)
{
    atemi_coordinated_joint joint = atemi_coordinated_joint_default(study->model, i);
    joint.dynamics.natural_frequency =
        given_or(study->natural_frequency, joint.dynamics.natural_frequency);
    joint.dynamics.damping_ratio = given_or(study->damping_ratio, joint.dynamics.damping_ratio);
    atemi_coordinated_joint_fit(study->model, i, control, true, &joint);
    return joint;
}

typedef struct all_joints {
    atemi_joint_control_options *controls;
    atemi_coordinated_joint     *joints;
    atemi_joint_stability       *stability;
} all_joints;

static atemi_status find_stability(joint_study *study, int count, const all_joints *all,
                                   atemi_error *error)
{
    for (int i = 0; i < count; ++i) {
        all->controls[i] = control_of(study, i);
        all->joints[i] = joint_of(study, i, &all->controls[i]);
    }
    const atemi_status status = atemi_joint_stability_find(study->model, 0, all->controls,
                                                           all->joints, all->stability, error);
    study->stability = all->stability[study->joint];
    return status;
}

static atemi_status find_workspace(joint_study *study, atemi_error *error)
{
    const int          base = atemi_base_v_count(atemi_model_base(study->model));
    const int          count = atemi_model_v_count(study->model) - base;
    const size_t       n = (size_t)count;
    all_joints         all = {(atemi_joint_control_options *)calloc(n, sizeof *all.controls),
                              (atemi_coordinated_joint *)calloc(n, sizeof *all.joints),
                              (atemi_joint_stability *)calloc(n, sizeof *all.stability)};
    const bool         fits = all.controls && all.joints && all.stability;
    const atemi_status status =
        fits ? find_stability(study, count, &all, error)
             : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for %d joints", count);
    free(all.controls);
    free(all.joints);
    free(all.stability);
    return status;
}

static atemi_joint_link link_of(const joint_study *study)
{
    return (atemi_joint_link){study->inertia, study->coordinated.own_damping};
}

atemi_status joint_study_find(joint_study *study, atemi_error *error)
{
    const atemi_coordination_options usual = atemi_coordination_options_default();
    atemi_status status = atemi_coordination_options_check(study->model, &usual, error);
    if (!status) {
        study->control = control_of(study, study->joint);
        status = atemi_joint_control_options_check(&study->control, error);
    }
    status = status ? status : find_workspace(study, error);
    if (status) {
        return status;
    }
    study->coordinated = joint_of(study, study->joint, &study->control);
    study->coordinated.highest_frequency = study->stability.natural_frequency;
    study->inertia = given_or(study->inertia, study->stability.inertia_max);
    study->impedance = atemi_coordinated_joint_impedance(&study->coordinated, study->inertia);
    study->margin = atemi_joint_control_margin(&study->control, study->impedance.stiffness,
                                               study->impedance.damping, link_of(study));
    return ATEMI_OK;
}

// ---- The open loop --------------------------------------------------------------------------

enum { BODE_ROWS = 121, BODE_COLUMNS = 4 };

static const double lowest_part = 0.05; // of the natural frequency

// To the highest frequency that ticks can tell.
atemi_status joint_study_add_bode(const joint_study *study, atemi_recording *recording,
                                  atemi_error *error)
{
    static const atemi_recorded_column columns[BODE_COLUMNS] = {
        {"frequency", "Hz"}, {"log10 of the frequency", NULL}, {"gain", "dB"}, {"phase", "deg"}};
    static const int y[] = {2, 3};
    const double     first = lowest_part * fmax(study->stability.natural_frequency, 1e-3);
    const double     last = 0.5 * turn / study->control.period;
    double           values[BODE_ROWS][BODE_COLUMNS];
    for (int k = 0; k < BODE_ROWS; ++k) {
        const double w = first * pow(last / first, (double)k / (double)(BODE_ROWS - 1));
        const atemi_frequency_response L =
            atemi_joint_control_open_loop(&study->control, study->impedance.stiffness,
                                          study->impedance.damping, link_of(study), w);
        values[k][0] = w / turn;
        values[k][1] = log10(w / turn);
        values[k][2] = 20.0 * log10(L.gain);
        values[k][3] = degrees * L.phase;
    }
    const atemi_recorded_table table = {.name = "bode",
                                        .title = "Open loop of the impedance",
                                        .row_count = BODE_ROWS,
                                        .column_count = BODE_COLUMNS,
                                        .columns = columns,
                                        .values = &values[0][0],
                                        .plot = {2, y, 1, ATEMI_NONE, false, false, 0}};
    return atemi_recording_add_table(recording, &table, error);
}

// ---- The step -------------------------------------------------------------------------------

enum { STEP_ROWS = 101, STEP_COLUMNS = 4 };

static const double step_time = 10.0;   // natural periods per radian
static const double step_effort = 0.03; // of the torque limit, that the stiffness answers with

// The joint alone: a simulated one, or an inertia that takes torques a tick later.
typedef struct stepping {
    atemi_joint_plant   plant;
    atemi_joint_control control;
    atemi_joint_output  output;
    double              inertia, damping;
    double              position, velocity, torque;
} stepping;

static atemi_joint_plant_options quiet_plant(const joint_study *study)
{
    atemi_joint_plant_options o = atemi_joint_plant_options_default();
    o.drive = study->control.drive;
    o.link_inertia = study->inertia;
    o.acts_next_tick = study->control.acts_next_tick;
    o.motor_step = o.joint_step = o.current_step = 0.0;
    o.motor_deviation = o.joint_deviation = o.current_deviation = 0.0;
    return o;
}

static atemi_status begin(const joint_study *study, stepping *s, atemi_error *error)
{
    const atemi_joint_plant_options plant = quiet_plant(study);
    *s = (stepping){.damping = study->coordinated.own_damping};
    s->inertia = study->inertia + atemi_joint_control_loop_inertia(&study->control);
    const atemi_status status = atemi_joint_plant_start(&plant, &s->plant, error);
    return status ? status : atemi_joint_control_start(&study->control, &s->control, error);
}

static void move_inertia(stepping *s, double period)
{
    const double a = (s->torque - s->damping * s->velocity) / s->inertia;
    s->position += period * (s->velocity + 0.5 * period * a);
    s->velocity += period * a;
    s->torque = s->output.torque_demand;
}

static void tick(stepping *s, const atemi_joint_command *command)
{
    const double            period = s->control.options.period;
    atemi_joint_measurement measured = {0};
    if (s->control.options.takes_torque) {
        measured.joint_position = s->position;
        atemi_joint_control_step(&s->control, &measured, command, &s->output);
        move_inertia(s, period);
        return;
    }
    atemi_joint_plant_measure(&s->plant, &measured);
    atemi_joint_control_step(&s->control, &measured, command, &s->output);
    atemi_joint_plant_apply(&s->plant, s->output.voltage);
    atemi_joint_plant_advance(&s->plant, period, -s->damping * s->plant.joint_velocity);
    s->position = s->plant.joint_position;
    s->torque = atemi_joint_plant_torque(&s->plant);
}

static double second_order(double w, double z, double t)
{
    const double root = sqrt(fabs(z * z - 1.0)), x = w * root * t;
    if (x < 1e-6) {
        return 1.0 - (1.0 + w * t) * exp(-z * w * t);
    }
    return z < 1.0 ? 1.0 - exp(-z * w * t) * (cos(x) + z / root * sin(x))
                   : 1.0 - (root + z) / (2.0 * root) * exp(x - z * w * t) -
                         (root - z) / (2.0 * root) * exp(-x - z * w * t);
}

static void run(const joint_study *study, stepping *s, double values[STEP_ROWS][STEP_COLUMNS])
{
    const double        w = fmax(study->coordinated.highest_frequency, 1e-3);
    const double        leap = study->impedance.stiffness > 0.0
                                   ? step_effort * study->control.torque_limit / study->impedance.stiffness
                                   : 0.0;
    const long          ticks = lround(step_time / w / study->control.period);
    atemi_joint_command command = atemi_joint_command_default();
    command.stiffness = study->impedance.stiffness;
    command.damping = study->impedance.damping;
    command.position = leap;
    long done = 0;
    for (int k = 0; k < STEP_ROWS; ++k) {
        for (; done < ticks * k / (STEP_ROWS - 1); ++done) {
            tick(s, &command);
        }
        const double t = (double)done * study->control.period;
        values[k][0] = t;
        values[k][1] = second_order(w, study->coordinated.dynamics.damping_ratio, t);
        values[k][2] = leap > 0.0 ? s->position / leap : 0.0;
        values[k][3] = s->torque;
    }
}

// From a position within the joint's stops.
atemi_status joint_study_add_step(const joint_study *study, atemi_recording *recording,
                                  atemi_error *error)
{
    static const atemi_recorded_column columns[STEP_COLUMNS] = {
        {"t", "s"}, {"asked for", NULL}, {"position", NULL}, {"torque", "N m"}};
    static const int y[] = {1, 2};
    joint_study      free = *study;
    stepping         s;
    double           values[STEP_ROWS][STEP_COLUMNS];
    free.control.lowest = -INFINITY;
    free.control.highest = INFINITY;
    const atemi_status status = begin(&free, &s, error);
    if (status) {
        return status;
    }
    run(&free, &s, values);
    const atemi_recorded_table table = {.name = "step",
                                        .title = "Step of the commanded position",
                                        .row_count = STEP_ROWS,
                                        .column_count = STEP_COLUMNS,
                                        .columns = columns,
                                        .values = &values[0][0],
                                        .plot = {2, y, 0, ATEMI_NONE, false, false, 0}};
    return atemi_recording_add_table(recording, &table, error);
}
