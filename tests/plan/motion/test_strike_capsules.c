// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_capsules.h"

#include "atemi/robots.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static atemi_vec3 draw(random_stream *stream, double size)
{
    return (atemi_vec3){random_uniform(stream, -size, size), random_uniform(stream, -size, size),
                        random_uniform(stream, -size, size)};
}

static strike_capsule draw_capsule(random_stream *stream)
{
    return (strike_capsule){0, draw(stream, 0.4), draw(stream, 0.4),
                            random_uniform(stream, 0.01, 0.1)};
}

enum { STEPS = 400 };

static atemi_vec3 place_on(const strike_capsule *c, int i)
{
    return atemi_vec3_add(c->start, atemi_vec3_scale((double)i / (double)STEPS, c->axis));
}

static double least_from(atemi_vec3 p, const strike_capsule *c)
{
    double least = INFINITY;
    for (int k = 0; k <= STEPS; ++k) {
        const double distance = atemi_vec3_norm(atemi_vec3_sub(p, place_on(c, k)));
        if (distance < least)
            least = distance;
    }
    return least;
}

// The least of all places on two fine grids.
static double least_of_grid(const strike_capsule *a, const strike_capsule *b)
{
    double least = INFINITY;
    for (int i = 0; i <= STEPS; ++i)
        least = fmin(least, least_from(place_on(a, i), b));
    return least - a->radius - b->radius;
}

// A grid of 400 steps of 0.7 m is 1.7 mm wide, and 1 mm too far at most.
TEST(strike_capsules, are_as_far_apart_as_their_nearest_places)
{
    random_stream stream = random_seeded(1);
    for (int n = 0; n < 100; ++n) {
        const strike_capsule a = draw_capsule(&stream), b = draw_capsule(&stream);
        const double         exact = strike_capsule_distance(&a, &b);
        CHECK_NEAR(exact, least_of_grid(&a, &b), 2e-3);
        const double smooth = strike_capsule_gap(&a, &b).distance;
        const double line = exact + a.radius + b.radius;
        const double lengths = atemi_vec3_dot(a.axis, a.axis) + atemi_vec3_dot(b.axis, b.axis);
        CHECK(smooth >= exact - 1e-4 - 1e-12);
        CHECK(smooth <= exact + 1e-4 * lengths / fmax(line, 1e-3) + 1e-12);
    }
}

static strike_capsule moved(strike_capsule c, atemi_vec3 by, atemi_vec3 turn)
{
    c.start = atemi_vec3_add(c.start, atemi_vec3_add(by, atemi_vec3_cross(turn, c.start)));
    c.axis = atemi_vec3_add(c.axis, atemi_vec3_cross(turn, c.axis));
    return c;
}

// Of random ones, of parallel ones, of crossing ones and of one that is a ball: along a rigid
// motion of the second one about the origin, by central differences of 1e-6.
TEST(strike_capsules, have_slopes_everywhere)
{
    random_stream stream = random_seeded(2);
    const double  h = 1e-6;
    for (int n = 0; n < 400; ++n) {
        strike_capsule a = draw_capsule(&stream), b = draw_capsule(&stream);
        if (n % 4 == 1) {
            b.axis = atemi_vec3_scale(random_uniform(&stream, -1.0, 1.0), a.axis);
        } else if (n % 4 == 2) {
            b.start = atemi_vec3_sub(atemi_vec3_add(a.start, atemi_vec3_scale(0.3, a.axis)),
                                     atemi_vec3_scale(0.6, b.axis));
        } else if (n % 4 == 3) {
            b.axis = (atemi_vec3){0.0, 0.0, 0.0};
        }
        const atemi_vec3     by = draw(&stream, 1.0), turn = draw(&stream, 1.0);
        const strike_gap     gap = strike_capsule_gap(&a, &b);
        const strike_capsule more = moved(b, atemi_vec3_scale(h, by), atemi_vec3_scale(h, turn));
        const strike_capsule less = moved(b, atemi_vec3_scale(-h, by), atemi_vec3_scale(-h, turn));
        const double         slope =
            (strike_capsule_gap(&a, &more).distance - strike_capsule_gap(&a, &less).distance) /
            (2.0 * h);
        const atemi_vec3 velocity = atemi_vec3_add(by, atemi_vec3_cross(turn, gap.second));
        // Where lines cross the length bends within 1e-4 m, parallel ones within 1e-2 rad.
        CHECK_NEAR(atemi_vec3_dot(gap.away, velocity), slope, 1e-4);
    }
}

typedef struct body {
    atemi_model     *model;
    strike_capsules  capsules;
    atemi_kinematics kinematics;
    double          *neutral;
    bool            *moving;
    atemi_arena      arena;
} body;

static void take(body *b, atemi_arena *arena)
{
    const int links = atemi_model_link_count(b->model);
    const int count = strike_capsules_count(b->model);
    b->kinematics = atemi_kinematics_take(arena, b->model);
    b->neutral = atemi_arena_array(arena, double, atemi_model_q_count(b->model));
    b->moving = atemi_arena_array(arena, bool, atemi_model_v_count(b->model));
    b->capsules.list = atemi_arena_array(arena, strike_capsule, count);
    b->capsules.made = atemi_arena_array(arena, double, links *links);
}

static void open(body *b, const char *urdf, bool moves)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    *b = (body){0};
    CHECK_STATUS(atemi_urdf_parse(urdf, strlen(urdf), NULL, &options, &b->model, NULL), ATEMI_OK);
    atemi_arena measuring = atemi_arena_measuring();
    take(b, &measuring);
    CHECK_STATUS(atemi_arena_create(&b->arena, measuring.used, NULL), ATEMI_OK);
    take(b, &b->arena);
    for (int i = 0; i < atemi_model_v_count(b->model); ++i) {
        b->moving[i] = moves;
    }
    strike_capsules_fill(&b->capsules, b->model, b->moving, b->neutral, &b->kinematics);
}

static void close(body *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

#define LINK(name, com, xx, yy, zz)                                                                \
    "<link name='" name "'><inertial><origin xyz='" com "'/><mass value='12'/><inertia ixx='" xx   \
    "' iyy='" yy "' izz='" zz "' ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define JOINT(name, parent, child, xyz)                                                            \
    "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child        \
    "'/><origin xyz='" xyz "'/><axis xyz='0 0 1'/>"                                                \
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"

// 12 kg of a box of 0.2 x 0.1 x 0.4 m: 0.17, 0.2 and 0.05 kg m^2. Each link is 1 m after the other.
static const char chain[] = "<robot name='chain'>" LINK("a", "0.3 0 0", "0.17", "0.2", "0.05")
    LINK("b", "0.3 0 0", "0.17", "0.2", "0.05") LINK("c", "0.3 0 0", "0.17", "0.2", "0.05")
        LINK("d", "0.3 0 0", "0.17", "0.2", "0.05") LINK("dummy", "0 0 0", "9", "9", "9")
            JOINT("1", "a", "b", "1 0 0") JOINT("2", "b", "c", "1 0 0")
                JOINT("3", "c", "d", "1 0 0") JOINT("4", "d", "dummy", "1 0 0") "</robot>";

TEST(strike_capsules, are_those_in_the_box_of_a_links_inertia_if_it_has_no_shape)
{
    body b;
    open(&b, chain, true);
    CHECK_EQUAL_INT(b.capsules.count,
                    4); // the last link would be 2 m wide, with nothing to show it
    CHECK_NEAR(b.capsules.list[0].radius, 0.05, 1e-12);
    CHECK_NEAR(fabs(b.capsules.list[0].axis.z), 0.3, 1e-12);
    CHECK_NEAR(b.capsules.list[0].start.x, 0.3, 1e-12);
    close(&b);
}

TEST(strike_capsules, of_neighbours_and_of_links_that_do_not_move_do_not_count)
{
    body b, still;
    open(&b, chain, true);
    open(&still, chain, false);
    CHECK(!strike_capsules_counts(&b.capsules, b.model, 0, 1));
    CHECK(!strike_capsules_counts(&b.capsules, b.model, 0, 2));
    CHECK(strike_capsules_counts(&b.capsules, b.model, 0, 3));
    CHECK_NEAR(strike_capsules_made(&b.capsules, b.model, 0, 3), 3.0 - 0.1, 1e-12);
    CHECK(!strike_capsules_counts(&still.capsules, still.model, 0, 3));
    close(&still);
    close(&b);
}

TEST(strike_capsules, of_links_that_the_robot_keeps_apart_do_not_count)
{
    char text[sizeof chain + 64];
    body b;
    snprintf(text, sizeof text, "%.*s<atemi:apart first='d' second='a'/></robot>",
             (int)(sizeof chain - sizeof "</robot>"), chain);
    open(&b, text, true);
    CHECK(!strike_capsules_counts(&b.capsules, b.model, 0, 3));
    CHECK(strike_capsules_counts(&b.capsules, b.model, 1, 3) ==
          strike_capsules_counts(&b.capsules, b.model, 3, 1));
    close(&b);
}
