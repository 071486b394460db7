// SPDX-License-Identifier: Apache-2.0

#include "strike.h"

#include "jobs/job_choice.h"

#include <stdio.h>
#include <stdlib.h>

static atemi_status read(const char *path, atemi_strike_scenario *scenario, atemi_error *error)
{
    atemi_scenario_reader *reader;
    atemi_status           status = atemi_scenario_open(path, &reader, error);
    if (!status) {
        atemi_job_choice_read(reader, "strike");
        status = atemi_strike_scenario_read(reader, path, scenario, error);
        atemi_scenario_close(reader);
    }
    return status;
}

void bench_strike_read(const char *path, atemi_strike_scenario *scenario)
{
    atemi_error error = {0};
    if (read(path, scenario, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(2);
    }
}
