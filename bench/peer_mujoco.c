// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo as a contender: its smooth dynamics, without contacts, limits, friction or actuators.
//
// What stands for what
//
//     inverse dynamics   kinematics, comPos, comVel, rne with accelerations, + armature
//     mass matrix        kinematics, comPos, makeM: M stays sparse, only the lower triangle
//     factor + solve     the same, factorM, solveM
//     forward dynamics   the same with comVel and rne for the bias: a = M^-1 (tau - bias)
//
// "stages" calls these functions one by one and nothing else; "pipeline" calls mj_inverse() and
// mj_forward() with every constraint disabled, as a user would.
//
// The library is the one in the wheel, built by its makers; there is no source to compile here.
//
// A free joint of MuJoCo has its linear velocity in world axes, its angular velocity in the body's,
// and the quaternion as w x y z. With R the base's rotation, v' = T v, T = diag(R, 1, 1 ...):
//
//     a' = T a + (R (w x v), 0 ...),   tau' = T tau,   M' = T M T^T

#include "bench.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct peer {
    mjModel *model;
    mjData  *data;
    int      joint_count, v_count, state_count;
    int     *places;          // [joint_count] of each joint of the table in v' ( + 1 in q')
    double  *q, *v, *a, *tau; // MuJoCo's coordinates, one row a state
    double  *rotations;       // [state_count x 9]
    double  *twists;          // [state_count x 6] of the base, the table's coordinates
    double  *result;          // [v_count]
} peer;

// ---------------------------------------------------------------------------------------------
// The model

/// Parses the file, frees the root (before fixed links are fused into their parents) and compiles.
/// MuJoCo refuses inertias that break the triangle inequality (Talos has some), so that it is told
/// to change them; restore_inertia() puts the true ones back.
static mjModel *load(const char *text, char *error)
{
    mjSpec *spec = mj_parseXMLString(text, NULL, error, BENCH_ERROR_SIZE);
    if (!spec)
        return NULL;
    mjsBody *world = mjs_findBody(spec, "world");
    mjsBody *root = mjs_asBody(mjs_firstChild(world, mjOBJ_BODY, 0));
    mjs_addFreeJoint(root);
    spec->compiler.fusestatic = 1;
    spec->compiler.balanceinertia = 1;
    mjModel *model = mj_compile(spec, NULL);
    if (!model)
        snprintf(error, BENCH_ERROR_SIZE, "%s", mjs_getError(spec));
    mj_deleteSpec(spec);
    return model;
}

/// Smooth rigid-body dynamics only.
static void simplify(mjModel *model)
{
    model->opt.disableflags = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS |
                              mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER |
                              mjDSBL_ACTUATION | mjDSBL_SENSOR | mjDSBL_WARMSTART | mjDSBL_ISLAND;
    memset(model->dof_damping, 0, sizeof(mjtNum) * (size_t)model->nv);
}

/// Gives a body its inertia of the table where the compiler has changed it.
static void restore_inertia(mjModel *model, int body, const bench_body *truth)
{
    double principal[3], axes[9], quaternion[4], difference = 0;
    mju_eig3(principal, axes, quaternion, truth->inertia);
    for (int i = 0; i < 3; i++)
        difference = mju_max(difference, mju_abs(principal[i] - model->body_inertia[3 * body + i]));
    if (difference <= 1e-9 * principal[0])
        return;
    mju_copy(model->body_inertia + 3 * body, principal, 3);
    mju_copy(model->body_iquat + 4 * body, quaternion, 4);
    mju_copy(model->body_ipos + 3 * body, truth->com, 3);
    model->body_mass[body] = truth->mass;
    model->body_sameframe[body] = mjSAMEFRAME_NONE;
}

/// Finds every joint of the table by its name.
static int match(peer *self, const bench_robot *robot, char *error)
{
    mjModel *model = self->model;
    if (model->nv != robot->v_count || model->jnt_type[0] != mjJNT_FREE) {
        snprintf(error, BENCH_ERROR_SIZE, "%d velocities instead of %d", (int)model->nv,
                 robot->v_count);
        return -1;
    }
    for (int i = 0; i < robot->joint_count; i++) {
        int joint = mj_name2id(model, mjOBJ_JOINT, robot->joints[i].name);
        if (joint < 0) {
            snprintf(error, BENCH_ERROR_SIZE, "no joint %s", robot->joints[i].name);
            return -1;
        }
        self->places[i] = model->jnt_dofadr[joint];
        model->dof_armature[self->places[i]] = robot->joints[i].armature;
        restore_inertia(model, model->jnt_bodyid[joint], &robot->joints[i].body);
    }
    restore_inertia(model, model->jnt_bodyid[0], &robot->base);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Coordinates

/// The rotation of a unit quaternion x y z w, row-major.
static void rotation_of(const double *p, double *R)
{
    double quaternion[4] = {p[3], p[0], p[1], p[2]};
    mju_quat2Mat(R, quaternion);
}

/// to = T from, by the joints' names.
static void to_peer(const peer *self, int state, const double *from, double *to)
{
    mju_mulMatVec(to, self->rotations + 9 * state, from, 3, 3);
    mju_copy(to + 3, from + 3, 3);
    for (int i = 0; i < self->joint_count; i++)
        to[self->places[i]] = from[6 + i];
}

/// to = T^T from, by the joints' names.
static void from_peer(const peer *self, int state, const double *from, double *to)
{
    mju_mulMatTVec(to, self->rotations + 9 * state, from, 3, 3);
    mju_copy(to + 3, from + 3, 3);
    for (int i = 0; i < self->joint_count; i++)
        to[6 + i] = from[self->places[i]];
}

static void add_state(peer *self, const bench_robot *robot, const bench_states *states, int index)
{
    const int     n = self->v_count;
    const double *q = states->q + index * robot->q_count;
    const double *v = states->v + index * n;
    double       *to = self->q + index * (n + 1);
    rotation_of(q + 3, self->rotations + 9 * index);
    mju_copy(self->twists + 6 * index, v, 6);
    mju_copy(to, q, 3);
    to[3] = q[6];
    mju_copy(to + 4, q + 3, 3);
    for (int i = 0; i < self->joint_count; i++)
        to[self->places[i] + 1] = q[7 + i];

    double a[512], turning[3];
    mju_copy(a, states->a + index * n, n);
    mju_cross(turning, v + 3, v);
    mju_addTo(a, turning, 3);
    to_peer(self, index, v, self->v + index * n);
    to_peer(self, index, a, self->a + index * n);
    to_peer(self, index, states->tau + index * n, self->tau + index * n);
}

// ---------------------------------------------------------------------------------------------
// Life

static void destroy(void *object)
{
    peer *self = object;
    mj_deleteData(self->data);
    mj_deleteModel(self->model);
    double *arrays[] = {self->q,         self->v,      self->a,     self->tau,
                        self->rotations, self->twists, self->result};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(self->places);
    free(self);
}

static double *make_rows(int rows, int columns)
{
    return calloc((size_t)rows * (size_t)columns, sizeof(double));
}

static peer *make_peer(const bench_robot *robot, const bench_states *states, mjModel *model)
{
    peer     *self = calloc(1, sizeof *self);
    const int n = robot->v_count, count = states->count;
    self->model = model;
    self->data = mj_makeData(model);
    self->joint_count = robot->joint_count;
    self->v_count = n;
    self->state_count = count;
    self->places = calloc((size_t)robot->joint_count + 1, sizeof(int));
    self->q = make_rows(count, n + 1);
    self->v = make_rows(count, n);
    self->a = make_rows(count, n);
    self->tau = make_rows(count, n);
    self->rotations = make_rows(count, 9);
    self->twists = make_rows(count, 6);
    self->result = make_rows(1, n);
    return self;
}

static void *create(const bench_robot *robot, const bench_states *states, char *error)
{
    mjModel *model = load(robot->text, error);
    if (!model)
        return NULL;
    simplify(model);
    peer *self = make_peer(robot, states, model);
    if (match(self, robot, error)) {
        destroy(self);
        return NULL;
    }
    mj_setConst(model, self->data);
    for (int i = 0; i < states->count; i++)
        add_state(self, robot, states, i);
    return self;
}

// ---------------------------------------------------------------------------------------------
// What is timed

static void set_position(peer *self, int state)
{
    memcpy(self->data->qpos, self->q + state * (self->v_count + 1),
           sizeof(double) * (size_t)(self->v_count + 1));
}

static void set_velocity(peer *self, int state)
{
    memcpy(self->data->qvel, self->v + state * self->v_count,
           sizeof(double) * (size_t)self->v_count);
}

static void set_acceleration(peer *self, int state)
{
    memcpy(self->data->qacc, self->a + state * self->v_count,
           sizeof(double) * (size_t)self->v_count);
}

static void compute_mass_matrix(peer *self, int state)
{
    set_position(self, state);
    mj_kinematics(self->model, self->data);
    mj_comPos(self->model, self->data);
    mj_makeM(self->model, self->data);
}

static void run_inverse_dynamics(void *object, int state)
{
    peer          *self = object;
    const mjModel *model = self->model;
    set_position(self, state);
    set_velocity(self, state);
    set_acceleration(self, state);
    mj_kinematics(model, self->data);
    mj_comPos(model, self->data);
    mj_comVel(model, self->data);
    mj_rne(model, self->data, 1, self->result);
    for (int i = 0; i < self->v_count; i++)
        self->result[i] += model->dof_armature[i] * self->data->qacc[i];
}

static void run_mass_matrix(void *object, int state)
{
    compute_mass_matrix(object, state);
}

static void run_factor_solve(void *object, int state)
{
    peer *self = object;
    compute_mass_matrix(self, state);
    mj_factorM(self->model, self->data);
    mj_solveM(self->model, self->data, self->result, self->tau + state * self->v_count, 1);
}

static void run_forward_dynamics(void *object, int state)
{
    peer         *self = object;
    const double *tau = self->tau + state * self->v_count;
    double       *load = self->data->qfrc_smooth;
    set_velocity(self, state);
    compute_mass_matrix(self, state);
    mj_factorM(self->model, self->data);
    mj_comVel(self->model, self->data);
    mj_rne(self->model, self->data, 0, self->data->qfrc_bias);
    for (int i = 0; i < self->v_count; i++)
        load[i] = tau[i] - self->data->qfrc_bias[i];
    mj_solveM(self->model, self->data, self->result, load, 1);
}

static void run_inverse_pipeline(void *object, int state)
{
    peer *self = object;
    set_position(self, state);
    set_velocity(self, state);
    set_acceleration(self, state);
    mj_inverse(self->model, self->data);
    memcpy(self->result, self->data->qfrc_inverse, sizeof(double) * (size_t)self->v_count);
}

static void run_forward_pipeline(void *object, int state)
{
    peer *self = object;
    set_position(self, state);
    set_velocity(self, state);
    memcpy(self->data->qfrc_applied, self->tau + state * self->v_count,
           sizeof(double) * (size_t)self->v_count);
    mj_forward(self->model, self->data);
    memcpy(self->result, self->data->qacc, sizeof(double) * (size_t)self->v_count);
}

// ---------------------------------------------------------------------------------------------
// Results

/// M = T^T M' T, a column at a time: T applied from the left to the columns, then to the rows.
static void read_mass_matrix(const peer *self, int state, double *M)
{
    const int n = self->v_count;
    double   *full = make_rows(n, n), *half = make_rows(n, n);
    mj_fullM(self->model, self->data, full);
    for (int i = 0; i < n; i++)
        from_peer(self, state, full + i * n, half + i * n);
    mju_transpose(full, half, n, n);
    for (int i = 0; i < n; i++)
        from_peer(self, state, full + i * n, M + i * n);
    free(full);
    free(half);
}

static void read_result(void *object, bench_operation operation, int state, double *result)
{
    const peer *self = object;
    if (operation == BENCH_MASS_MATRIX) {
        read_mass_matrix(self, state, result);
        return;
    }
    from_peer(self, state, self->result, result);
    if (operation == BENCH_FORWARD_DYNAMICS) {
        double        turning[3];
        const double *twist = self->twists + 6 * state;
        mju_cross(turning, twist + 3, twist);
        mju_subFrom(result, turning, 3);
    }
}

const bench_contender *bench_contenders(int *count)
{
    static bench_contender variants[] = {
        {"mujoco", NULL, "stages", "as in the wheel", create, destroy, {0}, read_result},
        {"mujoco", NULL, "pipeline", "as in the wheel", create, destroy, {0}, read_result},
    };
    *count = 2;
    variants[0].version = variants[1].version = mj_versionString();
    variants[0].run[BENCH_INVERSE_DYNAMICS] = run_inverse_dynamics;
    variants[0].run[BENCH_MASS_MATRIX] = run_mass_matrix;
    variants[0].run[BENCH_FACTOR_SOLVE] = run_factor_solve;
    variants[0].run[BENCH_FORWARD_DYNAMICS] = run_forward_dynamics;
    variants[1].run[BENCH_INVERSE_DYNAMICS] = run_inverse_pipeline;
    variants[1].run[BENCH_FORWARD_DYNAMICS] = run_forward_pipeline;
    return variants;
}
