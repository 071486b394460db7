// SPDX-License-Identifier: Apache-2.0

#include "job_fuzz.h"
#include "jobs/impact/impact_scenario.h"

#include <math.h>

// Scenarios of the job impact. Run it with
//
//   fuzz_impact -dict=tests/fuzz/impact.dict -max_len=4096 tests/fuzz/corpus/impact

static void check_law(const atemi_scenario_target *target)
{
    const atemi_scenario_law *law = &target->law;
    require(target->mass > 0.0 && target->friction >= 0.0);
    require(law->kind == ATEMI_LAW_HUNT_CROSSLEY ||
            atemi_spring_damper_check(&law->spring, NULL) == ATEMI_OK);
}

static void check(const atemi_impact_scenario *scenario)
{
    const atemi_model          *model = scenario->robot.model;
    const atemi_striking_point *hand = &scenario->hand.point;
    require(model && scenario->duration > 0.0 && scenario->every > 0.0);
    require(scenario->duration / scenario->every < (double)ATEMI_IMPACT_MAX_ROWS);
    require(hand->link >= 0 && hand->link < atemi_model_link_count(model));
    require(fabs(atemi_vec3_norm(hand->direction) - 1.0) < 1e-9);
    check_law(&scenario->target);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        require(scenario->servo.stiffness[i] >= 0.0 && scenario->servo.damping[i] >= 0.0);
        require(scenario->servo.limits[i] >= 0.0);
    }
    for (int i = 0; i < scenario->sweep.posture_count; ++i) {
        require(scenario->sweep.postures[i] < atemi_model_posture_count(model));
    }
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    atemi_impact_scenario scenario;
    const atemi_status    status = atemi_impact_scenario_read(reader, file, &scenario, error);
    if (!status) {
        check(&scenario);
    }
    atemi_impact_scenario_destroy(&scenario);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return job_fuzz("impact", read_scenario, data, size);
}
