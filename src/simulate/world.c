// SPDX-License-Identifier: Apache-2.0

#include "simulate/world.h"

#include "atemi/configuration.h"
#include "atemi/dense.h"
#include "contact/constrained_dynamics.h"
#include "contact/constraint_space.h"
#include "simulate/ahead.h"

#include <math.h>
#include <string.h>

// A round point, of radius r and with its centre at c, touches where c - r n is, n being the normal
// of the surface seen from c, and rolls: with omega the turning of its link and dn/dt = B dc/dt the
// turning of the normal, what sticks there accelerates with
//
//   r omega x (dn/dt - omega x n)
//
// and along the normal, sliding or not, with  -dc/dt . B dc/dt - r n . (omega x (omega x n)).
// With r = 0 that is a point, which stays, and a point that keeps to its surface.

// Friction on a soft surface grows up to this speed of sliding, m/s.
static const double creep = 1e-2;

// A sliding point to which friction leaves less of its mobility jams: forces are in proportion to
// the inverse of that, and no step follows them.
static const double least_mobile = 0.01;

// What drifts less is left alone, m and m/s.
static const double fine_position = 1e-13, fine_velocity = 1e-12;

// ---- Observation ----------------------------------------------------------------------------

// From a place in the world.
static atemi_surface_view view_of(const atemi_simulation *s, const atemi_surface *surface,
                                  atemi_vec3 place)
{
    if (!surface->carried) {
        return atemi_surface_look(surface, place);
    }
    const atemi_transform pose =
        atemi_link_pose(s->model, &s->dynamics.bias.kinematics, surface->link);
    const atemi_vec3   arm = atemi_vec3_sub(place, pose.position);
    atemi_surface_view view =
        atemi_surface_look(surface, atemi_mat3_apply_transposed(&pose.rotation, arm));
    view.normal = atemi_mat3_apply(&pose.rotation, view.normal);
    view.bending = atemi_symmetric3_rotated(&view.bending, &pose.rotation);
    return view;
}

// Of what moves with `velocity` at a place in the world, as a carried surface sees it.
static atemi_vec3 relative_velocity(const atemi_simulation *s, const atemi_surface *surface,
                                    atemi_vec3 place, atemi_vec3 velocity)
{
    const atemi_kinematics *k = &s->dynamics.bias.kinematics;
    const atemi_transform   pose = atemi_link_pose(s->model, k, surface->link);
    const atemi_motion      twist = atemi_link_velocity(s->model, k, surface->link);
    const atemi_vec3        arm = atemi_vec3_sub(place, pose.position);
    return atemi_vec3_sub(velocity, atemi_motion_at(twist, arm).linear);
}

// How a link is and moves.
typedef struct stance {
    atemi_transform pose;
    atemi_motion    twist;
} stance;

static stance stance_of(const atemi_simulation *s, int link)
{
    const atemi_kinematics *k = &s->dynamics.bias.kinematics;
    return (stance){atemi_link_pose(s->model, k, link), atemi_link_velocity(s->model, k, link)};
}

static void look(const atemi_simulation *s, const stance *on, const atemi_simulation_point *point,
                 atemi_sighting *seen)
{
    const atemi_surface *surface = &s->surfaces[point->surface];
    const atemi_vec3     arm = atemi_mat3_apply(&on->pose.rotation, point->point);
    const atemi_vec3     center = atemi_vec3_add(on->pose.position, arm);
    seen->touch = point->point;
    seen->arm = arm;
    seen->position = center;
    seen->velocity = seen->carrier = atemi_motion_at(on->twist, arm).linear;
    seen->turning = on->twist.angular;
    seen->view = view_of(s, surface, center);
    if (point->radius > 0.0) {
        const atemi_vec3 down = atemi_vec3_scale(-point->radius, seen->view.normal);
        seen->view.gap -= point->radius;
        seen->arm = atemi_vec3_add(arm, down);
        seen->position = atemi_vec3_add(center, down);
        seen->velocity = atemi_motion_at(on->twist, seen->arm).linear;
        seen->touch =
            atemi_vec3_add(point->point, atemi_mat3_apply_transposed(&on->pose.rotation, down));
    }
    if (surface->carried) {
        seen->carrier = relative_velocity(s, surface, center, seen->carrier);
        seen->velocity = relative_velocity(s, surface, seen->position, seen->velocity);
    }
}

void atemi_world_observe(atemi_simulation *s, const double *q, const double *v)
{
    stance on = {0};
    atemi_kinematics_update(s->model, q, v, NULL, &s->dynamics.bias.kinematics);
    for (int i = 0; i < s->point_count; ++i) {
        if (i == 0 || s->points[i].link != s->points[i - 1].link) {
            on = stance_of(s, s->points[i].link);
        }
        look(s, &on, &s->points[i], &s->sightings[i]);
    }
}

bool atemi_world_holds(const atemi_simulation *s, int point)
{
    return s->modes[point] == ATEMI_CONTACT_STICK || s->modes[point] == ATEMI_CONTACT_SLIP;
}

bool atemi_world_holds_in(const atemi_simulation *s, int point, int patch)
{
    return s->patches[point] == patch && atemi_world_holds(s, point);
}

bool atemi_world_rubs(const atemi_simulation *s, int point)
{
    return s->modes[point] == ATEMI_CONTACT_SLIP && !s->points[point].tied &&
           s->points[point].kinetic_friction > 0.0;
}

atemi_vec3 atemi_world_along(const atemi_simulation *s, int point, atemi_vec3 vector)
{
    const atemi_vec3 n = s->sightings[point].view.normal;
    return atemi_vec3_sub(vector, atemi_vec3_scale(atemi_vec3_dot(vector, n), n));
}

double atemi_world_approach(const atemi_simulation *s, int point)
{
    return -atemi_vec3_dot(s->sightings[point].carrier, s->sightings[point].view.normal);
}

double atemi_world_slide_speed(const atemi_simulation *s, int point)
{
    return atemi_vec3_norm(atemi_world_along(s, point, s->sightings[point].velocity));
}

double atemi_world_normal_force(const atemi_simulation *s, int point)
{
    return atemi_vec3_dot(s->forces[point], s->sightings[point].view.normal);
}

// ---- Patches --------------------------------------------------------------------------------

// Whether the held points of a patch do not all lie on one line.
static bool spans_plane(const atemi_simulation *s, int patch, int first)
{
    const atemi_vec3 origin = s->points[first].point;
    atemi_vec3       longest = {0.0, 0.0, 0.0};
    for (int i = first + 1; i < s->point_count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(s->points[i].point, origin);
        if (atemi_world_holds_in(s, i, patch) && atemi_vec3_norm(d) > atemi_vec3_norm(longest)) {
            longest = d;
        }
    }
    for (int i = first + 1; i < s->point_count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(s->points[i].point, origin);
        if (atemi_world_holds_in(s, i, patch) && atemi_vec3_norm(atemi_vec3_cross(d, longest)) >
                                                     1e-6 * atemi_vec3_dot(longest, longest)) {
            return true;
        }
    }
    return false;
}

atemi_patch atemi_world_patch(const atemi_simulation *s, int patch)
{
    atemi_patch sum = {.first = ATEMI_NONE};
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch)) {
            sum.first = sum.held++ ? sum.first : i;
            sum.sticking += s->modes[i] == ATEMI_CONTACT_STICK;
        }
    }
    if (sum.held) {
        sum.normal = s->sightings[sum.first].view.normal;
        sum.whole = sum.held >= 3 && sum.sticking == sum.held &&
                    s->surfaces[s->points[sum.first].surface].kind == ATEMI_SURFACE_PLANE &&
                    spans_plane(s, patch, sum.first);
    }
    return sum;
}

// ---- From modes to contacts -----------------------------------------------------------------

static void add_contact(atemi_simulation *s, int i, atemi_contact_mode mode)
{
    const atemi_simulation_point *point = &s->points[i];
    const atemi_sighting         *seen = &s->sightings[i];
    const atemi_vec3              n = seen->view.normal, turning = seen->turning;
    const atemi_vec3 tilting = atemi_symmetric3_apply(&seen->view.bending, seen->carrier);
    const atemi_vec3 with_link = atemi_vec3_cross(turning, n);
    const double     r = point->radius;
    s->contact_points[s->contact_count] = i;
    s->contacts[s->contact_count++] = (atemi_contact){
        .link = point->link,
        .point = seen->touch,
        .normal = n,
        .mode = mode,
        .friction = s->signs[i] * point->kinetic_friction,
        .direction = s->directed[i] ? s->leads[i] : s->directions[i],
        .directed = s->directed[i],
        .normal_acceleration = -atemi_vec3_dot(seen->carrier, tilting) -
                               r * atemi_vec3_dot(n, atemi_vec3_cross(turning, with_link)),
        .acceleration =
            atemi_vec3_scale(r, atemi_vec3_cross(turning, atemi_vec3_sub(tilting, with_link)))};
}

// The centre of a patch's held points, in the link's frame or in the world.
static atemi_vec3 center_of(const atemi_simulation *s, int patch, bool in_link)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    int        count = 0;
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch)) {
            sum = atemi_vec3_add(sum, in_link ? s->points[i].point : s->sightings[i].position);
            ++count;
        }
    }
    return atemi_vec3_scale(1.0 / count, sum);
}

// The forces that were found for a patch's held points, at their centre.
static atemi_force shares_of_patch(const atemi_simulation *s, int patch)
{
    const atemi_vec3 center = center_of(s, patch, false);
    atemi_force      sum = {0};
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch)) {
            const atemi_vec3 arm = atemi_vec3_sub(s->sightings[i].position, center);
            sum.linear = atemi_vec3_add(sum.linear, s->shares[i]);
            sum.angular = atemi_vec3_add(sum.angular, atemi_vec3_cross(arm, s->shares[i]));
        }
    }
    return sum;
}

static void add_whole(atemi_simulation *s, int patch, int first)
{
    atemi_contact *contact = &s->contacts[s->contact_count];
    add_contact(s, first, ATEMI_CONTACT_SURFACE);
    contact->point = center_of(s, patch, true);
    contact->share = s->shares_used ? shares_of_patch(s, patch) : (atemi_force){0};
}

static void add_point(atemi_simulation *s, int point)
{
    atemi_contact *contact = &s->contacts[s->contact_count];
    add_contact(s, point, s->modes[point]);
    contact->share.linear = s->shares_used ? s->shares[point] : (atemi_vec3){0};
}

static void build_contacts(atemi_simulation *s)
{
    s->contact_count = 0;
    for (int p = 0; p < s->patch_count; ++p) {
        const atemi_patch patch = atemi_world_patch(s, p);
        if (patch.whole) {
            add_whole(s, p, patch.first);
            continue;
        }
        for (int i = 0; i < s->point_count && patch.held; ++i) {
            if (atemi_world_holds_in(s, i, p)) {
                add_point(s, i);
            }
        }
    }
}

// ---- From contact forces to point forces ----------------------------------------------------

// A patch's force and moment at a place, and its points that share it, in `s->carries`.
typedef struct share {
    int         count;
    atemi_vec3  center;
    atemi_force force; ///< at the centre
} share;

static share share_of(const atemi_simulation *s, atemi_force force, atemi_vec3 place)
{
    share x = {0};
    for (int i = 0; i < s->point_count; ++i) {
        if (s->carries[i]) {
            x.center = atemi_vec3_add(x.center, s->sightings[i].position);
            ++x.count;
        }
    }
    x.center = atemi_vec3_scale(1.0 / x.count, x.center);
    x.force = atemi_force_at(force, atemi_vec3_sub(x.center, place));
    return x;
}

// With the least sum of squares: f_i = F / n + w x d_i, where  sum of d_i x (w x d_i) = M.
// Returns false if the points are in line.
static bool share_out(atemi_simulation *s, const share *x)
{
    const atemi_vec3 M = x->force.angular;
    double           S[9] = {0}, w[3] = {M.x, M.y, M.z};
    int              pivot[3];
    for (int i = 0; i < s->point_count; ++i) {
        if (s->carries[i]) {
            const atemi_vec3 d = atemi_vec3_sub(s->sightings[i].position, x->center);
            const double     at[3] = {d.x, d.y, d.z}, square = atemi_vec3_dot(d, d);
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 3; ++c) {
                    S[3 * r + c] += (r == c) * square - at[r] * at[c];
                }
            }
        }
    }
    if (x->count < 3 || !atemi_lu_factor(3, S, 3, pivot)) {
        return false;
    }
    atemi_lu_solve(3, S, 3, pivot, w);
    for (int i = 0; i < s->point_count; ++i) {
        if (s->carries[i]) {
            const atemi_vec3 d = atemi_vec3_sub(s->sightings[i].position, x->center);
            s->forces[i] = atemi_vec3_add(atemi_vec3_scale(1.0 / x->count, x->force.linear),
                                          atemi_vec3_cross((atemi_vec3){w[0], w[1], w[2]}, d));
        }
    }
    return true;
}

// The point that would pull most, or ATEMI_NONE.
static int pulling_point(const atemi_simulation *s)
{
    int most = ATEMI_NONE;
    for (int i = 0; i < s->point_count; ++i) {
        if (s->carries[i] && atemi_world_normal_force(s, i) < 0.0 &&
            (most == ATEMI_NONE ||
             atemi_world_normal_force(s, i) < atemi_world_normal_force(s, most))) {
            most = i;
        }
    }
    return most;
}

// Points that would pull carry nothing, if the others can do without them.
static void share_force(atemi_simulation *s, int patch, atemi_force force)
{
    const atemi_vec3 place = center_of(s, patch, false);
    for (int i = 0; i < s->point_count; ++i) {
        s->carries[i] = atemi_world_holds_in(s, i, patch);
    }
    share x = share_of(s, force, place);
    share_out(s, &x);
    for (int weak = pulling_point(s); weak != ATEMI_NONE; weak = pulling_point(s)) {
        s->carries[weak] = false;
        x = share_of(s, force, place);
        if (!share_out(s, &x)) {
            s->carries[weak] = true;
            return;
        }
        s->forces[weak] = (atemi_vec3){0.0, 0.0, 0.0};
    }
}

static void hand_out_forces(atemi_simulation *s)
{
    for (int c = 0; c < s->contact_count; ++c) {
        const int point = s->contact_points[c];
        if (s->contacts[c].mode == ATEMI_CONTACT_SURFACE) {
            share_force(s, s->patches[point], s->contact_forces[c]);
        } else {
            s->forces[point] = s->contact_forces[c].linear;
        }
    }
}

// ---- Evaluation -----------------------------------------------------------------------------

static void find_torques(atemi_simulation *s, double time, const double *q, const double *v)
{
    const int n = atemi_model_v_count(s->model);
    memset(s->applied, 0, (size_t)n * sizeof *s->applied);
    memset(s->tau, 0, (size_t)n * sizeof *s->tau);
    if (s->hooks.torque) {
        s->hooks.torque(s->hooks.context, time, q, v, s->applied);
    }
    if (s->options.joint_friction) {
        atemi_joint_friction(s->model, v, s->tau);
    }
    for (int i = 0; i < n; ++i) {
        s->tau[i] += s->applied[i];
    }
}

static atemi_vec3 soft_force(const atemi_simulation *s, int point)
{
    const atemi_sighting *seen = &s->sightings[point];
    const double          rate = -atemi_vec3_dot(seen->carrier, seen->view.normal);
    const double push = atemi_compliance_force(s->points[point].compliance, -seen->view.gap, rate);
    const atemi_vec3 slide = atemi_world_along(s, point, seen->velocity);
    const double     speed = atemi_vec3_norm(slide);
    const double     rub = s->points[point].kinetic_friction * push / fmax(speed, creep);
    return atemi_vec3_sub(atemi_vec3_scale(push, seen->view.normal), atemi_vec3_scale(rub, slide));
}

static void add_load(atemi_simulation *s, int link, atemi_vec3 arm, atemi_vec3 force)
{
    const atemi_force load = {force, atemi_vec3_cross(arm, force)};
    s->loads[link] = atemi_force_add(s->loads[link], load);
}

// What carries the surface of a point is pushed back, where that touches.
static void push_back(atemi_simulation *s, int point)
{
    const atemi_surface  *surface = &s->surfaces[s->points[point].surface];
    const atemi_transform pose =
        atemi_link_pose(s->model, &s->dynamics.bias.kinematics, surface->link);
    add_load(s, surface->link, atemi_vec3_sub(s->sightings[point].position, pose.position),
             atemi_vec3_scale(-1.0, s->forces[point]));
}

static void find_loads(atemi_simulation *s, double time)
{
    memset(s->loads, 0, (size_t)atemi_model_link_count(s->model) * sizeof *s->loads);
    memset(s->forces, 0, (size_t)s->point_count * sizeof *s->forces);
    if (s->hooks.push) {
        s->hooks.push(s->hooks.context, time, s->loads);
    }
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_SOFT) {
            s->forces[i] = soft_force(s, i);
            add_load(s, s->points[i].link, s->sightings[i].arm, s->forces[i]);
            if (s->surfaces[s->points[i].surface].carried) {
                push_back(s, i);
            }
        }
    }
}

// ---- Slow sliding ---------------------------------------------------------------------------

// Friction acts against sliding u, however slow. What slides slowly turns fast into the direction
// in which its acceleration and its friction agree, in a time of about |u| / |acceleration|, which
// no step can follow. Slower than what a step can change, the direction is therefore that of
// u + dt a, which is found by looking ahead. On a line that is the same; in a plane the error is of
// the order of dt.

static const double slow_part = 5.0; // of what gravity changes in a step

static bool is_slow(const atemi_simulation *s, int point, double least)
{
    return atemi_world_rubs(s, point) && atemi_world_slide_speed(s, point) < least;
}

// Friction never drives: where the point is about to turn back, its direction is that of now.
static atemi_vec3 between(atemi_vec3 now, atemi_vec3 later)
{
    const double     speed = atemi_vec3_norm(now);
    const atemi_vec3 n = atemi_vec3_scale(speed > 0.0 ? 1.0 / speed : 0.0, now);
    const atemi_vec3 l = atemi_vec3_scale(1.0 / atemi_vec3_norm(later), later);
    const double     back = fmax(-atemi_vec3_dot(n, l), 0.0);
    const atemi_vec3 d = atemi_vec3_add(atemi_vec3_scale(1.0 - back, l), atemi_vec3_scale(back, n));
    return atemi_vec3_scale(1.0 / atemi_vec3_norm(d), d);
}

// A velocity seen ahead, turned back with the link: steps follow how that turns.
static atemi_vec3 turned_back(const atemi_simulation *s, int link, atemi_vec3 ahead)
{
    const atemi_transform now = atemi_link_pose(s->model, &s->dynamics.bias.kinematics, link);
    const atemi_transform later = atemi_link_pose(s->model, &s->kinematics, link);
    return atemi_mat3_apply(&now.rotation, atemi_mat3_apply_transposed(&later.rotation, ahead));
}

// A point that turns back keeps its friction until that is noticed: its stop is an event.
static void direct(atemi_simulation *s, int point, double none)
{
    const atemi_vec3 now = atemi_world_along(s, point, s->sightings[point].velocity);
    const atemi_vec3 later =
        atemi_world_along(s, point, turned_back(s, s->points[point].link, s->ahead[point]));
    const bool goes_on = atemi_vec3_dot(later, s->directions[point]) > 0.0 &&
                         atemi_vec3_dot(now, s->directions[point]) >= 0.0;
    s->directed[point] = goes_on && atemi_vec3_norm(later) > none;
    if (s->directed[point]) {
        s->leads[point] = between(now, later);
    }
}

// All held points, as they rub now.
static void foresee_held_points(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        s->foreseen[i] = atemi_world_holds(s, i) && !s->points[i].tied;
        s->rubs[i] = s->modes[i] == ATEMI_CONTACT_SLIP ? s->points[i].kinetic_friction
                                                       : s->points[i].static_friction;
    }
}

static void direct_slow_points(atemi_simulation *s, const double *q, const double *v)
{
    const double dt = 0.5 * s->options.step;
    const double change = dt * (1.0 + atemi_vec3_norm(atemi_model_gravity(s->model)));
    bool         any = false;
    for (int i = 0; i < s->point_count; ++i) {
        s->directed[i] = false;
        any = any || is_slow(s, i, slow_part * change);
    }
    if (!any) {
        return;
    }
    foresee_held_points(s);
    atemi_look_ahead(s, q, v, dt);
    for (int i = 0; i < s->point_count; ++i) {
        if (is_slow(s, i, slow_part * change)) {
            direct(s, i, 1e-6 * change);
        }
    }
}

// ---- All of it ------------------------------------------------------------------------------

atemi_status atemi_world_evaluate(atemi_simulation *s, double time, const double *q,
                                  const double *v, double *a)
{
    atemi_world_observe(s, q, v);
    find_torques(s, time, q, v);
    find_loads(s, time);
    ++s->statistics.evaluations;
    if (atemi_constrained_dynamics_load(s->model, true, s->tau, s->loads, &s->dynamics)) {
        return ATEMI_ERROR_SINGULAR;
    }
    direct_slow_points(s, q, v);
    build_contacts(s);
    atemi_contact_report report;
    const atemi_status   status = atemi_constrained_dynamics_answer(
        s->model, true, s->contacts, s->contact_count, &s->dynamics, a, s->contact_forces, &report);
    if (status || report.jamming < least_mobile) {
        return ATEMI_ERROR_SINGULAR;
    }
    hand_out_forces(s);
    return ATEMI_OK;
}

// ---- Projection -----------------------------------------------------------------------------

static void held_contacts(atemi_simulation *s)
{
    s->contact_count = 0;
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_holds(s, i)) {
            add_contact(s, i, s->modes[i]);
            s->contacts[s->contact_count - 1].friction = 0.0;
        }
    }
    s->dynamics.space.row_count =
        atemi_contact_rows_find(s->model, &s->dynamics.bias.kinematics, true, s->contacts,
                                s->contact_count, s->dynamics.space.rows);
}

// Where a row's point should be, less where it is. What sticks stays at its anchor, unless it
// rolls.
static double position_error(const atemi_simulation *s, const atemi_contact_row *row)
{
    const int             i = s->contact_points[row->contact];
    const atemi_sighting *seen = &s->sightings[i];
    if (s->modes[i] == ATEMI_CONTACT_STICK && s->points[i].radius == 0.0) {
        return atemi_vec3_dot(row->direction, atemi_vec3_sub(s->anchors[i], seen->position));
    }
    return -seen->view.gap * atemi_vec3_dot(row->direction, seen->view.normal);
}

static double velocity_error(const atemi_simulation *s, const atemi_contact_row *row)
{
    (void)s;
    return -row->velocity;
}

typedef double error_of_row(const atemi_simulation *s, const atemi_contact_row *row);

// Finds the least motion (as the mass matrix measures) that takes the errors away, into the
// factor's work. Returns the largest of them.
static double correction(atemi_simulation *s, error_of_row *error, double fine)
{
    const atemi_kinematics *k = &s->dynamics.bias.kinematics;
    atemi_constraint_space *space = &s->dynamics.space;
    atemi_contact_report    report;
    double                  largest = 0.0;
    held_contacts(s);
    for (int r = 0; r < space->row_count; ++r) {
        space->target[r] = error(s, &space->rows[r]);
        largest = fmax(largest, fabs(space->target[r]));
    }
    if (largest > fine) {
        atemi_mass_factor_at(s->model, k, &s->dynamics.factor);
        atemi_constraint_space_project(s->model, k, &s->dynamics.factor, NULL, space, &report);
        // Targets of redundant rows that differ are rounding errors here: the best fit will do.
        atemi_constraint_space_solve(space, &report);
        atemi_constraint_space_respond(s->model, space, &s->dynamics.factor);
    }
    return largest;
}

bool atemi_world_project_positions(atemi_simulation *s)
{
    const bool off = correction(s, position_error, fine_position) > fine_position;
    if (off) {
        atemi_configuration_integrate(s->model, s->q, s->dynamics.factor.work, 1.0, s->q);
        atemi_world_observe(s, s->q, s->v);
    }
    return off;
}

bool atemi_world_project_velocities(atemi_simulation *s)
{
    const bool off = correction(s, velocity_error, fine_velocity) > fine_velocity;
    for (int i = 0; i < atemi_model_v_count(s->model) && off; ++i) {
        s->v[i] += s->dynamics.factor.work[i];
    }
    if (off) {
        atemi_world_observe(s, s->q, s->v);
    }
    return off;
}

bool atemi_world_project(atemi_simulation *s)
{
    const bool moved = atemi_world_project_positions(s);
    return atemi_world_project_velocities(s) || moved;
}
