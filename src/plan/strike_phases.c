// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_phases.h"

#include "plan/strike_feet.h"

#include <math.h>
#include <string.h>

// Ranges and speeds are bounded at their extremes, of which each joint has one in each stretch of
// the way: a constraint for every instant would be many more, and between instants something could
// be missed. Between two instants, where values q0, q1 and slopes d0, d1 over the part y of the
// time between them are known, it is a cubic with extremes at its ends and where
//
//   d0 + b y + a y^2 = 0,   b = 2 (3 D - 2 d0 - d1),   a = 3 (d0 + d1 - 2 D),   D = q1 - q0
//
// An extreme is a smooth function of the variables as long as no other is as large, and a
// continuous one always.

enum { LOOKS = 3 }; // at rates in a segment

static const double reversal = 0.05; // rad/s, m/s: rates at which friction is almost whole

// The knots of a way between which hand or body moves.
typedef struct stretch {
    const strike_way *way;
    int               from, to;
    const char       *name;
} stretch;

// ---- Extremes

typedef strike_extremes extremes;

static const extremes none = {INFINITY, -INFINITY};

static void look_at(double q, extremes *seen)
{
    seen->least = fmin(seen->least, q);
    seen->most = fmax(seen->most, q);
}

// Where the cubic turns at the part y, if it is one of this segment.
static void look_inside(double q0, double q1, double d0, double d1, double y, extremes *seen)
{
    if (y > 0.0 && y < 1.0) {
        const double z = 1.0 - y;
        look_at(q0 * (1.0 + 2.0 * y) * z * z + q1 * (3.0 - 2.0 * y) * y * y + d0 * y * z * z -
                    d1 * y * y * z,
                seen);
    }
}

static void look_between(double q0, double q1, double d0, double d1, extremes *seen)
{
    const double D = q1 - q0, b = 2.0 * (3.0 * D - 2.0 * d0 - d1), a = 3.0 * (d0 + d1 - 2.0 * D);
    const double square = b * b - 4.0 * a * d0;
    look_at(q0, seen);
    look_at(q1, seen);
    if (square > 0.0) {
        const double w = -0.5 * (b + copysign(sqrt(square), b));
        look_inside(q0, q1, d0, d1, w / a, seen); // outside where a is 0
        look_inside(q0, q1, d0, d1, d0 / w, seen);
    }
}

// ---- Ranges

// How far from its limits a joint may come; one that is given nearer, as near as it is given.
static double least_room(const strike_problem *p, const atemi_joint *joint)
{
    const double given = p->task.q[joint->first_q];
    const double room = fmin(given - joint->limits.lower, joint->limits.upper - given);
    return fmin(p->task.travel_margin, room);
}

static void constrain_range(strike_problem *p, const stretch *s, const atemi_joint *joint)
{
    double room[2 * STRIKE_MOST_KNOTS];
    int    count = 0;
    for (int k = s->from + 1; k <= s->to; ++k) {
        const strike_knot *from = &s->way->knots[k - 1], *to = &s->way->knots[k];
        const double       h = s->way->sign * (to->time - from->time);
        extremes           seen = none;
        look_between(from->q[joint->first_q], to->q[joint->first_q], h * from->v[joint->first_v],
                     h * to->v[joint->first_v], &seen);
        room[count++] = seen.least - joint->limits.lower;
        room[count++] = joint->limits.upper - seen.most;
    }
    strike_constrain_extreme(p, room, count,
                             (strike_bounds){least_room(p, joint), INFINITY, 0.1,
                                             joint->type == ATEMI_JOINT_PRISMATIC ? "m" : "rad"},
                             "room of %.50s while the %s", joint->name, s->name);
}

static void constrain_ranges(strike_problem *p, const stretch *s)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        if (joint->v_count == 1 && !strike_is_locked(p, joint) &&
            isfinite(joint->limits.lower + joint->limits.upper)) {
            constrain_range(p, s, joint);
        }
    }
}

// ---- Speeds

static extremes *speeds_in(const strike_problem *p, int segment, int rate)
{
    return p->speeds + (ptrdiff_t)segment * p->base.count + rate;
}

// In each segment of a stretch.
static void look_at_speeds(strike_problem *p, const stretch *s)
{
    const int n = p->base.count;
    double   *v = p->knot_v, *a = p->knot_a, *last_v = p->mean_v, *last_a = p->node_v;
    for (int k = s->from + 1; k <= s->to; ++k) {
        const double begin = s->way->knots[k - 1].time, end = s->way->knots[k].time;
        const double h = s->way->sign * (end - begin) / (double)LOOKS;
        extremes    *seen = speeds_in(p, k - 1, 0);
        for (int i = 0; i <= LOOKS; ++i) {
            strike_way_rates(s->way, k, begin + (end - begin) * ((double)i / (double)LOOKS), n, v,
                             a);
            for (int j = 0; j < n; ++j) {
                if (i == 0) {
                    seen[j] = none;
                } else {
                    look_between(last_v[j], v[j], h * last_a[j], h * a[j], &seen[j]);
                }
            }
            memcpy(last_v, v, (size_t)n * sizeof *v);
            memcpy(last_a, a, (size_t)n * sizeof *a);
        }
    }
}

static void constrain_speed(strike_problem *p, const stretch *s, const atemi_joint *joint,
                            double limit)
{
    double speeds[2 * STRIKE_MOST_KNOTS];
    int    count = 0;
    for (int k = s->from; k < s->to; ++k) {
        const extremes *seen = speeds_in(p, k, joint->first_v);
        speeds[count++] = -seen->least;
        speeds[count++] = seen->most;
    }
    strike_constrain_extreme(
        p, speeds, count,
        (strike_bounds){-INFINITY, limit, 0.5,
                        joint->type == ATEMI_JOINT_PRISMATIC ? "m/s" : "rad/s"},
        "speed of %.50s while the %s", joint->name, s->name);
}

static void constrain_speeds(strike_problem *p, const stretch *s)
{
    look_at_speeds(p, s);
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        const double       limit = strike_speed_limit(p, joint);
        if (isfinite(limit) && !strike_is_locked(p, joint)) {
            constrain_speed(p, s, joint, limit);
        }
    }
}

void strike_constrain_motion(strike_problem *p)
{
    const int     hand = p->grid->hand_knots, all = p->grid->knots;
    const stretch stretches[] = {{&p->ways[0], 0, hand, "hand gathers speed"},
                                 {&p->ways[0], hand, all, "body gathers speed"},
                                 {&p->ways[1], 0, hand, "hand slows down"},
                                 {&p->ways[1], hand, all, "body slows down"}};
    for (size_t i = 0; i < sizeof stretches / sizeof stretches[0]; ++i) {
        constrain_ranges(p, &stretches[i]);
        constrain_speeds(p, &stretches[i]);
    }
}

// ---- Torques and friction

double strike_joint_friction(const atemi_blow_servo *servo, int i, double rate)
{
    const double viscous = servo->viscous ? servo->viscous[i] : 0.0;
    const double coulomb = servo->coulomb ? servo->coulomb[i] : 0.0;
    return viscous * rate + coulomb * rate / hypot(rate, reversal);
}

static void constrain_torques(strike_problem *p, const char *phase, int i)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        if (joint->v_count == 1 && isfinite(joint->limits.effort) && joint->limits.effort > 0.0) {
            const int    k = joint->first_v;
            const double tau = p->tau[k] + strike_joint_friction(&p->task.servo, k, p->knot_v[k]);
            strike_constrain(p, fabs(tau) / joint->limits.effort,
                             (strike_bounds){-INFINITY, p->task.torque_part, 0.1, "-"},
                             "torque of %.50s %s (%d/%d)", joint->name, phase, i,
                             p->grid->instants);
        }
    }
}

static void constrain_grips(strike_problem *p, const atemi_force *wrenches, const char *phase,
                            int i)
{
    for (int k = 0; k < p->task.foot_count; ++k) {
        const char *name = atemi_model_site(p->model, p->task.feet[k])->name;
        double      grip[2], edges[4];
        strike_foot_grip(p, k, wrenches[k], (1.0 - p->task.reserve) * p->task.travel_friction,
                         grip);
        strike_foot_edges(p, k, wrenches[k], edges);
        strike_constrain_extreme(p, grip, 2, (strike_bounds){0.0, INFINITY, 10.0, "N"},
                                 "friction of %.40s %s (%d/%d)", name, phase, i, p->grid->instants);
        strike_constrain_extreme(p, edges, 4, (strike_bounds){0.0, INFINITY, 1.0, "N m"},
                                 "edge of %.40s %s (%d/%d)", name, phase, i, p->grid->instants);
    }
}

static void look_at_instant(strike_problem *p, const strike_way *way, int i)
{
    const char *phase = way->sign < 0.0 ? "gathering speed" : "slowing down";
    atemi_force wrenches[ATEMI_STRIKE_MOST_FEET];
    strike_way_at(p, way, strike_way_time(way, p->grid->instant_parts[i]), p->knot_q, p->knot_v,
                  p->knot_a);
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
    for (int i = 1; i <= p->grid->instants; ++i) {
        look_at_instant(p, &p->ways[0], i);
    }
    for (int i = 0; i <= p->grid->instants; ++i) {
        look_at_instant(p, &p->ways[1], i);
    }
}

// ---- The target

static const char *link_name(const strike_problem *p, int ball)
{
    return atemi_model_link(p->model, p->obstacle.balls[ball].link)->name;
}

// The balls of a link from `first` on, at all knots of a way.
// @return how many balls the link has
static int constrain_link(strike_problem *p, const strike_way *way, int first)
{
    const strike_obstacle *o = &p->obstacle;
    const bool             before = way->sign < 0.0;
    int                    count = 0;
    while (first + count < o->count && o->balls[first + count].link == o->balls[first].link) {
        ++count;
    }
    if (before || !o->balls[first].strikes) {
        strike_constrain_extreme(p, p->distances + (ptrdiff_t)first * p->grid->knots,
                                 count * p->grid->knots,
                                 (strike_bounds){p->task.clearance, INFINITY, 0.01, "m"},
                                 "distance of %.40s to the target %s", link_name(p, first),
                                 before ? "before the blow" : "after it");
    }
    return count;
}

static void look_at_knots(strike_problem *p, const strike_way *way)
{
    for (int k = 0; k < p->grid->knots; ++k) {
        strike_obstacle_look(&p->obstacle, p->model, way->knots[k + 1].q);
        for (int i = 0; i < p->obstacle.count; ++i) {
            p->distances[i * p->grid->knots + k] =
                strike_obstacle_distance(&p->obstacle, p->model, i);
        }
    }
}

void strike_constrain_clearance(strike_problem *p)
{
    strike_obstacle_place(&p->obstacle, &p->task, &p->kinematics);
    for (int w = 0; w < 2; ++w) {
        look_at_knots(p, &p->ways[w]);
        for (int i = 0; i < p->obstacle.count;) {
            i += constrain_link(p, &p->ways[w], i);
        }
    }
}
