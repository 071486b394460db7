// SPDX-License-Identifier: Apache-2.0
//
// The driver: loads contenders, checks that they agree, times them in turn, reports.
//
//     for every round, for every operation, for every contender:
//         a few calls to warm the caches, then one timed batch over all states
//
// so that whatever slows the machine down hits all of them alike. The minimum over the rounds is
// what is compared; the median is kept beside it.

#include "bench.h"
#include "feet.h"
#include "report.h"
#include "robot.h"
#include "timing.h"

#include <dlfcn.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONTENDERS = 64, WARM_CALLS = 16 };

/// Relative to the largest entry. Rounding alone leaves 1e-12 at most, a wrong term far more.
static const double tolerance = 1e-8;

typedef struct bench_options {
    const char *tables;    // folder of the robots' tables
    const char *csv;       // or NULL
    const char *library;   // the only one to run, or NULL
    const char *feet[2];   // links, or NULL for what is customary
    int         operation; // the only one to run, or -1
    int         rounds;
    int         states;
    int         calls; // if positive: no timing, only so many calls
} bench_options;

typedef struct bench_entry {
    const bench_contender *contender;
    void                  *self;
    bench_measurement      measurement;
    double                *samples[BENCH_OPERATION_COUNT]; // [rounds] ns a call
} bench_entry;

typedef struct bench_field {
    bench_entry entries[MAX_CONTENDERS];
    int         count;
} bench_field;

// ---------------------------------------------------------------------------------------------
// Contenders

static void load_contenders(const char *path, const bench_options *options, bench_field *field)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        fprintf(stderr, "bench: %s\n", dlerror());
        exit(1);
    }
    const bench_contender *(*list)(int *) = NULL;
    *(void **)&list = dlsym(object, "bench_contenders");
    int                    count = 0;
    const bench_contender *found = list ? list(&count) : NULL;
    for (int i = 0; i < count && field->count < MAX_CONTENDERS; i++)
        if (!options->library || !strcmp(options->library, found[i].library))
            field->entries[field->count++] = (bench_entry){.contender = &found[i]};
}

static bool needs_feet(int operation)
{
    return operation == BENCH_CONSTRAINED_DYNAMICS || operation == BENCH_IMPULSE ||
           operation == BENCH_CONSTRAINED_DERIVATIVES || operation == BENCH_IMPULSE_DERIVATIVES;
}

static bool takes_part(const bench_entry *entry, const bench_options *options,
                       const bench_robot *robot, int operation)
{
    return entry->self && entry->contender->run[operation] &&
           (options->operation < 0 || options->operation == operation) &&
           (robot->foot_count || !needs_feet(operation));
}

static void create_all(bench_field *field, const bench_options *options, const bench_robot *robot,
                       const bench_states *states)
{
    for (int i = 0; i < field->count; i++) {
        bench_entry *one = &field->entries[i];
        char         error[BENCH_ERROR_SIZE] = "";
        one->measurement = (bench_measurement){.contender = one->contender};
        one->self = one->contender->create(robot, states, error);
        if (!one->self)
            fprintf(stderr, "bench: %s %s leaves out %s: %s\n", one->contender->library,
                    one->contender->build, robot->name, error);
        for (int op = 0; op < BENCH_OPERATION_COUNT; op++)
            one->samples[op] = takes_part(one, options, robot, op)
                                   ? malloc(sizeof(double) * (size_t)options->rounds)
                                   : NULL;
    }
}

static void destroy_all(bench_field *field)
{
    for (int i = 0; i < field->count; i++) {
        bench_entry *one = &field->entries[i];
        if (one->self)
            one->contender->destroy(one->self);
        for (int op = 0; op < BENCH_OPERATION_COUNT; op++)
            free(one->samples[op]);
    }
}

// ---------------------------------------------------------------------------------------------
// Agreement

static size_t result_size(const bench_robot *robot, int operation)
{
    const size_t n = (size_t)robot->v_count;
    switch (operation) {
    case BENCH_MASS_MATRIX:
        return n * n;
    case BENCH_JACOBIANS:
    case BENCH_MOMENTUM_MATRIX:
        return 6 * n;
    case BENCH_LINK_JACOBIANS:
        return 6 * n * (size_t)(robot->joint_count + 1);
    case BENCH_INVERSE_DERIVATIVES:
    case BENCH_FORWARD_DERIVATIVES:
    case BENCH_CONSTRAINED_DERIVATIVES:
        return 3 * n * n;
    case BENCH_IMPULSE_DERIVATIVES:
        return 2 * n * n;
    case BENCH_MOTION_DERIVATIVES:
    case BENCH_LINK_DERIVATIVES:
        return 24 * n * (size_t)(robot->joint_count + 1);
    case BENCH_MOMENTUM_DERIVATIVES:
        return 24 * n;
    default:
        return n;
    }
}

/// The largest difference over the largest entry; infinite where something is not a number.
static double relative_difference(const double *x, const double *reference, size_t size)
{
    double difference = 0, scale = 0;
    for (size_t i = 0; i < size; i++) {
        if (!isfinite(x[i]))
            return INFINITY;
        difference = fmax(difference, fabs(x[i] - reference[i]));
        scale = fmax(scale, fabs(reference[i]));
    }
    return difference / scale;
}

static void evaluate(const bench_entry *one, int operation, int state, size_t size, double *result)
{
    memset(result, 0xff, size * sizeof *result); // what is not written is not a number
    one->contender->run[operation](one->self, state);
    one->contender->result(one->self, (bench_operation)operation, state, result);
}

/// Compares every contender with the first that takes part.
static bool agree_on(bench_field *field, const bench_options *options, const bench_robot *robot,
                     const bench_states *states, int operation)
{
    const size_t size = result_size(robot, operation);
    double      *reference = malloc(size * sizeof(double)), *result = malloc(size * sizeof(double));
    bench_entry *first = NULL;
    bool         agreed = true;
    for (int i = 0; i < field->count; i++) {
        bench_entry *one = &field->entries[i];
        if (!takes_part(one, options, robot, operation))
            continue;
        first = first ? first : one;
        double worst = 0;
        for (int state = 0; state < states->count; state++) {
            evaluate(first, operation, state, size, reference);
            evaluate(one, operation, state, size, result);
            worst = fmax(worst, relative_difference(result, reference, size));
        }
        one->measurement.difference[operation] = worst;
        if (worst > tolerance)
            agreed = false;
        printf("  %-23s %-10s %-14s %.1e%s\n", bench_operation_name((bench_operation)operation),
               one->contender->library, one->contender->build, worst,
               worst > tolerance ? "  DISAGREES" : "");
    }
    free(reference);
    free(result);
    return agreed;
}

static bool all_agree(bench_field *field, const bench_options *options, const bench_robot *robot,
                      const bench_states *states)
{
    bool agreed = true;
    printf("\n%s: largest relative difference from the first of each operation\n\n", robot->name);
    for (int operation = 0; operation < BENCH_OPERATION_COUNT; operation++)
        agreed &= agree_on(field, options, robot, states, operation);
    return agreed;
}

// ---------------------------------------------------------------------------------------------
// Time

/// ns a call over one batch of all states.
static double time_batch(const bench_entry *one, int operation, int states)
{
    void (*run)(void *, int) = one->contender->run[operation];
    void *self = one->self;
    for (int i = 0; i < WARM_CALLS; i++)
        run(self, states - 1 - i % states);
    const double start = bench_now();
    for (int i = 0; i < states; i++)
        run(self, i);
    return (bench_now() - start) / states;
}

static void summarize(bench_field *field, int rounds)
{
    for (int i = 0; i < field->count; i++)
        for (int op = 0; op < BENCH_OPERATION_COUNT; op++) {
            bench_entry *one = &field->entries[i];
            if (one->samples[op])
                bench_summarize(one->samples[op], rounds, &one->measurement.minimum[op],
                                &one->measurement.median[op]);
        }
}

static void time_all(bench_field *field, const bench_options *options, int states)
{
    for (int round = 0; round < options->rounds; round++)
        for (int op = 0; op < BENCH_OPERATION_COUNT; op++)
            for (int i = 0; i < field->count; i++)
                if (field->entries[i].samples[op])
                    field->entries[i].samples[op][round] =
                        time_batch(&field->entries[i], op, states);
    summarize(field, options->rounds);
}

/// For instruction counters: calls and nothing else.
static void call_all(bench_field *field, const bench_options *options, int states)
{
    for (int i = 0; i < field->count; i++)
        for (int op = 0; op < BENCH_OPERATION_COUNT; op++)
            for (int call = 0; field->entries[i].samples[op] && call < options->calls; call++)
                field->entries[i].contender->run[op](field->entries[i].self, call % states);
}

// ---------------------------------------------------------------------------------------------
// The whole

static void report(const bench_field *field, const bench_options *options, const bench_robot *robot,
                   FILE *csv)
{
    bench_measurement measurements[MAX_CONTENDERS];
    for (int i = 0; i < field->count; i++)
        measurements[i] = field->entries[i].measurement;
    bench_report_table(robot, measurements, field->count, stdout);
    if (csv)
        bench_report_csv(robot, measurements, field->count, options->rounds, options->states, csv);
}

/// @param argument name=path
static int bench_robot_by_argument(char *argument, bench_field *field, const bench_options *options,
                                   FILE *csv)
{
    char  error[BENCH_ERROR_SIZE];
    char *path = strchr(argument, '=');
    if (path)
        *path++ = 0;
    bench_robot robot;
    if (!path || bench_robot_load(options->tables, argument, path, &robot, error)) {
        fprintf(stderr, "bench: %s\n", path ? error : "robots are given as name=path");
        return 2;
    }
    if (bench_feet_find(&robot, options->feet)) {
        fprintf(stderr, "bench: %s has not both links %s and %s\n", robot.name, options->feet[0],
                options->feet[1]);
        bench_robot_release(&robot);
        return 2;
    }
    bench_states states = bench_states_make(&robot, options->states, 1);
    int          code = 0;
    create_all(field, options, &robot, &states);
    if (options->calls > 0) {
        call_all(field, options, states.count);
    } else if (all_agree(field, options, &robot, &states)) {
        time_all(field, options, states.count);
        report(field, options, &robot, csv);
    } else {
        fprintf(stderr, "bench: %s is not timed, the results differ by more than %g\n", robot.name,
                tolerance);
        code = 1;
    }
    destroy_all(field);
    bench_states_release(&states);
    bench_robot_release(&robot);
    return code;
}

static const char usage[] =
    "driver --tables DIR --contender FILE.so ... [options] NAME=FILE.urdf ...\n"
    "  --only LIBRARY    leave the other libraries out\n"
    "  --op OPERATION    this operation only\n"
    "  --feet A B        links held fixed, default: the soles of hrp2_like and Talos\n"
    "  --rounds N        batches of each, default 500\n"
    "  --states N        states, and calls in a batch, default 64\n"
    "  --csv FILE        keep the figures\n"
    "  --calls N         no check and no timing, only so many calls (for instruction counts)\n";

static int find_operation(const char *name)
{
    for (int i = 0; i < BENCH_OPERATION_COUNT; i++)
        if (!strcmp(name, bench_operation_name((bench_operation)i)))
            return i;
    fprintf(stderr, "bench: no operation %s\n", name);
    exit(2);
}

static int read_count(const char *text)
{
    const long value = strtol(text, NULL, 10);
    if (value < 1 || value > 100000000) {
        fprintf(stderr, "bench: %s is no count\n", text);
        exit(2);
    }
    return (int)value;
}

static bench_options read_options(int count, char **arguments, const char **files, int *file_count)
{
    static const struct option known[] = {
        {"tables", 1, NULL, 't'}, {"contender", 1, NULL, 'c'}, {"only", 1, NULL, 'o'},
        {"op", 1, NULL, 'p'},     {"rounds", 1, NULL, 'r'},    {"states", 1, NULL, 's'},
        {"csv", 1, NULL, 'f'},    {"calls", 1, NULL, 'n'},     {"feet", 1, NULL, 'e'},
        {NULL, 0, NULL, 0},
    };
    bench_options options = {.tables = ".", .operation = -1, .rounds = 500, .states = 64};
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;)
        switch (option) {
        case 't':
            options.tables = optarg;
            break;
        case 'c':
            files[(*file_count)++ % MAX_CONTENDERS] = optarg;
            break;
        case 'o':
            options.library = optarg;
            break;
        case 'p':
            options.operation = find_operation(optarg);
            break;
        case 'r':
            options.rounds = read_count(optarg);
            break;
        case 's':
            options.states = read_count(optarg);
            break;
        case 'f':
            options.csv = optarg;
            break;
        case 'e':
            options.feet[0] = optarg;
            options.feet[1] = optind < count ? arguments[optind++] : "";
            break;
        case 'n':
            options.calls = read_count(optarg);
            break;
        default:
            fputs(usage, stderr);
            exit(2);
        }
    return options;
}

int main(int count, char **arguments)
{
    const char         *files[MAX_CONTENDERS];
    int                 file_count = 0, code = 0;
    const bench_options options = read_options(count, arguments, files, &file_count);
    static bench_field  field;
    for (int i = 0; i < file_count && i < MAX_CONTENDERS; i++)
        load_contenders(files[i], &options, &field);
    if (field.count == 0 || optind == count) {
        fputs(usage, stderr);
        return 2;
    }
    FILE *csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (options.csv && !csv) {
        fprintf(stderr, "bench: cannot write %s\n", options.csv);
        return 2;
    }
    if (csv)
        bench_report_csv_header(csv);
    for (int i = optind; i < count; i++) {
        const int robot_code = bench_robot_by_argument(arguments[i], &field, &options, csv);
        code = robot_code > code ? robot_code : code;
    }
    if (csv)
        fclose(csv);
    return code;
}
