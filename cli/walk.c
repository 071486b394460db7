// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "io/figures/gait_graph.h"
#include "job.h"
#include "output.h"

#include "atemi/walk_job.h"

#include <stdio.h>

static bool states, svg; // are asked for

static void print(const atemi_recording *r, double wall_time)
{
    job_print_time(r, wall_time);
    printf("  way       %.0f steps, %.5g m; %.3g m and %.3g s a step, %.3g km/h\n",
           atemi_recording_result_value(r, "steps"), atemi_recording_result_value(r, "distance"),
           atemi_recording_result_value(r, "step_length"),
           atemi_recording_result_value(r, "step_period"),
           3.6 * atemi_recording_result_value(r, "speed"));
    printf(
        "  floor     %.0f slips by %.3g m in all, friction used up to %.2g; %.0f bumps up to "
        "%.3g N s\n",
        atemi_recording_result_value(r, "slips"), atemi_recording_result_value(r, "slip_distance"),
        atemi_recording_result_value(r, "largest_friction_used"),
        atemi_recording_result_value(r, "bumps"), atemi_recording_result_value(r, "hardest_bump"));
    printf("  energy    %.4g J/m, cost of transport %.3g, torques up to %.0f %% of the limits\n",
           atemi_recording_result_value(r, "energy_per_metre"),
           atemi_recording_result_value(r, "cost_of_transport"),
           100.0 * atemi_recording_result_value(r, "largest_torque_part"));
}

static int print_states(bool as_picture)
{
    atemi_figure figure = {0};
    if (as_picture) {
        atemi_gait_graph_draw(&figure);
    } else {
        atemi_gait_graph_print(&figure.text);
    }
    const bool failed = figure.text.failed;
    if (!failed) {
        fputs(figure.text.bytes, stdout);
    }
    atemi_text_destroy(&figure.text);
    return failed ? output_fail("no memory for the states of a gait") : EXIT_DONE;
}

static const argument options[] = {
    {.name = "states", .help = "do nothing; print the states of a gait", .flag = &states},
    {.name = "svg", .help = "with --states: print them as a picture", .flag = &svg},
    {0}};

static const char *const tables[] = {"slips", "bumps", "gait", NULL};

static const job_kind walk = {
    .name = "walk",
    .purpose = "Walks in the sagittal plane, over dry, wet and icy floors and against pushes.\n",
    .scenario = "robot, floor, slope, steps, pushes, gains",
    .options = options,
    .notes = JOB_NOTES "the robot falls, or gets stuck.\n\n"
                       "examples:\n"
                       "  atemi walk scenarios/ice.yaml --report ice.html\n"
                       "  atemi walk --states --svg >states.svg\n"
                       "  atemi walk --explain\n",
    .run = atemi_walk_file,
    .explain = atemi_walk_explain,
    .print = print,
    .tables = tables};

// The states are those of any walk: nothing of one is asked for beside them.
static int refuse_mixture(const job_request *request)
{
    if (svg && !states) {
        return output_refuse("--svg is for --states; see 'atemi walk --help'");
    }
    if (states && (request->scenario || request->folder || request->report || request->figures ||
                   request->json || request->explain)) {
        return output_refuse("--states walks nowhere; give nothing else but --svg");
    }
    return EXIT_DONE;
}

int command_walk(int argc, char **argv)
{
    job_request request = {0};
    int         code = job_read(&walk, argc, argv, &request);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    code = refuse_mixture(&request);
    if (code) {
        return code;
    }
    return states ? print_states(svg) : job_run(&walk, &request);
}
