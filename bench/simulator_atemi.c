// SPDX-License-Identifier: Apache-2.0
//
// Ours as a simulator, through the public interface only. The waist's spring acts through the
// base's entries of tau.

#include "simulator.h"

#include "atemi/atemi.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = SCENE_FEET * SCENE_CORNERS, ALL = POINTS + SCENE_MAX_BALLS };

typedef struct ours {
    const bench_scene *scene;
    atemi_model       *model;
    atemi_simulation  *simulation;
} ours;

static const struct {
    atemi_simulation_method method;
    atemi_integrator        integrator;
    double                  step;
} variants[] = {
    {ATEMI_METHOD_EVENTS, ATEMI_INTEGRATOR_RK4, 1e-3},
    {ATEMI_METHOD_EVENTS, ATEMI_INTEGRATOR_RK4, 2e-3},
    {ATEMI_METHOD_EVENTS, ATEMI_INTEGRATOR_ADAPTIVE, 1e-2},
    {ATEMI_METHOD_STEPS, ATEMI_INTEGRATOR_RK4, 2e-3},
};

static void torque(void *context, double time, const double *q, const double *v, double *tau)
{
    bench_scene_torques(context, time, q + 3, v + 3, q + 7, v + 6, tau + 3, tau + 6);
}

static void damping(void *context, double *damping)
{
    const bench_scene *scene = context;
    for (int i = 0; i < 3; i++)
        damping[3 + i] += scene->steady;
    for (int i = 0; i < scene->joint_count; i++)
        damping[6 + i] += scene->damping;
}

static void stiffness(void *context, double *stiffness)
{
    const bench_scene *scene = context;
    for (int i = 0; i < 3; i++)
        stiffness[3 + i] += scene->upright;
    for (int i = 0; i < scene->joint_count; i++)
        stiffness[6 + i] += scene->stiffness;
}

static int make_points(const ours *self, atemi_simulation_point points[ALL])
{
    for (int i = 0; i < POINTS; i++) {
        const scene_foot *foot = &self->scene->feet[i / SCENE_CORNERS];
        const double     *at = foot->corners[i % SCENE_CORNERS];
        points[i] = (atemi_simulation_point){.link = atemi_model_find_link(self->model, foot->link),
                                             .point = {at[0], at[1], at[2]},
                                             .static_friction = self->scene->friction,
                                             .kinetic_friction = self->scene->friction};
    }
    for (int i = 0; i < self->scene->ball_count; i++) {
        const scene_ball *ball = &self->scene->balls[i];
        const double     *at = ball->center;
        points[POINTS + i] =
            (atemi_simulation_point){.link = atemi_model_find_link(self->model, ball->link),
                                     .point = {at[0], at[1], at[2]},
                                     .radius = self->scene->radius,
                                     .static_friction = self->scene->friction,
                                     .kinetic_friction = self->scene->friction};
    }
    return POINTS + self->scene->ball_count;
}

static atemi_status make(ours *self, int variant, atemi_error *error)
{
    atemi_urdf_options           loading = atemi_urdf_options_default();
    atemi_simulation_options     options = atemi_simulation_options_default();
    const atemi_surface          floor = {.kind = ATEMI_SURFACE_PLANE, .axis = {0.0, 0.0, 1.0}};
    const bool                   steps = variants[variant].method == ATEMI_METHOD_STEPS;
    const atemi_simulation_hooks hooks = {.torque = torque,
                                          .damping = steps ? damping : NULL,
                                          .stiffness = steps ? stiffness : NULL,
                                          .context = (void *)self->scene};
    atemi_simulation_point       points[ALL];
    loading.model.base = ATEMI_BASE_FLOATING;
    options.method = variants[variant].method;
    options.joint_stops = false; // as the peer
    options.integrator = variants[variant].integrator;
    options.step = variants[variant].step;
    const atemi_status status = atemi_urdf_load(self->scene->path, &loading, &self->model, error);
    return status
               ? status
               : atemi_simulation_create(self->model, &floor, 1, points, make_points(self, points),
                                         &options, &hooks, &self->simulation, error);
}

static void destroy(void *object)
{
    ours *self = object;
    atemi_simulation_destroy(self->simulation);
    atemi_model_destroy(self->model);
    free(self);
}

static void *create(const bench_scene *scene, int variant, char *text)
{
    ours       *self = calloc(1, sizeof *self);
    atemi_error error;
    self->scene = scene;
    if (make(self, variant, &error)) {
        atemi_error_format(&error, text, SCENE_ERROR_SIZE);
        destroy(self);
        return NULL;
    }
    return self;
}

static int start(void *object, char *text)
{
    ours        *self = object;
    const double still[6 + SCENE_MAX_JOINTS] = {0};
    atemi_error  error;
    if (!atemi_simulation_start(self->simulation, 0.0, self->scene->start, still, &error))
        return 0;
    atemi_error_format(&error, text, SCENE_ERROR_SIZE);
    return -1;
}

static int run(void *object, double time, char *text)
{
    ours       *self = object;
    atemi_error error;
    if (!atemi_simulation_run(self->simulation, time, &error))
        return 0;
    atemi_error_format(&error, text, SCENE_ERROR_SIZE);
    return -1;
}

static void look(void *object, double *q, double corners[POINTS][3],
                 double heights[SCENE_MAX_BALLS])
{
    const ours *self = object;
    memcpy(q, atemi_simulation_q(self->simulation),
           (size_t)atemi_model_q_count(self->model) * sizeof *q);
    for (int i = 0; i < POINTS; i++) {
        const atemi_vec3 at = atemi_simulation_position(self->simulation, i);
        memcpy(corners[i], &at, sizeof corners[i]);
    }
    for (int i = 0; i < self->scene->ball_count; i++)
        heights[i] = atemi_simulation_gap(self->simulation, POINTS + i);
}

static long events(void *object)
{
    const ours *self = object;
    return atemi_simulation_statistics_get(self->simulation).events;
}

const bench_simulator *bench_simulators(int *count)
{
#define OURS(integrator, variant)                                                                  \
    {"atemi", ATEMI_VERSION, BENCH_BUILD, integrator, BENCH_COMPILER, variant,                     \
     create,  destroy,       start,       run,        look,           events}
    static const bench_simulator all[] = {OURS("rk4 1 ms", 0), OURS("rk4 2 ms", 1),
                                          OURS("adaptive", 2), OURS("steps 2 ms", 3)};
    *count = sizeof all / sizeof *all;
    return all;
}
