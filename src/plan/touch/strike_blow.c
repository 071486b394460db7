// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_blow.h"

#include "plan/doubt/strike_case.h"
#include "plan/touch/strike_balance.h"
#include "plan/touch/strike_feet.h"

#include <math.h>
#include <string.h>

// What the floor does to the feet is what the motion needs at first touch, and what the blow adds
// to it.
// The servos hold what the motion needs at first touch; their limits are those of both.
//
// Where things are in doubt, the blow of each case of it comes on top of what the motion does then
// (strike_case.c).

// Where all servos are at their limits, a robot may fall apart by steps of a microsecond: a blow
// takes hundreds of evaluations, and one that takes more is none.
enum { MOST_EVALUATIONS = 4096 };

static const double zmp_scale = 0.01, force_scale = 10.0, moment_scale = 1.0; // m, N, N m

// ---- What the floor does

typedef struct blow_watch {
    const strike_setup *setup;
    const double       *jacobian; ///< of the hand along the blow
    strike_feet        *feet;
    strike_outcome     *outcome;
} blow_watch;

static void on_sample(void *context, const atemi_blow_sample *sample)
{
    blow_watch *watch = (blow_watch *)context;
    strike_feet_in_blow(watch->setup, watch->jacobian, sample, watch->feet,
                        watch->outcome->wrenches[watch->outcome->count++]);
}

// ---- One blow

// Where and how the target is met.
typedef struct blow_case {
    strike_case   as;
    const double *q, *v;
} blow_case;

// How far the hand goes until a time.
static double hand_path(const strike_values *x, double time)
{
    const double T = time < 0.0 ? x->hand_rise : x->hand_fall;
    return copysign(x->speed * strike_fraction_integral(T, fabs(time)), time);
}

double strike_blow_drift(const strike_setup *s, const strike_values *x, double time)
{
    const double T = fmin(s->touch.duration, x->hand_fall);
    const double speed = x->speed * strike_fraction_at(time, x->hand_rise, x->hand_fall);
    const double mean = (hand_path(x, time + T) - hand_path(x, time)) / T;
    return 2.0 * (mean - speed) / T;
}

// Everything about the posture that a blow there needs.
// @return whether the virtual base is one
static bool prepare(const strike_setup *s, const double *q, strike_workspace *work)
{
    const atemi_ground ground = strike_setup_ground(s);
    strike_feet_prepare(s, q, &work->feet);
    return !atemi_virtual_base_update(s->model, q, &ground, &s->task.point, &work->base, NULL);
}

atemi_blow_setting strike_blow_setting(const strike_setup *s, const double *v, const double *held,
                                       double drift)
{
    atemi_blow_setting setting = atemi_blow_setting_default();
    setting.rates = v;
    setting.drift = drift;
    setting.servo = s->task.servo;
    setting.servo.held = held;
    setting.surface = s->task.surface;
    setting.target = s->task.target;
    return setting;
}

atemi_blow_options strike_blow_options(const strike_setup *s, double duration)
{
    atemi_blow_options options = atemi_blow_options_default();
    options.duration = duration;
    options.past_release = true;
    options.step = s->touch.step;
    options.most_evaluations = MOST_EVALUATIONS;
    options.method = strike_touch_is_linear(&s->task) ? ATEMI_BLOW_EXACT : ATEMI_BLOW_RK4;
    return options;
}

// After look_at_motion() and prepare().
static void run_blow(const strike_setup *s, const strike_values *x, const blow_case *at,
                     strike_workspace *work, strike_outcome *outcome)
{
    blow_watch               watch = {s, work->base.jacobian, &work->feet, outcome};
    const double            *times = s->touch.times;
    const atemi_blow_watch   looks = {times, STRIKE_BLOW_SAMPLES, on_sample, &watch};
    const atemi_blow_options options = strike_blow_options(s, times[STRIKE_BLOW_SAMPLES - 1]);
    atemi_blow_setting       setting =
        strike_blow_setting(s, at->v, work->held, strike_blow_drift(s, x, at->as.time));
    strike_case_set(s, &at->as.deviation, work->stiffness, work->damping, &setting);
    atemi_blow(&work->base, &setting, &options, &looks, &work->blow, &outcome->blow, NULL);
}

// What the motion needs of floor and servos at the first touch. Where soles do not matter, as in
// [STRIKE], the robot rests.
static void look_at_motion(const strike_setup *s, const strike_evaluation *plan,
                           const blow_case *at, strike_workspace *work, atemi_force *wrenches)
{
    if (isfinite(s->task.friction)) {
        strike_trajectory_at(s->model, &plan->trajectories[at->as.time < 0.0 ? 0 : 1],
                             fabs(at->as.time), &work->trajectory, work->q, work->v, work->a);
        strike_feet_of_motion(s, work->q, work->v, work->a, &work->feet, wrenches);
    } else {
        strike_feet_of_motion(s, at->q, NULL, NULL, &work->feet, wrenches);
    }
    memcpy(work->held, work->feet.torques, (size_t)s->v_count * sizeof *work->held);
}

static strike_outcome outcome_of(const strike_setup *s, const strike_evaluation *plan,
                                 const blow_case *at, strike_workspace *work)
{
    strike_outcome outcome = {0};
    look_at_motion(s, plan, at, work, outcome.motion);
    if (prepare(s, at->q, work)) {
        run_blow(s, &plan->values, at, work, &outcome);
    }
    return outcome;
}

void strike_blow_find(const strike_setup *s, const strike_evaluation *at, strike_workspace *work,
                      strike_outcome *outcome)
{
    const blow_case planned = {strike_case_planned(), at->q, at->v};
    *outcome = outcome_of(s, at, &planned, work);
}

// ---- Constraints

// @param about what all constraints of a blow have in common
static void constrain_sole(const strike_setup *s, const atemi_kinematics *kinematics,
                           atemi_strike_constraint about, int foot, const strike_outcome *o,
                           strike_rows *rows)
{
    const double friction = (1.0 - s->task.reserve) * s->task.friction;
    about.index = foot;
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        const atemi_force wrench = o->wrenches[i][foot];
        double            grip[2] = {-1.0, -1.0}, edges[4] = {-1.0, -1.0, -1.0, -1.0};
        if (i < o->count) {
            strike_foot_grip(s, foot, wrench, friction, grip);
            strike_foot_edges(s, kinematics, foot, wrench, edges);
        }
        about.sample = i;
        about.time = s->touch.times[i];
        about.kind = ATEMI_CONSTRAIN_BLOW_FRICTION;
        about.unit = "N";
        strike_constrain_extreme(rows, about, strike_at_least(0.0, force_scale), grip, 2);
        about.kind = ATEMI_CONSTRAIN_BLOW_EDGE;
        about.unit = "N m";
        strike_constrain_extreme(rows, about, strike_at_least(0.0, moment_scale), edges, 4);
    }
}

// @return the least margin
static double constrain_zmp(const strike_setup *s, const strike_evaluation *plan,
                            atemi_strike_constraint about, const strike_outcome *o,
                            strike_rows *rows)
{
    const strike_bounds bounds = strike_at_least(s->task.impact_margin, zmp_scale);
    double              least = INFINITY;
    about.kind = ATEMI_CONSTRAIN_BLOW_ZMP;
    about.unit = "m";
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        atemi_vec3 zmp;
        double     margins[STRIKE_MAX_CORNERS];
        const bool presses =
            i < o->count && strike_feet_zmp(s, &plan->kinematics, o->wrenches[i], &zmp);
        strike_support_margins(&plan->support, presses ? &zmp : NULL, margins);
        about.sample = i;
        about.time = s->touch.times[i];
        least = fmin(least, strike_constrain_extreme(rows, about, bounds, margins,
                                                     plan->support.corner_count));
    }
    return least;
}

// What the blow does comes on top of what the motion does.
// @return the least margin of the ZMP
static double constrain(const strike_setup *s, const strike_evaluation *plan,
                        const atemi_strike_deviation *deviation, const strike_outcome *blow,
                        strike_rows *rows)
{
    const atemi_strike_constraint about = {
        .phase = ATEMI_PHASE_BLOW, .last_sample = STRIKE_BLOW_SAMPLES - 1, .deviation = *deviation};
    strike_outcome sum = {.count = blow->count};
    for (int i = 0; i < sum.count; ++i) {
        for (int k = 0; k < s->task.foot_count; ++k) {
            sum.wrenches[i][k] = atemi_force_add(blow->wrenches[i][k], blow->motion[k]);
        }
    }
    const double least = constrain_zmp(s, plan, about, &sum, rows);
    for (int k = 0; k < s->task.foot_count && isfinite(s->task.friction); ++k) {
        constrain_sole(s, &plan->kinematics, about, k, &sum, rows);
    }
    return least;
}

// ---- As it may come instead

double strike_constrain_case(const strike_setup *s, const strike_evaluation *plan,
                             const atemi_strike_deviation *deviation, strike_workspace *work,
                             strike_rows *rows)
{
    blow_case at = {strike_case_find(&plan->values, deviation), plan->q, plan->v};
    if (at.as.time != 0.0) {
        strike_trajectory_at(s->model, &plan->trajectories[at.as.time < 0.0 ? 0 : 1],
                             fabs(at.as.time), &work->trajectory, work->doubt_q, work->doubt_v,
                             NULL);
        at.q = work->doubt_q;
        at.v = work->doubt_v;
    }
    const strike_outcome outcome = outcome_of(s, plan, &at, work);
    return constrain(s, plan, &at.as.deviation, &outcome, rows);
}

// ---- All of them

double strike_constrain_blow(const strike_setup *s, const strike_evaluation *at,
                             strike_workspace *work, strike_rows *rows)
{
    const strike_case planned = strike_case_planned();
    double            least = constrain(s, at, &planned.deviation, &at->outcome, rows);
    for (int i = 0; i < s->task.case_count; ++i) {
        least = fmin(least, strike_constrain_case(s, at, &s->task.cases[i], work, rows));
    }
    return least;
}
