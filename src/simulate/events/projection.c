// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/projection.h"

#include "atemi/model.h"
#include "contact/constraint_space.h"

#include <math.h>
#include <string.h>

// The impulses f of the rows that velocities u are projected by, after which they are zero, do the
// work f.u / 2.

// What drifts less is left alone, m and m/s.
static const double fine_position = 1e-13, fine_velocity = 1e-12;

enum { MOST_LIFTS = 4 };

static double least_gap(const atemi_joint_modes *joints, int k)
{
    return fmin(atemi_joint_gap(joints, k, 1), atemi_joint_gap(joints, k, -1));
}

// Those that are held; and, to be lifted, those that are beyond their stops.
static void list_joints(atemi_joint_modes *joints, bool lifts)
{
    atemi_joint_modes_list(joints, false);
    for (int k = 0; k < joints->count && lifts; ++k) {
        if (!joints->states[k].held && least_gap(joints, k) < -fine_position) {
            joints->holders[joints->hold_count] = k;
            joints->holds[joints->hold_count++] = (atemi_joint_hold){.rate = joints->rates[k]};
        }
    }
}

// Rows of all loops, behind those that are there, and how far they are open.
static void add_loops(atemi_evaluation *e, atemi_simulation_contacts *set)
{
    const atemi_kinematics   *k = &e->dynamics.bias.kinematics;
    const atemi_closed_loops *loops = &set->loops;
    atemi_constraint_space   *space = &e->dynamics.space;
    space->row_count += atemi_loop_rows_find(e->model, k, true, loops->loops, loops->count,
                                             space->rows + space->row_count);
    atemi_loop_gaps(e->model, k, loops->loops, loops->count, loops->gaps);
}

// An open point that what moves the held ones has pressed in.
static bool is_sunken(const atemi_simulation_contacts *set, int point)
{
    return set->modes[point] == ATEMI_CONTACT_OPEN && atemi_point_is_rigid(set, point) &&
           set->states[point].view.gap < -atemi_deep;
}

static void held_contacts(atemi_evaluation *e, atemi_simulation_contacts *set, bool lifts)
{
    atemi_constraint_space *space = &e->dynamics.space;
    e->contact_count = 0;
    for (int i = 0; i < set->point_count; ++i) {
        const bool held = atemi_point_is_held(set, i);
        if (held || (lifts && is_sunken(set, i))) {
            atemi_evaluation_add_contact(e, set, i, held ? set->modes[i] : ATEMI_CONTACT_SLIP);
            e->contacts[e->contact_count - 1].friction = 0.0;
        }
    }
    space->row_count = atemi_contact_rows_find(e->model, &e->dynamics.bias.kinematics, true,
                                               e->contacts, e->contact_count, space->rows);
    list_joints(&set->joints, lifts);
    for (int i = 0; i < set->joints.hold_count; ++i) {
        const double v = set->joints.v[set->joints.holders[i]];
        space->rows[space->row_count++] = atemi_joint_row(set->joints.holds[i].rate, v);
    }
    add_loops(e, set);
}

static atemi_vec3 anchor_of(const atemi_evaluation *e, const atemi_simulation_contacts *set, int i)
{
    const atemi_surface *surface = atemi_point_surface(set, i);
    if (!surface->carried) {
        return set->anchors[i];
    }
    const atemi_transform pose =
        atemi_link_pose_in(e->model, &e->dynamics.bias.kinematics, surface->link);
    return atemi_transform_apply(&pose, set->anchors[i]);
}

// Where a row's point should be, less where it is. What sticks stays at its anchor, unless it
// rolls.
static double position_error(const atemi_evaluation *e, const atemi_simulation_contacts *set, int i,
                             const atemi_contact_row *row)
{
    const atemi_contact_state *seen = &set->states[i];
    if (set->modes[i] == ATEMI_CONTACT_STICK && set->points[i].radius == 0.0) {
        return atemi_vec3_dot(row->direction, atemi_vec3_sub(anchor_of(e, set, i), seen->position));
    }
    return -seen->view.gap * atemi_vec3_dot(row->direction, seen->view.normal);
}

// What friction holds stays at its anchor.
static double joint_error(const atemi_joint_modes *joints, int k)
{
    const atemi_joint_mode *state = &joints->states[k];
    if (state->at_lower || state->at_upper || !state->held) {
        const bool lower = state->at_lower || atemi_joint_gap(joints, k, 1) < 0.0;
        return lower ? -atemi_joint_gap(joints, k, 1) : atemi_joint_gap(joints, k, -1);
    }
    return state->anchor - joints->q[k];
}

static double velocity_error(const atemi_evaluation *e, const atemi_simulation_contacts *set, int i,
                             const atemi_contact_row *row)
{
    (void)e;
    (void)set;
    (void)i;
    return -row->velocity;
}

typedef double error_of_row(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                            int point, const atemi_contact_row *row);

static double error_of(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                       error_of_row *error, const atemi_contact_row *row, int hold)
{ // `hold` is the row's number behind those of contacts
    if (row->contact != ATEMI_NONE) {
        return error(e, set, e->contact_points[row->contact], row);
    }
    if (error == velocity_error) {
        return -row->velocity;
    }
    const int of_loops = hold - set->joints.hold_count;
    return of_loops < 0 ? joint_error(&set->joints, set->joints.holders[hold])
                        : -set->loops.gaps[of_loops];
}

// Finds the least motion (as the mass matrix measures) that takes the errors away, into the
// factor's work. Returns the largest of them. A factor that is `known`, of a state near by, will
// do.
static double correction(atemi_evaluation *e, atemi_simulation_contacts *set, error_of_row *error,
                         double fine, bool known, bool lifts)
{
    const atemi_kinematics *k = &e->dynamics.bias.kinematics;
    atemi_constraint_space *space = &e->dynamics.space;
    atemi_contact_report    report;
    double                  largest = 0.0;
    held_contacts(e, set, lifts);
    const int first_hold = space->row_count - set->joints.hold_count - set->loops.row_count;
    for (int r = 0; r < space->row_count; ++r) {
        space->target[r] = error_of(e, set, error, &space->rows[r], r - first_hold);
        largest = fmax(largest, fabs(space->target[r]));
    }
    if (largest > fine && !known) {
        atemi_mass_factor_at(e->model, k, &e->dynamics.factor);
    }
    if (largest > fine) {
        atemi_constraint_space_project(e->model, k, &e->dynamics.factor, NULL, space, &report);
        // Targets of redundant rows that differ are rounding errors here: the best fit will do.
        atemi_constraint_space_solve(space, &report);
        atemi_constraint_space_respond(e->model, space, &e->dynamics.factor);
    }
    return largest;
}

static bool project_positions(atemi_evaluation *e, atemi_simulation_contacts *set,
                              atemi_state *state, bool known, bool lifts)
{
    const bool off =
        correction(e, set, position_error, fine_position, known, lifts) > fine_position;
    if (off) {
        atemi_configuration_integrate(e->model, state->q, e->dynamics.factor.work, 1.0, state->q);
        atemi_observe(e, set, state->q, state->v);
    }
    return off;
}

static bool project_velocities(atemi_evaluation *e, atemi_simulation_contacts *set,
                               atemi_state *state, bool known)
{
    const bool off =
        correction(e, set, velocity_error, fine_velocity, known, false) > fine_velocity;
    for (int i = 0; i < atemi_model_v_count(e->model) && off; ++i) {
        state->v[i] += e->dynamics.factor.work[i];
    }
    if (off) {
        atemi_observe_velocities(e, set, state->v);
    }
    return off;
}

static void book(const atemi_constraint_space *space, atemi_ledger *ledger)
{
    atemi_vec3 impulse = {0.0, 0.0, 0.0};
    double     work = 0.0;
    for (int r = 0; r < space->row_count; ++r) {
        work += 0.5 * space->target[r] * space->rows[r].velocity;
        impulse = atemi_vec3_add(
            impulse,
            atemi_vec3_scale(space->target[r], atemi_contact_row_outer_push(&space->rows[r])));
    }
    atemi_ledger_add_projection(ledger, impulse, work);
}

bool atemi_project_positions(atemi_evaluation *e, atemi_simulation_contacts *set,
                             atemi_state *state)
{
    return project_positions(e, set, state, false, false);
}

// What moves the held ones may move others beyond their stops and into their surfaces.
static bool any_is_sunken(const atemi_simulation_contacts *set)
{
    const atemi_joint_modes *joints = &set->joints;
    for (int k = 0; k < joints->count; ++k) {
        if (!joints->states[k].held && least_gap(joints, k) < -0.01 * atemi_touching) {
            return true;
        }
    }
    for (int i = 0; i < set->point_count; ++i) {
        if (is_sunken(set, i)) {
            return true;
        }
    }
    return false;
}

bool atemi_project(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state,
                   atemi_ledger *ledger)
{
    const bool moved = project_positions(e, set, state, false, true);
    for (int i = 0; i < MOST_LIFTS && moved && any_is_sunken(set); ++i) {
        project_positions(e, set, state, false, true);
    }
    const bool slowed = project_velocities(e, set, state, moved);
    if (slowed) {
        book(&e->dynamics.space, ledger);
    }
    return moved || slowed;
}

void atemi_project_step(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state)
{
    project_positions(e, set, state, true, false);
    project_velocities(e, set, state, true);
}

// ---- Loops ----------------------------------------------------------------------------------

enum { MOST_CLOSINGS = 100, MOST_HALVINGS = 8 };

static const double closed = 1e-12; // m and rad

// The rows of loops alone, with what they ask; the largest of that.
static double find_openings(atemi_evaluation *e, atemi_simulation_contacts *set, bool velocities)
{
    atemi_constraint_space *space = &e->dynamics.space;
    double                  largest = 0.0;
    space->row_count = 0;
    add_loops(e, set);
    for (int r = 0; r < space->row_count; ++r) {
        space->target[r] = velocities ? -space->rows[r].velocity : -set->loops.gaps[r];
        largest = fmax(largest, fabs(space->target[r]));
    }
    return largest;
}

// The least motion that does what the rows ask, into the factor's work.
static void answer_loops(atemi_evaluation *e)
{
    atemi_contact_report report;
    atemi_constraint_space_project(e->model, &e->dynamics.bias.kinematics, &e->dynamics.factor,
                                   NULL, &e->dynamics.space, &report);
    atemi_constraint_space_solve(&e->dynamics.space, &report);
    atemi_constraint_space_respond(e->model, &e->dynamics.space, &e->dynamics.factor);
}

static void slow_loops(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state,
                       atemi_ledger *ledger)
{
    if (find_openings(e, set, true) <= fine_velocity) {
        return;
    }
    answer_loops(e);
    for (int i = 0; i < atemi_model_v_count(e->model); ++i) {
        state->v[i] += e->dynamics.factor.work[i];
    }
    book(&e->dynamics.space, ledger);
    atemi_observe_velocities(e, set, state->v);
}

void atemi_project_loops(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state,
                         atemi_ledger *ledger)
{
    atemi_observe(e, set, state->q, state->v);
    for (int i = 0; i < 2 && find_openings(e, set, false) > fine_position; ++i) {
        answer_loops(e);
        atemi_configuration_integrate(e->model, state->q, e->dynamics.factor.work, 1.0, state->q);
        atemi_observe(e, set, state->q, state->v);
    }
    slow_loops(e, set, state, ledger);
}

// Goes along the motion in the factor's work, as far as loops come nearer to being closed.
static double close_by(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *from,
                       atemi_state *state, double opening)
{
    double part = 1.0, left = opening;
    atemi_state_copy(e->model, state, from);
    memcpy(from->v, e->dynamics.factor.work,
           (size_t)atemi_model_v_count(e->model) * sizeof(double));
    for (int i = 0; i < MOST_HALVINGS && !(left < opening); ++i, part *= 0.5) {
        atemi_configuration_integrate(e->model, from->q, from->v, part, state->q);
        atemi_observe(e, set, state->q, state->v);
        left = find_openings(e, set, false);
    }
    return left;
}

double atemi_close_loops(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *scratch,
                         atemi_state *state, atemi_ledger *ledger)
{
    atemi_observe(e, set, state->q, state->v);
    double opening = find_openings(e, set, false), before = (double)INFINITY;
    for (int i = 0; i < MOST_CLOSINGS && opening > closed && opening < before; ++i) {
        before = opening;
        atemi_mass_factor_at(e->model, &e->dynamics.bias.kinematics, &e->dynamics.factor);
        answer_loops(e);
        opening = close_by(e, set, scratch, state, opening);
    }
    atemi_mass_factor_at(e->model, &e->dynamics.bias.kinematics, &e->dynamics.factor);
    slow_loops(e, set, state, ledger);
    return opening;
}
