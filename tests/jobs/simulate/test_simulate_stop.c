// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_stop.h"

#include "scenario_bench.h"

static const atemi_scenario_contacts no_contacts;

static atemi_stops read(scenario_bench *b, const char *text)
{
    atemi_stops stops;
    *b = bench_open(ATEMI_BASE_FLOATING, text);
    atemi_stops_read(b->reader, b->model, &no_contacts, &stops);
    bench_check(b);
    return stops;
}

// Whether stops end it at a time with the robot at a height, where all that moves has a speed.
static bool stopped(const scenario_bench *b, atemi_stops *stops, double time, double height,
                    double speed, char *reason)
{
    const double q[9] = {[2] = height, [6] = 1.0}, v[8] = {[3] = -speed};
    atemi_arena  measuring = atemi_arena_measuring(), arena;
    (void)atemi_kinematics_take(&measuring, b->model);
    CHECK_STATUS(atemi_arena_create(&arena, measuring.used, NULL), ATEMI_OK);
    atemi_kinematics kinematics = atemi_kinematics_take(&arena, b->model);
    atemi_kinematics_update(b->model, q, NULL, NULL, &kinematics);
    const bool stop = atemi_stops_look(stops, b->model, &kinematics, time, v, reason);
    atemi_arena_destroy(&arena);
    return stop;
}

// Its three bodies are in one place: the centre of mass is where the base is.
TEST(simulate_stop, is_where_the_centre_of_mass_or_a_link_is_below)
{
    char           reason[ATEMI_STOP_REASON];
    scenario_bench b;
    atemi_stops    stops = read(&b, "stop:\n  - {when: com_below, height: 0.5}\n"
                                       "  - {when: link_below, link: hand, height: 70 cm}\n");
    CHECK(!stopped(&b, &stops, 0.0, 0.71, 9.0, reason));
    CHECK(stopped(&b, &stops, 0.0, 0.69, 9.0, reason));
    CHECK_CONTAINS(reason, "hand fell below 0.7 m");
    CHECK(stopped(&b, &stops, 0.0, 0.49, 9.0, reason));
    CHECK_CONTAINS(reason, "CoM fell below 0.5 m");
    atemi_stops_destroy(&stops);
    bench_close(&b);
}

// One coordinate that is fast begins the span anew.
TEST(simulate_stop, at_rest_is_slow_for_a_span_without_a_break)
{
    char           reason[ATEMI_STOP_REASON];
    scenario_bench b;
    atemi_stops    stops = read(&b, "stop:\n  - {when: at_rest, speed: 0.01, for: 200 ms}\n");
    CHECK(!stopped(&b, &stops, 1.0, 1.0, 0.009, reason));
    CHECK(!stopped(&b, &stops, 1.1, 1.0, 0.011, reason));
    CHECK(!stopped(&b, &stops, 1.15, 1.0, 0.009, reason));
    CHECK(!stopped(&b, &stops, 1.3, 1.0, 0.009, reason));
    CHECK(stopped(&b, &stops, 1.36, 1.0, 0.009, reason));
    CHECK_CONTAINS(reason, "at rest for 0.2 s");
    atemi_stops_destroy(&stops);
    bench_close(&b);
}

TEST(simulate_stop, of_an_event_is_at_its_contact_or_a_corner_of_it)
{
    char                    reason[ATEMI_STOP_REASON];
    atemi_scenario_contact  sole = {.name = "sole.1"};
    atemi_scenario_contacts contacts = {.count = 1, .about = &sole};
    scenario_bench          b = bench_open(ATEMI_BASE_FLOATING,
                                           "stop:\n  - {when: event, event: touchdown, contact: sole}\n");
    atemi_stops             stops;
    const atemi_event       touch = {.kind = ATEMI_EVENT_TOUCHDOWN, .time = 0.25};
    const atemi_event       leave = {.kind = ATEMI_EVENT_LIFT_OFF, .time = 0.25};
    atemi_stops_read(b.reader, b.model, &contacts, &stops);
    bench_check(&b);
    CHECK(atemi_stops_hear(&stops, &touch, "sole.1", reason));
    CHECK_CONTAINS(reason, "touchdown of sole.1 at 0.25 s");
    CHECK(!atemi_stops_hear(&stops, &touch, "soles.1", reason));
    CHECK(!atemi_stops_hear(&stops, &leave, "sole.1", reason));
    atemi_stops_destroy(&stops);
    bench_close(&b);
}
