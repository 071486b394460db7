// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"
#include "atemi/contact.h"
#include "atemi/dynamics.h"
#include "atemi/simulation.h"

#include "check.h"
#include "random_tree.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Robots with a joint that moves no mass, which every algorithm that needs the inverse of M must
// refuse by its name; and their neighbours, which move very little, and must be accepted.

static const atemi_vec3 y = {0.0, 1.0, 0.0}, slanted = {0.6, 0.0, 0.8};
static const atemi_vec3 ahead = {0.3, 0.1, -0.2}, here = {0.0, 0.0, 0.0};

static const atemi_inertia nothing = {0};
static const atemi_inertia solid = {
    .mass = 2.0, .com = {0.1, 0.05, 0.02}, .rotational = {0.02, 0.03, 0.04, 0.0, 0.0, 0.0}};

// An arm of two joints: a solid link, and behind it `last` on the joint 'wrist'.
static atemi_model *arm(atemi_joint_type type, atemi_vec3 axis, const atemi_inertia *last)
{
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "world", &nothing);
    tree_add_link(builder, "upper", &solid);
    tree_add_joint(builder, "shoulder", ATEMI_JOINT_REVOLUTE, "world", "upper", y, here);
    tree_add_link(builder, "hand", last);
    tree_add_joint(builder, "wrist", type, "upper", "hand", axis, ahead);
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

// A joint without a link of mass of its own, along the same axis as the next one: what one does the
// other can undo.
static atemi_model *coaxial(atemi_joint_type type)
{
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "world", &nothing);
    tree_add_link(builder, "ring", &nothing);
    tree_add_joint(builder, "wrist", type, "world", "ring", slanted, here);
    tree_add_link(builder, "hand", &solid);
    tree_add_joint(builder, "knob", type, "ring", "hand", slanted, here);
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

typedef struct room {
    atemi_arena        arena;
    atemi_data        *data;
    atemi_virtual_base base;
} room;

static void take(room *r, const atemi_model *model)
{
    r->data = atemi_data_take(&r->arena, model, &(atemi_data_options){.max_contacts = 1});
    r->base = atemi_virtual_base_take(&r->arena, model);
}

// What each algorithm answers at q.
typedef struct answers {
    atemi_status factor, forward, constrained, impulse, collision, base, heavy, simulation;
    atemi_error  named, struck, weighed, simulated;
} answers;

static void simulate(const atemi_model *model, const double *q, const double *v, answers *a)
{
    atemi_simulation *simulation = NULL;
    CHECK_STATUS(atemi_simulation_create(model, NULL, 0, NULL, 0, NULL, NULL, &simulation, NULL),
                 ATEMI_OK);
    a->simulation = atemi_simulation_start(simulation, 0.0, q, v, &a->simulated);
    atemi_simulation_destroy(simulation);
}

static answers ask(const atemi_model *model, const double *q)
{
    room r = {.arena = atemi_arena_measuring()};
    take(&r, model);
    CHECK_STATUS(atemi_arena_create(&r.arena, r.arena.used, NULL), ATEMI_OK);
    take(&r, model);
    answers              a = {0};
    const double         v[2] = {0.5, 0.7}, untouched = 7.0;
    double               result[2] = {untouched, untouched};
    atemi_force          force;
    atemi_vec3           push;
    const atemi_contact  contact = {.link = 2, .normal = {0.0, 0.0, 1.0}, .friction = 0.5};
    atemi_striking_point point = {
        .link = 1, .point = {0.5, 0.0, 0.1}, .direction = {0.0, 0.0, 1.0}};
    atemi_ground heavy = atemi_ground_default();
    heavy.grounding = ATEMI_GROUNDING_HEAVY;

    const atemi_contact_set none = {0}, one = {.contacts = &contact, .count = 1};
    atemi_update_kinematics(r.data, q, NULL, NULL);
    a.factor = atemi_update_factor(r.data, &a.named);
    a.forward = atemi_forward_dynamics(r.data, q, v, NULL, NULL, result);
    CHECK(!a.forward || (result[0] == untouched && result[1] == untouched));
    a.constrained = atemi_constrained_dynamics(r.data, q, v, NULL, NULL, &none, result, NULL, NULL);
    a.impulse = atemi_collision_in_modes(r.data, q, v, &one, result, &force, NULL);
    a.collision = atemi_collision(r.data, q, v, &one, result, &push, NULL);
    a.base = atemi_virtual_base_update(model, q, NULL, &point, &r.base, &a.struck);
    a.heavy = atemi_virtual_base_update(model, q, &heavy, &point, &r.base, &a.weighed);
    simulate(model, q, v, &a);
    atemi_arena_destroy(&r.arena);
    return a;
}

static const char cure[] =
    "joint 'wrist' moves no mass: give its link an inertia or a rotor inertia (armature)";

// Whatever the posture: rounding is no inertia.
static void check_refused(atemi_model *model)
{
    for (int i = 0; i < 8; ++i) {
        const double  q[2] = {0.37 * i, 0.91 * i};
        const answers a = ask(model, q);
        CHECK_STATUS(a.factor, ATEMI_ERROR_SINGULAR);
        CHECK_STATUS(a.forward, ATEMI_ERROR_SINGULAR);
        CHECK_STATUS(a.constrained, ATEMI_ERROR_SINGULAR);
        CHECK_STATUS(a.impulse, ATEMI_ERROR_SINGULAR);
        CHECK_STATUS(a.collision, ATEMI_ERROR_SINGULAR);
        CHECK_STATUS(a.base, ATEMI_ERROR_SINGULAR);
        CHECK_STATUS(a.heavy, ATEMI_ERROR_SINGULAR);
        CHECK_STATUS(a.simulation, ATEMI_ERROR_SINGULAR);
        CHECK_EQUAL_STRING(a.named.message, cure);
        CHECK_EQUAL_STRING(a.struck.message, cure);
        CHECK_EQUAL_STRING(a.weighed.message, cure);
        CHECK_EQUAL_STRING(a.simulated.message, cure);
    }
    atemi_model_destroy(model);
}

// (Joints with no mass at all behind them are refused as the model is built.)

// The mass is on the axis, 0.7 m along it; its moment about the axis is zero but for rounding.
TEST(massless, turning_about_an_axis_through_a_point_mass_is_refused_by_name)
{
    const atemi_inertia on_axis = {.mass = 3.0, .com = {0.42, 0.0, 0.56}};
    check_refused(arm(ATEMI_JOINT_REVOLUTE, slanted, &on_axis));
}

TEST(massless, rings_between_coaxial_joints_are_refused_by_name)
{
    check_refused(coaxial(ATEMI_JOINT_REVOLUTE));
}

TEST(massless, carriages_between_parallel_slides_are_refused_by_name)
{
    check_refused(coaxial(ATEMI_JOINT_PRISMATIC));
}

// A millionth of a millionth of the arm's inertia is enough.
TEST(massless, is_not_what_is_light)
{
    const atemi_inertia grain = {.mass = 1e-9, .rotational = {1e-14, 1e-14, 1e-14, 0.0, 0.0, 0.0}};
    const atemi_joint_type types[] = {ATEMI_JOINT_REVOLUTE, ATEMI_JOINT_PRISMATIC};
    for (int i = 0; i < 2; ++i) {
        const double  q[2] = {0.3, 0.4};
        atemi_model  *model = arm(types[i], slanted, &grain);
        const answers a = ask(model, q);
        CHECK_STATUS(a.factor, ATEMI_OK);
        CHECK_STATUS(a.forward, ATEMI_OK);
        CHECK_STATUS(a.constrained, ATEMI_OK);
        CHECK_STATUS(a.impulse, ATEMI_OK);
        CHECK_STATUS(a.collision, ATEMI_OK);
        CHECK_STATUS(a.base, ATEMI_OK);
        CHECK_STATUS(a.simulation, ATEMI_OK);
        atemi_model_destroy(model);
    }
}
