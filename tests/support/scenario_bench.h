// SPDX-License-Identifier: Apache-2.0

/// @file
/// Parts of a scenario, read from text for a robot: a floating body with an arm that turns about y
/// (within +-2 rad, 40 N m) and a slider on it.

#pragma once

#include "check.h"
#include "io/scenario/scenario_reader.h"
#include "io/scenario/scenario_warning.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

typedef struct scenario_bench {
    atemi_model           *model;
    atemi_scenario_reader *reader;
} scenario_bench;

static inline atemi_model *bench_robot(atemi_base base)
{
    const atemi_inertia     one = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    atemi_model_builder    *builder = tree_begin();
    atemi_joint_description arm = atemi_joint_description_default();
    tree_add_link(builder, "body", &one);
    tree_add_link(builder, "arm", &one);
    tree_add_link(builder, "hand", &one);
    arm.name = "shoulder";
    arm.type = ATEMI_JOINT_REVOLUTE;
    arm.parent = "body";
    arm.child = "arm";
    arm.axis = (atemi_vec3){0.0, 1.0, 0.0};
    arm.limits = (atemi_limits){.lower = -2.0, .upper = 2.0, .velocity = 5.0, .effort = 40.0};
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &arm, NULL), ATEMI_OK);
    arm.name = "slider";
    arm.type = ATEMI_JOINT_PRISMATIC;
    arm.parent = "arm";
    arm.child = "hand";
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &arm, NULL), ATEMI_OK);
    return tree_finish(builder, base);
}

static inline void bench_text(scenario_bench *b, const char *text)
{
    CHECK_STATUS(atemi_scenario_open_text(text, strlen(text), "a.yaml", &b->reader, NULL),
                 ATEMI_OK);
}

static inline scenario_bench bench_open(atemi_base base, const char *text)
{
    scenario_bench b = {.model = bench_robot(base)};
    bench_text(&b, text);
    return b;
}

/// What was read is all right.
static inline void bench_check(scenario_bench *b)
{
    atemi_error error = {0};
    const bool  good = atemi_scenario_finish(b->reader, &error) == ATEMI_OK;
    CHECK_EQUAL_STRING(error.message, "");
    CHECK(good);
}

/// What was read is refused, in these words, at a line and column.
static inline void bench_refuses(scenario_bench *b, const char *words, int line, int column)
{
    atemi_error error = {0};
    CHECK_STATUS(atemi_scenario_finish(b->reader, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, words);
    CHECK_EQUAL_INT(error.line, line);
    CHECK_EQUAL_INT(error.column, column);
}

/// The only warning has these words.
static inline void bench_warns(const scenario_bench *b, const char *words)
{
    int                           count;
    const atemi_scenario_warning *warnings = atemi_scenario_warnings(b->reader, &count);
    CHECK_EQUAL_INT(count, 1);
    CHECK_CONTAINS(warnings[0].message, words);
}

static inline void bench_close(scenario_bench *b)
{
    atemi_scenario_close(b->reader);
    atemi_model_destroy(b->model);
}
