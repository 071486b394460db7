// SPDX-License-Identifier: Apache-2.0

// The walk of [WALK]: 1000 steps, on floors of less and less friction, how fast it is simulated,
// and what takes the time.
//
//   bench_walk [STEPS]
//
// The shares are estimates: what the parts take by themselves, in states of the walk, times how
// often they were asked for.

#include "atemi/walk.h"
#include "atemi/contact.h"
#include "atemi/robots.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 64, TICKS_BETWEEN_SAMPLES = 97, ROUNDS = 200, MOST_RATES = 32 };

static const double frictions[] = {0.7, 1.0,  0.5,  0.4,  0.3,  0.2,  0.15,
                                   0.1, 0.08, 0.06, 0.05, 0.04, 0.03, 0.02};

static const char *const causes[] = {"none", "push", "slip", "torque", "balance"};

static void tell(const atemi_walk *walk, double friction, double seconds)
{
    const atemi_walk_summary          s = atemi_walk_summary_get(walk);
    const atemi_simulation_statistics did =
        atemi_simulation_statistics_get(atemi_walk_simulation(walk));
    printf("%8.2f  %-5s %-7s %5ld %8.2f %8.2f %7.4f %7.4f %6.2f %6ld %7.2f %6.3f %6ld %6.3f "
           "%8.1f %9ld %7ld\n",
           friction, atemi_walk_end_text(s.end), causes[s.cause], s.steps, s.distance, s.time,
           s.step_length, s.step_period, 3.6 * s.speed, s.slips, s.slip_distance, s.most_friction,
           s.limited, s.cost_of_transport, s.time / seconds, did.evaluations, did.events);
}

static bool walk(const atemi_model *model, double friction, long steps)
{
    atemi_walk_task task = atemi_walk_task_default();
    atemi_walk     *w;
    task.steps = steps;
    task.friction = friction;
    if (atemi_walk_create(model, &task, NULL, &w, NULL)) {
        return false;
    }
    const double       begin = bench_computed();
    const atemi_status status = atemi_walk_run(w, NULL);
    tell(w, friction, 1e-9 * (bench_computed() - begin));
    atemi_walk_destroy(w);
    return !status;
}

// ---- What takes the time --------------------------------------------------------------------

// A state of the walk.
typedef struct sample {
    double        q[MOST_RATES], v[MOST_RATES], tau[MOST_RATES];
    bool          touches[ATEMI_WALKING_POINTS];
    atemi_vec3    forces[ATEMI_WALKING_POINTS];
    atemi_contact contacts[ATEMI_WALKING_POINTS];
    int           count;
} sample;

typedef struct walk_study {
    const atemi_model        *model;
    atemi_data               *data;
    atemi_walking_controller *controller;
    long                      ticks;
    int                       count;
    sample                    samples[MOST_SAMPLES];
} walk_study;

static void take_sample(const walk_study *study, const atemi_walk *walk, sample *to)
{
    const atemi_simulation *s = atemi_walk_simulation(walk);
    const size_t            rates = (size_t)atemi_model_v_count(study->model);
    memcpy(to->q, atemi_simulation_q(s), rates * sizeof *to->q);
    memcpy(to->v, atemi_simulation_v(s), rates * sizeof *to->v);
    memcpy(to->tau, atemi_simulation_tau(s), rates * sizeof *to->tau);
    for (int i = 0; i < ATEMI_WALKING_POINTS; ++i) {
        atemi_contact *contact = &to->contacts[to->count];
        to->forces[i] = atemi_simulation_force(s, i);
        to->touches[i] = atemi_simulation_mode(s, i) != ATEMI_CONTACT_OPEN;
        *contact = atemi_contact_default();
        contact->mode = ATEMI_CONTACT_STICK;
        contact->link =
            atemi_walking_controller_point(atemi_walk_controller(walk), i, &contact->point);
        to->count += to->touches[i];
    }
}

static bool on_tick(void *context, const atemi_walk *walk)
{
    walk_study *study = (walk_study *)context;
    if (study->ticks++ % TICKS_BETWEEN_SAMPLES == 0 && study->count < MOST_SAMPLES) {
        take_sample(study, walk, &study->samples[study->count++]);
    }
    return true;
}

static void solve(walk_study *study, const sample *at, int contacts)
{
    double                  a[MOST_RATES];
    atemi_force             forces[ATEMI_WALKING_POINTS];
    const atemi_contact_set set = {.contacts = at->contacts, .count = contacts};
    atemi_constrained_dynamics(study->data, at->q, at->v, at->tau, NULL, &set, a, forces, NULL);
}

static void move_freely(walk_study *study, const sample *at)
{
    solve(study, at, 0);
}

static void move_in_contact(walk_study *study, const sample *at)
{
    solve(study, at, at->count);
}

static void control(walk_study *study, const sample *at)
{
    atemi_walking_senses senses = {.q = at->q, .v = at->v};
    memcpy(senses.touches, at->touches, sizeof senses.touches);
    memcpy(senses.forces, at->forces, sizeof senses.forces);
    atemi_walking_controller_tick(study->controller, 0.0, &senses);
}

// s of a part, on the mean of all samples and of many rounds: others may use the machine, as while
// the robot walked.
static double time_of(walk_study *study, void (*part)(walk_study *study, const sample *at))
{
    const double begin = bench_computed();
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < study->count; ++i) {
            part(study, &study->samples[i]);
        }
    }
    return 1e-9 * (bench_computed() - begin) / (ROUNDS * study->count);
}

static void tell_shares(walk_study *study, const atemi_walk *walk, double seconds)
{
    const atemi_simulation_statistics did =
        atemi_simulation_statistics_get(atemi_walk_simulation(walk));
    const double evaluations = (double)did.evaluations;
    const double alone = time_of(study, move_freely), touching = time_of(study, move_in_contact);
    const double dynamics = evaluations * alone / seconds;
    const double contact = evaluations * (touching - alone) / seconds;
    const double controller = (double)study->ticks * time_of(study, control) / seconds;
    const double more = (double)(did.evaluations - 4 * did.steps) / (double)did.events;
    printf(
        "\n%.1f times real time; an evaluation %.2f us; an event %.1f evaluations beyond those of "
        "steps, %.0f us\n",
        atemi_simulation_time(atemi_walk_simulation(walk)) / seconds, 1e6 * touching, more,
        1e6 * more * touching);
    printf(
        "dynamics %.0f %%, contact %.0f %%, controller %.0f %%, integration and events %.0f %%\n\n",
        100.0 * dynamics, 100.0 * contact, 100.0 * controller,
        100.0 * (1.0 - dynamics - contact - controller));
}

static bool analyze(const atemi_model *model, long steps)
{
    static walk_study      study;
    const atemi_walk_hooks hooks = {.tick = on_tick, .context = &study};
    atemi_walk_task        task = atemi_walk_task_default();
    atemi_walk            *walk;
    study.model = model;
    task.steps = steps;
    if (atemi_data_create(model, NULL, &study.data, NULL) ||
        atemi_walking_controller_create(model, NULL, &study.controller, NULL) ||
        atemi_walk_create(model, &task, &hooks, &walk, NULL)) {
        return false;
    }
    const double       begin = bench_computed();
    const atemi_status status = atemi_walk_run(walk, NULL);
    tell_shares(&study, walk, 1e-9 * (bench_computed() - begin));
    atemi_walk_destroy(walk);
    atemi_walking_controller_destroy(study.controller);
    atemi_data_destroy(study.data);
    return !status;
}

// ---- All of it ------------------------------------------------------------------------------

int main(int argc, char **argv)
{
    const long         steps = argc > 1 ? atol(argv[1]) : 1000;
    atemi_urdf_options robot = atemi_urdf_options_default();
    atemi_model       *model;
    bool               done = true;
    robot.model.base = ATEMI_BASE_SAGITTAL;
    if (atemi_robots_load("humanoid17", &robot, &model, NULL)) {
        return 2;
    }
    done = analyze(model, steps);
    puts("friction  end   cause   steps distance     time  length  period   km/h  slips       m    "
         "used    lim    CoT   x real     evals  events");
    for (size_t i = 0; i < sizeof frictions / sizeof frictions[0]; ++i) {
        done = walk(model, frictions[i], steps) && done;
    }
    atemi_model_destroy(model);
    return done ? 0 : 1;
}
