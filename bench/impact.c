// SPDX-License-Identifier: Apache-2.0
//
// The driver of the blow's benchmark: what an estimate costs, exactly, by the published steps, and
// by full dynamics, ours and Pinocchio's in the same loop.
//
//     for every case: which step gives full dynamics the accuracy it is compared at
//     for every case, for every round, for every way: one timed estimate, or a batch of short ones
//
// The minimum over the rounds is what is compared; the median is kept beside it. An estimate by
// atemi_blow() includes atemi_virtual_base_update().

#include "atemi/atemi.h"
#include "feet.h"
#include "impact_dynamics.h"
#include "impact_full.h"
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

enum { MOST = FULL_MOST, MOST_PEERS = 8, MOST_WAYS = 5 + MOST_PEERS, CASES = 6, BATCH = 8 };

static const double paper_step = 1e-4;                     // s
static const double fine_step = 1e-4 / 64, longest = 4e-4; // s, of full dynamics
static const double close_enough = 1e-6;                   // of the impulse

typedef struct blow_case {
    const char *name;
    double      speed;
    bool        limits, friction, own_gains;
} blow_case;

static const blow_case cases[CASES] = {
    {"free", 0.7, false, false, false},      {"limits", 0.7, true, false, false},
    {"friction", 0.7, false, true, false},   {"both", 0.7, true, true, false},
    {"saturating", 2.0, true, false, false}, {"own gains", 0.7, true, false, true}};

// The dynamics that the full loop calls: ours, or a peer's in its own order.
typedef struct dynamics {
    const bench_dynamics *peer; // NULL for ours
    void                 *self;
    const atemi_model    *model;
    atemi_contact         feet[2];
    atemi_data           *data;
    int                   q_places[MOST], v_places[MOST]; // of a peer's coordinates
} dynamics;

typedef struct method {
    char     name[64];
    double   impulse, minimum, median, step;
    double  *samples; // [rounds] ns
    dynamics of;      // of the full ways
} method;

typedef struct bench {
    atemi_model         *model;
    atemi_arena          arena;
    bench_robot          robot;
    atemi_virtual_base   base;
    atemi_blow_scratch   scratch;
    atemi_data          *data;
    dynamics             contenders[1 + MOST_PEERS];
    int                  contender_count;
    int                  feet[2];
    atemi_ground         ground;
    atemi_striking_point point;
    double               q[MOST], stiffness[MOST], damping[MOST], limits[MOST], viscous[MOST];
    double               coulomb[MOST];
    atemi_blow_setting   setting;
    atemi_blow_options   options;
    atemi_blow_result    result;
} bench;

static void give_up(const char *text)
{
    fprintf(stderr, "bench: %s\n", text);
    exit(1);
}

// ---------------------------------------------------------------------------------------------
// Full dynamics

static void accelerate(void *object, const double *q, const double *v, const double *tau, double *a)
{
    dynamics   *d = object;
    const int   n = atemi_model_v_count(d->model);
    atemi_force forces[2];
    double      q_peer[MOST], v_peer[MOST], tau_peer[MOST], a_peer[MOST];
    if (!d->peer) {
        const atemi_contact_set set = {.contacts = d->feet, .count = 2};
        atemi_constrained_dynamics(d->data, q, v, tau, NULL, &set, a, forces, NULL);
        return;
    }
    for (int i = 0; i < atemi_model_q_count(d->model); i++)
        q_peer[i] = q[d->q_places[i]];
    for (int i = 0; i < n; i++) {
        v_peer[i] = v[d->v_places[i]];
        tau_peer[i] = tau[d->v_places[i]];
    }
    d->peer->accelerate(d->self, q_peer, v_peer, tau_peer, a_peer);
    for (int i = 0; i < n; i++)
        a[d->v_places[i]] = a_peer[i];
}

static void match_joints(const bench *b, dynamics *d)
{
    for (int i = 0; i < 7; i++)
        d->q_places[i] = i;
    for (int i = 0; i < 6; i++)
        d->v_places[i] = i;
    for (int i = 0; i < b->robot.joint_count; i++) {
        const int index = atemi_model_find_joint(b->model, b->robot.joints[i].name);
        if (index == ATEMI_NONE)
            give_up(b->robot.joints[i].name);
        d->q_places[7 + i] = atemi_model_joint(b->model, index)->first_q;
        d->v_places[6 + i] = atemi_model_joint(b->model, index)->first_v;
    }
}

static void load_peers(const char *path, bench *b)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        give_up(dlerror());
    const bench_dynamics *(*list)(int *) = NULL;
    *(void **)&list = dlsym(object, "bench_dynamics_list");
    int                   count = 0;
    const bench_dynamics *found = list ? list(&count) : NULL;
    for (int i = 0; i < count && b->contender_count <= MOST_PEERS; i++)
        b->contenders[b->contender_count++].peer = &found[i];
}

static double full_impulse(bench *b, dynamics *d, double step)
{
    full_blow full = {.model = b->model,
                      .data = b->data,
                      .accelerate = accelerate,
                      .self = d,
                      .point = b->point,
                      .setting = &b->setting,
                      .slowest_slide = b->options.slowest_slide,
                      .duration = b->options.duration};
    memcpy(full.q, b->q, sizeof full.q);
    atemi_virtual_base_rates(&b->base, b->setting.speed, full.v);
    return full_blow_impulse(&full, step);
}

// The longest step, of paper_step by powers of two, with which full dynamics has this accuracy.
static double find_step(bench *b, double truth, double error)
{
    double h = longest;
    while (h > fine_step && !(fabs(full_impulse(b, &b->contenders[0], h) / truth - 1) <= error))
        h *= 0.5;
    return h;
}

// ---------------------------------------------------------------------------------------------
// The robot and its cases

static void set_joint(bench *b, const char *name, double angle)
{
    b->q[atemi_model_joint(b->model, atemi_model_find_joint(b->model, name))->first_q] = angle;
}

static void take_all(bench *b)
{
    b->base = atemi_virtual_base_take(&b->arena, b->model);
    b->scratch = atemi_blow_scratch_take(&b->arena, b->model);
    b->data = atemi_data_take(&b->arena, b->model, NULL);
    for (int i = 0; i < b->contender_count; i++)
        b->contenders[i].data = atemi_data_take(&b->arena, b->model, NULL);
}

static void load_model(bench *b, const char *path)
{
    char               text[BENCH_ERROR_SIZE];
    atemi_error        error;
    atemi_urdf_options loading = atemi_urdf_options_default();
    loading.model.base = ATEMI_BASE_FLOATING;
    loading.model.gravity = (atemi_vec3){0};
    if (atemi_urdf_load(path, &loading, &b->model, &error)) {
        atemi_error_format(&error, text, sizeof text);
        give_up(text);
    }
    b->arena = atemi_arena_measuring();
    take_all(b);
    if (atemi_arena_create(&b->arena, b->arena.used, NULL))
        give_up("no memory");
    take_all(b);
}

// On both feet, half-sitting, the right fist forward.
static void pose(bench *b)
{
    const double *posture =
        atemi_model_posture(b->model, atemi_model_find_posture(b->model, "half_sitting"));
    memcpy(b->q, posture, (size_t)atemi_model_q_count(b->model) * sizeof *b->q);
    set_joint(b, "right_shoulder_pitch", -0.6);
    set_joint(b, "right_elbow", -1.2);
    b->feet[0] = atemi_model_find_link(b->model, "right_sole");
    b->feet[1] = atemi_model_find_link(b->model, "left_sole");
    b->ground = atemi_ground_default();
    b->ground.links = b->feet;
    b->ground.count = 2;
    b->point = (atemi_striking_point){.link = atemi_model_find_link(b->model, "right_fist"),
                                      .direction = {1.0, 0.0, 0.0}};
    b->setting = atemi_blow_setting_default();
    b->options = atemi_blow_options_default();
}

static void create_contenders(bench *b)
{
    char error[BENCH_ERROR_SIZE] = "";
    for (int i = 0; i < b->contender_count; i++) {
        dynamics *d = &b->contenders[i];
        d->model = b->model;
        for (int k = 0; k < 2; k++) {
            d->feet[k] = atemi_contact_default();
            d->feet[k].mode = ATEMI_CONTACT_SURFACE;
            d->feet[k].link = b->feet[k];
        }
        match_joints(b, d);
        d->self = d->peer ? d->peer->create(&b->robot, error) : NULL;
        if (d->peer && !d->self)
            give_up(error);
    }
}

static void choose(bench *b, const blow_case *one)
{
    for (int j = 0; j < atemi_model_joint_count(b->model); j++) {
        const atemi_joint *joint = atemi_model_joint(b->model, j);
        const int          i = joint->first_v;
        if (joint->v_count != 1)
            continue;
        b->stiffness[i] = 12000 * (one->own_gains ? 0.5 + 0.1 * (j % 11) : 1.0);
        b->damping[i] = 400 * (one->own_gains ? 0.5 + 0.1 * (j % 7) : 1.0);
        b->limits[i] = joint->limits.effort;
        b->viscous[i] = 3;
        b->coulomb[i] = 2;
    }
    b->setting.speed = one->speed;
    b->setting.servo = (atemi_blow_servo){.stiffness = b->stiffness,
                                          .damping = b->damping,
                                          .limits = one->limits ? b->limits : NULL,
                                          .viscous = one->friction ? b->viscous : NULL,
                                          .coulomb = one->friction ? b->coulomb : NULL};
}

// ---------------------------------------------------------------------------------------------
// Time

static double estimate(bench *b, atemi_blow_method kind)
{
    b->options.method = kind;
    b->options.step = paper_step;
    if (atemi_virtual_base_update(b->model, b->q, &b->ground, &b->point, &b->base, NULL) ||
        atemi_blow(&b->base, &b->setting, &b->options, NULL, &b->scratch, &b->result, NULL))
        give_up("the blow cannot be computed");
    return b->result.impulse;
}

static double run_method(bench *b, method *w, int index)
{
    if (index < 2)
        return estimate(b, index == 0 ? ATEMI_BLOW_EXACT : ATEMI_BLOW_RK4);
    return full_impulse(b, &w->of, w->step);
}

static int add_way(method *methods, int count, const dynamics *d, const char *name, double step,
                   int rounds)
{
    method *w = &methods[count];
    *w = (method){.step = step, .samples = calloc((size_t)rounds, sizeof(double))};
    if (d)
        w->of = *d;
    snprintf(w->name, sizeof w->name, "%s", name);
    return count + 1;
}

// Exact first, then RK4, then full dynamics: ours at the paper's step and at the longest that is as
// good as the frozen robot, and all at the step that is right to `close_enough`.
static int make_ways(bench *b, double step, double long_step, int rounds, method *methods)
{
    char name[64];
    int  count = add_way(methods, 0, NULL, "exact", 0, rounds);
    count = add_way(methods, count, NULL, "rk4", paper_step, rounds);
    count = add_way(methods, count, &b->contenders[0], "full, ours, paper", paper_step, rounds);
    count = add_way(methods, count, &b->contenders[0], "full, ours, long", long_step, rounds);
    for (int i = 0; i < b->contender_count; i++) {
        const bench_dynamics *peer = b->contenders[i].peer;
        snprintf(name, sizeof name, "full, %s %s", peer ? peer->library : "ours",
                 peer ? peer->build : BENCH_BUILD);
        count = add_way(methods, count, &b->contenders[i], name, step, rounds);
    }
    return count;
}

// ns an estimate. What is short is called a few times to warm the caches, then in a batch.
static double time_way(bench *b, method *w, int index)
{
    const int calls = index < 2 ? BATCH : 1;
    for (int i = 0; i < calls - 1; i++)
        run_method(b, w, index);
    const double start = bench_computed();
    for (int i = 0; i < calls; i++)
        w->impulse = run_method(b, w, index);
    return (bench_computed() - start) / calls;
}

static void time_ways(bench *b, method *methods, int count, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++)
            methods[i].samples[round] = time_way(b, &methods[i], i);
    for (int i = 0; i < count; i++)
        bench_summarize(methods[i].samples, rounds, &methods[i].minimum, &methods[i].median);
}

// ---------------------------------------------------------------------------------------------
// Reports

static void print_case(const blow_case *one, const method *methods, int count, double truth)
{
    printf("\nhrp2_like, %s, %g m/s: us an estimate, estimates a second, and as a ratio to exact\n"
           "full dynamics with a fine step has %.9g N s\n\n",
           one->name, one->speed, truth);
    printf("%-28s %8s %10s %10s %8s %10s\n", "way", "step", "us", "1/s", "ratio", "impulse off");
    for (int i = 0; i < count; i++)
        printf("%-28s %8.1e %10.1f %10.0f %8.1f %10.1e\n", methods[i].name, methods[i].step,
               1e-3 * methods[i].minimum, 1e9 / methods[i].minimum,
               methods[i].minimum / methods[0].minimum, methods[i].impulse / truth - 1);
}

static void write_case(const blow_case *one, const method *methods, int count, double truth,
                       int rounds, FILE *csv)
{
    for (int i = 0; csv && i < count; i++) {
        bench_report_csv_stamp(csv);
        fprintf(csv, "hrp2_like,%s,%g,\"%s\",%g,%.0f,%.0f,%.12g,%.3e,%d\n", one->name, one->speed,
                methods[i].name, methods[i].step, methods[i].minimum, methods[i].median,
                methods[i].impulse, methods[i].impulse / truth - 1, rounds);
    }
}

static void run_case(bench *b, const blow_case *one, int rounds, FILE *csv)
{
    method methods[MOST_WAYS];
    choose(b, one);
    const double exact = estimate(b, ATEMI_BLOW_EXACT);
    const double truth = full_impulse(b, &b->contenders[0], fine_step);
    const double model_error = fabs(exact / truth - 1);
    const int    count =
        make_ways(b, find_step(b, truth, close_enough),
                  find_step(b, truth, fmax(close_enough, model_error)), rounds, methods);
    const atemi_blow_operations n = b->result.operations;
    time_ways(b, methods, count, rounds);
    print_case(one, methods, count, truth);
    printf("exact: %.0f additions, %.0f multiplications, %.0f divisions\n", n.additions,
           n.multiplications, n.divisions);
    write_case(one, methods, count, truth, rounds, csv);
    for (int i = 0; i < count; i++)
        free(methods[i].samples);
}

// ---------------------------------------------------------------------------------------------
// The whole

static const char usage[] = "bench_impact --tables FOLDER [--peer FILE.so ...] [options] URDF\n"
                            "  --rounds N        timed estimates of each, default 200\n"
                            "  --csv FILE        keep the figures\n";

typedef struct impact_options {
    const char *tables, *csv, *urdf;
    int         rounds;
} impact_options;

/// Loads the peers that are named on the way.
static bool read_options(int count, char **arguments, bench *b, impact_options *options)
{
    static const struct option known[] = {{"tables", 1, NULL, 't'},
                                          {"peer", 1, NULL, 'p'},
                                          {"rounds", 1, NULL, 'r'},
                                          {"csv", 1, NULL, 'f'},
                                          {NULL, 0, NULL, 0}};
    *options = (impact_options){.rounds = 200};
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;)
        switch (option) {
        case 't':
            options->tables = optarg;
            break;
        case 'p':
            load_peers(optarg, b);
            break;
        case 'r':
            options->rounds = atoi(optarg);
            break;
        case 'f':
            options->csv = optarg;
            break;
        default:
            return false;
        }
    options->urdf = arguments[optind];
    return options->tables && optind == count - 1 && options->rounds > 0;
}

static void begin(bench *b, const impact_options *options)
{
    const char *none[2] = {NULL, NULL};
    char        error[BENCH_ERROR_SIZE] = "";
    if (bench_robot_load(options->tables, "hrp2_like", options->urdf, &b->robot, error) ||
        bench_feet_find(&b->robot, none))
        give_up(error[0] ? error : "hrp2_like has no feet");
    load_model(b, options->urdf);
    pose(b);
    create_contenders(b);
}

static void run_all(bench *b, const impact_options *options)
{
    FILE *csv = options->csv ? fopen(options->csv, "w") : NULL;
    if (csv)
        fputs("date,processor,robot,case,speed,way,step_s,minimum_ns,median_ns,impulse,"
              "relative_difference,rounds\n",
              csv);
    for (int i = 0; i < CASES; i++)
        run_case(b, &cases[i], options->rounds, csv);
    if (csv)
        fclose(csv);
}

static void end(bench *b)
{
    for (int i = 1; i < b->contender_count; i++)
        b->contenders[i].peer->destroy(b->contenders[i].self);
    bench_robot_release(&b->robot);
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

int main(int count, char **arguments)
{
    static bench   b = {.contender_count = 1};
    impact_options options;
    if (!read_options(count, arguments, &b, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    begin(&b, &options);
    run_all(&b, &options);
    end(&b);
    return 0;
}
