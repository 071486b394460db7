// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"

#include "check.h"
#include "random.h"

#include <math.h>

static const double pi = 3.141592653589793;

// A leg joint in a chain, without friction: the margins are of the linear loop.
static atemi_joint_control_options leg_options(void)
{
    atemi_joint_control_options o = atemi_joint_control_options_default();
    o.drive.spring = 50000.0;
    o.drive.spring_damping = 20.0;
    o.drive.coulomb = o.drive.viscous = 0.0;
    o.torque_bandwidth = 100.0;
    o.torque_rate = INFINITY;
    o.in_chain = true;
    o.speed_limit = 100.0;
    o.torque_limit = 1e6;
    return o;
}

static atemi_joint_link of(double inertia)
{
    return (atemi_joint_link){.inertia = inertia};
}

typedef struct bench {
    atemi_joint_plant   plant;
    atemi_joint_control control;
    atemi_joint_command command;
    atemi_joint_output  output;
} bench;

static void begin(const atemi_joint_control_options *o, double K, double D, double m, bench *b)
{
    atemi_joint_plant_options p = atemi_joint_plant_options_default();
    p.drive = o->drive;
    p.drive.bus_voltage = 1e4; // linear
    p.drive.peak_current = 1e4;
    p.link_inertia = m;
    p.acts_next_tick = o->acts_next_tick;
    p.motor_step = p.joint_step = p.current_step = 0.0;
    p.motor_deviation = p.joint_deviation = p.current_deviation = 0.0;
    atemi_joint_control_options c = *o;
    c.drive = p.drive;
    c.current_limit = 1e4;
    CHECK_STATUS(atemi_joint_plant_start(&p, &b->plant, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_joint_control_start(&c, &b->control, NULL), ATEMI_OK);
    b->command = atemi_joint_command_default();
    b->command.level = ATEMI_JOINT_IMPEDANCE;
    b->command.stiffness = K;
    b->command.damping = D;
    b->command.feedback_limit = 1e6;
}

static void tick(bench *b)
{
    atemi_joint_measurement measured;
    atemi_joint_plant_measure(&b->plant, &measured);
    atemi_joint_control_step(&b->control, &measured, &b->command, &b->output);
    atemi_joint_plant_apply(&b->plant, b->output.voltage);
    atemi_joint_plant_advance(&b->plant, b->control.options.period, 0.0);
}

// The open loop as it is: a torque A sin(wt) is fed forward, and what the feedback makes of the
// demand is -L. Both are correlated over whole periods, after as much time to settle.
static atemi_frequency_response measured_loop(const atemi_joint_control_options *o, double K,
                                              double D, double m, double w)
{
    bench        b;
    const double T = o->period, amplitude = 1.0;
    const int    ticks = (int)lround(2.0 * pi / w / T); // of a period; w follows from it
    const double omega = 2.0 * pi / (ticks * T);
    const int    settling = (int)ceil(fmax(3.0, 20.0 * pi / w) / (ticks * T)), periods = 10;
    double       in[2] = {0}, out[2] = {0};
    begin(o, K, D, m, &b);
    for (int k = 0; k < (settling + periods) * ticks; ++k) {
        b.command.inertia_torque = amplitude * sin(omega * k * T);
        tick(&b);
        if (k >= settling * ticks) {
            in[0] += b.output.torque_demand * cos(omega * k * T);
            in[1] -= b.output.torque_demand * sin(omega * k * T);
            out[0] -= b.output.feedback_torque * cos(omega * k * T);
            out[1] += b.output.feedback_torque * sin(omega * k * T);
        }
    }
    const double phase = atan2(out[1], out[0]) - atan2(in[1], in[0]);
    return (atemi_frequency_response){hypot(out[0], out[1]) / hypot(in[0], in[1]),
                                      remainder(phase, 2.0 * pi)};
}

// The loop as it runs in ticks, with its trackers, predictions and windings, against the formula.
// Sampling is a delay there: its error grows with w T, up to 2 % of the phase at 160 rad/s (w T =
// 0.032), and trackers of the motor that are taken as exact lag by some w / 1500. 5 % and 0.05 rad.
TEST(joint_margin, is_of_the_loop_that_runs)
{
    const atemi_joint_control_options o = leg_options();
    const double                      cases[][3] = {
        {400.0, 48.0, 1.0}, {4000.0, 480.0, 10.0}, {12500.0, 1900.0, 50.0}, {4000.0, 480.0, 1.0}};
    const double frequencies[] = {5.0, 20.0, 50.0, 100.0, 160.0};
    for (int i = 0; i < 4; ++i) {
        for (int f = 0; f < 5; ++f) {
            const double                  *c = cases[i], w = frequencies[f];
            const int                      ticks = (int)lround(2.0 * pi / w / o.period);
            const double                   omega = 2.0 * pi / (ticks * o.period);
            const atemi_frequency_response found =
                atemi_joint_control_open_loop(&o, c[0], c[1], of(c[2]), omega);
            const atemi_frequency_response real = measured_loop(&o, c[0], c[1], c[2], w);
            CHECK_NEAR(found.gain / real.gain, 1.0, 0.05);
            CHECK_NEAR(remainder(found.phase - real.phase, 2.0 * pi), 0.0, 0.05);
        }
    }
}

// Whether a joint that is let go from 10 mrad comes to rest within 3 s.
static bool settles(const atemi_joint_control_options *o, double K, double D, double m)
{
    bench b;
    begin(o, K, D, m, &b);
    b.command.position = 0.01;
    double late = 0.0;
    for (int k = 0; k < 15000; ++k) {
        tick(&b);
        const double off = fabs(b.plant.joint_position - 0.01);
        late = k >= 10000 ? fmax(late, off) : late;
    }
    return late < 0.01;
}

// With a torque loop that damping does not slow down, stiffness and damping beyond the gain margin
// shake the joint, and below it they do not; 20 % on either side.
TEST(joint_margin, says_how_much_gain_a_joint_stands)
{
    atemi_joint_control_options o = leg_options();
    o.in_chain = false;
    for (int i = 0; i < 3; ++i) {
        const double             m = pow(10.0, 0.5 * i), K = 400.0 * m, D = 48.0 * m;
        const atemi_joint_margin margin = atemi_joint_control_margin(&o, K, D, of(m));
        CHECK(margin.stable && isfinite(margin.gain) && margin.gain > 1.0);
        const double below = 0.8 * margin.gain, beyond = 1.2 * margin.gain;
        CHECK(settles(&o, below * K, below * D, m));
        CHECK(!settles(&o, beyond * K, beyond * D, m));
        CHECK(atemi_joint_control_margin(&o, below * K, below * D, of(m)).stable);
        CHECK(!atemi_joint_control_margin(&o, beyond * K, beyond * D, of(m)).stable);
    }
}

// Loops that are far faster than the joint leave K + D s around m s^2: closed form.
TEST(joint_margin, is_that_of_a_double_integrator_where_all_else_is_fast)
{
    atemi_joint_control_options o = leg_options();
    o.period = 1e-6;
    o.current_bandwidth = 1e5;
    o.velocity_bandwidth = 5e4;
    o.torque_bandwidth = 2e4;
    o.joint_tracking = 1e5;
    o.drive.spring = 1e6;
    o.drive.spring_damping = 0.0;
    o.in_chain = false;
    const double             m = 2.0, w = 5.0, zeta = 1.2;
    const atemi_joint_margin margin =
        atemi_joint_control_margin(&o, m * w * w, 2.0 * zeta * w * m, of(m));
    // |w^2 + 2 zeta w j x| = x^2 at the crossover x
    const double x = w * sqrt(2.0 * zeta * zeta + sqrt(4.0 * pow(zeta, 4.0) + 1.0));
    CHECK(margin.stable);
    CHECK_NEAR(margin.frequency, x, 1e-2 * x); // loops a thousand times faster
    CHECK_NEAR(margin.phase, atan(2.0 * zeta * x / w), 1e-2);
}

TEST(joint_margin, of_a_limp_joint_is_without_end)
{
    const atemi_joint_control_options o = leg_options();
    const atemi_joint_margin          margin = atemi_joint_control_margin(&o, 0.0, 0.0, of(1.0));
    CHECK(margin.stable && isinf(margin.gain) && margin.phase > 3.0);
}

// A position loop at half the velocity loop: two equal poles, 76 degrees less what ticks take; four
// ticks of delay in each time constant cannot be stable.
TEST(joint_margin, of_a_joint_without_spring_is_of_its_position_loop)
{
    atemi_joint_control_options o = atemi_joint_control_options_rigid();
    const atemi_joint_margin    slow = atemi_joint_control_margin(&o, 0.0, 0.0, of(0.02));
    CHECK(slow.stable && slow.phase > 1.0 && slow.phase < 1.35);
    o.position_bandwidth = 400.0;
    o.period = 5e-3;
    CHECK(!atemi_joint_control_margin(&o, 0.0, 0.0, of(0.02)).stable);
}

// A link that is damped anyhow, twenty times as strongly as by its control. Closed form with loops
// that are far faster: |K + D j x| = x |m j x + c|.
TEST(joint_margin, knows_the_damping_of_the_link)
{
    atemi_joint_control_options o = leg_options();
    o.in_chain = false;
    o.joint_tracking = 2000.0;
    o.torque_bandwidth = 400.0;
    const double             m = 10.0, c = 100.0, K = 250.0, D = 5.0;
    const atemi_joint_margin margin =
        atemi_joint_control_margin(&o, K, D, (atemi_joint_link){.inertia = m, .damping = c});
    const double b = c * c - D * D, x2 = (-b + sqrt(b * b + 4.0 * m * m * K * K)) / (2.0 * m * m);
    const double x = sqrt(x2), phase = 0.5 * pi - atan2(m * x, c) + atan2(D * x, K);
    CHECK(margin.stable);
    CHECK_NEAR(margin.frequency, x, 0.02 * x); // x = 2.4 rad/s, loops a hundred times faster
    CHECK_NEAR(margin.phase, phase, 0.03);
}
