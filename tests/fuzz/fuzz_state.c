// SPDX-License-Identifier: Apache-2.0

#include "../../cli/output.h"
#include "../../cli/state.h"
#include "require.h"

#include "atemi/robots.h"

#include <math.h>
#include <string.h>

// Any bytes given to `atemi eval --state` end in a state whose numbers are finite and whose
// quaternions have length 1, or in an error that names file, line and cause. Each input is read for
// every robot. Run it with
//
//   fuzz_state -dict=tests/fuzz/state.dict -max_len=4096 tests/fuzz/corpus/state

enum { MAX_BYTES = 1 << 14, ROBOT_COUNT = 4 };

#define LINK(name)                                                                                 \
    "<link name='" name "'><inertial><mass value='1'/>"                                            \
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"

#define JOINT(name, type, parent, child, more)                                                     \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child        \
    "'/>" more "</joint>"

// Joints of several coordinates, of none, and one that follows another.
static const char joint_types[] =
    "<robot name='r'>" LINK("a") LINK("b") LINK("c") LINK("d") LINK("e") LINK("f")
        JOINT("free", "floating", "a", "b", "") JOINT("flat", "planar", "b", "c", "")
            JOINT("stiff", "fixed", "c", "d", "") JOINT("one", "continuous", "c", "e", "")
                JOINT("follower", "continuous", "e", "f", "<mimic joint='one'/>") "</robot>";

typedef struct robot {
    atemi_model *model;
    atemi_arena  arena;
} robot;

static robot robots[ROBOT_COUNT];

/// In place of the command's own, which prints.
void output_warn(const char *format, ...)
{
    require(strlen(format) > 0);
}

static void load_shipped(robot *loaded, const char *name, atemi_base base)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = base;
    require(atemi_robots_load(name, &options, &loaded->model, NULL) == ATEMI_OK);
}

static void load_robots(void)
{
    load_shipped(&robots[0], "two_link", ATEMI_BASE_FIXED);
    load_shipped(&robots[1], "two_link", ATEMI_BASE_PLANAR);
    load_shipped(&robots[2], "hrp2_like", ATEMI_BASE_FLOATING);
    require(atemi_urdf_parse(joint_types, strlen(joint_types), "joint_types.urdf", NULL,
                             &robots[3].model, NULL) == ATEMI_OK);
    for (int i = 0; i < ROBOT_COUNT; ++i) {
        atemi_arena arena = atemi_arena_measuring();
        state_take(&arena, robots[i].model);
        require(atemi_arena_create(&robots[i].arena, arena.used, NULL) == ATEMI_OK);
    }
}

static void check_numbers(const double *x, int count)
{
    for (int i = 0; i < count; ++i) {
        require(isfinite(x[i]));
    }
}

static void check_quaternion(const double *x)
{
    require(fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] - 1.0) < 1e-12);
}

static void check_quaternions(const atemi_model *model, const double *q)
{
    if (atemi_model_base(model) == ATEMI_BASE_FLOATING) {
        check_quaternion(q + 3);
    }
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->type == ATEMI_JOINT_FLOATING) {
            check_quaternion(q + joint->first_q + 3);
        }
    }
}

static void check_state(const atemi_model *model, const robot_state *state)
{
    check_numbers(state->q, atemi_model_q_count(model));
    check_numbers(state->v, atemi_model_v_count(model));
    check_numbers(state->a, atemi_model_v_count(model));
    check_numbers(state->tau, atemi_model_v_count(model));
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        const atemi_force *f = &state->external[i];
        const double       x[] = {f->linear.x,  f->linear.y,  f->linear.z,
                                  f->angular.x, f->angular.y, f->angular.z};
        check_numbers(x, 6);
    }
    check_quaternions(model, state->q);
}

static int count_lines(const uint8_t *data, size_t size)
{
    int count = 1;
    for (size_t i = 0; i < size; ++i) {
        count += data[i] == '\n';
    }
    return count;
}

static void check_error(const atemi_error *error, int lines)
{
    require(strlen(error->message) > 0 && strcmp(error->file, "fuzz.json") == 0);
    require(error->status == ATEMI_ERROR_INPUT || error->status == ATEMI_ERROR_SYNTAX);
    require(error->line > 0 && error->line <= lines);
}

static void read_state(robot *target, const uint8_t *data, size_t size)
{
    atemi_error error = {0};
    target->arena.used = 0;
    robot_state        state = state_take(&target->arena, target->model);
    const atemi_status status =
        state_parse((const char *)data, size, "fuzz.json", target->model, &state, &error);
    require(status == error.status);
    if (status) {
        check_error(&error, count_lines(data, size));
    } else {
        check_state(target->model, &state);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_BYTES) {
        return -1;
    }
    atemi_set_contract_handler(require_no_violation, NULL);
    if (!robots[0].model) {
        load_robots();
    }
    for (int i = 0; i < ROBOT_COUNT; ++i) {
        read_state(&robots[i], data, size);
    }
    return 0;
}
