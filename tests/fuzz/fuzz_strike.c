// SPDX-License-Identifier: Apache-2.0

#include "job_fuzz.h"
#include "jobs/strike/strike_scenario.h"

#include <math.h>

// Scenarios of the job strike. Run it with
//
//   fuzz_strike -dict=tests/fuzz/strike.dict -max_len=4096 tests/fuzz/corpus/strike

static void check_range(const atemi_strike_range *range)
{
    require(isfinite(range->start) && range->lower <= range->upper);
}

static void check(const atemi_strike_scenario *scenario)
{
    const atemi_strike_task *task = &scenario->task;
    const atemi_model       *model = task->model;
    require(model && task->q && task->foot_count > 0);
    require(scenario->attempts > 0 && scenario->starts > 0 && scenario->step > 0.0);
    require(fabs(atemi_vec3_norm(task->point.direction) - 1.0) < 1e-9);
    require(task->peak_weight + task->impulse_weight > 0.0);
    for (int i = 0; i < task->foot_count; ++i) {
        require(task->feet[i] >= 0 && task->feet[i] < atemi_model_site_count(model));
    }
    for (int i = 0; i < task->joint_count; ++i) {
        require(task->joints[i] >= 0 && task->joints[i] < atemi_model_joint_count(model));
        check_range(&task->joint_ranges[i]);
    }
    check_range(&task->speed);
    check_range(&task->hand_rise);
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    atemi_strike_scenario scenario;
    const atemi_status    status = atemi_strike_scenario_read(reader, file, &scenario, error);
    if (!status) {
        check(&scenario);
    }
    atemi_strike_scenario_destroy(&scenario);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return job_fuzz("strike", read_scenario, data, size);
}
