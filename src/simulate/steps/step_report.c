// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/step_report.h"

#include "simulate/simulation.h"
#include "simulate/steps/step_loops.h"
#include "simulate/steps/step_touches.h"

#include <math.h>
#include <string.h>

// With the velocities v_c = (v + v') / 2, a torque does the work  h tau.v_c  and an impulse  p.u_c:
// those sums are the change of  v.M v / 2  at q_m to rounding. What K and D add implicitly is
// part of the torques,  -(implicit v' - v) / h  each, and of the friction as far as it is the
// joints' own. The lift c of what is inside works against gravity, -(momentum of c).g: it takes
// back what weight lost as it sank, of which the impulses have booked the loss.

// A point that moves slower, in m/s, sticks; or is still in touch.
static const double still = 1e-5;

static double vector_along(const double *x, atemi_vec3 n)
{
    return x[0] * n.x + x[1] * n.y + x[2] * n.z;
}

static atemi_vec3 vector_at(const double *x)
{
    return (atemi_vec3){x[0], x[1], x[2]};
}

// ---- Depth ----------------------------------------------------------------------------------

void atemi_step_report_depth(atemi_simulation *s, double h)
{
    double *deepest = &s->ledger.statistics.deepest;
    for (int i = 0; i < s->set.point_count; ++i) {
        const double gap = s->set.states[i].view.gap + 0.5 * h * atemi_point_approach(&s->set, i);
        if (-gap > *deepest && atemi_point_is_rigid(&s->set, i)) {
            *deepest = -gap;
        }
    }
    const atemi_touch_set *touches = &s->time_step.touches;
    for (int i = 0; i < touches->touch_count; ++i) {
        const atemi_touch_point *at = &touches->touches[i].at;
        const double opened = 0.5 * h * atemi_vec3_dot(s->time_step.touch_before[i], at->normal);
        *deepest = fmax(*deepest, opened - at->gap);
    }
}

// ---- The ledger -----------------------------------------------------------------------------

static void book_joints(const atemi_simulation *s, double h, atemi_flows *work)
{
    const atemi_time_step  *t = &s->time_step;
    const atemi_evaluation *e = &s->step.evaluation;
    for (int i = 0; i < t->joints.count; ++i) {
        const double v = s->state.v[i], change = t->end[i] - v, mean = v + 0.5 * change;
        const double own = t->joints.viscous[i], all = t->damping[i];
        const double late = t->damping[i] * (v - t->expected[i]); // D (v - v_m)
        const double total =
            h * (e->applied[i] - own * t->expected[i] - late) - t->implicit[i] * change;
        const double friction = all > 0.0 ? own / all * (total - h * e->applied[i]) : 0.0;
        work->of[ATEMI_FLOW_TORQUES] += (total - friction) * mean;
        work->of[ATEMI_FLOW_FRICTION] += friction * mean;
    }
}

static void book_links(const atemi_simulation *s, double h, atemi_flows *work)
{
    const atemi_evaluation *e = &s->step.evaluation;
    const atemi_kinematics *k = &e->dynamics.bias.kinematics;
    for (int link = 0; link < atemi_model_link_count(s->model); ++link) {
        const atemi_force force = e->external[link];
        work->of[ATEMI_FLOW_EXTERNAL_POWER] +=
            h * atemi_motion_power(atemi_link_velocity_in(s->model, k, link), force);
        work->of[ATEMI_FLOW_EXTERNAL_FORCE] += h * force.linear.x;
        work->of[ATEMI_FLOW_EXTERNAL_FORCE + 1] += h * force.linear.y;
        work->of[ATEMI_FLOW_EXTERNAL_FORCE + 2] += h * force.linear.z;
    }
}

static void book_soft_points(const atemi_simulation *s, double h, atemi_flows *work)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->set.modes[i] == ATEMI_CONTACT_SOFT) {
            const atemi_vec3 f = s->set.forces[i];
            const double     by = h * s->set.outer[i];
            work->of[ATEMI_FLOW_CONTACTS] += h * atemi_vec3_dot(f, s->set.states[i].velocity);
            work->of[ATEMI_FLOW_FORCE] += by * f.x;
            work->of[ATEMI_FLOW_FORCE + 1] += by * f.y;
            work->of[ATEMI_FLOW_FORCE + 2] += by * f.z;
        }
    }
}

// Forces on links and points, at the velocities v_c.
static void book_forces(atemi_simulation *s, double h, atemi_flows *work)
{
    atemi_time_step *t = &s->time_step;
    if (!s->hooks.external_forces && s->set.most_rigid == s->set.point_count) {
        return;
    }
    for (int i = 0; i < t->joints.count; ++i) {
        t->expected[i] = 0.5 * (s->state.v[i] + t->end[i]);
    }
    atemi_observe_velocities(&s->step.evaluation, &s->set, t->expected);
    book_soft_points(s, h, work);
    if (s->hooks.external_forces) {
        book_links(s, h, work);
    }
}

// Whether a point of the system is pushed by the world, not by another link.
static bool is_outer(const atemi_simulation *s, int i)
{
    const atemi_time_step *t = &s->time_step;
    return i < t->contact_count ||
           atemi_touch_is_outer(s->model, &t->touches.touches[t->points[i].index]);
}

// What the lift costs.
static double lifting_work(atemi_simulation *s)
{
    const atemi_time_step *t = &s->time_step;
    atemi_kinematics      *k = &s->step.evaluation.dynamics.bias.kinematics;
    if (!t->lifted) {
        return 0.0;
    }
    atemi_kinematics_velocities(s->model, t->correction, k);
    return -atemi_vec3_dot(atemi_momentum_in(s->model, k).linear, atemi_model_gravity(s->model));
}

// Returns what rigid contacts give: nothing, as they are at rest.
static double book_rows(const atemi_simulation *s, atemi_flows *work, double *collisions)
{
    const atemi_time_step *t = &s->time_step;
    const int              points = 3 * t->point_count;
    double                 given = 0.0;
    for (int r = 0; r < t->space.row_count; ++r) {
        const double p = t->impulses[r], done = 0.5 * p * (t->before[r] + t->after[r]);
        const bool   stop = r >= points && t->rows[r - points].kind == ATEMI_STEP_ROW_STOP;
        const bool   rubs = r >= points && t->rows[r - points].kind == ATEMI_STEP_ROW_FRICTION;
        work->of[rubs ? ATEMI_FLOW_FRICTION : ATEMI_FLOW_CONTACTS] += stop ? 0.0 : done;
        *collisions += stop ? done : 0.0;
        given += rubs ? 0.0 : done;
        if (r < points && is_outer(s, r / 3)) {
            work->of[ATEMI_FLOW_FORCE + r % 3] += p;
        }
    }
    return given;
}

void atemi_step_report_book(atemi_simulation *s, double h)
{
    atemi_flows  work = {{0.0}};
    double       collisions = 0.0;
    const double lift = lifting_work(s);
    book_joints(s, h, &work);
    s->ledger.given += book_rows(s, &work, &collisions) + lift;
    work.of[ATEMI_FLOW_CONTACTS] += lift;
    atemi_step_loops_book(s, &work);
    book_forces(s, h, &work);
    atemi_ledger_add_work(&s->ledger, &work, collisions);
    ++s->ledger.statistics.steps;
}

// ---- Points ---------------------------------------------------------------------------------

static void report(atemi_simulation *s, atemi_event event)
{
    atemi_ledger_report(&s->ledger, &s->hooks, s->state.time, event);
}

static void report_touchdown(atemi_simulation *s, const atemi_step_point *of, atemi_vec3 normal,
                             const double *p)
{
    const double speed = -atemi_vec3_dot(of->before, normal);
    if (speed > still) {
        ++s->ledger.statistics.collisions;
        s->time_step.smooth = false;
        report(s, (atemi_event){.kind = ATEMI_EVENT_TOUCHDOWN,
                                .point = of->index,
                                .joint = ATEMI_NONE,
                                .speed = speed,
                                .impulse = vector_at(p)});
    }
}

// Whether a point in the system is held by its impulse, or at least still in touch with it.
static bool is_closed(const atemi_simulation *s, int i)
{
    const atemi_time_step *t = &s->time_step;
    const atemi_vec3       n = t->cones[i].normal;
    const double          *p = t->impulses + 3 * (size_t)i, *u = t->after + 3 * (size_t)i;
    const bool             was = s->set.modes[t->points[i].index] != ATEMI_CONTACT_OPEN;
    return vector_along(p, n) > 0.0 || (was && vector_along(u, n) < still);
}

static atemi_contact_mode mode_of(const atemi_time_step *t, int i)
{
    const atemi_vec3 n = t->cones[i].normal, u = vector_at(t->after + 3 * (size_t)i);
    const atemi_vec3 along = atemi_vec3_sub(u, atemi_vec3_scale(atemi_vec3_dot(u, n), n));
    return atemi_vec3_norm(along) > still ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_STICK;
}

static void follow_point(atemi_simulation *s, int i, double h)
{
    atemi_time_step        *t = &s->time_step;
    const atemi_step_point *of = &t->points[i];
    atemi_contact_mode     *mode = &s->set.modes[of->index], was = *mode;
    const double           *p = t->impulses + 3 * (size_t)i;
    const bool leaves = vector_along(t->after + 3 * (size_t)i, t->cones[i].normal) > still;
    s->set.forces[of->index] = t->forces[of->index] = atemi_vec3_scale(1.0 / h, vector_at(p));
    if (is_closed(s, i) && was == ATEMI_CONTACT_OPEN) {
        report_touchdown(s, of, t->cones[i].normal, p);
    }
    *mode = is_closed(s, i) && !leaves ? mode_of(t, i) : ATEMI_CONTACT_OPEN;
    if (*mode == ATEMI_CONTACT_OPEN && was != ATEMI_CONTACT_OPEN) {
        report(s, (atemi_event){
                      .kind = ATEMI_EVENT_LIFT_OFF, .point = of->index, .joint = ATEMI_NONE});
    }
}

// Points that are not in the system are open.
static void follow_points(atemi_simulation *s, double h)
{
    const atemi_time_step *t = &s->time_step;
    for (int i = 0, k = 0; i < s->set.point_count; ++i) {
        if (!atemi_point_is_rigid(&s->set, i)) {
            continue;
        }
        if (k < t->contact_count && t->points[k].index == i) {
            follow_point(s, k++, h);
        } else {
            s->set.forces[i] = s->time_step.forces[i] = (atemi_vec3){0.0, 0.0, 0.0};
            if (s->set.modes[i] != ATEMI_CONTACT_OPEN) {
                s->set.modes[i] = ATEMI_CONTACT_OPEN;
                report(s, (atemi_event){
                              .kind = ATEMI_EVENT_LIFT_OFF, .point = i, .joint = ATEMI_NONE});
            }
        }
    }
}

void atemi_step_report_forces(atemi_simulation *s)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        atemi_force     *load = &s->step.evaluation.loads[s->set.points[i].link];
        const atemi_vec3 force = s->time_step.forces[i];
        if (atemi_point_is_rigid(&s->set, i)) {
            s->set.forces[i] = force;
            load->linear = atemi_vec3_add(load->linear, force);
            load->angular =
                atemi_vec3_add(load->angular, atemi_vec3_cross(s->set.states[i].arm, force));
        }
    }
    atemi_step_touches_load(s);
}

// ---- Patches --------------------------------------------------------------------------------

// Whether a patch holds, and slips, by the given modes; its first point.
static bool patch_slips(const atemi_simulation *s, const atemi_contact_mode *modes, int patch,
                        int *first)
{
    bool slips = false;
    *first = ATEMI_NONE;
    for (int i = 0; i < s->set.point_count; ++i) {
        const bool held = modes[i] == ATEMI_CONTACT_STICK || modes[i] == ATEMI_CONTACT_SLIP;
        if (s->set.patches[i] == patch && held) {
            *first = *first == ATEMI_NONE ? i : *first;
            slips = slips || modes[i] == ATEMI_CONTACT_SLIP;
        }
    }
    return slips;
}

static void follow_patches(atemi_simulation *s)
{
    for (int patch = 0; patch < s->set.patch_count; ++patch) {
        int        before, now;
        const bool slid = patch_slips(s, s->set.kept_modes, patch, &before);
        const bool slides = patch_slips(s, s->set.modes, patch, &now);
        if (before != ATEMI_NONE && now != ATEMI_NONE && slid != slides) {
            report(s, (atemi_event){.kind = slides ? ATEMI_EVENT_SLIP : ATEMI_EVENT_STICK,
                                    .point = now,
                                    .joint = ATEMI_NONE});
        }
    }
}

// ---- Joints ---------------------------------------------------------------------------------

static void report_stop(atemi_simulation *s, const atemi_step_row *of, double speed, double impulse)
{
    ++s->ledger.statistics.collisions;
    s->time_step.smooth = false;
    report(s, (atemi_event){.kind = ATEMI_EVENT_STOP,
                            .point = ATEMI_NONE,
                            .joint = s->time_step.joints.joints[of->rate],
                            .speed = speed,
                            .stop_impulse = impulse});
}

static void follow_joints(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    const size_t     size = (size_t)t->joints.count * sizeof *t->stop_torques;
    memset(t->stop_torques, 0, size);
    memset(t->friction_torques, 0, size);
    for (int i = 0, r = 3 * t->point_count; i < t->row_count - t->loop_rows; ++i, ++r) {
        const atemi_step_row *of = &t->rows[i];
        const double          speed = -of->side * t->before[r];
        if (of->kind == ATEMI_STEP_ROW_FRICTION) {
            t->friction_torques[of->rate] = t->impulses[r] / h;
            continue;
        }
        t->stop_torques[of->rate] = t->impulses[r] / h;
        if (t->impulses[r] != 0.0 && speed > s->options.slowest_bounce) {
            report_stop(s, of, speed, t->impulses[r]);
        }
    }
}

void atemi_step_report_modes(atemi_simulation *s, double h)
{
    memcpy(s->set.kept_modes, s->set.modes, (size_t)s->set.point_count * sizeof *s->set.kept_modes);
    s->time_step.smooth = true;
    follow_points(s, h);
    follow_patches(s);
    atemi_step_touches_follow(s, h);
    follow_joints(s, h);
    atemi_step_loops_follow(s, h);
    double *overrun = &s->ledger.statistics.overrun;
    *overrun = fmax(*overrun, atemi_joint_bounds_overrun(&s->time_step.joints, s->state.q));
}
