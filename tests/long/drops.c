// SPDX-License-Identifier: Apache-2.0

/// @file
/// Random drops: boxes and humanoids fall onto floors and slopes, with random friction and
/// restitution. Counts what must never happen.
///
///     drops boxes|humanoids COUNT [FIRST_SEED]

#include "atemi/atemi.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_POINTS = 64, MOST_V = 64 };

static const double penetration_allowed = 1e-9; // m
static const double gain_allowed = 1e-9;        // of the energy at hand
static const double balance_allowed = 1e-12;

typedef struct tally {
    long   runs, events, bumps, steps;
    long   stopped, gained, penetrated, unbalanced, not_finite; ///< runs in which it happened
    double worst_gain, deepest, worst_balance;
} tally;

typedef struct drop {
    uint64_t                 seed;
    random_stream            stream;
    const atemi_model       *model;
    atemi_surface            ground;
    int                      point_count;
    atemi_simulation_point   points[MOST_POINTS];
    atemi_simulation_options options;
    double                   q[MOST_V + 1], v[MOST_V], duration;
} drop;

// ---- Boxes

static atemi_model *box_model(random_stream *stream, atemi_vec3 *half)
{
    *half = (atemi_vec3){random_uniform(stream, 0.02, 0.3), random_uniform(stream, 0.02, 0.3),
                         random_uniform(stream, 0.02, 0.3)};
    const double         m = pow(10.0, random_uniform(stream, -3.0, 3.0));
    const double         x = half->x * half->x, y = half->y * half->y, z = half->z * half->z;
    atemi_model_builder *builder;
    atemi_model         *model = NULL;
    const atemi_link_description box = {.name = "box",
                                        .inertia = {.mass = m,
                                                    .rotational = {.xx = m / 3.0 * (y + z),
                                                                   .yy = m / 3.0 * (x + z),
                                                                   .zz = m / 3.0 * (x + y)}}};
    if (!atemi_model_builder_create("box", NULL, &builder, NULL)) {
        atemi_model_builder_add_link(builder, &box, NULL);
        atemi_model_builder_finish(builder, NULL, &model, NULL);
        atemi_model_builder_destroy(builder);
    }
    return model;
}

static atemi_model *make_box(drop *d)
{
    atemi_vec3   half;
    atemi_model *model = box_model(&d->stream, &half);
    d->point_count = 8;
    for (int i = 0; i < 8; ++i) {
        d->points[i].link = 0;
        d->points[i].point = (atemi_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                          i & 4 ? half.z : -half.z};
    }
    d->duration = 0.8;
    d->options.step = 2e-3;
    return model;
}

// ---- Humanoids: limp, on all corners of their collision boxes' sites

static void add_corners(drop *d, const atemi_model *model)
{
    for (int i = 0; i < atemi_model_site_count(model); ++i) {
        const atemi_site     *site = atemi_model_site(model, i);
        const atemi_transform here = atemi_transform_identity();
        atemi_vec3            corners[4];
        const int             count = atemi_site_corners(site, &here, corners);
        for (int c = 0; c < count && d->point_count < MOST_POINTS; ++c) {
            d->points[d->point_count++] =
                (atemi_simulation_point){.link = site->link, .point = corners[c]};
        }
    }
}

// Origins of all links with a joint, as balls of 4 cm.
static void add_joints(drop *d, const atemi_model *model)
{
    for (int i = 0; i < atemi_model_joint_count(model) && d->point_count < MOST_POINTS; i += 2) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->type != ATEMI_JOINT_FIXED) {
            d->points[d->point_count++] =
                (atemi_simulation_point){.link = joint->child_link, .radius = 0.04};
        }
    }
}

static atemi_model *make_humanoid(drop *d)
{
    atemi_model             *model = NULL;
    const atemi_urdf_options options = atemi_urdf_options_default();
    const char              *name = d->seed % 2 ? "hrp2_like" : "r2_like";
    if (atemi_robots_load(name, &options, &model, NULL)) {
        return NULL;
    }
    add_corners(d, model);
    add_joints(d, model);
    d->duration = 1.0;
    d->options.step = 1e-3;
    return model;
}

// ---- One drop

static void trace(void *context, const atemi_event *event)
{
    (void)context;
    printf("%.12f %s %d %.3e\n", event->time, atemi_event_kind_text(event->kind), event->point,
           event->speed);
}

static void choose_ground(drop *d)
{
    const double tilt = d->seed % 3 ? 0.0 : random_uniform(&d->stream, 0.0, 0.7);
    const double still = random_uniform(&d->stream, 0.0, 1.2);
    const double sliding = d->seed % 5 ? still : still * random_uniform(&d->stream, 0.3, 1.0);
    const double bounce = d->seed % 2 ? 0.0 : random_uniform(&d->stream, 0.0, 0.9);
    d->ground = (atemi_surface){.kind = ATEMI_SURFACE_PLANE, .axis = {sin(tilt), 0.0, cos(tilt)}};
    for (int i = 0; i < d->point_count; ++i) {
        d->points[i].static_friction = d->seed % 7 ? still : 0.0;
        d->points[i].kinetic_friction = d->seed % 7 ? sliding : 0.0;
        d->points[i].restitution = bounce;
    }
}

static double least_gap(const drop *d, const double *q, atemi_kinematics *k)
{
    double least = (double)INFINITY;
    atemi_kinematics_update(d->model, q, NULL, NULL, k);
    for (int i = 0; i < d->point_count; ++i) {
        const atemi_transform pose = atemi_link_pose(d->model, k, d->points[i].link);
        const atemi_vec3      at = atemi_transform_apply(&pose, d->points[i].point);
        least = fmin(least, atemi_surface_look(&d->ground, at).gap - d->points[i].radius);
    }
    return least;
}

static void choose_start(drop *d, atemi_kinematics *k)
{
    atemi_configuration_neutral(d->model, d->q);
    for (int i = 0; i < atemi_model_v_count(d->model); ++i) {
        d->v[i] = random_uniform(&d->stream, -1.0, 1.0) * (i < 6 ? 1.0 : 0.3);
    }
    // Any turn of the base; every fourth lands flat.
    const atemi_mat3       R = atemi_mat3_from_rpy(random_uniform(&d->stream, -3.0, 3.0),
                                                   random_uniform(&d->stream, -1.5, 1.5),
                                                   random_uniform(&d->stream, -3.0, 3.0));
    const atemi_quaternion turn = atemi_quaternion_from_matrix(&R);
    if (d->seed % 4) {
        d->q[3] = turn.x;
        d->q[4] = turn.y;
        d->q[5] = turn.z;
        d->q[6] = turn.w;
    } else {
        memset(d->v, 0, sizeof d->v);
        d->v[0] = random_uniform(&d->stream, -1.0, 1.0);
    }
    const double gap = least_gap(d, d->q, k);
    d->q[2] += (random_uniform(&d->stream, 0.001, 0.3) - gap) / d->ground.axis.z;
}

static double energy(const drop *d, const atemi_simulation *simulation, atemi_kinematics *k)
{
    atemi_kinematics_update(d->model, atemi_simulation_q(simulation),
                            atemi_simulation_v(simulation), NULL, k);
    return atemi_kinetic_energy(d->model, k) + atemi_potential_energy(d->model, k);
}

static void run_drop(const drop *d, atemi_simulation *simulation, atemi_kinematics *k, tally *sum)
{
    atemi_error  error = {0};
    const double m = atemi_model_mass(d->model), start = energy(d, simulation, k);
    double       before = start, gain = 0.0, deepest = 0.0;
    bool         stopped = false;
    for (int i = 1; i <= 50 && !stopped; ++i) {
        stopped = atemi_simulation_run(simulation, d->duration / 50.0 * i, &error) != ATEMI_OK;
        const double now = energy(d, simulation, k);
        // What is at hand: the motion, and a fall of a metre.
        gain = fmax(gain, (now - before) / (9.81 * m + fabs(atemi_kinetic_energy(d->model, k))));
        deepest = fmax(deepest, -least_gap(d, atemi_simulation_q(simulation), k));
        if (getenv("TRACE") && (now - before > 1e-10 * 9.81 * m ||
                                -least_gap(d, atemi_simulation_q(simulation), k) > 1e-10 ||
                                atemi_simulation_statistics_get(simulation).deepest > 1e-9)) {
            printf("    t %.4f gain %.2e gap %.2e deep %.2e modes",
                   atemi_simulation_time(simulation), (now - before) / 9.81 / m,
                   least_gap(d, atemi_simulation_q(simulation), k),
                   atemi_simulation_statistics_get(simulation).deepest);
            for (int p = 0; p < d->point_count; ++p)
                printf(" %d:%d(%.1e)", p, atemi_simulation_mode(simulation, p),
                       atemi_simulation_gap(simulation, p));
            printf("\n");
        }
        before = now;
    }
    const atemi_simulation_statistics made = atemi_simulation_statistics_get(simulation);
    const bool                        finite = isfinite(before);
    deepest = fmax(deepest, made.deepest);
    if (stopped || !finite || gain > gain_allowed || deepest > penetration_allowed ||
        made.bump_balance > balance_allowed) {
        printf("seed %llu: %s gain %.2e deepest %.2e balance %.2e at %.6f s\n",
               (unsigned long long)d->seed, stopped ? error.message : "", gain, deepest,
               made.bump_balance, atemi_simulation_time(simulation));
    }
    ++sum->runs;
    sum->events += made.events;
    sum->bumps += made.bumps;
    sum->steps += made.steps;
    sum->stopped += stopped;
    sum->not_finite += !finite;
    sum->gained += gain > gain_allowed;
    sum->penetrated += deepest > penetration_allowed;
    sum->unbalanced += made.bump_balance > balance_allowed;
    sum->worst_gain = fmax(sum->worst_gain, gain);
    sum->deepest = fmax(sum->deepest, deepest);
    sum->worst_balance = fmax(sum->worst_balance, made.bump_balance);
}

static void drop_one(uint64_t seed, bool humanoid, tally *sum)
{
    drop d = {.seed = seed, .stream = {seed}, .options = atemi_simulation_options_default()};
    atemi_model *model = humanoid ? make_humanoid(&d) : make_box(&d);
    if (!model) {
        exit(2);
    }
    d.model = model;
    atemi_arena arena = atemi_arena_measuring();
    atemi_kinematics_take(&arena, model);
    if (atemi_arena_create(&arena, arena.used, NULL)) {
        exit(2);
    }
    atemi_kinematics             k = atemi_kinematics_take(&arena, model);
    atemi_simulation            *simulation;
    atemi_error                  error;
    const atemi_simulation_hooks hooks = {.event = trace};
    choose_ground(&d);
    choose_start(&d, &k);
    if (atemi_simulation_create(model, &d.ground, 1, d.points, d.point_count, &d.options,
                                getenv("TRACE") ? &hooks : NULL, &simulation, &error) ||
        atemi_simulation_start(simulation, 0.0, d.q, d.v, &error)) {
        printf("seed %llu: %s\n", (unsigned long long)seed, error.message);
        exit(2);
    }
    run_drop(&d, simulation, &k, sum);
    atemi_simulation_destroy(simulation);
    atemi_arena_destroy(&arena);
    atemi_model_destroy(model);
}

static void print_tally(const char *what, const tally *t)
{
    printf("%ld %s dropped: %ld steps, %ld bumps, %ld events\n", t->runs, what, t->steps, t->bumps,
           t->events);
    printf("  could not go on     %ld\n", t->stopped);
    printf("  not a number        %ld\n", t->not_finite);
    printf("  gained energy       %ld (worst %.1e of what was at hand)\n", t->gained,
           t->worst_gain);
    printf("  went deeper than 1e-9 m  %ld (worst %.1e m)\n", t->penetrated, t->deepest);
    printf("  a bump out of balance    %ld (worst %.1e)\n", t->unbalanced, t->worst_balance);
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "usage: drops boxes|humanoids COUNT [FIRST_SEED]\n");
        return 2;
    }
    const bool     humanoids = !strcmp(arguments[1], "humanoids");
    const uint64_t many = strtoull(arguments[2], NULL, 10);
    const uint64_t first = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
    tally          sum = {0};
    for (uint64_t i = 0; i < many; ++i) {
        const clock_t began = clock();
        drop_one(first + i, humanoids, &sum);
        const double took = (double)(clock() - began) / CLOCKS_PER_SEC;
        if (took > (humanoids ? 60.0 : 1.0)) {
            printf("seed %llu: took %.1f s\n", (unsigned long long)(first + i), took);
            fflush(stdout);
        }
    }
    print_tally(arguments[1], &sum);
    return sum.stopped || sum.gained || sum.penetrated || sum.unbalanced || sum.not_finite;
}
