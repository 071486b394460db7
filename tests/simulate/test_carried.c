// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "atemi/blow.h"
#include "atemi/model_builder.h"
#include "bodies.h"
#include "check.h"
#include "random_tree.h"
#include "trial.h"

#include <math.h>
#include <string.h>

// Surfaces that are carried by what is struck: what pushes one thing pushes the other back.

static const double pi = 3.14159265358979323846;

static const atemi_vec3 cube = {0.2, 0.2, 0.2};

// The side of a cube that looks back along x.
static atemi_surface side_of(int link)
{
    return (atemi_surface){.kind = ATEMI_SURFACE_PLANE,
                           .position = {-0.5 * cube.x, 0.0, 0.0},
                           .axis = {-1.0, 0.0, 0.0},
                           .carried = true,
                           .link = link};
}

// A hand on a rail along x.
static atemi_model *slider_model(double mass)
{
    const atemi_inertia  none = {0}, hand = {.mass = mass, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    const atemi_vec3     along = {1.0, 0.0, 0.0}, origin = {0.0, 0.0, 0.0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "rail", &none);
    tree_add_link(builder, "hand", &hand);
    tree_add_joint(builder, "slide", ATEMI_JOINT_PRISMATIC, "rail", "hand", along, origin);
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

static atemi_model *weightless(double mass, atemi_vec3 size)
{
    body b = body_box(mass, size);
    b.gravity = 0.0;
    return body_model(&b);
}

// Takes the robot.
static atemi_model *scene_with(atemi_model *robot, const atemi_scene_body *target)
{
    atemi_model *scene = NULL;
    CHECK_STATUS(atemi_scene_create(robot, target, 1, &scene, NULL), ATEMI_OK);
    atemi_model_destroy(robot);
    return scene;
}

static atemi_simulation_point soft_point(int link, const atemi_compliance *law, double friction)
{
    atemi_simulation_point point = rough_point((atemi_vec3){0.0, 0.0, 0.0}, friction);
    point.link = link;
    point.compliance = law;
    return point;
}

// ---- Two masses on a line -------------------------------------------------------------------

// Links of a scene of the slider and a target; its coordinates are the places of the two.
enum { HAND = 2, TARGET = 3 };

static const double hand_mass = 4.0, target_mass = 5.0, speed = 2.0, distance = 0.05;

static void begin_on_line(trial *t, const atemi_compliance *law, atemi_integrator integrator)
{
    atemi_scene_body target = atemi_scene_body_box("target", target_mass, cube);
    target.type = ATEMI_JOINT_PRISMATIC;
    target.pose.position.x = 0.5 * cube.x + distance;
    const atemi_simulation_point point = soft_point(HAND, law, 0.0);
    const trial_setting          setting = {.model = scene_with(slider_model(hand_mass), &target),
                                            .surface = side_of(TARGET),
                                            .points = &point,
                                            .count = 1,
                                            .step = 1e-4,
                                            .integrator = integrator};
    const double                 q[2] = {0.0, 0.0}, v[2] = {speed, 0.0};
    trial_begin(t, &setting);
    trial_start(t, q, v);
}

// The same by atemi_blow(), with the hand's mass as the virtual one.
static atemi_blow_result blow_on_line(void)
{
    const atemi_striking_point point = {.link = 1, .direction = {1.0, 0.0, 0.0}};
    const double               q = 0.0;
    atemi_model               *slider = slider_model(hand_mass);
    atemi_blow_setting         setting = atemi_blow_setting_default();
    atemi_blow_options         options = atemi_blow_options_default();
    atemi_blow_result          result;
    atemi_arena                arena = atemi_arena_measuring();
    setting.speed = speed;
    setting.target.mass = target_mass;
    options.method = ATEMI_BLOW_VIRTUAL_MASS;
    atemi_virtual_base_take(&arena, slider);
    atemi_blow_scratch_take(&arena, slider);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    atemi_virtual_base base = atemi_virtual_base_take(&arena, slider);
    atemi_blow_scratch scratch = atemi_blow_scratch_take(&arena, slider);
    CHECK_STATUS(atemi_virtual_base_update(slider, &q, NULL, &point, &base, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_blow(&base, &setting, &options, NULL, &scratch, &result, NULL), ATEMI_OK);
    CHECK(result.released);
    atemi_arena_destroy(&arena);
    atemi_model_destroy(slider);
    return result;
}

// The surface and the target of [SDC] III. The force is greatest at first touch, c v; 1 ns later it
// has changed by 1e-7 of itself. The rest is that of steps of 0.1 ms across the end of the damper.
TEST(carried, surface_is_struck_as_two_masses_strike)
{
    static const atemi_integrator integrators[] = {ATEMI_INTEGRATOR_RK4, ATEMI_INTEGRATOR_ADAPTIVE};
    const atemi_spring_damper     spring = atemi_spring_damper_default();
    const atemi_compliance        law = atemi_compliance_compression_damper(&spring);
    const atemi_blow_result       expected = blow_on_line();
    for (int i = 0; i < 2; ++i) {
        trial t;
        begin_on_line(&t, &law, integrators[i]);
        trial_run(&t, distance / speed + 1e-9);
        CHECK_NEAR(-atemi_simulation_force(t.simulation, 0).x, spring.damping * speed, 1e-3);
        CHECK_NEAR(expected.peak_force, spring.damping * speed, 1e-9);
        trial_run(&t, 0.2);
        CHECK_EQUAL_INT(t.count, 2);
        CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_TOUCHDOWN);
        CHECK_NEAR(t.events[0].time, distance / speed, 1e-11);
        CHECK_NEAR(t.events[0].speed, speed, 1e-12);
        CHECK_EQUAL_INT(t.events[1].kind, ATEMI_EVENT_LIFT_OFF);
        CHECK_NEAR(t.events[1].time - t.events[0].time, expected.contact_time, 1e-6);
        const double *v = atemi_simulation_v(t.simulation);
        CHECK_NEAR(target_mass * v[1], expected.impulse, 1e-6);
        CHECK_NEAR(v[0], expected.hand_speed, 1e-6);
        trial_end(&t);
    }
}

// What the hand loses the target has, whatever the law and the steps.
TEST(carried, surface_gives_on_all_momentum)
{
    const atemi_spring_damper spring = {.stiffness = 1e4, .damping = 300.0};
    const atemi_hunt_crossley round = {.stiffness = 1e5, .dissipation = 0.3, .exponent = 1.5};
    const atemi_compliance    laws[] = {atemi_compliance_compression_damper(&spring),
                                        atemi_compliance_kelvin_voigt(&spring),
                                        atemi_compliance_hunt_crossley(&round)};
    for (int i = 0; i < 6; ++i) {
        trial t;
        begin_on_line(&t, &laws[i % 3], i < 3 ? ATEMI_INTEGRATOR_RK4 : ATEMI_INTEGRATOR_ADAPTIVE);
        for (int k = 1; k <= 100; ++k) {
            trial_run(&t, 1e-3 * k);
            const double *v = atemi_simulation_v(t.simulation);
            CHECK_NEAR(hand_mass * v[0] + target_mass * v[1], hand_mass * speed, 1e-12);
        }
        CHECK_EQUAL_INT(t.count, 2);
        trial_end(&t);
    }
}

// 1e-9 of it is what steps of 0.1 ms make of the energy of a spring.
TEST(carried, surface_never_gives_energy)
{
    const atemi_spring_damper spring = atemi_spring_damper_default();
    const atemi_compliance    law = atemi_compliance_compression_damper(&spring);
    trial                     t;
    begin_on_line(&t, &law, ATEMI_INTEGRATOR_RK4);
    double before = 0.5 * hand_mass * speed * speed;
    for (int k = 1; k <= 1000; ++k) {
        trial_run(&t, 1e-4 * k);
        const double depth = -atemi_simulation_gap(t.simulation, 0);
        const double energy = trial_energy(&t) + atemi_compliance_energy(&law, depth);
        CHECK(energy <= before + 1e-9 * before);
        before = energy;
    }
    CHECK(before < 0.8 * 0.5 * hand_mass * speed * speed);
    trial_end(&t);
}

// ---- Off centre -----------------------------------------------------------------------------

// A cube of the mass M and the inertia I is struck b beside its centre by a mass m, through a
// spring k so hard that nothing moves meanwhile. It gives way there as m' = 1 / (1/m + 1/M + b^2/I)
// together with the mass: the stay is pi sqrt(m' / k), the impulse p = 2 m' u, the turning p b / I.
// It turns by 4e-5 rad meanwhile, and as much of what is said here is not quite so.
TEST(carried, surface_struck_off_centre_turns)
{
    const atemi_spring_damper hard = {.stiffness = 1e7};
    const atemi_compliance    law = atemi_compliance_kelvin_voigt(&hard);
    const double              u = 0.01, b = 0.06, I = target_mass * 0.04 / 6.0;
    const double              give = 1.0 / hand_mass + 1.0 / target_mass + b * b / I;
    atemi_scene_body          target = atemi_scene_body_box("target", target_mass, cube);
    target.pose.position = (atemi_vec3){0.5 * cube.x + 1e-4, -b, 0.0};
    atemi_model                 *rail = slider_model(hand_mass);
    const atemi_simulation_point point = soft_point(HAND, &law, 0.0);
    const trial_setting          setting = {.model = scene_with(rail, &target),
                                            .surface = side_of(TARGET),
                                            .points = &point,
                                            .count = 1,
                                            .step = 1e-5};
    const double                 q[8] = {0, 0, 0, 0, 0, 0, 0, 1}, v[7] = {u};
    trial                        t;
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, 0.012);
    CHECK_EQUAL_INT(t.count, 2);
    CHECK_NEAR(t.events[1].time - t.events[0].time, pi / sqrt(give * hard.stiffness), 1e-7);
    const double *after = atemi_simulation_v(t.simulation);
    const double  p = 2.0 * u / give;
    CHECK_NEAR(after[0], u - p / hand_mass, 1e-4 * u);
    CHECK_NEAR(after[1], p / target_mass, 1e-4 * u);
    CHECK_NEAR(after[6], -p * b / I, 1e-4 * p * b / I);
    trial_end(&t);
}

// ---- Two free bodies ------------------------------------------------------------------------

// Links of a scene of a free body and a free target.
enum { BODY = 1, FREE_TARGET = 2 };

static const atemi_spring_damper rubber = {.stiffness = 5e3, .damping = 40.0};

// A ball on a brick strikes a turned cube off centre, both of them turning, with friction, while
// all drifts away with `drift`.
static void begin_free(trial *t, const atemi_compliance *law, atemi_vec3 drift)
{
    atemi_scene_body target = atemi_scene_body_box("target", 3.0, cube);
    target.pose.rotation = atemi_mat3_from_rpy(0.5, 0.1, -0.2);
    target.pose.position = (atemi_vec3){0.5, 0.05, -0.04};
    atemi_simulation_point point = soft_point(BODY, law, 0.4);
    point.point = (atemi_vec3){0.2, 0.02, 0.03};
    point.radius = 0.05;
    const trial_setting setting = {.model = scene_with(weightless(2.0, brick_size), &target),
                                   .surface = side_of(FREE_TARGET),
                                   .points = &point,
                                   .count = 1,
                                   .step = 1e-4};
    const double        q[14] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    const atemi_vec3    with = atemi_mat3_apply_transposed(&target.pose.rotation, drift);
    const double        v[12] = {1.5 + drift.x, 0.2 + drift.y, drift.z, 0.3, -0.5, 0.8,
                                 with.x,        with.y,        with.z,  0.4, 0.6,  -0.7};
    trial_begin(t, &setting);
    trial_start(t, q, v);
}

// Of everything, about the world's origin.
static atemi_force momentum(trial *t)
{
    const atemi_data *k = trial_kinematics(t);
    const atemi_vec3  center = atemi_center_of_mass(k);
    return atemi_force_at(atemi_momentum(k), atemi_vec3_scale(-1.0, center));
}

// What steps of 0.1 ms keep of the momentum of turning bodies.
TEST(carried, surface_of_a_free_body_keeps_linear_and_angular_momentum)
{
    const atemi_compliance law = atemi_compliance_compression_damper(&rubber);
    trial                  t;
    begin_free(&t, &law, (atemi_vec3){0.0, 0.0, 0.0});
    const atemi_force before = momentum(&t);
    const double      turning = atemi_simulation_v(t.simulation)[11];
    trial_run(&t, 0.3);
    CHECK_EQUAL_INT(t.count, 2);
    CHECK(fabs(atemi_simulation_v(t.simulation)[11] - turning) > 1.0); // it has been struck
    const atemi_force  after = momentum(&t);
    const atemi_motion a = {before.linear, before.angular}, b = {after.linear, after.angular};
    CHECK_NEAR(largest_motion_difference(a, b), 0.0, 1e-10);
    trial_end(&t);
}

TEST(carried, surface_of_a_free_body_takes_energy_by_friction)
{
    const atemi_spring_damper spring = {.stiffness = 5e3};
    const atemi_compliance    law = atemi_compliance_kelvin_voigt(&spring);
    trial                     t;
    begin_free(&t, &law, (atemi_vec3){0.0, 0.0, 0.0});
    const double first = trial_energy(&t);
    double       before = first;
    for (int k = 1; k <= 300; ++k) {
        trial_run(&t, 1e-3 * k);
        const double depth = -atemi_simulation_gap(t.simulation, 0);
        const double energy = trial_energy(&t) + atemi_compliance_energy(&law, depth);
        CHECK(energy <= before + 1e-9 * first);
        before = energy;
    }
    CHECK(before < 0.99 * first);
    trial_end(&t);
}

// Galileo: who drifts along sees the same. The events are located to 1e-12 s, and rounding grows
// with the way.
TEST(carried, surface_drifts_along_unnoticed)
{
    const atemi_compliance law = atemi_compliance_compression_damper(&rubber);
    const atemi_vec3       none = {0.0, 0.0, 0.0}, drift = {-3.0, 2.0, 1.0};
    trial                  still, drifting;
    begin_free(&still, &law, none);
    begin_free(&drifting, &law, drift);
    trial_run(&still, 0.3);
    trial_run(&drifting, 0.3);
    CHECK_EQUAL_INT(drifting.count, still.count);
    for (int i = 0; i < still.count; ++i) {
        CHECK_NEAR(drifting.events[i].time, still.events[i].time, 1e-10);
        CHECK_NEAR(drifting.events[i].speed, still.events[i].speed, 1e-10);
    }
    const atemi_vec3 moved = atemi_vec3_sub(atemi_simulation_position(drifting.simulation, 0),
                                            atemi_simulation_position(still.simulation, 0));
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(moved, atemi_vec3_scale(0.3, drift))), 0.0, 1e-9);
    CHECK_NEAR(atemi_simulation_gap(drifting.simulation, 0),
               atemi_simulation_gap(still.simulation, 0), 1e-9);
    trial_end(&still);
    trial_end(&drifting);
}

// ---- A still one ----------------------------------------------------------------------------

static void run_onto(const atemi_model *scene, const atemi_surface *surface,
                     const atemi_simulation_point *point, double *q_end)
{
    const atemi_simulation_options options = {.step = 2e-4, .tolerance = 1e-9};
    const double      q[7] = {0.02, 0.03, 0.6, 0, 0, 0, 1}, v[6] = {0.3, -0.2, -1.0, 1.0, 2.0, 3.0};
    atemi_simulation *s = NULL;
    CHECK_STATUS(atemi_simulation_create(scene, surface, 1, point, 1, &options, NULL, &s, NULL),
                 ATEMI_OK);
    CHECK_STATUS(atemi_simulation_start(s, 0.0, q, v, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_simulation_run(s, 0.5, NULL), ATEMI_OK);
    CHECK(atemi_simulation_statistics_get(s).events > 0);
    memcpy(q_end, atemi_simulation_q(s), sizeof q);
    atemi_simulation_destroy(s);
}

// Carried by what is bolted to the world, a surface is one of the world, whatever its shape.
TEST(carried, surface_that_cannot_move_is_a_still_one)
{
    static const atemi_surface_kind kinds[] = {ATEMI_SURFACE_PLANE, ATEMI_SURFACE_SPHERE,
                                               ATEMI_SURFACE_CYLINDER};
    const atemi_compliance          law = atemi_compliance_compression_damper(&rubber);
    atemi_scene_body                rock = {.name = "rock", .type = ATEMI_JOINT_FIXED};
    rock.pose = (atemi_transform){atemi_mat3_from_rpy(0.3, -0.2, 0.7), {0.1, 0.2, -0.1}};
    atemi_model           *scene = scene_with(body_model(&(body){.mass = 2.0,
                                                                 .inertia = {0.02, 0.03, 0.04},
                                                                 .base = ATEMI_BASE_FLOATING,
                                                                 .gravity = 9.81}),
                                              &rock);
    atemi_simulation_point point = soft_point(BODY, &law, 0.5);
    point.radius = 0.05;
    for (int i = 0; i < 3; ++i) {
        const atemi_vec3 axis = {0.6, 0.0, 0.8};
        double           q[7], expected[7];
        atemi_surface    carried = {.kind = kinds[i],
                                    .position = {0.0, 0.1, i ? -0.3 : 0.1},
                                    .axis = i ? (atemi_vec3){1.0, 0.0, 0.0} : axis,
                                    .radius = i ? 0.4 : 0.0,
                                    .carried = true,
                                    .link = FREE_TARGET};
        atemi_surface    still = carried;
        still.carried = false;
        still.position = atemi_transform_apply(&rock.pose, carried.position);
        still.axis = atemi_mat3_apply(&rock.pose.rotation, carried.axis);
        run_onto(scene, &carried, &point, q);
        run_onto(scene, &still, &point, expected);
        CHECK_NEAR(largest_difference(q, expected, 7), 0.0, 1e-10);
    }
    atemi_model_destroy(scene);
}

// ---- Rigid points ---------------------------------------------------------------------------

// The top of what carries it, of the link after the brick's.
static atemi_surface top_of(int link, double height)
{
    return (atemi_surface){.kind = ATEMI_SURFACE_PLANE,
                           .position = {0, 0, height},
                           .axis = {0, 0, 1},
                           .carried = true,
                           .link = link};
}

// A brick on its bottom upon something of a scene.
static void begin_upon(trial *t, const atemi_scene_body *below, atemi_surface top, double friction)
{
    atemi_simulation_point bottom[4];
    rough_bottom(brick_size, friction, bottom);
    for (int i = 0; i < 4; ++i) {
        bottom[i].link = BODY;
    }
    const trial_setting setting = {.model = scene_with(brick_model(), below),
                                   .surface = top,
                                   .points = bottom,
                                   .count = 4,
                                   .step = 1e-3};
    trial_begin(t, &setting);
}

// A brick of the mass m is thrown with v along a sled of the mass M on a rail: both slide until
// they are as fast, after v / (mu g (1 + m/M)), and go on so together.
TEST(carried, surface_of_a_sled_is_taken_along_by_friction)
{
    const double     v = 1.0, mu = 0.3, M = 5.0, g = 9.81, z = 0.5 * brick_size.z;
    const double     ratio = brick_mass / M, when = v / (mu * g * (1.0 + ratio));
    atemi_scene_body sled = atemi_scene_body_box("sled", M, (atemi_vec3){4.0, 1.0, 0.2});
    trial            t;
    sled.type = ATEMI_JOINT_PRISMATIC;
    begin_upon(&t, &sled, top_of(FREE_TARGET, 0.1), mu);
    const double q[8] = {0, 0, 0.1 + z, 0, 0, 0, 1, 0}, speeds[7] = {v};
    trial_start(&t, q, speeds);
    trial_run(&t, 0.5 * when);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], v - 0.5 * mu * g * when, 1e-10);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[6], 0.5 * mu * g * ratio * when, 1e-10);
    trial_run(&t, when + 0.2);
    const double       together = v * ratio / (1.0 + ratio);
    const atemi_event *stuck = trial_event(&t, ATEMI_EVENT_STICK, 0);
    CHECK(stuck);
    CHECK_NEAR(stuck->time, when, 1e-9);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], together, 1e-10);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[6], together, 1e-10);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 0.5 * (v + together) * when + 0.2 * together,
               1e-9);
    CHECK_NEAR(atemi_simulation_ledger_get(t.simulation).impulse.x, 0.0, 1e-12);
    trial_end(&t);
}

// A brick rides on a turntable, rho from its axis, as long as w^2 rho < mu g on all of its points;
// on a faster one it begins to slip at once, at the first of them.
TEST(carried, surface_of_a_turntable_carries_round_what_it_can)
{
    const double     rho = 0.5, mu = 0.5, z = 0.5 * brick_size.z;
    atemi_scene_body table = atemi_scene_body_box("table", 50.0, (atemi_vec3){0.2, 3.0, 3.0});
    table.type = ATEMI_JOINT_REVOLUTE; // about its x axis, which points up
    table.pose.rotation = (atemi_mat3){{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
    atemi_surface top = top_of(FREE_TARGET, 0.0);
    top.position = (atemi_vec3){0.1, 0, 0};
    top.axis = (atemi_vec3){1, 0, 0};
    for (int fast = 0; fast < 2; ++fast) {
        const double w = fast ? 4.0 : 2.5;
        trial        t;
        begin_upon(&t, &table, top, mu);
        const double q[8] = {rho, 0, 0.1 + z, 0, 0, 0, 1, 0};
        const double v[7] = {0, w * rho, 0, 0, 0, w, w};
        trial_start(&t, q, v);
        CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0),
                        fast ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_STICK);
        trial_run(&t, fast ? 0.1 : 1.0);
        const double *at = atemi_simulation_q(t.simulation);
        CHECK(!fast || hypot(at[0], at[1]) > rho + 1e-3);
        CHECK_NEAR(fast ? 0.0 : at[0] - rho * cos(w), 0.0, 1e-9);
        CHECK_NEAR(fast ? 0.0 : at[1] - rho * sin(w), 0.0, 1e-9);
        CHECK_NEAR(at[2], 0.1 + z, 1e-10);
        trial_end(&t);
    }
}

// By the method of steps rigid points are of the world's surfaces only: shapes touch instead.
TEST(carried, surface_is_for_soft_points_by_the_method_of_steps)
{
    const atemi_scene_body       target = atemi_scene_body_box("target", 1.0, cube);
    atemi_model                 *scene = scene_with(slider_model(1.0), &target);
    const atemi_surface          side = side_of(TARGET);
    const atemi_simulation_point rigid = soft_point(HAND, NULL, 0.0);
    atemi_simulation_options     options = atemi_simulation_options_default();
    atemi_simulation            *s = NULL;
    atemi_error                  error = {0};
    options.method = ATEMI_METHOD_STEPS;
    CHECK_STATUS(atemi_simulation_create(scene, &side, 1, &rigid, 1, &options, NULL, &s, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "contact point 0 is rigid");
    atemi_model_destroy(scene);
}

// ---- Refusals -------------------------------------------------------------------------------

static void check_refused(const atemi_model *scene, const atemi_surface *surface,
                          const atemi_simulation_point *point, const char *why)
{
    atemi_simulation *s = NULL;
    atemi_error       error = {0};
    CHECK_STATUS(atemi_simulation_create(scene, surface, 1, point, 1, NULL, NULL, &s, &error),
                 ATEMI_ERROR_INPUT);
    CHECK(!s);
    CHECK_CONTAINS(error.message, why);
}

TEST(carried, surface_is_for_points_of_other_links)
{
    const atemi_compliance       law = atemi_compliance_compression_damper(&rubber);
    const atemi_scene_body       target = atemi_scene_body_box("target", 1.0, cube);
    atemi_model                 *scene = scene_with(slider_model(1.0), &target);
    const atemi_surface          side = side_of(TARGET);
    const atemi_simulation_point soft = soft_point(HAND, &law, 0.0);
    atemi_simulation_point       wrong = soft;
    wrong.tied = true;
    check_refused(scene, &side, &wrong, "contact point 0 is tied");
    wrong = soft;
    wrong.link = TARGET;
    check_refused(scene, &side, &wrong, "which carries its surface");
    for (int link = -1; link <= 4; link += 5) {
        const atemi_surface lost = side_of(link);
        check_refused(scene, &lost, &soft, "which does not exist: the model has 4 links");
    }
    atemi_model_destroy(scene);
}
