// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_blow.h"

#include "plan/strike_balance.h"
#include "plan/strike_feet.h"

#include <math.h>
#include <string.h>

// What the floor does to the feet is what the motion needs at first touch, and what the blow adds
// to it.
//
// A target that is nearer or farther by d than it was planned for is met u of the hand's time T
// before or after the planned touch, where it has still d to go, or has gone d too far:
//
//   d = V T (u - u^3 + u^4 / 2)
//
// in the posture of then, by a hand that still gathers speed, or slows down already.

static const double zmp_scale = 0.01, force_scale = 10.0, moment_scale = 1.0; // m, N, N m

static const double longest_way = 0.45; // of V T, of which the whole way is half

// ---- What the floor does

typedef struct blow_watch {
    strike_problem *problem;
    strike_outcome *outcome;
} blow_watch;

static void on_sample(void *context, const atemi_blow_sample *sample)
{
    blow_watch *watch = (blow_watch *)context;
    strike_feet_in_blow(watch->problem, sample, watch->outcome->wrenches[watch->outcome->count++]);
}

// ---- One blow

// Where and how the target is met.
typedef struct blow_case {
    double        time; ///< from the planned touch, s
    double        mass;
    const double *q, *v;
} blow_case;

// How far the hand goes until a time.
static double hand_way(const strike_values *x, double time)
{
    const double T = time < 0.0 ? x->hand_rise : x->hand_fall;
    return copysign(x->speed * strike_part_integral(T, fabs(time)), time);
}

// The constant acceleration under which the hand's reference would lose, or gain, as much on
// average while hand and target touch.
static double find_drift(const strike_problem *p, double time)
{
    const strike_values *x = &p->values;
    const double         T = fmin(p->touch_time, x->hand_fall);
    const double         speed = x->speed * strike_part_at(time, x->hand_rise, x->hand_fall);
    const double         mean = (hand_way(x, time + T) - hand_way(x, time)) / T;
    return 2.0 * (mean - speed) / T;
}

bool strike_blow_is_linear(const strike_problem *p)
{
    return p->task.surface.law != ATEMI_BLOW_OTHER_LAW;
}

// Everything about the posture that a blow there needs.
static void prepare(strike_problem *p, const double *q)
{
    const atemi_strike_task *task = &p->task;
    int                      links[ATEMI_STRIKE_MOST_FEET];
    atemi_ground             ground = atemi_ground_default();
    for (int i = 0; i < task->foot_count; ++i) {
        links[i] = atemi_model_site(p->model, task->feet[i])->link;
    }
    ground.links = links;
    ground.count = task->foot_count;
    ground.rotors = p->rotors;
    strike_feet_prepare(p, q);
    p->can_strike = !atemi_virtual_base_update(p->model, q, &ground, &task->point, &p->base, NULL);
}

static void run_blow(strike_problem *p, const blow_case *at, strike_outcome *outcome)
{
    const atemi_strike_task *task = &p->task;
    blow_watch               watch = {p, outcome};
    atemi_blow_setting       setting = atemi_blow_setting_default();
    atemi_blow_options       options = atemi_blow_options_default();
    const atemi_blow_watch   looks = {p->blow_times, STRIKE_BLOW_SAMPLES, on_sample, &watch};
    setting.rates = at->v;
    setting.drift = find_drift(p, at->time);
    setting.servo = task->servo;
    setting.surface = task->surface;
    setting.target = task->target;
    setting.target.mass = at->mass;
    options.duration = p->blow_times[STRIKE_BLOW_SAMPLES - 1];
    options.past_release = true;
    options.step = p->blow_step;
    options.way = strike_blow_is_linear(p) ? ATEMI_BLOW_EXACT : ATEMI_BLOW_RK4;
    outcome->count = 0;
    outcome->blow = (atemi_blow_result){0};
    if (p->can_strike) {
        atemi_blow(&p->base, &setting, &options, &looks, &p->scratch, &outcome->blow, NULL);
    }
}

// What the motion needs of the floor at the first touch. Where soles do not matter, as in [STRIKE],
// the robot rests.
static void look_at_motion(strike_problem *p, const blow_case *at, atemi_force *wrenches)
{
    if (isfinite(p->task.friction)) {
        const strike_way *way = &p->ways[at->time < 0.0 ? 0 : 1];
        strike_way_at(p, way, fabs(at->time), p->knot_q, p->knot_v, p->knot_a);
        strike_feet_of_motion(p, p->knot_q, p->knot_v, p->knot_a, wrenches);
    } else {
        strike_feet_of_motion(p, at->q, NULL, NULL, wrenches);
    }
}

// ---- Constraints

static void constrain_sole(strike_problem *p, int foot, const strike_outcome *o, const char *note)
{
    const char  *name = atemi_model_site(p->model, p->task.feet[foot])->name;
    const double friction = (1.0 - p->task.reserve) * (p->task.friction - p->task.doubt.friction);
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        const atemi_force wrench = o->wrenches[i][foot];
        const double      at = 1e3 * p->blow_times[i];
        double            grip[2] = {-1.0, -1.0}, edges[4] = {-1.0, -1.0, -1.0, -1.0};
        if (i < o->count) {
            strike_foot_grip(p, foot, wrench, friction, grip);
            strike_foot_edges(p, foot, wrench, edges);
        }
        strike_constrain_extreme(p, grip, 2, (strike_bounds){0.0, INFINITY, force_scale, "N"},
                                 "friction of %.30s at %.3g ms%s", name, at, note);
        strike_constrain_extreme(p, edges, 4, (strike_bounds){0.0, INFINITY, moment_scale, "N m"},
                                 "edge of %.30s at %.3g ms%s", name, at, note);
    }
}

// What the blow does comes on top of what the motion does.
static void constrain(strike_problem *p, const strike_outcome *blow, const atemi_force *motion,
                      const char *note)
{
    const strike_bounds bounds = {p->task.impact_margin, INFINITY, zmp_scale, "m"};
    strike_outcome      sum = {.count = blow->count};
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        for (int k = 0; k < p->task.foot_count && i < sum.count; ++k) {
            sum.wrenches[i][k] = atemi_force_add(blow->wrenches[i][k], motion[k]);
        }
        atemi_vec3 zmp;
        double     margins[STRIKE_MOST_CORNERS];
        const bool presses = i < sum.count && strike_feet_zmp(p, sum.wrenches[i], &zmp);
        strike_find_margins(p, presses ? &zmp : NULL, margins);
        strike_constrain_extreme(p, margins, p->corner_count, bounds,
                                 "ZMP in the blow at %.3g ms%s", 1e3 * p->blow_times[i], note);
        p->impact_margin = fmin(p->impact_margin, strike_last_value(p));
    }
    for (int k = 0; k < p->task.foot_count && isfinite(p->task.friction); ++k) {
        constrain_sole(p, k, &sum, note);
    }
}

// ---- As it may come instead

// When a target is met that is `distance` farther, or nearer where it is negative.
static double time_of(const strike_values *x, double distance)
{
    const double T = distance < 0.0 ? x->hand_rise : x->hand_fall;
    const double part = fabs(distance) / (x->speed * T);
    const double way = part > 0.0 && part < longest_way ? part : longest_way;
    double       u = way;
    for (int i = 0; i < 6; ++i) {
        u -= (u - u * u * u + 0.5 * u * u * u * u - way) / (1.0 - 3.0 * u * u + 2.0 * u * u * u);
    }
    return copysign(u * T, distance);
}

static void doubt_mass(strike_problem *p, blow_case at, const atemi_force *motion,
                       const char *where)
{
    const double doubt = p->task.doubt.mass;
    const char  *joint = *where && doubt > 0.0 ? " and" : "";
    for (int sign = doubt > 0.0 ? -1 : 1; sign <= 1; sign += 2) {
        char           what[32] = "", note[80];
        strike_outcome outcome;
        at.mass = p->task.target.mass * (1.0 + sign * doubt);
        if (doubt > 0.0) {
            strike_text(what, sizeof what, " %.3g %% %s", 1e2 * doubt,
                        sign < 0 ? "lighter" : "heavier");
        }
        strike_text(note, sizeof note, ", target%s%s%s", where, joint, what);
        run_blow(p, &at, &outcome);
        constrain(p, &outcome, motion, note);
    }
}

static void doubt_distance(strike_problem *p)
{
    const double distance = p->task.doubt.distance;
    for (int sign = -1; sign <= 1; sign += 2) {
        char            where[32];
        const double    time = time_of(&p->values, sign * distance);
        const blow_case at = {time, p->task.target.mass, p->doubt_q, p->doubt_v};
        atemi_force     motion[ATEMI_STRIKE_MOST_FEET];
        strike_way_at(p, &p->ways[sign < 0 ? 0 : 1], fabs(time), p->doubt_q, p->doubt_v, NULL);
        strike_text(where, sizeof where, " %.3g cm %s", 1e2 * distance,
                    sign < 0 ? "nearer" : "farther");
        prepare(p, p->doubt_q);
        look_at_motion(p, &at, motion);
        doubt_mass(p, at, motion, where);
    }
}

// ---- All of them

// The blow depends on the rates only by the hand's speed, as long as no joint has friction.
static bool is_known(const strike_problem *p)
{
    const atemi_blow_servo *servo = &p->task.servo;
    return p->same_posture && p->same_hand && !servo->viscous && !servo->coulomb;
}

void strike_constrain_blow(strike_problem *p)
{
    const blow_case planned = {0.0, p->task.target.mass, p->q, p->v};
    atemi_force     motion[ATEMI_STRIKE_MOST_FEET];
    if (!is_known(p)) {
        prepare(p, p->q);
        run_blow(p, &planned, &p->outcome);
    }
    look_at_motion(p, &planned, motion);
    p->impact_margin = INFINITY;
    constrain(p, &p->outcome, motion, "");
    if (p->task.doubt.distance > 0.0) {
        doubt_distance(p);
    } else if (p->task.doubt.mass > 0.0) {
        doubt_mass(p, planned, motion, "");
    }
}
