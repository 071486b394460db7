// SPDX-License-Identifier: Apache-2.0

#include "drop.h"

#include "atemi/kinematics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(const drop *d, const atemi_error *error)
{
    printf("seed %llu: %s\n", (unsigned long long)d->seed, error->message);
    exit(2);
}

static bool is_told(const char *name)
{
    return getenv(name) != NULL;
}

// ---- Boxes

static atemi_inertia box_inertia(double m, atemi_vec3 half)
{
    const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    return (atemi_inertia){
        .mass = m,
        .rotational = {.xx = m / 3.0 * (y + z), .yy = m / 3.0 * (x + z), .zz = m / 3.0 * (x + y)}};
}

static atemi_status make_box_model(const atemi_inertia *inertia, atemi_model **model,
                                   atemi_error *error)
{
    const atemi_link_description box = {.name = "box", .inertia = *inertia};
    atemi_model_builder         *builder;
    atemi_status                 status = atemi_model_builder_create("box", NULL, &builder, error);
    if (!status) {
        status = atemi_model_builder_add_link(builder, &box, error);
        status = status ? status : atemi_model_builder_finish(builder, NULL, model, error);
        atemi_model_builder_destroy(builder);
    }
    return status;
}

static atemi_status make_box(drop *d, atemi_error *error)
{
    const double        x = random_uniform(&d->stream, 0.02, 0.3);
    const double        y = random_uniform(&d->stream, 0.02, 0.3);
    const double        z = random_uniform(&d->stream, 0.02, 0.3);
    const double        m = pow(10.0, random_uniform(&d->stream, -3.0, 3.0));
    const atemi_inertia inertia = box_inertia(m, (atemi_vec3){x, y, z});
    for (int i = 0; i < 8; ++i) {
        d->points[i].point = (atemi_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    }
    d->point_count = 8;
    d->duration = 0.8;
    return make_box_model(&inertia, &d->model, error);
}

// ---- Humanoids: limp, on the corners of their sites and on balls about their joints

static void add_point(drop *d, atemi_simulation_point point)
{
    if (d->point_count < DROP_MOST_POINTS) {
        d->points[d->point_count++] = point;
    }
}

static void add_corners(drop *d)
{
    for (int i = 0; i < atemi_model_site_count(d->model); ++i) {
        const atemi_site     *site = atemi_model_site(d->model, i);
        const atemi_transform here = atemi_transform_identity();
        atemi_vec3            corners[4];
        const int             count = atemi_site_corners(site, &here, corners);
        for (int c = 0; c < count; ++c) {
            add_point(d, (atemi_simulation_point){.link = site->link, .point = corners[c]});
        }
    }
}

// Of every other joint, with a radius of 4 cm.
static void add_balls(drop *d)
{
    for (int i = 0; i < atemi_model_joint_count(d->model); i += 2) {
        const atemi_joint *joint = atemi_model_joint(d->model, i);
        if (joint->type != ATEMI_JOINT_FIXED) {
            add_point(d, (atemi_simulation_point){.link = joint->child_link, .radius = 0.04});
        }
    }
}

static atemi_status make_humanoid(drop *d, atemi_error *error)
{
    const atemi_urdf_options options = atemi_urdf_options_default();
    const char              *name = d->seed % 2 ? "hrp2_like" : "r2_like";
    const atemi_status       status = atemi_robots_load(name, &options, &d->model, error);
    if (!status) {
        add_corners(d);
        add_balls(d);
    }
    d->duration = 1.0;
    return status;
}

// ---- Random robots: hinges about any axes, each on any link before it, within stops

static atemi_status add_limb(drop *d, atemi_model_builder *builder, int index, atemi_error *error)
{
    const double x = random_uniform(&d->stream, 0.02, 0.1),
                 z = random_uniform(&d->stream, 0.05, 0.3);
    const double m = pow(10.0, random_uniform(&d->stream, -1.0, 1.0));
    const int    onto = random_index(&d->stream, index);
    char         name[8], parent[8];
    snprintf(name, sizeof name, "l%d", index);
    snprintf(parent, sizeof parent, "l%d", onto);
    const atemi_link_description link = {.name = name,
                                         .inertia = box_inertia(m, (atemi_vec3){x, x, z})};
    atemi_joint_description      joint = atemi_joint_description_default();
    joint.name = name;
    joint.type = ATEMI_JOINT_REVOLUTE;
    joint.parent = parent;
    joint.child = name;
    joint.origin.position = (atemi_vec3){0.0, x, onto ? z : -z};
    joint.axis = (atemi_vec3){random_uniform(&d->stream, -1.0, 1.0),
                              random_uniform(&d->stream, -1.0, 1.0), 1.0};
    joint.limits.lower = random_uniform(&d->stream, -2.0, 0.0);
    joint.limits.upper = random_uniform(&d->stream, 0.0, 2.0);
    joint.armature = random_uniform(&d->stream, 0.0, 0.05);
    joint.friction = d->seed % 3 ? 0.0 : random_uniform(&d->stream, 0.0, 2.0);
    const atemi_status status = atemi_model_builder_add_link(builder, &link, error);
    return status ? status : atemi_model_builder_add_joint(builder, &joint, error);
}

// Balls of 2 to 5 cm at the origins of the links, and corners of the first.
static void add_tree_points(drop *d, int limbs)
{
    for (int i = 0; i < 4; ++i) {
        add_point(
            d, (atemi_simulation_point){.point = {i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, -0.1}});
    }
    for (int i = 1; i <= limbs; ++i) {
        add_point(d, (atemi_simulation_point){.link = i,
                                              .radius = random_uniform(&d->stream, 0.02, 0.05)});
    }
}

static atemi_status make_tree(drop *d, atemi_error *error)
{
    const int                    limbs = 1 + (int)(d->seed % 12);
    const atemi_link_description first = {.name = "l0",
                                          .inertia = box_inertia(5.0, (atemi_vec3){0.1, 0.1, 0.1})};
    atemi_model_builder         *builder;
    atemi_status                 status = atemi_model_builder_create("tree", NULL, &builder, error);
    if (status) {
        return status;
    }
    status = atemi_model_builder_add_link(builder, &first, error);
    for (int i = 1; i <= limbs && !status; ++i) {
        status = add_limb(d, builder, i, error);
    }
    status = status ? status : atemi_model_builder_finish(builder, NULL, &d->model, error);
    atemi_model_builder_destroy(builder);
    add_tree_points(d, limbs);
    d->duration = 1.0;
    return status;
}

// ---- The ground and the start

static double most_friction(void)
{
    const char *told = getenv("FRICTION");
    return told ? strtod(told, NULL) : 1.2;
}

// Hills of up to 5 cm, 25 cm apart.
static void choose_heights(drop *d)
{
    const double middle = 0.125 * (double)HILLS;
    for (int i = 0; i < HILLS * HILLS; ++i) {
        d->heights[i] = random_uniform(&d->stream, 0.0, 0.05);
    }
    d->ground = (atemi_surface){.kind = ATEMI_SURFACE_HEIGHTS,
                                .position = {-middle, -middle, 0.0},
                                .axis = {0.0, 0.0, 1.0},
                                .table = {HILLS, HILLS, 0.25, 0.25, d->heights}};
}

static void choose_ground(drop *d)
{
    const double tilt = d->seed % 3 ? 0.0 : random_uniform(&d->stream, 0.0, 0.7);
    const double still = random_uniform(&d->stream, 0.0, most_friction());
    const double sliding = d->seed % 5 ? still : still * random_uniform(&d->stream, 0.3, 1.0);
    const double bounce = d->seed % 2 ? 0.0 : random_uniform(&d->stream, 0.0, 0.9);
    d->ground = (atemi_surface){.kind = ATEMI_SURFACE_PLANE, .axis = {sin(tilt), 0.0, cos(tilt)}};
    if (is_told("HEIGHTS")) {
        choose_heights(d);
    }
    for (int i = 0; i < d->point_count; ++i) {
        d->points[i].static_friction = d->seed % 7 ? still : 0.0;
        d->points[i].kinetic_friction = d->seed % 7 ? sliding : 0.0;
        d->points[i].restitution = bounce;
    }
}

double drop_least_gap(drop *d, const double *q)
{
    double least = (double)INFINITY;
    atemi_update_kinematics(d->data, q, NULL, NULL);
    for (int i = 0; i < d->point_count; ++i) {
        const atemi_simulation_point *point = &d->points[i];
        const atemi_transform         pose = atemi_link_pose(d->data, point->link);
        const atemi_vec3              at = atemi_transform_apply(&pose, point->point);
        least = fmin(least, atemi_surface_look(&d->ground, at).gap - point->radius);
    }
    return least;
}

// Every fourth comes down flat and without turning, the others any way up.
static void choose_start(drop *d)
{
    atemi_configuration_neutral(d->model, d->q);
    for (int i = 0; i < atemi_model_v_count(d->model); ++i) {
        d->v[i] = random_uniform(&d->stream, -1.0, 1.0) * (i < 6 ? 1.0 : 0.3);
    }
    const double           yaw = random_uniform(&d->stream, -3.0, 3.0);
    const double           pitch = random_uniform(&d->stream, -1.5, 1.5);
    const double           roll = random_uniform(&d->stream, -3.0, 3.0);
    const atemi_mat3       R = atemi_mat3_from_rpy(roll, pitch, yaw);
    const atemi_quaternion turn = atemi_quaternion_from_matrix(&R);
    if (d->seed % 4) {
        memcpy(d->q + 3, (const double[4]){turn.x, turn.y, turn.z, turn.w}, 4 * sizeof *d->q);
    } else {
        memset(d->v, 0, sizeof d->v);
        d->v[0] = random_uniform(&d->stream, -1.0, 1.0);
    }
    const double high = random_uniform(&d->stream, 0.001, 0.3);
    d->q[2] += (high - drop_least_gap(d, d->q)) / d->ground.axis.z;
    while (d->ground.kind == ATEMI_SURFACE_HEIGHTS && drop_least_gap(d, d->q) < 0.001) {
        d->q[2] += 0.001; // hills are not level
    }
}

// ---- One drop

static void note(void *context, const atemi_event *event)
{
    drop *d = context;
    if (event->kind == ATEMI_EVENT_TOUCHDOWN) {
        d->fastest = fmax(d->fastest, event->speed);
    }
    if (is_told("TRACE")) {
        printf("%.12f %s %d %.3e\n", event->time, atemi_event_kind_text(event->kind), event->point,
               event->speed);
    }
}

// With shapes, those of the robot in place of its points, from higher up: they are thicker.
static atemi_status start_simulation(drop *d, atemi_error *error)
{
    const atemi_simulation_hooks  hooks = {.event = note, .context = d};
    const bool                    shaped = is_told("SHAPES") && d->shape_count > 0;
    const atemi_simulation_shapes shapes = {
        .shapes = d->shapes, .count = d->shape_count, .each_other = true};
    if (shaped) {
        d->options.shapes = &shapes;
        d->point_count = 0;
        d->q[2] += 0.2;
    }
    const atemi_status status =
        atemi_simulation_create(d->model, &d->ground, 1, d->points, d->point_count, &d->options,
                                &hooks, &d->simulation, error);
    d->options.shapes = NULL;
    return status ? status : atemi_simulation_start(d->simulation, 0.0, d->q, d->v, error);
}

static void choose_shapes(drop *d)
{
    const atemi_simulation_point *like = d->points;
    const int                     count = atemi_model_geometry_count(d->model);
    d->shapes = calloc((size_t)count + 1, sizeof *d->shapes);
    d->shape_count =
        atemi_touch_shapes_of(d->model, like->static_friction, like->restitution, d->shapes);
}

static atemi_status make(drop *d, drop_kind kind, atemi_error *error)
{
    switch (kind) {
    case DROP_BOXES:
        return make_box(d, error);
    case DROP_HUMANOIDS:
        return make_humanoid(d, error);
    default:
        return make_tree(d, error);
    }
}

void drop_make(drop *d, uint64_t seed, drop_kind kind)
{
    *d = (drop){.seed = seed, .stream = {seed}, .options = atemi_simulation_options_default()};
    atemi_error error = {0};
    const bool  steps = is_told("STEPS") || is_told("SHAPES");
    d->options.method = steps ? ATEMI_METHOD_STEPS : ATEMI_METHOD_EVENTS;
    d->options.integrator = is_told("ADAPTIVE") ? ATEMI_INTEGRATOR_ADAPTIVE : ATEMI_INTEGRATOR_RK4;
    atemi_status status = make(d, kind, &error);
    status = status ? status : atemi_data_create(d->model, NULL, &d->data, &error);
    if (!status) {
        choose_ground(d);
        choose_start(d);
        choose_shapes(d);
        status = start_simulation(d, &error);
    }
    if (status) {
        give_up(d, &error);
    }
}

void drop_destroy(drop *d)
{
    atemi_simulation_destroy(d->simulation);
    atemi_data_destroy(d->data);
    atemi_model_destroy(d->model);
    free(d->shapes);
}
