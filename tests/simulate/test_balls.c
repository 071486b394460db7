// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "allocations.h"
#include "atemi/dynamics.h"
#include "bits.h"
#include "check.h"
#include "data.h"
#include "pile.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Scenes of balls and capsules that touch the floor and each other, by the method of events.

static const double g = 9.81;

static atemi_scene_body ball(const char *name, double mass, double radius, atemi_vec3 place)
{
    return pile_body(name, mass, ATEMI_SHAPE_SPHERE, (atemi_vec3){radius, 0, 0}, place);
}

static atemi_scene_body capsule(const char *name, double radius, double length, atemi_vec3 place,
                                atemi_mat3 rotation)
{
    const atemi_vec3 size = {radius, length, 0};
    atemi_scene_body made = pile_body(name, 1.0, ATEMI_SHAPE_CAPSULE, size, place);
    made.pose.rotation = rotation;
    return made;
}

static atemi_scene_body fixed(atemi_scene_body body)
{
    body.type = ATEMI_JOINT_FIXED;
    return body;
}

// The axis of a capsule along x, and that tilted up by an angle.
static atemi_mat3 lying(double tilt)
{
    return (atemi_mat3){{0, 1, 0}, {-sin(tilt), 0, cos(tilt)}, {cos(tilt), 0, sin(tilt)}};
}

// How often something has left something.
typedef struct witness {
    int lift_offs;
} witness;

static void count_lift_offs(void *context, const atemi_event *event)
{
    witness *w = (witness *)context;
    w->lift_offs += event->kind == ATEMI_EVENT_LIFT_OFF;
}

static double least_gap(const pile *p, const double *radii, int count)
{
    double least = (double)INFINITY;
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 a = pile_place(p, i);
        least = fmin(least, a.z - radii[i]);
        for (int j = 0; j < i; ++j) {
            const atemi_vec3 d = atemi_vec3_sub(a, pile_place(p, j));
            least = fmin(least, atemi_vec3_norm(d) - radii[i] - radii[j]);
        }
    }
    return least;
}

// ---- Capsules -------------------------------------------------------------------------------

// A ball slides without friction along the top of a fixed capsule and over its end, where the
// distance bends otherwise: from v it leaves at cos = (2 + v^2 / (g s)) / 3, s the sum of the
// radii, measured from the top, if v^2 < g s. The steps do not end where the side does.
TEST(balls, that_slide_over_the_end_of_a_capsule_leave_it_like_a_ball)
{
    const double R = 0.3, r = 0.1, s = R + r, half = 0.4;
    const double speeds[] = {0.5, 1.0, 1.7};
    for (int k = 0; k < 3; ++k) {
        const double           v = speeds[k];
        const atemi_scene_body bodies[] = {
            fixed(capsule("bar", R, 2.0 * half, (atemi_vec3){0, 0, 0.5}, lying(0.0))),
            ball("ball", 1.0, r, (atemi_vec3){0.1, 0, 0.5 + s})};
        const pile_setting setting = {.step = 1e-3, .events = true};
        pile               p;
        pile_begin(&p, bodies, 2, &setting);
        p.v[0] = v;
        pile_start(&p);
        const double energy = pile_energy(&p);
        double       time = (half - 0.1) / v;
        pile_run(&p, time - 1e-4);
        CHECK_NEAR(pile_place(&p, 1).x, half - 1e-4 * v, 1e-10);
        CHECK_EQUAL_INT(atemi_simulation_touch_count(p.simulation), 1);
        for (int i = 0; i < 1000 && atemi_simulation_touch_count(p.simulation) > 0; ++i) {
            time += 1e-3;
            pile_run(&p, time);
            CHECK_NEAR(pile_energy(&p), energy, 1e-9);
        }
        CHECK_EQUAL_INT(atemi_simulation_touch_count(p.simulation), 0);
        // From where it left it flies: back along its parabola to the sphere of s.
        const atemi_vec3 at = pile_place(&p, 1), u = pile_velocity(&p, 1);
        const double     cosine = (2.0 + v * v / (g * s)) / 3.0, sine = sqrt(1.0 - cosine * cosine);
        const double     w = sqrt(g * s * cosine), flown = -(u.z + w * sine) / g;
        CHECK_NEAR(u.x, w * cosine, 1e-7);
        CHECK_NEAR(at.x - half, s * sine + u.x * flown, 1e-7);
        CHECK_NEAR(at.z - 0.5, s * cosine - w * sine * flown - 0.5 * g * flown * flown, 1e-7);
        pile_end(&p);
    }
}

// Dropped with its axis tilted up by a, without friction: the impulse of its lower end is that of
// the mass 1 / (1/m + (h cos a)^2 / I) there, h half the length of the axis.
TEST(balls, of_a_capsule_that_lands_on_its_end_turn_it)
{
    const double           r = 0.1, h = 0.3, a = 0.7, e = 0.5, fall = 0.2;
    const atemi_scene_body body =
        capsule("bar", r, 2.0 * h, (atemi_vec3){0, 0, r + h * sin(a) + fall}, lying(a));
    const pile_setting setting = {.restitution = e, .step = 1e-3, .events = true};
    pile               p;
    pile_begin(&p, &body, 1, &setting);
    pile_start(&p);
    const double energy = pile_energy(&p);
    pile_run(&p, sqrt(2.0 * fall / g) + 1e-9);
    const double I = body.inertia.rotational.xx, m = body.inertia.mass;
    const double u = sqrt(2.0 * g * fall), arm = h * cos(a);
    const double impulse = (1.0 + e) * u / (1.0 / m + arm * arm / I);
    CHECK_EQUAL_INT(atemi_simulation_statistics_get(p.simulation).collisions, 1);
    CHECK_NEAR(pile_velocity(&p, 0).z, impulse / m - u, 1e-7);
    const double loss = 0.5 * (1.0 - e * e) * u * u / (1.0 / m + arm * arm / I);
    CHECK_NEAR(pile_energy(&p), energy - loss, 1e-9);
    pile_end(&p);
}

// It lies on both ends and rolls, as a solid of the inertia k m r^2 about its axis: with a speed
// that stays. Pushed off sliding it rolls in the end with v / (1 + k).
TEST(balls, of_a_capsule_that_rolls_on_the_floor_carry_it)
{
    const double           r = 0.1, v = 1.0;
    const atemi_scene_body body = capsule("bar", r, 0.6, (atemi_vec3){0, 0, r}, lying(0.0));
    const pile_setting     setting = {.friction = 0.4, .step = 1e-3, .events = true};
    const double           k = body.inertia.rotational.zz / (body.inertia.mass * r * r);
    pile                   p;
    pile_begin(&p, &body, 1, &setting);
    p.v[0] = v; // in the capsule's own axes, of which x is the world's y
    pile_start(&p);
    CHECK_NEAR(pile_velocity(&p, 0).y, v, 1e-12);
    pile_run(&p, 2.0);
    CHECK_NEAR(pile_velocity(&p, 0).y, v / (1.0 + k), 1e-9);
    CHECK_EQUAL_INT(atemi_simulation_touch_count(p.simulation), 2);
    CHECK_NEAR(atemi_simulation_touch(p.simulation, 0).force.z, 0.5 * body.inertia.mass * g, 1e-8);
    CHECK_NEAR(pile_place(&p, 0).z, r, 1e-11);
    pile_end(&p);
}

// ---- A robot that hits itself ----------------------------------------------------------------

// Three rods on hinges, a ball at the end of the second one and of the third one, and one about the
// pivot, which is the world's.
static atemi_model *pendulum(void)
{
    static const char *const names[] = {"world", "upper", "middle", "lower"};
    const atemi_inertia      none = {0};
    const atemi_inertia      rod = {
             .mass = 1.0, .com = {0, 0, -0.2}, .rotational = {0.02, 0.02, 0.001, 0, 0, 0}};
    const atemi_vec3     y = {0, 1, 0}, down = {0, 0, -0.4}, here = {0, 0, 0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, names[0], &none);
    for (int i = 1; i < 4; ++i) {
        tree_add_link(builder, names[i], &rod);
        tree_add_joint(builder, names[i], ATEMI_JOINT_REVOLUTE, names[i - 1], names[i], y,
                       i == 1 ? here : down);
    }
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

static atemi_touch_shape ball_on(int link, atemi_vec3 place, double radius, double restitution)
{
    return (atemi_touch_shape){.link = link,
                               .shape = ATEMI_SHAPE_SPHERE,
                               .pose = {atemi_mat3_identity(), place},
                               .size = {radius, 0, 0},
                               .restitution = restitution};
}

// The swing that hits itself, and what it came to.
typedef struct swing {
    atemi_simulation  *simulation;
    const atemi_model *model;
    double             worst; // of the rate of the gap after a collision, relative
    int                hits;
} swing;

static double gap_of(atemi_data *data, const atemi_touch_shape *a, const atemi_touch_shape *b,
                     const double *q)
{
    atemi_update_kinematics(data, q, NULL, NULL);
    const atemi_transform one = atemi_link_pose(data, a->link),
                          two = atemi_link_pose(data, b->link);
    const atemi_vec3 d = atemi_vec3_sub(atemi_transform_apply(&one, a->pose.position),
                                        atemi_transform_apply(&two, b->pose.position));
    return atemi_vec3_norm(d) - a->size.x - b->size.x;
}

static atemi_touch_shape balls_of_pendulum[3];

// After an elastic collision the gap grows as fast as it closed: by differences of the gap along v,
// over h = 1e-6 s. At some 20 rad/s and 1 m its third derivative is about 1e4 m/s^3, so that h^2 /
// 6 of it is 2e-9 m/s, and an approach is faster than 0.05 m/s.
static void look_at_hit(void *context, const atemi_event *event)
{
    swing *w = (swing *)context;
    if (event->kind == ATEMI_EVENT_TOUCHDOWN) {
        const double *q = atemi_simulation_q(w->simulation), *v = atemi_simulation_v(w->simulation);
        const atemi_touch_shape *a = &balls_of_pendulum[event->touch->first];
        const atemi_touch_shape *b = &balls_of_pendulum[event->touch->second];
        atemi_data              *data = data_create(w->model);
        double                   moved[2][3], h = 1e-6;
        for (int i = 0; i < 3; ++i) {
            moved[0][i] = q[i] - h * v[i];
            moved[1][i] = q[i] + h * v[i];
        }
        const double rate =
            (gap_of(data, a, b, moved[1]) - gap_of(data, a, b, moved[0])) / (2.0 * h);
        w->worst = fmax(w->worst, fabs(rate - event->speed) / event->speed);
        ++w->hits;
        atemi_data_destroy(data);
    }
}

static double energy_of(const atemi_model *model, const atemi_simulation *s)
{
    atemi_data *data = data_create(model);
    atemi_update_kinematics(data, atemi_simulation_q(s), atemi_simulation_v(s), NULL);
    const double energy = atemi_kinetic_energy(data) + atemi_potential_energy(data);
    atemi_data_destroy(data);
    return energy;
}

TEST(balls, of_a_pendulum_that_hits_itself_bounce_off_each_other)
{
    atemi_model *model = pendulum();
    swing        w = {.model = model};
    balls_of_pendulum[0] = ball_on(0, (atemi_vec3){0, 0, 0}, 0.15, 1.0);
    balls_of_pendulum[1] = ball_on(1, (atemi_vec3){0, 0, -0.2}, 0.1, 1.0);
    balls_of_pendulum[2] = ball_on(3, (atemi_vec3){0, 0, -0.4}, 0.1, 1.0);
    const atemi_simulation_shapes shapes = {
        .shapes = balls_of_pendulum, .count = 3, .each_other = true};
    const atemi_simulation_hooks hooks = {.event = look_at_hit, .context = &w};
    atemi_simulation_options     options = atemi_simulation_options_default();
    atemi_error                  error = {0};
    options.step = 5e-4;
    options.shapes = &shapes;
    CHECK_STATUS(
        atemi_simulation_create(model, NULL, 0, NULL, 0, &options, &hooks, &w.simulation, &error),
        ATEMI_OK);
    const double q[3] = {1.5, 0.9, 0.6}, v[3] = {0.0, 4.0, 6.0};
    CHECK_STATUS(atemi_simulation_start(w.simulation, 0.0, q, v, &error), ATEMI_OK);
    const double energy = energy_of(model, w.simulation);
    CHECK_STATUS(atemi_simulation_run(w.simulation, 3.0, &error), ATEMI_OK);
    CHECK(w.hits >= 3);
    CHECK_NEAR(w.worst, 0.0, 1e-7);
    CHECK_NEAR(energy_of(model, w.simulation), energy, 1e-7);
    const atemi_simulation_statistics s = atemi_simulation_statistics_get(w.simulation);
    CHECK(s.deepest < 1e-9 && s.collision_balance < 1e-12);
    atemi_simulation_destroy(w.simulation);
    atemi_model_destroy(model);
}

// ---- A state that is saved -------------------------------------------------------------------

static void begin_rolling(pile *p)
{
    const atemi_scene_body bodies[] = {
        capsule("bar", 0.2, 0.6, (atemi_vec3){0, 0, 0.2}, lying(0.0)),
        ball("ball", 0.5, 0.1, (atemi_vec3){0.1, 0.3 * sin(0.2), 0.2 + 0.3 * cos(0.2)})};
    const pile_setting setting = {.friction = 0.5, .step = 1e-3, .events = true};
    pile_begin(p, bodies, 2, &setting);
    p->v[6] = 1.0;
    p->v[9] = 2.0;
    pile_start(p);
}

// A ball rolls along a free capsule, over its end and to the floor. Nothing is allocated on the
// way; saved, it goes on to the bit; momentum is what the floor and gravity gave.
TEST(balls, that_roll_on_a_capsule_go_on_as_they_did_and_keep_the_books)
{
    pile p;
    begin_rolling(&p);
    void            *saved = malloc(atemi_simulation_saved_size(p.simulation));
    const atemi_vec3 before = pile_momentum(&p);
    double           first[14];
    CHECK(saved);
    allocations_begin();
    for (int i = 0; i < 8; ++i) {
        const double time = 0.1 * i;
        atemi_simulation_save(p.simulation, saved);
        pile_run(&p, time + 0.1);
        memcpy(first, atemi_simulation_q(p.simulation), sizeof first);
        atemi_simulation_restore(p.simulation, saved);
        pile_run(&p, time + 0.1);
        for (int k = 0; k < 14; ++k) {
            CHECK(same_number(first[k], atemi_simulation_q(p.simulation)[k]));
        }
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    const atemi_simulation_ledger books = atemi_simulation_ledger_get(p.simulation);
    const double                  weight = 1.5 * g * 0.8;
    const atemi_vec3 gained = {books.impulse.x, books.impulse.y, books.impulse.z - weight};
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(atemi_vec3_sub(pile_momentum(&p), before), gained)),
               0.0, 1e-7);
    free(saved);
    pile_end(&p);
}

// ---- Two capsules ---------------------------------------------------------------------------

static atemi_mat3 lying_across(void)
{
    return (atemi_mat3){{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}; // the axis along y
}

// One lies across a fixed one and rocks on it without slipping, like a plank of the thickness 2 r
// on a cylinder of the radius R: w^2 = m g (R - r) / (I + m r^2), for small angles. At 1e-3 rad
// that is off by a millionth; 20 steps of 1 ms follow a period of 0.5 s to 1e-8 of it.
TEST(balls, that_are_capsules_rock_across_each_other_like_planks)
{
    const double           R = 0.4, r = 0.1, amplitude = 1e-3;
    const atemi_scene_body bodies[] = {
        fixed(capsule("below", R, 1.0, (atemi_vec3){0, 0, 2}, lying_across())),
        capsule("plank", r, 0.8, (atemi_vec3){0, 0, 2 + R + r}, lying(0.0))};
    const pile_setting setting = {.friction = 1.0, .step = 1e-3, .events = true};
    const double       m = bodies[1].inertia.mass, I = bodies[1].inertia.rotational.xx;
    const double       w = sqrt(m * g * (R - r) / (I + m * r * r));
    pile               p;
    pile_begin(&p, bodies, 2, &setting);
    // Its own axes: x is the world's y. It turns about that, and its middle moves along the axis z.
    p.v[2] = amplitude * w * r;
    p.v[3] = amplitude * w;
    pile_start(&p);
    const double energy = pile_energy(&p);
    CHECK_EQUAL_INT(atemi_simulation_touch(p.simulation, 0).mode, ATEMI_CONTACT_STICK);
    const double pi = 3.14159265358979324, before = 0.99 * 4.0 * pi / w;
    pile_run(&p, before); // nearly two periods
    const atemi_vec3 u = pile_velocity(&p, 1);
    CHECK_NEAR(u.x / (amplitude * w * r), cos(w * before), 1e-5);
    CHECK_NEAR(pile_energy(&p), energy, 1e-12);
    CHECK_EQUAL_INT(atemi_simulation_touch(p.simulation, 0).mode, ATEMI_CONTACT_STICK);
    pile_end(&p);
}

// Pushed along its axis it tips, slides over its end without friction and falls: the energy
// stays, through the event at which its side ends.
TEST(balls, that_are_capsules_slide_off_each_other_over_their_ends)
{
    const double           R = 0.2, r = 0.1;
    const atemi_scene_body bodies[] = {
        fixed(capsule("below", R, 1.0, (atemi_vec3){0, 0, 5}, lying_across())),
        capsule("bar", r, 0.8, (atemi_vec3){0.25, 0.1, 5 + R + r}, lying(0.0))};
    const pile_setting setting = {.step = 1e-3, .events = true};
    pile               p;
    witness            w = {0};
    pile_setting       watched = setting;
    watched.hooks = (atemi_simulation_hooks){.event = count_lift_offs, .context = &w};
    pile_begin(&p, bodies, 2, &watched);
    p.v[2] = 1.0; // along its axis
    pile_start(&p);
    const double energy = pile_energy(&p);
    double       farthest = 0.0; // that the axis has touched from its middle
    for (int i = 1; i <= 600; ++i) {
        pile_run(&p, 1e-3 * i);
        CHECK_NEAR(pile_energy(&p), energy, 1e-8);
        if (atemi_simulation_touch_count(p.simulation) > 0) {
            const atemi_touch_report at = atemi_simulation_touch(p.simulation, 0);
            const atemi_vec3 to = atemi_vec3_sub(at.position, pile_place(&p, 1)), n = at.normal;
            const double     up = at.second == 1 ? -r : r; // towards the first one
            farthest = fmax(farthest, atemi_vec3_norm(atemi_vec3_add(to, atemi_vec3_scale(up, n))));
        }
    }
    CHECK_EQUAL_INT(w.lift_offs, 1);
    CHECK_NEAR(farthest, 0.4, 1e-8);
    CHECK(atemi_simulation_statistics_get(p.simulation).deepest < 1e-9);
    pile_end(&p);
}

// Elastic, of two that cross in flight: momentum and moment of momentum to rounding, and the
// energy.
TEST(balls, that_are_capsules_collide_where_they_cross)
{
    const atemi_scene_body bodies[] = {
        capsule("a", 0.1, 0.8, (atemi_vec3){0, 0, 0.2001}, lying(0.0)),
        capsule("b", 0.1, 0.8, (atemi_vec3){0.1, 0.2, 0}, lying_across())};
    const pile_setting setting = {
        .friction = 0.5, .restitution = 1.0, .step = 1e-4, .floats = true, .events = true};
    pile p;
    pile_begin(&p, bodies, 2, &setting);
    p.v[1] = -2.0; // down: the capsule's own y
    pile_start(&p);
    const atemi_vec3 before = pile_momentum(&p), moment = pile_moment(&p);
    const double     energy = pile_energy(&p);
    pile_run(&p, 1e-3);
    const atemi_simulation_statistics s = atemi_simulation_statistics_get(p.simulation);
    CHECK_EQUAL_INT(s.collisions, 1);
    CHECK(s.collision_balance < 1e-12);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(pile_momentum(&p), before)), 0.0, 1e-12);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(pile_moment(&p), moment)), 0.0, 1e-12);
    CHECK_NEAR(pile_energy(&p), energy, 1e-12);
    CHECK(pile_velocity(&p, 1).z < -0.1);
    pile_end(&p);
}

// Side by side there is no one place: the run ends, and says so.
TEST(balls, that_are_capsules_end_the_run_side_by_side)
{
    const atemi_scene_body bodies[] = {
        capsule("a", 0.1, 0.8, (atemi_vec3){0, 0, 0.1}, lying(0.0)),
        capsule("b", 0.1, 0.8, (atemi_vec3){0.05, 0.001, 0.35}, lying(0.0))};
    const pile_setting setting = {.friction = 0.5, .step = 1e-3, .events = true};
    pile               p;
    atemi_error        error = {0};
    pile_begin(&p, bodies, 2, &setting);
    pile_start(&p);
    CHECK_STATUS(atemi_simulation_run(p.simulation, 1.0, &error), ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "the capsules of links");
    CHECK_CONTAINS(error.message, "side by side");
    CHECK_CONTAINS(error.message, "method: steps");
    pile_end(&p);
}

// ---- Both methods ---------------------------------------------------------------------------

// A ball rolls off a free ball on a rough floor.
static void roll_off(bool events, double step, atemi_vec3 places[2])
{
    const atemi_scene_body bodies[] = {
        ball("big", 3.0, 0.3, (atemi_vec3){0, 0, 0.3}),
        ball("small", 1.0, 0.1, (atemi_vec3){0.4 * sin(0.4), 0, 0.3 + 0.4 * cos(0.4)})};
    const pile_setting setting = {.friction = 0.6, .step = step, .events = events};
    pile               p;
    pile_begin(&p, bodies, 2, &setting);
    pile_start(&p);
    pile_run(&p, 0.25);
    places[0] = pile_place(&p, 0);
    places[1] = pile_place(&p, 1);
    pile_end(&p);
}

// The method of steps comes to the same, of first order in its step.
TEST(balls, move_alike_by_both_methods_as_steps_become_short)
{
    atemi_vec3 exact[2], rough[2];
    double     errors[3];
    roll_off(true, 1e-3, exact);
    for (int i = 0; i < 3; ++i) {
        roll_off(false, ldexp(4e-4, -i), rough);
        errors[i] = fmax(atemi_vec3_norm(atemi_vec3_sub(rough[0], exact[0])),
                         atemi_vec3_norm(atemi_vec3_sub(rough[1], exact[1])));
    }
    CHECK(errors[0] < 1e-3);
    CHECK(errors[1] < 0.7 * errors[0] && errors[2] < 0.7 * errors[1]);
}

// ---- Many -----------------------------------------------------------------------------------

enum { MANY = 20, CAPSULES = 5 };

// Balls of 5 to 10 cm above each other by chance, thrown at each other, of one friction and
// restitution, as docs/drops.md counts drops: 0.8 s, inspected forty times.
static void drop_many(uint64_t seed)
{
    random_stream      stream = random_seeded(seed);
    const pile_setting setting = {.friction = random_uniform(&stream, 0.0, 1.0),
                                  .restitution = seed % 2 ? 0.0 : random_uniform(&stream, 0.0, 0.9),
                                  .step = 1e-3,
                                  .events = true};
    const bool         mixed = seed % 2 == 0; // with capsules among them
    atemi_scene_body   bodies[MANY];
    char               names[MANY][8];
    double             radii[MANY], mass = 0.0;
    pile               p;
    for (int i = 0; i < MANY; ++i) {
        const atemi_vec3 place = {0.2 * (i % 3) + random_uniform(&stream, -0.01, 0.01),
                                  0.2 * (i / 3 % 3) + random_uniform(&stream, -0.01, 0.01),
                                  0.12 + 0.22 * (i / 9) + random_uniform(&stream, 0.0, 0.02)};
        snprintf(names[i], sizeof names[i], "ball%d", i);
        radii[i] = random_uniform(&stream, 0.05, 0.09);
        bodies[i] = ball(names[i], random_uniform(&stream, 0.2, 2.0), radii[i], place);
        if (mixed && i < CAPSULES) {
            const atemi_vec3 above = {-0.45 + 0.02 * i, 0.1 + 0.01 * i, 0.15 + 0.5 * i};
            const atemi_mat3 tilted = lying(random_uniform(&stream, -0.5, 0.5));
            const atemi_mat3 yaw =
                atemi_mat3_from_rpy(0.0, 0.0, random_uniform(&stream, -3.0, 3.0));
            bodies[i] = capsule(names[i], radii[i], 0.2, above, atemi_mat3_multiply(&yaw, &tilted));
        }
        mass += bodies[i].inertia.mass;
    }
    pile_begin(&p, bodies, MANY, &setting);
    for (int i = 0; i < 6 * MANY; ++i) {
        p.v[i] = random_uniform(&stream, -1.0, 1.0);
    }
    pile_start(&p);
    double energy = pile_energy(&p);
    for (int k = 1; k <= 40; ++k) {
        pile_run(&p, 0.02 * k);
        const double now = pile_energy(&p);
        CHECK(now - energy < 1e-9 * (mass * g + 0.5 * mass));
        CHECK(mixed || least_gap(&p, radii, MANY) > -1e-9);
        energy = now;
    }
    const atemi_simulation_statistics s = atemi_simulation_statistics_get(p.simulation);
    CHECK(s.deepest < 1e-9);
    CHECK(s.collision_balance < 1e-12);
    CHECK(s.collisions > 20);
    pile_end(&p);
}

// Seed 47 once ended moments of slow rolling 39 nm deep: an open point was pressed in where those
// in touch were drawn together, and not lifted any more.
TEST(balls, of_twenty_gain_no_energy_and_do_not_sink)
{
    static const uint64_t seeds[] = {1, 2, 4, 47};
    for (int i = 0; i < 4; ++i) {
        drop_many(seeds[i]);
    }
}
