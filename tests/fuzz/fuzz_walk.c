// SPDX-License-Identifier: Apache-2.0

#include "job_fuzz.h"
#include "jobs/walk/walk_scenario.h"

// Scenarios of the job walk. Run it with
//
//   fuzz_walk -dict=tests/fuzz/walk.dict -max_len=4096 tests/fuzz/corpus/walk

static void check(const atemi_walk_scenario *scenario)
{
    const atemi_walk_task *task = &scenario->task;
    require(scenario->robot.model && scenario->distance > 0.0 && scenario->every > 0.0);
    require(task->steps > 0 && task->step > 0.0 && task->friction >= 0.0);
    for (int i = 0; i < task->patch_count; ++i) {
        require(task->patches[i].from < task->patches[i].to && task->patches[i].friction >= 0.0);
    }
    for (int i = 0; i < task->force_count; ++i) {
        require(task->forces[i].link >= 0 &&
                task->forces[i].link < atemi_model_link_count(scenario->robot.model));
    }
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    atemi_walk_scenario scenario;
    const atemi_status  status = atemi_walk_scenario_read(reader, file, &scenario, error);
    if (!status) {
        check(&scenario);
    }
    atemi_walk_scenario_destroy(&scenario);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return job_fuzz("walk", read_scenario, data, size);
}
