// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_bodies.h"

#include "atemi/base.h"
#include "atemi/model_builder.h"
#include "io/robot/urdf_writer.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_parts.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <math.h>
#include <string.h>

enum { MAX_BODIES = 1000 };

// In the order of the words.
static const atemi_shape shapes[] = {ATEMI_SHAPE_BOX, ATEMI_SHAPE_SPHERE, ATEMI_SHAPE_CYLINDER,
                                     ATEMI_SHAPE_CAPSULE};
static const char *const shape_words[] = {"box", "sphere", "cylinder", "capsule", NULL};
static const int         shape_sizes[] = {3, 1, 2, 2};

static const double usual_density = 1000.0; // kg/m^3

// What was read, until the scene is made.
typedef struct body_list {
    atemi_scene_body *bodies;
    atemi_motion     *velocities; ///< in the axes of the body
    int               count;
} body_list;

// ---- One body -------------------------------------------------------------------------------

static double volume_of(atemi_shape shape, atemi_vec3 s)
{
    const double pi = 3.14159265358979324, ball = 4.0 / 3.0 * pi * s.x * s.x * s.x;
    switch (shape) {
    case ATEMI_SHAPE_SPHERE:
        return ball;
    case ATEMI_SHAPE_CYLINDER:
        return pi * s.x * s.x * s.y;
    case ATEMI_SHAPE_CAPSULE:
        return pi * s.x * s.x * s.y + ball;
    case ATEMI_SHAPE_BOX:
    case ATEMI_SHAPE_MESH:
        break;
    }
    return s.x * s.y * s.z;
}

static atemi_vec3 read_size(atemi_scenario_reader *reader, int shape)
{
    double    size[3] = {0.1, 0.1, 0.1};
    const int count = atemi_scenario_numbers(
        reader, "size",
        (atemi_numbers_key){.each = {.unit = "m",
                                     .lower = 0.0,
                                     .upper = INFINITY,
                                     .open = true,
                                     .help =
                                         "side lengths of a box; radius of a sphere; radius and "
                                         "length of a cylinder, or of a capsule without caps"},
                            .least = 1,
                            .most = 3,
                            .fallback_count = 3},
        size);
    const bool given = atemi_scenario_is_given(reader, "size");
    if (given && count != shape_sizes[shape]) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader), "has %d numbers, and a %s has %d",
                            count, shape_words[shape], shape_sizes[shape]);
    }
    for (int i = shape_sizes[shape]; i < 3; ++i) {
        size[i] = 0.0;
    }
    return (atemi_vec3){size[0], size[1], size[2]};
}

static void read_solid(atemi_scenario_reader *reader, atemi_scene_body *body)
{
    const int shape = atemi_scenario_choice(
        reader, "shape",
        (atemi_choice_key){.words = shape_words, .help = "of the body, about its own z axis"});
    const atemi_vec3 size = read_size(reader, shape);
    const double     mass = atemi_scenario_number(
        reader, "mass",
        (atemi_number_key){.unit = "kg",
                               .fallback = atemi_scenario_is_blank(reader)
                                               ? 1.0
                                               : usual_density * volume_of(shapes[shape], size),
                               .lower = 0.0,
                               .upper = INFINITY,
                               .open = true,
                               .help = "of the body, which is solid; without it, that of water"});
    *body = atemi_scene_body_solid(body->name, mass, shapes[shape], size);
    if (atemi_scenario_boolean(reader, "fixed",
                               (atemi_boolean_key){.help = "it stands still, and is not free"})) {
        body->type = ATEMI_JOINT_FIXED;
    }
}

static double read_touch(atemi_scenario_reader *reader, const char *key, double most,
                         const char *help)
{
    return atemi_scenario_look(reader, key) == ATEMI_SCENARIO_ABSENT &&
                   !atemi_scenario_is_blank(reader)
               ? -1.0
               : atemi_scenario_number(reader, key,
                                       (atemi_number_key){.lower = 0.0,
                                                          .upper = most,
                                                          .reason = "more is glue, or makes energy",
                                                          .help = help});
}

static atemi_motion read_pose(atemi_scenario_reader *reader, atemi_scene_body *body)
{
    body->pose.position = atemi_scenario_vec3(
        reader, "position",
        (atemi_vec3_key){.unit = "m", .help = "of its middle, or of a robot's root link"});
    const atemi_vec3 rpy = atemi_scenario_vec3(
        reader, "rpy",
        (atemi_vec3_key){.unit = "rad", .help = "rotations about the fixed axes x, y, z"});
    body->pose.rotation = atemi_mat3_from_rpy(rpy.x, rpy.y, rpy.z);
    const atemi_vec3 linear = atemi_scenario_vec3(
        reader, "velocity", (atemi_vec3_key){.unit = "m/s", .help = "of the same, world axes"});
    const atemi_vec3 angular = atemi_scenario_vec3(
        reader, "angular_velocity", (atemi_vec3_key){.unit = "rad/s", .help = "world axes"});
    return (atemi_motion){atemi_mat3_apply_transposed(&body->pose.rotation, linear),
                          atemi_mat3_apply_transposed(&body->pose.rotation, angular)};
}

static void read_body(atemi_scenario_reader *reader, const char *file, body_list *list, int index,
                      atemi_scenario_bodies *bodies)
{
    atemi_scene_body *body = &list->bodies[index];
    body->name = atemi_scenario_string(
        reader, "name", (atemi_string_key){.required = true, .help = "of its link and joint"});
    const char *robot = atemi_scenario_string(
        reader, "robot",
        (atemi_string_key){.help = "a further robot in place of a shape, all joints at 0: its "
                                   "links are named NAME/LINK"});
    if (!robot || atemi_scenario_is_blank(reader)) {
        read_solid(reader, body);
    }
    if (robot && !atemi_scenario_is_blank(reader)) {
        atemi_urdf_options options = atemi_urdf_options_default();
        const char        *name = body->name;
        atemi_scenario_load_robot(reader, atemi_scenario_last(reader), file, robot, &options,
                                  &bodies->robots[index]);
        *body = (atemi_scene_body){.name = name, .robot = bodies->robots[index].model};
    }
    bodies->touches[index].link = body->name;
    bodies->touches[index].friction =
        read_touch(reader, "friction", 100.0, "of its shape; without it, that of shapes");
    bodies->touches[index].restitution =
        read_touch(reader, "restitution", 1.0, "of its shape; without it, that of shapes");
    list->velocities[index] = read_pose(reader, body);
}

// ---- The scene ------------------------------------------------------------------------------

// The robot's coordinates come first, then those of the bodies.
static double *extended(atemi_scenario_reader *reader, double *x, int count, int all)
{
    double *more = (double *)atemi_scenario_allocate(reader, sizeof *more, all);
    if (more && x) {
        memcpy(more, x, (size_t)count * sizeof *x);
    }
    atemi_release(x);
    return more;
}

static void set_velocities(const atemi_model *scene, const body_list *list, double *v)
{
    for (int i = 0; i < list->count; ++i) {
        const int          index = atemi_model_find_joint(scene, list->bodies[i].name);
        const atemi_joint *joint = atemi_model_joint(scene, index);
        const atemi_motion u = list->velocities[i];
        if (joint->v_count == 6) {
            const double all[] = {u.linear.x,  u.linear.y,  u.linear.z,
                                  u.angular.x, u.angular.y, u.angular.z};
            memcpy(v + joint->first_v, all, sizeof all);
        }
    }
}

static void start_all(atemi_scenario_reader *reader, const atemi_model *robot,
                      const atemi_model *scene, const body_list *list, atemi_scenario_start *start)
{
    const int nq = atemi_model_q_count(scene), nv = atemi_model_v_count(scene);
    double   *neutral = (double *)atemi_scenario_allocate(reader, sizeof *neutral, nq);
    double   *q = start->q;
    start->v = extended(reader, start->v, atemi_model_v_count(robot), nv);
    if (neutral && q && start->v) {
        atemi_configuration_neutral(scene, neutral);
        memcpy(neutral, q, (size_t)atemi_model_q_count(robot) * sizeof *q);
        set_velocities(scene, list, start->v);
    }
    atemi_release(q);
    start->q = neutral;
}

static void make_scene(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                       const body_list *list, atemi_scenario_robot *robot,
                       atemi_scenario_start *start)
{
    atemi_model *scene = NULL;
    atemi_error  error = {0};
    atemi_text   text = {0};
    if (atemi_scene_create(robot->model, list->bodies, list->count, &scene, &error)) {
        atemi_scenario_adopt(reader, mark, &error);
        return;
    }
    start_all(reader, robot->model, scene, list, start);
    atemi_urdf_write(scene, &text);
    atemi_model_destroy(robot->model);
    atemi_release(robot->urdf);
    robot->model = scene;
    robot->urdf = text.bytes;
    robot->urdf_size = text.size;
    if (text.failed) {
        atemi_scenario_fail(reader, mark, "no memory for the scene");
    }
}

static bool take(atemi_scenario_reader *reader, int count, body_list *list,
                 atemi_scenario_bodies *bodies)
{
    list->bodies = (atemi_scene_body *)atemi_scenario_allocate(reader, sizeof *list->bodies, count);
    list->velocities =
        (atemi_motion *)atemi_scenario_allocate(reader, sizeof *list->velocities, count);
    bodies->robots =
        (atemi_scenario_robot *)atemi_scenario_allocate(reader, sizeof *bodies->robots, count);
    bodies->touches = (atemi_scenario_body_touch *)atemi_scenario_allocate(
        reader, sizeof *bodies->touches, count);
    return list->bodies && list->velocities && bodies->robots && bodies->touches;
}

void atemi_scenario_read_bodies(atemi_scenario_reader *reader, const char *file,
                                atemi_scenario_robot *robot, atemi_scenario_start *start,
                                atemi_scenario_bodies *bodies)
{
    *bodies = (atemi_scenario_bodies){0};
    body_list list = {0};
    const int count = atemi_scenario_enter_list(
        reader, "bodies", 0, MAX_BODIES,
        "things around the robot, free or fixed, and further robots; contacts: shapes lets them "
        "touch");
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    const bool                taken = take(reader, count > 0 ? count : 1, &list, bodies);
    for (int i = 0; taken && atemi_scenario_next(reader); ++i) {
        read_body(reader, file, &list, i, bodies);
        list.count = bodies->count = i + 1;
    }
    if (count > 0 && robot->model && !atemi_scenario_failed(reader) && start->q && start->v) {
        make_scene(reader, mark, &list, robot, start);
    }
    atemi_release(list.bodies);
    atemi_release(list.velocities);
}

void atemi_scenario_bodies_destroy(atemi_scenario_bodies *bodies)
{
    for (int i = 0; i < bodies->count; ++i) {
        atemi_scenario_robot_destroy(&bodies->robots[i]);
    }
    atemi_release(bodies->robots);
    atemi_release(bodies->touches);
    *bodies = (atemi_scenario_bodies){0};
}
