// SPDX-License-Identifier: Apache-2.0

#include "atemi/biped.h"
#include "jobs/walk/biped_run.h"

atemi_status atemi_walk_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error)
{
    atemi_biped           *biped = NULL;
    atemi_humanoid_options parts = atemi_humanoid_options_default();
    parts.sole_x = wish->sole[0];
    parts.sole_y = wish->sole[1];
    atemi_status status = atemi_job_wish_check(wish, "walk", ATEMI_WISH_SOLE, error);
    status = status ? status : atemi_biped_create(wish->model, NULL, &parts, &biped, error);
    if (status) {
        return status;
    }
    const bool        given = wish->sole[0] > 0.0;
    char              name[ATEMI_JOB_ROBOT_NAME];
    const atemi_sole *sole = &atemi_biped_humanoid(biped)->soles[ATEMI_SIDE_LEFT];
    atemi_text_append(
        yaml,
        "# %s walks in three dimensions: written by 'atemi init walk'.\n"
        "# 'atemi walk FILE' simulates it; 'atemi walk FILE --explain' has all keys.\n"
        "job: walk\nrobot: ",
        atemi_job_robot_name(wish, name));
    atemi_text_put_json_string(yaml, wish->robot);
    atemi_text_append(
        yaml,
        "\nbase: floating\n\n# Side lengths of the soles in m, by: %s. --sole "
        "LENGTHxWIDTH gives others.\n%ssole: [%.4g, %.4g]\n\n"
        "steps: 20\n"
        "# In leg lengths, of %.4g m; sideways is to the left in two steps, turning in "
        "rad a step.\n"
        "stride: {forwards: 0.3, sideways: 0, turning: 0}\n"
        "# Sensors, delay and lag of a real robot; ideal: true knows the state.\n"
        "faults: {ideal: false}\n",
        atemi_outline_source_text(sole->source), given ? "" : "# ", sole->size_x, sole->size_y,
        atemi_biped_humanoid(biped)->legs[0].length);
    atemi_biped_destroy(biped);
    return yaml->failed ? atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a scenario")
                        : ATEMI_OK;
}
