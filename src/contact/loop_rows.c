// SPDX-License-Identifier: Apache-2.0

#include "contact/loop_rows.h"

#include <math.h>

// A loop joins the frames 1 and 2 of its links at the place p halfway between their origins. Its
// rows are those of
//
//   u_1(p) - u_2(p) = 0            three world axes
//   t.(omega_1 - omega_2) = 0      a hinge: both t across the axis z; a weld: three world axes
//
// with forces on link 1 and the opposite ones on link 2, at the same place: momentum and moment of
// momentum of both together stay. The t of a hinge move with link 1, and while it turns by
// s z = omega_1 - omega_2 its rows ask
//
//   t.(alpha_1 - alpha_2) = -s (omega_1 x t).z
//
// They are open by p_1 - p_2; by t.(z_2 x z_1), as an angle; or by the rotation that leads from
// frame 2 to frame 1.

static const atemi_vec3 world_axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

// The frames of a loop, in the world.
typedef struct pair {
    atemi_transform first, second;
} pair;

static atemi_transform frame_of(const atemi_model *model, const atemi_kinematics *k, int link,
                                const atemi_transform *on)
{
    if (link == ATEMI_NONE) {
        return *on;
    }
    const atemi_transform pose = atemi_link_pose_in(model, k, link);
    return atemi_transform_compose(&pose, on);
}

static pair pair_of(const atemi_model *model, const atemi_kinematics *k, const atemi_loop *loop)
{
    return (pair){frame_of(model, k, loop->first, &loop->on_first),
                  frame_of(model, k, loop->second, &loop->on_second)};
}

static atemi_vec3 middle_of(const pair *frames)
{
    return atemi_vec3_scale(0.5, atemi_vec3_add(frames->first.position, frames->second.position));
}

static int node_of(const atemi_model *model, int link)
{
    return link == ATEMI_NONE ? ATEMI_NONE : model->mountings[link].node;
}

int atemi_loop_rows_count(const atemi_loop *loops, int count)
{
    int rows = 0;
    for (int i = 0; i < count; ++i) {
        rows += atemi_loop_rows(loops[i].kind);
    }
    return rows;
}

// ---- Rows -----------------------------------------------------------------------------------

// How the links of a loop move at its place.
typedef struct meeting {
    int                first, second; // nodes
    atemi_vec3         place;
    atemi_place_motion of_first, of_second;
    atemi_motion       velocity, acceleration; // of the first relative to the second
} meeting;

static atemi_motion less(atemi_motion a, atemi_motion b)
{
    return (atemi_motion){atemi_vec3_sub(a.linear, b.linear), atemi_vec3_sub(a.angular, b.angular)};
}

static meeting meeting_of(const atemi_model *model, const atemi_kinematics *k, bool moving,
                          const atemi_loop *loop, const pair *frames)
{
    meeting m = {.first = node_of(model, loop->first),
                 .second = node_of(model, loop->second),
                 .place = atemi_vec3_sub(middle_of(frames), k->origin)};
    if (moving) {
        m.of_first = atemi_place_motion_of(model, k, m.first, m.place);
        m.of_second = atemi_place_motion_of(model, k, m.second, m.place);
        m.velocity = less(m.of_first.velocity, m.of_second.velocity);
        m.acceleration = less(m.of_first.acceleration, m.of_second.acceleration);
    }
    return m;
}

static atemi_contact_row make_row(const meeting *at, atemi_vec3 direction, bool angular)
{
    const atemi_vec3 v = angular ? at->velocity.angular : at->velocity.linear;
    const atemi_vec3 a = angular ? at->acceleration.angular : at->acceleration.linear;
    return (atemi_contact_row){.contact = ATEMI_NONE,
                               .node = at->first,
                               .other = at->second,
                               .rate = ATEMI_NONE,
                               .angular = angular,
                               .place = at->place,
                               .direction = direction,
                               .push = direction,
                               .velocity = atemi_vec3_dot(direction, v),
                               .target = -atemi_vec3_dot(direction, a)};
}

static int find_rows(const atemi_model *model, const atemi_kinematics *k, bool moving,
                     const atemi_loop *loop, atemi_contact_row *rows)
{
    const pair    frames = pair_of(model, k, loop);
    const meeting at = meeting_of(model, k, moving, loop, &frames);
    int           found = 0;
    for (; found < 3; ++found) {
        rows[found] = make_row(&at, world_axes[found], false);
    }
    for (int axis = 0; axis < 3 && loop->kind == ATEMI_LOOP_WELD; ++axis) {
        rows[found++] = make_row(&at, world_axes[axis], true);
    }
    const atemi_vec3 across[] = {frames.first.rotation.x, frames.first.rotation.y};
    for (int i = 0; i < 2 && loop->kind == ATEMI_LOOP_HINGE; ++i) {
        const atemi_vec3 z = frames.first.rotation.z, t = across[i];
        const atemi_vec3 moved = atemi_vec3_cross(at.of_first.velocity.angular, t);
        rows[found] = make_row(&at, t, true);
        rows[found++].target -= atemi_vec3_dot(at.velocity.angular, z) * atemi_vec3_dot(moved, z);
    }
    return found;
}

int atemi_loop_rows_find(const atemi_model *model, const atemi_kinematics *k, bool moving,
                         const atemi_loop *loops, int count, atemi_contact_row *rows)
{
    int found = 0;
    for (int i = 0; i < count; ++i) {
        found += find_rows(model, k, moving, &loops[i], rows + found);
    }
    return found;
}

// ---- Gaps -----------------------------------------------------------------------------------

// The rotation vector that takes the direction b to a.
static atemi_vec3 turn_between(atemi_vec3 a, atemi_vec3 b)
{
    const atemi_vec3 cross = atemi_vec3_cross(b, a);
    const double     sine = atemi_vec3_norm(cross);
    return sine > 0.0 ? atemi_vec3_scale(atan2(sine, atemi_vec3_dot(a, b)) / sine, cross) : cross;
}

// The rotation vector that leads from frame 2 to frame 1.
static atemi_vec3 rotation_between(const pair *frames)
{
    const atemi_mat3 back = atemi_mat3_transposed(&frames->second.rotation);
    const atemi_mat3 turn = atemi_mat3_multiply(&frames->first.rotation, &back);
    return atemi_quaternion_log(atemi_quaternion_from_matrix(&turn));
}

static void put(atemi_vec3 x, double *to)
{
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
}

static void find_gaps(const pair *frames, atemi_loop_kind kind, double *gaps)
{
    put(atemi_vec3_sub(frames->first.position, frames->second.position), gaps);
    if (kind == ATEMI_LOOP_WELD) {
        put(rotation_between(frames), gaps + 3);
    } else if (kind == ATEMI_LOOP_HINGE) {
        const atemi_vec3 turn = turn_between(frames->first.rotation.z, frames->second.rotation.z);
        gaps[3] = atemi_vec3_dot(frames->first.rotation.x, turn);
        gaps[4] = atemi_vec3_dot(frames->first.rotation.y, turn);
    }
}

void atemi_loop_gaps(const atemi_model *model, const atemi_kinematics *k, const atemi_loop *loops,
                     int count, double *gaps)
{
    for (int i = 0; i < count; ++i) {
        const pair frames = pair_of(model, k, &loops[i]);
        find_gaps(&frames, loops[i].kind, gaps);
        gaps += atemi_loop_rows(loops[i].kind);
    }
}

double atemi_loop_opening(const atemi_model *model, const atemi_kinematics *k,
                          const atemi_loop *loop)
{
    double     gaps[ATEMI_CONTACT_MAX_ROWS] = {0.0};
    const pair frames = pair_of(model, k, loop);
    find_gaps(&frames, loop->kind, gaps);
    return fmax(sqrt(gaps[0] * gaps[0] + gaps[1] * gaps[1] + gaps[2] * gaps[2]),
                sqrt(gaps[3] * gaps[3] + gaps[4] * gaps[4] + gaps[5] * gaps[5]));
}

// ---- Forces ---------------------------------------------------------------------------------

void atemi_loop_rows_collect(const atemi_contact_row *rows, const double *multipliers,
                             const atemi_loop *loops, int count, atemi_force *forces)
{
    for (int i = 0, r = 0; i < count; ++i) {
        atemi_force sum = {0};
        for (const int end = r + atemi_loop_rows(loops[i].kind); r < end; ++r) {
            const atemi_vec3 part = atemi_vec3_scale(multipliers[r], rows[r].push);
            atemi_vec3      *to = rows[r].angular ? &sum.angular : &sum.linear;
            *to = atemi_vec3_add(*to, part);
        }
        forces[i] = sum;
    }
}

static void add_force(const atemi_model *model, const atemi_kinematics *k, int link,
                      atemi_vec3 place, double sign, atemi_force force, atemi_force *external)
{
    if (link == ATEMI_NONE) {
        return;
    }
    const atemi_transform pose = atemi_link_pose_in(model, k, link);
    const atemi_vec3      arm = atemi_vec3_sub(pose.position, place);
    const atemi_force     moved = atemi_force_at(force, arm);
    external[link].linear =
        atemi_vec3_add(external[link].linear, atemi_vec3_scale(sign, moved.linear));
    external[link].angular =
        atemi_vec3_add(external[link].angular, atemi_vec3_scale(sign, moved.angular));
}

void atemi_loop_forces_add(const atemi_model *model, const atemi_kinematics *k,
                           const atemi_loop *loops, const atemi_force *forces, int count,
                           atemi_force *external)
{
    for (int i = 0; i < count; ++i) {
        const pair       frames = pair_of(model, k, &loops[i]);
        const atemi_vec3 place = middle_of(&frames);
        add_force(model, k, loops[i].first, place, 1.0, forces[i], external);
        add_force(model, k, loops[i].second, place, -1.0, forces[i], external);
    }
}
