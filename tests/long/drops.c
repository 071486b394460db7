// SPDX-License-Identifier: Apache-2.0

/// @file
/// Random drops: boxes and humanoids fall onto floors and slopes, with random friction and
/// restitution. Counts what must never happen; each drop is a function of its seed.
///
///     drops boxes|humanoids COUNT [FIRST_SEED]
///
/// TRACE=1 in the environment shows the events, ADAPTIVE=1 takes the adaptive integrator, and
/// FRICTION=5 takes friction of up to 5 in place of 1.2. Exits with 0 where nothing was counted, 1
/// where something was, 2 where a drop could not be made.

#include "atemi/atemi.h"
#include "atemi/kinematics.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_POINTS = 64, MOST_V = 64 };

static const int    looks = 50;
static const double penetration_allowed = 1e-9; // m
static const double gain_allowed = 1e-9;        // of the energy at hand, from look to look
static const double balance_allowed = 1e-12;    // relative
static const double box_time = 1.0;             // s of computing; what takes longer is shown
static const double humanoid_time = 60.0;

typedef struct drop {
    uint64_t                 seed;
    random_stream            stream;
    atemi_model             *model;
    atemi_surface            ground;
    int                      point_count;
    atemi_simulation_point   points[MOST_POINTS];
    atemi_simulation_options options;
    double                   q[MOST_V + 1], v[MOST_V], duration;
    atemi_data              *data;
    atemi_simulation        *simulation;
} drop;

/// What one drop came to.
typedef struct verdict {
    bool                        stopped, finite;
    double                      gain, deepest;
    atemi_simulation_statistics made;
    atemi_error                 error;
} verdict;

typedef struct tally {
    long   runs, steps, collisions, events;
    long   stopped, not_finite, gained, penetrated, unbalanced; ///< runs in which it happened
    double worst_gain, deepest, worst_balance;
} tally;

static _Noreturn void give_up(const drop *d, const atemi_error *error)
{
    printf("seed %llu: %s\n", (unsigned long long)d->seed, error->message);
    exit(2);
}

// ---- Boxes

static atemi_inertia box_inertia(double m, atemi_vec3 half)
{
    const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    return (atemi_inertia){
        .mass = m,
        .rotational = {.xx = m / 3.0 * (y + z), .yy = m / 3.0 * (x + z), .zz = m / 3.0 * (x + y)}};
}

static atemi_status make_box_model(const atemi_inertia *inertia, atemi_model **model,
                                   atemi_error *error)
{
    const atemi_link_description box = {.name = "box", .inertia = *inertia};
    atemi_model_builder         *builder;
    atemi_status                 status = atemi_model_builder_create("box", NULL, &builder, error);
    if (!status) {
        status = atemi_model_builder_add_link(builder, &box, error);
        status = status ? status : atemi_model_builder_finish(builder, NULL, model, error);
        atemi_model_builder_destroy(builder);
    }
    return status;
}

static atemi_status make_box(drop *d, atemi_error *error)
{
    const double        x = random_uniform(&d->stream, 0.02, 0.3);
    const double        y = random_uniform(&d->stream, 0.02, 0.3);
    const double        z = random_uniform(&d->stream, 0.02, 0.3);
    const double        m = pow(10.0, random_uniform(&d->stream, -3.0, 3.0));
    const atemi_inertia inertia = box_inertia(m, (atemi_vec3){x, y, z});
    for (int i = 0; i < 8; ++i) {
        d->points[i].point = (atemi_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    }
    d->point_count = 8;
    d->duration = 0.8;
    return make_box_model(&inertia, &d->model, error);
}

// ---- Humanoids: limp, on the corners of their sites and on balls about their joints

static void add_point(drop *d, atemi_simulation_point point)
{
    if (d->point_count < MOST_POINTS) {
        d->points[d->point_count++] = point;
    }
}

static void add_corners(drop *d)
{
    for (int i = 0; i < atemi_model_site_count(d->model); ++i) {
        const atemi_site     *site = atemi_model_site(d->model, i);
        const atemi_transform here = atemi_transform_identity();
        atemi_vec3            corners[4];
        const int             count = atemi_site_corners(site, &here, corners);
        for (int c = 0; c < count; ++c) {
            add_point(d, (atemi_simulation_point){.link = site->link, .point = corners[c]});
        }
    }
}

// Of every other joint, with a radius of 4 cm.
static void add_balls(drop *d)
{
    for (int i = 0; i < atemi_model_joint_count(d->model); i += 2) {
        const atemi_joint *joint = atemi_model_joint(d->model, i);
        if (joint->type != ATEMI_JOINT_FIXED) {
            add_point(d, (atemi_simulation_point){.link = joint->child_link, .radius = 0.04});
        }
    }
}

static atemi_status make_humanoid(drop *d, atemi_error *error)
{
    const atemi_urdf_options options = atemi_urdf_options_default();
    const char              *name = d->seed % 2 ? "hrp2_like" : "r2_like";
    const atemi_status       status = atemi_robots_load(name, &options, &d->model, error);
    if (!status) {
        add_corners(d);
        add_balls(d);
    }
    d->duration = 1.0;
    return status;
}

// ---- The ground and the start

static double most_friction(void)
{
    const char *told = getenv("FRICTION");
    return told ? strtod(told, NULL) : 1.2;
}

static void choose_ground(drop *d)
{
    const double tilt = d->seed % 3 ? 0.0 : random_uniform(&d->stream, 0.0, 0.7);
    const double still = random_uniform(&d->stream, 0.0, most_friction());
    const double sliding = d->seed % 5 ? still : still * random_uniform(&d->stream, 0.3, 1.0);
    const double bounce = d->seed % 2 ? 0.0 : random_uniform(&d->stream, 0.0, 0.9);
    d->ground = (atemi_surface){.kind = ATEMI_SURFACE_PLANE, .axis = {sin(tilt), 0.0, cos(tilt)}};
    for (int i = 0; i < d->point_count; ++i) {
        d->points[i].static_friction = d->seed % 7 ? still : 0.0;
        d->points[i].kinetic_friction = d->seed % 7 ? sliding : 0.0;
        d->points[i].restitution = bounce;
    }
}

static double least_gap(drop *d, const double *q)
{
    double least = (double)INFINITY;
    atemi_update_kinematics(d->data, q, NULL, NULL);
    for (int i = 0; i < d->point_count; ++i) {
        const atemi_simulation_point *point = &d->points[i];
        const atemi_transform         pose = atemi_link_pose(d->data, point->link);
        const atemi_vec3              at = atemi_transform_apply(&pose, point->point);
        least = fmin(least, atemi_surface_look(&d->ground, at).gap - point->radius);
    }
    return least;
}

// Every fourth comes down flat and without turning, the others any way up.
static void choose_start(drop *d)
{
    atemi_configuration_neutral(d->model, d->q);
    for (int i = 0; i < atemi_model_v_count(d->model); ++i) {
        d->v[i] = random_uniform(&d->stream, -1.0, 1.0) * (i < 6 ? 1.0 : 0.3);
    }
    const double           yaw = random_uniform(&d->stream, -3.0, 3.0);
    const double           pitch = random_uniform(&d->stream, -1.5, 1.5);
    const double           roll = random_uniform(&d->stream, -3.0, 3.0);
    const atemi_mat3       R = atemi_mat3_from_rpy(roll, pitch, yaw);
    const atemi_quaternion turn = atemi_quaternion_from_matrix(&R);
    if (d->seed % 4) {
        memcpy(d->q + 3, (const double[4]){turn.x, turn.y, turn.z, turn.w}, 4 * sizeof *d->q);
    } else {
        memset(d->v, 0, sizeof d->v);
        d->v[0] = random_uniform(&d->stream, -1.0, 1.0);
    }
    const double gap = least_gap(d, d->q);
    d->q[2] += (random_uniform(&d->stream, 0.001, 0.3) - gap) / d->ground.axis.z;
}

// ---- One drop

static void trace(void *context, const atemi_event *event)
{
    (void)context;
    printf("%.12f %s %d %.3e\n", event->time, atemi_event_kind_text(event->kind), event->point,
           event->speed);
}

static atemi_status start_simulation(drop *d, atemi_error *error)
{
    const atemi_simulation_hooks hooks = {.event = getenv("TRACE") ? trace : NULL};
    const atemi_status           status =
        atemi_simulation_create(d->model, &d->ground, 1, d->points, d->point_count, &d->options,
                                &hooks, &d->simulation, error);
    return status ? status : atemi_simulation_start(d->simulation, 0.0, d->q, d->v, error);
}

static drop make_drop(uint64_t seed, bool humanoid)
{
    drop        d = {.seed = seed, .stream = {seed}, .options = atemi_simulation_options_default()};
    atemi_error error = {0};
    d.options.integrator = getenv("ADAPTIVE") ? ATEMI_INTEGRATOR_ADAPTIVE : ATEMI_INTEGRATOR_RK4;
    atemi_status status = humanoid ? make_humanoid(&d, &error) : make_box(&d, &error);
    status = status ? status : atemi_data_create(d.model, NULL, &d.data, &error);
    if (!status) {
        choose_ground(&d);
        choose_start(&d);
        status = start_simulation(&d, &error);
    }
    if (status) {
        give_up(&d, &error);
    }
    return d;
}

static void destroy_drop(drop *d)
{
    atemi_simulation_destroy(d->simulation);
    atemi_data_destroy(d->data);
    atemi_model_destroy(d->model);
}

typedef struct energies {
    double total, at_hand; ///< at hand: the motion, and a fall of a metre
} energies;

static energies find_energies(drop *d)
{
    atemi_update_kinematics(d->data, atemi_simulation_q(d->simulation),
                            atemi_simulation_v(d->simulation), NULL);
    const double moving = atemi_kinetic_energy(d->data);
    return (energies){.total = moving + atemi_potential_energy(d->data),
                      .at_hand = moving + 9.81 * atemi_model_mass(d->model)};
}

// Nothing drives the robot: its energy never grows.
static verdict watch_fall(drop *d)
{
    verdict  found = {.finite = true};
    energies before = find_energies(d);
    for (int i = 1; i <= looks && !found.stopped; ++i) {
        found.stopped = atemi_simulation_run(d->simulation, d->duration / looks * i, &found.error);
        const energies now = find_energies(d);
        found.gain = fmax(found.gain, (now.total - before.total) / now.at_hand);
        found.finite = found.finite && isfinite(now.total);
        found.deepest = fmax(found.deepest, -least_gap(d, atemi_simulation_q(d->simulation)));
        before = now;
    }
    found.made = atemi_simulation_statistics_get(d->simulation);
    found.deepest = fmax(found.deepest, found.made.deepest);
    return found;
}

// ---- Counting

static bool is_faultless(const tally *t)
{
    return !t->stopped && !t->not_finite && !t->gained && !t->penetrated && !t->unbalanced;
}

static tally count(const verdict *found)
{
    return (tally){.runs = 1,
                   .steps = found->made.steps,
                   .collisions = found->made.collisions,
                   .events = found->made.events,
                   .stopped = found->stopped,
                   .not_finite = !found->finite,
                   .gained = found->gain > gain_allowed,
                   .penetrated = found->deepest > penetration_allowed,
                   .unbalanced = found->made.collision_balance > balance_allowed,
                   .worst_gain = found->gain,
                   .deepest = found->deepest,
                   .worst_balance = found->made.collision_balance};
}

static void add(const tally *one, tally *sum)
{
    sum->runs += one->runs;
    sum->steps += one->steps;
    sum->collisions += one->collisions;
    sum->events += one->events;
    sum->stopped += one->stopped;
    sum->not_finite += one->not_finite;
    sum->gained += one->gained;
    sum->penetrated += one->penetrated;
    sum->unbalanced += one->unbalanced;
    sum->worst_gain = fmax(sum->worst_gain, one->worst_gain);
    sum->deepest = fmax(sum->deepest, one->deepest);
    sum->worst_balance = fmax(sum->worst_balance, one->worst_balance);
}

static void show_fault(const drop *d, const verdict *found)
{
    printf("seed %llu: %s gain %.2e deepest %.2e balance %.2e at %.6f s\n",
           (unsigned long long)d->seed, found->error.message, found->gain, found->deepest,
           found->made.collision_balance, atemi_simulation_time(d->simulation));
    fflush(stdout);
}

static void drop_one(uint64_t seed, bool humanoid, tally *sum)
{
    const clock_t began = clock();
    drop          d = make_drop(seed, humanoid);
    const verdict found = watch_fall(&d);
    const tally   one = count(&found);
    const double  took = (double)(clock() - began) / CLOCKS_PER_SEC;
    if (!is_faultless(&one)) {
        show_fault(&d, &found);
    }
    if (took > (humanoid ? humanoid_time : box_time)) {
        printf("seed %llu: took %.1f s\n", (unsigned long long)seed, took);
    }
    add(&one, sum);
    destroy_drop(&d);
}

// tests/long/run reads this: a name and a number on each line, of which those that begin with
// "worst" have a maximum and the others a sum.
static void print_tally(const char *what, const tally *t)
{
    printf("%-26s %ld\n", what, t->runs);
    printf("%-26s %ld\n", "steps", t->steps);
    printf("%-26s %ld\n", "collisions", t->collisions);
    printf("%-26s %ld\n", "events", t->events);
    printf("%-26s %ld\n", "could not go on", t->stopped);
    printf("%-26s %ld\n", "not a number", t->not_finite);
    printf("%-26s %ld\n", "gained energy", t->gained);
    printf("%-26s %ld\n", "went deeper than 1 nm", t->penetrated);
    printf("%-26s %ld\n", "a collision out of balance", t->unbalanced);
    printf("%-26s %.1e\n", "worst gain, relative", t->worst_gain);
    printf("%-26s %.1e\n", "worst penetration, m", t->deepest);
    printf("%-26s %.1e\n", "worst balance, relative", t->worst_balance);
}

int main(int argument_count, char **arguments)
{
    const bool boxes = argument_count >= 3 && !strcmp(arguments[1], "boxes");
    const bool humanoids = argument_count >= 3 && !strcmp(arguments[1], "humanoids");
    if (!boxes && !humanoids) {
        fprintf(stderr, "usage: drops boxes|humanoids COUNT [FIRST_SEED]\n");
        return 2;
    }
    const uint64_t many = strtoull(arguments[2], NULL, 10);
    const uint64_t first = argument_count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
    tally          sum = {0};
    for (uint64_t i = 0; i < many; ++i) {
        drop_one(first + i, humanoids, &sum);
    }
    print_tally(arguments[1], &sum);
    return is_faultless(&sum) ? 0 : 1;
}
