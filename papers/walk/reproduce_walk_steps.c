// SPDX-License-Identifier: Apache-2.0

#include "papers/walk/reproduce_walk_steps.h"

#include "atemi/walk.h"

#include <math.h>

// [WALK], its last section: 1000 steps on a floor of friction 0.7. Beyond it: less friction, ice,
// and whether forces and powers explain the motion.

static const double close_enough = 0.15; // of what is printed: the paper's controller is not

static const char OWN_CONTROLLER[] = "fitted: step length and period of our controller; the paper "
                                     "does not print its own. Within 15 %";
static const char SEARCHED[] =
    "fitted: the gains of our controller were searched on this floor, among others";
static const char AT_TICKS[] = "looked at every 4 ms";
static const char CLOSED_BOOKS[] =
    "over all 1000 steps, collisions included; relative to the sum of sizes";
static const char SLIPPERY[] = "'slipping of the foot when the friction coefficient is small (on "
                               "the ice, snow, or wet road)'; 0.1 is that of ice";
static const char BEYOND[] =
    "fitted: the gains of our controller were searched on such floors; beyond the paper, 20 steps";

typedef struct walk_study {
    atemi_reproduction *reproduction;
    const atemi_model  *robot;
    atemi_walk_lengths  lengths;
    double              from, fraction; ///< of the paper: done, and by the walk under way
    long                steps;          ///< landed so far
    double              friction;       ///< of the floor
    double              least_force;    ///< of the floor on a point, N
    double              most_excess;    ///< of a foot's |f_t| over K f_n, as part of it
} walk_study;

// ---- A walk ---------------------------------------------------------------------------------

static void look_at_floor(walk_study *study, const atemi_simulation *s)
{
    for (int i = 0; i < ATEMI_WALKING_POINTS; i += ATEMI_FOOT_POINTS) {
        const atemi_vec3 heel = atemi_simulation_force(s, i);
        const atemi_vec3 toe = atemi_simulation_force(s, i + 1);
        const double     limit = study->friction * (heel.z + toe.z);
        study->least_force = fmin(study->least_force, fmin(heel.z, toe.z));
        if (limit > 0.0) {
            study->most_excess = fmax(study->most_excess, fabs(heel.x + toe.x) / limit - 1.0);
        }
    }
}

static bool on_tick(void *context, const atemi_walk *walk)
{
    walk_study *study = (walk_study *)context;
    const long  steps = atemi_walking_controller_state(atemi_walk_controller(walk)).landings;
    look_at_floor(study, atemi_walk_simulation(walk));
    if (steps == study->steps) {
        return true;
    }
    study->steps = steps;
    return atemi_reproduction_goes_on(study->reproduction,
                                      study->from + study->fraction * (double)steps);
}

// Walks, as part of the paper's work.
static atemi_status walk(walk_study *study, const atemi_walk_task *task, double part,
                         atemi_walk_summary *summary, atemi_error *error)
{
    const atemi_walk_hooks hooks = {.tick = on_tick, .context = study};
    atemi_walk            *walk;
    study->fraction = part / (double)task->steps;
    study->steps = 0;
    study->friction = task->friction;
    study->least_force = study->most_excess = 0.0;
    atemi_status status = atemi_walk_create(study->robot, task, &hooks, &walk, error);
    if (status) {
        return status;
    }
    status = atemi_walk_run(walk, error);
    *summary = atemi_walk_summary_get(walk);
    atemi_walk_destroy(walk);
    study->from += part;
    return status;
}

// ---- A thousand steps -----------------------------------------------------------------------

static void add_printed(const walk_study *study, double printed, const char *unit, double ours,
                        const char *quantity)
{
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_FITTED, printed, close_enough * printed,
                                           unit, OWN_CONTROLLER, 0},
                           ours, "1000 steps on friction 0.7: %s", quantity);
}

static void add_falls(const walk_study *study, const atemi_walk_summary *s, const char *note,
                      const char *where)
{
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_FITTED, 0.0, 0.0, "-", note, 0},
                           s->end == ATEMI_WALK_DONE ? 0.0 : 1.0, "%s: falls", where);
}

// Whether forces and powers explain the motion.
static void add_balances(const walk_study *study, const atemi_walk_summary *s)
{
    atemi_reproduction_add(
        study->reproduction,
        (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 0.0, 1e-6, "-", CLOSED_BOOKS, 0},
        s->momentum_error, "change of momentum less forces, relative");
    atemi_reproduction_add(
        study->reproduction,
        (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 0.0, 1e-6, "-", CLOSED_BOOKS, 0},
        s->energy_error, "change of energy less work, relative");
}

static atemi_status add_thousand(walk_study *study, double part, atemi_error *error)
{
    atemi_walk_task    task = atemi_walk_task_default();
    atemi_walk_summary s;
    task.steps = study->lengths.thousand;
    const atemi_status status = walk(study, &task, part, &s, error);
    if (status || study->reproduction->stopped) {
        return status;
    }
    add_falls(study, &s, SEARCHED, "1000 steps on friction 0.7");
    add_printed(study, 424.13, "m", s.distance, "distance");
    add_printed(study, 710.35, "s", s.time, "time");
    add_printed(study, 0.42, "m", s.step_length, "step length");
    add_printed(study, 1.42, "s", 2.0 * s.step_period, "period of two steps");
    add_printed(study, 2.15, "km/h", 3.6 * s.speed, "speed");
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 0.0, 0.0, "N", AT_TICKS,
                                           ATEMI_REPRODUCED_AT_LEAST},
                           study->least_force, "1000 steps on friction 0.7: least f_n below zero");
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-9, 0.0, "-", AT_TICKS,
                                           ATEMI_REPRODUCED_AT_MOST},
                           study->most_excess,
                           "1000 steps on friction 0.7: |f_t| over K f_n, relative");
    add_balances(study, &s);
    return ATEMI_OK;
}

// ---- Less and less friction -----------------------------------------------------------------

enum { FRICTIONS = 11, FRICTION_COLUMNS = 7 };

static const double frictions[FRICTIONS] = {1.0,  0.7, 0.5,  0.4,  0.3, 0.2,
                                            0.15, 0.1, 0.05, 0.02, 0.01};

static atemi_status add_friction_table(const walk_study *study, const double *values,
                                       atemi_error *error)
{
    static const atemi_recorded_column columns[FRICTION_COLUMNS] = {
        {"friction", NULL}, {"steps", NULL}, {"step", "m"},  {"speed", "km/h"},
        {"slips", NULL},    {"slid", "m"},   {"falls", NULL}};
    const atemi_recorded_table table = {.name = "walk-frictions",
                                        .title = "[WALK] 20 steps on less and less friction",
                                        .row_count = FRICTIONS,
                                        .column_count = FRICTION_COLUMNS,
                                        .columns = columns,
                                        .values = values};
    return atemi_reproduction_add_figure(study->reproduction, &table, error);
}

static atemi_status add_frictions(walk_study *study, double part, atemi_error *error)
{
    double             values[FRICTIONS * FRICTION_COLUMNS], *row = values;
    atemi_walk_task    task = atemi_walk_task_default();
    atemi_walk_summary s;
    task.steps = study->lengths.other;
    for (int i = 0; i < FRICTIONS; ++i, row += FRICTION_COLUMNS) {
        task.friction = frictions[i];
        const atemi_status status = walk(study, &task, part / (double)FRICTIONS, &s, error);
        if (status || study->reproduction->stopped) {
            return status;
        }
        row[0] = frictions[i];
        row[1] = (double)s.steps;
        row[2] = s.step_length;
        row[3] = 3.6 * s.speed;
        row[4] = (double)s.slips;
        row[5] = s.slip_distance;
        row[6] = s.end == ATEMI_WALK_DONE ? 0.0 : 1.0;
        if (frictions[i] == 0.3) {
            add_falls(study, &s, BEYOND, "friction 0.3");
        }
        if (frictions[i] == 0.1) {
            atemi_reproduction_add(study->reproduction,
                                   (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 1.0, 0.0, "-",
                                                   SLIPPERY, ATEMI_REPRODUCED_AT_LEAST},
                                   (double)s.slips, "friction 0.1: slips in 20 steps");
        }
    }
    return add_friction_table(study, values, error);
}

static atemi_status add_ice(walk_study *study, double part, atemi_error *error)
{
    const atemi_floor_patch ice = {.from = 2.5, .to = 3.5, .friction = 0.1};
    atemi_walk_task         task = atemi_walk_task_default();
    atemi_walk_summary      s;
    task.steps = study->lengths.other;
    task.patches = &ice;
    task.patch_count = 1;
    const atemi_status status = walk(study, &task, part, &s, error);
    if (!status && !study->reproduction->stopped) {
        add_falls(study, &s, BEYOND, "a metre of friction 0.1");
    }
    return status;
}

// ---- All of them ----------------------------------------------------------------------------

atemi_status atemi_reproduce_walk_steps(atemi_reproduction *reproduction, const atemi_model *robot,
                                        const atemi_walk_lengths *lengths, double from,
                                        atemi_error *error)
{
    static const struct {
        double part;
        atemi_status (*add)(walk_study *study, double part, atemi_error *error);
    } parts[] = {{0.2, add_frictions}, {0.05, add_ice}, {0.75, add_thousand}};
    walk_study study = {
        .reproduction = reproduction, .robot = robot, .lengths = *lengths, .from = from};
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; ++i) {
        if (!atemi_reproduction_goes_on(reproduction, study.from)) {
            return ATEMI_OK;
        }
        status = parts[i].add(&study, parts[i].part * (1.0 - from), error);
    }
    return status;
}
