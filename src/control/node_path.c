// SPDX-License-Identifier: Apache-2.0

#include "control/node_path.h"

#include "atemi/math.h"

#include <math.h>
#include <stdbool.h>

// From rest the bounds of an axis are in proportion to its distance: then all axes have the same
// profile and the node goes along a straight line. A node that moves already gets a fraction of the
// bounds for each axis, and bends into its new path.
//
// The quaternion runs along the chord between two orientations that are 2 p apart, p <= pi/2. Its
// least distance from zero is h = cos(p/2), and a speed c along the chord is an angular velocity of
// at most 2 c / h.

static void write_axes(const atemi_transform *pose, double axes[PATH_AXES])
{
    const atemi_quaternion r = atemi_quaternion_from_matrix(&pose->rotation);
    const double all[] = {pose->position.x, pose->position.y, pose->position.z, r.x, r.y, r.z, r.w};
    for (int i = 0; i < PATH_AXES; ++i) {
        axes[i] = all[i];
    }
}

void atemi_node_path_rest(const atemi_transform *pose, guided_node *node)
{
    double axes[PATH_AXES];
    write_axes(pose, axes);
    for (int i = 0; i < PATH_AXES; ++i) {
        node->states[i] = (atemi_axis_state){.position = axes[i]};
    }
}

// q and -q are the same rotation: the end is the one that is nearer.
static void find_end(const guided_node *node, double end[PATH_AXES])
{
    double dot = 0.0;
    write_axes(&node->target.target, end);
    for (int i = 3; i < PATH_AXES; ++i) {
        dot += end[i] * node->states[i].position;
    }
    for (int i = 3; i < PATH_AXES; ++i) {
        end[i] = dot < 0.0 ? -end[i] : end[i];
    }
}

static double length_of(const guided_node *node, const double *end, int first, int last)
{
    double square = 0.0;
    for (int i = first; i < last; ++i) {
        const double offset = end[i] - node->states[i].position;
        square += offset * offset;
    }
    return sqrt(square);
}

static bool is_moving(const guided_node *node)
{
    for (int i = 0; i < PATH_AXES; ++i) {
        if (node->states[i].velocity != 0.0) {
            return true;
        }
    }
    return false;
}

// The part of the bounds that an axis gets. Axes that do not move need none: any will do.
static double fraction_of(double offset, double length, int axes, bool moving)
{
    const bool straight = !moving && offset != 0.0;
    return straight ? fabs(offset) / length : 1.0 / sqrt(axes);
}

void atemi_node_path_tasks(guided_node *node, const atemi_node_motion *motion,
                           atemi_trapezoid_task tasks[PATH_AXES])
{
    double end[PATH_AXES];
    find_end(node, end);
    const double line = length_of(node, end, 0, 3), chord = length_of(node, end, 3, PATH_AXES);
    const double height = sqrt(1.0 - 0.25 * fmin(chord * chord, 2.0));
    const bool   moving = is_moving(node);
    for (int i = 0; i < PATH_AXES; ++i) {
        const bool   rotates = i >= 3;
        const double offset = end[i] - node->states[i].position;
        const double fraction =
            fraction_of(offset, rotates ? chord : line, rotates ? 4 : 3, moving);
        const double scale = rotates ? 0.5 * height * fraction : fraction;
        tasks[i] = (atemi_trapezoid_task){
            node->states[i],
            {.position = end[i]},
            scale * (rotates ? motion->angular_velocity : motion->velocity),
            scale * (rotates ? motion->angular_acceleration : motion->acceleration)};
    }
}

void atemi_node_path_advance(guided_node *node, double time)
{
    for (int i = 0; i < PATH_AXES; ++i) {
        const atemi_trapezoid *path = &node->trajectories[i];
        node->states[i] = time < path->duration ? atemi_trapezoid_at(path, time) : path->end;
    }
}

// Force axes are those of the target.
atemi_transform atemi_node_path_pose(const guided_node *node)
{
    const atemi_axis_state *s = node->states;
    const double           *o = node->offset;
    const atemi_mat3       *axes = &node->target.target.rotation;
    const atemi_vec3        linear = atemi_mat3_apply(axes, (atemi_vec3){o[0], o[1], o[2]});
    const atemi_vec3        angular = atemi_mat3_apply(axes, (atemi_vec3){o[3], o[4], o[5]});
    const atemi_quaternion  along = {s[3].position, s[4].position, s[5].position, s[6].position};
    const atemi_quaternion  rotation = atemi_quaternion_multiply(atemi_quaternion_exp(angular),
                                                                 atemi_quaternion_normalized(along));
    const atemi_vec3        position = {s[0].position, s[1].position, s[2].position};
    return (atemi_transform){atemi_quaternion_matrix(rotation), atemi_vec3_add(position, linear)};
}
