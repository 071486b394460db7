// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "allocations.h"
#include "bits.h"
#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

// A brick that was thrown on the floor, saved while it tumbles, slides and has come to rest.
static void begin(trial *t, atemi_simulation_method method)
{
    static const double    q[7] = {0, 0, 0.4, 0.1, 0.2, 0.3, 0.9}, v[6] = {1, 0, 0, 3, 2, 1};
    atemi_simulation_point corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = rough_point(box_corner(brick_size, i), 0.4);
        corners[i].restitution = 0.3;
    }
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = corners,
                                   .count = 8,
                                   .step = 2e-3,
                                   .method = method};
    trial_begin(t, &setting);
    trial_start(t, q, v);
}

static void check_same(const double *one, const double *other)
{
    for (int i = 0; i < 7; ++i) {
        CHECK(same_number(one[i], other[i]));
    }
}

TEST(snapshot, goes_on_as_it_did_to_the_bit)
{
    for (int k = 0; k < 2; ++k) {
        trial t;
        begin(&t, k ? ATEMI_METHOD_STEPS : ATEMI_METHOD_EVENTS);
        void *saved = malloc(atemi_simulation_saved_size(t.simulation));
        CHECK(saved);
        for (int step = 0; step < 7; ++step) {
            const double time = 0.1 + 0.2 * step;
            double       first[7], again[7];
            trial_run(&t, time);
            allocations_begin();
            atemi_simulation_save(t.simulation, saved);
            trial_run(&t, time + 0.2);
            memcpy(first, atemi_simulation_q(t.simulation), sizeof first);
            const atemi_simulation_ledger books = atemi_simulation_ledger_get(t.simulation);
            atemi_simulation_restore(t.simulation, saved);
            CHECK(atemi_simulation_time(t.simulation) == time);
            trial_run(&t, time + 0.2);
            CHECK_EQUAL_INT(allocations_end(), 0);
            memcpy(again, atemi_simulation_q(t.simulation), sizeof again);
            check_same(first, again);
            CHECK(atemi_simulation_ledger_get(t.simulation).collision_work == books.collision_work);
            atemi_simulation_restore(t.simulation, saved);
        }
        free(saved);
        trial_end(&t);
    }
}

TEST(snapshot, holds_for_a_simulation_made_alike)
{
    trial one, other;
    begin(&one, ATEMI_METHOD_STEPS);
    begin(&other, ATEMI_METHOD_STEPS);
    void *saved = malloc(atemi_simulation_saved_size(one.simulation));
    CHECK(saved);
    trial_run(&one, 0.3);
    atemi_simulation_save(one.simulation, saved);
    atemi_simulation_restore(other.simulation, saved);
    trial_run(&one, 0.8);
    trial_run(&other, 0.8);
    check_same(atemi_simulation_q(one.simulation), atemi_simulation_q(other.simulation));
    free(saved);
    trial_end(&one);
    trial_end(&other);
}
