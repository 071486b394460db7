// SPDX-License-Identifier: Apache-2.0

#include "simulate/world.h"

#include "atemi/configuration.h"
#include "atemi/dense.h"
#include "contact/constraint_space.h"

#include <string.h>

// ---- Observation ----------------------------------------------------------------------------

static double bend(const atemi_symmetric3 *B, atemi_vec3 u)
{
    return atemi_vec3_dot(u, atemi_symmetric3_apply(B, u));
}

void atemi_world_observe(atemi_simulation *s, const double *q, const double *v)
{
    atemi_kinematics_update(s->model, q, v, NULL, &s->kinematics);
    for (int i = 0; i < s->point_count; ++i) {
        const atemi_simulation_point *point = &s->points[i];
        const atemi_transform         pose = atemi_link_pose(s->model, &s->kinematics, point->link);
        const atemi_vec3              arm = atemi_mat3_apply(&pose.rotation, point->point);
        const atemi_motion twist = atemi_link_velocity(s->model, &s->kinematics, point->link);
        atemi_sighting    *sighting = &s->sightings[i];
        sighting->position = atemi_vec3_add(pose.position, arm);
        sighting->velocity = atemi_motion_at(twist, arm).linear;
        sighting->view = atemi_surface_look(&s->surfaces[point->surface], sighting->position);
    }
}

atemi_patch atemi_world_patch(const atemi_simulation *s, int patch)
{
    atemi_patch sum = {.first = ATEMI_NONE};
    for (int i = 0; i < s->point_count; ++i) {
        if (s->patches[i] == patch && s->modes[i] != ATEMI_CONTACT_OPEN) {
            if (sum.closed++ == 0) {
                sum.first = i;
                sum.mode = s->modes[i];
                sum.normal = s->sightings[i].view.normal;
            }
            sum.force = atemi_vec3_add(sum.force, s->forces[i]);
        }
    }
    return sum;
}

// ---- From modes to contacts -----------------------------------------------------------------

static void add_contact(atemi_simulation *s, int i, atemi_contact_mode mode)
{
    const atemi_simulation_point *point = &s->points[i];
    const atemi_sighting         *sighting = &s->sightings[i];
    s->contact_points[s->contact_count] = i;
    s->contacts[s->contact_count++] =
        (atemi_contact){.link = point->link,
                        .point = point->point,
                        .normal = sighting->view.normal,
                        .mode = mode,
                        .friction = point->kinetic_friction,
                        .direction = s->directions[i],
                        .normal_acceleration = -bend(&sighting->view.bending, sighting->velocity)};
}

// Three points of a link that stick to a plane hold it as a whole.
static bool holds_link(const atemi_simulation *s, const atemi_patch *patch)
{
    return patch->closed >= 3 && patch->mode == ATEMI_CONTACT_STICK &&
           s->surfaces[s->points[patch->first].surface].kind == ATEMI_SURFACE_PLANE;
}

static void build_contacts(atemi_simulation *s)
{
    s->contact_count = 0;
    for (int p = 0; p < s->patch_count; ++p) {
        const atemi_patch patch = atemi_world_patch(s, p);
        if (patch.closed && holds_link(s, &patch)) {
            add_contact(s, patch.first, ATEMI_CONTACT_SURFACE);
            continue;
        }
        for (int i = 0; i < s->point_count && patch.closed; ++i) {
            if (s->patches[i] == p && s->modes[i] != ATEMI_CONTACT_OPEN) {
                add_contact(s, i, s->modes[i]);
            }
        }
    }
}

// ---- From contact forces to point forces ----------------------------------------------------

// Shares a patch's force and its moment about the centre of its closed points among them, with the
// least sum of squares: f_i = F / n + w x d_i, where  sum of d_i x (w x d_i) = M.
static void share_force(atemi_simulation *s, int patch, atemi_force force, int at)
{
    atemi_vec3 center = {0.0, 0.0, 0.0};
    int        count = 0;
    for (int i = 0; i < s->point_count; ++i) {
        if (s->patches[i] == patch && s->modes[i] != ATEMI_CONTACT_OPEN) {
            center = atemi_vec3_add(center, s->sightings[i].position);
            ++count;
        }
    }
    center = atemi_vec3_scale(1.0 / count, center);
    const atemi_force moved =
        atemi_force_at(force, atemi_vec3_sub(center, s->sightings[at].position));
    double S[9] = {0}, w[3] = {moved.angular.x, moved.angular.y, moved.angular.z};
    int    pivot[3];
    for (int i = 0; i < s->point_count; ++i) {
        if (s->patches[i] == patch && s->modes[i] != ATEMI_CONTACT_OPEN) {
            const atemi_vec3 d = atemi_vec3_sub(s->sightings[i].position, center);
            const double     x[3] = {d.x, d.y, d.z}, square = atemi_vec3_dot(d, d);
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 3; ++c) {
                    S[3 * r + c] += (r == c) * square - x[r] * x[c];
                }
            }
        }
    }
    if (atemi_lu_factor(3, S, 3, pivot)) {
        atemi_lu_solve(3, S, 3, pivot, w);
    } else {
        memset(w, 0, sizeof w);
    }
    for (int i = 0; i < s->point_count; ++i) {
        if (s->patches[i] == patch && s->modes[i] != ATEMI_CONTACT_OPEN) {
            const atemi_vec3 d = atemi_vec3_sub(s->sightings[i].position, center);
            s->forces[i] = atemi_vec3_add(atemi_vec3_scale(1.0 / count, force.linear),
                                          atemi_vec3_cross((atemi_vec3){w[0], w[1], w[2]}, d));
        }
    }
}

static void hand_out_forces(atemi_simulation *s)
{
    memset(s->forces, 0, (size_t)s->point_count * sizeof *s->forces);
    for (int c = 0; c < s->contact_count; ++c) {
        const int point = s->contact_points[c];
        if (s->contacts[c].mode == ATEMI_CONTACT_SURFACE) {
            share_force(s, s->patches[point], s->contact_forces[c], point);
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

static void find_pushes(atemi_simulation *s, double time)
{
    memset(s->pushes_on, 0, (size_t)atemi_model_link_count(s->model) * sizeof *s->pushes_on);
    if (s->hooks.push) {
        s->hooks.push(s->hooks.context, time, s->pushes_on);
    }
}

atemi_status atemi_world_evaluate(atemi_simulation *s, double time, const double *q,
                                  const double *v, double *a)
{
    atemi_world_observe(s, q, v);
    build_contacts(s);
    find_torques(s, time, q, v);
    find_pushes(s, time);
    ++s->statistics.evaluations;
    const atemi_status status =
        atemi_constrained_dynamics(s->model, q, v, s->tau, s->pushes_on, s->contacts,
                                   s->contact_count, &s->dynamics, a, s->contact_forces, NULL);
    if (!status) {
        hand_out_forces(s);
    }
    return status;
}

// ---- Projection -----------------------------------------------------------------------------

static void closed_contacts(atemi_simulation *s)
{
    s->contact_count = 0;
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] != ATEMI_CONTACT_OPEN) {
            add_contact(s, i, s->modes[i]);
            s->contacts[s->contact_count - 1].friction = 0.0;
        }
    }
}

// Solves for the motion that takes what is left in `target`, into the factor's work.
static bool correct(atemi_simulation *s)
{
    atemi_constraint_space *space = &s->dynamics.space;
    atemi_contact_report    report;
    atemi_mass_factor_at(s->model, &s->kinematics, &s->dynamics.factor);
    atemi_constraint_space_project(s->model, &s->kinematics, &s->dynamics.factor, NULL, space,
                                   &report);
    // Targets of redundant rows that differ are rounding errors here: the best fit will do.
    atemi_constraint_space_solve(space, &report);
    atemi_constraint_space_respond(s->model, space, &s->dynamics.factor);
    return report.rank > 0;
}

static void find_rows(atemi_simulation *s)
{
    s->dynamics.space.row_count = atemi_contact_rows_find(
        s->model, &s->kinematics, true, s->contacts, s->contact_count, s->dynamics.space.rows);
}

static void project_positions(atemi_simulation *s)
{
    atemi_world_observe(s, s->q, s->v);
    closed_contacts(s);
    find_rows(s);
    for (int r = 0; r < s->dynamics.space.row_count; ++r) {
        const atemi_contact_row *row = &s->dynamics.space.rows[r];
        const int                i = s->contact_points[row->contact];
        const atemi_vec3         off = atemi_vec3_sub(s->anchors[i], s->sightings[i].position);
        s->dynamics.space.target[r] = s->modes[i] == ATEMI_CONTACT_STICK
                                          ? atemi_vec3_dot(row->direction, off)
                                          : -s->sightings[i].view.gap;
    }
    if (correct(s)) {
        atemi_configuration_integrate(s->model, s->q, s->dynamics.factor.work, 1.0, s->q);
    }
}

static void project_velocities(atemi_simulation *s)
{
    atemi_world_observe(s, s->q, s->v);
    closed_contacts(s);
    find_rows(s);
    for (int r = 0; r < s->dynamics.space.row_count; ++r) {
        s->dynamics.space.target[r] = -s->dynamics.space.rows[r].velocity;
    }
    if (correct(s)) {
        for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
            s->v[i] += s->dynamics.factor.work[i];
        }
    }
}

void atemi_world_project(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] != ATEMI_CONTACT_OPEN) {
            project_positions(s);
            project_velocities(s);
            return;
        }
    }
}
