// SPDX-License-Identifier: Apache-2.0

#include "atemi/trajectory.h"

#include "check.h"
#include "random.h"

#include <math.h>
#include <stddef.h>

static atemi_trapezoid_task task_of(double from, double v0, double to, double v1, double velocity,
                                    double acceleration)
{
    return (atemi_trapezoid_task){.start = {from, v0, 0.0},
                                  .end = {to, v1, 0.0},
                                  .velocity = velocity,
                                  .acceleration = acceleration};
}

static atemi_trapezoid way_in(const atemi_trapezoid_task *task, double duration)
{
    atemi_trapezoid way;
    CHECK(atemi_trapezoid_in(task, duration, &way));
    return way;
}

// ---- Closed forms ---------------------------------------------------------------------------

TEST(trapezoid, from_rest_to_rest_has_the_textbook_duration)
{
    const atemi_trapezoid_task near = task_of(1.0, 0.0, 1.5, 0.0, 2.0, 4.0);
    const atemi_trapezoid_task far = task_of(1.0, 0.0, -4.0, 0.0, 2.0, 4.0);
    CHECK_NEAR(way_in(&near, 0.0).duration, 2.0 * sqrt(0.5 / 4.0), 1e-15);
    CHECK_NEAR(way_in(&far, 0.0).duration, 5.0 / 2.0 + 2.0 / 4.0, 1e-15);
}

TEST(trapezoid, has_the_states_of_its_pieces)
{
    const atemi_trapezoid_task far = task_of(1.0, 0.0, 6.0, 0.0, 2.0, 4.0);
    const atemi_trapezoid      way = way_in(&far, 0.0);
    const atemi_axis_state     rising = atemi_trapezoid_at(&way, 0.25);
    const atemi_axis_state     cruising = atemi_trapezoid_at(&way, 1.5);
    const atemi_axis_state     falling = atemi_trapezoid_at(&way, 2.75);
    CHECK_NEAR(rising.position, 1.0 + 0.5 * 4.0 * 0.0625, 1e-15);
    CHECK_NEAR(rising.velocity, 1.0, 1e-15);
    CHECK_NEAR(rising.acceleration, 4.0, 1e-14);
    CHECK_NEAR(cruising.position, 3.5, 1e-14);
    CHECK_NEAR(cruising.acceleration, 0.0, 0.0);
    CHECK_NEAR(falling.velocity, 1.0, 1e-14);
    CHECK_NEAR(falling.acceleration, -4.0, 1e-14);
}

TEST(trapezoid, goes_on_at_the_speed_of_its_ends)
{
    const atemi_trapezoid_task task = task_of(0.0, 1.0, 3.0, -0.5, 2.0, 4.0);
    const atemi_trapezoid      way = way_in(&task, 0.0);
    CHECK_NEAR(atemi_trapezoid_at(&way, -2.0).position, -2.0, 0.0);
    CHECK_NEAR(atemi_trapezoid_at(&way, way.duration + 2.0).position, 2.0, 1e-14);
    CHECK_NEAR(atemi_trapezoid_at(&way, way.duration + 2.0).velocity, -0.5, 0.0);
    CHECK_NEAR(atemi_trapezoid_at(&way, way.duration + 2.0).acceleration, 0.0, 0.0);
}

TEST(trapezoid, brakes_a_start_beyond_the_bound_first)
{
    const atemi_trapezoid_task task = task_of(0.0, 3.0, 10.0, 0.0, 1.0, 2.0);
    const atemi_trapezoid      way = way_in(&task, 0.0);
    CHECK_NEAR(atemi_trapezoid_at(&way, 0.5).acceleration, -2.0, 1e-14);
    CHECK_NEAR(atemi_trapezoid_at(&way, 1.0).velocity, 1.0, 1e-14);
    CHECK_NEAR(way.duration, 1.0 + (10.0 - 2.0 - 0.25) / 1.0 + 0.5, 1e-14); // 2 m to brake
}

// With v = 1 at both ends, 0.9 to go and A = 1, slowing down to w covers it for 1 - w^2 <= 0.9
// only: beyond 2 (1 - w), and up to the time in which the axis turns round, 2 (1 + w), nothing
// does.
TEST(trapezoid, passes_over_durations_that_have_no_way)
{
    const double               w = sqrt(0.1);
    const atemi_trapezoid_task task = task_of(0.0, 1.0, 0.9, 1.0, 2.0, 1.0);
    CHECK_NEAR(way_in(&task, 0.0).duration, 2.0 * (sqrt(1.9) - 1.0), 1e-15);
    CHECK_NEAR(way_in(&task, 1.0).duration, 1.0, 1e-15);
    CHECK_NEAR(way_in(&task, 2.0 * (1.0 - w) - 1e-9).duration, 2.0 * (1.0 - w), 2e-9);
    CHECK_NEAR(way_in(&task, 2.0 * (1.0 - w) + 1e-9).duration, 2.0 * (1.0 + w), 1e-14);
    CHECK_NEAR(way_in(&task, 2.0).duration, 2.0 * (1.0 + w), 1e-14);
    CHECK_NEAR(way_in(&task, 3.0).duration, 3.0, 1e-15);
}

TEST(trapezoid, that_is_already_there_takes_no_time)
{
    const atemi_trapezoid_task still = task_of(2.0, 0.0, 2.0, 0.0, 1.0, 1.0);
    const atemi_trapezoid      way = way_in(&still, 0.0), wait = way_in(&still, 3.0);
    CHECK_EQUAL_INT(way.count, 0);
    CHECK_NEAR(atemi_trapezoid_at(&way, 0.0).position, 2.0, 0.0);
    CHECK_NEAR(wait.duration, 3.0, 0.0);
    CHECK_NEAR(atemi_trapezoid_at(&wait, 1.0).position, 2.0, 0.0);
}

TEST(trapezoid, refuses_what_is_no_task)
{
    const atemi_trapezoid_task bad[] = {
        task_of((double)NAN, 0.0, 1.0, 0.0, 1.0, 1.0), task_of(0.0, 0.0, 1.0, 0.0, 0.0, 1.0),
        task_of(0.0, 0.0, 1.0, 0.0, 1.0, -1.0), task_of(0.0, (double)INFINITY, 1.0, 0.0, 1.0, 1.0),
        task_of(0.0, 0.0, 1.0, 0.0, 1.0, (double)INFINITY)};
    atemi_trapezoid way;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        CHECK(!atemi_trapezoid_fastest(&bad[i], &way));
    }
}

// ---- Random tasks ---------------------------------------------------------------------------

enum { AXES = 5, CASES = 200000 };

// One in six starts or ends beyond its bound, some at rest, some already there, some unbounded.
static atemi_trapezoid_task random_task(random_stream *r)
{
    const double         V = random_uniform(r, 0.2, 3.0), A = random_uniform(r, 0.3, 20.0);
    atemi_trapezoid_task t =
        task_of(random_uniform(r, -2.0, 2.0), random_uniform(r, -1.2, 1.2) * V,
                random_uniform(r, -2.0, 2.0), random_uniform(r, -1.2, 1.2) * V, V, A);
    const int kind = random_index(r, 12);
    t.start.velocity = kind == 0 || kind == 1 ? 0.0 : t.start.velocity;
    t.end.velocity = kind == 1 || kind == 2 ? 0.0 : t.end.velocity;
    t.end.position = kind == 3 ? t.start.position : t.end.position;
    t.velocity = kind == 4 ? (double)INFINITY : t.velocity;
    return t;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9;
}

// Pieces join, start and end are met, bounds hold but for speed that the ends bring along.
static bool is_right(const atemi_trapezoid_task *t, const atemi_trapezoid *way)
{
    atemi_axis_state at = t->start;
    double           total = 0.0;
    const double     most = fmax(fmax(fabs(at.velocity), fabs(t->end.velocity)), t->velocity);
    bool             right = true;
    for (int i = 0; i < way->count; ++i) {
        const atemi_axis_state s = way->states[i];
        const double           T = way->durations[i], v = s.velocity + T * s.acceleration;
        right = right && T > 0.0 && near(s.position, at.position) && near(s.velocity, at.velocity);
        right = right && fabs(s.acceleration) <= t->acceleration + 1e-9 && fabs(v) <= most + 1e-9;
        at.position = s.position + T * (s.velocity + 0.5 * T * s.acceleration);
        at.velocity = v;
        total += T;
    }
    return right && near(at.position, t->end.position) && near(at.velocity, t->end.velocity) &&
           near(total, way->duration);
}

TEST(trapezoid, keeps_bounds_and_ends_and_time_in_a_million_random_ways)
{
    random_stream random = random_seeded(5);
    for (int c = 0; c < CASES; ++c) {
        atemi_trapezoid_task tasks[AXES];
        atemi_trapezoid      ways[AXES];
        const double         asked = random_uniform(&random, -2.0, 6.0);
        double               longest = asked;
        for (int i = 0; i < AXES; ++i) {
            tasks[i] = random_task(&random);
            CHECK(atemi_trapezoid_fastest(&tasks[i], &ways[i]));
            CHECK(is_right(&tasks[i], &ways[i]));
            longest = fmax(longest, ways[i].duration);
        }
        CHECK(atemi_trapezoid_synchronize(tasks, AXES, asked, ways));
        CHECK(ways[0].duration >= longest - 1e-12);
        for (int i = 0; i < AXES; ++i) {
            CHECK(is_right(&tasks[i], &ways[i]));
            CHECK_NEAR(ways[i].duration, ways[0].duration, 1e-12);
        }
    }
}

// A start that is on a way already stays on it, though on the last piece the least rounding error
// could make it run past the end and come back.
TEST(trapezoid, planned_anew_on_its_way_goes_on)
{
    random_stream random = random_seeded(8);
    for (int c = 0; c < 100000; ++c) {
        atemi_trapezoid_task t = random_task(&random);
        t.end.velocity = fmin(fmax(t.end.velocity, -t.velocity), t.velocity);
        const double          asked = c % 2 ? 0.0 : random_uniform(&random, 0.0, 4.0);
        const atemi_trapezoid way = way_in(&t, asked);
        const double          now = random_uniform(&random, 0.0, way.duration);
        atemi_trapezoid_task  rest = t;
        rest.start = atemi_trapezoid_at(&way, now);
        const atemi_trapezoid again = way_in(&rest, c % 2 ? 0.0 : way.duration - now);
        CHECK(is_right(&rest, &again));
        CHECK_NEAR(again.duration, way.duration - now, 1e-6); // the root of rounding errors
    }
}

// The time of a way that cruises at w, by the areas under its velocity.
static double time_with(const atemi_trapezoid_task *t, double w)
{
    const double v0 = t->start.velocity, v1 = t->end.velocity, A = t->acceleration;
    const double turns = fabs(w - v0) / A + fabs(v1 - w) / A;
    const double covered = (fabs(w - v0) * (w + v0) + fabs(v1 - w) * (v1 + w)) / (2.0 * A);
    const double rest = (t->end.position - t->start.position - covered) / w;
    return rest >= 0.0 ? turns + rest : (double)INFINITY;
}

TEST(trapezoid, is_not_beaten_by_any_cruising_velocity)
{
    enum { STEPS = 400 };
    random_stream random = random_seeded(6);
    for (int c = 0; c < 5000; ++c) {
        const double               V = random_uniform(&random, 0.2, 3.0);
        const atemi_trapezoid_task t =
            task_of(random_uniform(&random, -2.0, 2.0), random_uniform(&random, -V, V),
                    random_uniform(&random, -2.0, 2.0), random_uniform(&random, -V, V), V,
                    random_uniform(&random, 0.3, 20.0));
        const double shortest = way_in(&t, 0.0).duration;
        for (int k = 0; k < STEPS; ++k) {
            const double w = V * ((2 * k + 1) / (double)STEPS - 1.0);
            CHECK(shortest <= time_with(&t, w) + 1e-12);
        }
        CHECK(shortest <= time_with(&t, V) + 1e-12);
        CHECK(shortest <= time_with(&t, -V) + 1e-12);
    }
}

// What every longer duration needs: either there is a way of just that time, or the time found ends
// a gap, and no time before it has one.
TEST(trapezoid, finds_the_next_duration_that_has_a_way)
{
    random_stream random = random_seeded(7);
    for (int c = 0; c < 20000; ++c) {
        const atemi_trapezoid_task t = random_task(&random);
        const double               asked = random_uniform(&random, 0.0, 4.0);
        const double               found = way_in(&t, asked).duration;
        CHECK(found >= asked - 1e-12);
        for (int k = 0; k < 4 && found > asked + 1e-9; ++k) {
            const double between = random_uniform(&random, asked, found);
            CHECK_NEAR(way_in(&t, between).duration, found, 1e-12);
        }
    }
}
