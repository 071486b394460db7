// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // mkdtemp
#endif

#include "atemi/job.h"
#include "atemi/recording.h"
#include "job_fuzz.h"
#include "jobs/job_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Runs jobs of the registry: the first line of the input is the scenario's key job.
// A job is stopped when it has asked whether to go on as many times as its budget is. Whatever the
// numbers of the scenario, it ends with an error that says something and where, or with a recording
// whose outcome is true: no contract is broken, no number that it promises is missing, and
// recording, figures and page can be written and the recording loaded again. Run it with
//
//   fuzz_jobs -dict=tests/fuzz/jobs.dict -max_len=2048 tests/fuzz/corpus/jobs
//
// Half of the mutations put another number in place of one, so that texts stay scenarios.

enum { MAX_BYTES = 4096 };

// ---- Jobs

// How often a job may ask whether to go on before it is stopped: few where each time is long.
static int budget_of(const char *job)
{
    static const struct {
        const char *job;
        int         budget;
    } budgets[] = {
        {"simulate", 100}, {"impact", 40}, {"strike", 1}, {"control", 20}, {"walk", 100}};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; ++i) {
        if (strcmp(budgets[i].job, job) == 0) {
            return budgets[i].budget;
        }
    }
    return 8;
}

// The job that the first line names; NULL for none.
static const char *job_of(const uint8_t *data, size_t size)
{
    for (int i = 0; i < atemi_job_count(); ++i) {
        char         line[64];
        const size_t length = (size_t)snprintf(line, sizeof line, "job: %s\n", atemi_job_name(i));
        if (size > length && memcmp(data, line, length) == 0) {
            return atemi_job_name(i);
        }
    }
    return NULL;
}

static bool has_budget(void *context, double done)
{
    require(done >= 0.0 && done <= 1.0);
    return --*(int *)context > 0;
}

// ---- What it leaves behind

static const char *folder(void)
{
    static char path[256];
    const char *root = getenv("TMPDIR"); // one in memory, such as /dev/shm, is several times faster
    if (!path[0]) {
        snprintf(path, sizeof path, "%s/fuzz_jobs.XXXXXX", root ? root : "/tmp");
        require(mkdtemp(path) != NULL);
    }
    return path;
}

static const char *inside(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder(), name);
    return path;
}

// Rows that were streamed are in the folder alone.
static void check_written(const atemi_recording *recording)
{
    atemi_recording *loaded = NULL;
    atemi_error      error = {0};
    require(atemi_recording_write(recording, inside("recording"), &error) == ATEMI_OK);
    require(atemi_recording_load(inside("recording"), &loaded, &error) == ATEMI_OK);
    require(atemi_recording_row_count(loaded) == atemi_recording_row_count(recording));
    require(atemi_recording_result_count(loaded) == atemi_recording_result_count(recording));
    require(atemi_recording_warning_count(loaded) == atemi_recording_warning_count(recording));
    const atemi_recording *whole = atemi_recording_values(recording, 0) ? recording : loaded;
    // Without rows there is nothing to draw, and it says so.
    const atemi_status figures = atemi_report_write_figures(whole, inside("figures"), &error);
    require(figures == ATEMI_OK || (atemi_recording_row_count(whole) == 0 && error.message[0]));
    const atemi_status page = atemi_report_write(whole, inside("page.html"), &error);
    require(page == ATEMI_OK || page == ATEMI_ERROR_NOT_FOUND); // built without node and npm
    atemi_recording_destroy(loaded);
}

static double completed(const atemi_recording *recording)
{
    for (int i = 0; i < atemi_recording_result_count(recording); ++i) {
        if (strcmp(atemi_recording_result(recording, i)->name, "completed") == 0) {
            return atemi_recording_result(recording, i)->value;
        }
    }
    return NAN;
}

// Numbers that are none make a job fail, as they must; that it came to them is a finding all the
// same.
static void check_recording(const atemi_recording *recording)
{
    const char *outcome = atemi_recording_outcome(recording);
    char        what[ATEMI_JOB_NUMBERS_TEXT];
    require(outcome && outcome[0]);
    require(completed(recording) == 0.0 || completed(recording) == 1.0);
    if (completed(recording) == 1.0) {
        require(!atemi_job_numbers_missing(recording, what));
    }
    if (strstr(outcome, "is not a finite number")) {
        fprintf(stderr, "outcome: %s\n", outcome);
        require(0);
    }
    check_written(recording);
}

// With all flags of the job but full dynamics, which take long.
static void run(const char *job, const char *text, size_t size)
{
    int                     budget = budget_of(job);
    const atemi_job_options options = {.flags = atemi_job_flag(job, "sweep"),
                                       .hooks = {.progress = has_budget,
                                                 .context = &budget,
                                                 .folder = size % 2 ? inside("recording") : NULL}};
    atemi_recording        *recording = NULL;
    atemi_error             error = {0};
    const long              broken = atemi_contracts_broken(NULL);
    const atemi_status      status =
        atemi_job_run_text(NULL, text, size, "fuzz.yaml", &options, &recording, &error);
    require(atemi_contracts_broken(NULL) == broken && status != ATEMI_ERROR_CONTRACT);
    require(status == error.status && (status == ATEMI_OK) == (recording != NULL));
    require(status == ATEMI_OK || strlen(error.message) > 0);
    require(status != ATEMI_ERROR_INPUT || (error.line > 0 && error.column > 0));
    if (recording) {
        check_recording(recording);
    }
    atemi_recording_destroy(recording);
}

static void report(void *context, const atemi_violation *violation)
{
    (void)context;
    fprintf(stderr, "%s:%d: broken contract of %s(): %s\n", violation->file, violation->line,
            violation->function, violation->expression);
    __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *job = job_of(data, size);
    if (!job || size > MAX_BYTES || job_fuzz_may_name_a_file(data, size)) {
        return -1;
    }
    atemi_set_contract_handler(report, NULL);
    run(job, (const char *)data, size);
    return 0;
}

// ---- Mutations

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

// The beginning of a number at or behind `from`, going round; `size` for none.
static size_t find_number(const uint8_t *data, size_t size, size_t from)
{
    for (size_t i = 0; i < size; ++i) {
        const size_t at = (from + i) % size;
        if (is_digit(data[at]) &&
            (at == 0 || data[at - 1] == ' ' || data[at - 1] == '[' || data[at - 1] == '-')) {
            return at;
        }
    }
    return size;
}

static size_t end_of_number(const uint8_t *data, size_t size, size_t at)
{
    while (at < size && (is_digit(data[at]) || data[at] == '.' || data[at] == 'e' ||
                         (data[at] == '-' && data[at - 1] == 'e'))) {
        ++at;
    }
    return at;
}

static size_t replace(uint8_t *data, size_t size, size_t most, size_t from, size_t until,
                      const char *by)
{
    const size_t length = strlen(by);
    if (size - (until - from) + length > most) {
        return size;
    }
    memmove(data + from + length, data + until, size - until);
    memcpy(data + from, by, length);
    return size - (until - from) + length;
}

// Numbers at the ends of the ranges, and of those that are usual.
static const char *number(unsigned int seed)
{
    static const char *const numbers[] = {
        "0",    "1",    "2",     "0.5",    "3",     "10",   "90",   "100",  "1e3",  "1e4",
        "1e5",  "1e6",  "1e8",   "1e9",    "1e12",  "1e-1", "1e-2", "1e-3", "1e-4", "1e-6",
        "1e-7", "1e-9", "1e-12", "1e-300", "1e308", "7",    "0.01", "0.3",  "inf",  "4"};
    static char made[32];
    if (seed % 4 != 0) {
        return numbers[(seed / 4) % (sizeof numbers / sizeof *numbers)];
    }
    snprintf(made, sizeof made, "%.4g", pow(10.0, (int)(seed / 4 % 2400) / 100.0 - 12.0));
    return made;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    const size_t from = size ? find_number(data, size, (seed / 7) % size) : 0;
    if (seed % 2 == 0 || from >= size) {
        return LLVMFuzzerMutate(data, size, most);
    }
    return replace(data, size, most, from, end_of_number(data, size, from), number(seed / 5));
}
