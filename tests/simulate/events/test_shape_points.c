// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/shape_points.h"

#include "allocations.h"
#include "atemi/dynamics.h"
#include "bits.h"
#include "check.h"
#include "data.h"
#include "pile.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Balls and capsules that touch, by the method of events.

static atemi_scene_body ball(const char *name, double mass, double radius, double x, double y,
                             double z)
{
    return pile_body(name, mass, ATEMI_SHAPE_SPHERE, (atemi_vec3){radius, 0, 0},
                     (atemi_vec3){x, y, z});
}

static atemi_scene_body fixed(atemi_scene_body body)
{
    body.type = ATEMI_JOINT_FIXED;
    return body;
}

static double distance(atemi_vec3 a, atemi_vec3 b)
{
    return atemi_vec3_norm(atemi_vec3_sub(a, b));
}

// What happened first of a kind, and the place of a body then.
typedef struct witness {
    pile            *of;
    atemi_event_kind kind;
    int              body, count;
    double           time;
    atemi_vec3       place, other; // of the body and of the one before it
} witness;

static void watch(void *context, const atemi_event *event)
{
    witness *w = (witness *)context;
    if (event->kind == w->kind && w->count++ == 0) {
        w->time = event->time;
        w->place = pile_place(w->of, w->body);
        w->other = w->body ? pile_place(w->of, w->body - 1) : w->place;
    }
}

// ---- Collisions -----------------------------------------------------------------------------

// On a line, of any masses: u_1' - u_2' = -e (u_1 - u_2), with the momentum of before. Flight is
// straight, so that all is exact but for rounding.
TEST(shape_points, of_two_balls_collide_on_a_line_with_their_restitution)
{
    static const double restitutions[] = {0.0, 0.5, 1.0};
    for (int i = 0; i < 3; ++i) {
        const double           e = restitutions[i], m1 = 2.0, m2 = 0.5, u1 = 3.0, u2 = -1.0;
        const atemi_scene_body bodies[] = {ball("a", m1, 0.1, 0, 0, 0),
                                           ball("b", m2, 0.15, 0.65, 0, 0)};
        const pile_setting     setting = {
                .restitution = e, .friction = 0.5, .step = 1e-2, .floats = true, .events = true};
        const double mean = (m1 * u1 + m2 * u2) / (m1 + m2);
        pile         p;
        pile_begin(&p, bodies, 2, &setting);
        p.v[0] = u1;
        p.v[6] = u2;
        pile_start(&p);
        pile_run(&p, 0.3);
        CHECK_NEAR(pile_velocity(&p, 0).x, mean - e * m2 / (m1 + m2) * (u1 - u2), 1e-12);
        CHECK_NEAR(pile_velocity(&p, 1).x, mean + e * m1 / (m1 + m2) * (u1 - u2), 1e-12);
        CHECK_NEAR(pile_place(&p, 0).x, 0.1 * u1 + 0.2 * pile_velocity(&p, 0).x, 1e-11);
        CHECK_EQUAL_INT(atemi_simulation_touch_count(p.simulation), e == 0.0);
        pile_end(&p);
    }
}

// Two spheres: along n by the reduced mass, across by 1 / (1/m_1 + 1/m_2 + r_1^2/I_1 + r_2^2/I_2),
// the same in all directions, or by friction. They are in touch at the start, and collide there.
static void check_oblique(double friction, bool slides)
{
    const double           m1 = 2.0, m2 = 0.7, r1 = 0.1, r2 = 0.15, e = 0.6;
    const atemi_vec3       n = {-0.8, 0.48, 0.36}; // from the second to the first
    const atemi_vec3       to = atemi_vec3_scale(-(r1 + r2), n);
    const atemi_scene_body bodies[] = {ball("a", m1, r1, 0, 0, 0),
                                       ball("b", m2, r2, to.x, to.y, to.z)};
    const pile_setting     setting = {
            .restitution = e, .friction = friction, .step = 1e-4, .floats = true, .events = true};
    const double I1 = 0.4 * m1 * r1 * r1, I2 = 0.4 * m2 * r2 * r2;
    pile         p;
    pile_begin(&p, bodies, 2, &setting);
    const atemi_vec3 u1 = {3, -1, 0.5}, w1 = {4, -9, 6}, u2 = {-1, 1.2, 0}, w2 = {-3, 2, 8};
    const double v[12] = {u1.x, u1.y, u1.z, w1.x, w1.y, w1.z, u2.x, u2.y, u2.z, w2.x, w2.y, w2.z};
    memcpy(p.v, v, sizeof v);
    pile_start(&p);
    const atemi_vec3 before = atemi_vec3_add(atemi_vec3_scale(m1, u1), atemi_vec3_scale(m2, u2));
    const atemi_vec3 spins = atemi_vec3_add(atemi_vec3_scale(I1, w1), atemi_vec3_scale(I2, w2));
    const atemi_vec3 moment = atemi_vec3_add(spins, atemi_vec3_cross(to, atemi_vec3_scale(m2, u2)));
    const atemi_vec3 u =
        atemi_vec3_sub(atemi_vec3_sub(u1, atemi_vec3_scale(r1, atemi_vec3_cross(w1, n))),
                       atemi_vec3_add(u2, atemi_vec3_scale(r2, atemi_vec3_cross(w2, n))));
    const double     u_n = atemi_vec3_dot(u, n);
    const atemi_vec3 u_t = atemi_vec3_sub(u, atemi_vec3_scale(u_n, n));
    const double     p_n = -(1.0 + e) * u_n / (1.0 / m1 + 1.0 / m2);
    const double     m_t = 1.0 / (1.0 / m1 + 1.0 / m2 + r1 * r1 / I1 + r2 * r2 / I2);
    const double     most = friction * p_n / atemi_vec3_norm(u_t);
    CHECK(slides == (most < m_t));
    const atemi_vec3 across = atemi_vec3_scale(-fmin(m_t, most), u_t);
    const atemi_vec3 impulse = atemi_vec3_add(atemi_vec3_scale(p_n, n), across);
    const atemi_vec3 turn = atemi_vec3_cross(n, across); // -r n x p on both, over r
    atemi_data      *data = data_create(p.model);
    atemi_update_kinematics(data, atemi_simulation_q(p.simulation),
                            atemi_simulation_v(p.simulation), NULL);
    const atemi_motion one = atemi_link_velocity(data, p.first);
    const atemi_motion two = atemi_link_velocity(data, p.first + 1);
    atemi_data_destroy(data);
    CHECK_NEAR(distance(one.linear, atemi_vec3_add(u1, atemi_vec3_scale(1.0 / m1, impulse))), 0.0,
               1e-12);
    CHECK_NEAR(distance(two.linear, atemi_vec3_sub(u2, atemi_vec3_scale(1.0 / m2, impulse))), 0.0,
               1e-12);
    CHECK_NEAR(distance(one.angular, atemi_vec3_sub(w1, atemi_vec3_scale(r1 / I1, turn))), 0.0,
               1e-11);
    CHECK_NEAR(distance(two.angular, atemi_vec3_sub(w2, atemi_vec3_scale(r2 / I2, turn))), 0.0,
               1e-11);
    CHECK_NEAR(distance(pile_momentum(&p), before), 0.0, 1e-12);
    CHECK_NEAR(distance(pile_moment(&p), moment), 0.0, 1e-12);
    CHECK(atemi_simulation_statistics_get(p.simulation).collision_balance < 1e-12);
    CHECK_NEAR(atemi_vec3_norm(atemi_simulation_ledger_get(p.simulation).impulse), 0.0, 0.0);
    pile_end(&p);
}

TEST(shape_points, of_two_balls_that_meet_obliquely_give_each_other_spin)
{
    check_oblique(5.0, false);
    check_oblique(0.1, true);
}

static void begin_cradle(pile *p, double gap)
{
    atemi_scene_body   bodies[5];
    char               names[5][8];
    const pile_setting setting = {.restitution = 1.0, .step = 1e-3, .floats = true, .events = true};
    for (int i = 0; i < 5; ++i) {
        snprintf(names[i], sizeof names[i], "ball%d", i);
        bodies[i] = ball(names[i], 1.0, 0.02, (i ? 0.1 : 0.0) + (0.04 + gap) * i, 0, 0);
    }
    pile_begin(p, bodies, 5, &setting);
    p->v[0] = 1.0;
    pile_start(p);
}

// A micrometre apart each collides after the other: the last one leaves alone.
TEST(shape_points, of_newtons_cradle_pass_the_velocity_on)
{
    pile p;
    begin_cradle(&p, 1e-6);
    pile_run(&p, 0.15);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(pile_velocity(&p, i).x, i == 4 ? 1.0 : 0.0, 1e-12);
    }
    CHECK_NEAR(pile_energy(&p), 0.5, 1e-12);
    CHECK_EQUAL_INT(atemi_simulation_statistics_get(p.simulation).collisions, 4);
    pile_end(&p);
}

// In touch they collide at once, with a restitution for each pair that comes nearer: the first one
// is thrown back as if the others were one body. Momentum and energy stay here as well.
TEST(shape_points, of_a_cradle_in_touch_collide_as_one_body)
{
    pile p;
    begin_cradle(&p, 0.0);
    pile_run(&p, 0.15);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(pile_velocity(&p, i).x, i ? 0.4 : -0.6, 1e-12);
    }
    CHECK_NEAR(pile_momentum(&p).x, 1.0, 1e-12);
    CHECK_NEAR(pile_energy(&p), 0.5, 1e-12);
    pile_end(&p);
}

// ---- Pairs ----------------------------------------------------------------------------------

static void check_refused(const atemi_scene_body *bodies, int count, const char *what,
                          const char *cure)
{
    atemi_model                  *model = NULL;
    atemi_touch_shape             list[2];
    atemi_error                   error = {0};
    atemi_simulation             *simulation;
    atemi_simulation_options      options = atemi_simulation_options_default();
    const atemi_simulation_shapes shapes = {.shapes = list, .count = count, .each_other = true};
    CHECK_STATUS(atemi_scene_create(NULL, bodies, count, &model, NULL), ATEMI_OK);
    atemi_touch_shapes_of(model, 0.5, 0.0, list);
    options.shapes = &shapes;
    CHECK_STATUS(
        atemi_simulation_create(model, NULL, 0, NULL, 0, &options, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, what);
    CHECK_CONTAINS(error.message, cure);
    CHECK_STATUS(atemi_simulation_shapes_check(model, &options, &error), ATEMI_ERROR_INPUT);
    options.method = ATEMI_METHOD_STEPS;
    CHECK_STATUS(atemi_simulation_shapes_check(model, &options, &error), ATEMI_OK);
    atemi_model_destroy(model);
}

TEST(shape_points, of_shapes_without_a_smooth_distance_are_refused)
{
    const atemi_vec3       size = {0.1, 0.3, 0.2}, here = {0, 0, 0};
    const atemi_scene_body box = pile_body("c", 1.0, ATEMI_SHAPE_BOX, size, here);
    const atemi_scene_body can = pile_body("d", 1.0, ATEMI_SHAPE_CYLINDER, size, here);
    check_refused(&box, 1, "the box of link 'c'", "method: steps");
    check_refused(&can, 1, "the cylinder of link 'd'", "balls and capsules");
}

// What overlaps is not lifted out, which would give it energy; a hair is.
TEST(shape_points, do_not_start_inside_each_other)
{
    static const double depths[] = {1e-3, 1e-7};
    for (int i = 0; i < 2; ++i) {
        const atemi_scene_body bodies[] = {ball("a", 1.0, 0.1, 0, 0, 0),
                                           ball("b", 1.0, 0.1, 0.2 - depths[i], 0, 0)};
        const pile_setting     setting = {.step = 1e-3, .floats = true, .events = true};
        pile                   p;
        atemi_error            error = {0};
        pile_begin(&p, bodies, 2, &setting);
        CHECK_STATUS(atemi_simulation_start(p.simulation, 0.0, p.q, p.v, &error),
                     i ? ATEMI_OK : ATEMI_ERROR_INPUT);
        CHECK_CONTAINS(error.message, i ? "" : "link 'a' starts 0.001 m inside link 'b'");
        pile_end(&p);
    }
}

// ---- Rolling and sliding --------------------------------------------------------------------

static const double R = 0.5, r = 0.1, start = 0.1; // m, m, rad from the top

// A ball of 1 kg on a larger one, at rest; runs until it has left that.
static witness fall_off(atemi_scene_body big, double friction, atemi_event_kind kind)
{
    const atemi_scene_body bodies[] = {
        big, ball("small", 1.0, r, (R + r) * sin(start), 0, R + (R + r) * cos(start))};
    pile         p;
    witness      w = {.of = &p, .kind = kind, .body = 1};
    pile_setting setting = {.friction = friction, .step = 1e-3, .events = true};
    setting.hooks = (atemi_simulation_hooks){.event = watch, .context = &w};
    pile_begin(&p, bodies, 2, &setting);
    pile_start(&p);
    const double energy = pile_energy(&p);
    for (int i = 1; i <= 150 && w.count == 0; ++i) {
        pile_run(&p, 0.01 * i);
        CHECK(pile_energy(&p) < energy + 1e-9 &&
              (friction > 0.0 || pile_energy(&p) > energy - 1e-9));
    }
    CHECK(w.count > 0);
    CHECK(atemi_simulation_statistics_get(p.simulation).deepest < 1e-9);
    pile_end(&p);
    return w;
}

static double cosine_of(const witness *w)
{
    return (w->place.z - w->other.z) / distance(w->place, w->other);
}

// From rest at the angle s it leaves a fixed ball at cos = 2/3 cos s.
TEST(shape_points, of_a_ball_that_slides_down_a_fixed_ball_part_at_two_thirds)
{
    const witness w = fall_off(fixed(ball("big", 1.0, R, 0, 0, R)), 0.0, ATEMI_EVENT_LIFT_OFF);
    CHECK_NEAR(cosine_of(&w), 2.0 / 3.0 * cos(start), 1e-8);
}

// Rolling, with N = m g (17 cos - 10 cos s) / 7 and the friction 2/7 m g sin, it slips where that
// is friction times N; with friction beyond all bounds it leaves at cos = 10/17 cos s, which 1e5 is
// off by 2 sin / (17 1e5) = 1e-6 at most before it slips, and about as much after it.
TEST(shape_points, of_a_ball_that_rolls_down_a_fixed_ball_part_at_ten_seventeenths)
{
    const double  most = 1e5, mu = 0.7;
    const witness slips = fall_off(fixed(ball("big", 1.0, R, 0, 0, R)), mu, ATEMI_EVENT_SLIP);
    const double  c = cosine_of(&slips), s = sqrt(1.0 - c * c);
    CHECK_NEAR(mu * (17.0 * c - 10.0 * cos(start)), 2.0 * s, 1e-7);
    const witness leaves =
        fall_off(fixed(ball("big", 1.0, R, 0, 0, R)), most, ATEMI_EVENT_LIFT_OFF);
    CHECK_NEAR(cosine_of(&leaves), 10.0 / 17.0 * cos(start), 1e-5);
}

// A free one that slides on the floor without friction is pushed away; with k = m / (m + M) they
// part at  k cos^3 - 3 cos + 2 cos s = 0.
TEST(shape_points, of_a_ball_that_slides_down_a_free_ball_part_later)
{
    static const double masses[] = {0.5, 1.0, 20.0};
    for (int i = 0; i < 3; ++i) {
        const witness w = fall_off(ball("big", masses[i], R, 0, 0, R), 0.0, ATEMI_EVENT_LIFT_OFF);
        const double  c = cosine_of(&w), k = 1.0 / (1.0 + masses[i]);
        CHECK_NEAR(k * c * c * c - 3.0 * c + 2.0 * cos(start), 0.0, 1e-8);
    }
}

// ---- Accelerations --------------------------------------------------------------------------

// Forces that press two bodies together, along a line.
typedef struct press {
    atemi_vec3 force;
    int        link;
} press;

static void push(void *context, double time, atemi_force *forces)
{
    const press *by = (const press *)context;
    (void)time;
    forces[by->link].linear = atemi_vec3_add(forces[by->link].linear, by->force);
    forces[by->link + 1].linear = atemi_vec3_sub(forces[by->link + 1].linear, by->force);
}

// The axis of a body, of half its length; a ball's has none.
typedef struct axis {
    atemi_vec3 middle, along;
    double     half;
} axis;

static axis axis_of(const atemi_transform *pose, double half)
{
    return (axis){pose->position, pose->rotation.z, half};
}

static atemi_vec3 nearest(const axis *of, atemi_vec3 place)
{
    const double along = atemi_vec3_dot(atemi_vec3_sub(place, of->middle), of->along);
    return atemi_vec3_add(of->middle,
                          atemi_vec3_scale(fmin(fmax(along, -of->half), of->half), of->along));
}

// Of two bodies: half their axes' lengths and their radii.
typedef struct pair_sizes {
    double half[2], radius[2];
} pair_sizes;

// Of body 0 relative to body 1 at the place where they touch: from poses and twists alone. Nearest
// places are found by going to and fro, which comes nearer by cos^2 of the angle each time.
static atemi_vec3 sliding_at(const pile *p, const double *q, const double *v,
                             const pair_sizes *sizes, double *gap, atemi_vec3 *normal)
{
    atemi_data *data = data_create(p->model);
    atemi_update_kinematics(data, q, v, NULL);
    const atemi_transform on = atemi_link_pose(data, p->first);
    const atemi_transform below = atemi_link_pose(data, p->first + 1);
    const atemi_motion    a = atemi_link_velocity(data, p->first);
    const atemi_motion    b = atemi_link_velocity(data, p->first + 1);
    atemi_data_destroy(data);
    const axis upper = axis_of(&on, sizes->half[0]), lower = axis_of(&below, sizes->half[1]);
    atemi_vec3 c = on.position, foot = nearest(&lower, c);
    for (int i = 0; i < 200; ++i) {
        c = nearest(&upper, foot);
        foot = nearest(&lower, c);
    }
    const atemi_vec3 d = atemi_vec3_sub(c, foot);
    const atemi_vec3 n = atemi_vec3_scale(1.0 / atemi_vec3_norm(d), d);
    const atemi_vec3 place = atemi_vec3_sub(c, atemi_vec3_scale(sizes->radius[0], n));
    *gap = atemi_vec3_norm(d) - sizes->radius[0] - sizes->radius[1];
    *normal = n;
    return atemi_vec3_sub(atemi_motion_at(a, atemi_vec3_sub(place, on.position)).linear,
                          atemi_motion_at(b, atemi_vec3_sub(place, below.position)).linear);
}

static double somewhere(random_stream *stream, double half)
{
    const double at = random_uniform(stream, -1.6, 1.6);
    return half * fmin(fmax(at, -1.0), 1.0); // now and then at an end
}

// Puts body 0 in touch with body 1, at random places of both axes, so that the two do not come
// nearer there, or do not slide at all.
// @return whether these places are the nearest ones; `normal` points to body 0
static bool put_in_touch(pile *p, random_stream *stream, const pair_sizes *sizes, bool slides,
                         atemi_vec3 *normal)
{
    for (int i = 0; i < 14; ++i) { // orientations, and places behind them
        p->q[i] = i % 7 < 3 ? 0.0 : random_uniform(stream, -1.0, 1.0);
    }
    atemi_configuration_normalize(p->model, p->q);
    atemi_data *data = data_create(p->model);
    atemi_update_kinematics(data, p->q, p->v, NULL);
    const atemi_transform on = atemi_link_pose(data, p->first);
    const atemi_transform below = atemi_link_pose(data, p->first + 1);
    atemi_data_destroy(data);
    const double     s = somewhere(stream, sizes->half[0]), t = somewhere(stream, sizes->half[1]);
    const bool       side = fabs(s) < sizes->half[0], lower_side = fabs(t) < sizes->half[1];
    const atemi_vec3 anyhow = {random_uniform(stream, -1, 1), random_uniform(stream, -1, 1),
                               random_uniform(stream, -1, 1)};
    const atemi_vec3 u = on.rotation.z, w = below.rotation.z;
    atemi_vec3       n = side && lower_side ? atemi_vec3_cross(u, w)
                         : side             ? atemi_vec3_cross(u, anyhow)
                         : lower_side       ? atemi_vec3_cross(w, anyhow)
                                            : anyhow;
    n = atemi_vec3_scale(1.0 / atemi_vec3_norm(n), n);
    const atemi_vec3 c = atemi_vec3_add(on.position, atemi_vec3_scale(s, u));
    const atemi_vec3 foot = atemi_vec3_add(below.position, atemi_vec3_scale(t, w));
    const atemi_vec3 out = atemi_vec3_scale(sizes->radius[0] + sizes->radius[1], n);
    const atemi_vec3 shift = atemi_vec3_sub(atemi_vec3_add(foot, out), c);
    double           gap;
    p->q[0] += shift.x;
    p->q[1] += shift.y;
    p->q[2] += shift.z;
    const atemi_vec3 slide = sliding_at(p, p->q, p->v, sizes, &gap, normal);
    const atemi_vec3 off =
        slides ? atemi_vec3_scale(atemi_vec3_dot(slide, *normal), *normal) : slide;
    const atemi_vec3 own = atemi_mat3_apply_transposed(&on.rotation, off);
    p->v[0] -= own.x;
    p->v[1] -= own.y;
    p->v[2] -= own.z;
    return fabs(gap) < 1e-14 && atemi_vec3_norm(atemi_vec3_cross(u, w)) > 0.5;
}

// How fast the relative velocity changes, and the second derivative of the gap, by differences over
// +-dt along the motion that begins with q, v and a.
typedef struct change {
    atemi_vec3 of_sliding;
    double     of_gap;
} change;

static change change_over(const pile *p, double dt, const pair_sizes *sizes)
{
    const double *a = atemi_simulation_a(p->simulation);
    double        q[14], mean[12], after[12], gaps[3];
    atemi_vec3    sliding[3], normal;
    for (int side = -1; side <= 1; ++side) {
        const double h = side * dt;
        for (int i = 0; i < 12; ++i) {
            mean[i] = p->v[i] + 0.5 * h * a[i];
            after[i] = p->v[i] + h * a[i];
        }
        atemi_configuration_integrate(p->model, p->q, mean, h, q);
        sliding[side + 1] = sliding_at(p, q, after, sizes, &gaps[side + 1], &normal);
    }
    return (change){atemi_vec3_scale(0.5 / dt, atemi_vec3_sub(sliding[2], sliding[0])),
                    (gaps[0] - 2.0 * gaps[1] + gaps[2]) / (dt * dt)};
}

static atemi_scene_body round_body(const char *name, double mass, double half, double radius)
{
    const atemi_vec3 size = {radius, 2.0 * half, 0}, here = {0, 0, 0};
    return pile_body(name, mass, half > 0.0 ? ATEMI_SHAPE_CAPSULE : ATEMI_SHAPE_SPHERE, size, here);
}

// Both bodies spin and fly anyhow, pressed together, and slide if `slides`. With the accelerations
// that the simulation finds there, the relative velocity where they touch does not change, or its
// part along the normal: by central differences over 0.1 and 0.2 ms, of which both together are off
// by (0.2 ms)^4 times a fifth derivative of some 1e9 m/s^5. Each term of the accelerations is one
// of 1 to 100 m/s^2. Rounding of the gap, 1e-16 m, is worth 1e-8 m/s^2.
static void check_acceleration(uint64_t seed, double upper_half, double half, bool slides)
{
    random_stream          stream = random_seeded(seed);
    const pair_sizes       sizes = {{upper_half, half}, {r, 0.2}};
    const atemi_scene_body bodies[] = {round_body("on", 1.0, upper_half, r),
                                       round_body("below", 2.0, half, 0.2)};
    press                  by = {.link = 2};
    const pile_setting     setting = {.friction = slides ? 0.0 : 1e3,
                                      .step = 1e-3,
                                      .floats = true,
                                      .events = true,
                                      .hooks = {.external_forces = push, .context = &by}};
    pile                   p;
    atemi_vec3             normal;
    bool                   placed = false;
    pile_begin(&p, bodies, 2, &setting);
    for (int i = 0; i < 1000 && !placed; ++i) {
        for (int k = 0; k < 12; ++k) {
            p.v[k] = random_uniform(&stream, -3.0, 3.0);
        }
        placed = put_in_touch(&p, &stream, &sizes, slides, &normal);
    }
    CHECK(placed);
    by.force = atemi_vec3_scale(-300.0, normal);
    pile_start(&p);
    CHECK_EQUAL_INT(atemi_simulation_touch_count(p.simulation), 1);
    CHECK_EQUAL_INT(atemi_simulation_touch(p.simulation, 0).mode,
                    slides ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_STICK);
    const change     fine = change_over(&p, 1e-4, &sizes), coarse = change_over(&p, 2e-4, &sizes);
    const atemi_vec3 rate = atemi_vec3_scale(
        1.0 / 3.0, atemi_vec3_sub(atemi_vec3_scale(4.0, fine.of_sliding), coarse.of_sliding));
    CHECK_NEAR((4.0 * fine.of_gap - coarse.of_gap) / 3.0, 0.0, 1e-5);
    CHECK_NEAR(slides ? 0.0 : atemi_vec3_norm(rate), 0.0, 1e-5);
    pile_end(&p);
}

// A ball on a ball and on a capsule, and a capsule on a capsule: side on side, end on side, ...
TEST(shape_points, of_two_bodies_in_motion_keep_together)
{
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        check_acceleration(seed, seed % 3 == 2 ? 0.4 : 0.0, seed % 3 ? 0.5 : 0.0, seed % 4 < 2);
    }
}
