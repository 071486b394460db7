// SPDX-License-Identifier: Apache-2.0

#include "simulate/closed_loops.h"

#include "atemi/kinematics.h"
#include "atemi/model_builder.h"
#include "check.h"
#include "simulate/simulation.h"
#include "trial.h"

#include <math.h>

// Closed loops by both methods. RK4 with 1 ms follows these motions to (h w)^4 / 120 < 1e-12 a
// step; steps of 1 ms are of second order. A loop is closed to 1e-9 in either.

static const double g = 9.81;

// Bars in the x-z plane that hang down at zero: a crank at the origin, a coupler at its end, and a
// rocker `ground` away along x. The end of the coupler, which points along x at zero, is that of
// the rocker.
typedef struct four_bar {
    double          crank, coupler, rocker, ground; // lengths, m
    double          mass;                           // of each bar, evenly spread
    atemi_loop_kind kind;
    bool            pendulum; // on the crank, turned twice as far by a mimic joint
} four_bar;

// A slender bar from the origin of its link to `end`.
static void add_bar(atemi_model_builder *builder, const char *name, double mass, atemi_vec3 end)
{
    const double                 length = atemi_vec3_norm(end), I = mass * length * length / 12.0;
    const double                 thin = 1e-3 * I;
    const bool                   hangs = fabs(end.z) > fabs(end.x);
    const atemi_link_description link = {
        .name = name,
        .inertia = {.mass = mass,
                    .com = atemi_vec3_scale(0.5, end),
                    .rotational = {.xx = hangs ? I : thin, .yy = I, .zz = hangs ? thin : I}}};
    atemi_error error;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, &error), ATEMI_OK);
}

static void add_hinge(atemi_model_builder *builder, const char *parent, const char *child,
                      atemi_vec3 at, const char *mimic)
{
    atemi_error             error;
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = child;
    joint.type = ATEMI_JOINT_CONTINUOUS;
    joint.parent = parent;
    joint.child = child;
    joint.origin.position = at;
    joint.axis = (atemi_vec3){0.0, 1.0, 0.0};
    joint.mimic = mimic;
    joint.mimic_multiplier = 2.0;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, &error), ATEMI_OK);
}

static atemi_model *four_bar_model(const four_bar *b)
{
    atemi_model_builder         *builder;
    atemi_model                 *model;
    atemi_error                  error;
    const atemi_link_description world = {.name = "world"};
    const atemi_vec3             down = {0.0, 0.0, -b->crank};
    const atemi_mat3             about_y = atemi_mat3_with_z((atemi_vec3){0.0, 1.0, 0.0});
    const atemi_loop_description loop = {.name = "end",
                                         .kind = b->kind,
                                         .first = "coupler",
                                         .second = "rocker",
                                         .on_first = {about_y, {b->coupler, 0.0, 0.0}},
                                         .on_second = {about_y, {0.0, 0.0, -b->rocker}}};
    CHECK_STATUS(atemi_model_builder_create("four-bar", NULL, &builder, &error), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_link(builder, &world, &error), ATEMI_OK);
    add_bar(builder, "crank", b->mass, down);
    add_bar(builder, "coupler", b->mass, (atemi_vec3){b->coupler, 0.0, 0.0});
    add_bar(builder, "rocker", b->mass, (atemi_vec3){0.0, 0.0, -b->rocker});
    add_hinge(builder, "world", "crank", (atemi_vec3){0.0, 0.0, 0.0}, NULL);
    add_hinge(builder, "crank", "coupler", down, NULL);
    add_hinge(builder, "world", "rocker", (atemi_vec3){b->ground, 0.0, 0.0}, NULL);
    if (b->pendulum) {
        add_bar(builder, "bob", b->mass, (atemi_vec3){0.0, 0.0, -0.2});
        add_hinge(builder, "crank", "bob", down, "crank");
    }
    CHECK_STATUS(atemi_model_builder_add_loop(builder, &loop, &error), ATEMI_OK);
    atemi_model_options options = atemi_model_options_default();
    options.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_model_builder_finish(builder, &options, &model, &error), ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return model;
}

static void begin(trial *t, atemi_model *model, double step, atemi_simulation_method method)
{
    const trial_setting setting = {.model = model, .step = step, .method = method};
    trial_begin(t, &setting);
}

static const atemi_simulation_method methods[] = {ATEMI_METHOD_EVENTS, ATEMI_METHOD_STEPS};
static const atemi_loop_kind         kinds[] = {ATEMI_LOOP_POINT, ATEMI_LOOP_HINGE};

// ---- The parallelogram

// Its coupler does not rotate: it is a pendulum with the mass moment m l + 2 m l / 2 and the
// inertia m l^2 + 2 m l^2 / 3, whose period is 2 pi / w / agm(1, cos(top / 2)).
static double period_of(double length, double top)
{
    const double w = sqrt(2.0 * g / (length * (1.0 + 2.0 / 3.0)));
    double       a = 1.0, b = cos(0.5 * top);
    for (int i = 0; i < 10; ++i) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * acos(-1.0) / (w * a);
}

static void check_swing(atemi_simulation_method method, atemi_loop_kind kind, double tolerance)
{
    const four_bar bars = {
        .crank = 0.5, .coupler = 0.8, .rocker = 0.5, .ground = 0.8, .mass = 2.0, .kind = kind};
    const double top = 1.0, q[3] = {top, -top, top}, v[3] = {0.0}, T = period_of(0.5, top);
    trial        t;
    begin(&t, four_bar_model(&bars), 1e-3, method);
    trial_start(&t, q, v);
    const double energy = trial_energy(&t);
    for (int k = 1; k <= 6; ++k) {
        const double side = k % 2 ? -1.0 : 1.0;
        trial_run(&t, 0.5 * k * T);
        const double *now = atemi_simulation_q(t.simulation);
        CHECK_NEAR(now[0], side * top, tolerance);
        CHECK_NEAR(now[1], -side * top, tolerance);
        CHECK_NEAR(now[2], side * top, tolerance);
        CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 0.0, 10.0 * sqrt(tolerance) * 1e-2);
        CHECK(atemi_simulation_loop(t.simulation, 0).opening < 1e-9);
        CHECK_NEAR(trial_energy(&t), energy, tolerance * fabs(energy));
    }
    trial_end(&t);
}

// Steps of 1 ms lag behind by (w h)^2 / 24 of the phase, 1e-5 in six swings at w = 4.9 /s; at the
// turning points that shows in q as its square.
TEST(closed_loops, parallelogram_swings_as_a_pendulum)
{
    for (int i = 0; i < 2; ++i) {
        check_swing(ATEMI_METHOD_EVENTS, kinds[i], 1e-9);
        check_swing(ATEMI_METHOD_STEPS, kinds[i], 2e-6);
    }
}

// At rest the coupler's weight is carried half by the crank, half through the loop.
TEST(closed_loops, force_at_rest_is_half_the_weight)
{
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            const four_bar bars = {.crank = 0.5,
                                   .coupler = 0.8,
                                   .rocker = 0.5,
                                   .ground = 0.8,
                                   .mass = 2.0,
                                   .kind = kinds[k]};
            const double   q[3] = {0.0}, v[3] = {0.0};
            trial          t;
            begin(&t, four_bar_model(&bars), 1e-3, methods[i]);
            trial_start(&t, q, v);
            trial_run(&t, 0.01);
            const atemi_loop_report loop = atemi_simulation_loop(t.simulation, 0);
            CHECK_NEAR(loop.force.linear.z, g, 1e-6);
            CHECK_NEAR(loop.force.linear.x, 0.0, 1e-6);
            atemi_force wrenches[3];
            atemi_simulation_wrenches(t.simulation, wrenches);
            CHECK_NEAR(fabs(wrenches[0].linear.z), 3.0 * g, 1e-5); // crank and half the coupler
            trial_end(&t);
        }
    }
}

// ---- A four-bar

// The angles of coupler and rocker that belong to one of the crank, by the cosine rule. Angles are
// those of the joints: a bar at angle q hangs along (-sin q, -cos q).
static void angles_of(const four_bar *b, double crank, double *coupler, double *rocker)
{
    const double x = -b->crank * sin(crank), z = -b->crank * cos(crank);
    const double dx = b->ground - x, dz = -z, d = hypot(dx, dz);
    const double to_pivot = atan2(dz, dx);
    const double inner =
        acos((b->coupler * b->coupler + d * d - b->rocker * b->rocker) / (2.0 * b->coupler * d));
    const double along = to_pivot - inner; // of the coupler, from x towards z
    const double ex = x + b->coupler * cos(along) - b->ground, ez = z + b->coupler * sin(along);
    *coupler = -along - crank;
    *rocker = atan2(-ex, -ez);
}

static void check_angles(trial *t, const four_bar *bars)
{
    const double *q = atemi_simulation_q(t->simulation);
    double        coupler, rocker;
    angles_of(bars, q[0], &coupler, &rocker);
    CHECK_NEAR(sin(q[1] - coupler), 0.0, 1e-8);
    CHECK_NEAR(sin(q[2] - rocker), 0.0, 1e-8);
    CHECK(atemi_simulation_loop(t->simulation, 0).opening < 1e-9);
}

// Grashof's: the crank goes all the way round, at w h = 0.03. Its energy stays to (w h)^4 / 120 a
// step of RK4. By steps the velocities that would open the loop, (w h)^2 of all, are taken away at
// the end of each, (w h)^4 of the energy: 2e-3 in 2000 steps at most.
TEST(closed_loops, four_bar_goes_round_with_the_angles_of_geometry)
{
    const double kept[] = {1e-6, 2e-3};
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 4; ++k) {
            const four_bar bars = {.crank = 0.2,
                                   .coupler = 0.6,
                                   .rocker = 0.5,
                                   .ground = 0.7,
                                   .mass = 1.0,
                                   .kind = kinds[k / 2],
                                   .pendulum = k % 2};
            double         q[3] = {0.3, 0.0, 0.0}, v[3] = {40.0, 0.0, 0.0};
            trial          t;
            angles_of(&bars, q[0], &q[1], &q[2]);
            begin(&t, four_bar_model(&bars), 1e-3, methods[i]);
            trial_start(&t, q, v);
            const double energy = trial_energy(&t);
            double       moved = 0.0;
            for (int row = 1; row <= 100; ++row) {
                trial_run(&t, 0.02 * row);
                check_angles(&t, &bars);
                CHECK_NEAR(trial_energy(&t), energy, kept[i] * fabs(energy));
                moved = fmax(moved, fabs(atemi_simulation_q(t.simulation)[0]));
            }
            CHECK(moved > 4.0 * acos(-1.0)); // it does go round, twice
            trial_end(&t);
        }
    }
}

// ---- Bodies that are joined

static atemi_model *two_boxes(atemi_loop *loop)
{
    atemi_scene_body first = atemi_scene_body_box("first", 2.0, (atemi_vec3){0.4, 0.2, 0.1});
    atemi_scene_body second = atemi_scene_body_box("second", 1.0, (atemi_vec3){0.1, 0.3, 0.2});
    second.pose.position = (atemi_vec3){0.3, 0.1, 0.0};
    const atemi_scene_body bodies[] = {first, second};
    atemi_model           *scene;
    atemi_error            error;
    CHECK_STATUS(atemi_scene_create(NULL, bodies, 2, &scene, &error), ATEMI_OK);
    *loop = (atemi_loop){.name = "weld",
                         .kind = ATEMI_LOOP_WELD,
                         .first = atemi_model_find_link(scene, "first"),
                         .second = atemi_model_find_link(scene, "second"),
                         .on_first = {atemi_mat3_identity(), {0.2, 0.0, 0.0}},
                         .on_second = {atemi_mat3_identity(), {-0.1, -0.1, 0.0}}};
    return scene;
}

static atemi_simulation *simulation_with(const atemi_model *model, const atemi_loop *loop,
                                         atemi_simulation_method method)
{
    atemi_simulation        *simulation;
    atemi_error              error = {0};
    atemi_simulation_options options = atemi_simulation_options_default();
    options.method = method;
    options.loops = loop;
    options.loop_count = 1;
    CHECK_STATUS(
        atemi_simulation_create(model, NULL, 0, NULL, 0, &options, NULL, &simulation, &error),
        ATEMI_OK);
    return simulation;
}

// Two boxes that are welded tumble as one body: their momentum grows by m g t, and their moment of
// momentum about the centre of mass stays. Velocities in the axes of a body that rotates at 5 rad/s
// have errors of fourth order by RK4, and of second order by steps, (w h)^2 / 24 of 3 N s in each
// of some radians: what a single box has as well.
TEST(closed_loops, welded_boxes_keep_their_momentum)
{
    const double tolerance[] = {1e-8, 2e-3};
    for (int i = 0; i < 2; ++i) {
        atemi_loop        loop;
        atemi_model      *scene = two_boxes(&loop);
        atemi_simulation *s = simulation_with(scene, &loop, methods[i]);
        atemi_data       *data = data_create(scene);
        double            q[14], v[12] = {0.5, 0.0, 2.0, 1.0, 2.0, 3.0};
        atemi_error       error = {0};
        atemi_configuration_neutral(scene, q);
        CHECK_STATUS(atemi_simulation_start(s, 0.0, q, v, &error), ATEMI_OK);
        atemi_update_kinematics(data, atemi_simulation_q(s), atemi_simulation_v(s), NULL);
        const atemi_force before = atemi_momentum(data);
        CHECK_STATUS(atemi_simulation_run(s, 1.0, &error), ATEMI_OK);
        atemi_update_kinematics(data, atemi_simulation_q(s), atemi_simulation_v(s), NULL);
        const atemi_force after = atemi_momentum(data);
        CHECK(atemi_vec3_norm(before.angular) > 0.05);
        CHECK_NEAR(after.linear.x, before.linear.x, tolerance[i]);
        CHECK_NEAR(after.linear.y, before.linear.y, tolerance[i]);
        CHECK_NEAR(after.linear.z, before.linear.z - 3.0 * g, tolerance[i]);
        CHECK_NEAR(after.angular.x, before.angular.x, tolerance[i]);
        CHECK_NEAR(after.angular.y, before.angular.y, tolerance[i]);
        CHECK_NEAR(after.angular.z, before.angular.z, tolerance[i]);
        CHECK(atemi_simulation_loop(s, 0).opening < 1e-9);
        atemi_data_destroy(data);
        atemi_simulation_destroy(s);
        atemi_model_destroy(scene);
    }
}

// ---- Where it starts

TEST(closed_loops, open_loop_is_closed_at_the_start)
{
    for (int i = 0; i < 2; ++i) {
        const four_bar bars = {.crank = 0.2,
                               .coupler = 0.6,
                               .rocker = 0.5,
                               .ground = 0.7,
                               .mass = 1.0,
                               .kind = ATEMI_LOOP_HINGE};
        const double   q[3] = {0.3, -0.3, 0.2}, v[3] = {1.0, 0.0, 0.0};
        trial          t;
        begin(&t, four_bar_model(&bars), 1e-3, methods[i]);
        trial_start(&t, q, v);
        check_angles(&t, &bars);
        trial_end(&t);
    }
}

// The rocker is out of reach.
TEST(closed_loops, loop_that_cannot_be_closed_is_named)
{
    const four_bar bars = {.crank = 0.2, .coupler = 0.3, .rocker = 0.2, .ground = 1.0, .mass = 1.0};
    const double   q[3] = {0.3, 0.0, 0.2}, v[3] = {0.0};
    trial          t;
    atemi_error    error = {0};
    begin(&t, four_bar_model(&bars), 1e-3, ATEMI_METHOD_EVENTS);
    CHECK_STATUS(atemi_simulation_start(t.simulation, 0.0, q, v, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "loop 'end' cannot be closed");
    trial_end(&t);
}

TEST(closed_loops, loop_of_a_link_that_is_none_is_refused)
{
    atemi_loop               loop;
    atemi_model             *scene = two_boxes(&loop);
    atemi_simulation        *simulation;
    atemi_error              error = {0};
    atemi_simulation_options options = atemi_simulation_options_default();
    loop.second = 17;
    options.loops = &loop;
    options.loop_count = 1;
    CHECK_STATUS(
        atemi_simulation_create(scene, NULL, 0, NULL, 0, &options, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "loop 'weld' joins link 1 to link 17");
    atemi_model_destroy(scene);
}

// What is not a number would become a contact at an unknown place.
TEST(closed_loops, state_without_numbers_is_refused)
{
    const four_bar bars = {.crank = 0.5, .coupler = 0.8, .rocker = 0.5, .ground = 0.8, .mass = 2.0};
    double         q[3] = {0.0, (double)NAN, 0.0}, v[3] = {0.0};
    trial          t;
    atemi_error    error = {0};
    begin(&t, four_bar_model(&bars), 1e-3, ATEMI_METHOD_STEPS);
    CHECK_STATUS(atemi_simulation_start(t.simulation, 0.0, q, v, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "q[1] is nan");
    q[1] = 0.0;
    v[2] = (double)INFINITY;
    CHECK_STATUS(atemi_simulation_start(t.simulation, 0.0, q, v, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "v[2] is inf");
    trial_end(&t);
}
