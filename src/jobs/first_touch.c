// SPDX-License-Identifier: Apache-2.0

#include "jobs/first_touch.h"

#include "atemi/base.h"

#include <math.h>
#include <stdio.h>

// One value a row, the label says which: a name, and behind a blank its index. What is infinite or
// not there is absent.

enum { LABEL_SIZE = 32 };

typedef struct row_list {
    int     count, capacity;
    double *values;
    char (*texts)[LABEL_SIZE];
    const char **labels;
} row_list;

static void add(row_list *list, const char *name, int index, double value)
{
    if (list->count < list->capacity) {
        snprintf(list->texts[list->count], LABEL_SIZE, "%s %d", name, index);
        list->labels[list->count] = list->texts[list->count];
        list->values[list->count] = value;
    }
    ++list->count;
}

static void add_all(row_list *list, const char *name, int count, const double *values)
{
    for (int i = 0; i < count && values; ++i) {
        add(list, name, i, values[i]);
    }
}

static void add_vector(row_list *list, const char *name, int index, atemi_vec3 v)
{
    const double entries[] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        add(list, name, 3 * index + i, entries[i]);
    }
}

static void add_ground(row_list *list, const atemi_first_touch *touch)
{
    const atemi_ground  *ground = touch->ground;
    const atemi_support *support = touch->support;
    add(list, "grounding", 0, ground->grounding);
    add(list, "grounding", 1, ground->mass);
    add(list, "grounding", 2, ground->inertia);
    for (int i = 0; i < ground->count; ++i) {
        add(list, "ground", i, ground->links[i]);
    }
    add_all(list, "rotor", atemi_model_v_count(touch->model), ground->rotors);
    for (int i = 0; i < atemi_model_v_count(touch->model) && ground->locked; ++i) {
        add(list, "locked", i, ground->locked[i]);
    }
    if (support->count > 0) {
        add_vector(list, "plane", 0, support->plane.point);
        add_vector(list, "plane", 1, support->plane.normal);
    }
    for (int i = 0; i < support->count; ++i) {
        add_vector(list, "corner", i, support->vertices[i]);
    }
}

static void add_hands(row_list *list, const atemi_striking_point *point)
{
    add_vector(list, "direction", 0, point->direction);
    for (int i = 0; i < atemi_striking_point_hands(point); ++i) {
        const atemi_striking_hand hand = atemi_striking_point_hand(point, i);
        add(list, "hand", i, hand.link);
        add_vector(list, "hand_point", i, hand.point);
    }
}

static void add_setting(row_list *list, const atemi_first_touch *touch)
{
    const atemi_blow_setting *s = touch->setting;
    const int                 n = atemi_model_v_count(touch->model);
    add(list, "law", 0, s->surface.law);
    add(list, "spring", 0, s->surface.spring.stiffness);
    add(list, "spring", 1, s->surface.spring.damping);
    add(list, "target", 0, s->target.mass);
    add(list, "target", 1, s->target.friction);
    add(list, "drift", 0, s->drift);
    add_all(list, "rate", n, s->rates);
    add_all(list, "acceleration", n, s->accelerations);
    add_all(list, "stiffness", n, s->servo.stiffness);
    add_all(list, "damping", n, s->servo.damping);
    add_all(list, "limit", n, s->servo.limits);
    add_all(list, "viscous", n, s->servo.viscous);
    add_all(list, "coulomb", n, s->servo.coulomb);
    add_all(list, "held", n, s->servo.held);
}

static void fill(row_list *list, const atemi_first_touch *touch)
{
    add(list, "speed", 0, touch->speed);
    add(list, "duration", 0, touch->duration);
    add(list, "every", 0, touch->every);
    add(list, "rests", 0, touch->rests);
    add_all(list, "q", atemi_model_q_count(touch->model), touch->q);
    add_ground(list, touch);
    add_hands(list, touch->point);
    add_setting(list, touch);
}

static bool allocate(row_list *list, int capacity)
{
    const size_t rows = (size_t)capacity;
    list->capacity = capacity;
    list->values = (double *)atemi_allocate(rows * sizeof *list->values);
    list->texts = (char(*)[LABEL_SIZE])atemi_allocate(rows * sizeof *list->texts);
    list->labels = (const char **)atemi_allocate(rows * sizeof *list->labels);
    return list->values && list->texts && list->labels;
}

atemi_status atemi_job_add_first_touch(atemi_recording *recording, const atemi_first_touch *touch,
                                       atemi_error *error)
{
    static const atemi_recorded_column column = {"value", NULL};
    row_list                           list = {0};
    fill(&list, touch); // counts
    const bool whole = allocate(&list, list.count);
    list.count = 0;
    if (whole) {
        fill(&list, touch);
    }
    const atemi_recorded_table table = {.name = "first_touch",
                                        .title = "What the estimate of the blow begins with",
                                        .row_count = list.count,
                                        .column_count = 1,
                                        .columns = &column,
                                        .labels = list.labels,
                                        .values = list.values};
    const atemi_status         status =
        whole ? atemi_recording_add_table(recording, &table, error)
                      : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the table of first touch");
    atemi_release(list.values);
    atemi_release(list.texts);
    atemi_release((void *)list.labels);
    return status;
}
