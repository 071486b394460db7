// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/touch_set.h"

#include "atemi/model_builder.h"
#include "atemi/robots.h"
#include "check.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A touch set of a model, and what it looks from.
typedef struct stage {
    atemi_model      *model;
    atemi_touch_shape list[256];
    atemi_arena       arena;
    double           *q, *v;
    atemi_kinematics  kinematics;
    atemi_touch_set   set;
} stage;

static void take(stage *s, atemi_arena *arena, const atemi_simulation_shapes *shapes)
{
    s->q = atemi_arena_array(arena, double, atemi_model_q_count(s->model));
    s->v = atemi_arena_array(arena, double, atemi_model_v_count(s->model));
    s->kinematics = atemi_kinematics_take(arena, s->model);
    s->set = atemi_touch_set_take(arena, shapes, 0);
}

static void set_up(stage *s, atemi_model *model, const atemi_link_pair *excluded, int count)
{
    s->model = model;
    const atemi_simulation_shapes shapes = {.shapes = s->list,
                                            .count =
                                                atemi_touch_shapes_of(model, 0.5, 0.0, s->list),
                                            .each_other = true,
                                            .excluded = excluded,
                                            .excluded_count = count};
    atemi_arena                   measuring = atemi_arena_measuring();
    take(s, &measuring, &shapes);
    CHECK_STATUS(atemi_arena_create(&s->arena, measuring.used, NULL), ATEMI_OK);
    take(s, &s->arena, &shapes);
    const atemi_closed_loops none = {0};
    atemi_broad_phase_fill(&s->set.broad, &shapes, &none, model, &s->kinematics, s->q);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        s->v[i] = 0.0;
    }
}

static void tear_down(stage *s)
{
    atemi_arena_destroy(&s->arena);
    atemi_model_destroy(s->model);
}

static void find(stage *s)
{
    atemi_kinematics_update(s->model, s->q, s->v, NULL, &s->kinematics);
    atemi_touch_set_find(&s->set, s->model, &s->kinematics, NULL, 1e-3);
}

static atemi_model *balls(int count)
{
    static char      names[64][8];
    atemi_scene_body bodies[64];
    atemi_model     *model = NULL;
    for (int i = 0; i < count; ++i) {
        names[i][0] = 'b';
        names[i][1] = (char)('a' + i / 8);
        names[i][2] = (char)('a' + i % 8);
        bodies[i] =
            atemi_scene_body_solid(names[i], 1.0, ATEMI_SHAPE_SPHERE, (atemi_vec3){0.1, 0, 0});
    }
    CHECK_STATUS(atemi_scene_create(NULL, bodies, count, &model, NULL), ATEMI_OK);
    return model;
}

#define LINK(name)                                                                                 \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "           \
    "ixy='0' ixz='0' iyz='0'/>"                                                                    \
    "</inertial><collision><geometry><sphere radius='0.2'/></geometry></collision></link>"
#define JOINT(name, parent, child)                                                                 \
    "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child "'/>"  \
    "<origin xyz='0.5 0 0'/><axis xyz='0 1 0'/><limit lower='-3' upper='3' effort='9' "            \
    "velocity='9'/></joint>"
#define APART "<atemi:apart first='d' second='a'/>"

// Sweep and prune finds the pairs that all pairs show, in the order of the shapes.
TEST(touch_set, finds_every_pair)
{
    enum { COUNT = 60 };
    static stage  s;
    random_stream random = random_seeded(5);
    set_up(&s, balls(COUNT), NULL, 0);
    for (int k = 0; k < 20; ++k) {
        int expected = 0, found = 0;
        for (int i = 0; i < COUNT; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                s.q[7 * i + axis] = random_uniform(&random, -0.5, 0.5);
            }
        }
        find(&s);
        for (int i = 0; i < COUNT; ++i) {
            for (int j = i + 1; j < COUNT; ++j) {
                const atemi_vec3 between = {s.q[7 * i] - s.q[7 * j],
                                            s.q[7 * i + 1] - s.q[7 * j + 1],
                                            s.q[7 * i + 2] - s.q[7 * j + 2]};
                if (atemi_vec3_norm(between) < 0.2) {
                    ++expected;
                    while (found < s.set.touch_count && s.set.touches[found].at.gap >= 0.0) {
                        ++found;
                    }
                    CHECK(found < s.set.touch_count);
                    CHECK_EQUAL_INT(s.set.touches[found].first, i);
                    CHECK_EQUAL_INT(s.set.touches[found].second, j);
                    CHECK_NEAR(s.set.touches[found].at.gap, atemi_vec3_norm(between) - 0.2, 1e-12);
                    ++found;
                }
            }
        }
        CHECK(expected > 20);
    }
    tear_down(&s);
}

// With all joints at zero a robot does not touch itself, and pairs that are excluded never do.
TEST(touch_set, leaves_out_what_overlaps_at_neutral_and_what_is_excluded)
{
    static stage             s;
    const atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model             *robot = NULL;
    CHECK_STATUS(atemi_robots_load("hrp2_like", &options, &robot, NULL), ATEMI_OK);
    set_up(&s, robot, NULL, 0);
    CHECK(s.set.broad.count > 10);
    find(&s);
    for (int i = 0; i < s.set.touch_count; ++i) {
        CHECK(s.set.touches[i].at.gap >= 0.0);
    }
    tear_down(&s);
    const atemi_link_pair pair = {2, 1};
    set_up(&s, balls(3), &pair, 1);
    s.q[7] = 0.1;
    s.q[14] = 0.15;
    find(&s);
    CHECK_EQUAL_INT(s.set.touch_count, 2);
    CHECK(s.set.touches[0].first == 0 && s.set.touches[0].second == 2);
    CHECK(s.set.touches[1].first == 1 && s.set.touches[1].second == 2);
    tear_down(&s);
}

// As what the caller excludes: here by the robot's own description.
TEST(touch_set, leaves_out_what_the_robot_keeps_apart)
{
    static const char robot[] = "<robot name='r'>" LINK("a") LINK("b") LINK("c") LINK("d")
        JOINT("1", "a", "b") JOINT("2", "b", "c") JOINT("3", "c", "d") APART "</robot>";
    static stage       s;
    atemi_urdf_options options = atemi_urdf_options_default();
    for (int apart = 0; apart < 2; ++apart) {
        atemi_model *model = NULL;
        const size_t cut = apart ? 0 : sizeof APART - 1;
        char         text[sizeof robot];
        snprintf(text, sizeof text, "%.*s</robot>", (int)(sizeof robot - sizeof "</robot>" - cut),
                 robot);
        CHECK_STATUS(atemi_urdf_parse(text, strlen(text), NULL, &options, &model, NULL), ATEMI_OK);
        set_up(&s, model, NULL, 0);
        s.q[7] = s.q[8] = 2.0; // nearly a triangle: the last ball meets the first one
        find(&s);
        bool found = false;
        for (int i = 0; i < s.set.touch_count; ++i) {
            found = found || (s.set.touches[i].first == 0 && s.set.touches[i].second == 3);
        }
        CHECK(found == !apart);
        tear_down(&s);
    }
}

// What stands beside a fixed robot is no part of it, though both are fixed to the world: it touches
// the robot's links wherever they are at neutral, the first one that moves as well.
TEST(touch_set, a_fixed_body_touches_a_fixed_robot)
{
    static const char robot[] = "<robot name='r'>" LINK("a") LINK("b") LINK("c")
        JOINT("1", "a", "b") JOINT("2", "b", "c") "</robot>";
    static stage       s;
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *arm = NULL, *scene = NULL;
    atemi_scene_body   body =
        atemi_scene_body_solid("body", 1.0, ATEMI_SHAPE_SPHERE, (atemi_vec3){0.4, 0, 0});
    options.model.base = ATEMI_BASE_FIXED;
    body.type = ATEMI_JOINT_FIXED;
    body.pose.position.x = 0.75;
    CHECK_STATUS(atemi_urdf_parse(robot, strlen(robot), NULL, &options, &arm, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_scene_create(arm, &body, 1, &scene, NULL), ATEMI_OK);
    atemi_model_destroy(arm);
    set_up(&s, scene, NULL, 0);
    find(&s);
    CHECK_EQUAL_INT(s.set.touch_count, 2);
    for (int i = 0; i < 2; ++i) {
        CHECK_EQUAL_INT(s.set.touches[i].first, i + 1);
        CHECK_EQUAL_INT(s.set.touches[i].second, 3);
        CHECK_NEAR(s.set.touches[i].at.gap, -0.35, 1e-12);
    }
    tear_down(&s);
}

// What a place was is what the nearest place of the same pair is.
TEST(touch_set, keeps_modes_and_forces_from_state_to_state)
{
    static stage s;
    set_up(&s, balls(2), NULL, 0);
    s.q[7] = 0.19;
    find(&s);
    CHECK_EQUAL_INT(s.set.touch_count, 1);
    s.set.touches[0].mode = ATEMI_CONTACT_SLIP;
    s.set.touches[0].force = (atemi_vec3){1.0, 2.0, 3.0};
    s.q[7] = 0.191;
    find(&s);
    CHECK_EQUAL_INT(s.set.touches[0].mode, ATEMI_CONTACT_SLIP);
    CHECK_NEAR(s.set.touches[0].force.z, 3.0, 0.0);
    tear_down(&s);
}
