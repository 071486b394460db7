// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_believed.h"

#include "io/scenario/scenario_failure.h"

static double read_factor(atemi_scenario_reader *reader, const char *key, const char *help)
{
    return atemi_scenario_number(reader, key,
                                 (atemi_number_key){.fallback = 1.0,
                                                    .lower = 0.5,
                                                    .upper = 2.0,
                                                    .reason = "no one errs by more than a factor "
                                                              "of two",
                                                    .help = help});
}

void atemi_scenario_read_variation(atemi_scenario_reader *reader, atemi_model_variation *variation)
{
    variation->masses =
        read_factor(reader, "masses", "of all masses but payloads, in those that the robot has");
    variation->lengths = read_factor(reader, "lengths", "of the links, likewise");
}

void atemi_scenario_vary(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                         const atemi_model *model, const atemi_model_variation *variation,
                         atemi_model **varied)
{
    atemi_error error;
    if (!atemi_scenario_failed(reader) && model &&
        atemi_model_vary(model, variation, varied, &error)) {
        atemi_scenario_adopt(reader, mark, &error);
    }
}
