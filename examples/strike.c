// SPDX-License-Identifier: Apache-2.0
//
// Plans the hardest blow without falling, verifies it by full dynamics, and keeps recording
// and report.
//
//     strike SCENARIO.yaml FOLDER

#include <atemi/atemi.h>
#include <stdio.h>
#include <stdlib.h>

static bool show_progress(void *context, double done)
{
    (void)context;
    fprintf(stderr, "\r%3.0f %%", 100 * done);
    return true; // false would stop, with the best so far
}

static void print_results(const atemi_recording *recording)
{
    puts(atemi_recording_outcome(recording));
    for (int i = 0; i < atemi_recording_result_count(recording); ++i) {
        const atemi_recorded_result *result = atemi_recording_result(recording, i);
        printf("%-32s %12.6g %s\n", result->name, result->value, result->unit);
    }
}

static atemi_status keep(const atemi_recording *recording, const char *folder, atemi_error *error)
{
    char               page[1024];
    const atemi_status status = atemi_recording_write(recording, folder, error);
    snprintf(page, sizeof page, "%s/report.html", folder);
    return status || !atemi_report_available() ? status
                                               : atemi_report_write(recording, page, error);
}

int main(int argc, char **argv)
{
    const atemi_job_options options = {.hooks = {.progress = show_progress}};
    atemi_recording        *recording = NULL;
    atemi_error             error;
    if (argc != 3) {
        fputs("usage: strike SCENARIO.yaml FOLDER\n", stderr);
        return 2;
    }
    atemi_status status = atemi_job_run("strike", argv[1], &options, &recording, &error);
    if (!status) {
        print_results(recording);
        status = keep(recording, argv[2], &error);
    }
    if (status) {
        fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.message);
    }
    atemi_recording_destroy(recording);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
