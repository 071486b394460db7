// SPDX-License-Identifier: Apache-2.0

#include "papers/r2/reproduce_r2_parts.h"

#include "atemi/control_loop.h"
#include "atemi/coordination.h"
#include "atemi/trajectory.h"
#include "math/random.h"

#include <math.h>

// ---- The loops of a joint -------------------------------------------------------------------

static const char SENSORLESS[] =
    "'can also be used without direct current sensing while maintaining good current tracking': a "
    "leg joint, its motor blocked; mean from 2 to 5 ms after a step of 10 A. The bound is ours";
static const char STOP[] =
    "'virtual hardstop': a leg joint with 10 kg m^2, driven into its stop by 20 N m; the "
    "bound is ours";

static const double blocked = 1e3; // kg m^2, of a rotor

typedef struct bench {
    atemi_joint_plant       plant;
    atemi_joint_control     control;
    atemi_joint_measurement measurement;
    atemi_joint_output      output;
} bench;

static atemi_status start(const atemi_joint_control_options *options, bench *b, atemi_error *error)
{
    atemi_joint_plant_options plant = atemi_joint_plant_options_default();
    *b = (bench){0};
    plant.drive = options->drive;
    const atemi_status status = atemi_joint_plant_start(&plant, &b->plant, error);
    return status ? status : atemi_joint_control_start(options, &b->control, error);
}

static void run_tick(bench *b, const atemi_joint_command *command)
{
    atemi_joint_plant_measure(&b->plant, &b->measurement);
    atemi_joint_control_step(&b->control, &b->measurement, command, &b->output);
    atemi_joint_plant_apply(&b->plant, b->output.voltage);
    atemi_joint_plant_advance(&b->plant, b->control.options.period, 0.0);
}

// How far the current is off 10 A, as part of it.
static atemi_status find_current_error(bool senses, double *error_part, atemi_error *error)
{
    enum { FIRST = 10, LAST = 25 };
    atemi_joint_control_options options = atemi_joint_control_options_default();
    atemi_joint_command         command = atemi_joint_command_default();
    bench                       b;
    double                      sum = 0.0;
    options.senses_current = senses;
    options.drive.rotor_inertia = blocked;
    command.level = ATEMI_JOINT_CURRENT;
    command.current = 10.0;
    const atemi_status status = start(&options, &b, error);
    for (int k = 0; k < LAST && !status; ++k) {
        run_tick(&b, &command);
        sum += k >= FIRST ? fabs(b.plant.current - command.current) : 0.0;
    }
    *error_part = sum / (LAST - FIRST) / command.current;
    return status;
}

static atemi_status add_current(atemi_reproduction *r, atemi_error *error)
{
    double       with = 0.0, without = 0.0;
    atemi_status status = find_current_error(true, &with, error);
    status = status ? status : find_current_error(false, &without, error);
    atemi_reproduction_add(r,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 5.0, 0.0, "%", SENSORLESS,
                                           ATEMI_REPRODUCED_AT_MOST},
                           100.0 * with, "current loop, sensed: error");
    atemi_reproduction_add(r,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 5.0, 0.0, "%", SENSORLESS,
                                           ATEMI_REPRODUCED_AT_MOST},
                           100.0 * without, "current loop, not sensed: error");
    return status;
}

static atemi_status add_stop(atemi_reproduction *r, atemi_error *error)
{
    enum { TICKS = 10000 };
    atemi_joint_control_options options = atemi_joint_control_options_default();
    atemi_joint_command         command = atemi_joint_command_default();
    bench                       b;
    double                      farthest = 0.0;
    options.highest = 0.2;
    command.level = ATEMI_JOINT_TORQUE;
    command.torque = 20.0;
    const atemi_status status = start(&options, &b, error);
    for (int k = 0; k < TICKS && !status; ++k) {
        run_tick(&b, &command);
        farthest = fmax(farthest, b.plant.joint_position);
    }
    atemi_reproduction_add(r,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 10.0, 0.0, "mrad", STOP,
                                           ATEMI_REPRODUCED_AT_MOST},
                           1e3 * (farthest - options.highest), "velocity loop: beyond the stop");
    return status;
}

// ---- Trajectories ---------------------------------------------------------------------------

enum { PROFILES = 7, SETS = 1000 };

static const char TOGETHER[] = "1000 random sets of 7 joints with nonzero ends";

static double draw(uint64_t *seed, double largest)
{
    return largest * (2.0 * random_unit_next(seed) - 1.0);
}

static atemi_trapezoid_task draw_task(uint64_t *seed)
{
    const double V = 0.2 + random_unit_next(seed), A = 0.5 + 2.0 * random_unit_next(seed);
    return (atemi_trapezoid_task){.start = {draw(seed, 2.0), draw(seed, V), 0.0},
                                  .end = {draw(seed, 2.0), draw(seed, V), 0.0},
                                  .velocity = V,
                                  .acceleration = A};
}

// What a way has beyond its bounds, as part of them.
static double excess(const atemi_trapezoid_task *task, const atemi_trapezoid *profile)
{
    double most = 0.0;
    for (int i = 0; i < profile->count; ++i) {
        const atemi_axis_state *s = &profile->states[i];
        most = fmax(most, fabs(s->velocity) / task->velocity - 1.0);
        most = fmax(most, fabs(s->acceleration) / task->acceleration - 1.0);
    }
    return most;
}

static double missed(const atemi_trapezoid_task *task, const atemi_trapezoid *profile)
{
    const atemi_axis_state end = atemi_trapezoid_at(profile, profile->duration);
    return fmax(fabs(end.position - task->end.position), fabs(end.velocity - task->end.velocity));
}

static void add_profiles(atemi_reproduction *r)
{
    atemi_trapezoid_task tasks[PROFILES];
    atemi_trapezoid      profiles[PROFILES];
    double               apart = 0.0, beyond = 0.0, off = 0.0;
    uint64_t             seed = 1;
    for (int k = 0; k < SETS; ++k) {
        for (int i = 0; i < PROFILES; ++i) {
            tasks[i] = draw_task(&seed);
        }
        atemi_trapezoid_synchronize(tasks, PROFILES, 0.0, profiles);
        for (int i = 0; i < PROFILES; ++i) {
            apart = fmax(apart, fabs(profiles[i].duration - profiles[0].duration));
            beyond = fmax(beyond, excess(&tasks[i], &profiles[i]));
            off = fmax(off, missed(&tasks[i], &profiles[i]));
        }
    }
    atemi_reproduction_add(r,
                           (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-9, 0.0, "s", TOGETHER,
                                           ATEMI_REPRODUCED_AT_MOST},
                           apart, "trajectories: arrivals apart");
    atemi_reproduction_add(r,
                           (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-9, 0.0, "-", TOGETHER,
                                           ATEMI_REPRODUCED_AT_MOST},
                           beyond, "trajectories: beyond velocity and acceleration, relative");
    atemi_reproduction_add(r,
                           (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-9, 0.0, "rad", TOGETHER,
                                           ATEMI_REPRODUCED_AT_MOST},
                           off, "trajectories: off the end, position and velocity");
}

// ---- Desired dynamics -----------------------------------------------------------------------

static const char PROOF[] =
    "'One can prove that this amended stiffness will be below the maximum': 10,000 random cases";
static const char RATIO[] = "'damping ratio is respected in lieu of natural frequency': where the "
                            "damping is between its limits, 10,000 random cases";

typedef struct limited_case {
    double                 inertia;
    atemi_desired_dynamics desired;
    atemi_impedance_limits limits;
} limited_case;

static double draw_scale(uint64_t *seed, double low, double high)
{
    return low * pow(high / low, random_unit_next(seed));
}

static limited_case draw_case(uint64_t *seed)
{
    limited_case c = {.inertia = draw_scale(seed, 1e-3, 300.0),
                      .desired = {draw_scale(seed, 0.5, 30.0), draw_scale(seed, 0.3, 2.0)}};
    c.limits.stiffness = draw_scale(seed, 10.0, 1e5);
    c.limits.damping_min = draw_scale(seed, 0.1, 10.0);
    c.limits.damping_max = c.limits.damping_min * draw_scale(seed, 1.0, 1e4);
    return c;
}

static void add_limits(atemi_reproduction *r)
{
    enum { CASES = 10000 };
    double   beyond = 0.0, lost = 0.0;
    uint64_t seed = 2;
    for (int k = 0; k < CASES; ++k) {
        const limited_case    c = draw_case(&seed);
        const atemi_impedance got = atemi_desired_impedance(c.inertia, c.desired, c.limits);
        const double          zeta = got.damping / (2.0 * sqrt(got.stiffness * c.inertia));
        const bool            is_free = got.damping > c.limits.damping_min;
        beyond = fmax(beyond, got.stiffness / c.limits.stiffness - 1.0);
        lost = is_free ? fmax(lost, fabs(zeta / c.desired.damping_ratio - 1.0)) : lost;
    }
    atemi_reproduction_add(
        r,
        (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-9, 0.0, "-", PROOF, ATEMI_REPRODUCED_AT_MOST},
        beyond, "eq. 3: stiffness beyond its maximum, relative");
    atemi_reproduction_add(
        r,
        (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-9, 0.0, "-", RATIO, ATEMI_REPRODUCED_AT_MOST},
        lost, "eq. 2, 3: damping ratio lost, relative");
}

atemi_status atemi_reproduce_r2_parts(atemi_reproduction *reproduction, atemi_error *error)
{
    atemi_status status = add_current(reproduction, error);
    status = status ? status : add_stop(reproduction, error);
    add_profiles(reproduction);
    add_limits(reproduction);
    return status;
}
