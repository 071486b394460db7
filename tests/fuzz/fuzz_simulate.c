// SPDX-License-Identifier: Apache-2.0

#include "job_fuzz.h"
#include "jobs/simulate/simulate_scenario.h"

// Scenarios of the job simulate. Run it with
//
//   fuzz_simulate -dict=tests/fuzz/simulate.dict -max_len=4096 tests/fuzz/corpus/simulate

static void check(const atemi_simulate_scenario *scenario)
{
    const atemi_scenario_contacts *contacts = &scenario->contacts;
    require(scenario->robot.model && scenario->duration > 0.0 && scenario->every > 0.0);
    for (int i = 0; i < contacts->count; ++i) {
        const atemi_simulation_point *point = &contacts->points[i];
        require(point->surface >= 0 && point->surface < scenario->surfaces.count);
        require(point->link >= 0 && point->link < atemi_model_link_count(scenario->robot.model));
        require(point->kinetic_friction >= 0.0 &&
                point->kinetic_friction <= point->static_friction);
    }
    for (int i = 0; i < scenario->surfaces.count; ++i) {
        require(atemi_surface_check(&scenario->surfaces.surfaces[i], NULL) == ATEMI_OK);
    }
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    atemi_simulate_scenario scenario;
    const atemi_status      status = atemi_simulate_scenario_read(reader, file, &scenario, error);
    if (!status) {
        check(&scenario);
    }
    atemi_simulate_scenario_destroy(&scenario);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return job_fuzz("simulate", read_scenario, data, size);
}
