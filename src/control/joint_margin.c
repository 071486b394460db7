// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/joint_control.h"

#include <math.h>

// The loops of joint_loops.c around a link of inertia m and damping c, linear, at s = j w, with J =
// N^2 times the rotor, p the motor's angle / N, W bandwidths, E the delay of a tick, H what the
// joint's tracker makes of its position and velocity (three equal poles):
//
//   q = r p,   r = (k + d s) / (m s^2 + c s + k + d s)                   link
//   t = (k + d s) (p - q),   t^ = (k + d s) p - (k H_q + d H_v) q        spring, and as sensed
//   J s^2 p = C (J W_v (E w - s p) + E t^) - t                           motor and current loop
//   w = H_v q + W_t (t_r - t^) / k                                       torque loop
//   C = exp(-s T / 2) / (1 + s / W_c),   E = exp(-s T),   W_v = (1 - exp(-W_v T)) / T
//
// (predictions of the model are exact here, and friction is fed forward). The impedance loop is cut
// where it demands torque:
//
//   L = (K H_q + D H_v) q / t_r
//
// Without spring, q = p with J + m, and the position loop is cut: L = W_p p / w. A drive that takes
// torques is cut as one with spring, with q / t_r = exp(-s T / 2) E / ((J + m) s^2 + c s). The loop
// is stable, closed, if 1 + L, from w = 0 to the highest frequency, comes to rest in phase 0: the
// two integrators of a free link begin at -180 degrees, one of them at -90 where its damping acts.

typedef struct complex_number {
    double re, im;
} complex_number;

static complex_number real_of(double x)
{
    return (complex_number){x, 0.0};
}

static complex_number add(complex_number a, complex_number b)
{
    return (complex_number){a.re + b.re, a.im + b.im};
}

static complex_number scaled(double x, complex_number a)
{
    return (complex_number){x * a.re, x * a.im};
}

static complex_number minus(complex_number a, complex_number b)
{
    return add(a, scaled(-1.0, b));
}

static complex_number times(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static complex_number over(complex_number a, complex_number b)
{
    const double square = b.re * b.re + b.im * b.im;
    return scaled(1.0 / square, times(a, (complex_number){b.re, -b.im}));
}

static complex_number delay(double frequency, double time)
{
    return (complex_number){cos(frequency * time), -sin(frequency * time)};
}

// ---- The open loop --------------------------------------------------------------------------

typedef struct cut_loop {
    const atemi_joint_control_options *o;
    double                             stiffness, damping;
    atemi_joint_link                   link;
    double                             rotor;    ///< J, at the joint
    double                             velocity; ///< W_v of the sampled loop
    double                             torque;   ///< W_t
    bool                               is_elastic, takes_torque;
} cut_loop;

static cut_loop cut(const atemi_joint_control_options *o, double stiffness, double damping,
                    atemi_joint_link link)
{
    const double limit = fmax(o->drive.spring, 2.0 * stiffness);
    cut_loop     l = {.o = o, .stiffness = stiffness, .damping = damping, .link = link};
    l.takes_torque = o->takes_torque;
    l.is_elastic = !l.takes_torque && atemi_joint_drive_is_elastic(&o->drive);
    l.rotor = o->drive.rotor_inertia * o->drive.gear * o->drive.gear;
    l.velocity = -expm1(-o->velocity_bandwidth * o->period) / o->period;
    l.torque = o->torque_bandwidth;
    if (o->in_chain && l.is_elastic && o->torque_bandwidth * damping > limit) {
        l.torque = limit / damping;
    }
    return l;
}

typedef struct sensed {
    complex_number position, velocity; ///< of a position 1
} sensed;

static sensed tracked(double W, complex_number s)
{
    const complex_number a = add(s, real_of(W)), cube = times(a, times(a, a));
    const complex_number slow = add(scaled(3.0 * W * W, s), real_of(W * W * W));
    return (sensed){over(add(scaled(3.0 * W, times(s, s)), slow), cube),
                    over(times(s, slow), cube)};
}

static complex_number elastic_loop(const cut_loop *l, complex_number s, complex_number C,
                                   complex_number E)
{
    const atemi_joint_drive *d = &l->o->drive;
    const sensed             H = tracked(l->o->joint_tracking, s);
    const complex_number     spring = add(real_of(d->spring), scaled(d->spring_damping, s));
    const complex_number     moved = add(scaled(l->link.inertia, s), real_of(l->link.damping));
    const complex_number     r = over(spring, add(times(s, moved), spring));
    const complex_number     t = times(spring, minus(real_of(1.0), r));
    const complex_number     seen =
        add(scaled(d->spring, H.position), scaled(d->spring_damping, H.velocity));
    const complex_number t_seen = minus(spring, times(seen, r));
    const complex_number w = minus(times(H.velocity, r), scaled(l->torque / d->spring, t_seen));
    const complex_number drive = scaled(l->rotor * l->velocity, minus(times(E, w), s));
    const complex_number left = add(scaled(l->rotor, times(s, s)), t);
    const complex_number motor = minus(left, times(C, add(drive, times(E, t_seen))));
    const double         gain = l->rotor * l->velocity * l->torque / d->spring;
    const complex_number p = over(scaled(gain, times(C, E)), motor);
    const complex_number feedback =
        add(scaled(l->stiffness, H.position), scaled(l->damping, H.velocity));
    return times(feedback, times(r, p));
}

static complex_number torque_loop(const cut_loop *l, complex_number s, complex_number E)
{
    const sensed         H = tracked(l->o->joint_tracking, s);
    const double         m = l->rotor + l->link.inertia;
    const complex_number moved = times(s, add(scaled(m, s), real_of(l->link.damping)));
    const complex_number held = delay(s.im, 0.5 * l->o->period);
    const complex_number feedback =
        add(scaled(l->stiffness, H.position), scaled(l->damping, H.velocity));
    return over(times(feedback, times(held, E)), moved);
}

// J cancels out.
static complex_number rigid_loop(const cut_loop *l, complex_number s, complex_number C,
                                 complex_number E)
{
    const complex_number motor = add(times(s, s), times(C, scaled(l->velocity, s)));
    return over(scaled(l->o->position_bandwidth * l->velocity, times(C, E)), motor);
}

static complex_number loop_at(const cut_loop *l, double frequency)
{
    const atemi_joint_control_options *o = l->o;
    const complex_number               s = {0.0, frequency};
    const complex_number               lag = {1.0, frequency / o->current_bandwidth};
    const complex_number               C = over(delay(frequency, 0.5 * o->period), lag);
    const complex_number               E = delay(frequency, o->acts_next_tick ? o->period : 0.0);
    if (l->takes_torque) {
        return torque_loop(l, s, E);
    }
    return l->is_elastic ? elastic_loop(l, s, C, E) : rigid_loop(l, s, C, E);
}

atemi_frequency_response atemi_joint_control_open_loop(const atemi_joint_control_options *options,
                                                       double stiffness, double damping,
                                                       atemi_joint_link link, double frequency)
{
    const atemi_frequency_response none = {0};
    ATEMI_REQUIRE_OR(options && link.inertia > 0.0 && frequency > 0.0, none);
    const cut_loop       l = cut(options, stiffness, damping, link);
    const complex_number L = loop_at(&l, frequency);
    return (atemi_frequency_response){hypot(L.re, L.im), atan2(L.im, L.re)};
}

// ---- Margins --------------------------------------------------------------------------------

static const double turn = 6.283185307179586;
static const double finest = 1.03; // from one frequency to the next
static const double lowest = 0.02; // of the loop's slowest corner

static double wrapped(double angle)
{
    return angle - turn * floor(angle / turn + 0.5);
}

// Where on the way from one value to the next it is 0.
static double crossing(double before, double now)
{
    return before / (before - now);
}

// Below all corners of the loop; 0 for one that demands nothing.
static double first_frequency(const cut_loop *l)
{
    const double K = l->stiffness, D = l->damping, c = l->link.damping;
    const double m = l->link.inertia + (l->takes_torque ? l->rotor : 0.0);
    if (!l->is_elastic && !l->takes_torque) {
        return lowest * l->o->position_bandwidth;
    }
    double corner = K > 0.0 ? sqrt(K / m) : D / m;
    corner = K > 0.0 && D > 0.0 ? fmin(corner, K / D) : corner;
    return lowest * (c > 0.0 ? fmin(corner, c / m) : corner);
}

typedef struct scan {
    double         frequency;
    complex_number loop;
    double         phase; ///< of 1 + L, unwrapped
} scan;

static scan scan_at(const cut_loop *l, double frequency, double phase_before)
{
    const complex_number L = loop_at(l, frequency);
    const double         phase = atan2(L.im, 1.0 + L.re);
    return (scan){frequency, L, phase_before + wrapped(phase - phase_before)};
}

static void see_unit_circle(const scan *a, const scan *b, atemi_joint_margin *margin)
{
    const double before = log(hypot(a->loop.re, a->loop.im));
    const double now = log(hypot(b->loop.re, b->loop.im));
    if ((before > 0.0) == (now > 0.0)) {
        return;
    }
    const double x = crossing(before, now);
    const double phase = atan2(a->loop.im, a->loop.re);
    const double change = wrapped(atan2(b->loop.im, b->loop.re) - phase);
    const double distance = fabs(wrapped(phase + x * change + 0.5 * turn));
    if (distance < margin->phase) {
        margin->phase = distance;
        margin->frequency = a->frequency * pow(b->frequency / a->frequency, x);
    }
}

static void see_axis(const scan *a, const scan *b, atemi_joint_margin *margin)
{
    if ((a->loop.im > 0.0) == (b->loop.im > 0.0)) {
        return;
    }
    const double x = crossing(a->loop.im, b->loop.im);
    const double at = a->loop.re + x * (b->loop.re - a->loop.re);
    if (at < 0.0 && at > -1.0) {
        margin->gain = fmin(margin->gain, -1.0 / at);
    }
}

atemi_joint_margin atemi_joint_control_margin(const atemi_joint_control_options *options,
                                              double stiffness, double damping,
                                              atemi_joint_link link)
{
    atemi_joint_margin margin = {.stable = true, .phase = 0.5 * turn, .gain = INFINITY};
    ATEMI_REQUIRE_OR(options && link.inertia > 0.0, margin);
    const cut_loop l = cut(options, stiffness, damping, link);
    const double   first = first_frequency(&l), last = 0.5 * turn / options->period;
    if (!(first > 0.0)) {
        return margin; // limp
    }
    scan before = scan_at(&l, first, 0.0);
    while (before.frequency < last) {
        const scan now = scan_at(&l, before.frequency * finest, before.phase);
        see_unit_circle(&before, &now, &margin);
        see_axis(&before, &now, &margin);
        before = now;
    }
    margin.stable = fabs(before.phase) < 0.25 * turn;
    return margin;
}
