// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_phases.h"

#include "plan/strike_feet.h"

#include <math.h>
#include <string.h>

// Ranges and speeds are bounded at their extremes, of which each joint has one in each stretch of
// the way: a constraint for every instant would be many more, and between instants something could
// be missed. An extreme is a smooth function of the variables as long as no other is as large.

enum { LOOKS = 5 }; // at rates in a segment, before the extreme is refined

// The knots of a way between which hand or body moves.
typedef struct stretch {
    const strike_way *way;
    int               from, to;
    const char       *name;
} stretch;

// ---- Ranges

// The part of a segment after which a cubic with the slopes d0, d1 of opposite sign at its ends,
// which rises by D, turns: where  d0 + b y + a y^2 = 0.
static double turning_point(double d0, double d1, double D)
{
    const double b = 2.0 * (3.0 * D - 2.0 * d0 - d1), a = 3.0 * (d0 + d1 - 2.0 * D);
    const double root = -0.5 * (b + copysign(sqrt(fmax(b * b - 4.0 * a * d0, 0.0)), b));
    const double y = root != 0.0 ? d0 / root : 0.5;
    return y >= 0.0 && y <= 1.0 ? y : root / a;
}

static double room_at(const atemi_joint *joint, double q)
{
    return fmin(q - joint->limits.lower, joint->limits.upper - q);
}

// The least room of a joint from a knot to the next.
static double room_between(const strike_way *way, int knot, const atemi_joint *joint)
{
    const strike_knot *from = &way->knots[knot - 1], *to = &way->knots[knot];
    const double       h = way->sign * (to->time - from->time);
    const double       q0 = from->q[joint->first_q], q1 = to->q[joint->first_q];
    const double       d0 = h * from->v[joint->first_v], d1 = h * to->v[joint->first_v];
    double             room = room_at(joint, q1);
    if (d0 * d1 < 0.0) {
        const double y = turning_point(d0, d1, q1 - q0), z = 1.0 - y;
        const double turn = q0 * (1.0 + 2.0 * y) * z * z + q1 * (3.0 - 2.0 * y) * y * y +
                            d0 * y * z * z - d1 * y * y * z;
        room = fmin(room, room_at(joint, turn));
    }
    return room;
}

static void constrain_ranges(strike_problem *p, const stretch *s)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        if (joint->v_count != 1 || !isfinite(joint->limits.lower + joint->limits.upper)) {
            continue;
        }
        const double given = room_at(joint, p->task.q[joint->first_q]); // may be less
        double       room = INFINITY;
        for (int k = s->from + 1; k <= s->to; ++k) {
            room = fmin(room, room_between(s->way, k, joint));
        }
        strike_constrain(p, room,
                         (strike_bounds){fmin(p->task.travel_margin, given), INFINITY, 0.1,
                                         joint->type == ATEMI_JOINT_PRISMATIC ? "m" : "rad"},
                         "room of %.50s while the %s", joint->name, s->name);
    }
}

// ---- Speeds

static void look_at_speeds(strike_problem *p, const stretch *s, strike_fastest *most)
{
    const int n = p->base.count;
    memset(most, 0, (size_t)n * sizeof *most);
    for (int k = s->from + 1; k <= s->to; ++k) {
        const double begin = s->way->knots[k - 1].time, end = s->way->knots[k].time;
        for (int i = 0; i <= LOOKS; ++i) {
            const double time = begin + (end - begin) * ((double)i / (double)LOOKS);
            strike_way_rates(s->way, k, time, n, p->knot_v, NULL);
            for (int j = 0; j < n; ++j) {
                if (fabs(p->knot_v[j]) > most[j].speed) {
                    most[j] = (strike_fastest){fabs(p->knot_v[j]), time};
                }
            }
        }
    }
}

// Two steps of Newton towards where the speed does not change.
static double refine(const stretch *s, strike_fastest most, int index)
{
    const double begin = s->way->knots[s->from].time, end = s->way->knots[s->to].time;
    double       time = most.time, speed = most.speed;
    for (int i = 0; i < 3; ++i) {
        int knot = s->from + 1;
        while (knot < s->to && s->way->knots[knot].time < time) {
            ++knot;
        }
        const strike_speed here = strike_way_speed(s->way, knot, time, index);
        speed = fmax(speed, fabs(here.value));
        if (here.value * here.bend >= 0.0) {
            break;
        }
        time = fmin(fmax(time - here.slope / here.bend, begin), end);
    }
    return speed;
}

static void constrain_speeds(strike_problem *p, const stretch *s)
{
    look_at_speeds(p, s, p->fastest);
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        const double       limit = strike_speed_limit(p, joint);
        if (isfinite(limit)) {
            const strike_fastest most = p->fastest[joint->first_v];
            const double         speed =
                most.speed > 0.5 * limit ? refine(s, most, joint->first_v) : most.speed;
            strike_constrain(
                p, speed,
                (strike_bounds){-INFINITY, limit, 0.5,
                                joint->type == ATEMI_JOINT_PRISMATIC ? "m/s" : "rad/s"},
                "speed of %.50s while the %s", joint->name, s->name);
        }
    }
}

void strike_constrain_motion(strike_problem *p)
{
    const stretch stretches[] = {
        {&p->ways[0], 0, STRIKE_HAND_KNOTS, "hand gathers speed"},
        {&p->ways[0], STRIKE_HAND_KNOTS, STRIKE_KNOTS, "body gathers speed"},
        {&p->ways[1], 0, STRIKE_HAND_KNOTS, "hand slows down"},
        {&p->ways[1], STRIKE_HAND_KNOTS, STRIKE_KNOTS, "body slows down"}};
    for (size_t i = 0; i < sizeof stretches / sizeof stretches[0]; ++i) {
        constrain_ranges(p, &stretches[i]);
        constrain_speeds(p, &stretches[i]);
    }
}

// ---- Torques and friction

enum { INSTANTS = 9 }; // of a phase, first touch aside

// Parts of the hand's time, then of what is left until the body rests.
static double instant(const strike_way *way, int i)
{
    static const double parts[INSTANTS + 1] = {0.0, 0.15, 0.3,       0.45,      0.6,
                                               0.8, 1.0,  4.0 / 3.0, 5.0 / 3.0, 2.0};
    return parts[i] <= 1.0 ? parts[i] * way->hand
                           : way->hand + (parts[i] - 1.0) * (way->body - way->hand);
}

static void constrain_torques(strike_problem *p, const char *phase, int i)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        if (joint->v_count == 1 && isfinite(joint->limits.effort) && joint->limits.effort > 0.0) {
            strike_constrain(p, fabs(p->tau[joint->first_v]) / joint->limits.effort,
                             (strike_bounds){-INFINITY, p->task.torque_part, 0.1, "-"},
                             "torque of %.50s %s (%d/%d)", joint->name, phase, i, INSTANTS);
        }
    }
}

static void constrain_grips(strike_problem *p, const atemi_force *wrenches, const char *phase,
                            int i)
{
    for (int k = 0; k < p->task.foot_count; ++k) {
        const char *name = atemi_model_site(p->model, p->task.feet[k])->name;
        strike_constrain(p, strike_foot_grip(p, k, wrenches[k], p->task.travel_friction),
                         (strike_bounds){0.0, INFINITY, 10.0, "N"}, "friction of %.40s %s (%d/%d)",
                         name, phase, i, INSTANTS);
    }
}

static void look_at_instant(strike_problem *p, const strike_way *way, int i)
{
    const char *phase = way->sign < 0.0 ? "gathering speed" : "slowing down";
    atemi_force wrenches[ATEMI_STRIKE_MOST_FEET];
    strike_way_at(p, way, instant(way, i), p->knot_q, p->knot_v, p->knot_a);
    strike_feet_of_motion(p, p->knot_q, p->knot_v, p->knot_a, wrenches);
    if (isfinite(p->task.torque_part)) {
        constrain_torques(p, phase, i);
    }
    if (isfinite(p->task.travel_friction)) {
        constrain_grips(p, wrenches, phase, i);
    }
}

// First touch belongs to what comes after it.
void strike_constrain_effort(strike_problem *p)
{
    for (int i = 1; i <= INSTANTS; ++i) {
        look_at_instant(p, &p->ways[0], i);
    }
    for (int i = 0; i <= INSTANTS; ++i) {
        look_at_instant(p, &p->ways[1], i);
    }
}
