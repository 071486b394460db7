// SPDX-License-Identifier: Apache-2.0

#include "control/joint_loops.h"

#include "control/joint_parts.h"

#include <math.h>

// In the letters of atemi/joint_control.h, for a tick of T seconds; r marks references, W
// bandwidths, e the motor's unexplained acceleration, v an unexplained voltage:
//
//   impedance   feedback = limited(K (q_r - q) + D (q_r' - q') + integral of K_I (q_r - q))
//               tau_r = slewed(feedback + inertia torque + gravity torque)                    [R2]
//               by torque_rate, or by W_t F where that is more and the feedback has a limit F
//   torque      w_r = N (q' + W_t (tau_r - tau) / k),   in a chain W_t <= k / D
//   position    w_r = N (q_r' + W_p (q_r - theta / N))
//   velocity    K_t i_r = J (N q_r'' + W_v (w_r - w_a) - e) + friction(w_r) + tau / N
//   current     u = (i_n - decay i_a) / gain + K_e w_m - v,   i_n = i_a + approach (i_r - i_a)
//                 = R i_a + approach / gain (i_r - i_a) + K_e w_m - v
//
// A drive that takes torques has the impedance loop alone, and is given tau_r + N^2 J q_r''. It
// brakes as a motor with tied phases does, with a damper: the torque limit at the speed limit.
//
//   winding     decay = exp(-R T / L),   gain = (1 - decay) / R,   approach = 1 - exp(-W_c T)
//
// i_a and w_a are predicted for when u begins to act, w_m for the middle of its tick. Resistance,
// inductance and motion are fed forward; e and v are the integral parts. They are fed by what the
// model fails to predict, with the limits in the model, so a limit that holds does not wind them
// up.

double atemi_joint_motor_acceleration(const atemi_joint_control *control, double current)
{
    const atemi_joint_drive *d = &control->options.drive;
    const double load = control->is_elastic ? control->torque * control->reduction : 0.0;
    const double friction = drive_friction(d, control->motor.velocity);
    return (d->torque_constant * current - friction - load) * control->mobility;
}

// Nothing is asked for towards a stop that is reached.
static double off_stop(const atemi_joint_control *c, double x)
{
    return x * c->stop_side > 0.0 ? 0.0 : x;
}

// ---- Impedance and torque -------------------------------------------------------------------

typedef struct reference {
    double position, velocity;
} reference;

// Between two commands the last one goes on, but not for longer than commands should take.
static reference goal_now(const atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    const atemi_joint_command         *goal = &c->command;
    const double                       t = between(c->command_age, 0.0, o->command_period);
    const double position = goal->position + t * (goal->velocity + 0.5 * t * goal->acceleration);
    return (reference){
        .position = between(position, o->lowest, o->highest),
        .velocity = within(goal->velocity + t * goal->acceleration, o->speed_limit),
    };
}

// The integral rests while the limit holds it.
static double integrated(const atemi_joint_control *c, double error, double others)
{
    const atemi_joint_command *goal = &c->command;
    const double               step = c->options.period * goal->integral * error;
    const double               next = within(c->integral + step, goal->windup_limit);
    const bool held = fabs(others + next) > goal->feedback_limit && step * (others + next) > 0.0;
    return goal->integral == 0.0 ? 0.0 : held ? c->integral : next;
}

static double impedance_feedback(atemi_joint_control *c)
{
    const atemi_joint_command *goal = &c->command;
    const reference            r = goal_now(c);
    const double               error = r.position - c->position;
    const double others = goal->stiffness * error + goal->damping * (r.velocity - c->velocity);
    c->integral = integrated(c, error, others);
    return within(others + c->integral, goal->feedback_limit);
}

static double torque_wanted(atemi_joint_control *c)
{
    if (c->command.level == ATEMI_JOINT_TORQUE) {
        c->feedback = c->integral = 0.0;
        return c->command.torque;
    }
    c->feedback = impedance_feedback(c);
    return c->feedback + c->command.inertia_torque + c->command.gravity_torque;
}

// A damper at its limit that turns round more slowly than the torque loop drives what it should
// brake: with less than 2/3 W_t F, robots shake between their limits.
static double torque_rate(const atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    const double                       limit = c->command.feedback_limit;
    const double turning = o->torque_bandwidth * within(limit, o->torque_limit);
    const bool   is_limited = c->command.level == ATEMI_JOINT_IMPEDANCE && isfinite(limit);
    return is_limited && turning > o->torque_rate ? turning : o->torque_rate;
}

static void demand_torque(atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    const double wanted = off_stop(c, within(torque_wanted(c), o->torque_limit));
    c->torque_demand += within(wanted - c->torque_demand, torque_rate(c) * o->period);
}

// In a chain the loop is closed no faster than with the spring per damping: what a fast loop would
// make of more damping is no damper to the light links around it. Twice the stiffness per damping
// keeps a joint stable that is asked to be stiffer than its spring.
static double torque_bandwidth(const atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    const double D = c->command.level == ATEMI_JOINT_IMPEDANCE ? c->command.damping : 0.0;
    const double limit = fmax(o->drive.spring, 2.0 * c->command.stiffness);
    return o->in_chain && o->torque_bandwidth * D > limit ? limit / D : o->torque_bandwidth;
}

static double velocity_for_torque(const atemi_joint_control *c)
{
    const double closing = torque_bandwidth(c) * (c->torque_demand - c->torque) * c->compliance;
    return c->options.drive.gear * (c->joint.velocity + closing);
}

static double velocity_for_position(const atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    const reference                    r = goal_now(c);
    const double                       error = r.position - c->motor.position * c->reduction;
    return o->drive.gear * (r.velocity + o->position_bandwidth * error);
}

// ---- Velocity -------------------------------------------------------------------------------

// No faster than allowed, and slower the nearer the stop: exponentially into it, at the motor's
// side of the spring, where the loop is closed.
static double velocity_allowed(const atemi_joint_control *c, double w)
{
    const atemi_joint_control_options *o = &c->options;
    const double                       N = o->drive.gear, place = c->motor.position * c->reduction;
    const double                       limit = N * c->command.speed_limit;
    const double                       up = N * o->stop_rate * (o->highest - place);
    const double                       down = N * o->stop_rate * (o->lowest - place);
    return within(between(w, down, up), limit);
}

static double current_for_velocity(const atemi_joint_control *c, double w, double acceleration)
{
    const atemi_joint_drive *d = &c->options.drive;
    const double             wanted =
        d->gear * acceleration - c->motor.excess + c->quickness * (w - c->ahead.velocity);
    return (c->inertia * wanted + drive_friction(d, w) + c->torque * c->reduction) * c->effect;
}

// Friction is left to damp: with all of it fed forward, rotor and spring would swing on.
static double current_for_torque(const atemi_joint_control *c)
{
    const atemi_joint_drive *d = &c->options.drive;
    const double             rotor = c->inertia * d->gear * c->command.acceleration;
    return (c->torque_demand * c->reduction + rotor) * c->effect;
}

// ---- Current --------------------------------------------------------------------------------

// What is left of a voltage across the winding at the motor's speed w.
static double voltage_across(const atemi_joint_control *c, double voltage, double w)
{
    return voltage - c->options.drive.back_emf * w + c->unexplained;
}

// The current a tick after one of i.
static double current_after(const atemi_joint_control *c, double i, double voltage, double w)
{
    const winding over = {c->decay, c->gain};
    return winding_next(&over, i, voltage_across(c, voltage, w));
}

// The voltage after which the current is i, within the limits.
static double voltage_for(const atemi_joint_control *c, double i)
{
    const atemi_joint_control_options *o = &c->options;
    const double                       next = within(i, o->current_limit);
    const double                       across = (next - c->decay * c->ahead.current) * c->need;
    return within(across - voltage_across(c, 0.0, c->ahead.mean_velocity), o->drive.bus_voltage);
}

static double voltage_for_current(const atemi_joint_control *c, double demand)
{
    const double now = c->ahead.current;
    return voltage_for(c, now + c->approach * (demand - now));
}

static double voltage_limited(const atemi_joint_control *c, double voltage)
{
    return voltage_for(c, current_after(c, c->ahead.current, voltage, c->ahead.mean_velocity));
}

static void put_voltage(atemi_joint_control *c, double voltage, atemi_joint_output *out)
{
    const double now = c->ahead.current;
    c->expected =
        c->options.acts_next_tick ? now : current_after(c, now, voltage, c->ahead.mean_velocity);
    c->voltage = voltage;
    out->voltage = voltage;
    out->duty = voltage * c->part;
}

// The motor's speed a time later, with the current i meanwhile.
static double velocity_after(const atemi_joint_control *c, double w, double i, double time)
{
    return w + time * (atemi_joint_motor_acceleration(c, i) + c->motor.excess);
}

static atemi_joint_ahead a_tick_later(const atemi_joint_control *c, const atemi_joint_ahead *now)
{
    const double T = c->options.period;
    const double i = current_after(c, now->current, c->voltage, now->mean_velocity);
    const double w = velocity_after(c, now->velocity, 0.5 * (now->current + i), T);
    return (atemi_joint_ahead){i, w, velocity_after(c, w, i, 0.5 * T)};
}

void atemi_joint_loops_look_ahead(atemi_joint_control *control)
{
    const atemi_joint_control *c = control;
    const double               i = c->current, w = c->motor.velocity;
    const atemi_joint_ahead    now = {i, w, velocity_after(c, w, i, 0.5 * c->options.period)};
    control->ahead = c->options.acts_next_tick ? a_tick_later(c, &now) : now;
}

// ---- The cascade ----------------------------------------------------------------------------

// Torque loops that do not run start from the torque there is.
static void rest_torque_loops(atemi_joint_control *c)
{
    c->torque_demand = c->torque;
    c->feedback = c->integral = 0.0;
}

static void run_from_velocity(atemi_joint_control *c, double w, atemi_joint_output *out)
{
    const double allowed = velocity_allowed(c, w);
    const double acceleration = allowed == w ? c->command.acceleration : 0.0;
    const double current = current_for_velocity(c, allowed, acceleration);
    out->velocity_demand = allowed;
    out->current_demand = within(current, c->options.current_limit);
    put_voltage(c, voltage_for_current(c, out->current_demand), out);
}

static void run_from_current(atemi_joint_control *c, double i, atemi_joint_output *out)
{
    out->current_demand = within(off_stop(c, i), c->options.current_limit);
    put_voltage(c, voltage_for_current(c, out->current_demand), out);
}

static void put_torque(atemi_joint_control *c, double torque, atemi_joint_output *out)
{
    c->torque_given = within(torque, c->options.torque_limit);
    out->torque_demand = c->torque_given;
}

static void run_alone(atemi_joint_control *c, atemi_joint_output *out)
{
    const atemi_joint_drive *d = &c->options.drive;
    const double             rotor = d->rotor_inertia * d->gear * d->gear;
    demand_torque(c);
    out->feedback_torque = c->feedback;
    put_torque(c, off_stop(c, c->torque_demand + rotor * c->command.acceleration), out);
}

static void run_from_torque(atemi_joint_control *c, atemi_joint_output *out)
{
    demand_torque(c);
    out->torque_demand = c->torque_demand;
    out->feedback_torque = c->feedback;
    if (c->command.direct_torque) {
        run_from_current(c, current_for_torque(c), out);
    } else {
        run_from_velocity(c, velocity_for_torque(c), out);
    }
}

void atemi_joint_loops_run(atemi_joint_control *control, atemi_joint_output *output)
{
    atemi_joint_control *c = control;
    const double         N = c->options.drive.gear;
    if (c->options.takes_torque) {
        run_alone(c, output);
        return;
    }
    switch (c->command.level) {
    case ATEMI_JOINT_VOLTAGE:
        rest_torque_loops(c);
        put_voltage(c, voltage_limited(c, off_stop(c, c->command.voltage)), output);
        return;
    case ATEMI_JOINT_CURRENT:
        rest_torque_loops(c);
        run_from_current(c, c->command.current, output);
        return;
    case ATEMI_JOINT_VELOCITY:
        rest_torque_loops(c);
        run_from_velocity(c, N * goal_now(c).velocity, output);
        return;
    case ATEMI_JOINT_POSITION:
        rest_torque_loops(c);
        run_from_velocity(c, velocity_for_position(c), output);
        return;
    case ATEMI_JOINT_TORQUE:
    case ATEMI_JOINT_IMPEDANCE:
        run_from_torque(c, output);
        return;
    }
}

// A joint whose position is lost is given nothing.
static void brake_alone(atemi_joint_control *c, atemi_joint_output *output)
{
    const atemi_joint_control_options *o = &c->options;
    const bool                         is_lost = c->joint.begun < 2 || c->joint.rejected > 0;
    const double                       damping = o->torque_limit / o->speed_limit;
    rest_torque_loops(c);
    put_torque(c, is_lost ? 0.0 : -damping * c->velocity, output);
}

void atemi_joint_loops_brake(atemi_joint_control *control, atemi_joint_output *output)
{
    if (control->options.takes_torque) {
        brake_alone(control, output);
        return;
    }
    const double emf = control->options.drive.back_emf * control->motor.velocity;
    const double limited = voltage_limited(control, 0.0);
    rest_torque_loops(control);
    put_voltage(control, emf > 0.0 ? between(limited, 0.0, emf) : between(limited, emf, 0.0),
                output);
}
