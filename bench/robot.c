// SPDX-License-Identifier: Apache-2.0

#include "robot.h"

#include "feet.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// The robot

static const double pi = 3.14159265358979323846;

static char *read_text(const char *path, char *error)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(error, BENCH_ERROR_SIZE, "cannot read %.900s", path);
        return NULL;
    }
    size_t size = 0, capacity = 1 << 16;
    char  *text = malloc(capacity);
    for (size_t got; (got = fread(text + size, 1, capacity - size - 1, file)) > 0;) {
        size += got;
        if (capacity - size < 2)
            text = realloc(text, capacity *= 2);
    }
    text[size] = 0;
    fclose(file);
    return text;
}

static int read_numbers(FILE *file, double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%lf", &values[i]) != 1)
            return -1;
    return 0;
}

static int read_body(FILE *file, bench_body *body)
{
    return read_numbers(file, &body->mass, 1) || read_numbers(file, body->com, 3) ||
           read_numbers(file, body->inertia, 9);
}

static int read_kind(FILE *file, bench_joint_kind *kind)
{
    static const char *const names[] = {"revolute", "continuous", "prismatic"};
    char                     word[16];
    if (fscanf(file, "%15s", word) != 1)
        return -1;
    for (int i = 0; i < 3; i++)
        if (!strcmp(word, names[i])) {
            *kind = (bench_joint_kind)i;
            return 0;
        }
    return -1;
}

static int read_joint(FILE *file, bench_joint *joint)
{
    return read_kind(file, &joint->kind) || fscanf(file, "%d", &joint->parent) != 1 ||
           read_numbers(file, joint->axis, 3) || read_numbers(file, joint->rotation, 9) ||
           read_numbers(file, joint->translation, 3) || read_numbers(file, &joint->lower, 1) ||
           read_numbers(file, &joint->upper, 1) || read_numbers(file, &joint->armature, 1) ||
           read_body(file, &joint->body) || fscanf(file, " %127[^\n]", joint->name) != 1;
}

static int read_link(FILE *file, bench_link *link)
{
    return fscanf(file, "%d", &link->joint) != 1 || read_numbers(file, link->rotation, 9) ||
           read_numbers(file, link->translation, 3) || fscanf(file, " %127[^\n]", link->name) != 1;
}

static int add_joint(FILE *file, bench_robot *robot)
{
    const size_t count = (size_t)robot->joint_count + 1;
    robot->joints = realloc(robot->joints, count * sizeof *robot->joints);
    return read_joint(file, &robot->joints[robot->joint_count++]);
}

static int add_link(FILE *file, bench_robot *robot)
{
    const size_t count = (size_t)robot->link_count + 1;
    robot->links = realloc(robot->links, count * sizeof *robot->links);
    return read_link(file, &robot->links[robot->link_count++]);
}

/// Line by line; see robot_table.py for the format.
static int read_table(FILE *file, bench_robot *robot)
{
    char word[8];
    if (fscanf(file, "%7s", word) != 1 || strcmp(word, "base") || read_body(file, &robot->base))
        return -1;
    while (fscanf(file, "%7s", word) == 1) {
        const bool is_link = !strcmp(word, "link");
        if (!is_link && strcmp(word, "joint"))
            return -1;
        if (is_link ? add_link(file, robot) : add_joint(file, robot))
            return -1;
    }
    return 0;
}

int bench_robot_load(const char *folder, const char *name, const char *path, bench_robot *robot,
                     char *error)
{
    char place[4096];
    *robot = (bench_robot){.name = name, .path = path};
    snprintf(place, sizeof place, "%s/%s.urdf", folder, name);
    robot->text = read_text(place, error);
    if (!robot->text)
        return -1;
    snprintf(place, sizeof place, "%s/%s.table", folder, name);
    FILE *file = fopen(place, "r");
    if (!file || read_table(file, robot)) {
        snprintf(error, BENCH_ERROR_SIZE, "%.900s is not a table of robot_table.py", place);
        if (file)
            fclose(file);
        return -1;
    }
    fclose(file);
    robot->q_count = 7 + robot->joint_count;
    robot->v_count = 6 + robot->joint_count;
    return 0;
}

void bench_robot_release(bench_robot *robot)
{
    free((char *)robot->text);
    free(robot->joints);
    free(robot->links);
    *robot = (bench_robot){0};
}

// ---------------------------------------------------------------------------------------------
// The states

/// splitmix64, mapped to [-1, 1).
static double draw(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

static void draw_base(uint64_t *seed, double *q)
{
    double square;
    for (int i = 0; i < 3; i++)
        q[i] = draw(seed);
    do {
        square = 0;
        for (int i = 3; i < 7; i++) {
            q[i] = draw(seed);
            square += q[i] * q[i];
        }
    } while (square > 1.0 || square < 0.01);
    for (int i = 3; i < 7; i++)
        q[i] /= sqrt(square);
}

static void draw_joint(uint64_t *seed, const bench_joint *joint, double *q)
{
    const double lower = fmax(joint->lower, -pi), upper = fmin(joint->upper, pi);
    *q = 0.5 * (lower + upper) + 0.5 * (upper - lower) * draw(seed);
}

static double *draw_rows(uint64_t *seed, int count, double size)
{
    double *rows = malloc(sizeof(double) * (size_t)count);
    for (int i = 0; i < count; i++)
        rows[i] = size * draw(seed);
    return rows;
}

bench_states bench_states_make(const bench_robot *robot, int count, uint64_t seed)
{
    bench_states states = {.count = count};
    states.q = malloc(sizeof(double) * (size_t)(count * robot->q_count));
    for (int i = 0; i < count; i++) {
        double *q = states.q + i * robot->q_count;
        draw_base(&seed, q);
        for (int j = 0; j < robot->joint_count; j++)
            draw_joint(&seed, &robot->joints[j], q + 7 + j);
    }
    states.v = draw_rows(&seed, count * robot->v_count, 2.0);
    states.a = draw_rows(&seed, count * robot->v_count, 5.0);
    states.tau = draw_rows(&seed, count * robot->v_count, 10.0);
    states.v_still = bench_feet_still(robot, &states);
    return states;
}

void bench_states_release(bench_states *states)
{
    free(states->q);
    free(states->v);
    free(states->v_still);
    free(states->a);
    free(states->tau);
    *states = (bench_states){0};
}
