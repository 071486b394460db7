// SPDX-License-Identifier: Apache-2.0

#include "contact/collision.h"

#include "atemi/base.h"
#include "contact/cone_problem.h"
#include "contact/data_contact.h"
#include "contact/loop_rows.h"
#include "dynamics/mass_rows.h"

#include <math.h>
#include <string.h>

// All points are taken as sticking to get A = J M^-1 J^T and their velocities u. The cone problem
// is solved for w = A p + c with
//
//   c = u + restitution min(0, u_n) n     so that  w_n >= 0  is  u'_n >= -restitution u_n
//
// A coordinate that is held has one row, and an interval for its impulse. Those of a closed loop
// have no bounds.
//
// The energy gained is p.(u + u') / 2. Without restitution it cannot be positive, since
// p.u' <= 0 at every point and p.u = p.u' - p.A p. With it, and friction, it can [Stronge90];
// then the restitution of all points is halved in search of the largest that loses energy.

static const double relative_accuracy = 1e-13;

// Of the largest mobility of a loop's row: less is rounding.
static const double idle = 1e-20;

enum { MOST_HALVINGS = 30 };

static void take_points(const atemi_contact *contacts, int count, atemi_collision_scratch *s)
{
    for (int i = 0; i < count; ++i) {
        s->points[i] = contacts[i];
        if (contacts[i].mode != ATEMI_CONTACT_OPEN) {
            s->points[i].mode = ATEMI_CONTACT_STICK;
        }
    }
}

// Rows of the space and velocities: of the points, three each, where open contacts have none, and
// of the holds.
static void find_rows(const atemi_model *model, const atemi_kinematics *k, const double *v,
                      const atemi_contact_set *set, atemi_collision_scratch *s)
{
    const int of_points =
        atemi_contact_rows_find(model, k, true, s->points, set->count, s->space.rows);
    s->point_count = of_points / 3;
    s->holds = set->holds;
    s->hold_count =
        atemi_joint_rows_find(set->holds, set->hold_count, v, s->space.rows + of_points);
    s->space.row_count = of_points + s->hold_count;
    s->loop_rows = atemi_loop_rows_find(model, k, true, set->loops, set->loop_count,
                                        s->space.rows + s->space.row_count);
    s->space.row_count += s->loop_rows;
    for (int r = 0; r < s->space.row_count; ++r) {
        s->before[r] = s->space.rows[r].velocity;
    }
    for (int p = 0; p < s->point_count; ++p) {
        const atemi_contact *point = &s->points[s->space.rows[3 * p].contact];
        s->cones[p] = (atemi_cone){.normal = point->normal, .friction = point->friction};
    }
    for (int i = 0; i < s->hold_count; ++i) {
        s->bounds[i] = (atemi_interval){set->holds[i].lower, set->holds[i].upper};
    }
    for (int i = s->hold_count; i < s->hold_count + s->loop_rows; ++i) {
        s->bounds[i] = (atemi_interval){-(double)INFINITY, (double)INFINITY};
    }
}

// Rows of loops that move nothing get no impulse: it would be undetermined.
static void bound_idle_loops(atemi_collision_scratch *s)
{
    const int n = s->space.row_count, first = n - s->loop_rows;
    double    most = 0.0;
    for (int r = first; r < n; ++r) {
        most = fmax(most, s->space.system[(size_t)r * (size_t)(n + 1)]);
    }
    for (int r = first; r < n; ++r) {
        if (s->space.system[(size_t)r * (size_t)(n + 1)] <= idle * most) {
            s->bounds[s->hold_count + r - first] = (atemi_interval){0.0, 0.0};
        }
    }
}

// Everything that the cone problem is about.
static void pose(const atemi_model *model, const atemi_kinematics *k,
                 const atemi_mass_factor *factor, const double *v, const atemi_contact_set *set,
                 atemi_collision_scratch *s)
{
    atemi_contact_report ignored;
    take_points(set->contacts, set->count, s);
    find_rows(model, k, v, set, s);
    atemi_constraint_space_project(model, k, factor, NULL, &s->space, &ignored);
    bound_idle_loops(s);
}

static void guess(const atemi_vec3 *impulses, atemi_collision_scratch *s)
{
    double *p = s->impulses;
    for (int i = 0; i < s->point_count; ++i) {
        const atemi_vec3 of = impulses[s->space.rows[3 * i].contact];
        *p++ = of.x;
        *p++ = of.y;
        *p++ = of.z;
    }
    for (int i = 0; i < s->hold_count; ++i) {
        *p++ = s->holds[i].force;
    }
    memset(p, 0, (size_t)s->loop_rows * sizeof *p);
}

static atemi_vec3 at(const double *x, int point)
{
    return (atemi_vec3){x[3 * point], x[3 * point + 1], x[3 * point + 2]};
}

// By how much a stop that is hit throws back; friction does not.
static double thrown_back(const atemi_joint_hold *hold, double velocity)
{
    const bool hits = (hold->upper == (double)INFINITY && velocity < 0.0) ||
                      (hold->lower == -(double)INFINITY && velocity > 0.0);
    return hits ? hold->restitution * velocity : 0.0;
}

// c, with the restitution scaled by `bounce`.
static void start_from(const double *restitution, double bounce, atemi_collision_scratch *s)
{
    for (int p = 0; p < s->point_count; ++p) {
        const atemi_vec3 u = at(s->before, p), n = s->cones[p].normal;
        const double     e = restitution ? restitution[s->space.rows[3 * p].contact] : 0.0;
        const atemi_vec3 back = atemi_vec3_scale(bounce * e * fmin(0.0, atemi_vec3_dot(u, n)), n);
        s->motion[3 * p] = u.x + back.x;
        s->motion[3 * p + 1] = u.y + back.y;
        s->motion[3 * p + 2] = u.z + back.z;
    }
    for (int i = 0, r = 3 * s->point_count; i < s->hold_count; ++i, ++r) {
        s->motion[r] = s->before[r] + bounce * thrown_back(&s->holds[i], s->before[r]);
    }
    const int first_of_loops = s->space.row_count - s->loop_rows;
    memcpy(s->motion + first_of_loops, s->before + first_of_loops,
           (size_t)s->loop_rows * sizeof *s->motion);
}

static double largest(const double *x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// (A p)_r
static double moved_by_impulses(const atemi_collision_scratch *s, int r)
{
    const double *A = s->space.system + (size_t)r * (size_t)s->space.row_count;
    double        moved = 0.0;
    for (int c = 0; c < s->space.row_count; ++c) {
        moved += A[c] * s->impulses[c];
    }
    return moved;
}

// p.(u + u') / 2 = p.u + p.A p / 2
static double energy_gained(const atemi_collision_scratch *s)
{
    double gain = 0.0;
    for (int r = 0; r < s->space.row_count; ++r) {
        gain += s->impulses[r] * (s->before[r] + 0.5 * moved_by_impulses(s, r));
    }
    return gain;
}

// The impulses are a guess before and the answer afterwards.
static void solve(const atemi_model *model, const double *restitution, double bounce,
                  atemi_collision_scratch *s, atemi_collision_report *report)
{
    const int n = s->space.row_count;
    start_from(restitution, bounce, s);
    const atemi_cone_problem problem = {.points = s->point_count,
                                        .intervals = s->hold_count + s->loop_rows,
                                        .bounds = s->bounds,
                                        .freedoms = model->v_count,
                                        .A = s->space.system,
                                        .c = s->motion,
                                        .cones = s->cones,
                                        .tolerance =
                                            relative_accuracy * (1e-3 + largest(s->before, n))};
    report->violation = atemi_cone_problem_solve(&problem, s->scratch, s->space.pivot, s->impulses);
    report->energy = energy_gained(s);
    report->bounce = bounce;
}

static void solve_without_gain(const atemi_model *model, const double *restitution, double kinetic,
                               atemi_collision_scratch *s, atemi_collision_report *report)
{
    const double rounding = 1e-13 * kinetic;
    double       bounce = 1.0;
    memset(s->impulses, 0, (size_t)s->space.row_count * sizeof *s->impulses);
    solve(model, restitution, bounce, s, report);
    for (int i = 0; i < MOST_HALVINGS && report->energy > rounding; ++i) {
        bounce = i + 1 < MOST_HALVINGS ? 0.5 * bounce : 0.0;
        solve(model, restitution, bounce, s, report);
    }
}

// From rows to contacts.
static void hand_out(int count, const atemi_collision_scratch *s, const double *x,
                     atemi_vec3 *of_contacts)
{
    memset(of_contacts, 0, (size_t)count * sizeof *of_contacts);
    for (int p = 0; p < s->point_count; ++p) {
        of_contacts[s->space.rows[3 * p].contact] = at(x, p);
    }
}

static void hand_out_holds(atemi_collision_scratch *s)
{
    for (int i = 0, r = 3 * s->point_count; i < s->hold_count; ++i, ++r) {
        s->holds[i].force = s->impulses[r];
        s->holds[i].velocity = s->before[r] + moved_by_impulses(s, r);
    }
}

static void hand_out_loops(const atemi_contact_set *set, const atemi_collision_scratch *s)
{
    const int first = s->space.row_count - s->loop_rows;
    if (set->loop_forces) {
        atemi_loop_rows_collect(s->space.rows + first, s->impulses + first, set->loops,
                                set->loop_count, set->loop_forces);
    }
}

// Without kinematics, factor and scratch.
static atemi_collision_scratch take(atemi_arena *arena, const atemi_model *model, int max_contacts,
                                    int max_closed, int max_intervals, int max_rows)
{
    const int               rows = 3 * max_closed + max_intervals;
    atemi_collision_scratch s = {0};
    s.space =
        atemi_constraint_space_take_rows(arena, model, max_contacts + max_intervals, max_rows);
    s.points = atemi_arena_array(arena, atemi_contact, max_contacts);
    s.cones = atemi_arena_array(arena, atemi_cone, max_closed);
    s.bounds = atemi_arena_array(arena, atemi_interval, 3 * max_closed + max_intervals);
    s.before = atemi_arena_array(arena, double, rows);
    s.motion = atemi_arena_array(arena, double, rows);
    s.impulses = atemi_arena_array(arena, double, rows);
    return s;
}

atemi_collision_scratch atemi_collision_scratch_take_at(atemi_arena       *arena,
                                                        const atemi_model *model, int max_contacts,
                                                        int max_closed, int max_rows)
{
    return take(arena, model, max_contacts, max_closed, 0, max_rows);
}

atemi_collision_scratch atemi_collision_scratch_take_closed(atemi_arena       *arena,
                                                            const atemi_model *model,
                                                            int max_contacts, int max_closed,
                                                            int max_holds, int max_loop_rows)
{
    const int               intervals = max_holds + max_loop_rows;
    atemi_collision_scratch s =
        take(arena, model, max_contacts, max_closed, intervals, 3 * max_closed + intervals);
    s.kinematics = atemi_kinematics_take(arena, model);
    s.factor = atemi_mass_factor_take(arena, model);
    s.scratch = atemi_arena_array(
        arena, double, atemi_cone_problem_scratch_size(max_closed, intervals, model->v_count));
    return s;
}

// At kinematics with velocities, and with the factor of M.
static void collide(const atemi_model *model, const atemi_kinematics *k, atemi_mass_factor *factor,
                    const double *v, const atemi_contact_set *set, atemi_collision_scratch *s,
                    double *after, atemi_vec3 *impulses, atemi_collision_report *report)
{
    pose(model, k, factor, v, set, s);
    solve_without_gain(model, set->restitution, atemi_kinetic_energy_in(model, k), s, report);

    memcpy(s->space.target, s->impulses, (size_t)s->space.row_count * sizeof *s->impulses);
    atemi_constraint_space_respond(model, &s->space, factor);
    for (int i = 0; i < model->v_count; ++i) {
        after[i] = v[i] + factor->work[i];
    }
    if (set->count) {
        hand_out(set->count, s, s->impulses, impulses);
    }
    hand_out_holds(s);
    hand_out_loops(set, s);
}

atemi_status atemi_collision_in(const atemi_model *model, const double *q, const double *v,
                                const atemi_contact_set *set, atemi_collision_scratch *scratch,
                                double *after, atemi_vec3 *impulses, atemi_collision_report *report)
{
    ATEMI_REQUIRE_OR(model && scratch && q && v && after && set, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(set->count >= 0 && set->hold_count >= 0, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(set->count + set->hold_count + 2 * set->loop_count <=
                         scratch->space.max_contacts,
                     ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(set->count == 0 || (set->contacts && impulses), ATEMI_ERROR_CONTRACT);

    atemi_collision_report own;
    atemi_kinematics_update(model, q, v, NULL, &scratch->kinematics);
    atemi_mass_factor_at(model, &scratch->kinematics, &scratch->factor);
    if (!atemi_mass_factor_regular(model, &scratch->factor)) {
        return ATEMI_ERROR_SINGULAR;
    }
    collide(model, &scratch->kinematics, &scratch->factor, v, set, scratch, after, impulses,
            report ? report : &own);
    return ATEMI_OK;
}

atemi_status atemi_collision(atemi_data *data, const double *q, const double *v,
                             const atemi_contact_set *set, double *after, atemi_vec3 *impulses,
                             atemi_collision_report *report)
{
    ATEMI_REQUIRE_OR(data && q && v && set && after, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(atemi_contact_set_fits(data, set, impulses), ATEMI_ERROR_CONTRACT);

    atemi_collision_report own;
    atemi_data_go(data, q, v);
    const atemi_status status = atemi_update_factor(data, NULL);
    if (status) {
        return status;
    }
    collide(data->model, atemi_data_kinematics(data), &data->factor, v, set,
            &data->contact->collision, after, impulses, report ? report : &own);
    return ATEMI_OK;
}

void atemi_collision_velocities(const atemi_model *model, const atemi_kinematics *kinematics,
                                const atemi_mass_factor *factor, const double *v,
                                const atemi_contact_set *set, atemi_collision_scratch *scratch,
                                atemi_vec3 *impulses, atemi_vec3 *velocities)
{
    atemi_collision_report report;
    pose(model, kinematics, factor, v, set, scratch);
    guess(impulses, scratch);
    solve(model, NULL, 0.0, scratch, &report);
    hand_out_holds(scratch);
    for (int r = 0; r < scratch->space.row_count; ++r) {
        scratch->motion[r] += moved_by_impulses(scratch, r);
    }
    hand_out(set->count, scratch, scratch->impulses, impulses);
    hand_out(set->count, scratch, scratch->motion, velocities);
}
