// SPDX-License-Identifier: Apache-2.0

#include "contact/pile_system.h"

#include "atemi/model_builder.h"
#include "check.h"
#include "contact/cone_problem.h"
#include "contact/cone_sweeps.h"
#include "dynamics/mass_rows.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 4, TOUCHES = 5, ROWS = 3 * TOUCHES };

// Free bodies that touch each other and the world at some places.
typedef struct stage {
    atemi_model           *model;
    atemi_arena            arena;
    double                *q, *v, *scratch;
    atemi_kinematics       kinematics;
    atemi_mass_factor      factor;
    atemi_constraint_space space;
    atemi_pile_system      pile;
    random_stream          random;
} stage;

static void take(stage *s, atemi_arena *arena)
{
    const int nv = atemi_model_v_count(s->model);
    s->q = atemi_arena_array(arena, double, atemi_model_q_count(s->model));
    s->v = atemi_arena_array(arena, double, nv);
    s->kinematics = atemi_kinematics_take(arena, s->model);
    s->factor = atemi_mass_factor_take(arena, s->model);
    s->space = atemi_constraint_space_take_rows(arena, s->model, TOUCHES, ROWS);
    s->pile = atemi_pile_system_take(arena, s->model, TOUCHES, 0);
    s->scratch = atemi_arena_array(arena, double, atemi_cone_problem_scratch_size(TOUCHES, 0, nv));
}

static void add_touches(stage *s)
{
    static const int pairs[TOUCHES][2] = {{1, ATEMI_NONE}, {2, 1}, {3, 2}, {3, 1}, {4, ATEMI_NONE}};
    s->space.row_count = 0;
    for (int i = 0; i < TOUCHES; ++i) {
        const atemi_touch_place place = {pairs[i][0],
                                         pairs[i][1],
                                         {random_uniform(&s->random, -0.2, 0.2),
                                          random_uniform(&s->random, -0.2, 0.2),
                                          random_uniform(&s->random, -0.2, 0.2)}};
        s->space.row_count +=
            atemi_touch_rows(s->model, &s->kinematics, &place, s->space.rows + s->space.row_count);
    }
}

static void set_up(stage *s, uint64_t seed)
{
    static const char *const names[BODIES] = {"a", "b", "c", "d"};
    atemi_scene_body         bodies[BODIES];
    atemi_contact_report     report;
    *s = (stage){.random = random_seeded(seed)};
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] =
            atemi_scene_body_solid(names[i], 1.0 + i, ATEMI_SHAPE_BOX, (atemi_vec3){0.2, 0.3, 0.4});
    }
    CHECK_STATUS(atemi_scene_create(NULL, bodies, BODIES, &s->model, NULL), ATEMI_OK);
    atemi_arena measuring = atemi_arena_measuring();
    take(s, &measuring);
    CHECK_STATUS(atemi_arena_create(&s->arena, measuring.used, NULL), ATEMI_OK);
    take(s, &s->arena);
    atemi_configuration_neutral(s->model, s->q);
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        s->v[i] = random_uniform(&s->random, -1.0, 1.0);
    }
    atemi_kinematics_update(s->model, s->q, s->v, NULL, &s->kinematics);
    atemi_mass_factor_at(s->model, &s->kinematics, &s->factor);
    add_touches(s);
    atemi_constraint_space_project(s->model, &s->kinematics, &s->factor, NULL, &s->space, &report);
    atemi_pile_system_fill(s->model, &s->factor, &s->space, TOUCHES, 0, &s->pile);
}

static void tear_down(stage *s)
{
    atemi_arena_destroy(&s->arena);
    atemi_model_destroy(s->model);
}

// A p, multiplied out.
static double multiplied(const stage *s, const double *p, int row)
{
    double sum = 0.0;
    for (int c = 0; c < ROWS; ++c) {
        sum += s->space.system[row * ROWS + c] * p[c];
    }
    return sum;
}

// To rounding: the entries of A are of size 100.
TEST(pile_system, is_the_matrix_that_is_multiplied_out)
{
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        stage  s;
        double p[ROWS], u[ROWS] = {0};
        set_up(&s, seed);
        for (int r = 0; r < ROWS; ++r) {
            p[r] = random_uniform(&s.random, -1.0, 1.0);
        }
        atemi_pile_system_press(&s.pile, atemi_model_v_count(s.model), p);
        for (int i = 0; i < TOUCHES; ++i) {
            atemi_pile_system_add(&s.pile, i, u + (ptrdiff_t)3 * i);
            for (int r = 0; r < 9; ++r) {
                const int row = 3 * i + r / 3, column = 3 * i + r % 3;
                CHECK_NEAR(s.pile.own[9 * i + r], s.space.system[row * ROWS + column], 1e-11);
            }
        }
        for (int r = 0; r < ROWS; ++r) {
            CHECK_NEAR(u[r], multiplied(&s, p, r), 1e-11);
        }
        tear_down(&s);
    }
}

// The motion after the impulses is unique along the normals without friction: that of Newton's
// method, to what both are solved to.
TEST(pile_system, is_solved_by_sweeps_as_by_newtons_method)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        stage      s;
        double     c[ROWS], swept[ROWS] = {0}, exact[ROWS] = {0};
        atemi_cone cones[TOUCHES];
        set_up(&s, seed);
        for (int i = 0; i < TOUCHES; ++i) {
            cones[i] = (atemi_cone){{0.0, 0.0, 1.0}, 0.0};
        }
        for (int r = 0; r < ROWS; ++r) {
            c[r] = s.space.rows[r].velocity;
        }
        const atemi_cone_problem problem = {.points = TOUCHES,
                                            .freedoms = atemi_model_v_count(s.model),
                                            .A = s.space.system,
                                            .c = c,
                                            .cones = cones,
                                            .tolerance = 1e-9,
                                            .enough = 1e-9,
                                            .rounds = 200};
        CHECK(atemi_cone_sweeps(&problem, &s.pile, 10000, swept) <= 1e-9);
        CHECK(atemi_cone_problem_solve(&problem, s.scratch, s.space.pivot, exact) <= 1e-8);
        for (int i = 0; i < TOUCHES; ++i) {
            const int r = 3 * i + 2;
            CHECK_NEAR(c[r] + multiplied(&s, swept, r), c[r] + multiplied(&s, exact, r), 1e-6);
        }
        tear_down(&s);
    }
}
