// SPDX-License-Identifier: Apache-2.0

#include "atemi/task_sequence.h"

#include "atemi/base.h"
#include "control/task_sequence_parts.h"
#include "control/task_words.h"

#include <math.h>

static const double rounding = 1e-9; // s

const char *const atemi_task_action_words[] = {"joints",   "nodes",  "follow", "stop",    "set",
                                               "stay",     "base",   "grip",   "release", "offload",
                                               "continue", "resume", NULL};

const char *atemi_task_action_text(atemi_task_action action)
{
    ATEMI_REQUIRE_OR(action <= ATEMI_TASK_RESUME, "");
    return atemi_task_action_words[action];
}

static double now(const atemi_task_sequence *s)
{
    return s->senses->time;
}

static void report(const atemi_task_sequence *s, atemi_sequence_event event)
{
    if (s->options.hooks.report) {
        event.time = now(s);
        event.task = s->state.next;
        s->options.hooks.report(s->options.hooks.context, &event);
    }
}

static void fail(atemi_task_sequence *s, const atemi_control_task *task, const char *why)
{
    s->state.failed = true;
    atemi_fail(&s->failure, ATEMI_ERROR_INPUT, "task %d (%s): %.300s", s->state.next,
               atemi_task_action_text(task->action), why);
    report(s, (atemi_sequence_event){.kind = ATEMI_SEQUENCE_FAILED});
}

// ---- Tasks ----------------------------------------------------------------------------------

static void ask_hooks(const atemi_sequence_hooks *hooks, const atemi_control_task *task)
{
    if (task->action == ATEMI_TASK_GRIP && hooks->grip) {
        hooks->grip(hooks->context, task->link, task->rail);
    } else if (task->action == ATEMI_TASK_RELEASE && hooks->release) {
        hooks->release(hooks->context, task->link);
    } else if (task->action == ATEMI_TASK_OFFLOAD && hooks->offload) {
        hooks->offload(hooks->context, task->offload_fraction, task->duration);
    }
}

static atemi_status give(atemi_task_sequence *s, const atemi_control_task *task, atemi_error *error)
{
    atemi_coordination *c = s->coordination;
    switch (task->action) {
    case ATEMI_TASK_JOINTS:
    case ATEMI_TASK_NODES:
    case ATEMI_TASK_FOLLOW:
        return atemi_sequence_begin_motion(s, task, error);
    case ATEMI_TASK_STOP:
        atemi_coordination_stop(c);
        return ATEMI_OK;
    case ATEMI_TASK_SET:
        return atemi_joint_setting_command(&task->setting, c, ATEMI_SOURCE_USER, error);
    case ATEMI_TASK_STAY:
        return atemi_sequence_stay(s, task, error);
    case ATEMI_TASK_BASE:
        return atemi_coordination_set_base(c, ATEMI_SOURCE_USER, task->link, NULL, error);
    case ATEMI_TASK_GRIP:
    case ATEMI_TASK_RELEASE:
    case ATEMI_TASK_OFFLOAD:
        ask_hooks(&s->options.hooks, task);
        return ATEMI_OK;
    case ATEMI_TASK_CONTINUE:
        return atemi_sequence_continue_motion(s, error);
    case ATEMI_TASK_RESUME:
        atemi_coordination_resume(c);
        return ATEMI_OK;
    }
    return ATEMI_OK;
}

static void give_next(atemi_task_sequence *s, const atemi_control_task *task)
{
    atemi_error error = {0};
    report(s, (atemi_sequence_event){.kind = ATEMI_SEQUENCE_TASK});
    if (give(s, task, &error)) {
        fail(s, task, error.message);
    }
    s->given = now(s);
    s->cued = NAN;
    s->tapped = false;
    ++s->state.next;
}

// ---- Cues -----------------------------------------------------------------------------------

static const atemi_goal_record *last_goal(const atemi_task_sequence *s)
{
    return atemi_goal_log_find(atemi_coordination_goals(s->coordination), s->state.goal);
}

atemi_goal_outcome atemi_task_sequence_outcome(const atemi_task_sequence *sequence)
{
    ATEMI_REQUIRE_OR(sequence, ATEMI_OUTCOME_REACHED);
    const atemi_goal_record *record = last_goal(sequence);
    return record ? record->outcome : ATEMI_OUTCOME_REACHED;
}

static bool is_still(const atemi_task_sequence *s)
{
    const atemi_coordination_report report = atemi_coordination_report_get(s->coordination);
    const atemi_sequence_hooks     *hooks = &s->options.hooks;
    const bool                      busy = hooks->is_busy && hooks->is_busy(hooks->context);
    return !report.moving && !(report.base_fraction < 1.0) && !busy;
}

static bool is_reached(atemi_task_sequence *s, const atemi_control_task *task)
{
    const atemi_goal_outcome outcome = atemi_task_sequence_outcome(s);
    if (is_still(s) && outcome != ATEMI_OUTCOME_REACHED) {
        atemi_error why;
        atemi_fail(&why, ATEMI_ERROR_INPUT, "waits for a goal that ended as %s",
                   atemi_goal_outcome_text(outcome));
        fail(s, task, why.message);
    }
    return is_still(s) && outcome == ATEMI_OUTCOME_REACHED;
}

static bool is_cued(atemi_task_sequence *s, const atemi_control_task *task)
{
    switch (task->cue) {
    case ATEMI_CUE_NOW:
        return true;
    case ATEMI_CUE_STILL:
        return is_still(s);
    case ATEMI_CUE_REACHED:
        return is_reached(s, task);
    case ATEMI_CUE_TAP:
        return s->tapped;
    }
    return true;
}

// Whether the task is due: its time has come, and its cue was there for long enough.
static bool is_due(atemi_task_sequence *s, const atemi_control_task *task)
{
    if (isnan(s->cued) && is_cued(s, task)) {
        s->cued = task->cue == ATEMI_CUE_NOW ? s->given : now(s);
    }
    return !s->state.failed && !isnan(s->cued) && now(s) >= task->at - rounding &&
           now(s) >= s->cued + task->wait - rounding;
}

// ---- A step ---------------------------------------------------------------------------------

static void feel(atemi_task_sequence *s)
{
    const atemi_vec3 *force = s->senses->cell_force;
    if (force && atemi_tap_detector_step(&s->detector, now(s), *force, is_still(s))) {
        s->tapped = true;
        ++s->state.tap_count;
        report(s,
               (atemi_sequence_event){.kind = ATEMI_SEQUENCE_TAP, .force = s->detector.strength});
    }
}

static void report_goal(atemi_task_sequence *s)
{
    const atemi_goal_record *goal = last_goal(s);
    if (goal && goal->outcome != ATEMI_OUTCOME_ACTIVE && !s->is_reported) {
        s->is_reported = true;
        report(s, (atemi_sequence_event){.kind = ATEMI_SEQUENCE_GOAL, .goal = goal});
    }
}

static void update_hooks(atemi_task_sequence *s)
{
    const atemi_sequence_hooks *hooks = &s->options.hooks;
    atemi_error                 error = {0};
    if (hooks->update && hooks->update(hooks->context, &error) && !s->state.failed) {
        s->state.failed = true;
        s->failure = error;
    }
}

void atemi_task_sequence_step(atemi_task_sequence *sequence, const atemi_sequence_senses *senses)
{
    ATEMI_REQUIRE(sequence && senses && senses->positions);
    atemi_task_sequence *s = sequence;
    if (!s->begun) {
        s->begun = true;
        return;
    }
    s->senses = senses;
    report_goal(s);
    update_hooks(s);
    feel(s);
    while (!s->state.failed && s->state.next < s->task_count &&
           is_due(s, &s->tasks[s->state.next])) {
        give_next(s, &s->tasks[s->state.next]);
    }
    s->senses = NULL;
}

atemi_sequence_report atemi_task_sequence_report(const atemi_task_sequence *sequence)
{
    const atemi_sequence_report none = {0};
    ATEMI_REQUIRE_OR(sequence, none);
    return sequence->state;
}

const char *atemi_task_sequence_failure(const atemi_task_sequence *sequence)
{
    ATEMI_REQUIRE_OR(sequence, "");
    return sequence->failure.message;
}

// ---- Creating -------------------------------------------------------------------------------

atemi_sequence_options atemi_sequence_options_default(void)
{
    return (atemi_sequence_options){.period = 0.02, .tap_threshold = 8.0, .max_holds = 4};
}

// Of a motion, with what is held.
static int largest_node_count(const atemi_task_sequence *s)
{
    int count = 0;
    for (int i = 0; i < s->task_count; ++i) {
        count = s->tasks[i].node_count > count ? s->tasks[i].node_count : count;
    }
    return count + s->options.max_holds;
}

static void take(atemi_arena *arena, atemi_task_sequence *s)
{
    const int nodes = largest_node_count(s);
    s->kinematics = atemi_kinematics_take(arena, s->model);
    s->targets = atemi_arena_array(arena, atemi_joint_target, s->joint_count);
    s->nodes = atemi_arena_array(arena, atemi_node_target, nodes);
    s->starts = atemi_arena_array(arena, atemi_transform, nodes);
    s->state.nodes = s->nodes;
    s->state.starts = s->starts;
}

static atemi_status make(const atemi_task_sequence *made, atemi_task_sequence **sequence,
                         atemi_error *error)
{
    atemi_task_sequence measured = *made;
    atemi_arena         arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_task_sequence, 1);
    take(&arena, &measured);
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (!status) {
        *sequence = atemi_arena_array(&arena, atemi_task_sequence, 1);
        **sequence = *made;
        take(&arena, *sequence);
        (*sequence)->arena = arena;
    }
    return status;
}

atemi_status atemi_task_sequence_create(const atemi_model *model, atemi_coordination *coordination,
                                        const atemi_control_task *tasks, int task_count,
                                        const atemi_sequence_options *options,
                                        atemi_task_sequence **sequence, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && coordination && sequence && task_count >= 0 &&
                         (tasks || task_count == 0),
                     ATEMI_ERROR_CONTRACT);
    const atemi_sequence_options chosen = options ? *options : atemi_sequence_options_default();
    const atemi_task_sequence    made = {
           .model = model,
           .coordination = coordination,
           .tasks = tasks,
           .task_count = task_count,
           .joint_count = atemi_coordination_joint_count(coordination),
           .options = chosen,
           .state = {.motion = ATEMI_NONE},
           .cued = NAN,
           .detector = atemi_tap_detector_start(chosen.period, chosen.tap_threshold)};
    *sequence = NULL;
    return make(&made, sequence, error);
}

void atemi_task_sequence_destroy(atemi_task_sequence *sequence)
{
    if (sequence) {
        atemi_arena arena = sequence->arena;
        atemi_arena_destroy(&arena);
    }
}
