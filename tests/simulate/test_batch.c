// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation_batch.h"

#include "allocations.h"
#include "bits.h"
#include "bodies.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Bricks that are thrown on the floor, each in its own way.

enum { WORLDS = 12, POINTS = 8, NQ = 7, NV = 6 };

typedef struct rig {
    atemi_model             *model;
    atemi_surface            floor;
    atemi_simulation_point   corners[POINTS];
    atemi_simulation_options options;
    atemi_simulation_batch  *batch;
    atemi_simulation_rows    rows;
    double                   q[WORLDS * NQ], v[WORLDS * NV];
} rig;

static void begin_by(rig *r, atemi_simulation_method method, atemi_integrator integrator)
{
    atemi_error error;
    *r = (rig){.model = brick_model(), .floor = atemi_surface_floor()};
    for (int i = 0; i < POINTS; ++i) {
        r->corners[i] = rough_point(box_corner(brick_size, i), 0.4);
        r->corners[i].restitution = 0.3;
    }
    r->options = atemi_simulation_options_default();
    r->options.method = method;
    r->options.integrator = integrator;
    r->options.step = 2e-3;
    for (int i = 0; i < WORLDS; ++i) {
        const double q[NQ] = {0, 0, 0.4, 0.1, 0.2, 0.3, 0.9}, v[NV] = {1, 0, 0, 3, 0.5 * i, 1};
        memcpy(r->q + i * NQ, q, sizeof q);
        memcpy(r->v + i * NV, v, sizeof v);
    }
    CHECK_STATUS(atemi_simulation_batch_create(r->model, &r->floor, 1, r->corners, POINTS,
                                               &r->options, WORLDS, &r->batch, &error),
                 ATEMI_OK);
    r->rows = atemi_simulation_batch_rows(r->batch);
}

static void begin(rig *r)
{
    begin_by(r, ATEMI_METHOD_STEPS, ATEMI_INTEGRATOR_RK4);
}

static void end(rig *r)
{
    atemi_simulation_batch_destroy(r->batch);
    atemi_model_destroy(r->model);
}

static void start(rig *r, int threads)
{
    atemi_error error;
    CHECK_STATUS(atemi_simulation_batch_start(r->batch, NULL, r->q, r->v, threads, &error),
                 ATEMI_OK);
}

static void step(rig *r, int count, int threads)
{
    atemi_error error;
    CHECK_STATUS(atemi_simulation_batch_step(r->batch, NULL, NULL, count, threads, &error),
                 ATEMI_OK);
}

// The same throw in a simulation of its own.
static void check_alone(const rig *r, int world, int steps)
{
    atemi_error       error;
    atemi_simulation *alone;
    CHECK_STATUS(atemi_simulation_create(r->model, &r->floor, 1, r->corners, POINTS, &r->options,
                                         NULL, &alone, &error),
                 ATEMI_OK);
    CHECK_STATUS(atemi_simulation_start(alone, 0.0, r->q + world * NQ, r->v + world * NV, &error),
                 ATEMI_OK);
    for (int i = 0; i < steps; ++i) {
        CHECK_STATUS(atemi_simulation_step(alone, NULL, &error), ATEMI_OK);
    }
    CHECK(same_number(r->rows.time[world], atemi_simulation_time(alone)));
    for (int i = 0; i < NQ; ++i) {
        CHECK(same_number(r->rows.q[world * NQ + i], atemi_simulation_q(alone)[i]));
    }
    atemi_simulation_destroy(alone);
}

// Sensors that are read between steps leave no trace: they compute in what a world goes on in.
static void look_around(const rig *r, int threads)
{
    atemi_point_state     states[WORLDS * POINTS];
    atemi_imu_reading     readings[WORLDS];
    const atemi_transform place = atemi_transform_identity();
    atemi_simulation_batch_points_get(r->batch, threads, states);
    atemi_simulation_batch_imu(r->batch, 0, &place, threads, readings);
}

static void check_all_alone(atemi_simulation_method method, atemi_integrator integrator,
                            int threads)
{
    rig r;
    begin_by(&r, method, integrator);
    start(&r, threads);
    step(&r, 200, threads);
    look_around(&r, threads);
    step(&r, 50, threads);
    for (int i = 0; i < WORLDS; ++i) {
        check_alone(&r, i, 250);
    }
    end(&r);
}

TEST(batch, has_worlds_as_they_are_alone_for_any_number_of_threads)
{
    for (int threads = 1; threads <= 3; ++threads) {
        check_all_alone(ATEMI_METHOD_STEPS, ATEMI_INTEGRATOR_RK4, threads);
        check_all_alone(ATEMI_METHOD_EVENTS, ATEMI_INTEGRATOR_RK4, threads);
    }
    check_all_alone(ATEMI_METHOD_EVENTS, ATEMI_INTEGRATOR_ADAPTIVE, 2);
}

// A force that is no number ends the world that has it, and no other: also not the one that the
// same thread takes next.
TEST(batch, world_that_cannot_go_on_leaves_the_others_alone)
{
    rig         r;
    atemi_error error;
    begin_by(&r, ATEMI_METHOD_EVENTS, ATEMI_INTEGRATOR_RK4);
    start(&r, 1);
    r.rows.external[3].linear.x = (double)NAN;
    CHECK(atemi_simulation_batch_step(r.batch, NULL, NULL, 250, 1, &error) != ATEMI_OK);
    CHECK_CONTAINS(error.message, "world 3");
    CHECK(r.rows.status[3] != ATEMI_OK);
    for (int i = 0; i < WORLDS; ++i) {
        if (i != 3) {
            check_alone(&r, i, 250);
        }
    }
    end(&r);
}

TEST(batch, goes_back_to_where_it_was_saved)
{
    rig r;
    begin(&r);
    start(&r, 2);
    step(&r, 100, 2);
    double first[WORLDS * NQ];
    void  *saved = malloc(atemi_simulation_batch_saved_size(r.batch));
    atemi_simulation_batch_save(r.batch, saved);
    step(&r, 100, 2);
    memcpy(first, r.rows.q, sizeof first);
    atemi_simulation_batch_restore(r.batch, saved);
    CHECK_NEAR(r.rows.time[3], 0.2, 1e-12);
    step(&r, 100, 1);
    for (int i = 0; i < WORLDS * NQ; ++i) {
        CHECK(same_number(first[i], r.rows.q[i]));
    }
    free(saved);
    end(&r);
}

// x = f t^2 / 2 m, in the air; the method of steps is exact there.
TEST(batch, has_inputs_of_each_world)
{
    rig         r;
    atemi_error error;
    begin(&r);
    for (int i = 0; i < WORLDS; ++i) {
        memset(r.v + i * NV, 0, NV * sizeof *r.v);
        r.q[i * NQ + 2] = 10.0;
        r.rows.external[i].linear.x = i;
    }
    start(&r, 2);
    step(&r, 500, 2);
    for (int i = 0; i < WORLDS; ++i) {
        CHECK_NEAR(r.rows.q[i * NQ], 0.5 * i / brick_mass, 1e-9);
    }
    double tau[WORLDS * NV] = {0};
    tau[5 * NV] = 1.0; // along the brick's own x: it was thrown without rotation, but lies askew
    CHECK_STATUS(atemi_simulation_batch_step(r.batch, NULL, tau, 1, 2, &error), ATEMI_OK);
    CHECK_NEAR(r.rows.a[5 * NV] - r.rows.a[4 * NV] > 0.0, 1.0, 0.0);
    end(&r);
}

TEST(batch, leaves_worlds_alone_that_are_masked)
{
    rig         r;
    atemi_error error;
    begin(&r);
    start(&r, 2);
    bool which[WORLDS] = {[2] = true};
    CHECK_STATUS(atemi_simulation_batch_step(r.batch, which, NULL, 10, 2, &error), ATEMI_OK);
    CHECK_NEAR(r.rows.time[1], 0.0, 0.0);
    CHECK_NEAR(r.rows.time[2], 0.02, 1e-12);
    CHECK_STATUS(atemi_simulation_batch_start(r.batch, which, r.q, NULL, 2, &error), ATEMI_OK);
    CHECK_NEAR(r.rows.time[2], 0.0, 0.0);
    CHECK_NEAR(r.rows.v[2 * NV], 0.0, 0.0);
    CHECK_NEAR(r.rows.v[3 * NV], 1.0, 0.0);
    end(&r);
}

static double force_up(const atemi_point_state *states, int world)
{
    double sum = 0.0;
    for (int i = 0; i < POINTS; ++i) {
        sum += states[world * POINTS + i].force.z;
    }
    return sum;
}

TEST(batch, feels_in_every_world_what_its_simulation_feels)
{
    rig r;
    begin(&r);
    start(&r, 2);
    step(&r, 2000, 2); // all lie
    atemi_point_state states[WORLDS * POINTS];
    atemi_imu_reading readings[WORLDS];
    atemi_transform   place = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    atemi_simulation_batch_points_get(r.batch, 2, states);
    atemi_simulation_batch_imu(r.batch, 0, &place, 2, readings);
    for (int i = 0; i < WORLDS; ++i) {
        CHECK_NEAR(force_up(states, i), 9.81 * brick_mass, 1e-3);
        const atemi_vec3 f = readings[i].specific_force;
        CHECK_NEAR(f.x * f.x + f.y * f.y + f.z * f.z, 9.81 * 9.81, 1e-2);
    }
    end(&r);
}

TEST(batch, allocates_nothing_once_it_is_made)
{
    rig r;
    begin(&r);
    start(&r, 1);
    allocations_begin();
    step(&r, 100, 1);
    CHECK_EQUAL_INT(allocations_end(), 0);
    end(&r);
}

TEST(batch, names_the_first_world_that_cannot_start)
{
    rig         r;
    atemi_error error;
    begin(&r);
    atemi_simulation_batch *none;
    CHECK_STATUS(atemi_simulation_batch_create(r.model, &r.floor, 1, r.corners, POINTS, &r.options,
                                               0, &none, &error),
                 ATEMI_ERROR_INPUT);
    CHECK(!none);
    CHECK_EQUAL_INT(r.rows.status[0] == ATEMI_OK, 0); // not started: steps leave it
    step(&r, 5, 2);
    CHECK_NEAR(r.rows.time[0], 0.0, 0.0);
    atemi_simulation_batch_destroy(NULL);
    end(&r);
}
