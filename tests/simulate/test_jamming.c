// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "atemi/model.h"
#include "bodies.h"
#include "check.h"
#include "data.h"
#include "random.h"
#include "trial.h"

#include <math.h>

// Painleve's rod, of mass m and half-length l, leans forwards by the angle p from the vertical and
// slides backwards on its lower end. A normal force f brings the friction mu f along, forwards, and
// accelerates that end upwards by  f / m (c - mu s),  where
//
//   c = 1 + 3 sin^2 p,   s = 3 sin p cos p
//
// Where mu s > c, a force that pushes accelerates the end into the floor: there is no such motion.

static const double g = 9.81;
static const double m = 1.5, l = 0.4;

static double along_normal(double p)
{
    return 1.0 + 3.0 * sin(p) * sin(p);
}

static double by_friction(double p)
{
    return 3.0 * sin(p) * cos(p);
}

static atemi_model *rod_model(void)
{
    body rod = body_rod(m, 2.0 * l);
    rod.base = ATEMI_BASE_SAGITTAL;
    return body_model(&rod);
}

static const atemi_vec3 lower_end = {0.0, 0.0, -0.4};

// Leaning by p with its lower end at the origin, sliding with u forwards; base velocities are in
// the rod's axes.
typedef struct leaning {
    double q[3], v[3];
} leaning;

static leaning lean(double p, double u)
{
    return (leaning){{l * sin(p), l * cos(p), p}, {u * cos(p), u * sin(p), 0.0}};
}

// ---- The dynamics ---------------------------------------------------------------------------

enum { MOST_CONTACTS = 2 };

typedef struct answer {
    atemi_status         status;
    atemi_contact_report report;
    atemi_force          forces[MOST_CONTACTS];
} answer;

// The lower end slides backwards; the other contacts are as they are.
static answer solve_with(double p, double friction, atemi_contact *contacts, int count)
{
    atemi_model  *model = rod_model();
    atemi_data   *data = data_create(model);
    const leaning x = lean(p, -1.0);
    double        a[3];
    answer        found = {0};
    contacts[0] = atemi_contact_default();
    contacts[0].point = lower_end;
    contacts[0].friction = friction;
    found.status = atemi_constrained_dynamics(
        data, x.q, x.v, NULL, NULL, &(atemi_contact_set){.contacts = contacts, .count = count}, a,
        found.forces, &found.report);
    atemi_data_destroy(data);
    atemi_model_destroy(model);
    return found;
}

static answer solve(double p, double friction)
{
    atemi_contact contact;
    return solve_with(p, friction, &contact, 1);
}

TEST(jamming, is_reported_where_painleve_says)
{
    for (int i = 1; i < 15; ++i) {
        const double p = 0.1 * i, limit = along_normal(p) / by_friction(p);
        const answer free = solve(p, 0.99 * limit), jams = solve(p, 1.01 * limit);
        CHECK_STATUS(free.status, ATEMI_OK);
        CHECK_NEAR(free.report.jamming, 0.01, 1e-12);
        CHECK_NEAR(free.forces[0].linear.z * 0.01 * along_normal(p), m * g, 1e-9);
        CHECK_STATUS(jams.status, ATEMI_ERROR_SINGULAR);
        CHECK_NEAR(jams.report.jamming, -0.01, 1e-12);
    }
}

// About a point of the rod that sticks, at (x, z) from the lower end, it is a lever: of the end's
// mobility friction leaves  1 - mu z / x,  whatever the masses. Alone the end would jam in half of
// these cases.
TEST(jamming, of_a_point_beside_one_that_sticks_is_that_of_a_lever)
{
    const double  p = 0.7, mu = 1.5 * along_normal(p) / by_friction(p);
    random_stream stream = random_seeded(61);
    CHECK(solve(p, mu).report.jamming < 0.0);
    for (int i = 0; i < 100; ++i) {
        const double x = random_uniform(&stream, -0.5, 0.5), z = random_uniform(&stream, 0.0, 0.5);
        const double left = 1.0 - mu * z / x;
        const atemi_vec3 place = {x * cos(p) - z * sin(p), 0.0, x * sin(p) + z * cos(p)};
        atemi_contact    contacts[2] = {[1] = {.point = atemi_vec3_add(lower_end, place),
                                               .normal = {0.0, 0.0, 1.0},
                                               .mode = ATEMI_CONTACT_STICK}};
        const answer     found = solve_with(p, mu, contacts, 2);
        CHECK_NEAR(found.report.jamming, fmin(left, 1.0), 1e-9 * (1.0 + fabs(left)));
        CHECK_STATUS(found.status, left > 0.0 ? ATEMI_OK : ATEMI_ERROR_SINGULAR);
    }
}

// ---- The simulation -------------------------------------------------------------------------

static void begin_by(trial *t, double friction, const leaning *x, atemi_simulation_method method)
{
    const atemi_simulation_point end = rough_point(lower_end, friction);
    const trial_setting          setting = {.model = rod_model(),
                                            .surface = atemi_surface_floor(),
                                            .points = &end,
                                            .count = 1,
                                            .method = method,
                                            .step = 1e-3};
    trial_begin(t, &setting);
    trial_start(t, x->q, x->v);
}

static void begin(trial *t, double friction, const leaning *x)
{
    begin_by(t, friction, x, ATEMI_METHOD_EVENTS);
}

// The blow stops the end: the rod goes on turning about it, with its angular momentum about it,
// 4/3 m l^2 w = m l cos p u. The blow takes a part of a step, in which gravity adds to that.
TEST(jamming, ends_the_sliding_with_a_blow_that_takes_energy)
{
    trial         t;
    const double  p = 0.5, u = -1.0;
    const leaning x = lean(p, u);
    begin(&t, 1.2 * along_normal(p) / by_friction(p), &x);
    CHECK(trial_event(&t, ATEMI_EVENT_JAM, 0));
    CHECK_NEAR(atemi_simulation_v(t.simulation)[2], 0.75 * u * cos(p) / l, 1e-3 * g / l);
    double before = 0.5 * m * u * u + m * g * l * cos(p);
    for (int i = 1; i <= 20; ++i) {
        trial_run(&t, 0.01 * i);
        const double now = trial_energy(&t);
        CHECK(now <= before + 1e-9);
        CHECK(atemi_simulation_gap(t.simulation, 0) > -1e-9);
        before = now;
    }
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_JAM), 1);
    trial_end(&t);
}

// The rod slides; then the floor gets so rough that no sliding agrees with it. By events nothing
// can go on from there; steps take impulses, which stop the end.
TEST(jamming, on_a_floor_that_gets_rough_ends_events_and_not_steps)
{
    const double  p = 0.5, limit = along_normal(p) / by_friction(p);
    const leaning x = lean(p, -1.0);
    trial         t;
    atemi_error   error;
    begin(&t, 0.5 * limit, &x);
    trial_run(&t, 0.01);
    CHECK_STATUS(atemi_point_friction_set(t.simulation, 0, 1.5 * limit, 1.5 * limit, &error),
                 ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "jams");
    trial_end(&t);
    begin_by(&t, 0.5 * limit, &x, ATEMI_METHOD_STEPS);
    trial_run(&t, 0.01);
    CHECK_STATUS(atemi_point_friction_set(t.simulation, 0, 1.5 * limit, 1.5 * limit, &error),
                 ATEMI_OK);
    trial_run(&t, 0.03);
    CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0), ATEMI_CONTACT_STICK);
    trial_end(&t);
}

TEST(jamming, does_not_come_where_friction_is_less)
{
    trial         t;
    const double  p = 0.5;
    const leaning x = lean(p, -1.0);
    begin(&t, 0.9 * along_normal(p) / by_friction(p), &x);
    CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0), ATEMI_CONTACT_SLIP);
    CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z, m * g / (0.1 * along_normal(p)), 1e-9);
    trial_run(&t, 1e-2);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_JAM), 0);
    trial_end(&t);
}

// Sliding forwards, friction turns the end away from the floor: whatever its size, it never jams.
TEST(jamming, never_comes_if_the_rod_is_drawn_along)
{
    trial         t;
    const double  p = 0.5, mu = 2.0 * along_normal(p) / by_friction(p);
    const leaning x = lean(p, 1.0);
    begin(&t, mu, &x);
    CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z,
               m * g / (along_normal(p) + mu * by_friction(p)), 1e-9);
    trial_run(&t, 0.2);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_JAM), 0);
    trial_end(&t);
}

// ---- Two links that touch at one place ------------------------------------------------------

// A cart and the bob below it, both as balls about the bob's joint: on the floor they touch it at
// one place, each sliding its own way, and how they share their force is open. One that would jam
// alone may slide beside the other; of the least forces together one may exceed its friction where
// others do not. Whatever is chosen, the motion goes on, and loses energy.
static trial_setting two_balls(double friction, atemi_simulation_point points[4])
{
    const cart c = {.cart_mass = 2.0, .bob_mass = 1.0, .arm = 0.1, .bob_inertia = 0.005};
    points[0] = points[1] = rough_point((atemi_vec3){0.0, 0.0, 0.0}, friction);
    points[2] = rough_point((atemi_vec3){0.3, 0.0, 0.1}, friction);
    points[3] = rough_point((atemi_vec3){0.0, 0.0, -0.2}, friction);
    points[0].radius = points[1].radius = 0.15;
    points[2].radius = points[3].radius = 0.05;
    points[1].link = points[3].link = 1;
    return (trial_setting){.model = cart_model(&c, false),
                           .surface = atemi_surface_floor(),
                           .points = points,
                           .count = 4,
                           .step = 1e-3};
}

static void throw_at_floor(trial *t, uint64_t seed)
{
    random_stream stream = random_seeded(seed);
    double        q[8], v[7];
    atemi_configuration_neutral(t->setting.model, q);
    for (int i = 0; i < 7; ++i) {
        v[i] = random_uniform(&stream, -3.0, 3.0);
    }
    q[7] = random_uniform(&stream, -3.0, 3.0);
    q[2] = 0.5;
    trial_start(t, q, v);
}

TEST(jamming, does_not_end_the_motion_of_links_that_touch_at_one_place)
{
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        trial                  t;
        atemi_simulation_point points[4];
        const trial_setting    setting = two_balls(seed % 2 ? 5.0 : 1.0, points);
        trial_begin(&t, &setting);
        throw_at_floor(&t, seed);
        double before = trial_energy(&t);
        for (int i = 1; i <= 30; ++i) {
            trial_run(&t, 0.05 * i);
            const double now = trial_energy(&t);
            CHECK(now <= before + 1e-8); // of 40 J: RK4 at 1 ms
            before = now;
        }
        trial_end(&t);
    }
}

// ---- A joint that is damped -----------------------------------------------------------------

// A block with a light wheel, whose joint is damped within 1 us, as servos damp light wrists. It
// slides backwards on a point below it, x behind its centre and z below, and jams: friction leaves
// 1 + (m / I) (x^2 - mu x z) < 0  of the mobility of that point. The blow takes a moment, of 1 /
// 128 of a step at first, 8 us, which is longer than the Runge-Kutta method follows such damping:
// the wheel would spin (8 us / 1 us)^4 / 24 times as fast after it. (With steps of 1 ms a pushed
// Talos came to 1.6e10 J by such moments.)
static const double wheel_inertia = 1e-6, wheel_damping = 1.0; // kg m^2, N m s/rad

static void damp_wheel(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)context;
    (void)time;
    (void)q;
    tau[6] = -wheel_damping * v[6];
}

static void tell_damping(void *context, double *damping)
{
    (void)context;
    damping[6] += wheel_damping;
}

TEST(jamming, takes_no_moment_that_is_too_long_for_a_damped_joint)
{
    trial                        t;
    const double                 x = 0.15, z = 0.2, spin = -1.0;
    const cart                   c = {.cart_mass = 2.0, .bob_inertia = wheel_inertia};
    const atemi_simulation_point foot = rough_point((atemi_vec3){-x, 0.0, -z}, 3.0);
    const trial_setting          setting = {
                 .model = cart_model(&c, false),
                 .surface = atemi_surface_floor(),
                 .points = &foot,
                 .count = 1,
                 .step = 1e-3,
                 .hooks = {.torque = damp_wheel, .damping = tell_damping},
    };
    const double q[8] = {x, 0, z, 0, 0, 0, 1, 0}, v[7] = {-1.0, 0, 0, 0, 0, 0, spin};
    double before = 0.5 * c.cart_mass + 0.5 * wheel_inertia * spin * spin + c.cart_mass * g * z;
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    CHECK(trial_event(&t, ATEMI_EVENT_JAM, 0));
    for (int i = 0; i <= 20; ++i) {
        trial_run(&t, 1e-3 * i);
        const double now = trial_energy(&t);
        CHECK(now <= before + 1e-9);
        before = now;
    }
    trial_end(&t);
}
