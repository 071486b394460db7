// SPDX-License-Identifier: Apache-2.0

#include "report.h"

#include <string.h>
#include <time.h>

static const char *const operation_names[BENCH_OPERATION_COUNT] = {
    [BENCH_INVERSE_DYNAMICS] = "inverse_dynamics",
    [BENCH_MASS_MATRIX] = "mass_matrix",
    [BENCH_FACTOR_SOLVE] = "factor_solve",
    [BENCH_FORWARD_DYNAMICS] = "forward_dynamics",
    [BENCH_JACOBIANS] = "jacobians",
    [BENCH_LINK_JACOBIANS] = "link_jacobians",
    [BENCH_MOMENTUM_MATRIX] = "momentum_matrix",
    [BENCH_CONSTRAINED_DYNAMICS] = "constrained_dynamics",
    [BENCH_IMPULSE] = "impulse",
    [BENCH_INVERSE_DERIVATIVES] = "inverse_derivatives",
    [BENCH_FORWARD_DERIVATIVES] = "forward_derivatives",
    [BENCH_MOTION_DERIVATIVES] = "motion_derivatives",
    [BENCH_LINK_DERIVATIVES] = "link_derivatives",
    [BENCH_MOMENTUM_DERIVATIVES] = "momentum_derivatives",
    [BENCH_CONSTRAINED_DERIVATIVES] = "constrained_derivatives",
    [BENCH_IMPULSE_DERIVATIVES] = "impulse_derivatives",
};

const char *bench_operation_name(bench_operation operation)
{
    return operation_names[operation];
}

// ---------------------------------------------------------------------------------------------
// The table

/// The fastest build of a library that begins with `build`; NULL where there is none.
static const bench_measurement *best(const bench_measurement *measurements, int count,
                                     const char *library, const char *build,
                                     bench_operation operation)
{
    const bench_measurement *found = NULL;
    for (int i = 0; i < count; i++) {
        const bench_measurement *one = &measurements[i];
        if (strcmp(one->contender->library, library) ||
            strncmp(one->contender->build, build, strlen(build)) || one->minimum[operation] <= 0)
            continue;
        if (!found || one->minimum[operation] < found->minimum[operation])
            found = one;
    }
    return found;
}

static void print_time(const bench_measurement *one, bench_operation operation, FILE *out)
{
    if (one)
        fprintf(out, " %8.0f", one->minimum[operation]);
    else
        fprintf(out, " %8s", "-");
}

static void print_ratio(const bench_measurement *ours, const bench_measurement *peer,
                        bench_operation operation, FILE *out)
{
    if (ours && peer)
        fprintf(out, " %6.2f", ours->minimum[operation] / peer->minimum[operation]);
    else
        fprintf(out, " %6s", "-");
}

void bench_report_table(const bench_robot *robot, const bench_measurement *measurements, int count,
                        FILE *out)
{
    fprintf(
        out,
        "\n%s, floating base, %d degrees of freedom: ns a call (minima) and ratios ours : peer\n\n",
        robot->name, robot->v_count);
    fprintf(out, "%-23s %8s %8s | %9s %-12s %6s | %8s %-9s %6s\n", "", "ours", "ours", "Pinocchio",
            "", "", "MuJoCo", "", "");
    fprintf(out, "%-23s %8s %8s | %9s %-12s %6s | %8s %-9s %6s\n", "operation", "gcc", "clang",
            "best", "", "ratio", "best", "", "ratio");
    for (int i = 0; i < BENCH_OPERATION_COUNT; i++) {
        const bench_operation    operation = (bench_operation)i;
        const bench_measurement *ours = best(measurements, count, "atemi", "gcc", operation);
        const bench_measurement *clang = best(measurements, count, "atemi", "clang", operation);
        const bench_measurement *pinocchio = best(measurements, count, "pinocchio", "", operation);
        const bench_measurement *mujoco = best(measurements, count, "mujoco", "", operation);
        if (!ours && !clang && !pinocchio && !mujoco)
            continue;
        fprintf(out, "%-23s", bench_operation_name(operation));
        print_time(ours, operation, out);
        print_time(clang, operation, out);
        fputs(" | ", out);
        print_time(pinocchio, operation, out);
        fprintf(out, " %-12s", pinocchio ? pinocchio->contender->build : "");
        print_ratio(ours, pinocchio, operation, out);
        fputs(" |", out);
        print_time(mujoco, operation, out);
        fprintf(out, " %-9s", mujoco ? mujoco->contender->build : "");
        print_ratio(ours, mujoco, operation, out);
        fputc('\n', out);
    }
}

// ---------------------------------------------------------------------------------------------
// CSV

/// The processor's name as Linux knows it.
static void read_processor(char *name, size_t size)
{
    char  line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (!strncmp(line, "model name", 10) && value) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

void bench_report_csv_stamp(FILE *out)
{
    char         processor[256], date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    read_processor(processor, sizeof processor);
    fprintf(out, "%s,\"%s\",", date, processor);
}

void bench_report_csv_header(FILE *out)
{
    fputs("date,processor,robot,degrees_of_freedom,operation,library,version,build,compiler,"
          "minimum_ns,median_ns,relative_difference,rounds,calls\n",
          out);
}

void bench_report_csv(const bench_robot *robot, const bench_measurement *measurements, int count,
                      int rounds, int calls, FILE *out)
{
    for (int i = 0; i < BENCH_OPERATION_COUNT; i++)
        for (int j = 0; j < count; j++) {
            const bench_measurement *one = &measurements[j];
            const bench_contender   *who = one->contender;
            if (one->minimum[i] <= 0)
                continue;
            bench_report_csv_stamp(out);
            fprintf(out, "%s,%d,%s,%s,%s,%s,\"%s\",%.1f,%.1f,%.1e,%d,%d\n", robot->name,
                    robot->v_count, bench_operation_name((bench_operation)i), who->library,
                    who->version, who->build, who->compiler, one->minimum[i], one->median[i],
                    one->difference[i], rounds, calls);
        }
}
