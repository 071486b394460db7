// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_slopes.h"

#include "math/matrix.h"
#include "plan/motion/strike_phases.h"
#include "plan/slopes/strike_reach_slopes.h"
#include "plan/slopes/strike_self_slopes.h"
#include "plan/slopes/strike_stance_slopes.h"
#include "plan/touch/strike_posture.h"

#include <math.h>
#include <string.h>

// An extreme of the cubic between two instants changes as the cubic does there: that it moves along
// the cubic as well does not count, because the cubic is level there, or ends. At the fraction y of
// the time between values q0, q1 with slopes d0, d1 over that time,
//
//   dq = (1 + 2 y) z^2 dq0 + (3 - 2 y) y^2 dq1 + y z^2 dd0 - y^2 z dd1,   z = 1 - y

static const double far_away = 0.5; // m: distances beyond it do not limit a step

// ---- Rows

// Memory for the slopes of the next constraint, which has parts or none.
static double *next_slope(strike_slopes *s)
{
    return row_of(s->values, s->stride, s->next++);
}

static double *next_parts(strike_slopes *s, int count)
{
    double *rows = row_of(s->parts, s->stride, s->next_part);
    ++s->next;
    s->next_part += count;
    return rows;
}

static const double *row_at(const double *rows, int stride, int i)
{
    return row_in(rows, stride, i);
}

// ---- Extremes

// An extreme, the part of a segment that it is in, and what it takes of q0, q1, d0 and d1.
typedef struct extreme {
    double value, weights[4];
    int    part;
} extreme;

typedef struct extremes {
    extreme least, largest;
} extremes;

static extremes extremes_none(void)
{
    return (extremes){{.value = INFINITY}, {.value = -INFINITY}};
}

static void look_at(const double of[4], double y, int part, extremes *seen)
{
    const double z = 1.0 - y;
    extreme      here = {
             .weights = {(1.0 + 2.0 * y) * z * z, (3.0 - 2.0 * y) * y * y, y * z * z, -y * y * z},
             .part = part};
    here.value = row_dot(4, here.weights, of);
    seen->least = here.value < seen->least.value ? here : seen->least;
    seen->largest = here.value > seen->largest.value ? here : seen->largest;
}

static void look_inside(const double of[4], double y, int part, extremes *seen)
{
    if (y > 0.0 && y < 1.0) {
        look_at(of, y, part, seen);
    }
}

// Of q0, q1, d0, d1; as in strike_phases.c.
static void look_between(const double of[4], int part, extremes *seen)
{
    const double D = of[1] - of[0], d0 = of[2], d1 = of[3];
    const double b = 2.0 * (3.0 * D - 2.0 * d0 - d1), a = 3.0 * (d0 + d1 - 2.0 * D);
    const double square = b * b - 4.0 * a * d0;
    look_at(of, 0.0, part, seen);
    look_at(of, 1.0, part, seen);
    if (square > 0.0 && !strike_is_monotone(D, d0, d1)) {
        const double w = -0.5 * (b + copysign(sqrt(square), b));
        look_inside(of, w / a, part, seen);
        look_inside(of, d0 / w, part, seen);
    }
}

// to = sign times the change of an extreme; h is the time between the instants
static void put_extreme(const extreme *e, double sign, double h, const double *const of[4],
                        int stride, double *to)
{
    const double w[] = {sign * e->weights[0], sign * e->weights[1], sign * h * e->weights[2],
                        sign * h * e->weights[3]};
    matrix_combine(4, w, of, stride, to);
}

// ---- Ranges and speeds

// Knots of both trajectories between which hand or body moves.
typedef struct stretch {
    const strike_trajectory *path, *derivative;
    int                      from, to;
} stretch;

static void slope_range(const stretch *along, const atemi_joint *joint, int stride, double *parts)
{
    for (int k = along->from + 1; k <= along->to; ++k) {
        const strike_knot  *from = &along->path->knots[k - 1], *to = &along->path->knots[k];
        const strike_knot  *d_from = &along->derivative->knots[k - 1];
        const strike_knot  *d_to = &along->derivative->knots[k];
        const double        h = along->path->sign * (to->time - from->time);
        const int           q = joint->first_q, v = joint->first_v;
        const double        of[] = {from->q[q], to->q[q], h * from->v[v], h * to->v[v]};
        const double *const changes[] = {row_at(d_from->q, stride, v), row_at(d_to->q, stride, v),
                                         row_at(d_from->v, stride, v), row_at(d_to->v, stride, v)};
        extremes            seen = extremes_none();
        look_between(of, 0, &seen);
        put_extreme(&seen.least, 1.0, h, changes, stride, parts);
        put_extreme(&seen.largest, -1.0, h, changes, stride, parts + stride);
        parts += 2 * (ptrdiff_t)stride;
    }
}

static void slope_ranges(const strike_setup *s, const stretch *along, strike_slopes *slopes)
{
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (joint->v_count == 1 && !strike_setup_is_locked(s, joint) &&
            strike_setup_has_range(s, joint)) {
            slope_range(along, joint, slopes->stride,
                        next_parts(slopes, 2 * (along->to - along->from)));
        }
    }
}

// What velocities and accelerations at the ends of the parts of a segment are, and what they take
// of the knots.
static void look_at_segment(const strike_setup *s, const stretch *along, int k,
                            const strike_derivatives *d, double v[][STRIKE_ENDS],
                            double a[][STRIKE_ENDS])
{
    const int    n = s->v_count;
    const double begin = along->path->knots[k - 1].time, end = along->path->knots[k].time;
    for (int i = 0; i <= STRIKE_LOOKS; ++i) {
        const double time = begin + (end - begin) * ((double)i / (double)STRIKE_LOOKS);
        strike_trajectory_velocities(along->path, k, time, n, row_of(d->seen_v, n, i),
                                     row_of(d->seen_a, n, i));
        strike_trajectory_weights(along->path, k, time, v[i], a[i]);
    }
}

// Sign times the same for an extreme between two looks; h is the time between them.
static void weigh_ends(const extreme *e, double sign, double h, double v[][STRIKE_ENDS],
                       double a[][STRIKE_ENDS], double *weights)
{
    const int     i = e->part;
    const double *w = e->weights;
    for (int k = 0; k < STRIKE_ENDS; ++k) {
        weights[k] = sign * (w[0] * v[i][k] + w[1] * v[i + 1][k] +
                             h * (w[2] * a[i][k] + w[3] * a[i + 1][k]));
    }
}

// to = what the weights take of the derivatives at both knots of a segment
static void put_ends(const stretch *along, int k, int joint, int stride, const double *w,
                     double *to)
{
    const strike_knot *from = &along->derivative->knots[k - 1], *end = &along->derivative->knots[k];
    const ptrdiff_t    at = (ptrdiff_t)joint * stride;
    const double *const rows[STRIKE_ENDS] = {from->components.hand + at, from->slopes.hand + at,
                                             end->components.hand + at,  end->slopes.hand + at,
                                             from->components.body + at, from->slopes.body + at,
                                             end->components.body + at,  end->slopes.body + at};
    matrix_combine(STRIKE_ENDS, w, rows, stride, to);
}

static extremes find_speeds(const strike_setup *s, const strike_derivatives *d, double h, int v)
{
    const int n = s->v_count;
    extremes  seen = extremes_none();
    for (int i = 0; i < STRIKE_LOOKS; ++i) {
        const double of[] = {row_of(d->seen_v, n, i)[v], row_of(d->seen_v, n, i + 1)[v],
                             h * row_of(d->seen_a, n, i)[v], h * row_of(d->seen_a, n, i + 1)[v]};
        look_between(of, i, &seen);
    }
    return seen;
}

// Segment after segment, of which each has its place in the parts of every joint.
static void slope_speeds(const strike_setup *s, const stretch *along, strike_derivatives *d,
                         strike_slopes *slopes)
{
    const int     segments = along->to - along->from, stride = slopes->stride;
    strike_slopes after = *slopes;
    for (int k = along->from + 1; k <= along->to; ++k) {
        const strike_knot *from = &along->path->knots[k - 1], *to = &along->path->knots[k];
        const double       h = along->path->sign * (to->time - from->time) / (double)STRIKE_LOOKS;
        double             v[STRIKE_LOOKS + 1][STRIKE_ENDS], a[STRIKE_LOOKS + 1][STRIKE_ENDS];
        look_at_segment(s, along, k, d, v, a);
        after = *slopes;
        for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
            const atemi_joint *joint = atemi_model_joint(s->model, j);
            if (isfinite(strike_setup_speed_limit(s, joint)) && !strike_setup_is_locked(s, joint)) {
                const extremes seen = find_speeds(s, d, h, joint->first_v);
                double        *parts =
                    row_of(next_parts(&after, 2 * segments), stride, 2 * (k - along->from - 1));
                double w[STRIKE_ENDS];
                weigh_ends(&seen.least, -1.0, h, v, a, w);
                put_ends(along, k, joint->first_v, stride, w, parts);
                weigh_ends(&seen.largest, 1.0, h, v, a, w);
                put_ends(along, k, joint->first_v, stride, w, parts + stride);
            }
        }
    }
    *slopes = after;
}

static void slope_motion(const strike_setup *s, const strike_evaluation *at, strike_derivatives *d,
                         strike_slopes *slopes)
{
    for (int i = 0; i < 2; ++i) {
        const strike_trajectory *path = &at->trajectories[i];
        const int                hand = path->grid->hand_knots, all = path->grid->knots;
        const stretch            stretches[] = {{path, &d->trajectories[i], 0, hand},
                                                {path, &d->trajectories[i], hand, all}};
        for (int k = 0; k < 2; ++k) {
            slope_ranges(s, &stretches[k], slopes);
            slope_speeds(s, &stretches[k], d, slopes);
        }
    }
}

// ---- Torques and friction

static void slope_torques(const strike_setup *s, const strike_workspace *work,
                          const strike_derivatives *d, strike_slopes *slopes)
{
    const int stride = slopes->stride;
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (joint->v_count == 1 && isfinite(joint->limits.effort) && joint->limits.effort > 0.0) {
            const int    k = joint->first_v;
            const double rubs = strike_joint_friction(&s->task.servo, k, work->v[k]);
            const double slope = strike_joint_friction_slope(&s->task.servo, k, work->v[k]);
            const double scale = copysign(1.0, work->feet.torques[k] + rubs) / joint->limits.effort;
            double      *to = next_slope(slopes);
            for (int c = 0; c < stride; ++c) {
                to[c] =
                    scale * (row_at(d->tau, stride, k)[c] + slope * row_at(d->at_v, stride, k)[c]);
            }
        }
    }
}

// How the wrench of a foot changes, from the forces at its corners.
void strike_wrench_slopes(const strike_setup *s, const atemi_kinematics *kinematics, int foot,
                          const atemi_contact_point *points, const atemi_vec3 *forces, int count,
                          strike_derivatives *d)
{
    const int             stride = d->directions.stride, link = s->foot_links[foot];
    const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, link);
    double               *angular = d->wrench + (ptrdiff_t)3 * stride;
    memset(d->link, 0, 6 * (size_t)stride * sizeof *d->link);
    atemi_link_jacobian_in(s->model, kinematics, link, d->rows);
    matrix_add_multiply(6, s->v_count, d->rows, s->v_count, d->at_q, stride, d->link);
    for (int c = 0; c < stride; c += ATEMI_LANES) {
        const pack3 turn = matrix_columns3(d->link + (ptrdiff_t)3 * stride, stride, c);
        pack3       force = {0}, moment = {0};
        for (int k = 0; k < count; ++k) {
            const pack3 arm = pack3_of(atemi_mat3_apply(&pose.rotation, points[k].point));
            const pack3 df = matrix_columns3(row_at(d->forces, 3 * stride, k), stride, c);
            const pack3 turned = pack3_cross(pack3_cross(turn, arm), pack3_of(forces[k]));
            if (points[k].link == link) {
                force = pack3_add(force, df);
                moment = pack3_add(moment, pack3_add(pack3_cross(arm, df), turned));
            }
        }
        matrix_put_columns3(d->wrench, stride, c, force);
        matrix_put_columns3(angular, stride, c, moment);
    }
}

void strike_grip_slopes(const strike_setup *s, int foot, atemi_force wrench, double friction,
                        const strike_derivatives *d, double *parts)
{
    const int         stride = d->directions.stride;
    const atemi_site *site = strike_setup_foot(s, foot);
    const double      reach = 0.5 * hypot(site->size_x, site->size_y);
    const double      size = hypot(wrench.linear.x, wrench.linear.y);
    const double      x = size > 0.0 ? wrench.linear.x / size : 0.0;
    const double      y = size > 0.0 ? wrench.linear.y / size : 0.0;
    for (int c = 0; c < stride; ++c) {
        const double *w = d->wrench + c;
        const double  margin = friction * w[2 * stride] - x * w[0] - y * w[stride];
        const double  moment = w[5 * stride] / reach;
        parts[c] = margin - moment;
        parts[stride + c] = margin + moment;
    }
}

void strike_edge_slopes(const strike_setup *s, const atemi_kinematics *kinematics, int foot,
                        const strike_derivatives *d, double *parts)
{
    const int             stride = d->directions.stride;
    const atemi_site     *site = strike_setup_foot(s, foot);
    const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, site->link);
    const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, site->pose.position);
    const double         *angular = d->wrench + (ptrdiff_t)3 * stride;
    for (int c = 0; c < stride; c += ATEMI_LANES) {
        const pack3 f = matrix_columns3(d->wrench, stride, c);
        const pack3 n =
            pack3_sub(matrix_columns3(angular, stride, c), pack3_cross(pack3_of(arm), f));
        const pack x = (0.5 * site->size_x - s->task.edge_margin) * f.z;
        const pack y = (0.5 * site->size_y - s->task.edge_margin) * f.z;
        matrix_put_columns3(parts, stride, c, (pack3){x - n.y, x + n.y, y - n.x});
        pack_put(row_of(parts, stride, 3) + c, y + n.x);
    }
}

static void slope_instant(const strike_setup *s, const strike_evaluation *at, int phase, int i,
                          strike_workspace *work, strike_derivatives *d, strike_slopes *slopes)
{
    const strike_trajectory *path = &at->trajectories[phase];
    const double             time = strike_trajectory_time(path, path->grid->instant_fractions[i]);
    const double             friction = (1.0 - s->task.reserve) * s->task.travel_friction;
    atemi_contact_point      points[STRIKE_MAX_CORNERS];
    atemi_vec3               forces[STRIKE_MAX_CORNERS];
    strike_feet             *feet = &work->feet;
    strike_trajectory_at(s->model, path, time, &work->trajectory, work->q, work->v, work->a);
    strike_trajectory_vary_at(s, &d->directions, path, &d->trajectories[phase], time,
                              &work->trajectory, &d->work, d->at_q, d->at_v, d->at_a);
    const int count = strike_stance_vary(s, work->q, work->v, work->a, work, d, points, forces);
    if (isfinite(s->task.effort_fraction)) {
        slope_torques(s, work, d, slopes);
    }
    for (int k = 0; isfinite(s->task.travel_friction) && k < s->task.foot_count; ++k) {
        const atemi_force wrench =
            strike_foot_wrench(s, &feet->stance.inverse.kinematics, k, points, forces, count);
        strike_wrench_slopes(s, &feet->stance.inverse.kinematics, k, points, forces, count, d);
        strike_grip_slopes(s, k, wrench, friction, d, next_parts(slopes, 2));
        strike_edge_slopes(s, &at->kinematics, k, d, next_parts(slopes, 4));
    }
}

static void slope_effort(const strike_setup *s, const strike_evaluation *at, strike_workspace *work,
                         strike_derivatives *d, strike_slopes *slopes)
{
    const int instants = at->trajectories[0].grid->instants;
    for (int i = 1; i <= instants; ++i) {
        slope_instant(s, at, 0, i, work, d, slopes);
    }
    for (int i = 0; i <= instants; ++i) {
        slope_instant(s, at, 1, i, work, d, slopes);
    }
}

// ---- The target

// How a point at the arm from the origin of a link moves, which moves as `d->link` has it.
static pack3 motion_of(const strike_derivatives *d, atemi_vec3 arm, int c)
{
    const int   stride = d->directions.stride;
    const pack3 turn = matrix_columns3(row_in(d->link, stride, 3), stride, c);
    return pack3_add(matrix_columns3(d->link, stride, c), pack3_cross(turn, pack3_of(arm)));
}

// How the cube's centre moves with the hands at first touch.
static void move_target(const strike_setup *s, const atemi_kinematics *kinematics,
                        strike_derivatives *d)
{
    const int hands = atemi_striking_point_hands(&s->task.point), stride = d->directions.stride;
    const int ends[] = {0, hands - 1};
    memset(d->target, 0, 3 * (size_t)stride * sizeof *d->target);
    for (int e = 0; e < 2; ++e) {
        const atemi_striking_hand hand = atemi_striking_point_hand(&s->task.point, ends[e]);
        const atemi_transform     pose = atemi_link_pose_in(s->model, kinematics, hand.link);
        const atemi_vec3          arm = atemi_mat3_apply(&pose.rotation, hand.point);
        memset(d->link, 0, 6 * (size_t)stride * sizeof *d->link);
        atemi_link_jacobian_in(s->model, kinematics, hand.link, d->rows);
        matrix_add_multiply(6, s->v_count, d->rows, s->v_count, d->q, stride, d->link);
        for (int c = 0; c < stride; c += ATEMI_LANES) {
            const pack3 moved = matrix_columns3(d->target, stride, c);
            matrix_put_columns3(d->target, stride, c,
                                pack3_add_scaled(moved, pack_of(0.5), motion_of(d, arm, c)));
        }
    }
}

// The balls of a link at one knot.
static void slope_balls(const strike_setup *s, const strike_cube *cube, int first, int count,
                        const atemi_kinematics *kinematics, const double *dq, int knots,
                        strike_derivatives *d, double *parts)
{
    const int             stride = d->directions.stride, link = s->balls.list[first].link;
    const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, link);
    bool                  moved = false;
    for (int i = 0; i < count; ++i) {
        const strike_ball *ball = &s->balls.list[first + i];
        const atemi_vec3   arm = atemi_mat3_apply(&pose.rotation, ball->center);
        double            *to = parts + (ptrdiff_t)i * knots * stride;
        memset(to, 0, (size_t)stride * sizeof *to);
        if (strike_cube_distance(cube, ball, &pose) > far_away) {
            continue;
        }
        if (!moved) {
            memset(d->link, 0, 6 * (size_t)stride * sizeof *d->link);
            atemi_link_jacobian_in(s->model, kinematics, link, d->rows);
            matrix_add_multiply(6, s->v_count, d->rows, s->v_count, dq, stride, d->link);
            moved = true;
        }
        const atemi_vec3 away = strike_cube_away(cube, atemi_vec3_add(pose.position, arm));
        for (int c = 0; c < stride; c += ATEMI_LANES) {
            const pack3 move =
                pack3_sub(motion_of(d, arm, c), matrix_columns3(d->target, stride, c));
            pack_put(to + c, pack3_dot(pack3_of(away), move));
        }
    }
}

static int balls_of_link(const strike_setup *s, int first)
{
    int count = 0;
    while (first + count < s->balls.count &&
           s->balls.list[first + count].link == s->balls.list[first].link) {
        ++count;
    }
    return count;
}

static void slope_clearance(const strike_setup *s, const strike_evaluation *at, int phase,
                            const strike_cube *cube, strike_workspace *work, strike_derivatives *d,
                            strike_slopes *slopes)
{
    const strike_trajectory *path = &at->trajectories[phase];
    const int                knots = path->grid->knots, stride = slopes->stride;
    strike_slopes            after = *slopes;
    for (int k = 0; k < knots; ++k) {
        after = *slopes;
        atemi_kinematics_update(s->model, path->knots[k + 1].q, NULL, NULL, &work->kinematics);
        for (int i = 0, count = 0; i < s->balls.count; i += count) {
            count = balls_of_link(s, i);
            if (path->sign < 0.0 || !s->balls.list[i].strikes) {
                double *parts = next_parts(&after, count * knots);
                slope_balls(s, cube, i, count, &work->kinematics,
                            d->trajectories[phase].knots[k + 1].q, knots, d,
                            parts + (ptrdiff_t)k * stride);
            }
        }
    }
    *slopes = after;
}

// ---- All of them

strike_derivatives strike_derivatives_take(atemi_arena *arena, const strike_setup *setup,
                                           const strike_variables *variables,
                                           const strike_grid      *grid)
{
    strike_derivatives d = {.directions = strike_directions_of(variables)};
    const int          n = setup->v_count, stride = d.directions.stride, size = n * stride;
    const int          looks = STRIKE_LOOKS + 1;
    double **vectors[] = {&d.q,    &d.v,  &d.components.hand, &d.components.body, &d.at_q, &d.at_v,
                          &d.at_a, &d.tau};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = atemi_arena_array(arena, double, size);
    }
    d.work = strike_trajectory_derivatives_workspace_take(arena, setup, &d.directions);
    d.stance = stance_derivatives_take(arena, setup->model, STRIKE_MAX_CORNERS, stride);
    for (int i = 0; i < 2; ++i) {
        d.trajectories[i] = strike_trajectory_derivatives_take(arena, setup, &d.directions, grid,
                                                               d.q, d.v, d.components);
    }
    d.seen_v = atemi_arena_array(arena, double, looks *n);
    d.seen_a = atemi_arena_array(arena, double, looks *n);
    d.forces = atemi_arena_array(arena, double, STRIKE_MAX_CORNERS * 3 * stride);
    d.wrench = atemi_arena_array(arena, double, 6 * stride);
    d.link = atemi_arena_array(arena, double, 6 * stride);
    d.target = atemi_arena_array(arena, double, 6 * stride);
    d.rows = atemi_arena_array(arena, double, 6 * n);
    d.along = atemi_arena_array(arena, double, n);
    d.moved_q = atemi_arena_array(arena, double, atemi_model_q_count(setup->model));
    d.moved_v = atemi_arena_array(arena, double, n);
    d.moved_a = atemi_arena_array(arena, double, n);
    d.corners = atemi_arena_array(arena, double, 2 * STRIKE_MAX_CORNERS * stride);
    d.reach = atemi_arena_array(arena, double, 2 * setup->task.foot_count * stride);
    return d;
}

static bool is_given(const atemi_strike_range *range)
{
    return !(range->lower < range->upper);
}

bool strike_derivatives_are_known(const strike_setup *s)
{
    const atemi_strike_task *task = &s->task;
    return is_given(&task->hand_rise) && is_given(&task->hand_fall) && is_given(&task->body_rise) &&
           is_given(&task->body_fall);
}

bool strike_derivatives_find(const strike_setup *s, const strike_variables *variables,
                             strike_evaluation *at, strike_workspace *work, strike_derivatives *d)
{
    const int size = s->v_count * d->directions.stride;
    if (strike_feet_stand(s, at->foot_errors)) {
        strike_posture_vary(s, variables, &d->directions, &at->values, at->q, &at->kinematics,
                            work->ik, &d->work, d->q);
    } else {
        strike_reach_vary(s, variables, at, work, d);
    }
    strike_components_find(s, &at->values, at->q, &work->velocities, &at->components);
    strike_components_vary(s, &d->directions, at->q, &at->components, &work->velocities, d->q,
                           &d->work.components, &d->components);
    for (int i = 0; i < size; ++i) {
        d->v[i] = d->components.hand[i] + d->components.body[i];
    }
    return strike_trajectories_vary(s, &d->directions, &at->values, &work->velocities,
                                    &work->trajectory, &d->work, at->trajectories, d->trajectories);
}

void strike_motion_slopes(const strike_setup *s, const strike_evaluation *at,
                          strike_workspace *work, strike_derivatives *d, strike_slopes *slopes)
{
    const atemi_strike_task *task = &s->task;
    if (isfinite(task->travel_margin)) {
        slope_motion(s, at, d, slopes);
    }
    if (isfinite(task->effort_fraction) || isfinite(task->travel_friction)) {
        slope_effort(s, at, work, d, slopes);
    }
    if (s->balls.count > 0) {
        const strike_cube cube = strike_cube_find(task, &at->kinematics);
        move_target(s, &at->kinematics, d);
        slope_clearance(s, at, 0, &cube, work, d, slopes);
        slope_clearance(s, at, 1, &cube, work, d, slopes);
    }
    strike_self_slopes(s, at, work, d, slopes);
}
