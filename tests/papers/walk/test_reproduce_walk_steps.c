// SPDX-License-Identifier: Apache-2.0

#include "papers/walk/reproduce_walk_steps.h"

#include "atemi/robots.h"
#include "check.h"

#include <string.h>

// The walks of the paper with fewer steps: the thousand takes half a minute, and is for
// `atemi reproduce walk`.
static const atemi_walk_lengths few = {.thousand = 20, .other = 3};

static void reproduce(atemi_reproduction *reproduction)
{
    static const atemi_channel time = {.name = "t", .unit = "s"};
    atemi_urdf_options         options = atemi_urdf_options_default();
    atemi_model               *robot;
    options.model.base = ATEMI_BASE_SAGITTAL;
    *reproduction = (atemi_reproduction){.paper = "walk", .fraction = 1.0};
    CHECK_STATUS(atemi_recording_create(1, &time, &reproduction->recording, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_robots_load("humanoid17", &options, &robot, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_reproduce_walk_steps(reproduction, robot, &few, 0.0, NULL), ATEMI_OK);
    atemi_model_destroy(robot);
}

// Of what one computation is enough for; kept until the end.
static const atemi_reproduction *walks(void)
{
    static atemi_reproduction made;
    if (!made.paper) {
        reproduce(&made);
    }
    return &made;
}

static const atemi_reproduced *row_of(const char *quantity)
{
    for (int i = 0; i < atemi_reproduction_count(walks()); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(walks(), i);
        if (strcmp(row->quantity, quantity) == 0) {
            return row;
        }
    }
    check_fail(CHECK_PLACE("row_of"), "no row '%s'", quantity);
}

TEST(reproduce_walk_steps, nobody_falls)
{
    static const char *const rows[] = {"1000 steps on friction 0.7: falls", "friction 0.3: falls",
                                       "a metre of friction 0.1: falls"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        CHECK_NEAR(row_of(rows[i])->ours, 0.0, 0.0);
        CHECK(row_of(rows[i])->ok);
    }
}

// The first steps are short: 20 of them have a mean that is 8 % below that of 1000.
TEST(reproduce_walk_steps, steps_are_those_of_the_paper)
{
    static const struct {
        const char *quantity;
        double      printed;
    } paper[] = {{"1000 steps on friction 0.7: step length", 0.42},
                 {"1000 steps on friction 0.7: period of two steps", 1.42},
                 {"1000 steps on friction 0.7: speed", 2.15}};
    for (size_t i = 0; i < sizeof paper / sizeof paper[0]; ++i) {
        const atemi_reproduced *row = row_of(paper[i].quantity);
        CHECK_NEAR(row->printed, paper[i].printed, 0.0);
        CHECK_NEAR(row->ours, paper[i].printed, 0.1 * paper[i].printed);
        CHECK(row->ok);
    }
}

TEST(reproduce_walk_steps, way_and_time_are_the_sum_of_steps)
{
    const double scale = 1000.0 / (double)few.thousand;
    CHECK_NEAR(row_of("1000 steps on friction 0.7: distance")->printed, 424.13, 0.0);
    CHECK_NEAR(scale * row_of("1000 steps on friction 0.7: distance")->ours, 424.13, 0.1 * 424.13);
    CHECK_NEAR(row_of("1000 steps on friction 0.7: time")->printed, 710.35, 0.0);
    CHECK_NEAR(scale * row_of("1000 steps on friction 0.7: time")->ours, 710.35, 0.1 * 710.35);
}

TEST(reproduce_walk_steps, the_floor_pushes_within_its_cone)
{
    CHECK(row_of("1000 steps on friction 0.7: least f_n below zero")->ok);
    CHECK(row_of("1000 steps on friction 0.7: |f_t| over K f_n, relative")->ok);
}

TEST(reproduce_walk_steps, forces_and_powers_explain_the_motion)
{
    const atemi_reproduced *momentum = row_of("change of momentum less forces, relative");
    const atemi_reproduced *energy = row_of("change of energy less work, relative");
    CHECK_NEAR(momentum->tolerance, 1e-6, 0.0);
    CHECK_NEAR(energy->tolerance, 1e-6, 0.0);
    CHECK(momentum->ok && energy->ok);
    CHECK(momentum->ours > 0.0 && energy->ours > 0.0);
}

// Friction, steps, step, speed, slips, slid, falls: of 1 down to 0.01.
TEST(reproduce_walk_steps, less_friction_makes_shorter_steps)
{
    enum { COLUMNS = 7, STEP = 2, SLIPS = 4, FALLS = 6 };
    const atemi_recorded_table *table = atemi_recording_table(walks()->recording, 0);
    const double               *icy = table->values + (ptrdiff_t)9 * COLUMNS;
    CHECK_EQUAL_STRING(table->name, "walk-frictions");
    CHECK_EQUAL_INT(table->row_count, 11);
    CHECK_EQUAL_INT(table->column_count, COLUMNS);
    CHECK_NEAR(table->values[0], 1.0, 0.0);
    CHECK_NEAR(icy[0], 0.02, 0.0);
    CHECK_NEAR(icy[FALLS], 0.0, 0.0);
    CHECK(icy[STEP] < 0.8 * table->values[STEP]);
    CHECK(icy[SLIPS] > table->values[SLIPS]);
}
