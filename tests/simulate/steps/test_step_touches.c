// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/step_touches.h"

#include "allocations.h"
#include "bits.h"
#include "check.h"
#include "pile.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81, pi = 3.14159265358979324;

// To this the impulses of a collision are solved, relative to speeds of some m/s.
static const double solved = 1e-7;

static atemi_scene_body ball(const char *name, double mass, double radius, double x, double y,
                             double z)
{
    return pile_body(name, mass, ATEMI_SHAPE_SPHERE, (atemi_vec3){radius, 0, 0},
                     (atemi_vec3){x, y, z});
}

static atemi_scene_body box(const char *name, double mass, atemi_vec3 size, double x, double y,
                            double z)
{
    return pile_body(name, mass, ATEMI_SHAPE_BOX, size, (atemi_vec3){x, y, z});
}

// ---- Balls

// Columns of elastic balls that fall, as of the SimBenchmark study, collide many at once, and keep
// their energy: what rounding adds to it is no reason to slow all of them (that took 5 %). The
// solver leaves 1e-6 of speeds, of either sign, in a dozen bounces.
TEST(step_touches, of_columns_of_elastic_balls_keep_the_energy)
{
    enum { WIDE = 4, HIGH = 4, COUNT = WIDE * WIDE * HIGH };
    static char        names[COUNT][8];
    atemi_scene_body   bodies[COUNT];
    const pile_setting setting = {.restitution = 1.0, .step = 4e-3};
    random_stream      random = random_seeded(3);
    pile               p;
    for (int i = 0; i < COUNT; ++i) {
        const double x = 1.05 * (i % WIDE) + random_uniform(&random, -0.01, 0.01);
        const double y = 1.05 * (i / WIDE % WIDE) + random_uniform(&random, -0.01, 0.01);
        const int    level = i / (WIDE * WIDE);
        snprintf(names[i], sizeof names[i], "b%d", i);
        bodies[i] = ball(names[i], 10.0, 0.5, x, y, 0.55 + 1.05 * level);
    }
    pile_begin(&p, bodies, COUNT, &setting);
    pile_start(&p);
    const double energy = pile_energy(&p);
    pile_run(&p, 0.38);
    CHECK_NEAR(pile_energy(&p), energy, 1e-8 * energy);
    pile_end(&p);
}

typedef struct counted {
    int touchdowns, lift_offs;
} counted;

static void count_event(void *context, const atemi_event *event)
{
    counted *c = (counted *)context;
    c->touchdowns += event->kind == ATEMI_EVENT_TOUCHDOWN;
    c->lift_offs += event->kind == ATEMI_EVENT_LIFT_OFF;
    CHECK(c->touchdowns - c->lift_offs >= 0 && c->touchdowns - c->lift_offs <= 1);
}

static counted bounce_from(double height, double time)
{
    counted                c = {0};
    const atemi_scene_body body = ball("a", 1.0, 0.1, 0, 0, 0.1 + height);
    const pile_setting     setting = {
            .restitution = 1.0, .step = 1e-5, .hooks = {.event = count_event, .context = &c}};
    pile p;
    pile_begin(&p, &body, 1, &setting);
    pile_start(&p);
    pile_run(&p, time);
    pile_end(&p);
    return c;
}

// A bounce of 1 mm takes 28.6 ms, 6 of them 0.186 s and half a fall before. One of a fifth of a
// micrometre shakes, and never lifts off: it takes 0.4 ms, and was told 49 times.
TEST(step_touches, that_shake_by_less_than_a_micrometre_stay)
{
    const counted high = bounce_from(1e-3, 0.19), low = bounce_from(2e-7, 0.02);
    CHECK_EQUAL_INT(high.touchdowns, 7);
    CHECK(high.lift_offs >= 6);
    CHECK_EQUAL_INT(low.touchdowns, 1);
    CHECK_EQUAL_INT(low.lift_offs, 0);
}

// Head on, equal masses, elastic: they exchange their velocities.
TEST(step_touches, of_two_elastic_balls_exchange_velocities)
{
    const atemi_scene_body bodies[] = {ball("a", 2.0, 0.1, 0, 0, 0),
                                       ball("b", 2.0, 0.1, 0.5, 0, 0)};
    const pile_setting     setting = {.restitution = 1.0, .step = 1e-3, .floats = true};
    pile                   p;
    pile_begin(&p, bodies, 2, &setting);
    p.v[0] = 3.0;
    p.v[6] = -1.0;
    pile_start(&p);
    pile_run(&p, 0.3);
    CHECK_NEAR(pile_velocity(&p, 0).x, -1.0, solved);
    CHECK_NEAR(pile_velocity(&p, 1).x, 3.0, solved);
    CHECK_NEAR(pile_momentum(&p).x, 4.0, 1e-12);
    pile_end(&p);
}

// Off centre, unequal masses, and nothing that turns them, as flight with rotation is of second
// order only: momentum and moment of momentum of both stay, to the rounding of sums of a few
// numbers of size 1. (tests/contact/test_rows.c: any impulse, with friction.)
TEST(step_touches, of_an_oblique_collision_conserve_momentum)
{
    const atemi_scene_body bodies[] = {ball("a", 2.0, 0.1, 0, 0, 0),
                                       ball("b", 0.7, 0.15, 0.5, 0.12, 0.05)};
    const pile_setting     setting = {.restitution = 0.6, .step = 1e-3, .floats = true};
    pile                   p;
    pile_begin(&p, bodies, 2, &setting);
    const double v[12] = {3, 0.1, 0.2, 0, 0, 0, -1, 0.3, 0, 0, 0, 0};
    memcpy(p.v, v, sizeof v);
    pile_start(&p);
    const atemi_vec3 before = pile_momentum(&p), moment = pile_moment(&p);
    const double     energy = pile_energy(&p);
    pile_run(&p, 0.2);
    CHECK_EQUAL_INT(atemi_simulation_statistics_get(p.simulation).collisions, 1);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(pile_momentum(&p), before)), 0.0, 1e-12);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(pile_moment(&p), moment)), 0.0, 1e-12);
    CHECK(pile_energy(&p) < energy - 0.05);
    const atemi_simulation_ledger books = atemi_simulation_ledger_get(p.simulation);
    CHECK_NEAR(pile_energy(&p) - energy, books.contact_work + books.collision_work, 1e-12);
    CHECK_NEAR(atemi_vec3_norm(books.impulse), 0.0, 0.0);
    pile_end(&p);
}

// Apart by a millimetre, so that one collides after the other: the last one leaves alone.
TEST(step_touches, of_newtons_cradle_pass_the_velocity_on)
{
    atemi_scene_body   bodies[5];
    char               names[5][8];
    const pile_setting setting = {.restitution = 1.0, .step = 1e-4, .floats = true};
    pile               p;
    for (int i = 0; i < 5; ++i) {
        snprintf(names[i], sizeof names[i], "ball%d", i);
        bodies[i] = ball(names[i], 1.0, 0.02, 0.041 * i, 0, 0);
    }
    pile_begin(&p, bodies, 5, &setting);
    p.v[0] = 1.0;
    pile_start(&p);
    pile_run(&p, 0.05);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(pile_velocity(&p, i).x, i == 4 ? 1.0 : 0.0, solved);
    }
    pile_end(&p);
}

// On each other on the floor, at rest: the floor carries both.
TEST(step_touches, of_a_ball_on_a_ball_carry_their_weight)
{
    const atemi_scene_body bodies[] = {ball("a", 2.0, 0.1, 0, 0, 0.1),
                                       ball("b", 0.5, 0.05, 0, 0, 0.25)};
    const pile_setting     setting = {.friction = 0.5, .step = 1e-3};
    pile                   p;
    pile_begin(&p, bodies, 2, &setting);
    pile_start(&p);
    pile_run(&p, 0.1);
    CHECK_EQUAL_INT(atemi_simulation_touch_count(p.simulation), 2);
    const atemi_touch_report both = atemi_simulation_touch(p.simulation, 0);
    const atemi_touch_report floor = atemi_simulation_touch(p.simulation, 1);
    CHECK(both.first == 0 && both.second == 1 && both.surface == ATEMI_NONE);
    CHECK(floor.first == 0 && floor.second == ATEMI_NONE && floor.surface == 0);
    CHECK_NEAR(both.force.z, -0.5 * g, 1e-6);
    CHECK_NEAR(floor.force.z, 2.5 * g, 1e-6);
    CHECK(both.mode == ATEMI_CONTACT_STICK && floor.mode == ATEMI_CONTACT_STICK);
    pile_end(&p);
}

// ---- Blocks

// The upper block slides for v^2 / (2 mu g) and stops; the lower one, with the same friction on the
// floor, stays. Within a step's motion.
TEST(step_touches, of_a_block_that_slides_on_another_stop_it)
{
    const atemi_vec3       lower = {2.0, 1.0, 0.2}, upper = {0.2, 0.2, 0.1};
    const atemi_scene_body bodies[] = {box("lower", 10.0, lower, 0, 0, 0.1),
                                       box("upper", 1.0, upper, -0.8, 0, 0.25)};
    const pile_setting     setting = {.friction = 0.5, .step = 1e-3};
    pile                   p;
    pile_begin(&p, bodies, 2, &setting);
    p.v[6] = 2.0;
    pile_start(&p);
    pile_run(&p, 0.2);
    CHECK_NEAR(pile_velocity(&p, 1).x, 2.0 - 0.5 * g * 0.2, 1e-6);
    pile_run(&p, 1.0);
    CHECK_NEAR(pile_place(&p, 1).x, -0.8 + 4.0 / g, 2e-3);
    CHECK_NEAR(pile_place(&p, 0).x, 0.0, 1e-9);
    CHECK_NEAR(pile_place(&p, 1).z, 0.25, 1e-6);
    CHECK_NEAR(pile_velocity(&p, 1).x, 0.0, 1e-6);
    pile_end(&p);
}

// The floor as a fixed box: a ball, a capsule, a cylinder, a box each rest on it at their height.
TEST(step_touches, of_every_shape_rest_on_a_fixed_box)
{
    const atemi_quaternion lying = atemi_quaternion_exp((atemi_vec3){0.5 * pi, 0, 0});
    for (int k = 0; k < 5; ++k) {
        static const atemi_shape shapes[] = {ATEMI_SHAPE_SPHERE, ATEMI_SHAPE_CAPSULE,
                                             ATEMI_SHAPE_CYLINDER, ATEMI_SHAPE_CYLINDER,
                                             ATEMI_SHAPE_BOX};
        const atemi_vec3         size = k == 4   ? (atemi_vec3){0.2, 0.2, 0.2}
                                        : k == 0 ? (atemi_vec3){0.1, 0, 0}
                                                 : (atemi_vec3){0.1, 0.2, 0};
        atemi_scene_body         bodies[] = {
            box("table", 1.0, (atemi_vec3){2, 2, 0.2}, 0, 0, 0.9),
            pile_body("thing", 3.0, shapes[k], size, (atemi_vec3){0.1, 0.2, 1.12})};
        bodies[0].type = ATEMI_JOINT_FIXED;
        if (k == 1 || k == 3) {
            bodies[1].pose.rotation = atemi_quaternion_matrix(lying);
        }
        const pile_setting setting = {.friction = 0.6, .step = 2e-3};
        pile               p;
        pile_begin(&p, bodies, 2, &setting);
        pile_start(&p);
        pile_run(&p, 1.0);
        CHECK_NEAR(pile_place(&p, 1).z, 1.1, 1e-6);
        CHECK_NEAR(atemi_vec3_norm(pile_velocity(&p, 1)), 0.0, 1e-6);
        CHECK(atemi_simulation_statistics_get(p.simulation).deepest < 2e-6);
        pile_end(&p);
    }
}

// ---- A cube on its corner

// Without friction a corner r below the middle takes the impulse (1 + e) v / (1/m + |r x n|^2 / I).
TEST(step_touches, of_a_cube_dropped_on_its_corner_are_the_textbook_impulse)
{
    const double     mass = 2.0, side = 0.2, e = 0.5, inertia = mass * side * side / 6.0;
    atemi_scene_body cube = box("cube", mass, (atemi_vec3){side, side, side}, 0, 0, 0.3);
    const atemi_vec3 turn = {0.7, 0.4, 0.1};
    cube.pose.rotation = atemi_quaternion_matrix(atemi_quaternion_exp(turn));
    const pile_setting setting = {.restitution = e, .step = 1e-4};
    pile               p;
    pile_begin(&p, &cube, 1, &setting);
    pile_start(&p);
    double time = 0.0;
    while (atemi_simulation_statistics_get(p.simulation).collisions == 0) {
        pile_run(&p, time += 1e-4);
        CHECK(time < 1.0);
    }
    atemi_vec3 lowest = {0, 0, 1};
    for (int i = 0; i < 8; ++i) {
        const double     half = 0.5 * side;
        const atemi_vec3 at = {i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half};
        const atemi_vec3 r = atemi_mat3_apply(&cube.pose.rotation, at);
        lowest = r.z < lowest.z ? r : lowest;
    }
    const double arm = lowest.x * lowest.x + lowest.y * lowest.y, v = g * (time - 1e-4);
    const double impulse = (1.0 + e) * v / (1.0 / mass + arm / inertia);
    const double after = pile_velocity(&p, 0).z;
    CHECK_NEAR(after, -g * time + impulse / mass, 2.0 * g * 1e-4);
    pile_end(&p);
}

// And comes to rest on a face.
TEST(step_touches, of_a_cube_dropped_on_its_corner_end_on_a_face)
{
    atemi_scene_body cube = box("cube", 2.0, (atemi_vec3){0.2, 0.2, 0.2}, 0, 0, 0.5);
    cube.pose.rotation = atemi_quaternion_matrix(atemi_quaternion_exp((atemi_vec3){0.7, 0.4, 0.1}));
    const pile_setting setting = {.friction = 0.5, .restitution = 0.3, .step = 1e-3};
    pile               p;
    pile_begin(&p, &cube, 1, &setting);
    pile_start(&p);
    pile_run(&p, 4.0);
    CHECK_NEAR(pile_place(&p, 0).z, 0.1, 1e-6);
    CHECK_NEAR(atemi_vec3_norm(pile_velocity(&p, 0)), 0.0, 1e-6);
    CHECK(atemi_simulation_statistics_get(p.simulation).deepest < 1e-3);
    pile_end(&p);
}

// ---- Dominoes

// Each falls against the next, in the order of the row, and all fall.
TEST(step_touches, of_a_row_of_dominoes_pass_from_one_to_the_next)
{
    enum { COUNT = 8 };
    atemi_scene_body   bodies[COUNT];
    char               names[COUNT][8];
    const pile_setting setting = {.friction = 0.5, .step = 1e-3};
    pile               p;
    for (int i = 0; i < COUNT; ++i) {
        snprintf(names[i], sizeof names[i], "d%d", i);
        bodies[i] = box(names[i], 0.1, (atemi_vec3){0.02, 0.1, 0.2}, 0.08 * i, 0, 0.1);
    }
    pile_begin(&p, bodies, COUNT, &setting);
    p.v[4] = 1.5; // rad/s about y
    p.v[0] = 0.15;
    pile_start(&p);
    const double energy = pile_energy(&p);
    int          fallen = 0;
    for (int k = 1; k <= 200; ++k) {
        pile_run(&p, 0.01 * k);
        CHECK(pile_energy(&p) < energy + 1e-9);
        for (int i = fallen; i < COUNT && pile_place(&p, i).z < 0.095; ++i) {
            CHECK_EQUAL_INT(i, fallen);
            ++fallen;
        }
    }
    CHECK_EQUAL_INT(fallen, COUNT);
    CHECK(pile_place(&p, COUNT - 1).z < 0.02);
    pile_end(&p);
}

// ---- A spinning coin

// Euler's disk, tilted by alpha, its middle at rest: Omega^2 = 4 g / (R sin alpha). It goes round
// once and stays as it was, but for the thickness of the coin, 1/500 of its radius.
TEST(step_touches, of_a_spinning_coin_precess_as_eulers_disk)
{
    const double     R = 0.05, thick = 2e-4, alpha = 0.5;
    const double     Omega = sqrt(4.0 * g / (R * sin(alpha)));
    atemi_scene_body coin =
        pile_body("coin", 0.01, ATEMI_SHAPE_CYLINDER, (atemi_vec3){R, thick, 0},
                  (atemi_vec3){0, 0, R * sin(alpha) + 0.5 * thick * cos(alpha)});
    const pile_setting setting = {.friction = 1.0, .step = 1e-4};
    pile               p;
    coin.pose.rotation = atemi_quaternion_matrix(atemi_quaternion_exp((atemi_vec3){0, alpha, 0}));
    pile_begin(&p, &coin, 1, &setting);
    p.v[3] = -Omega * sin(alpha); // about its diameter through the place in touch
    pile_start(&p);
    pile_run(&p, 2.0 * pi / Omega);
    const atemi_vec3 end = pile_place(&p, 0);
    CHECK_NEAR(end.z, R * sin(alpha), 0.02 * R);
    CHECK_NEAR(hypot(end.x, end.y), 0.0, 0.02 * R);
    pile_end(&p);
}

// ---- Many

// Four layers that fall by 1 to 4 cm on each other, each box on four others: none is deeper than
// 0.2 mm (MuJoCo's default, in the same fall: 10 mm), all keep their heights within twice that, and
// no energy comes from nowhere.
TEST(step_touches, of_a_hundred_boxes_carry_them)
{
    enum { COUNT = 100 };
    static atemi_scene_body bodies[COUNT];
    static char             names[COUNT][8];
    const pile_setting      setting = {.friction = 0.5, .step = 2e-3};
    pile                    p;
    for (int i = 0; i < COUNT; ++i) {
        const int layer = i / 25, x = i % 5, y = i / 5 % 5;
        snprintf(names[i], sizeof names[i], "b%d", i);
        bodies[i] = box(names[i], 1.0, (atemi_vec3){0.2, 0.2, 0.2}, 0.21 * x + 0.03 * layer,
                        0.21 * y + 0.02 * layer, 0.11 + 0.22 * layer);
    }
    pile_begin(&p, bodies, COUNT, &setting);
    pile_start(&p);
    const double energy = pile_energy(&p);
    allocations_begin();
    pile_run(&p, 0.25);
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK(atemi_simulation_statistics_get(p.simulation).deepest < 2e-4);
    CHECK(pile_energy(&p) < energy);
    for (int i = 0; i < COUNT; ++i) {
        const int layer = i / 25;
        CHECK_NEAR(pile_place(&p, i).z, 0.1 + 0.2 * layer, 4e-4);
    }
    pile_end(&p);
}

TEST(step_touches, of_a_pile_repeat_to_the_bit_without_allocations)
{
    enum { COUNT = 10 };
    atemi_scene_body   bodies[COUNT];
    char               names[COUNT][8];
    double             q[2][7 * COUNT];
    const pile_setting setting = {.friction = 0.5, .step = 2e-3};
    for (int k = 0; k < 2; ++k) {
        pile p;
        for (int i = 0; i < COUNT; ++i) {
            snprintf(names[i], sizeof names[i], "b%d", i);
            bodies[i] = box(names[i], 1.0, (atemi_vec3){0.2, 0.15, 0.1}, 0.03 * (i % 3),
                            0.02 * (i % 2), 0.06 + 0.13 * i);
        }
        pile_begin(&p, bodies, COUNT, &setting);
        pile_start(&p);
        allocations_begin();
        pile_run(&p, 1.0);
        CHECK_EQUAL_INT(allocations_end(), 0);
        memcpy(q[k], atemi_simulation_q(p.simulation), sizeof q[k]);
        pile_end(&p);
    }
    for (int i = 0; i < 7 * COUNT; ++i) {
        CHECK(same_number(q[0][i], q[1][i]));
    }
}

// Saved in the middle of a fall, and run on twice: the same bits.
TEST(step_touches, of_a_pile_go_on_from_what_was_saved)
{
    const atemi_scene_body bodies[] = {box("a", 1.0, (atemi_vec3){0.2, 0.2, 0.2}, 0, 0, 0.1),
                                       box("b", 1.0, (atemi_vec3){0.2, 0.2, 0.2}, 0.05, 0.03, 0.31),
                                       ball("c", 1.0, 0.1, 0.02, 0.05, 0.6)};
    const pile_setting     setting = {.friction = 0.5, .step = 1e-3};
    pile                   p;
    double                 q[21];
    pile_begin(&p, bodies, 3, &setting);
    pile_start(&p);
    pile_run(&p, 0.2);
    void *saved = malloc(atemi_simulation_saved_size(p.simulation));
    atemi_simulation_save(p.simulation, saved);
    pile_run(&p, 0.5);
    memcpy(q, atemi_simulation_q(p.simulation), sizeof q);
    atemi_simulation_restore(p.simulation, saved);
    pile_run(&p, 0.5);
    for (int i = 0; i < 21; ++i) {
        CHECK(same_number(q[i], atemi_simulation_q(p.simulation)[i]));
    }
    free(saved);
    pile_end(&p);
}

// ---- What is refused, and what is left out

TEST(step_touches, of_boxes_are_refused_by_the_method_of_events)
{
    const atemi_scene_body         body = box("a", 1.0, (atemi_vec3){0.2, 0.2, 0.2}, 0, 0, 0.1);
    atemi_model                   *model = NULL;
    atemi_touch_shape              shape[2];
    atemi_simulation              *simulation = NULL;
    atemi_error                    error = {0};
    atemi_simulation_options       options = atemi_simulation_options_default();
    const atemi_simulation_shapes *none = NULL;
    CHECK(options.shapes == none);
    CHECK_STATUS(atemi_scene_create(NULL, &body, 1, &model, NULL), ATEMI_OK);
    const atemi_simulation_shapes shapes = {.shapes = shape,
                                            .count = atemi_touch_shapes_of(model, 0.5, 0.0, shape)};
    options.shapes = &shapes;
    CHECK_STATUS(
        atemi_simulation_create(model, NULL, 0, NULL, 0, &options, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "the box of link 'a'");
    CHECK_CONTAINS(error.message, "method: steps");
    options.method = ATEMI_METHOD_STEPS;
    shape[0].size.x = 0.0;
    CHECK_STATUS(
        atemi_simulation_create(model, NULL, 0, NULL, 0, &options, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "has no volume");
    atemi_model_destroy(model);
}

// More places than there is room for end the run, with a message that names the key.
TEST(step_touches, beyond_their_room_end_the_run)
{
    const atemi_scene_body body = box("a", 1.0, (atemi_vec3){0.2, 0.2, 0.2}, 0, 0, 0.11);
    const pile_setting     setting = {.friction = 0.5, .step = 1e-3, .max_touches = 3};
    pile                   p;
    atemi_error            error = {0};
    pile_begin(&p, &body, 1, &setting);
    pile_start(&p);
    CHECK_STATUS(atemi_simulation_run(p.simulation, 1.0, &error), ATEMI_ERROR_LIMIT);
    CHECK_CONTAINS(error.message, "more than 3 places");
    pile_end(&p);
}
