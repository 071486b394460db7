// SPDX-License-Identifier: Apache-2.0

#include "atemi/bump.h"

#include "atemi/contract.h"
#include "contact/cone_problem.h"
#include "contact/constraint_space.h"

#include <math.h>
#include <string.h>

// All points are taken as sticking to get A = J M^-1 J^T and their velocities u. The cone problem
// is solved for w = A p + c with
//
//   c = u + restitution min(0, u_n) n     so that  w_n >= 0  is  u'_n >= -restitution u_n
//
// The energy gained is p.(u + u') / 2. Without restitution it cannot be positive, since
// p.u' <= 0 at every point and p.u = p.u' - p.A p. With it, and friction, it can [Stronge90];
// then the restitution of all points is halved in search of the largest that loses energy.

static const double relative_accuracy = 1e-13;

// Tried in turn.
static const double scales[] = {1.0, 0.125, 8.0, 0.015625, 64.0};

enum { MOST_ROUNDS = 60, MOST_SWEEPS = 1000, MOST_HALVINGS = 30 };

static void take_points(const atemi_contact *contacts, int count, atemi_bump_scratch *s)
{
    for (int i = 0; i < count; ++i) {
        s->points[i] = contacts[i];
        if (contacts[i].mode != ATEMI_CONTACT_OPEN) {
            s->points[i].mode = ATEMI_CONTACT_STICK;
        }
    }
}

// Rows of the space and velocities of the points, three each; open contacts have none.
static void find_rows(const atemi_model *model, int count, atemi_bump_scratch *s)
{
    s->space.row_count =
        atemi_contact_rows_find(model, &s->kinematics, true, s->points, count, s->space.rows);
    for (int r = 0; r < s->space.row_count; ++r) {
        s->before[r] = s->space.rows[r].velocity;
        s->space.target[r] = 0.0;
    }
    for (int p = 0; 3 * p < s->space.row_count; ++p) {
        const atemi_contact *point = &s->points[s->space.rows[3 * p].contact];
        s->cones[p] = (atemi_cone){.normal = point->normal, .friction = point->friction};
    }
}

static atemi_vec3 at(const double *x, int point)
{
    return (atemi_vec3){x[3 * point], x[3 * point + 1], x[3 * point + 2]};
}

// c, with the restitution scaled by `bounce`.
static void start_from(const double *restitution, double bounce, atemi_bump_scratch *s)
{
    for (int p = 0; 3 * p < s->space.row_count; ++p) {
        const atemi_vec3 u = at(s->before, p), n = s->cones[p].normal;
        const double     e = restitution ? restitution[s->space.rows[3 * p].contact] : 0.0;
        const atemi_vec3 back = atemi_vec3_scale(bounce * e * fmin(0.0, atemi_vec3_dot(u, n)), n);
        s->motion[3 * p] = u.x + back.x;
        s->motion[3 * p + 1] = u.y + back.y;
        s->motion[3 * p + 2] = u.z + back.z;
    }
}

static double largest(const double *x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// p.(u + u') / 2 = p.u + p.A p / 2
static double energy_gained(const atemi_bump_scratch *s)
{
    const int n = s->space.row_count;
    double    gain = 0.0;
    for (int r = 0; r < n; ++r) {
        double moved = 0.0;
        for (int c = 0; c < n; ++c) {
            moved += s->space.system[r * n + c] * s->impulses[c];
        }
        gain += s->impulses[r] * (s->before[r] + 0.5 * moved);
    }
    return gain;
}

// Sweeps from the guess, then Newton's steps from there; the better of both is the next guess.
// @return how far the impulses are from their conditions
static double try_again(double scale, double tolerance, int sweeps, atemi_bump_scratch *s)
{
    const int     n = s->space.row_count;
    const double *A = s->space.system;
    const double  off = atemi_cone_problem_solve(n / 3, A, s->motion, s->cones, tolerance, sweeps,
                                                 s->room, s->guess);
    memcpy(s->impulses, s->guess, (size_t)n * sizeof *s->impulses);
    atemi_cone_problem_refine(n / 3, A, s->motion, s->cones, scale, tolerance, s->room,
                              s->space.pivot, s->impulses);
    const double left =
        atemi_cone_problem_solve(n / 3, A, s->motion, s->cones, 0.0, 0, s->room, s->impulses);
    if (left < off) {
        memcpy(s->guess, s->impulses, (size_t)n * sizeof *s->guess);
    }
    return left;
}

static void solve(const double *restitution, double bounce, atemi_bump_scratch *s,
                  atemi_bump_report *report)
{
    const int n = s->space.row_count;
    start_from(restitution, bounce, s);
    memset(s->guess, 0, (size_t)n * sizeof *s->guess);
    const double tolerance = relative_accuracy * (1e-3 + largest(s->before, n));
    report->violation = (double)INFINITY;
    for (int i = 0, sweeps = 20; i < MOST_ROUNDS && report->violation > tolerance; ++i) {
        report->violation = try_again(scales[i % 5], tolerance, sweeps, s);
        sweeps += sweeps < MOST_SWEEPS ? sweeps / 4 : 0;
    }
    report->energy = energy_gained(s);
    report->bounce = bounce;
}

static void solve_without_gain(const double *restitution, double kinetic, atemi_bump_scratch *s,
                               atemi_bump_report *report)
{
    const double rounding = 1e-13 * kinetic;
    double       bounce = 1.0;
    solve(restitution, bounce, s, report);
    for (int i = 0; i < MOST_HALVINGS && report->energy > rounding; ++i) {
        bounce = i + 1 < MOST_HALVINGS ? 0.5 * bounce : 0.0;
        solve(restitution, bounce, s, report);
    }
}

static void hand_out(int count, const atemi_bump_scratch *s, atemi_vec3 *impulses)
{
    memset(impulses, 0, (size_t)count * sizeof *impulses);
    for (int p = 0; 3 * p < s->space.row_count; ++p) {
        impulses[s->space.rows[3 * p].contact] = at(s->impulses, p);
    }
}

atemi_bump_scratch atemi_bump_scratch_take(atemi_arena *arena, const atemi_model *model,
                                           int max_contacts)
{
    const size_t       rows = 3 * (size_t)max_contacts;
    atemi_bump_scratch s;
    s.kinematics = atemi_kinematics_take(arena, model);
    s.factor = atemi_mass_factor_take(arena, model);
    s.space = atemi_constraint_space_take(arena, model, max_contacts);
    s.points = atemi_arena_array(arena, atemi_contact, max_contacts);
    s.cones = atemi_arena_array(arena, atemi_cone, max_contacts);
    s.before = atemi_arena_array(arena, double, rows);
    s.motion = atemi_arena_array(arena, double, rows);
    s.impulses = atemi_arena_array(arena, double, rows);
    s.guess = atemi_arena_array(arena, double, rows);
    s.room = atemi_arena_array(arena, double, 2 * rows * (rows + 4));
    return s;
}

void atemi_bump(const atemi_model *model, const double *q, const double *v,
                const atemi_contact *contacts, int count, const double *restitution,
                atemi_bump_scratch *scratch, double *after, atemi_vec3 *impulses,
                atemi_bump_report *report)
{
    ATEMI_REQUIRE(model && scratch && q && v && after);
    ATEMI_REQUIRE(count >= 0 && count <= scratch->space.max_contacts);
    ATEMI_REQUIRE(count == 0 || (contacts && impulses));

    atemi_kinematics    *k = &scratch->kinematics;
    atemi_bump_report    own, *told = report ? report : &own;
    atemi_contact_report ignored;
    atemi_kinematics_update(model, q, v, NULL, k);
    take_points(contacts, count, scratch);
    find_rows(model, count, scratch);
    atemi_mass_factor_at(model, k, &scratch->factor);
    atemi_constraint_space_project(model, k, &scratch->factor, NULL, &scratch->space, &ignored);
    solve_without_gain(restitution, atemi_kinetic_energy(model, k), scratch, told);

    memcpy(scratch->space.target, scratch->impulses,
           (size_t)scratch->space.row_count * sizeof *scratch->impulses);
    atemi_constraint_space_respond(model, &scratch->space, &scratch->factor);
    for (int i = 0; i < model->v_count; ++i) {
        after[i] = v[i] + scratch->factor.work[i];
    }
    if (count) {
        hand_out(count, scratch, impulses);
    }
}
