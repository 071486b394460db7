// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/mode_rules.h"

#include <math.h>

// What follows when a condition breaks: one whose force would pull is let go; a patch whose centre
// of pressure reaches an edge keeps the ends of that edge; what cannot stick slips against its
// friction; what stops slipping sticks if it can. A joint that turns round is held, and one that is
// not held strongly enough moves. These rules look at one patch or joint at a time.

// ---- Lift-off -------------------------------------------------------------------------------

static int weakest_point(const atemi_simulation_contacts *set, int patch)
{
    int weakest = ATEMI_NONE;
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_is_held_in(set, i, patch) &&
            (weakest == ATEMI_NONE ||
             atemi_point_normal_force(set, i) < atemi_point_normal_force(set, weakest))) {
            weakest = i;
        }
    }
    return weakest;
}

static bool is_end_of_edge(const atemi_pressure *p, atemi_vec3 position)
{
    const int        edge = p->margin.edge, next = (edge + 1) % p->support.count;
    const atemi_vec3 a = atemi_vec3_sub(position, p->support.vertices[edge]);
    const atemi_vec3 b = atemi_vec3_sub(position, p->support.vertices[next]);
    return fmin(atemi_vec3_dot(a, a), atemi_vec3_dot(b, b)) < atemi_touching * atemi_touching;
}

static void lift_whole(atemi_simulation_contacts *set, int patch, const atemi_patch *sum)
{
    const atemi_pressure p = atemi_conditions_pressure(set, patch, sum);
    const bool           presses = p.total > set->no_force;
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_is_held_in(set, i, patch) &&
            (!presses || !is_end_of_edge(&p, set->states[i].position))) {
            atemi_point_open(set, i);
        }
    }
}

static void lift(atemi_simulation_contacts *set, int patch)
{
    const atemi_patch sum = atemi_patch_of(set, patch);
    const int         weakest = weakest_point(set, patch);
    if (set->points[weakest].tied) {
        set->signs[weakest] = -set->signs[weakest];
    } else if (sum.whole) {
        lift_whole(set, patch, &sum);
    } else {
        atemi_point_open(set, weakest);
    }
}

// ---- Sticking and slipping ------------------------------------------------------------------

static void begin_to_slip(atemi_simulation_contacts *set, int patch)
{
    const atemi_patch sum = atemi_patch_of(set, patch);
    atemi_conditions_slip(set, patch, &sum, set->slips);
    for (int i = 0; i < set->point_count; ++i) {
        const bool sticks = set->patches[i] == patch && set->modes[i] == ATEMI_CONTACT_STICK;
        if (sticks && (sum.sticking == 1 || atemi_vec3_dot(set->slips[i], set->slips[i]) > 0.0)) {
            set->modes[i] = ATEMI_CONTACT_SLIP;
            set->directions[i] = set->slips[i];
            set->signs[i] = set->points[i].tied && atemi_point_normal_force(set, i) < 0.0
                                ? -1.0
                                : set->signs[i];
        }
    }
}

// A point that has stopped sticks, and with it the others of its patch that stand: all of them, or
// the patch rotates about it. One that is fast goes round a corner.
static void stop(atemi_simulation_contacts *set, int point)
{
    if (atemi_point_slide_speed(set, point) >= atemi_standing) {
        atemi_point_follow(set, point);
        return;
    }
    for (int i = 0; i < set->point_count; ++i) {
        if (set->patches[i] == set->patches[point] && set->modes[i] == ATEMI_CONTACT_SLIP &&
            atemi_point_slide_speed(set, i) < atemi_standing) {
            atemi_point_stick(set, i);
        }
    }
}

// ---- Conditions -----------------------------------------------------------------------------

void atemi_mode_rules_apply(atemi_simulation_contacts *set, const atemi_condition *broken)
{
    switch (broken->kind) {
    case ATEMI_CONDITION_PRESSURE:
        lift(set, broken->patch);
        break;
    case ATEMI_CONDITION_FRICTION:
        begin_to_slip(set, broken->patch);
        break;
    case ATEMI_CONDITION_EDGE:
        atemi_point_go_round(set, broken->point);
        break;
    case ATEMI_CONDITION_SLIDE:
        stop(set, broken->point);
        break;
    case ATEMI_CONDITION_GAP: // of a soft surface; rigid ones collide
        set->modes[broken->point] = set->modes[broken->point] == ATEMI_CONTACT_SOFT
                                        ? ATEMI_CONTACT_OPEN
                                        : ATEMI_CONTACT_SOFT;
        break;
    case ATEMI_CONDITION_TURN:
        atemi_joint_hold_on(&set->joints, broken->joint);
        break;
    case ATEMI_CONDITION_HOLD:
        atemi_joint_give_way(&set->joints, broken->joint);
        break;
    case ATEMI_CONDITION_STOP: // a collision
    case ATEMI_CONDITION_NONE:
        break;
    }
}
