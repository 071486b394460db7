// SPDX-License-Identifier: Apache-2.0

#include "simulate/projection.h"

#include "atemi/configuration.h"
#include "contact/constraint_space.h"
#include "simulate/ledger.h"
#include "simulate/mode_contacts.h"
#include "simulate/patches.h"
#include "simulate/sightings.h"

#include <math.h>

// What drifts less is left alone, m and m/s.
static const double fine_position = 1e-13, fine_velocity = 1e-12;

static void held_contacts(atemi_simulation *s)
{
    s->evaluation.contact_count = 0;
    for (int i = 0; i < s->set.point_count; ++i) {
        if (atemi_world_holds(s, i)) {
            atemi_mode_contact_add(s, i, s->set.modes[i]);
            s->evaluation.contacts[s->evaluation.contact_count - 1].friction = 0.0;
        }
    }
    s->evaluation.dynamics.space.row_count = atemi_contact_rows_find(
        s->model, &s->evaluation.dynamics.bias.kinematics, true, s->evaluation.contacts,
        s->evaluation.contact_count, s->evaluation.dynamics.space.rows);
}

// Where a row's point should be, less where it is. What sticks stays at its anchor, unless it
// rolls.
static double position_error(const atemi_simulation *s, const atemi_contact_row *row)
{
    const int                  i = s->evaluation.contact_points[row->contact];
    const atemi_contact_state *seen = &s->set.states[i];
    if (s->set.modes[i] == ATEMI_CONTACT_STICK && s->set.points[i].radius == 0.0) {
        return atemi_vec3_dot(row->direction, atemi_vec3_sub(s->set.anchors[i], seen->position));
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
// factor's work. Returns the largest of them. A factor that is `known`, of a state near by, will
// do.
static double correction(atemi_simulation *s, error_of_row *error, double fine, bool known)
{
    const atemi_kinematics *k = &s->evaluation.dynamics.bias.kinematics;
    atemi_constraint_space *space = &s->evaluation.dynamics.space;
    atemi_contact_report    report;
    double                  largest = 0.0;
    held_contacts(s);
    for (int r = 0; r < space->row_count; ++r) {
        space->target[r] = error(s, &space->rows[r]);
        largest = fmax(largest, fabs(space->target[r]));
    }
    if (largest > fine && !known) {
        atemi_mass_factor_at(s->model, k, &s->evaluation.dynamics.factor);
    }
    if (largest > fine) {
        atemi_constraint_space_project(s->model, k, &s->evaluation.dynamics.factor, NULL, space,
                                       &report);
        // Targets of redundant rows that differ are rounding errors here: the best fit will do.
        atemi_constraint_space_solve(space, &report);
        atemi_constraint_space_respond(s->model, space, &s->evaluation.dynamics.factor);
    }
    return largest;
}

static bool project_positions(atemi_simulation *s, bool known)
{
    const bool off = correction(s, position_error, fine_position, known) > fine_position;
    if (off) {
        atemi_configuration_integrate(s->model, s->state.q, s->evaluation.dynamics.factor.work, 1.0,
                                      s->state.q);
        atemi_world_observe(s, s->state.q, s->state.v);
    }
    return off;
}

static bool project_velocities(atemi_simulation *s, bool known)
{
    const bool off = correction(s, velocity_error, fine_velocity, known) > fine_velocity;
    for (int i = 0; i < atemi_model_v_count(s->model) && off; ++i) {
        s->state.v[i] += s->evaluation.dynamics.factor.work[i];
    }
    atemi_ledger_see_projection(s, off);
    if (off) {
        atemi_world_observe_velocities(s, s->state.v);
    }
    return off;
}

bool atemi_world_project_positions(atemi_simulation *s)
{
    return project_positions(s, false);
}

bool atemi_world_project(atemi_simulation *s)
{
    const bool moved = project_positions(s, false);
    const bool turned = project_velocities(s, moved);
    atemi_ledger_keep_projection(s);
    return moved || turned;
}

void atemi_world_project_step(atemi_simulation *s)
{
    project_positions(s, true);
    project_velocities(s, true);
}
