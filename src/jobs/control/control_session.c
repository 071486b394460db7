// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_session.h"

#include <string.h>

static double now(const control_session *s)
{
    return atemi_whole_body_plant_time(s->plant);
}

// ---- Hooks of the tasks ---------------------------------------------------------------------

static const char *link_name(const control_session *s, int link)
{
    return atemi_model_link(s->scenario->robot.model, link)->name;
}

static void grip(void *context, int link, int rail)
{
    atemi_control_loop_grip(((control_session *)context)->loop, link, rail);
}

static void release(void *context, int link)
{
    control_session *s = (control_session *)context;
    atemi_control_loop_release(s->loop, link);
    atemi_control_note(s->log, now(s), "release", link_name(s, link), "%s is open",
                       link_name(s, link));
}

static void offload(void *context, double fraction, double duration)
{
    atemi_control_loop_offload(((control_session *)context)->loop, fraction, duration);
}

static void note_grip(control_session *s, const atemi_grip *g)
{
    const char *name = link_name(s, g->link), *rail = s->scenario->rails.names[g->rail];
    if (g->state == ATEMI_GRIP_CLOSED) {
        atemi_control_note(s->log, g->ended, "grip", name, "%s is closed on %s, %.2g mm off", name,
                           rail, 1e3 * g->left);
    } else {
        atemi_control_note(s->log, g->ended, "grip failed", name,
                           "%s did not close on %s: %.3g mm and %.3g rad are left", name, rail,
                           1e3 * g->left, g->left_rotation);
    }
}

static atemi_status fail_grip(const control_session *s, const atemi_grip *g, atemi_error *error)
{
    return atemi_fail(
        error, ATEMI_ERROR_INPUT, "%.100s did not close on %.100s: %.3g mm and %.3g rad are left",
        link_name(s, g->link), s->scenario->rails.names[g->rail], 1e3 * g->left, g->left_rotation);
}

static atemi_status update(void *context, atemi_error *error)
{
    control_session  *s = (control_session *)context;
    const atemi_grip *grips = atemi_control_loop_grips(s->loop);
    atemi_status      status = ATEMI_OK;
    atemi_control_loop_update_grips(s->loop);
    for (int i = 0; i < atemi_control_loop_grip_count(s->loop); ++i) {
        if (grips[i].state != ATEMI_GRIP_CLOSING && grips[i].ended == now(s)) {
            note_grip(s, &grips[i]);
        }
        if (grips[i].state == ATEMI_GRIP_FAILED && !status) {
            status = fail_grip(s, &grips[i], error);
        }
    }
    return status;
}

static bool is_busy(void *context)
{
    return atemi_control_loop_is_busy(((control_session *)context)->loop);
}

static bool is_held(void *context, int link)
{
    return atemi_control_loop_is_held(((control_session *)context)->loop, link);
}

// ---- What they report -----------------------------------------------------------------------

static void note_goal(control_session *s, const atemi_goal_record *goal)
{
    const char *outcome = atemi_goal_outcome_text(goal->outcome);
    const char *joint =
        goal->joint >= 0 ? atemi_control_joint(s->scenario->robot.model, goal->joint)->name : NULL;
    atemi_control_note(s->log, now(s), outcome, joint, "goal %d: %s%s%s", goal->id, outcome,
                       joint ? " by " : "", joint ? joint : "");
}

static void report(void *context, const atemi_sequence_event *event)
{
    control_session *s = (control_session *)context;
    const char      *action = event->task < s->scenario->tasks.count
                                  ? atemi_task_action_text(s->scenario->tasks.tasks[event->task].action)
                                  : NULL;
    switch (event->kind) {
    case ATEMI_SEQUENCE_TASK:
        atemi_control_note(s->log, event->time, "task", action, "task %d: %s", event->task, action);
        break;
    case ATEMI_SEQUENCE_GOAL:
        note_goal(s, event->goal);
        break;
    case ATEMI_SEQUENCE_TAP:
        atemi_control_note(s->log, event->time, "tap", NULL, "a tap of %.3g N was felt",
                           event->force);
        break;
    case ATEMI_SEQUENCE_FAILED:
        atemi_control_note(s->log, event->time, "failed", NULL, "%s",
                           atemi_task_sequence_failure(s->sequence));
        break;
    }
}

// ---- Running --------------------------------------------------------------------------------

void atemi_control_session_step(control_session *session)
{
    const control_session *s = session;
    const int              cell = s->scenario->cell.joint;
    atemi_sequence_senses  senses = {.time = now(s),
                                     .positions = atemi_control_loop_positions(s->loop)};
    atemi_vec3             force;
    if (cell != ATEMI_NONE) {
        force = atemi_whole_body_plant_wrench(s->plant, cell).linear;
        senses.cell_force = &force;
    }
    atemi_task_sequence_step(s->sequence, &senses);
    atemi_control_loop_coordinate(s->loop);
}

atemi_status atemi_control_session_tick(control_session *session, atemi_error *error)
{
    const control_scenario *scenario = session->scenario;
    if (scenario->forces.count) {
        const int    links = atemi_model_link_count(scenario->robot.model);
        atemi_force *forces = atemi_whole_body_plant_forces(session->plant);
        memset(forces, 0, (size_t)links * sizeof *forces);
        atemi_timed_forces_add(scenario->forces.forces, scenario->forces.count, now(session),
                               forces);
    }
    return atemi_control_loop_tick(session->loop, error);
}

// ---- Creating -------------------------------------------------------------------------------

// Tasks that close a gripper.
static int grip_count(const control_tasks *tasks)
{
    int count = 0;
    for (int i = 0; i < tasks->count; ++i) {
        count += tasks->tasks[i].action == ATEMI_TASK_GRIP;
    }
    return count;
}

atemi_control_loop_options atemi_control_session_loop(const control_scenario *scenario)
{
    const control_scenario    *s = scenario;
    atemi_control_loop_options o = atemi_control_loop_options_default();
    o.plant.joints = s->plants;
    o.plant.joint_friction = s->joint_friction;
    o.plant.surfaces = s->surfaces.surfaces;
    o.plant.surface_count = s->surfaces.count;
    o.plant.points = s->contacts.points;
    o.plant.point_count = s->contacts.count;
    o.coordination = s->coordination;
    o.controls = s->controls;
    o.q = s->start.q;
    o.v = s->start.v;
    o.holds = s->holds.links;
    o.hold_count = s->holds.link_count;
    o.offload = s->offload;
    o.ground_depth = s->ground_depth;
    o.ground_time = s->ground_time;
    o.ground_friction = s->ground_friction;
    o.timed_surfaces = s->people.people;
    o.timed_surface_count = s->people.person_count;
    o.plant.bodies = s->people.bodies;
    o.plant.body_count = s->people.person_count;
    o.plant.changes = s->world.changes;
    o.plant.change_count = s->world.change_count;
    o.believed = s->world.believed;
    o.faults = s->faults.injected;
    o.fault_count = s->faults.injected_count;
    o.fault_seed = s->seed;
    o.brake_time = s->brake_time;
    o.hands = s->people.hands;
    o.hand_count = s->people.hand_count;
    o.rails = s->rails.poses;
    o.rail_count = s->rails.count;
    o.jaws = s->rails.jaws;
    o.max_grips = grip_count(&s->tasks);
    return o;
}

static atemi_status create_sequence(control_session *s, atemi_error *error)
{
    atemi_sequence_options o = {.period = s->scenario->coordination.period,
                                .tap_threshold = s->scenario->cell.threshold,
                                .max_holds = CONTROL_MAX_HOLDS};
    o.hooks = (atemi_sequence_hooks){.context = s,
                                     .grip = grip,
                                     .release = release,
                                     .offload = offload,
                                     .update = update,
                                     .is_busy = is_busy,
                                     .is_held = is_held,
                                     .report = report};
    return atemi_task_sequence_create(atemi_control_scenario_believed(s->scenario), s->coordination,
                                      s->scenario->tasks.tasks, s->scenario->tasks.count, &o,
                                      &s->sequence, error);
}

atemi_status atemi_control_session_create(const control_scenario *scenario, control_log *log,
                                          control_session *session, atemi_error *error)
{
    const atemi_control_loop_options options = atemi_control_session_loop(scenario);
    *session = (control_session){.scenario = scenario, .log = log};
    const atemi_status status =
        atemi_control_loop_create(scenario->robot.model, &options, &session->loop, error);
    if (status) {
        return status;
    }
    session->plant = atemi_control_loop_plant(session->loop);
    session->coordination = atemi_control_loop_coordination(session->loop);
    return create_sequence(session, error);
}

void atemi_control_session_destroy(control_session *session)
{
    atemi_task_sequence_destroy(session->sequence);
    atemi_control_loop_destroy(session->loop);
}
