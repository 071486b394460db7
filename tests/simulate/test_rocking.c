// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// A block 2b wide and 2h high, R = sqrt(b^2 + h^2) from its centre to an edge, alpha = atan(b / h),
// rocks from edge to edge (Housner). Turning about an edge keeps its energy:
//
//   w^2 = 2 p^2 (cos(alpha - tilt_0) - cos(alpha - tilt)),   p^2 = 3 g / (4 R)
//
// and in the collision, angular momentum about the edge to come:  w' / w = 1 - 3/2 sin^2 alpha.

static const double g = 9.81;
static const double b = 0.06, h = 0.2, m = 3.0;

static const atemi_simulation_hooks alone = {0};

static double radius(void)
{
    return hypot(b, h);
}

static double alpha(void)
{
    return atan2(b, h);
}

// w as it falls flat from a tilt at which it stands still.
static double rate_at_collision(double tilt)
{
    const double p2 = 0.75 * g / radius();
    return sqrt(2.0 * p2 * (cos(alpha() - tilt) - cos(alpha())));
}

// The tilt at which it stands still if it rises with w.
static double tilt_reached(double w)
{
    return alpha() - acos(cos(alpha()) + w * w * radius() / (1.5 * g));
}

// The time from there to flat: the integral of d tilt / w, with tilt = t (1 - s^2) to take the
// singularity away, by Simpson's rule, good to 1e-12.
static double time_to_fall(double t)
{
    const int    n = 400;
    const double p2 = 0.75 * g / radius();
    double       sum = 0.0;
    for (int i = 0; i <= n; ++i) {
        const double s = (double)i / n, fallen = 0.5 * t * s * s;
        const double slope = sin(alpha() - t + fallen) * (i ? sin(fallen) / (s * s) : 0.5 * t);
        const double weight = i % n == 0 ? 1.0 : i % 2 ? 4.0 : 2.0;
        sum += weight * 2.0 * t / sqrt(4.0 * p2 * slope);
    }
    return sum / (3.0 * n);
}

// In the plane, on two points; or in space, on four, about the edge along y.
static void begin(trial *t, bool in_space, atemi_simulation_hooks hooks)
{
    const atemi_vec3       size = {2.0 * b, 0.3, 2.0 * h};
    body                   block = body_box(m, size);
    atemi_simulation_point bottom[4];
    block.base = in_space ? ATEMI_BASE_FLOATING : ATEMI_BASE_SAGITTAL;
    rough_bottom(size, 0.8, bottom);
    const trial_setting setting = {.model = body_model(&block),
                                   .surface = atemi_surface_floor(),
                                   .points = bottom,
                                   .count = in_space ? 4 : 2,
                                   .step = 1e-3,
                                   .hooks = hooks};
    trial_begin(t, &setting);
}

// Tilted forwards, standing on the edge with x > 0.
static void release(trial *t, bool in_space, double tilt)
{
    const double v[6] = {0};
    const double x = radius() * sin(tilt - alpha()), z = radius() * cos(tilt - alpha());
    const double in_plane[3] = {x, z, tilt};
    const double in_room[7] = {x, 0, z, 0, sin(tilt / 2), 0, cos(tilt / 2)};
    trial_start(t, in_space ? in_room : in_plane, v);
}

// Each collision is one touchdown in the plane, and one for each end of the edge in space.
TEST(rocking, keeps_angular_momentum_about_the_edge_to_come)
{
    for (int in_space = 0; in_space <= 1; ++in_space) {
        trial        t;
        const double tilt = 0.2, r = 1.0 - 1.5 * pow(sin(alpha()), 2.0);
        const int    ends = in_space ? 2 : 1;
        double       w = rate_at_collision(tilt), time = time_to_fall(tilt);
        begin(&t, in_space, alone);
        release(&t, in_space, tilt);
        trial_run(&t, 2.0);
        int from = 0;
        for (int k = 0; k < 8; ++k) {
            double upwards = 0.0, sideways = 0.0;
            for (int end = 0; end < ends; ++end) {
                const atemi_event *collision = trial_event(&t, ATEMI_EVENT_TOUCHDOWN, from);
                CHECK(collision);
                from = (int)(collision - t.events) + 1;
                CHECK_NEAR(collision->time, time, 1e-9);
                CHECK_NEAR(collision->speed, 2.0 * b * w, 1e-9);
                upwards += collision->impulse.z;
                sideways += collision->impulse.x;
            }
            CHECK_NEAR(upwards, m * b * w * (1.0 + r), 1e-9);
            CHECK_NEAR(fabs(sideways), m * h * w * (1.0 - r), 1e-9);
            w *= r;
            time += 2.0 * time_to_fall(tilt_reached(w));
        }
        trial_end(&t);
    }
}

// The collisions are infinitely many, but the time between them shrinks as their speeds do.
TEST(rocking, ends_flat_and_never_inside_the_floor)
{
    for (int in_space = 0; in_space <= 1; ++in_space) {
        trial t;
        begin(&t, in_space, alone);
        release(&t, in_space, 0.2);
        trial_run(&t, 3.0);
        const double *q = atemi_simulation_q(t.simulation);
        double        upwards = 0.0;
        for (int i = 0; i < t.setting.count; ++i) {
            CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, i), ATEMI_CONTACT_STICK);
            CHECK_NEAR(atemi_simulation_gap(t.simulation, i), 0.0, 1e-12);
            upwards += atemi_simulation_force(t.simulation, i).z;
        }
        CHECK_NEAR(upwards, m * g, 1e-9);
        CHECK_NEAR(in_space ? q[4] : q[2], 0.0, 1e-11);
        CHECK(trial_count(&t, ATEMI_EVENT_SLIP) == 0);
        CHECK(atemi_simulation_statistics_get(t.simulation).deepest < 1e-10);
        trial_end(&t);
    }
}

// ---- Tipping --------------------------------------------------------------------------------

static const double growth = 8.0; // N/s

static void push(void *context, double time, atemi_force *forces)
{
    (void)context;
    forces[0].linear.x += growth * time;
}

// A growing push at its centre tips it over when its moment about the edge ahead is that of the
// weight: F h = m g b.
TEST(rocking, begins_where_the_push_exceeds_what_the_weight_holds)
{
    const atemi_simulation_hooks hooks = {.external_forces = push};
    for (int in_space = 0; in_space <= 1; ++in_space) {
        trial        t;
        const double tips = m * g * b / (h * growth);
        begin(&t, in_space, hooks);
        release(&t, in_space, 0.0);
        trial_run(&t, tips + 0.1);
        CHECK_EQUAL_INT(t.count, in_space ? 2 : 1);
        for (int i = 0; i < t.count; ++i) {
            CHECK_EQUAL_INT(t.events[i].kind, ATEMI_EVENT_LIFT_OFF);
            CHECK_NEAR(t.events[i].time, tips, 1e-9);
        }
        CHECK(atemi_simulation_gap(t.simulation, 0) > 1e-6);
        trial_end(&t);
    }
}
