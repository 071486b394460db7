// SPDX-License-Identifier: Apache-2.0

#include "atemi/task_sequence.h"

#include "check.h"
#include "coordination_rig.h"

#include <math.h>
#include <string.h>

// The joints of the rig are where they are commanded to be, so what is due when can be counted.

enum { MOST_EVENTS = 32, KNEE = 3 };

static const double period = 0.02; // s

typedef struct heard_log {
    int count;
    struct noted {
        atemi_sequence_event_kind kind;
        double                    time;
        int                       task;
    } events[MOST_EVENTS];
    int    grips, releases, busy_steps;
    double offload;
    bool   fails;
} heard_log;

static void hear(void *context, const atemi_sequence_event *event)
{
    heard_log *l = (heard_log *)context;
    CHECK(l->count < MOST_EVENTS);
    l->events[l->count++] = (struct noted){event->kind, event->time, event->task};
}

static void grip(void *context, int link, int rail)
{
    CHECK(link == 3 && rail == 1);
    ++((heard_log *)context)->grips;
}

static void release(void *context, int link)
{
    CHECK_EQUAL_INT(link, 3);
    ++((heard_log *)context)->releases;
}

static void offload(void *context, double fraction, double duration)
{
    CHECK_NEAR(duration, 2.0, 0.0);
    ((heard_log *)context)->offload = fraction;
}

static bool is_busy(void *context)
{
    heard_log *l = (heard_log *)context;
    return l->busy_steps > 0;
}

static atemi_status update(void *context, atemi_error *error)
{
    heard_log *l = (heard_log *)context;
    l->busy_steps -= l->busy_steps > 0;
    return l->fails ? atemi_fail(error, ATEMI_ERROR_INPUT, "it did not close") : ATEMI_OK;
}

typedef struct sequence_rig {
    coordination_rig     rig;
    heard_log            heard;
    atemi_task_sequence *sequence;
    int                  steps;
} sequence_rig;

static void begin(sequence_rig *s, const atemi_control_task *tasks, int count)
{
    *s = (sequence_rig){0};
    rig_begin(&s->rig);
    atemi_sequence_options options = atemi_sequence_options_default();
    options.hooks = (atemi_sequence_hooks){.context = &s->heard,
                                           .grip = grip,
                                           .release = release,
                                           .offload = offload,
                                           .update = update,
                                           .is_busy = is_busy,
                                           .report = hear};
    CHECK_STATUS(atemi_task_sequence_create(s->rig.model, s->rig.coordination, tasks, count,
                                            &options, &s->sequence, NULL),
                 ATEMI_OK);
}

static void run(sequence_rig *s, double seconds)
{
    for (const int end = s->steps + (int)lround(seconds / period); s->steps < end; ++s->steps) {
        const atemi_sequence_senses senses = {.time = s->steps * period,
                                              .positions = s->rig.positions};
        atemi_task_sequence_step(s->sequence, &senses);
        rig_step(&s->rig);
    }
}

static void end(sequence_rig *s)
{
    atemi_task_sequence_destroy(s->sequence);
    rig_end(&s->rig);
}

static atemi_sequence_report report_of(const sequence_rig *s)
{
    return atemi_task_sequence_report(s->sequence);
}

/// The time of an event, NaN without one.
static double time_of(const heard_log *l, atemi_sequence_event_kind kind, int task)
{
    for (int i = 0; i < l->count; ++i) {
        if (l->events[i].kind == kind && (l->events[i].task == task || task < 0)) {
            return l->events[i].time;
        }
    }
    return (double)NAN;
}

static atemi_control_task move(const atemi_joint_target *target, atemi_task_cue cue)
{
    return (atemi_control_task){.action = ATEMI_TASK_JOINTS,
                                .cue = cue,
                                .targets = target,
                                .target_count = 1,
                                .duration = 1.0};
}

// ---- When -----------------------------------------------------------------------------------

TEST(task_sequence, gives_tasks_at_their_times_and_after_their_cues)
{
    atemi_joint_target there = {.joint = KNEE};
    atemi_control_task tasks[] = {move(&there, ATEMI_CUE_NOW),
                                  {.action = ATEMI_TASK_STOP, .cue = ATEMI_CUE_STILL},
                                  {.action = ATEMI_TASK_STOP, .wait = 0.5}};
    tasks[0].at = 0.3;
    sequence_rig s;
    begin(&s, tasks, 3);
    there.position = s.rig.positions[KNEE] + 0.1;
    run(&s, 3.0);
    CHECK_NEAR(time_of(&s.heard, ATEMI_SEQUENCE_TASK, 0), 0.3, 1e-9);
    const double still = time_of(&s.heard, ATEMI_SEQUENCE_TASK, 1);
    CHECK(still >= 1.3 && still <= 1.3 + 3.0 * period); // the motion lasts 1 s
    CHECK_NEAR(time_of(&s.heard, ATEMI_SEQUENCE_TASK, 2), still + 0.5, 1e-9);
    CHECK_EQUAL_INT(report_of(&s).next, 3);
    CHECK(!report_of(&s).failed && atemi_task_sequence_failure(s.sequence)[0] == '\0');
    CHECK(atemi_task_sequence_outcome(s.sequence) == ATEMI_OUTCOME_REACHED);
    end(&s);
}

TEST(task_sequence, does_nothing_before_the_coordination_has_measured)
{
    const atemi_control_task task = {.action = ATEMI_TASK_STOP};
    sequence_rig             s;
    begin(&s, &task, 1);
    run(&s, period);
    CHECK_EQUAL_INT(report_of(&s).next, 0);
    run(&s, period);
    CHECK_EQUAL_INT(report_of(&s).next, 1);
    end(&s);
}

TEST(task_sequence, is_not_still_while_its_hooks_are_busy)
{
    const atemi_control_task task = {.action = ATEMI_TASK_STOP, .cue = ATEMI_CUE_STILL};
    sequence_rig             s;
    begin(&s, &task, 1);
    s.heard.busy_steps = 10;
    run(&s, 2.0);
    CHECK_NEAR(time_of(&s.heard, ATEMI_SEQUENCE_TASK, 0), 10.0 * period, 1e-9);
    end(&s);
}

TEST(task_sequence, fails_if_it_waits_for_a_goal_that_was_not_reached)
{
    atemi_joint_target       there = {.joint = KNEE};
    const atemi_control_task tasks[] = {move(&there, ATEMI_CUE_NOW),
                                        {.action = ATEMI_TASK_STOP, .at = 0.5},
                                        {.action = ATEMI_TASK_STOP, .cue = ATEMI_CUE_REACHED}};
    sequence_rig             s;
    begin(&s, tasks, 3);
    there.position = s.rig.positions[KNEE] + 0.3;
    run(&s, 3.0);
    CHECK(report_of(&s).failed);
    CHECK_EQUAL_INT(report_of(&s).next, 2); // the one that failed
    CHECK(strstr(atemi_task_sequence_failure(s.sequence),
                 "task 2 (stop): waits for a goal that ended as stopped"));
    CHECK(!isnan(time_of(&s.heard, ATEMI_SEQUENCE_FAILED, 2)));
    CHECK(!isnan(time_of(&s.heard, ATEMI_SEQUENCE_GOAL, -1)));
    end(&s);
}

TEST(task_sequence, feels_taps_in_the_force_of_a_cell)
{
    const atemi_control_task task = {.action = ATEMI_TASK_STOP, .cue = ATEMI_CUE_TAP};
    sequence_rig             s;
    begin(&s, &task, 1);
    for (; s.steps < 100; ++s.steps) {
        const double                time = s.steps * period;
        const atemi_vec3            force = {time >= 1.0 && time < 1.1 ? 30.0 : 0.0, 0.0, 0.0};
        const atemi_sequence_senses senses = {time, s.rig.positions, &force};
        atemi_task_sequence_step(s.sequence, &senses);
        rig_step(&s.rig);
    }
    CHECK_EQUAL_INT(report_of(&s).tap_count, 1);
    CHECK_NEAR(time_of(&s.heard, ATEMI_SEQUENCE_TASK, 0), 1.1, 1e-9);
    end(&s);
}

// ---- What -----------------------------------------------------------------------------------

TEST(task_sequence, moves_nodes_from_where_they_are)
{
    atemi_task_node node = {.target = atemi_node_target_default(), .by = {0.0, 0.0, 0.05}};
    node.is_relative = node.keeps_rotation = true;
    atemi_control_task task = {.action = ATEMI_TASK_NODES,
                               .nodes = &node,
                               .node_count = 1,
                               .motion = atemi_node_motion_default()};
    sequence_rig       s;
    begin(&s, &task, 0);
    end(&s);
    begin(&s, &task, 1);
    node.target.link = rig_link(&s.rig, "right_foot");
    const atemi_vec3 before = rig_commanded(&s.rig, node.target.link).position;
    run(&s, 4.0);
    const atemi_vec3 after = rig_commanded(&s.rig, node.target.link).position;
    CHECK_NEAR(after.z - before.z, 0.05, 1e-3); // the tolerance of critical axes
    CHECK_EQUAL_INT(report_of(&s).node_count, 1);
    CHECK_NEAR(report_of(&s).nodes[0].target.position.z - report_of(&s).starts[0].position.z, 0.05,
               1e-12);
    end(&s);
}

TEST(task_sequence, continues_the_last_motion_or_fails_without_one)
{
    atemi_joint_target       there = {.joint = KNEE};
    const atemi_control_task tasks[] = {move(&there, ATEMI_CUE_NOW),
                                        {.action = ATEMI_TASK_STOP, .at = 0.5},
                                        {.action = ATEMI_TASK_CONTINUE, .cue = ATEMI_CUE_STILL}};
    sequence_rig             s;
    begin(&s, tasks, 3);
    there.position = s.rig.positions[KNEE] + 0.3;
    run(&s, 4.0);
    CHECK_EQUAL_INT(report_of(&s).motion_count, 2);
    CHECK_NEAR(s.rig.positions[KNEE], there.position, 1e-9);
    end(&s);
    begin(&s, tasks + 2, 1);
    run(&s, 1.0);
    CHECK(report_of(&s).failed && strstr(atemi_task_sequence_failure(s.sequence), "no motion"));
    end(&s);
}

TEST(task_sequence, sets_only_what_is_given_of_the_joints_that_are_meant)
{
    bool joints[RIG_JOINTS] = {0};
    joints[5] = true;
    const atemi_control_task task = {.action = ATEMI_TASK_SET,
                                     .setting = {.joints = joints,
                                                 .natural_frequency = (double)NAN,
                                                 .damping_ratio = (double)NAN,
                                                 .torque_limit = 7.0,
                                                 .integral_rate = (double)NAN,
                                                 .gravity = (double)NAN}};
    sequence_rig             s;
    begin(&s, &task, 1);
    const double stiffness = s.rig.commands[5].stiffness, other = s.rig.commands[6].feedback_limit;
    run(&s, 2.0);
    CHECK_NEAR(s.rig.commands[5].feedback_limit, 7.0, 0.0);
    CHECK_NEAR(s.rig.commands[5].stiffness, stiffness, 1e-6 * stiffness);
    CHECK_NEAR(s.rig.commands[6].feedback_limit, other, 0.0);
    end(&s);
}

TEST(task_sequence, asks_its_hooks_for_grippers_and_weight)
{
    const atemi_control_task tasks[] = {
        {.action = ATEMI_TASK_GRIP, .link = 3, .rail = 1},
        {.action = ATEMI_TASK_RELEASE, .link = 3},
        {.action = ATEMI_TASK_OFFLOAD, .offload_fraction = 0.5, .duration = 2.0}};
    sequence_rig s;
    begin(&s, tasks, 3);
    run(&s, 0.1);
    CHECK(s.heard.grips == 1 && s.heard.releases == 1);
    CHECK_NEAR(s.heard.offload, 0.5, 0.0);
    s.heard.fails = true;
    run(&s, 0.1);
    CHECK(report_of(&s).failed);
    CHECK_EQUAL_STRING(atemi_task_sequence_failure(s.sequence), "it did not close");
    end(&s);
}

TEST(task_sequence, has_words_for_every_action)
{
    CHECK_EQUAL_STRING(atemi_task_action_text(ATEMI_TASK_JOINTS), "joints");
    CHECK_EQUAL_STRING(atemi_task_action_text(ATEMI_TASK_RESUME), "resume");
    CHECK_BREAKS_CONTRACT(atemi_task_action_text((atemi_task_action)99));
}
