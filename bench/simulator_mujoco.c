// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo as a simulator: mj_step() with everything as it is by default, but for the integrator and
// the friction coefficient. "stiff" is for who wants from it what ours gives: contacts of a time
// constant of 1.25 ms instead of 20, and impedance 0.99, which need a short step.
//
// The robot is read from its URDF without its shapes; each sole is a box that meets the floor at
// its corners, which makes four contacts. Joints' limits are off, since ours has none by events.
// Servos and the waist's spring are computed in mjcb_control, which RK4 calls at each of its
// stages.
//
// The library is the one in the wheel, built by its makers.

#include "simulator.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = SCENE_FEET * SCENE_CORNERS };

static const double sole_thickness = 0.02; // m

typedef struct peer {
    const bench_scene *scene;
    mjModel           *model;
    mjData            *data;
    int                feet[SCENE_FEET]; // bodies
    int                balls[SCENE_MAX_BALLS];
} peer;

/// Whose servos mjcb_control computes.
static const bench_scene *acting;

static const struct {
    int    integrator;
    double step;                     // s, 0 as by default
    double time_constant, impedance; // of contacts, 0 as by default
} variants[] = {
    {mjINT_EULER, 0.0, 0.0, 0.0},
    {mjINT_RK4, 0.0, 0.0, 0.0},
    {mjINT_EULER, 1e-4, 1.25e-3, 0.99},
};

// ---------------------------------------------------------------------------------------------
// The model

static void remove_shapes(mjSpec *spec)
{
    for (mjsElement *shape; (shape = mjs_firstElement(spec, mjOBJ_GEOM));)
        mjs_delete(spec, shape);
}

static void add_floor(mjSpec *spec, double friction)
{
    mjsGeom *floor = mjs_addGeom(mjs_findBody(spec, "world"), NULL);
    floor->type = mjGEOM_PLANE;
    floor->friction[0] = friction;
    floor->size[2] = 1.0;
}

/// The box over the corners, which lie in a plane of constant z.
static int add_sole(mjSpec *spec, const scene_foot *foot, double friction)
{
    mjsBody *body = mjs_findBody(spec, foot->link);
    if (!body)
        return -1;
    mjsGeom      *sole = mjs_addGeom(body, NULL);
    const double *one = foot->corners[0], *opposite = foot->corners[2];
    sole->type = mjGEOM_BOX;
    sole->friction[0] = friction;
    for (int i = 0; i < 3; i++) {
        sole->pos[i] = 0.5 * (one[i] + opposite[i]);
        sole->size[i] = 0.5 * mju_abs(one[i] - opposite[i]);
    }
    sole->pos[2] += 0.5 * sole_thickness;
    sole->size[2] = 0.5 * sole_thickness;
    return 0;
}

static int add_ball(mjSpec *spec, const scene_ball *ball, double radius, double friction)
{
    mjsBody *body = mjs_findBody(spec, ball->link);
    if (!body)
        return -1;
    mjsGeom *shape = mjs_addGeom(body, NULL);
    shape->type = mjGEOM_SPHERE;
    shape->friction[0] = friction;
    shape->size[0] = radius;
    mju_copy3(shape->pos, ball->center);
    return 0;
}

/// Shapes meet the floor and not each other, as ours do.
static void separate(mjSpec *spec)
{
    for (mjsElement *shape = mjs_firstElement(spec, mjOBJ_GEOM); shape;
         shape = mjs_nextElement(spec, shape)) {
        mjsGeom *geom = mjs_asGeom(shape);
        geom->contype = geom->type == mjGEOM_PLANE;
        geom->conaffinity = geom->type != mjGEOM_PLANE;
    }
}

static int furnish(mjSpec *spec, const bench_scene *scene, char *error)
{
    mjsBody *root = mjs_asBody(mjs_firstChild(mjs_findBody(spec, "world"), mjOBJ_BODY, 0));
    mjs_addFreeJoint(root);
    remove_shapes(spec);
    add_floor(spec, scene->friction);
    for (int i = 0; i < SCENE_FEET; i++)
        if (add_sole(spec, &scene->feet[i], scene->friction)) {
            snprintf(error, SCENE_ERROR_SIZE, "no body %s", scene->feet[i].link);
            return -1;
        }
    for (int i = 0; i < scene->ball_count; i++)
        if (add_ball(spec, &scene->balls[i], scene->radius, scene->friction)) {
            snprintf(error, SCENE_ERROR_SIZE, "no body %s", scene->balls[i].link);
            return -1;
        }
    separate(spec);
    spec->compiler.fusestatic = 1;
    return 0;
}

static mjModel *load(const bench_scene *scene, char *error)
{
    mjSpec *spec = mj_parseXML(scene->path, NULL, error, SCENE_ERROR_SIZE);
    if (!spec)
        return NULL;
    mjModel *model = NULL;
    if (!furnish(spec, scene, error)) {
        model = mj_compile(spec, NULL);
        if (!model)
            snprintf(error, SCENE_ERROR_SIZE, "%s", mjs_getError(spec));
    }
    mj_deleteSpec(spec);
    return model;
}

/// The joints must come in the scene's order, after the free joint; they get their rotors.
static int match(mjModel *model, const bench_scene *scene, char *error)
{
    for (int i = 0; i < scene->joint_count; i++) {
        const int joint = mj_name2id(model, mjOBJ_JOINT, scene->joints[i].name);
        if (joint < 0 || model->jnt_dofadr[joint] != 6 + i || model->nv != 6 + scene->joint_count) {
            snprintf(error, SCENE_ERROR_SIZE, "joint %s is not number %d of %d",
                     scene->joints[i].name, i, scene->joint_count);
            return -1;
        }
        model->dof_armature[6 + i] = scene->joints[i].armature;
    }
    if (mju_abs(mj_getTotalmass(model) - scene->mass) > 1e-9 * scene->mass) {
        snprintf(error, SCENE_ERROR_SIZE, "the robot weighs %g kg instead of %g",
                 mj_getTotalmass(model), scene->mass);
        return -1;
    }
    return 0;
}

static void adjust(mjModel *model, int variant)
{
    model->opt.integrator = variants[variant].integrator;
    model->opt.disableflags |= mjDSBL_LIMIT;
    if (variants[variant].step > 0.0)
        model->opt.timestep = variants[variant].step;
    for (int i = 0; i < model->ngeom && variants[variant].time_constant > 0.0; i++) {
        model->geom_solref[mjNREF * i] = variants[variant].time_constant;
        model->geom_solimp[mjNIMP * i] = variants[variant].impedance;
        model->geom_solimp[mjNIMP * i + 1] = variants[variant].impedance;
    }
}

// ---------------------------------------------------------------------------------------------
// Life

static void control(const mjModel *model, mjData *data)
{
    (void)model;
    bench_scene_torques(acting, data->time, data->qpos + 4, data->qvel + 3, data->qpos + 7,
                        data->qvel + 6, data->qfrc_applied + 3, data->qfrc_applied + 6);
}

static void destroy(void *object)
{
    peer *self = object;
    mj_deleteData(self->data);
    mj_deleteModel(self->model);
    free(self);
}

static void *create(const bench_scene *scene, int variant, char *error)
{
    mjModel *model = load(scene, error);
    if (!model || match(model, scene, error)) {
        mj_deleteModel(model);
        return NULL;
    }
    peer *self = calloc(1, sizeof *self);
    self->scene = scene;
    self->model = model;
    adjust(model, variant);
    self->data = mj_makeData(model);
    mj_setConst(model, self->data);
    for (int i = 0; i < SCENE_FEET; i++)
        self->feet[i] = mj_name2id(model, mjOBJ_BODY, scene->feet[i].link);
    for (int i = 0; i < scene->ball_count; i++)
        self->balls[i] = mj_name2id(model, mjOBJ_BODY, scene->balls[i].link);
    return self;
}

// ---------------------------------------------------------------------------------------------
// Simulation

static int start(void *object, char *error)
{
    peer         *self = object;
    const double *from = self->scene->start;
    double       *to = self->data->qpos;
    (void)error;
    mj_resetData(self->model, self->data);
    mju_copy(to, from, 7 + self->scene->joint_count);
    to[3] = from[6];
    mju_copy(to + 4, from + 3, 3);
    return 0;
}

static int run(void *object, double time, char *error)
{
    peer                *self = object;
    const double         last = time - 0.5 * self->model->opt.timestep;
    const mjWarningStat *fault = &self->data->warning[mjWARN_BADQACC];
    acting = self->scene;
    mjcb_control = control;
    while (self->data->time < last && fault->number == 0)
        mj_step(self->model, self->data);
    mjcb_control = NULL;
    if (fault->number == 0)
        return 0;
    snprintf(error, SCENE_ERROR_SIZE, "%s", mju_warningText(mjWARN_BADQACC, 0));
    return -1;
}

static void look(void *object, double *q, double corners[POINTS][3],
                 double heights[SCENE_MAX_BALLS])
{
    peer         *self = object;
    const double *from = self->data->qpos;
    mj_kinematics(self->model, self->data);
    mju_copy(q, from, 7 + self->scene->joint_count);
    mju_copy(q + 3, from + 4, 3);
    q[6] = from[3];
    for (int i = 0; i < POINTS; i++) {
        const int body = self->feet[i / SCENE_CORNERS];
        mju_mulMatVec(corners[i], self->data->xmat + 9 * body,
                      self->scene->feet[i / SCENE_CORNERS].corners[i % SCENE_CORNERS], 3, 3);
        mju_addTo(corners[i], self->data->xpos + 3 * body, 3);
    }
    for (int i = 0; i < self->scene->ball_count; i++) {
        const int body = self->balls[i];
        double    at[3];
        mju_mulMatVec(at, self->data->xmat + 9 * body, self->scene->balls[i].center, 3, 3);
        heights[i] = at[2] + self->data->xpos[3 * body + 2] - self->scene->radius;
    }
}

const bench_simulator *bench_simulators(int *count)
{
#define PEER(integrator, variant)                                                                  \
    {"mujoco", NULL, "wheel", integrator, "as in the wheel", variant, create, destroy,             \
     start,    run,  look,    NULL}
    static bench_simulator all[] = {PEER("euler 2 ms", 0), PEER("rk4 2 ms", 1),
                                    PEER("stiff .1 ms", 2)};
    *count = sizeof all / sizeof *all;
    for (int i = 0; i < *count; i++)
        all[i].version = mj_versionString();
    return all;
}
