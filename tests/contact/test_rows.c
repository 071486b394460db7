// SPDX-License-Identifier: Apache-2.0

#include "contact/rows.h"

#include "atemi/dynamics.h"
#include "atemi/model_builder.h"
#include "atemi/robots.h"
#include "check.h"
#include "contact/constraint_space.h"
#include "data.h"
#include "dynamics/mass_rows.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

// Two robots and a free block, somewhere in the world.
typedef struct stage {
    atemi_model           *model;
    atemi_arena            arena;
    double                *q, *v;
    atemi_kinematics       kinematics;
    atemi_mass_factor      factor;
    atemi_constraint_space space;
    random_stream          random;
} stage;

enum { TOUCHES = 4 };

static void take(stage *s, atemi_arena *arena)
{
    s->q = atemi_arena_array(arena, double, atemi_model_q_count(s->model));
    s->v = atemi_arena_array(arena, double, atemi_model_v_count(s->model));
    s->kinematics = atemi_kinematics_take(arena, s->model);
    s->factor = atemi_mass_factor_take(arena, s->model);
    s->space = atemi_constraint_space_take_rows(arena, s->model, TOUCHES, 3 * TOUCHES);
}

static void set_up(stage *s, uint64_t seed)
{
    const atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model             *robot = NULL;
    CHECK_STATUS(atemi_robots_load("hrp2_like", &options, &robot, NULL), ATEMI_OK);
    const atemi_scene_body bodies[] = {
        {.name = "twin", .pose = atemi_transform_identity(), .robot = robot},
        atemi_scene_body_solid("block", 3.0, ATEMI_SHAPE_BOX, (atemi_vec3){0.1, 0.2, 0.3})};
    *s = (stage){0};
    CHECK_STATUS(atemi_scene_create(robot, bodies, 2, &s->model, NULL), ATEMI_OK);
    atemi_model_destroy(robot);
    atemi_arena measuring = atemi_arena_measuring();
    take(s, &measuring);
    CHECK_STATUS(atemi_arena_create(&s->arena, measuring.used, NULL), ATEMI_OK);
    take(s, &s->arena);
    atemi_configuration_random(s->model, seed, s->q);
    s->random = random_seeded(seed);
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        s->v[i] = random_uniform(&s->random, -1.0, 1.0);
    }
    atemi_kinematics_update(s->model, s->q, s->v, NULL, &s->kinematics);
    atemi_mass_factor_at(s->model, &s->kinematics, &s->factor);
}

static void tear_down(stage *s)
{
    atemi_arena_destroy(&s->arena);
    atemi_model_destroy(s->model);
}

static int link_named(const stage *s, const char *name)
{
    const int link = atemi_model_find_link(s->model, name);
    CHECK(link != ATEMI_NONE);
    return link;
}

// Touches within a robot, between two robots, and of either with the block.
static void touch(stage *s, atemi_touch_place places[TOUCHES])
{
    const int links = atemi_model_link_count(s->model), half = (links - 2) / 2;
    const int pairs[TOUCHES][2] = {{half - 2, half / 2},
                                   {half - 1, links - 5},
                                   {link_named(s, "block"), half / 2},
                                   {links - 4, link_named(s, "block")}};
    for (int i = 0; i < TOUCHES; ++i) {
        places[i] = (atemi_touch_place){pairs[i][0],
                                        pairs[i][1],
                                        {random_uniform(&s->random, -1, 1),
                                         random_uniform(&s->random, -1, 1),
                                         random_uniform(&s->random, -1, 1)}};
    }
}

static void fill(stage *s, const atemi_touch_place places[TOUCHES])
{
    atemi_contact_report report;
    s->space.row_count = 0;
    for (int i = 0; i < TOUCHES; ++i) {
        s->space.row_count += atemi_touch_rows(s->model, &s->kinematics, &places[i],
                                               s->space.rows + s->space.row_count);
    }
    atemi_constraint_space_project(s->model, &s->kinematics, &s->factor, NULL, &s->space, &report);
}

// What the rows' multipliers do to v.
static void respond(stage *s, const double *multipliers, double *change)
{
    memcpy(s->space.target, multipliers, (size_t)s->space.row_count * sizeof *multipliers);
    atemi_constraint_space_respond(s->model, &s->space, &s->factor);
    memcpy(change, s->factor.work, (size_t)atemi_model_v_count(s->model) * sizeof *change);
}

static double velocity_of(const stage *s, const double *v, const atemi_touch_place *place, int axis)
{
    atemi_data *data = data_create(s->model);
    atemi_update_kinematics(data, s->q, v, NULL);
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        const int        link = i ? place->other : place->link;
        const atemi_vec3 arm =
            atemi_vec3_sub(place->position, atemi_link_pose(data, link).position);
        const atemi_vec3 u = atemi_motion_at(atemi_link_velocity(data, link), arm).linear;
        const double     of[] = {u.x, u.y, u.z};
        sum += i ? -of[axis] : of[axis];
    }
    atemi_data_destroy(data);
    return sum;
}

// Random impulses p at places between two links, and the change of velocities that they make.
static double *set_up_impulses(stage *s, uint64_t seed, atemi_touch_place *places, double *p)
{
    set_up(s, seed);
    touch(s, places);
    fill(s, places);
    double *change = (double *)calloc((size_t)atemi_model_v_count(s->model), sizeof *change);
    for (int r = 0; r < 3 * TOUCHES; ++r) {
        p[r] = random_uniform(&s->random, -1.0, 1.0);
    }
    respond(s, p, change);
    return change;
}

// A p, from the sparse factor along two branches, is the change of velocities that M^-1 J^T p
// makes; masses of 50 kg, velocities of size 1: 1e-11 is rounding.
TEST(rows, of_two_links_are_the_velocities_that_impulses_make)
{
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        stage             s;
        atemi_touch_place places[TOUCHES];
        double            p[3 * TOUCHES];
        double           *change = set_up_impulses(&s, seed, places, p);
        for (int r = 0; r < 3 * TOUCHES; ++r) {
            double sum = 0.0;
            for (int c = 0; c < 3 * TOUCHES; ++c) {
                sum += s.space.system[r * 3 * TOUCHES + c] * p[c];
            }
            CHECK_NEAR(sum, velocity_of(&s, change, &places[r / 3], r % 3), 1e-11);
            CHECK_NEAR(s.space.rows[r].velocity, velocity_of(&s, s.v, &places[r / 3], r % 3),
                       1e-12);
        }
        free(change);
        tear_down(&s);
    }
}

// Whatever impulses act between links, at the same place on both, momentum and moment of momentum
// of all together stay: to rounding, of impulses of 1 N s.
TEST(rows, of_two_links_conserve_momentum)
{
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        stage             s;
        atemi_touch_place places[TOUCHES];
        double            p[3 * TOUCHES];
        double           *change = set_up_impulses(&s, seed, places, p);
        atemi_data       *data = data_create(s.model);
        atemi_update_kinematics(data, s.q, change, NULL);
        const atemi_force gained = atemi_momentum(data);
        CHECK_NEAR(atemi_vec3_norm(gained.linear), 0.0, 1e-12);
        CHECK_NEAR(atemi_vec3_norm(gained.angular), 0.0, 1e-12);
        atemi_data_destroy(data);
        free(change);
        tear_down(&s);
    }
}
