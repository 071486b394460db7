// SPDX-License-Identifier: Apache-2.0

#include "walk/stride.h"

#include <math.h>

// With c the capture point, p the centre of pressure and ref the step that repeats itself
// (walk/capture_point.h):
//
//   pendulum     x'' = w^2 (x + lean z - p): on a slope as on the flat, with the mass shifted by
//                lean = g_x / |g_z| of its height
//   pressure     p = p_ref + k (c - c_ref)                  within what the feet cover
//   foothold     sole + length + (the error of c that will be left on landing)
//   clock        faster where much of that error is left: it lands sooner
//   length       at most 2 (travel + part felt z): then |x - p| / z, the friction used, is at most
//                part felt where the pressure has come to the end of its travel
//   hips         not higher than the legs reach: (hip - ankle)^2 + height^2 <= reach^2

static const double earliest_landing = 0.5; // part of a swing before which a touch is a stumble
static const double sliding = 0.01;         // m/s
static const double loaded = 100.0;         // N, of a foot whose slide tells friction
static const double shortest_step = 0.1;    // m
static const double edge = 0.02;            // m, of a flat sole that the pressure keeps from
static const double first_share = 0.1;      // of the force, on a foot that has just landed
static const double share_rise = 0.01;      // s, in which it gets that
static const double most_friction = 0.6;    // that the pressure may ask for
static const double most_hurry = 0.5;       // of its pace, by which the clock runs faster
static const double far_off = 0.3;          // m, for an error as large as this
static const double tilting = 0.6;          // part of a swing in which the foot gets its angle
static const double stretched = 0.98;       // part of a leg's length that it is stretched to
static const double foresight = 0.1;        // s, of the hips over a foot on the floor
static const double reaching = 0.3;         // part of a swing before landing that counts for reach
static const double sink_rate = 12.0, rise_rate = 6.0;     // rad/s, of the hips
static const double most_sinking = 5.0, most_rising = 3.0; // m/s^2
static const double deepest = 0.25;                        // m

static double within(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

static double middle(const atemi_foot_view *foot)
{
    return 0.5 * (foot->heel + foot->toe);
}

static double swing_time(const atemi_stride *s)
{
    return s->options.step_period - s->options.double_support;
}

static double time_left(const atemi_stride *s)
{
    return fmax(swing_time(s) - s->state.clock, 0.0);
}

void atemi_stride_start(atemi_stride *s)
{
    s->state = (atemi_walking_state){
        .phase = ATEMI_STRIDE_DOUBLE, .felt = 1.0, .step_length = shortest_step};
    s->hips = (atemi_axis_state){0};
    s->hurry = 1.0;
    s->left_from = NAN; // where the first look finds the centre of mass
}

// ---- Friction and length --------------------------------------------------------------------

static void feel(atemi_stride *s, const atemi_foot_view *foot)
{
    atemi_walking_state *state = &s->state;
    if (foot->push_z > loaded && foot->slide > sliding) {
        state->felt = fmin(state->felt, fabs(foot->push_x) / foot->push_z);
    } else {
        state->felt += s->options.tick / s->options.forgetting * (1.0 - state->felt);
    }
}

static void choose_length(atemi_stride *s, double height)
{
    const atemi_walking_options *o = &s->options;
    const double sure = 2.0 * (o->pressure_travel + o->felt_part * s->state.felt * height);
    const double goal = fmin(o->step_length, fmax(sure, shortest_step));
    s->state.step_length +=
        within(goal - s->state.step_length, -o->slacken * o->tick, o->gather * o->tick);
}

// ---- Phases ---------------------------------------------------------------------------------

static bool has_landed(const atemi_stride *s, const atemi_foot_view *foot)
{
    return (foot->heel_down || foot->toe_down) && s->state.clock > earliest_landing * swing_time(s);
}

static void land(atemi_stride *s, const atemi_body_view *view)
{
    s->state.phase = ATEMI_STRIDE_DOUBLE;
    s->state.clock = 0.0;
    s->hurry = 1.0;
    s->state.standing = 1 - s->state.standing;
    s->state.sole = middle(&view->feet[s->state.standing]);
    s->left_from = s->state.pressure;
    ++s->state.landings;
}

static void lift(atemi_stride *s, const atemi_foot_view *foot)
{
    s->state.phase = ATEMI_STRIDE_SWING;
    s->state.clock = 0.0;
    s->heel = (atemi_axis_state){foot->heel, foot->heel_speed, 0.0};
    s->lifted = foot->heel_height;
    s->tilted = foot->angle;
}

static void change_phase(atemi_stride *s, const atemi_body_view *view)
{
    s->state.clock += s->hurry * s->options.tick;
    if (s->state.phase == ATEMI_STRIDE_SWING && has_landed(s, &view->feet[1 - s->state.standing])) {
        land(s, view);
    }
    if (s->state.phase == ATEMI_STRIDE_DOUBLE && s->state.clock >= s->options.double_support) {
        lift(s, &view->feet[1 - s->state.standing]);
    }
}

// ---- The step that repeats itself -----------------------------------------------------------

typedef struct pace {
    double pressure, capture; ///< x, m
} pace;

static pace nominal(const atemi_stride *s)
{
    const atemi_walking_options *o = &s->options;
    const double                 t = fmin(s->state.clock, swing_time(s));
    const atemi_pendulum_step    step = atemi_pendulum_step_make(
        s->rate, s->state.step_length, o->pressure_travel, o->double_support, swing_time(s));
    const double landed = atemi_capture_point_on_landing(&step), sole = s->state.sole;
    if (s->state.phase == ATEMI_STRIDE_DOUBLE) {
        const atemi_pressure_run run = {s->left_from, sole + step.passing.to, o->double_support};
        return (pace){atemi_pressure_run_at(&run, t),
                      sole + atemi_capture_point_at(&step.passing, s->rate, landed, t)};
    }
    const double lifted = atemi_capture_point_at(&step.passing, s->rate, landed, o->double_support);
    return (pace){sole + atemi_pressure_run_at(&step.standing, t),
                  sole + atemi_capture_point_at(&step.standing, s->rate, lifted, t)};
}

// ---- Pressure -------------------------------------------------------------------------------

typedef struct span {
    double low, high; ///< x, m
} span;

// Where a foot can press: on its sole, or only where it touches.
static span covered(const atemi_foot_view *foot)
{
    if (foot->heel_down != foot->toe_down) {
        const double point = foot->heel_down ? foot->heel : foot->toe;
        return (span){point, point};
    }
    return (span){foot->heel + edge, foot->toe - edge};
}

// A foot that has been left behind pushes with its toe.
static span support(const atemi_stride *s, const atemi_body_view *view)
{
    const span standing = covered(&view->feet[s->state.standing]);
    if (s->state.phase == ATEMI_STRIDE_SWING) {
        return standing;
    }
    const double toe = view->feet[1 - s->state.standing].toe;
    const double share = first_share * fmin(s->state.clock / share_rise, 1.0);
    return (span){fmin(standing.low, toe + share * (standing.low - toe)), fmax(standing.high, toe)};
}

static void share_pressure(atemi_stride *s, const atemi_body_view *view)
{
    const int    here = s->state.standing, there = 1 - here;
    const span   standing = covered(&view->feet[here]);
    const double toe = view->feet[there].toe;
    s->pressures[here] = within(s->state.pressure, standing.low, standing.high);
    s->pressures[there] = toe;
    s->shares[here] = 1.0;
    if (s->state.phase == ATEMI_STRIDE_DOUBLE && s->pressures[here] != toe) {
        s->shares[here] = within((s->state.pressure - toe) / (s->pressures[here] - toe), 0.0, 1.0);
    }
    s->shares[there] = 1.0 - s->shares[here];
}

static void place_pressure(atemi_stride *s, const atemi_body_view *view, const pace *ref,
                           const span *room)
{
    const double friction = fmin(most_friction, s->options.felt_part * s->state.felt);
    const double farthest = friction * view->com_z;
    const double wished =
        ref->pressure + s->options.capture_gain * (s->state.capture - ref->capture);
    const double sure = within(wished, view->com_x - farthest, view->com_x + farthest);
    s->state.pressure = within(sure, room->low, room->high);
    share_pressure(s, view);
}

// ---- The swinging foot ----------------------------------------------------------------------

static void place_foot(atemi_stride *s, const atemi_body_view *view, const pace *ref,
                       const span *room)
{
    const atemi_walking_options *o = &s->options;
    const atemi_foot_view       *foot = &view->feet[1 - s->state.standing];
    const double                 error = s->state.capture - ref->capture, left = time_left(s);
    const double space = error > 0.0 ? room->high - ref->pressure : ref->pressure - room->low;
    if (left > o->last_change) {
        const double remaining =
            atemi_capture_error_after(error, s->rate, o->capture_gain, fmax(space, 0.0), left);
        s->hurry = 1.0 + most_hurry * within(fabs(remaining) / far_off, 0.0, 1.0);
        s->state.foothold =
            within(s->state.sole + s->state.step_length + remaining,
                   s->state.sole - o->longest_back, s->state.sole + o->longest_step);
    }
    const double           half = 0.5 * (foot->toe - foot->heel) / cos(foot->angle);
    const atemi_axis_state end = {s->state.foothold - half, 0.0, 0.0};
    const double           moving = left - o->settling;
    s->heel = moving > o->tick ? atemi_quintic_at(&s->heel, &end, moving, o->tick)
                               : (atemi_axis_state){s->heel.position, 0.0, 0.0};
}

atemi_axis_state atemi_stride_lift(const atemi_stride *s)
{
    const double T = swing_time(s), part = fmin(s->state.clock / T, 1.0), rest = 1.0 - part;
    const atemi_axis_state start = {s->lifted, 0.0, 0.0};
    const atemi_axis_state end = {0.0, -s->options.landing_speed, 0.0};
    atemi_axis_state       path = atemi_quintic_at(&start, &end, T, s->state.clock);
    const double           high = 16.0 * s->options.clearance; // 16 part^2 rest^2 is 1 half-way
    path.position += high * part * part * rest * rest;
    path.velocity += high * 2.0 * part * rest * (rest - part) / T;
    path.acceleration += high * 2.0 * (rest * rest - 4.0 * part * rest + part * part) *
                         (part < 1.0 ? 1.0 : 0.0) / (T * T);
    return path;
}

atemi_axis_state atemi_stride_tilt(const atemi_stride *s)
{
    const atemi_axis_state start = {s->tilted, 0.0, 0.0}, end = {-s->options.heel_strike, 0.0, 0.0};
    return atemi_quintic_at(&start, &end, tilting * swing_time(s), s->state.clock);
}

// ---- The hips -------------------------------------------------------------------------------

static double reached_height(const atemi_stride *s, double hip, double ankle_x, double ankle_z)
{
    const double off = hip - ankle_x, leg = stretched * s->reach;
    return ankle_z + sqrt(fmax(leg * leg - off * off, 0.25 * leg * leg));
}

// How high the hips may be, for the leg of a foot.
static double hip_limit(const atemi_stride *s, const atemi_body_view *view, int f)
{
    const atemi_foot_view *foot = &view->feet[f];
    if (s->state.phase == ATEMI_STRIDE_DOUBLE || f == s->state.standing) {
        const double hip = view->hip_x + foresight * view->hip_speed;
        return reached_height(s, hip, foot->ankle_x, foot->ankle_z);
    }
    if (time_left(s) > reaching * swing_time(s)) {
        return INFINITY;
    }
    const double hip = view->hip_x + time_left(s) * view->hip_speed;
    const double ankle = s->state.foothold + foot->ankle_x - middle(foot);
    return reached_height(s, hip, ankle, s->ankles);
}

static void place_hips(atemi_stride *s, const atemi_body_view *view)
{
    const double wished = s->options.hip_height + s->ankles;
    const double limit = fmin(hip_limit(s, view, ATEMI_LEFT), hip_limit(s, view, ATEMI_RIGHT));
    const double goal = within(limit - wished, -deepest, 0.0);
    const double rate = goal < s->hips.position ? sink_rate : rise_rate, dt = s->options.tick;
    s->hips.acceleration =
        within(rate * rate * (goal - s->hips.position) - 2.0 * rate * s->hips.velocity,
               -most_sinking, most_rising);
    s->hips.velocity += s->hips.acceleration * dt;
    s->hips.position += s->hips.velocity * dt;
}

void atemi_stride_update(atemi_stride *s, const atemi_body_view *view)
{
    if (isnan(s->left_from)) {
        s->left_from = view->com_x + s->lean * view->com_z;
        s->state.sole = middle(&view->feet[s->state.standing]);
    }
    s->rate = sqrt(s->gravity / view->com_z);
    s->state.capture = view->com_x + s->lean * view->com_z + view->com_speed / s->rate;
    feel(s, &view->feet[s->state.standing]);
    choose_length(s, view->com_z);
    change_phase(s, view);
    const pace ref = nominal(s);
    const span room = support(s, view);
    place_pressure(s, view, &ref, &room);
    if (s->state.phase == ATEMI_STRIDE_SWING) {
        place_foot(s, view, &ref, &room);
    }
    place_hips(s, view);
}
