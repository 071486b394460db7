// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_obstacle.h"

#include "impact/striking_point.h"
#include "model/shape_capsule.h"

#include <math.h>

// With p the centre of a ball of radius r as the cube sees it, of half width h, and d = |p| - h
// along each axis, the distance is
//
//   |max(d, 0)| - r outside,   max(d_x, d_y, d_z) - r inside
//
// Balls lie along the axis of a shape, no farther apart than their radius. A link without shape, or
// with meshes only, has thin ones between its own joint and those of its children, or its centre of
// mass where it has none.

static const double thin = 0.02; // m
static const double rim = 0.1;   // of the target around two hands, m
enum { MAX_ALONG = 12 };         // balls along one axis

// ---- Balls

// Where they are put; without memory they are only counted.
typedef struct ball_list {
    strike_ball *balls;
    int          count;
} ball_list;

static void add_balls(ball_list *list, int link, atemi_vec3 from, atemi_vec3 to, double radius)
{
    const atemi_vec3 between = atemi_vec3_sub(to, from);
    const int steps = (int)fmin(ceil(atemi_vec3_norm(between) / fmax(radius, thin)), MAX_ALONG - 1);
    for (int i = 0; i <= steps; ++i) {
        const double part = steps > 0 ? (double)i / steps : 0.5;
        if (list->balls) {
            list->balls[list->count] =
                (strike_ball){.link = link,
                              .center = atemi_vec3_add(from, atemi_vec3_scale(part, between)),
                              .radius = radius};
        }
        ++list->count;
    }
}

static void add_shape(ball_list *list, const atemi_geometry *shape)
{
    if (shape->shape != ATEMI_SHAPE_MESH) {
        const shape_capsule c = shape_capsule_in(shape);
        add_balls(list, shape->link, c.from, c.to, c.radius);
    }
}

static void add_bones(ball_list *list, const atemi_model *model, int link)
{
    const atemi_vec3 origin = {0.0, 0.0, 0.0};
    bool             is_leaf = true;
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->parent_link == link) {
            add_balls(list, link, origin, joint->origin.position, thin);
            is_leaf = false;
        }
    }
    if (is_leaf) {
        add_balls(list, link, origin, atemi_model_link(model, link)->inertia.com, thin);
    }
}

static void add_link(ball_list *list, const atemi_model *model, int link)
{
    const int before = list->count;
    for (int i = 0; i < atemi_model_geometry_count(model); ++i) {
        const atemi_geometry *shape = atemi_model_geometry(model, i);
        if (shape->link == link && shape->collision) {
            add_shape(list, shape);
        }
    }
    if (list->count == before) {
        add_bones(list, model, link);
    }
}

// ---- Limbs

static int above(const atemi_model *model, int link)
{
    const int joint = atemi_model_link(model, link)->parent_joint;
    return joint == ATEMI_NONE ? ATEMI_NONE : atemi_model_joint(model, joint)->parent_link;
}

static bool is_above(const atemi_model *model, int upper, int link)
{
    while (link != ATEMI_NONE && link != upper) {
        link = above(model, link);
    }
    return link == upper;
}

// Whether a link moves with a hand: no joint between them moves.
static bool is_of_hand(const atemi_strike_task *task, int link)
{
    bool found = false;
    for (int k = 0; k < atemi_striking_point_hands(&task->point); ++k) {
        const int hand = atemi_striking_point_hand(&task->point, k).link;
        found = found || is_above(task->model, hand, link);
    }
    return found;
}

// Whether it is between a hand and the trunk, which is where limbs to other ends begin.
static bool is_of_striking_limb(const atemi_strike_task *task, int link)
{
    const atemi_model *model = task->model;
    bool               found = false;
    for (int k = 0; k < atemi_striking_point_hands(&task->point); ++k) {
        int at = atemi_striking_point_hand(&task->point, k).link;
        int branches = 0;
        while (at != ATEMI_NONE && branches < 2) {
            found = found || at == link;
            at = above(model, at);
            branches = 0;
            for (int j = 0; at != ATEMI_NONE && j < atemi_model_joint_count(model); ++j) {
                const atemi_joint *joint = atemi_model_joint(model, j);
                branches += joint->parent_link == at && joint->v_count > 0;
            }
        }
    }
    return found;
}

static void add_all(ball_list *list, const atemi_strike_task *task)
{
    for (int i = 0; i < atemi_model_link_count(task->model); ++i) {
        if (!is_of_hand(task, i)) {
            add_link(list, task->model, i);
        }
    }
}

int strike_balls_count(const atemi_strike_task *task)
{
    ball_list list = {0};
    if (task->target_width > 0.0 && isfinite(task->clearance)) {
        add_all(&list, task);
    }
    return list.count;
}

void strike_balls_fill(strike_balls *balls, const atemi_strike_task *task)
{
    ball_list list = {.balls = balls->list};
    if (balls->count > 0) {
        add_all(&list, task);
    }
    for (int i = 0; i < balls->count; ++i) {
        balls->list[i].strikes = is_of_striking_limb(task, balls->list[i].link);
    }
}

// ---- The cube

double atemi_strike_target_width(const atemi_strike_task *task, double span)
{
    return fmax(task->target_width, span > 0.0 ? span + 2.0 * rim : 0.0);
}

strike_cube strike_cube_find(const atemi_strike_task *task, const atemi_kinematics *kinematics)
{
    const int        last = atemi_striking_point_hands(&task->point) - 1;
    const atemi_vec3 first =
        atemi_striking_point_place_in(task->model, kinematics, &task->point, 0);
    const atemi_vec3 second =
        atemi_striking_point_place_in(task->model, kinematics, &task->point, last);
    const atemi_vec3 face = atemi_vec3_scale(0.5, atemi_vec3_add(first, second));
    const atemi_vec3 n = task->point.direction;
    const atemi_vec3 upright =
        fabs(n.z) < 0.9 ? (atemi_vec3){0.0, 0.0, 1.0} : (atemi_vec3){1.0, 0.0, 0.0};
    const atemi_vec3 left = atemi_vec3_cross(upright, n);
    strike_cube      cube = {.ahead = n};
    cube.half =
        0.5 * atemi_strike_target_width(task, atemi_vec3_norm(atemi_vec3_sub(second, first)));
    cube.left = atemi_vec3_scale(1.0 / atemi_vec3_norm(left), left);
    cube.up = atemi_vec3_cross(n, cube.left);
    cube.center = atemi_vec3_add(face, atemi_vec3_scale(cube.half, n));
    return cube;
}

// (fmax would be a call.)
static double larger(double a, double b)
{
    return a > b ? a : b;
}

double strike_cube_distance(const strike_cube *cube, const strike_ball *ball,
                            const atemi_transform *pose)
{
    const atemi_vec3 p = atemi_vec3_sub(atemi_transform_apply(pose, ball->center), cube->center);
    const double     x = fabs(atemi_vec3_dot(p, cube->ahead)) - cube->half;
    const double     y = fabs(atemi_vec3_dot(p, cube->left)) - cube->half;
    const double     z = fabs(atemi_vec3_dot(p, cube->up)) - cube->half;
    const double     inside = larger(x, larger(y, z));
    const atemi_vec3 out = {larger(x, 0.0), larger(y, 0.0), larger(z, 0.0)};
    return (inside > 0.0 ? atemi_vec3_norm(out) : inside) - ball->radius;
}

// Outside, from the nearest place of the cube; inside, out of the nearest side.
atemi_vec3 strike_cube_away(const strike_cube *cube, atemi_vec3 point)
{
    const atemi_vec3 p = atemi_vec3_sub(point, cube->center);
    const atemi_vec3 axes[] = {cube->ahead, cube->left, cube->up};
    double           out[3], norm = 0.0;
    int              nearest = 0;
    atemi_vec3       sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        out[i] = fabs(atemi_vec3_dot(p, axes[i])) - cube->half;
        nearest = out[i] > out[nearest] ? i : nearest;
        norm = hypot(norm, fmax(out[i], 0.0));
    }
    for (int i = 0; i < 3; ++i) {
        const double part = norm > 0.0 ? fmax(out[i], 0.0) / norm : (double)(i == nearest);
        sum = atemi_vec3_add(sum,
                             atemi_vec3_scale(copysign(part, atemi_vec3_dot(p, axes[i])), axes[i]));
    }
    return sum;
}
