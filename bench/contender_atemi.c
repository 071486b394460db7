// SPDX-License-Identifier: Apache-2.0
//
// Ours as a contender, through the public interface only.
//
// What stands for what
//
//     inverse dynamics   atemi_inverse_dynamics()
//     mass matrix        atemi_mass_matrix(): the whole matrix
//     factor + solve     atemi_update_factor(), atemi_mass_solve() in place
//     forward dynamics   atemi_forward_dynamics()
//     jacobians          atemi_update_kinematics() without velocities: poses and axes in the world
//     link jacobians     the same, then atemi_link_jacobian() for the base and every child link
//     momentum matrix    atemi_momentum_matrix()
//     constrained        atemi_constrained_dynamics(), the soles' origins as two surfaces
//     impulse            atemi_collision_in_modes(), likewise
//
//     derivatives: inverse   atemi_inverse_dynamics_derivatives()
//                  forward   atemi_forward_dynamics_derivatives()
//                  motion    atemi_motion_derivatives_update()
//                  link      the same, then atemi_link_derivatives() for the base and every child
//                  momentum  atemi_derivatives_update(), atemi_momentum_derivatives()
//                  constrained, impulse: atemi_constrained_dynamics_derivatives(),
//                            atemi_impulse_derivatives(), with those of the contact forces

#include "bench.h"

#include "atemi/atemi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ours {
    atemi_model                           *model;
    atemi_arena                            arena;
    atemi_data                            *data;
    atemi_derivatives_scratch             *derivatives;
    atemi_constrained_derivatives_scratch *contacts;
    atemi_contact                          feet[2];
    atemi_force                            forces[2];
    int                                    q_count, v_count, joint_count, foot_count, state_count;
    int                                   *q_places; // [q_count] of the table's coordinates in ours
    int                                   *v_places; // [v_count]
    int    *links; // [joint_count + 1] the base, then the links that the table's joints move
    double *q, *v, *v_still, *a, *tau;
    double *vector;    // [v_count]
    double *square;    // [v_count x v_count]
    double *wide;      // [6 x v_count]
    double *jacobians; // [joint_count + 1][6 x v_count]
    double *squares;   // [3][v_count x v_count]
    double *links_by;  // [joint_count + 1][4][6 x v_count]
    double *momenta;   // [4][6 x v_count]
    double *forces_by; // [3][12 x v_count]
} ours;

// ---------------------------------------------------------------------------------------------
// Life

/// Everything on one arena; run once to measure and once to place.
static void take_all(ours *self)
{
    atemi_arena       *arena = &self->arena;
    const atemi_model *model = self->model;
    const int          n = self->v_count, states = self->state_count;
    self->data =
        atemi_data_take(arena, model, &(atemi_data_options){.max_contacts = self->foot_count});
    self->derivatives = atemi_derivatives_take(arena, model);
    self->contacts = atemi_constrained_derivatives_take(arena, model, self->foot_count);
    self->q_places = atemi_arena_array(arena, int, self->q_count);
    self->v_places = atemi_arena_array(arena, int, n);
    self->links = atemi_arena_array(arena, int, self->joint_count + 1);
    self->q = atemi_arena_array(arena, double, states * self->q_count);
    self->v = atemi_arena_array(arena, double, states *n);
    self->v_still = atemi_arena_array(arena, double, states *n);
    self->a = atemi_arena_array(arena, double, states *n);
    self->tau = atemi_arena_array(arena, double, states *n);
    self->vector = atemi_arena_array(arena, double, n);
    self->square = atemi_arena_array(arena, double, n *n);
    self->wide = atemi_arena_array(arena, double, 6 * n);
    self->jacobians = atemi_arena_array(arena, double, (self->joint_count + 1) * 6 * n);
    self->squares = atemi_arena_array(arena, double, 3 * n * n);
    self->links_by = atemi_arena_array(arena, double, (self->joint_count + 1) * 24 * n);
    self->momenta = atemi_arena_array(arena, double, 24 * n);
    self->forces_by = atemi_arena_array(arena, double, 36 * n);
}

/// Finds every joint of the table by its name.
static int match(ours *self, const bench_robot *robot, char *error)
{
    for (int i = 0; i < 7; i++)
        self->q_places[i] = i;
    for (int i = 0; i < 6; i++)
        self->v_places[i] = i;
    for (int i = 0; i < atemi_model_link_count(self->model); i++)
        if (atemi_model_link(self->model, i)->parent_joint == ATEMI_NONE)
            self->links[0] = i;
    for (int i = 0; i < robot->joint_count; i++) {
        const int index = atemi_model_find_joint(self->model, robot->joints[i].name);
        if (index == ATEMI_NONE) {
            snprintf(error, BENCH_ERROR_SIZE, "no joint %s", robot->joints[i].name);
            return -1;
        }
        const atemi_joint *joint = atemi_model_joint(self->model, index);
        self->q_places[7 + i] = joint->first_q;
        self->v_places[6 + i] = joint->first_v;
        self->links[1 + i] = joint->child_link;
    }
    return 0;
}

static int find_feet(ours *self, const bench_robot *robot, char *error)
{
    for (int i = 0; i < robot->foot_count; i++) {
        atemi_contact *foot = &self->feet[i];
        *foot = atemi_contact_default();
        foot->mode = ATEMI_CONTACT_SURFACE;
        foot->link = atemi_model_find_link(self->model, robot->feet[i].name);
        if (foot->link == ATEMI_NONE) {
            snprintf(error, BENCH_ERROR_SIZE, "no link %s", robot->feet[i].name);
            return -1;
        }
    }
    return 0;
}

static void scatter(const double *from, const int *places, int count, int rows, double *to)
{
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < count; i++)
            to[row * count + places[i]] = from[row * count + i];
}

static void gather(const double *from, const int *places, int count, int rows, double *to)
{
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < count; i++)
            to[row * count + i] = from[row * count + places[i]];
}

static void destroy(void *object)
{
    ours *self = object;
    atemi_arena_destroy(&self->arena);
    atemi_model_destroy(self->model);
    free(self);
}

/// Mimic joints get coordinates of their own, as in Pinocchio.
static atemi_model *load(const char *path, char *text)
{
    atemi_error        error;
    atemi_model       *model = NULL;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FLOATING;
    options.model.mimic_as_coupled = false;
    if (atemi_urdf_load(path, &options, &model, &error)) {
        atemi_error_format(&error, text, BENCH_ERROR_SIZE);
        return NULL;
    }
    return model;
}

static int place_all(ours *self, char *text)
{
    atemi_error error;
    self->arena = atemi_arena_measuring();
    take_all(self);
    if (atemi_arena_create(&self->arena, self->arena.used, &error)) {
        atemi_error_format(&error, text, BENCH_ERROR_SIZE);
        return -1;
    }
    take_all(self);
    return 0;
}

static void *create(const bench_robot *robot, const bench_states *states, char *error)
{
    atemi_model *model = load(robot->path, error);
    if (!model)
        return NULL;
    ours *self = calloc(1, sizeof *self);
    self->model = model;
    self->q_count = atemi_model_q_count(model);
    self->v_count = atemi_model_v_count(model);
    self->joint_count = robot->joint_count;
    self->foot_count = robot->foot_count;
    self->state_count = states->count;
    if (self->v_count != robot->v_count || self->q_count != robot->q_count)
        snprintf(error, BENCH_ERROR_SIZE, "%d velocities instead of %d", self->v_count,
                 robot->v_count);
    else if (!place_all(self, error) && !match(self, robot, error) &&
             !find_feet(self, robot, error)) {
        scatter(states->q, self->q_places, self->q_count, states->count, self->q);
        scatter(states->v, self->v_places, self->v_count, states->count, self->v);
        if (states->v_still)
            scatter(states->v_still, self->v_places, self->v_count, states->count, self->v_still);
        scatter(states->a, self->v_places, self->v_count, states->count, self->a);
        scatter(states->tau, self->v_places, self->v_count, states->count, self->tau);
        return self;
    }
    destroy(self);
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// What is timed

static void run_inverse_dynamics(void *object, int state)
{
    ours *self = object;
    atemi_inverse_dynamics(self->data, self->q + state * self->q_count,
                           self->v + state * self->v_count, self->a + state * self->v_count, NULL,
                           self->vector);
}

static void run_mass_matrix(void *object, int state)
{
    ours *self = object;
    atemi_mass_matrix(self->data, self->q + state * self->q_count, self->square);
}

static void run_factor_solve(void *object, int state)
{
    ours *self = object;
    atemi_update_kinematics(self->data, self->q + state * self->q_count, NULL, NULL);
    atemi_update_factor(self->data, NULL);
    memcpy(self->vector, self->tau + state * self->v_count, sizeof(double) * (size_t)self->v_count);
    atemi_mass_solve(self->data, self->vector);
}

static void run_forward_dynamics(void *object, int state)
{
    ours *self = object;
    atemi_forward_dynamics(self->data, self->q + state * self->q_count,
                           self->v + state * self->v_count, self->tau + state * self->v_count, NULL,
                           self->vector);
}

static void run_jacobians(void *object, int state)
{
    ours *self = object;
    atemi_update_kinematics(self->data, self->q + state * self->q_count, NULL, NULL);
}

static void run_link_jacobians(void *object, int state)
{
    ours *self = object;
    run_jacobians(self, state);
    for (int i = 0; i <= self->joint_count; i++)
        atemi_link_jacobian(self->data, self->links[i], self->jacobians + i * 6 * self->v_count);
}

static void run_momentum_matrix(void *object, int state)
{
    ours *self = object;
    atemi_momentum_matrix(self->data, self->q + state * self->q_count, self->wide);
}

static void run_constrained_dynamics(void *object, int state)
{
    ours                   *self = object;
    const atemi_contact_set set = {.contacts = self->feet, .count = self->foot_count};
    atemi_constrained_dynamics(
        self->data, self->q + state * self->q_count, self->v_still + state * self->v_count,
        self->tau + state * self->v_count, NULL, &set, self->vector, self->forces, NULL);
}

static void run_impulse(void *object, int state)
{
    ours                   *self = object;
    const atemi_contact_set set = {.contacts = self->feet, .count = self->foot_count};
    atemi_collision_in_modes(self->data, self->q + state * self->q_count,
                             self->v + state * self->v_count, &set, self->vector, self->forces,
                             NULL);
}

static void run_inverse_derivatives(void *object, int state)
{
    ours     *self = object;
    const int n = self->v_count;
    atemi_inverse_dynamics_derivatives(self->model, self->q + state * self->q_count,
                                       self->v + state * n, self->a + state * n, NULL,
                                       self->derivatives, NULL, self->squares,
                                       self->squares + n * n, self->squares + 2 * n * n);
}

static void run_forward_derivatives(void *object, int state)
{
    ours     *self = object;
    const int n = self->v_count;
    atemi_forward_dynamics_derivatives(self->model, self->q + state * self->q_count,
                                       self->v + state * n, self->tau + state * n, NULL,
                                       self->derivatives, NULL, self->squares,
                                       self->squares + n * n, self->squares + 2 * n * n);
}

static void run_motion_derivatives(void *object, int state)
{
    ours     *self = object;
    const int n = self->v_count;
    atemi_motion_derivatives_update(self->model, self->q + state * self->q_count,
                                    self->v + state * n, self->a + state * n, self->derivatives);
}

static void get_links(ours *self)
{
    const int        n = self->v_count;
    const atemi_vec3 origin = {0};
    for (int i = 0; i <= self->joint_count; i++) {
        double *to = self->links_by + i * 24 * n;
        atemi_link_derivatives(self->model, self->derivatives, self->links[i], origin, to,
                               to + 6 * n, to + 12 * n, to + 18 * n);
    }
}

static void run_link_derivatives(void *object, int state)
{
    run_motion_derivatives(object, state);
    get_links(object);
}

static void run_momentum_derivatives(void *object, int state)
{
    ours     *self = object;
    const int n = self->v_count;
    atemi_derivatives_update(self->model, self->q + state * self->q_count, self->v + state * n,
                             self->a + state * n, NULL, self->derivatives);
    atemi_momentum_derivatives(self->model, self->derivatives, self->momenta, self->momenta + 6 * n,
                               self->momenta + 12 * n, self->momenta + 18 * n);
}

static atemi_constrained_derivatives contact_results(ours *self)
{
    const int n = self->v_count;
    return (atemi_constrained_derivatives){.dq = self->squares,
                                           .dv = self->squares + n * n,
                                           .dtau = self->squares + 2 * n * n,
                                           .forces_dq = self->forces_by,
                                           .forces_dv = self->forces_by + 12 * n,
                                           .forces_dtau = self->forces_by + 24 * n};
}

static void run_constrained_derivatives(void *object, int state)
{
    ours                               *self = object;
    const int                           n = self->v_count;
    const atemi_constrained_derivatives result = contact_results(self);
    atemi_constrained_dynamics_derivatives(self->model, self->q + state * self->q_count,
                                           self->v_still + state * n, self->tau + state * n, NULL,
                                           self->feet, self->foot_count, self->contacts, &result);
}

static void run_impulse_derivatives(void *object, int state)
{
    ours                               *self = object;
    const int                           n = self->v_count;
    const atemi_constrained_derivatives result = contact_results(self);
    atemi_impulse_derivatives(self->model, self->q + state * self->q_count, self->v + state * n,
                              self->feet, self->foot_count, 0.0, self->contacts, &result);
}

// ---------------------------------------------------------------------------------------------
// Results

/// Every joint's column of its own link's Jacobian, moved from the link to the world's origin:
/// linear at the origin = linear at p + p x angular.
static void read_axes(const ours *self, double *axes)
{
    const int n = self->v_count;
    for (int i = 0; i < n; i++) {
        const int        link = self->links[i < 6 ? 0 : i - 5];
        const int        column = self->v_places[i];
        const atemi_vec3 p = atemi_link_pose(self->data, link).position;
        atemi_link_jacobian(self->data, link, self->wide);
        const double *x = self->wide + column;
        axes[0 * n + i] = x[0 * n] + p.y * x[5 * n] - p.z * x[4 * n];
        axes[1 * n + i] = x[1 * n] + p.z * x[3 * n] - p.x * x[5 * n];
        axes[2 * n + i] = x[2 * n] + p.x * x[4 * n] - p.y * x[3 * n];
        for (int row = 3; row < 6; row++)
            axes[row * n + i] = x[row * n];
    }
}

static void read_square(const ours *self, const double *from, double *to)
{
    const int n = self->v_count;
    for (int i = 0; i < n; i++)
        gather(from + self->v_places[i] * n, self->v_places, n, 1, to + i * n);
}

static void read_squares(const ours *self, int count, double *to)
{
    const int size = self->v_count * self->v_count;
    for (int i = 0; i < count; i++)
        read_square(self, self->squares + i * size, to + i * size);
}

static void read_result(void *object, bench_operation operation, int state, double *result)
{
    ours     *self = object;
    const int n = self->v_count;
    (void)state;
    switch (operation) {
    case BENCH_MASS_MATRIX:
        read_square(self, self->square, result);
        break;
    case BENCH_JACOBIANS:
        read_axes(self, result);
        break;
    case BENCH_LINK_JACOBIANS:
        gather(self->jacobians, self->v_places, n, 6 * (self->joint_count + 1), result);
        break;
    case BENCH_MOMENTUM_MATRIX:
        gather(self->wide, self->v_places, n, 6, result);
        break;
    case BENCH_INVERSE_DERIVATIVES:
    case BENCH_FORWARD_DERIVATIVES:
    case BENCH_CONSTRAINED_DERIVATIVES:
        read_squares(self, 3, result);
        break;
    case BENCH_IMPULSE_DERIVATIVES:
        read_squares(self, 2, result);
        break;
    case BENCH_MOTION_DERIVATIVES:
        get_links(self);
        gather(self->links_by, self->v_places, n, 24 * (self->joint_count + 1), result);
        break;
    case BENCH_LINK_DERIVATIVES:
        gather(self->links_by, self->v_places, n, 24 * (self->joint_count + 1), result);
        break;
    case BENCH_MOMENTUM_DERIVATIVES:
        gather(self->momenta, self->v_places, n, 24, result);
        break;
    default:
        gather(self->vector, self->v_places, n, 1, result);
    }
}

const bench_contender *bench_contenders(int *count)
{
    static const bench_contender variant = {
        "atemi",
        ATEMI_VERSION,
        BENCH_BUILD,
        BENCH_COMPILER,
        create,
        destroy,
        {run_inverse_dynamics, run_mass_matrix, run_factor_solve, run_forward_dynamics,
         run_jacobians, run_link_jacobians, run_momentum_matrix, run_constrained_dynamics,
         run_impulse, run_inverse_derivatives, run_forward_derivatives, run_motion_derivatives,
         run_link_derivatives, run_momentum_derivatives, run_constrained_derivatives,
         run_impulse_derivatives},
        read_result,
    };
    *count = 1;
    return &variant;
}
