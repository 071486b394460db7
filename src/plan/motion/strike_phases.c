// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_phases.h"

#include "plan/touch/strike_feet.h"

#include <math.h>
#include <string.h>

// Ranges and speeds are bounded at their extremes, of which each joint has one in each stretch of
// the motion: a constraint for every instant would be many more, and between instants something
// could be missed. Between two instants, where values q0, q1 and slopes d0, d1 over the fraction y
// of the time between them are known, it is a cubic with extremes at its ends and where
//
//   d0 + b y + a y^2 = 0,   b = 2 (3 D - 2 d0 - d1),   a = 3 (d0 + d1 - 2 D),   D = q1 - q0
//
// An extreme is a smooth function of the variables as long as no other is as large, and a
// continuous one always.

static const double no_limit =
    1e3; // rad, m: the margin of a joint to a limit that it does not have
static const double reversal = 0.05; // rad/s, m/s: velocities at which friction is almost whole

// The knots of a trajectory between which hand or body moves.
typedef struct stretch {
    const strike_trajectory *path;
    int                      from, to;
    atemi_strike_phase       phase;
    bool                     with_hand;
} stretch;

static atemi_strike_phase phase_of(const strike_trajectory *path)
{
    return path->sign < 0.0 ? ATEMI_PHASE_BEFORE : ATEMI_PHASE_AFTER;
}

// ---- Extremes

typedef strike_extremes extremes;

static const extremes none = {INFINITY, -INFINITY};

static void look_at(double q, extremes *seen)
{
    seen->least = q < seen->least ? q : seen->least; // (fmin would be a call.)
    seen->largest = q > seen->largest ? q : seen->largest;
}

// Where the cubic turns at the fraction y, if it is one of this segment.
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
    if (square > 0.0 && !strike_is_monotone(D, d0, d1)) {
        const double w = -0.5 * (b + copysign(sqrt(square), b));
        look_inside(q0, q1, d0, d1, w / a, seen); // outside where a is 0
        look_inside(q0, q1, d0, d1, d0 / w, seen);
    }
}

// ---- Ranges

// How far from its limits a joint may come; one that is given nearer, as near as it is given.
static double least_margin(const strike_setup *s, const atemi_joint *joint)
{
    const double given = s->task.q[joint->first_q];
    const double margin =
        fmin(given - strike_setup_lower(s, joint), strike_setup_upper(s, joint) - given);
    return fmin(s->task.travel_margin, margin);
}

static void constrain_range(const strike_setup *s, const stretch *along, int index,
                            strike_rows *rows)
{
    const atemi_joint *joint = atemi_model_joint(s->model, index);
    double             margins[2 * STRIKE_MAX_KNOTS];
    int                count = 0;
    for (int k = along->from + 1; k <= along->to; ++k) {
        const strike_knot *from = &along->path->knots[k - 1], *to = &along->path->knots[k];
        const double       h = along->path->sign * (to->time - from->time);
        extremes           seen = none;
        look_between(from->q[joint->first_q], to->q[joint->first_q], h * from->v[joint->first_v],
                     h * to->v[joint->first_v], &seen);
        margins[count++] = fmin(seen.least - strike_setup_lower(s, joint), no_limit);
        margins[count++] = fmin(strike_setup_upper(s, joint) - seen.largest, no_limit);
    }
    strike_constrain_extreme(
        rows,
        (atemi_strike_constraint){.kind = ATEMI_CONSTRAIN_MOTION_MARGIN,
                                  .index = index,
                                  .phase = along->phase,
                                  .with_hand = along->with_hand,
                                  .unit = joint->type == ATEMI_JOINT_PRISMATIC ? "m" : "rad"},
        strike_at_least(least_margin(s, joint), 0.1), margins, count);
}

static void constrain_ranges(const strike_setup *s, const stretch *along, strike_rows *rows)
{
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (joint->v_count == 1 && !strike_setup_is_locked(s, joint) &&
            strike_setup_has_range(s, joint)) {
            constrain_range(s, along, j, rows);
        }
    }
}

// ---- Speeds

static extremes *speeds_in(const strike_workspace *work, int n, int segment, int index)
{
    return work->speeds + (ptrdiff_t)segment * n + index;
}

// In each segment of a stretch.
static void look_at_speeds(const stretch *along, int n, strike_workspace *work)
{
    double *v = work->v, *a = work->a, *last_v = work->last_v, *last_a = work->last_a;
    for (int k = along->from + 1; k <= along->to; ++k) {
        const double begin = along->path->knots[k - 1].time, end = along->path->knots[k].time;
        const double h = along->path->sign * (end - begin) / (double)STRIKE_LOOKS;
        extremes    *seen = speeds_in(work, n, k - 1, 0);
        for (int i = 0; i <= STRIKE_LOOKS; ++i) {
            strike_trajectory_velocities(along->path, k,
                                         begin + (end - begin) * ((double)i / (double)STRIKE_LOOKS),
                                         n, v, a);
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

static void constrain_speed(const strike_setup *s, const stretch *along, int index, double limit,
                            const strike_workspace *work, strike_rows *rows)
{
    const atemi_joint *joint = atemi_model_joint(s->model, index);
    double             speeds[2 * STRIKE_MAX_KNOTS];
    int                count = 0;
    for (int k = along->from; k < along->to; ++k) {
        const extremes *seen = speeds_in(work, s->v_count, k, joint->first_v);
        speeds[count++] = -seen->least;
        speeds[count++] = seen->largest;
    }
    strike_constrain_extreme(
        rows,
        (atemi_strike_constraint){.kind = ATEMI_CONSTRAIN_MOTION_SPEED,
                                  .index = index,
                                  .phase = along->phase,
                                  .with_hand = along->with_hand,
                                  .unit = joint->type == ATEMI_JOINT_PRISMATIC ? "m/s" : "rad/s"},
        strike_at_most(limit, 0.5), speeds, count);
}

static void constrain_speeds(const strike_setup *s, const stretch *along, strike_workspace *work,
                             strike_rows *rows)
{
    look_at_speeds(along, s->v_count, work);
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        const double       limit = strike_setup_speed_limit(s, joint);
        if (isfinite(limit) && !strike_setup_is_locked(s, joint)) {
            constrain_speed(s, along, j, limit, work, rows);
        }
    }
}

void strike_constrain_motion(const strike_setup *s, const strike_evaluation *at,
                             strike_workspace *work, strike_rows *rows)
{
    for (int i = 0; i < 2; ++i) {
        const strike_trajectory *path = &at->trajectories[i];
        const int                hand = path->grid->hand_knots, all = path->grid->knots;
        const stretch            stretches[] = {{path, 0, hand, phase_of(path), true},
                                                {path, hand, all, phase_of(path), false}};
        for (int k = 0; k < 2; ++k) {
            constrain_ranges(s, &stretches[k], rows);
            constrain_speeds(s, &stretches[k], work, rows);
        }
    }
}

// ---- Torques and friction

double strike_joint_friction(const atemi_blow_servo *servo, int i, double velocity)
{
    const double viscous = servo->viscous ? servo->viscous[i] : 0.0;
    const double coulomb = servo->coulomb ? servo->coulomb[i] : 0.0;
    return viscous * velocity + coulomb * velocity / hypot(velocity, reversal);
}

// Of v / hypot(v, r):  r^2 / hypot(v, r)^3
double strike_joint_friction_slope(const atemi_blow_servo *servo, int i, double velocity)
{
    const double viscous = servo->viscous ? servo->viscous[i] : 0.0;
    const double coulomb = servo->coulomb ? servo->coulomb[i] : 0.0;
    const double size = hypot(velocity, reversal);
    return viscous + coulomb * reversal * reversal / (size * size * size);
}

// @param about what all constraints of an instant have in common
static void constrain_torques(const strike_setup *s, atemi_strike_constraint about,
                              const strike_workspace *work, strike_rows *rows)
{
    about.kind = ATEMI_CONSTRAIN_MOTION_EFFORT;
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (joint->v_count == 1 && isfinite(joint->limits.effort) && joint->limits.effort > 0.0) {
            const int    k = joint->first_v;
            const double tau =
                work->feet.torques[k] + strike_joint_friction(&s->task.servo, k, work->v[k]);
            about.index = j;
            strike_constrain(rows, about, strike_at_most(s->task.effort_fraction, 0.1),
                             fabs(tau) / joint->limits.effort);
        }
    }
}

static void constrain_grips(const strike_setup *s, atemi_strike_constraint about,
                            const atemi_kinematics *kinematics, const atemi_force *wrenches,
                            strike_rows *rows)
{
    const double friction = (1.0 - s->task.reserve) * s->task.travel_friction;
    for (int k = 0; k < s->task.foot_count; ++k) {
        double grip[2], edges[4];
        strike_foot_grip(s, k, wrenches[k], friction, grip);
        strike_foot_edges(s, kinematics, k, wrenches[k], edges);
        about.index = k;
        about.kind = ATEMI_CONSTRAIN_MOTION_FRICTION;
        about.unit = "N";
        strike_constrain_extreme(rows, about, strike_at_least(0.0, 10.0), grip, 2);
        about.kind = ATEMI_CONSTRAIN_MOTION_EDGE;
        about.unit = "N m";
        strike_constrain_extreme(rows, about, strike_at_least(0.0, 1.0), edges, 4);
    }
}

static void constrain_instant(const strike_setup *s, const strike_evaluation *at,
                              const strike_trajectory *path, int i, strike_workspace *work,
                              strike_rows *rows)
{
    const double time = strike_trajectory_time(path, path->grid->instant_fractions[i]);
    const atemi_strike_constraint about = {
        .phase = phase_of(path), .sample = i, .last_sample = path->grid->instants};
    atemi_force wrenches[ATEMI_STRIKE_MAX_FEET];
    strike_trajectory_at(s->model, path, time, &work->trajectory, work->q, work->v, work->a);
    strike_feet_of_motion(s, work->q, work->v, work->a, &work->feet, wrenches);
    if (isfinite(s->task.effort_fraction)) {
        constrain_torques(s, about, work, rows);
    }
    if (isfinite(s->task.travel_friction)) {
        constrain_grips(s, about, &at->kinematics, wrenches, rows);
    }
}

// First touch belongs to what comes after it.
void strike_constrain_effort(const strike_setup *s, const strike_evaluation *at,
                             strike_workspace *work, strike_rows *rows)
{
    const strike_trajectory *before = &at->trajectories[0], *after = &at->trajectories[1];
    for (int i = 1; i <= before->grid->instants; ++i) {
        constrain_instant(s, at, before, i, work, rows);
    }
    for (int i = 0; i <= after->grid->instants; ++i) {
        constrain_instant(s, at, after, i, work, rows);
    }
}

// ---- The target

// The balls of a link from `first` on, at all knots of a trajectory.
// @return how many balls the link has
static int constrain_link(const strike_setup *s, const strike_trajectory *path, int first,
                          const strike_workspace *work, strike_rows *rows)
{
    const strike_ball *balls = s->balls.list;
    const int          knots = path->grid->knots;
    int                count = 0;
    while (first + count < s->balls.count && balls[first + count].link == balls[first].link) {
        ++count;
    }
    if (phase_of(path) == ATEMI_PHASE_BEFORE || !balls[first].strikes) {
        strike_constrain_extreme(rows,
                                 (atemi_strike_constraint){.kind = ATEMI_CONSTRAIN_CLEARANCE,
                                                           .index = balls[first].link,
                                                           .phase = phase_of(path),
                                                           .unit = "m"},
                                 strike_at_least(s->task.clearance, 0.01),
                                 work->distances + (ptrdiff_t)first * knots, count * knots);
    }
    return count;
}

static void find_distances(const strike_setup *s, const strike_cube *cube,
                           const strike_trajectory *path, strike_workspace *work)
{
    const int knots = path->grid->knots;
    for (int k = 0; k < knots; ++k) {
        atemi_kinematics_update(s->model, path->knots[k + 1].q, NULL, NULL, &work->kinematics);
        atemi_transform pose = atemi_transform_identity();
        for (int i = 0, link = ATEMI_NONE; i < s->balls.count; ++i) {
            const strike_ball *ball = &s->balls.list[i];
            if (ball->link != link) {
                link = ball->link;
                pose = atemi_link_pose_in(s->model, &work->kinematics, link);
            }
            work->distances[i * knots + k] = strike_cube_distance(cube, ball, &pose);
        }
    }
}

void strike_constrain_clearance(const strike_setup *s, const strike_evaluation *at,
                                strike_workspace *work, strike_rows *rows)
{
    const strike_cube cube = strike_cube_find(&s->task, &at->kinematics);
    for (int k = 0; k < 2; ++k) {
        find_distances(s, &cube, &at->trajectories[k], work);
        for (int i = 0; i < s->balls.count;) {
            i += constrain_link(s, &at->trajectories[k], i, work, rows);
        }
    }
}
