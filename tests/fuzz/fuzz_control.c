// SPDX-License-Identifier: Apache-2.0

#include "job_fuzz.h"
#include "jobs/control/control_scenario.h"

// Scenarios of the job control. Run it with
//
//   fuzz_control -dict=tests/fuzz/control.dict -max_len=4096 tests/fuzz/corpus/control

static void check_node(const control_scenario *scenario, const atemi_task_node *node)
{
    require(node->target.link >= 0 &&
            node->target.link < atemi_model_link_count(scenario->robot.model));
}

static void check_task(const control_scenario *scenario, const atemi_control_task *task)
{
    const int joints = atemi_control_joint_count(scenario->robot.model);
    require(task->at >= 0.0 && task->wait >= 0.0 && task->node_count <= CONTROL_MAX_NODES);
    for (int i = 0; i < task->target_count; ++i) {
        require(task->targets[i].joint >= 0 && task->targets[i].joint < joints);
    }
    for (int i = 0; i < task->node_count; ++i) {
        check_node(scenario, &task->nodes[i]);
    }
    for (int i = 0; i < task->breadcrumb_joint_count; ++i) {
        require(task->breadcrumb_joints[i] >= 0 && task->breadcrumb_joints[i] < joints);
    }
}

static void check_joints(const control_scenario *scenario)
{
    for (int i = 0; i < atemi_control_joint_count(scenario->robot.model); ++i) {
        require(atemi_joint_drive_check(&scenario->plants[i].drive, NULL) == ATEMI_OK);
        require(atemi_control_joint(scenario->robot.model, i) != NULL);
    }
}

static void check_holds(const control_holds *holds, int links)
{
    require(holds->link_count + holds->contact_count <= CONTROL_MAX_HOLDS);
    for (int i = 0; i < holds->link_count; ++i) {
        require(holds->links[i] >= 0 && holds->links[i] < links);
    }
    for (int i = 0; i < holds->contact_count; ++i) {
        const atemi_standing_contact *contact = &holds->contacts[i];
        require(contact->link >= 0 && contact->link < links && contact->friction >= 0.0);
        require(contact->size_x >= 0.0 && contact->size_y >= 0.0);
    }
}

static void check(const control_scenario *scenario)
{
    const atemi_model *model = scenario->robot.model;
    require(model && scenario->duration > 0.0 && scenario->every > 0.0);
    check_holds(&scenario->holds, atemi_model_link_count(model));
    for (int i = 0; i < scenario->contacts.count; ++i) {
        require(scenario->contacts.points[i].compliance != NULL);
    }
    check_joints(scenario);
    for (int i = 0; i < scenario->tasks.count; ++i) {
        check_task(scenario, &scenario->tasks.tasks[i]);
    }
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    control_scenario   scenario;
    const atemi_status status = atemi_control_scenario_read(reader, file, &scenario, error);
    if (!status) {
        check(&scenario);
    }
    atemi_control_scenario_destroy(&scenario);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return job_fuzz("control", read_scenario, data, size);
}
