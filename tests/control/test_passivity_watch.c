// SPDX-License-Identifier: Apache-2.0

#include "control/passivity_watch.h"

#include "check.h"
#include "random.h"

#include <math.h>

// One joint of 5 kg m^2 with stiffness and damping, which act `delay` ticks of 1 ms late. A hand
// shakes it, and its command moves.
enum { MOST_DELAY = 200 };

typedef struct shaken {
    double q, v, stiffness, damping, limit;
    double late[MOST_DELAY];
    int    delay;
    double torque;
} shaken;

static double reference(double t)
{
    return 0.3 * sin(1.3 * t);
}

static void shake(shaken *s, int tick, double push)
{
    const double t = 1e-3 * tick, r = reference(t), dr = 0.3 * 1.3 * cos(1.3 * t);
    const double wish = s->stiffness * (r - s->q) + s->damping * (dr - s->v);
    s->late[tick % MOST_DELAY] = fmin(fmax(wish, -s->limit), s->limit);
    s->torque = tick >= s->delay ? s->late[(tick - s->delay) % MOST_DELAY] : 0.0;
    s->v += 1e-3 * (s->torque + push) / 5.0;
    s->q += 1e-3 * s->v;
}

static atemi_feedback_port port_of(const shaken *s, int tick)
{
    const double t = 1e-3 * tick;
    return (atemi_feedback_port){s->torque, reference(t) - s->q, s->v - 0.3 * 1.3 * cos(1.3 * t),
                                 s->stiffness, s->limit};
}

static atemi_passivity_watch watch_begin(atemi_arena *arena)
{
    *arena = atemi_arena_measuring();
    atemi_passivity_watch_take(arena, 1, 5.0, 1.0);
    CHECK_STATUS(atemi_arena_create(arena, arena->used, NULL), ATEMI_OK);
    return atemi_passivity_watch_take(arena, 1, 5.0, 1.0);
}

// @return the tick at which the watch spoke, or -1
static int run(shaken s, double push, uint64_t seed)
{
    atemi_arena           arena;
    atemi_passivity_watch watch = watch_begin(&arena);
    random_stream         stream = random_seeded(seed);
    double                hand = 0.0;
    int                   spoke = -1;
    for (int tick = 0; spoke < 0 && tick < 60000; ++tick) {
        hand += 0.05 * (random_uniform(&stream, -push, push) - hand);
        shake(&s, tick, hand);
        if (tick % 20 == 19) {
            const atemi_feedback_port port = port_of(&s, tick);
            spoke = atemi_passivity_watch_step(&watch, &port, 0.02) ? -1 : tick;
        }
    }
    atemi_arena_destroy(&arena);
    return spoke;
}

// Stiff, soft and limited; a minute each of pushes that move it by up to a quarter of a radian.
TEST(passivity_watch, is_silent_beside_a_spring_and_a_damper)
{
    CHECK_EQUAL_INT(run((shaken){.stiffness = 2000.0, .damping = 240.0, .limit = 1e9}, 800.0, 1),
                    -1);
    CHECK_EQUAL_INT(run((shaken){.stiffness = 2000.0, .damping = 240.0, .limit = 20.0}, 200.0, 2),
                    -1);
    CHECK_EQUAL_INT(run((shaken){.stiffness = 100.0, .damping = 20.0, .limit = 1e9}, 200.0, 3), -1);
}

// 60 ms late, the same joint swings up at 0.1 of the damping. Nobody pushes it.
TEST(passivity_watch, speaks_when_delayed_feedback_swings_up)
{
    shaken    s = {.stiffness = 2000.0, .damping = 24.0, .limit = 1e9, .delay = 60};
    const int tick = run(s, 0.0, 4);
    CHECK(tick > 0 && tick < 5000);
    s.delay = 0;
    CHECK_EQUAL_INT(run(s, 0.0, 4), -1);
}

TEST(passivity_watch, wants_stiffening_to_count_for_nothing)
{
    atemi_arena           arena;
    atemi_passivity_watch watch = watch_begin(&arena);
    for (int k = 0; k < 100; ++k) {
        const atemi_feedback_port port = {
            .torque = 50.0 * k, .error = 0.5, .stiffness = 100.0 * k, .limit = 1e9};
        CHECK(atemi_passivity_watch_step(&watch, &port, 0.02));
    }
    CHECK_NEAR(watch.excess, 0.0, 0.0);
    atemi_arena_destroy(&arena);
}

// A joint is pulled away by a radian against its limit of 20 N m: that is put in, and comes out
// again.
TEST(passivity_watch, knows_that_a_limited_spring_stores_less)
{
    atemi_arena           arena;
    atemi_passivity_watch watch = watch_begin(&arena);
    for (int k = 0; k < 200; ++k) {
        const bool                away = k < 100;
        const double              e = 0.02 + 0.01 * (away ? k : 199 - k);
        const atemi_feedback_port port = {20.0, e, away ? -0.5 : 0.5, 2000.0, 20.0};
        CHECK(atemi_passivity_watch_step(&watch, &port, 0.02));
        CHECK(watch.excess < 0.2); // half a step where it turns
    }
    atemi_arena_destroy(&arena);
}

// 100 N m/rad up to 10 N m: a spring that appears half a radian away has 10 x 0.5 - 10^2 / 200 J,
// and one of 0.05 rad 100 x 0.05^2 / 2 J; the leak of a step is 1 mJ.
TEST(passivity_watch, counts_what_a_spring_has_stored)
{
    const double errors[] = {0.5, -0.5, 0.05}, energies[] = {4.5, 4.5, 0.125};
    for (int i = 0; i < 3; ++i) {
        atemi_arena               arena;
        atemi_passivity_watch     watch = watch_begin(&arena);
        const atemi_feedback_port before = {0.0, 0.0, 0.0, 100.0, 10.0};
        const atemi_feedback_port now = {0.0, errors[i], 0.0, 100.0, 10.0};
        atemi_passivity_watch_step(&watch, &before, 1e-3);
        atemi_passivity_watch_step(&watch, &now, 1e-3);
        CHECK_NEAR(watch.excess, energies[i] - 1e-3, 1e-12);
        atemi_arena_destroy(&arena);
    }
}

TEST(passivity_watch, forgets_when_it_is_restarted)
{
    atemi_arena               arena;
    atemi_passivity_watch     watch = watch_begin(&arena);
    const atemi_feedback_port giving = {.torque = 1000.0, .rate = 1.0};
    atemi_passivity_watch_step(&watch, &giving, 0.02);
    CHECK(!atemi_passivity_watch_step(&watch, &giving, 0.02)); // 20 J
    atemi_passivity_watch_restart(&watch);
    CHECK(atemi_passivity_watch_step(&watch, &giving, 0.02));
    atemi_arena_destroy(&arena);
}
