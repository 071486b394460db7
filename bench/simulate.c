// SPDX-License-Identifier: Apache-2.0
//
// The driver of the simulation benchmark: looks at what each simulator does in each scene, then
// times them in turn, and reports.
//
//     for every scene, for every simulator: one run that is looked at every 10 ms
//     for every round, for every scene, for every simulator: one timed run
//
// The minimum over the rounds is what is compared; the median is kept beside it.

#include "allocations.h"
#include "atemi/atemi.h"
#include "report.h"
#include "scene_make.h"
#include "simulator.h"
#include "timing.h"

#include <dlfcn.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIMULATORS = 16, POINTS = SCENE_FEET * SCENE_CORNERS };

static const double look_interval = 0.01; // s

/// What one simulator did in one scene.
typedef struct outcome {
    bool    came_through;
    double  minimum, median; // ns for a second of the robot's time
    double *samples;         // [rounds]
    long    events;
    int     heap_calls;
    double  deepest;                   // of the soles' corners, m
    double  lift;                      // the highest that a foot's lowest corner was, m
    double  drift;                     // of the corners along the floor, from start to end, m
    double  off;                       // joints at the end, from the first simulator's, rad
    double  end[7 + SCENE_MAX_JOINTS]; // q
} outcome;

typedef struct entry {
    const bench_simulator *simulator;
    void                  *self[SCENE_COUNT];
    outcome                outcomes[SCENE_COUNT];
} entry;

typedef struct field {
    entry       entries[MAX_SIMULATORS];
    int         count;
    bench_scene scenes[SCENE_COUNT];
    const char *robot; // its name
} field;

typedef struct options {
    const char *csv; // or NULL
    int         rounds;
    double      gains; // of servos and spring, as a part of those of the scenes
} options;

// ---------------------------------------------------------------------------------------------
// Life

/// @param only part of the integrator's name, or NULL
static void load_simulators(const char *path, const char *only, field *f)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        fprintf(stderr, "bench: %s\n", dlerror());
        exit(1);
    }
    const bench_simulator *(*list)(int *) = NULL;
    *(void **)&list = dlsym(object, "bench_simulators");
    int                    count = 0;
    const bench_simulator *found = list ? list(&count) : NULL;
    for (int i = 0; i < count && f->count < MAX_SIMULATORS; i++)
        if (!only || strstr(found[i].integrator, only))
            f->entries[f->count++].simulator = &found[i];
}

static void create_all(field *f, int rounds)
{
    char error[SCENE_ERROR_SIZE];
    for (int i = 0; i < f->count; i++)
        for (int s = 0; s < SCENE_COUNT; s++) {
            entry *one = &f->entries[i];
            one->self[s] = one->simulator->create(&f->scenes[s], one->simulator->variant, error);
            one->outcomes[s].samples = calloc((size_t)rounds, sizeof(double));
            if (!one->self[s]) {
                fprintf(stderr, "bench: %s cannot simulate: %s\n", one->simulator->library, error);
                exit(1);
            }
        }
}

static void destroy_all(field *f)
{
    for (int i = 0; i < f->count; i++)
        for (int s = 0; s < SCENE_COUNT; s++) {
            f->entries[i].simulator->destroy(f->entries[i].self[s]);
            free(f->entries[i].outcomes[s].samples);
        }
}

// ---------------------------------------------------------------------------------------------
// What happens

static double lowest(double (*corners)[3], int count)
{
    double z = INFINITY;
    for (int i = 0; i < count; i++)
        z = fmin(z, corners[i][2]);
    return z;
}

static void watch_balls(const double *heights, int count, outcome *seen)
{
    for (int i = 0; i < count; i++)
        seen->deepest = fmax(seen->deepest, -heights[i]);
}

static void watch_soles(double (*corners)[3], outcome *seen)
{
    for (int i = 0; i < SCENE_FEET; i++) {
        const double height = lowest(corners + i * SCENE_CORNERS, SCENE_CORNERS);
        seen->deepest = fmax(seen->deepest, -height);
        seen->lift = fmax(seen->lift, height);
    }
}

static double largest_shift(double (*from)[3], double (*to)[3])
{
    double largest = 0;
    for (int i = 0; i < POINTS; i++)
        largest = fmax(largest, hypot(to[i][0] - from[i][0], to[i][1] - from[i][1]));
    return largest;
}

static void judge(const bench_simulator *simulator, const bench_scene *scene, const char *error,
                  outcome *seen)
{
    const bool stands = scene->radius > 0.0 || seen->end[2] > 2.0 / 3.0 * scene->start[2];
    seen->came_through = !error[0] && stands;
    if (!seen->came_through)
        fprintf(stderr, "bench: %s %s %s does not come through %s: %s\n", simulator->library,
                simulator->build, simulator->integrator, scene->name,
                error[0] ? error : "the robot has fallen");
}

static void look_at(entry *one, int s, const bench_scene *scene)
{
    const bench_simulator *simulator = one->simulator;
    outcome               *seen = &one->outcomes[s];
    double                 first[POINTS][3], corners[POINTS][3], heights[SCENE_MAX_BALLS];
    char                   error[SCENE_ERROR_SIZE] = "";
    bool                   went = !simulator->start(one->self[s], error);
    simulator->look(one->self[s], seen->end, first, heights);
    for (double time = look_interval; went && time < scene->duration + 0.5 * look_interval;
         time += look_interval) {
        allocations_begin();
        went = !simulator->run(one->self[s], time, error);
        seen->heap_calls += allocations_end();
        simulator->look(one->self[s], seen->end, corners, heights);
        watch_soles(corners, seen);
        watch_balls(heights, scene->ball_count, seen);
    }
    seen->drift = largest_shift(first, corners);
    seen->events = simulator->events ? simulator->events(one->self[s]) : 0;
    judge(simulator, scene, error, seen);
}

static void compare_ends(field *f, int s)
{
    const double *reference = f->entries[0].outcomes[s].end;
    for (int i = 0; i < f->count; i++)
        for (int j = 7; j < 7 + f->scenes[s].joint_count; j++) {
            outcome *seen = &f->entries[i].outcomes[s];
            seen->off = fmax(seen->off, fabs(seen->end[j] - reference[j]));
        }
}

static void look_at_all(field *f)
{
    for (int s = 0; s < SCENE_COUNT; s++) {
        for (int i = 0; i < f->count; i++)
            look_at(&f->entries[i], s, &f->scenes[s]);
        compare_ends(f, s);
    }
}

// ---------------------------------------------------------------------------------------------
// Time

/// ns for a second of the robot's time.
static double time_run(const entry *one, int s, double duration)
{
    char error[SCENE_ERROR_SIZE];
    one->simulator->start(one->self[s], error);
    const double start = bench_computed();
    one->simulator->run(one->self[s], duration, error);
    return (bench_computed() - start) / duration;
}

static void time_all(field *f, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int s = 0; s < SCENE_COUNT; s++)
            for (int i = 0; i < f->count; i++)
                if (f->entries[i].outcomes[s].came_through)
                    f->entries[i].outcomes[s].samples[round] =
                        time_run(&f->entries[i], s, f->scenes[s].duration);
    for (int s = 0; s < SCENE_COUNT; s++)
        for (int i = 0; i < f->count; i++) {
            outcome *seen = &f->entries[i].outcomes[s];
            bench_summarize(seen->samples, rounds, &seen->minimum, &seen->median);
        }
}

// ---------------------------------------------------------------------------------------------
// Reports

/// The peer as it is by default, which ours is compared with; NULL where it does not take part.
static const entry *find_peer(const field *f)
{
    for (int i = 0; i < f->count; i++)
        if (!strcmp(f->entries[i].simulator->library, "mujoco"))
            return &f->entries[i];
    return NULL;
}

static void print_number(double number, bool known)
{
    if (known)
        printf(" %9.2f", number);
    else
        printf(" %9s", "-");
}

static void print_row(const entry *one, const entry *peer, int s)
{
    const bench_simulator *simulator = one->simulator;
    const outcome         *seen = &one->outcomes[s];
    printf("%-8s %-6s %-11s", simulator->library, simulator->build, simulator->integrator);
    print_number(1e9 / seen->minimum, seen->came_through);
    print_number(peer ? peer->outcomes[s].minimum / seen->minimum : 0.0,
                 peer && peer->outcomes[s].came_through && seen->came_through);
    printf(" %7ld %6d %9.1e %9.1e %9.1e %9.1e\n", seen->events, seen->heap_calls, seen->deepest,
           seen->lift, seen->drift, seen->off);
}

static void print_scene(const field *f, int s)
{
    printf("\n%s, %s for %g s: simulated seconds per second of computing (best run), and as a "
           "ratio to MuJoCo's by default\n\n",
           f->robot, f->scenes[s].name, f->scenes[s].duration);
    printf("%-8s %-6s %-11s %9s %9s %7s %6s %9s %9s %9s %9s\n", "library", "build", "integrator",
           "s/s", "ratio", "events", "heap", "deepest", "lift", "drift", "joints");
    printf("%-8s %-6s %-11s %9s %9s %7s %6s %9s %9s %9s %9s\n", "", "", "", "", "", "", "calls",
           "m", "m", "m", "off, rad");
    for (int i = 0; i < f->count; i++)
        print_row(&f->entries[i], find_peer(f), s);
}

static void write_csv(const field *f, int rounds, FILE *csv)
{
    fputs("date,processor,robot,scene,library,version,build,integrator,compiler,"
          "minimum_ns,median_ns,events,heap_calls,deepest_m,lift_m,drift_m,joint_difference_rad,"
          "rounds,simulated_s\n",
          csv);
    for (int s = 0; s < SCENE_COUNT; s++)
        for (int i = 0; i < f->count; i++) {
            const bench_simulator *simulator = f->entries[i].simulator;
            const outcome         *seen = &f->entries[i].outcomes[s];
            if (!seen->came_through)
                continue;
            bench_report_csv_stamp(csv);
            fprintf(csv, "%s,%s,%s,%s,%s,%s,\"%s\",%.0f,%.0f,%ld,%d,%.1e,%.1e,%.1e,%.1e,%d,%g\n",
                    f->robot, f->scenes[s].name, simulator->library, simulator->version,
                    simulator->build, simulator->integrator, simulator->compiler, seen->minimum,
                    seen->median, seen->events, seen->heap_calls, seen->deepest, seen->lift,
                    seen->drift, seen->off, rounds, f->scenes[s].duration);
        }
}

static int report(const field *f, const options *chosen)
{
    for (int s = 0; s < SCENE_COUNT; s++)
        print_scene(f, s);
    FILE *csv = chosen->csv ? fopen(chosen->csv, "w") : NULL;
    if (chosen->csv && !csv) {
        fprintf(stderr, "bench: cannot write %s\n", chosen->csv);
        return 2;
    }
    if (csv) {
        write_csv(f, chosen->rounds, csv);
        fclose(csv);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// The whole

static const char usage[] =
    "bench_simulate --simulator FILE.so ... [options] HUMANOID.urdf\n"
    "  --rounds N        timed runs of each, default 10\n"
    "  --gains X         scales servos and spring, for light robots; default 1\n"
    "  --only TEXT       of the simulators named next, those whose integrator has it\n"
    "  --csv FILE        keep the figures\n";

static options read_options(int count, char **arguments, field *f)
{
    static const struct option known[] = {{"simulator", 1, NULL, 's'}, {"rounds", 1, NULL, 'r'},
                                          {"csv", 1, NULL, 'f'},       {"gains", 1, NULL, 'g'},
                                          {"only", 1, NULL, 'o'},      {NULL, 0, NULL, 0}};
    options                    chosen = {.rounds = 10, .gains = 1.0};
    const char                *only = NULL;
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;)
        switch (option) {
        case 's':
            load_simulators(optarg, only, f);
            break;
        case 'r':
            chosen.rounds = atoi(optarg);
            break;
        case 'o':
            only = *optarg ? optarg : NULL;
            break;
        case 'g':
            chosen.gains = atof(optarg);
            break;
        case 'f':
            chosen.csv = optarg;
            break;
        default:
            fputs(usage, stderr);
            exit(2);
        }
    if (f->count == 0 || optind != count - 1 || chosen.rounds < 1) {
        fputs(usage, stderr);
        exit(2);
    }
    return chosen;
}

static atemi_model *make_scenes(const char *path, field *f)
{
    char               text[SCENE_ERROR_SIZE];
    atemi_error        error;
    atemi_model       *model = NULL;
    atemi_urdf_options loading = atemi_urdf_options_default();
    loading.model.base = ATEMI_BASE_FLOATING;
    if (atemi_urdf_load(path, &loading, &model, &error)) {
        atemi_error_format(&error, text, sizeof text);
        fprintf(stderr, "bench: %s\n", text);
        exit(2);
    }
    for (int s = 0; s < SCENE_COUNT; s++)
        if (bench_scene_make(model, path, s, &f->scenes[s], text)) {
            fprintf(stderr, "bench: %s\n", text);
            exit(2);
        }
    return model;
}

int main(int count, char **arguments)
{
    static field  f;
    const options chosen = read_options(count, arguments, &f);
    atemi_model  *model = make_scenes(arguments[count - 1], &f);
    f.robot = atemi_model_name(model);
    for (int s = 0; s < SCENE_COUNT; s++)
        bench_scene_scale(&f.scenes[s], chosen.gains);
    create_all(&f, chosen.rounds);
    look_at_all(&f);
    time_all(&f, chosen.rounds);
    const int code = report(&f, &chosen);
    destroy_all(&f);
    atemi_model_destroy(model);
    return code;
}
