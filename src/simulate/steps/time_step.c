// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/time_step.h"

#include "atemi/model.h"
#include "dynamics/blocks.h"
#include "dynamics/newton_euler.h"
#include "simulate/events/step_limit.h"
#include "simulate/motion_check.h"
#include "simulate/simulation.h"
#include "simulate/steps/step_loops.h"
#include "simulate/steps/step_report.h"
#include "simulate/steps/step_system.h"
#include "simulate/steps/step_touches.h"

#include <math.h>
#include <string.h>

// Moreau's midpoint rule [Moreau88]. From q, v of the start, with h the step:
//
//   q_m = q + h/2 v                                     forces, M, J and gaps are those of q_m
//   M (v' - v) = h (tau - bias) + J^T p                 p: impulses, see step_system.c
//   q' = q_m + h/2 v'
//
// What depends on velocities is taken at v_m = v + h/2 a, with the accelerations a of the last step
// unless it had a collision. Flight is of second order then, and constant accelerations are exact.
// Where a link rotates by more than 0.02 rad in the step, v_m = (v + v') / 2 is iterated: then the
// forces of rotation do no work, and a body that spins fast keeps its energy. After a collision it
// is iterated once.
//
// Torques fall with their own velocity by D and with their own coordinate by K (hooks, and the
// joints' damping). With  tau = tau_m - D (v_t - v_m) - K h/4 (v' - v),  v_t = v + t (v' - v):
//
//   (M + h t D + h^2/4 K) (v' - v) = h (tau_m + D (v_m - v) - bias) + J^T p
//
// K acts as by the trapezoidal rule, which keeps the energy of any spring. D does so for t = 1/2;
// strong damping must be implicit (t = 1) or motions change sign in every step. In between, one
// joint alone fades as it should, by exp(-z) with z = h D_ii / M_ii, for
//
//   t = 1 / (1 - exp(-z)) - 1 / z

static const double most_rotated = 0.02; // rad in a step; with more, v_m is iterated

static const double fine_velocity = 1e-6; // m/s or rad/s: a smaller change of v_m is none

enum { MOST_ITERATIONS = 4, MOST_THROWS = 8 };

// ---- Creation -------------------------------------------------------------------------------

// Stops and dry friction that there may be. A coupled joint is felt by the one that it copies.
static int joint_rows(const atemi_model *model)
{
    int rows = 0;
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        rows += joint->v_count == 1 ? 2 : joint->friction > 0.0 ? joint->v_count : 0;
    }
    return rows;
}

atemi_time_step atemi_time_step_take(atemi_arena *arena, const atemi_model *model,
                                     const atemi_simulation_contacts *set,
                                     const atemi_simulation_options  *options)
{
    const bool      steps = options->method == ATEMI_METHOD_STEPS;
    atemi_time_step t = {.joints = atemi_joint_bounds_take(arena, model),
                         .touches =
                             atemi_touch_set_take(arena, options->shapes, set->surface_count)};
    const int       nv = atemi_model_v_count(model);
    const int       points = steps ? set->most_rigid + t.touches.most : 0;
    const int       of_joints = steps ? joint_rows(model) + set->loops.row_count : 0;
    const int       rows = 3 * points + of_joints;
    const int       few = points < ATEMI_STEP_FEW ? points : ATEMI_STEP_FEW;
    const int       dense = steps && set->most_rigid > few ? set->most_rigid : few;
    double        **of_v[] = {&t.expected, &t.end,        &t.damping,      &t.stiffness,
                              &t.implicit, &t.correction, &t.stop_torques, &t.friction_torques};
    double        **of_rows[] = {&t.before, &t.start, &t.impulses, &t.after, &t.lift};
    t.loop_rows = set->loops.row_count;
    t.loop_count = set->loops.count;
    t.loop_before = atemi_arena_array(arena, double, t.loop_rows);
    t.loop_forces = atemi_arena_array(arena, double, t.loop_rows);
    t.middle = atemi_arena_array(arena, double, atemi_model_q_count(model));
    t.thrown = atemi_arena_array(arena, bool, nv);
    for (size_t i = 0; i < sizeof of_v / sizeof of_v[0]; ++i) {
        *of_v[i] = atemi_arena_array(arena, double, nv);
    }
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; ++i) {
        *of_rows[i] = atemi_arena_array(arena, double, rows);
    }
    t.space = atemi_constraint_space_take_grouped(arena, model, points + of_joints, rows,
                                                  3 * dense + of_joints);
    if (t.touches.most > 0) {
        t.heap = atemi_pile_system_take(arena, model, points, of_joints);
    }
    t.points = atemi_arena_array(arena, atemi_step_point, points);
    t.contacts = atemi_arena_array(arena, atemi_contact, points);
    t.touch_before = atemi_arena_array(arena, atemi_vec3, t.touches.most);
    t.cones = atemi_arena_array(arena, atemi_cone, points);
    t.smooth_cones = atemi_arena_array(arena, atemi_cone, points);
    t.rows = atemi_arena_array(arena, atemi_step_row, of_joints);
    t.bounds = atemi_arena_array(arena, atemi_interval, of_joints);
    t.forces = atemi_arena_array(arena, atemi_vec3, set->most_points);
    t.scratch = atemi_arena_array(
        arena, double, atemi_cone_problem_scratch_size(dense, of_joints, nv) + (size_t)rows);
    return t;
}

void atemi_time_step_reset(atemi_simulation *s)
{
    const size_t size = (size_t)atemi_model_v_count(s->model) * sizeof(double);
    s->time_step.smooth = false;
    memset(s->time_step.stop_torques, 0, size);
    memset(s->time_step.friction_torques, 0, size);
    memset(s->time_step.forces, 0, (size_t)s->set.point_count * sizeof *s->time_step.forces);
    memset(s->time_step.loop_forces, 0, (size_t)s->time_step.loop_rows * sizeof(double));
    memset(s->set.loops.forces, 0, (size_t)s->set.loops.count * sizeof *s->set.loops.forces);
    memset(s->state.a, 0, size);
    atemi_touch_set_open(&s->time_step.touches);
}

// ---- The middle -----------------------------------------------------------------------------

static void go_halfway(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    atemi_configuration_integrate(s->model, s->state.q, s->state.v, 0.5 * h, t->middle);
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        t->thrown[i] = false;
        t->expected[i] = s->state.v[i] + (t->smooth ? 0.5 * h * s->state.a[i] : 0.0);
    }
    atemi_observe(&s->step.evaluation, &s->set, t->middle, s->state.v);
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->set.points[i].compliance) {
            s->set.modes[i] =
                s->set.states[i].view.gap < 0.0 ? ATEMI_CONTACT_SOFT : ATEMI_CONTACT_OPEN;
        }
    }
}

// tau - bias at q_m and v_m, into the load of the dynamics.
static void find_load(atemi_simulation *s, double h)
{
    atemi_evaluation *e = &s->step.evaluation;
    atemi_time_step  *t = &s->time_step;
    double           *load = e->dynamics.load;
    atemi_kinematics_velocities(s->model, t->expected, &e->dynamics.bias.kinematics);
    atemi_evaluation_ask(e, &s->set, s->state.time + 0.5 * h, t->middle, t->expected);
    atemi_newton_euler_at(s->model, true, NULL, atemi_model_gravity(s->model), e->loads,
                          &e->dynamics.bias, load);
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        e->tau[i] = e->applied[i] - t->joints.viscous[i] * t->expected[i];
        load[i] = e->tau[i] - load[i];
    }
    ++e->count;
}

static double implicitness(double z)
{
    return z > 0.1 ? 1.0 / -expm1(-z) - 1.0 / z : 0.5 + z / 12.0;
}

// A torque at its limit does not fall.
static bool is_saturated(const atemi_evaluation *e, int i)
{
    return e->efforts && fabs(e->applied[i]) >= e->efforts[i];
}

// What D and K add to the diagonal of M.
static void soften(atemi_simulation *s, double h)
{
    atemi_time_step              *t = &s->time_step;
    const atemi_simulation_hooks *hooks = &s->hooks;
    atemi_evaluation             *e = &s->step.evaluation;
    atemi_mass_factor            *factor = &e->dynamics.factor;
    const int                     n = atemi_model_v_count(s->model);
    memcpy(t->damping, t->joints.viscous, (size_t)n * sizeof *t->damping);
    memset(t->stiffness, 0, (size_t)n * sizeof *t->stiffness);
    if (hooks->damping) {
        hooks->damping(hooks->context, t->damping);
    }
    if (hooks->stiffness) {
        hooks->stiffness(hooks->context, t->stiffness);
    }
    for (int i = 0; i < n; ++i) {
        double *own = atemi_mass_factor_diagonal(s->model, factor, i);
        if (is_saturated(e, i)) {
            t->damping[i] = t->joints.viscous[i];
            t->stiffness[i] = 0.0;
        }
        t->implicit[i] = h * implicitness(h * t->damping[i] / *own) * t->damping[i] +
                         0.25 * h * h * t->stiffness[i];
        *own += t->implicit[i];
    }
}

// Of M + h t D + h^2/4 K; false where M is singular.
static bool find_factor(atemi_simulation *s, double h)
{
    atemi_evaluation  *e = &s->step.evaluation;
    atemi_mass_factor *factor = &e->dynamics.factor;
    atemi_mass_factor_fill(s->model, &e->dynamics.bias.kinematics, factor);
    soften(s, h);
    atemi_mass_factor_eliminate(s->model, factor);
    return atemi_mass_factor_regular(s->model, factor);
}

// The velocities at the end without impulses.
static void move_freely(atemi_simulation *s, double h)
{
    atemi_time_step   *t = &s->time_step;
    atemi_evaluation  *e = &s->step.evaluation;
    const atemi_state *state = &s->state;
    const double      *load = e->dynamics.load;
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        t->end[i] = h * (load[i] + t->damping[i] * (t->expected[i] - state->v[i]));
    }
    atemi_mass_factor_solve(s->model, &e->dynamics.factor, t->end);
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        t->end[i] += state->v[i];
    }
}

// ---- The end --------------------------------------------------------------------------------

// v', and q' lifted by the correction.
static void land(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    atemi_state     *state = &s->state;
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        state->a[i] = (t->end[i] - state->v[i]) / h;
        state->v[i] = t->end[i];
        t->correction[i] += 0.5 * h * t->end[i];
    }
    atemi_configuration_integrate(s->model, t->middle, t->correction, 1.0, state->q);
    state->time = atemi_step_end(&s->step, h);
}

// The velocities at the end, with v_m as it is. Where that is iterated, only the first time finds
// the factor; false where it is singular.
static bool move(atemi_simulation *s, double h, bool again)
{
    find_load(s, h);
    if (!again && !find_factor(s, h)) {
        return false;
    }
    move_freely(s, h);
    atemi_step_system_gather(s, h, again);
    atemi_step_system_solve(s, h);
    return true;
}

// By how much v_m changes.
static double expect(atemi_simulation *s)
{
    atemi_time_step *t = &s->time_step;
    double           most = 0.0;
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        const double middle = 0.5 * (s->state.v[i] + t->end[i]);
        most = fmax(most, fabs(middle - t->expected[i]));
        t->expected[i] = middle;
    }
    return most;
}

// Lifts what is inside; and again with the stops that joints are thrown or lifted into.
static void settle(atemi_simulation *s, double h)
{
    atemi_step_system_lift(s, h);
    for (int i = 0; i < MOST_THROWS && atemi_step_system_throws(s, h); ++i) {
        move(s, h, true);
        atemi_step_system_lift(s, h);
    }
}

atemi_status atemi_time_step_advance(atemi_simulation *s, double h, atemi_error *error)
{
    s->step.start.time = s->state.time;
    go_halfway(s, h);
    atemi_step_touches_find(s, h);
    atemi_step_loops_find(s);
    if (s->time_step.touches.lost > 0) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT,
                          "at t = %.9g s shapes touch at more than %d places; give room for more "
                          "(max_touches), or simpler shapes",
                          s->state.time, s->time_step.touches.most);
    }
    atemi_step_report_depth(s, h);
    const bool spins = h * atemi_fastest_rotation(&s->step.evaluation) > most_rotated;
    const bool steady = s->time_step.smooth && s->set.loops.count == 0;
    const int  most = spins ? MOST_ITERATIONS : steady ? 1 : 2;
    const bool regular = move(s, h, false);
    for (int i = 1; i < most && regular && expect(s) > fine_velocity; ++i) {
        move(s, h, true);
    }
    if (!regular) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "at t = %.9g s the mass matrix is singular: a joint moves no mass",
                          s->state.time);
    }
    if (atemi_inputs_check(&s->step.evaluation, error)) {
        return ATEMI_ERROR_SINGULAR;
    }
    settle(s, h);
    atemi_step_report_book(s, h);
    land(s, h);
    atemi_step_report_modes(s, h);
    atemi_step_loops_close(s);
    return atemi_motion_is_bounded(&s->step.evaluation, s->state.v)
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_SINGULAR,
                            "at t = %.9g s the motion is beyond all bounds: are the "
                            "torques those of a stable controller, are the damping and "
                            "stiffness of its servos given by hooks, and is the step, "
                            "%g s, short enough?",
                            s->state.time, s->options.step);
}
