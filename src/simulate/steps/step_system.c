// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/step_system.h"

#include "dynamics/blocks.h"
#include "simulate/simulation.h"
#include "simulate/steps/step_loops.h"
#include "simulate/steps/step_touches.h"

#include <math.h>
#include <string.h>

// With u = J v at the start, u' at the end, the gap g in the middle of the step, all along the
// normal, and e the restitution, a point that is near its surface has
//
//   u' >= -e u       if it would reach its surface in this step, and bounces
//   u' >= -2 g / h   otherwise, where g > 0: it is at its surface at the end, g + h/2 u' >= 0
//   u' >= 0          otherwise
//
// each with its impulse, p >= 0, only where that is an equality. Across, friction acts against u'.
// The stops of joints are the same without friction. A joint with dry friction F has |p| <= h F,
// and p = -h F sign(v') where it moves. Closed loops have rows without bounds (step_loops.c). All
// these are one cone problem (cone_problem.h).
//
// Impulses do the work  p.(u + u') / 2.  Alone, a bounce of e = 1 keeps the energy, but for
// rounding. Several together may gain some [Stronge90]; then e of all is halved in search of one
// that does not.
//
// What is inside its surface at the end, with g' = g + h/2 u' < 0, does not get a velocity out of
// it but is lifted: by the least motion J^T l, as M measures, with  g' + A l >= 0,  l >= 0. That
// takes back no more than what was lost as it sank within the step. What bounces leaves by itself.

static const double relative_accuracy = 1e-6, least_speed = 1e-3; // of u, in m/s or rad/s

// Of the energy that impulses exchange, this part is rounding.
static const double no_gain = 1e-9;

// Less is not lifted, m or rad.
static const double shallow = 1e-7;

// Slower, in m/s, a point that comes down does not slide.
static const double standing = 1e-6;

// Redundant points that begin to slip may take hundreds of rounds to that; this will do as well.
static const double enough_accuracy = 1e-4;

enum { ROUNDS = 6, MOST_HALVINGS = 30 };

// A pile is solved to ten times that; by so many sweeps at most of each point, of all points
// together if they are few.
enum { LEAST_SWEEPS = 60, MOST_RELAXED = 20000 };

// ---- Rows -----------------------------------------------------------------------------------

// How fast a point moves at the end, without impulses.
static atemi_vec3 free_velocity(const atemi_simulation *s, int i)
{
    const atemi_motion on = atemi_link_velocity_in(
        s->model, &s->step.evaluation.dynamics.bias.kinematics, s->set.points[i].link);
    return atemi_motion_at(on, s->set.states[i].arm).linear;
}

// Kinetic where it slid in the last step, or comes sliding.
static double friction_of(const atemi_simulation *s, int i)
{
    const atemi_contact_mode mode = s->set.modes[i];
    const bool               slides =
        mode == ATEMI_CONTACT_SLIP ||
        (mode == ATEMI_CONTACT_OPEN && atemi_point_slide_speed(&s->set, i) > standing);
    return slides ? s->set.points[i].kinetic_friction : s->set.points[i].static_friction;
}

static void add_point(atemi_simulation *s, int i, double h, atemi_vec3 end)
{
    atemi_time_step              *t = &s->time_step;
    const atemi_contact_state    *seen = &s->set.states[i];
    const atemi_simulation_point *point = &s->set.points[i];
    const double                  approach = atemi_point_approach(&s->set, i);
    const double reached = seen->view.gap + 0.5 * h * atemi_vec3_dot(end, seen->view.normal);
    const double friction = friction_of(s, i);
    const int    n = t->point_count++;
    t->points[n] = (atemi_step_point){.index = i,
                                      .gap = seen->view.gap,
                                      .before = seen->velocity,
                                      .restitution = point->restitution,
                                      .hits = point->restitution > 0.0 && reached < 0.0 &&
                                              approach > s->options.slowest_bounce};
    t->contacts[n] = atemi_point_contact(&s->set, i, true, friction);
    t->cones[n] = (atemi_cone){seen->view.normal, friction};
    t->smooth_cones[n] = (atemi_cone){seen->view.normal, 0.0};
}

static void gather_points(atemi_simulation *s, double h)
{
    s->time_step.point_count = 0;
    for (int i = 0; i < s->set.point_count; ++i) {
        if (!atemi_point_is_rigid(&s->set, i)) {
            continue;
        }
        const atemi_vec3 end = free_velocity(s, i);
        const double speed = fmax(atemi_vec3_norm(end), atemi_vec3_norm(s->set.states[i].velocity));
        if (s->set.states[i].view.gap < h * speed) {
            add_point(s, i, h, end);
        }
    }
}

static void add_row(atemi_simulation *s, atemi_step_row row, atemi_interval bound)
{
    atemi_time_step *t = &s->time_step;
    t->bounds[t->row_count] = bound;
    t->rows[t->row_count++] = row;
}

// The nearer stop of a joint in the middle of the step.
typedef struct near_stop {
    double side, gap; // 1 at the lower, -1 at the upper one
} near_stop;

static near_stop stop_near(const atemi_time_step *t, int i)
{
    const double q = t->middle[t->joints.coordinates[i]];
    const double above = q - t->joints.lower[i], below = t->joints.upper[i] - q;
    return (near_stop){above <= below ? 1.0 : -1.0, fmin(above, below)};
}

// The nearer stop of a joint, if it is within reach.
static void gather_stop(atemi_simulation *s, int i, double h)
{
    const atemi_time_step *t = &s->time_step;
    const double           v = s->state.v[i], end = t->end[i];
    const near_stop        near = stop_near(t, i);
    const double           side = near.side, gap = near.gap;
    const bool             reached = gap + 0.5 * h * side * end < 0.0;
    if (t->thrown[i] || gap < h * fmax(fabs(v), fabs(end))) {
        const atemi_interval up = {0.0, (double)INFINITY}, down = {-(double)INFINITY, 0.0};
        const bool           hits =
            reached && s->options.stop_restitution > 0.0 && -side * v > s->options.slowest_bounce;
        add_row(s,
                (atemi_step_row){
                    .kind = ATEMI_STEP_ROW_STOP, .rate = i, .side = side, .gap = gap, .hits = hits},
                side > 0.0 ? up : down);
    }
}

static void gather_joints(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    t->row_count = 0;
    for (int i = 0; i < t->joints.count; ++i) {
        const double most = h * t->joints.coulomb[i];
        if (most > 0.0) {
            add_row(s, (atemi_step_row){.kind = ATEMI_STEP_ROW_FRICTION, .rate = i},
                    (atemi_interval){-most, most});
        }
        if (t->joints.coordinates[i] != ATEMI_NONE) {
            gather_stop(s, i, h);
        }
    }
}

// The last step's forces are the guess.
static void guess(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    double          *p = t->impulses;
    for (int i = 0; i < t->point_count; ++i) {
        const int        of = t->points[i].index;
        const atemi_vec3 force =
            i < t->contact_count ? t->forces[of] : t->touches.touches[of].force;
        *p++ = h * force.x;
        *p++ = h * force.y;
        *p++ = h * force.z;
    }
    const int of_joints = t->row_count - t->loop_rows;
    for (int i = 0; i < t->loop_rows; ++i) {
        p[of_joints + i] = h * t->loop_forces[i];
    }
    for (int i = 0; i < of_joints; ++i) {
        const bool    stop = t->rows[i].kind == ATEMI_STEP_ROW_STOP;
        const double *torques = stop ? t->stop_torques : t->friction_torques;
        *p++ = h * torques[t->rows[i].rate];
    }
}

// The inertia that the rows feel: of a pile in blocks, else as a whole. A pile for which there is
// no room gets no impulses, and ends the run before the next step.
static void project(atemi_simulation *s)
{
    atemi_time_step         *t = &s->time_step;
    const atemi_kinematics  *k = &s->step.evaluation.dynamics.bias.kinematics;
    const atemi_mass_factor *factor = &s->step.evaluation.dynamics.factor;
    atemi_contact_report     ignored;
    t->pile = t->point_count > ATEMI_STEP_FEW && t->point_count > t->contact_count;
    if (!t->pile) {
        atemi_constraint_space_project(s->model, k, factor, NULL, &t->space, &ignored);
        return;
    }
    atemi_constraint_space_group(s->model, k, factor, &t->space);
    atemi_pile_system_fill(s->model, factor, &t->space, t->point_count, t->row_count, &t->heap);
}

void atemi_step_system_gather(atemi_simulation *s, double h, bool again)
{
    atemi_time_step        *t = &s->time_step;
    const atemi_kinematics *k = &s->step.evaluation.dynamics.bias.kinematics;
    atemi_constraint_space *space = &t->space;
    const int               before = space->row_count;
    atemi_kinematics_velocities(s->model, t->end, &s->step.evaluation.dynamics.bias.kinematics);
    gather_points(s, h);
    t->contact_count = t->point_count;
    atemi_step_touches_gather(s, h);
    gather_joints(s, h);
    int count =
        atemi_contact_rows_find(s->model, k, true, t->contacts, t->contact_count, space->rows);
    for (int i = t->contact_count; i < t->point_count; ++i) {
        count += atemi_touch_rows(s->model, k, &t->touches.touches[t->points[i].index].place,
                                  space->rows + count);
    }
    for (int i = 0; i < t->row_count; ++i) {
        space->rows[count++] = atemi_joint_row(t->rows[i].rate, t->end[t->rows[i].rate]);
    }
    space->row_count = count + atemi_step_loops_gather(s, space->rows + count);
    project(s);
    atemi_step_loops_bound(s);
    if (!again || count != before) {
        guess(s, h);
    }
}

// ---- Velocities -----------------------------------------------------------------------------

// By how much u' may be below zero: less than nothing where it bounces.
static double allowed(double before, double gap, bool hits, double restitution, double h)
{
    if (hits) {
        return restitution * fmin(0.0, before);
    }
    return gap > 0.0 ? 2.0 * gap / h : 0.0;
}

// c of the cone problem, with restitutions scaled by `bounce`; and J v of the start.
static void start_from(atemi_simulation *s, double bounce, double h)
{
    atemi_time_step *t = &s->time_step;
    for (int i = 0; i < t->point_count; ++i) {
        const atemi_step_point *of = &t->points[i];
        const atemi_vec3        n = t->cones[i].normal;
        const double            more =
            allowed(atemi_vec3_dot(of->before, n), of->gap, of->hits, bounce * of->restitution, h);
        const double along[] = {n.x, n.y, n.z}, was[] = {of->before.x, of->before.y, of->before.z};
        for (int axis = 0; axis < 3; ++axis) {
            const int r = 3 * i + axis;
            t->before[r] = was[axis];
            t->start[r] = t->space.rows[r].velocity + more * along[axis];
        }
    }
    atemi_step_loops_start(t);
    for (int i = 0, r = 3 * t->point_count; i < t->row_count - t->loop_rows; ++i, ++r) {
        const atemi_step_row *of = &t->rows[i];
        const bool            stop = of->kind == ATEMI_STEP_ROW_STOP;
        t->before[r] = s->state.v[of->rate];
        const double more = allowed(of->side * t->before[r], of->gap, of->hits,
                                    bounce * s->options.stop_restitution, h);
        t->start[r] = t->space.rows[r].velocity + (stop ? of->side * more : 0.0);
    }
}

static double largest(const double *x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    }
    return most;
}

static int most_sweeps(const atemi_time_step *t)
{
    const int most = MOST_RELAXED / (t->point_count + 1);
    return most > LEAST_SWEEPS ? most : LEAST_SWEEPS;
}

static double solve(atemi_simulation *s, const double *from, const atemi_cone *cones,
                    double tolerance, double *impulses)
{
    atemi_time_step         *t = &s->time_step;
    const atemi_cone_problem problem = {.points = t->point_count,
                                        .intervals = t->row_count,
                                        .freedoms = atemi_model_v_count(s->model),
                                        .A = t->space.system,
                                        .c = from,
                                        .cones = cones,
                                        .bounds = t->bounds,
                                        .tolerance = tolerance,
                                        .enough = (t->pile ? 10.0 : 1.0) * enough_accuracy /
                                                  relative_accuracy * tolerance,
                                        .rounds = ROUNDS};
    return t->pile ? atemi_cone_sweeps(&problem, &t->heap, most_sweeps(t), impulses)
                   : atemi_cone_problem_solve(&problem, t->scratch, t->space.pivot, impulses);
}

// u' of all rows. Whether the impulses give energy, p.(u + u') / 2.
static bool find_after(atemi_simulation *s)
{
    atemi_time_step *t = &s->time_step;
    const int        n = t->space.row_count;
    double           energy = 0.0, exchanged = 0.0;
    for (int r = 0; r < n; ++r) {
        t->after[r] = t->space.rows[r].velocity;
        for (int c = 0; c < n && !t->pile; ++c) {
            t->after[r] += t->space.system[(size_t)r * (size_t)n + (size_t)c] * t->impulses[c];
        }
    }
    if (t->pile) {
        atemi_pile_system_press(&t->heap, atemi_model_v_count(s->model), t->impulses);
    }
    for (int block = 0; t->pile && block < atemi_pile_blocks(&t->heap); ++block) {
        atemi_pile_system_add(&t->heap, block, t->after + atemi_pile_row(&t->heap, block));
    }
    for (int r = 0; r < n; ++r) {
        energy += t->impulses[r] * (t->before[r] + t->after[r]);
        exchanged += fabs(t->impulses[r] * t->before[r]) + fabs(t->impulses[r] * t->after[r]);
    }
    return energy > no_gain * exchanged;
}

static bool anything_hits(const atemi_time_step *t)
{
    bool any = false;
    for (int i = 0; i < t->point_count; ++i) {
        any = any || t->points[i].hits;
    }
    for (int i = 0; i < t->row_count; ++i) {
        any = any || t->rows[i].hits;
    }
    return any;
}

static void find_impulses(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    const bool       checked = anything_hits(t);
    double           bounce = 1.0, left;
    bool             gains;
    start_from(s, bounce, h);
    const double tolerance =
        relative_accuracy * (least_speed + largest(t->start, t->space.row_count));
    left = solve(s, t->start, t->cones, tolerance, t->impulses);
    gains = find_after(s);
    for (int i = 0; i < MOST_HALVINGS && checked && gains; ++i) {
        bounce = i + 1 < MOST_HALVINGS ? 0.5 * bounce : 0.0;
        start_from(s, bounce, h);
        left = solve(s, t->start, t->cones, tolerance, t->impulses);
        gains = find_after(s);
    }
    s->ledger.statistics.violation = fmax(s->ledger.statistics.violation, left);
}

// M^-1 J^T x, into the factor's work.
static const double *respond(atemi_simulation *s, const double *x)
{
    atemi_time_step   *t = &s->time_step;
    atemi_mass_factor *factor = &s->step.evaluation.dynamics.factor;
    memcpy(t->space.target, x, (size_t)t->space.row_count * sizeof *x);
    atemi_constraint_space_respond(s->model, &t->space, factor);
    return factor->work;
}

void atemi_step_system_solve(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    const int        n = atemi_model_v_count(s->model);
    if (t->space.row_count == 0) {
        return;
    }
    find_impulses(s, h);
    const double *change = respond(s, t->impulses);
    for (int i = 0; i < n; ++i) {
        t->end[i] += change[i];
    }
}

bool atemi_step_system_throws(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    bool             any = false;
    for (int i = 0; i < t->row_count; ++i) {
        if (t->rows[i].kind == ATEMI_STEP_ROW_STOP) {
            t->thrown[t->rows[i].rate] = true;
        }
    }
    for (int i = 0; i < t->joints.count; ++i) {
        if (t->joints.coordinates[i] != ATEMI_NONE && !t->thrown[i]) {
            const near_stop near = stop_near(t, i);
            const double    moved = 0.5 * h * t->end[i] + t->correction[i];
            t->thrown[i] = near.gap + near.side * moved < -shallow;
            any = any || t->thrown[i];
        }
    }
    return any;
}

// ---- Positions ------------------------------------------------------------------------------

// g' of all rows, those that need not be lifted being zero or more; the deepest.
static double find_depths(atemi_time_step *t, double h)
{
    double least = 0.0;
    for (int i = 0; i < t->point_count; ++i) {
        const atemi_vec3 n = t->cones[i].normal;
        const double    *u = t->after + 3 * (size_t)i;
        const double     gap = t->points[i].gap + 0.5 * h * (n.x * u[0] + n.y * u[1] + n.z * u[2]);
        const double     from = t->points[i].hits ? fmax(gap, 0.0) : gap;
        least = fmin(least, from);
        t->start[3 * i] = from * n.x;
        t->start[3 * i + 1] = from * n.y;
        t->start[3 * i + 2] = from * n.z;
    }
    for (int i = 0, r = 3 * t->point_count; i < t->row_count; ++i, ++r) {
        const atemi_step_row *of = &t->rows[i];
        const double          gap = of->gap + 0.5 * h * of->side * t->after[r];
        const double          from = of->hits ? fmax(gap, 0.0) : gap;
        t->start[r] = of->kind == ATEMI_STEP_ROW_STOP ? of->side * from : 0.0;
        least = of->kind == ATEMI_STEP_ROW_STOP ? fmin(least, from) : least;
    }
    return -least;
}

// Friction has no part in it.
static void loosen(atemi_time_step *t)
{
    for (int i = 0; i < t->row_count; ++i) {
        if (t->rows[i].kind == ATEMI_STEP_ROW_FRICTION) {
            t->bounds[i] = (atemi_interval){0.0, 0.0};
        }
    }
}

void atemi_step_system_lift(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    memset(t->correction, 0, (size_t)atemi_model_v_count(s->model) * sizeof *t->correction);
    t->lifted = t->space.row_count > 0 && find_depths(t, h) > shallow;
    if (!t->lifted) {
        return;
    }
    loosen(t);
    memset(t->lift, 0, (size_t)t->space.row_count * sizeof *t->lift);
    solve(s, t->start, t->smooth_cones, 0.01 * shallow, t->lift);
    memcpy(t->correction, respond(s, t->lift),
           (size_t)atemi_model_v_count(s->model) * sizeof *t->correction);
}
