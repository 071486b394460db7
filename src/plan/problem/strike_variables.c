// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_variables.h"

#include <math.h>
#include <string.h>

// A range of the task, where its value is kept, and what it is.
typedef struct decision {
    const atemi_strike_range  *range;
    size_t                     field;
    atemi_strike_variable_kind kind;
    int                        index, axis;
    const char                *unit;
    double                     scale; ///< if the range is infinite
} decision;

#define FIELD(member) offsetof(strike_values, member)

static void add(strike_variables *v, decision d)
{
    const double width = d.range->upper - d.range->lower;
    *(double *)((char *)&v->start + d.field) = d.range->start;
    if (d.range->lower < d.range->upper) {
        v->list[v->count++] =
            (strike_variable){.about = {.kind = d.kind,
                                        .index = d.index,
                                        .axis = d.axis,
                                        .unit = d.unit,
                                        .range = *d.range},
                              .field = d.field,
                              .scale = isfinite(width) ? fmax(0.5 * width, 1e-6) : d.scale,
                              .is_motion = d.field >= FIELD(speed) && d.field <= FIELD(com_y)};
    }
}

static void add_foot(strike_variables *v, const atemi_strike_task *task)
{
    for (int k = 0; k < 3; ++k) {
        add(v,
            (decision){&task->foot_position[k], FIELD(foot_position) + (size_t)k * sizeof(double),
                       ATEMI_DECIDE_FOOT_POSITION, 0, k, "m", 0.1});
    }
    for (int k = 0; k < 3; ++k) {
        add(v,
            (decision){&task->foot_rotation[k], FIELD(foot_rotation) + (size_t)k * sizeof(double),
                       ATEMI_DECIDE_FOOT_ROTATION, 0, k, "rad", 0.1});
    }
}

static void add_stance(strike_variables *v, const atemi_strike_task *task)
{
    for (int i = 0; i + 1 < task->foot_count; ++i) {
        for (int k = 0; k < 2; ++k) {
            add(v, (decision){&task->stance[i][k],
                              FIELD(stance) + (size_t)(2 * i + k) * sizeof(double),
                              ATEMI_DECIDE_FOOT_POSITION, i + 1, k, "m", 0.1});
        }
    }
}

static void add_joints(strike_variables *v, const atemi_strike_task *task)
{
    for (int i = 0; i < task->joint_count; ++i) {
        const atemi_joint *joint = atemi_model_joint(task->model, task->joints[i]);
        const bool         slides = joint->type == ATEMI_JOINT_PRISMATIC;
        add(v, (decision){&task->joint_ranges[i], FIELD(joints) + (size_t)i * sizeof(double),
                          ATEMI_DECIDE_JOINT, task->joints[i], 0, slides ? "m" : "rad", 0.3});
    }
}

static void add_motion(strike_variables *v, const atemi_strike_task *task)
{
    const decision decisions[] = {
        {&task->speed, FIELD(speed), ATEMI_DECIDE_HAND_SPEED, 0, 0, "m/s", 1.0},
        {&task->lift, FIELD(lift), ATEMI_DECIDE_MOMENTUM, 0, 2, "N s", 3.0},
        {&task->roll, FIELD(roll), ATEMI_DECIDE_ANGULAR_MOMENTUM, 0, 0, "N m s", 3.0},
        {&task->pitch, FIELD(pitch), ATEMI_DECIDE_ANGULAR_MOMENTUM, 0, 1, "N m s", 3.0},
        {&task->com_x, FIELD(com_x), ATEMI_DECIDE_CENTER_OF_MASS, 0, 0, "m/s", 0.1},
        {&task->com_y, FIELD(com_y), ATEMI_DECIDE_CENTER_OF_MASS, 0, 1, "m/s", 0.1},
        {&task->hand_rise, FIELD(hand_rise), ATEMI_DECIDE_HAND_RISE, 0, 0, "s", 0.1},
        {&task->hand_fall, FIELD(hand_fall), ATEMI_DECIDE_HAND_FALL, 0, 0, "s", 0.1},
        {&task->body_rise, FIELD(body_rise), ATEMI_DECIDE_BODY_RISE, 0, 0, "s", 0.3},
        {&task->body_fall, FIELD(body_fall), ATEMI_DECIDE_BODY_FALL, 0, 0, "s", 0.3}};
    for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; ++i) {
        add(v, decisions[i]);
    }
}

void strike_variables_fill(strike_variables *v, const atemi_strike_task *task)
{
    memset(v, 0, sizeof *v);
    add_foot(v, task);
    add_stance(v, task);
    add_joints(v, task);
    add_motion(v, task);
}

strike_values strike_variables_at(const strike_variables *v, const double *x)
{
    strike_values values = v->start;
    for (int i = 0; i < v->count; ++i) {
        *(double *)((char *)&values + v->list[i].field) = x[i];
    }
    return values;
}

bool strike_values_same_posture(const strike_values *a, const strike_values *b)
{
    return memcmp(a, b, FIELD(speed)) == 0;
}
