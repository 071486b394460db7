// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "io/figures/gait_graph.h"
#include "job.h"
#include "output.h"

#include <stdio.h>

static bool states, svg; // are asked for

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

static int answer(job_request *request)
{
    const int code = refuse_mixture(request);
    if (code) {
        return code;
    }
    return states ? print_states(svg) : ARGUMENTS_READY;
}

const job_extra walk_extra = {"walk", options, answer};
