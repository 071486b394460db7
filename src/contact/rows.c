// SPDX-License-Identifier: Apache-2.0

#include "contact/rows.h"

#include "atemi/base.h"

#include <string.h>

// A point p of a link moves with u = v + omega x p and, with all joint accelerations zero,
// accelerates with
//
//   a + alpha x p + omega x u
//
// where the accelerations of inverse dynamics are relative to free fall, so that gravity has to be
// added. A row asks  direction . (J a + that) = what the mode asks.

// Slower than this, in m/s, a point has no direction of sliding of its own.
static const double slowest_slide = 1e-10;

// Where a surface is carried by a link, all this is of the point relative to that link's material
// at the same place: u_a - u_b, and the accelerations likewise.

// The point of a contact and how it moves.
typedef struct touch {
    int          node, other;
    atemi_vec3   place;
    atemi_motion velocity;
    atemi_motion acceleration;
    double       approach;
} touch;

static atemi_motion node_motion(const lanes3 *linear, const lanes3 *angular, int lane)
{
    return (atemi_motion){atemi_lane3(linear, lane), atemi_lane3(angular, lane)};
}

atemi_place_motion atemi_place_motion_of(const atemi_model *model, const atemi_kinematics *k,
                                         int node, atemi_vec3 place)
{
    atemi_place_motion at = {0};
    if (node == ATEMI_NONE) {
        return at;
    }
    const atemi_kinematics_block *block = &k->blocks[atemi_block(node)];
    const int                     lane = atemi_lane(node);
    const atemi_motion            v = node_motion(&block->linear, &block->angular, lane);
    const atemi_motion            a =
        node_motion(&block->acceleration_linear, &block->acceleration_angular, lane);
    at.velocity = atemi_motion_at(v, place);
    at.acceleration = atemi_motion_at(a, place);
    at.acceleration.linear = atemi_vec3_add(atemi_vec3_add(at.acceleration.linear, model->gravity),
                                            atemi_vec3_cross(v.angular, at.velocity.linear));
    return at;
}

static bool is_link(const atemi_model *model, int link)
{
    return link >= 0 && link < model->link_count;
}

static void subtract(atemi_motion of, atemi_motion *from)
{
    from->linear = atemi_vec3_sub(from->linear, of.linear);
    from->angular = atemi_vec3_sub(from->angular, of.angular);
}

static touch touch_of(const atemi_model *model, const atemi_kinematics *k, bool moving,
                      const atemi_contact *contact)
{
    touch at = {.node = ATEMI_NONE, .other = ATEMI_NONE};
    ATEMI_REQUIRE_OR(is_link(model, contact->link), at);
    ATEMI_REQUIRE_OR(!contact->carried || is_link(model, contact->other), at);
    at.node = model->mountings[contact->link].node;
    at.other = contact->carried ? model->mountings[contact->other].node : ATEMI_NONE;
    at.place = atemi_point_place(model, k, contact->link, contact->point);
    if ((at.node == ATEMI_NONE && at.other == ATEMI_NONE) || !moving) {
        return at;
    }
    const atemi_place_motion moves = atemi_place_motion_of(model, k, at.node, at.place);
    at.velocity = moves.velocity;
    at.acceleration = moves.acceleration;
    if (at.other != ATEMI_NONE) {
        const atemi_place_motion other = atemi_place_motion_of(model, k, at.other, at.place);
        subtract(other.velocity, &at.velocity);
        subtract(other.acceleration, &at.acceleration);
    }
    at.approach = -atemi_vec3_dot(contact->normal, at.velocity.linear);
    return at;
}

static atemi_contact_row make_row(const touch *at, int contact, atemi_vec3 direction, bool angular)
{
    const atemi_vec3 v = angular ? at->velocity.angular : at->velocity.linear;
    const atemi_vec3 a = angular ? at->acceleration.angular : at->acceleration.linear;
    return (atemi_contact_row){.contact = contact,
                               .node = at->node,
                               .other = at->other,
                               .rate = ATEMI_NONE,
                               .angular = angular,
                               .place = at->place,
                               .direction = direction,
                               .push = direction,
                               .velocity = atemi_vec3_dot(direction, v),
                               .approach = at->approach,
                               .target = -atemi_vec3_dot(direction, a)};
}

static const atemi_vec3 world_axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static int add_world_rows(const touch *at, int index, bool angular, const atemi_contact *contact,
                          atemi_contact_row *rows)
{
    const atemi_vec3 preferred = angular ? contact->preferred.angular : contact->preferred.linear;
    for (int axis = 0; axis < 3; ++axis) {
        rows[axis] = make_row(at, index, world_axes[axis], angular);
        rows[axis].preferred = atemi_vec3_dot(world_axes[axis], preferred);
    }
    return 3;
}

static int add_stick_rows(const touch *at, int index, const atemi_contact *contact,
                          atemi_contact_row *rows)
{
    const int count = add_world_rows(at, index, false, contact, rows);
    for (int axis = 0; axis < count; ++axis) {
        rows[axis].target += atemi_vec3_dot(world_axes[axis], contact->acceleration);
    }
    return count;
}

// Where the point slides, unit length; zero if nowhere. A direction that the contact has is kept
// until the point really moves along another one: friction does not turn round at zero speed.
static atemi_vec3 slide_direction(const touch *at, const atemi_contact *contact)
{
    const atemi_vec3 n = contact->normal, v = at->velocity.linear, had = contact->direction;
    const atemi_vec3 along = atemi_vec3_sub(v, atemi_vec3_scale(atemi_vec3_dot(n, v), n));
    const double     speed = atemi_vec3_norm(along);
    const bool       turned = atemi_vec3_dot(had, had) > 0.0 && atemi_vec3_dot(along, had) <= 0.0;
    return speed > slowest_slide && !turned && !contact->directed
               ? atemi_vec3_scale(1.0 / speed, along)
               : had;
}

static int add_slip_row(const touch *at, int index, const atemi_contact *contact,
                        atemi_contact_row *row)
{
    *row = make_row(at, index, contact->normal, false);
    row->target += contact->normal_acceleration;
    row->preferred = atemi_vec3_dot(contact->normal, contact->preferred.linear);
    row->tied = contact->friction != 0.0;
    row->push = atemi_vec3_sub(contact->normal,
                               atemi_vec3_scale(contact->friction, slide_direction(at, contact)));
    return 1;
}

int atemi_contact_rows_find(const atemi_model *model, const atemi_kinematics *k, bool moving,
                            const atemi_contact *contacts, int count, atemi_contact_row *rows)
{
    int found = 0;
    for (int i = 0; i < count; ++i) {
        const touch at = touch_of(model, k, moving, &contacts[i]);
        switch (contacts[i].mode) {
        case ATEMI_CONTACT_OPEN:
        case ATEMI_CONTACT_SOFT:
            break;
        case ATEMI_CONTACT_STICK:
            found += add_stick_rows(&at, i, &contacts[i], rows + found);
            break;
        case ATEMI_CONTACT_SLIP:
            found += add_slip_row(&at, i, &contacts[i], rows + found);
            break;
        case ATEMI_CONTACT_SURFACE:
            found += add_world_rows(&at, i, false, &contacts[i], rows + found);
            found += add_world_rows(&at, i, true, &contacts[i], rows + found);
            break;
        }
    }
    return found;
}

bool atemi_contacts_are_of_world(const atemi_contact *contacts, int count)
{
    for (int i = 0; i < count; ++i) {
        if (contacts[i].carried) {
            return false;
        }
    }
    return true;
}

atemi_contact_row atemi_joint_row(int rate, double velocity)
{
    return (atemi_contact_row){.contact = ATEMI_NONE,
                               .node = ATEMI_NONE,
                               .other = ATEMI_NONE,
                               .rate = rate,
                               .velocity = velocity};
}

// The velocity of a node's material at a place; zero of the world.
static atemi_vec3 velocity_at(const atemi_kinematics *k, int node, atemi_vec3 place)
{
    if (node == ATEMI_NONE) {
        return (atemi_vec3){0.0, 0.0, 0.0};
    }
    const atemi_kinematics_block *block = &k->blocks[atemi_block(node)];
    const atemi_motion v = node_motion(&block->linear, &block->angular, atemi_lane(node));
    return atemi_motion_at(v, place).linear;
}

static int node_of(const atemi_model *model, int link)
{
    return link == ATEMI_NONE ? ATEMI_NONE : model->mountings[link].node;
}

atemi_vec3 atemi_touch_velocity(const atemi_model *model, const atemi_kinematics *k,
                                const atemi_touch_place *at)
{
    const atemi_vec3 place = atemi_vec3_sub(at->position, k->origin);
    return atemi_vec3_sub(velocity_at(k, node_of(model, at->link), place),
                          velocity_at(k, node_of(model, at->other), place));
}

int atemi_touch_rows(const atemi_model *model, const atemi_kinematics *k,
                     const atemi_touch_place *at, atemi_contact_row *rows)
{
    const atemi_vec3 velocity = atemi_touch_velocity(model, k, at);
    for (int axis = 0; axis < 3; ++axis) {
        rows[axis] = (atemi_contact_row){.contact = ATEMI_NONE,
                                         .node = node_of(model, at->link),
                                         .other = node_of(model, at->other),
                                         .rate = ATEMI_NONE,
                                         .place = atemi_vec3_sub(at->position, k->origin),
                                         .direction = world_axes[axis],
                                         .push = world_axes[axis],
                                         .velocity = atemi_vec3_dot(world_axes[axis], velocity)};
    }
    return 3;
}

int atemi_joint_rows_find(const atemi_joint_hold *holds, int count, const double *v,
                          atemi_contact_row *rows)
{
    for (int i = 0; i < count; ++i) {
        rows[i] = atemi_joint_row(holds[i].rate, v ? v[holds[i].rate] : 0.0);
    }
    return count;
}

atemi_vec3 atemi_contact_row_outer_push(const atemi_contact_row *row)
{
    const double sign = (row->other == ATEMI_NONE) - (double)(row->node == ATEMI_NONE);
    return atemi_vec3_scale(row->angular || row->rate != ATEMI_NONE ? 0.0 : sign, row->push);
}

void atemi_contact_rows_collect(const atemi_contact_row *rows, int row_count,
                                const double *multipliers, int count, atemi_force *forces)
{
    memset(forces, 0, (size_t)count * sizeof *forces);
    for (int r = 0; r < row_count && rows[r].contact != ATEMI_NONE; ++r) {
        const atemi_vec3 part = atemi_vec3_scale(multipliers[r], rows[r].push);
        atemi_force     *force = &forces[rows[r].contact];
        if (rows[r].angular) {
            force->angular = atemi_vec3_add(force->angular, part);
        } else {
            force->linear = atemi_vec3_add(force->linear, part);
        }
    }
}
