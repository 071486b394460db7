// SPDX-License-Identifier: Apache-2.0

#include "papers/r2/reproduce_r2_steps.h"

#include "jobs/control/control_session.h"
#include "jobs/job_choice.h"
#include "math/random.h"
#include "papers/r2/linear_leg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The robot of the reach in random postures of its legs, every joint controlled, sensors without
// noise. The target of one joint leaps so far that its stiffness answers with 10 N m. What the
// joint does is compared with
//
//   y'' + 2 zeta omega y' + omega^2 y = omega^2,   y(0) = y'(0) = 0
//
// whose omega and zeta are fitted by least squares. Held by the pelvis each leg moves itself; held
// by a foot that leg moves the robot, with a natural frequency that its limits leave to its largest
// inertia: "such that stability is ensured for all effective inertias" [R2].

// Of r2_like, whose legs come first among its joints.
enum {
    LEG = 7,
    LEGS = 2 * LEG,
    POSTURES = 6,
    SAMPLES = 250,
    SETTLING = 5, ///< steps of the coordination before the leap
    FITS = 20,
    MAX_STEPS = POSTURES * LEGS
};

static const double tick = 2e-4;        // s
static const double leap_torque = 10.0; // N m
static const double margin = 0.1;       // rad to the ends of the joints' ranges
static const double ratio = 1.2;
static const double others_frequency = 20.0; // rad/s, of the joints beside the leg that is held

static const char WHOLE_CHAIN[] =
    "the joint that is farthest off, of 84: all joints of both legs in 6 random postures, each in "
    "the whole robot with all joints controlled; table r2-steps";
static const char CARRIER[] =
    "the joint that is farthest off, of 42: eq. 1 and 2 take the other joints as still, but they "
    "yield. Table r2-carrier has the linear model of these equations beside each step; "
    "docs/theory/control_plant.md";

// The robot, held in one of two ways.
typedef struct held_case {
    const char *link;      ///< that is held
    int         legs;      ///< that are stepped
    double      frequency; ///< natural, of its joints, rad/s
    int         every;     ///< ticks a sample
    const char *what, *note, *table, *title, *figure, *figure_title;
} held_case;

typedef struct stepped {
    int    posture, joint; ///< of the coordination
    double leap;           ///< of the leap, rad
    double stiffness, damping, frequency, ratio;
    double linear_frequency, linear_ratio; ///< by eq. 1 and 2 alone; NaN where not computed
} stepped;

typedef struct step_study {
    atemi_r2_study  *of;
    const held_case *held;
    control_scenario scenario;
    double           start[LEGS]; ///< of the scenario, rad
    double           samples[LEGS][SAMPLES];
    int              count;
    stepped          steps[MAX_STEPS];
} step_study;

// ---- Identification -------------------------------------------------------------------------

static double second_order(double w, double z, double t)
{
    const double s = w * sqrt(fabs(z * z - 1.0));
    if (s * t < 1e-6) {
        return 1.0 - (1.0 + w * t) * exp(-w * t);
    }
    const double fade = exp(-z * w * t);
    return z > 1.0 ? 1.0 - fade * (cosh(s * t) + z * w / s * sinh(s * t))
                   : 1.0 - fade * (cos(s * t) + z * w / s * sin(s * t));
}

// Gauss-Newton on the logarithms of both, no farther than half at a time.
static void improve(const double *samples, double T, stepped *x)
{
    const double h = 1e-5;
    double       aa = 0.0, ab = 0.0, bb = 0.0, ar = 0.0, br = 0.0;
    for (int k = 0; k < SAMPLES; ++k) {
        const double y = second_order(x->frequency, x->ratio, k * T);
        const double a = (second_order(x->frequency * (1.0 + h), x->ratio, k * T) - y) / h;
        const double b = (second_order(x->frequency, x->ratio * (1.0 + h), k * T) - y) / h;
        const double r = samples[k] - y;
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ar += a * r;
        br += b * r;
    }
    const double det = aa * bb - ab * ab;
    x->frequency *= exp(fmax(-0.5, fmin(0.5, (bb * ar - ab * br) / det)));
    x->ratio *= exp(fmax(-0.5, fmin(0.5, (aa * br - ab * ar) / det)));
}

// From what stiffness and damping promise: omega = 2 zeta k / d.
static void identify(const step_study *study, stepped *x)
{
    const double *samples = study->samples[x->joint];
    const double  T = study->held->every * tick;
    x->ratio = ratio;
    x->frequency = 2.0 * ratio * x->stiffness / x->damping;
    x->linear_frequency = x->linear_ratio = NAN;
    for (int k = 0; k < FITS; ++k) {
        improve(samples, T, x);
    }
}

// ---- Beside it, eq. 1 and 2 alone -----------------------------------------------------------

// Of the joints of the leg that is held, which were stepped last.
static atemi_status step_linear(const step_study *study, stepped *steps, atemi_error *error)
{
    const atemi_model    *model = study->scenario.robot.model;
    double                responses[LEG * SAMPLES];
    const linear_leg_task task = {.model = model,
                                  .q = study->scenario.start.q,
                                  .held = atemi_model_find_link(model, study->held->link),
                                  .free = atemi_model_find_link(model, "right_gripper"),
                                  .leg = LEG,
                                  .frequency = study->held->frequency,
                                  .other = others_frequency,
                                  .ratio = ratio,
                                  .period = study->held->every * tick,
                                  .samples = SAMPLES};
    const atemi_status    status = linear_leg_step(&task, responses, error);
    for (int i = 0; i < LEG && !status; ++i) {
        stepped x = {.frequency = study->held->frequency, .ratio = ratio};
        for (int k = 0; k < FITS; ++k) {
            improve(responses + (size_t)i * SAMPLES, task.period, &x);
        }
        steps[i].linear_frequency = x.frequency;
        steps[i].linear_ratio = x.ratio;
    }
    return status;
}

// ---- Steps ----------------------------------------------------------------------------------

static const atemi_joint *joint_of(const step_study *study, int i)
{
    return atemi_control_joint(study->scenario.robot.model, i);
}

// The first posture is the scenario's.
static void choose_posture(step_study *study, int posture, uint64_t *seed)
{
    for (int i = 0; i < LEGS; ++i) {
        const atemi_joint *joint = joint_of(study, i);
        const double       low = joint->limits.lower + margin, high = joint->limits.upper - margin;
        const double       drawn = low + (high - low) * random_unit_next(seed);
        study->scenario.start.q[joint->first_q] = posture ? drawn : study->start[i];
    }
}

static void displace(const atemi_control_loop *loop, bool is_first, stepped *x)
{
    atemi_joint_command *command = &atemi_control_loop_commands(loop)[x->joint];
    if (is_first) {
        x->stiffness = command->stiffness;
        x->damping = command->damping;
        x->leap = leap_torque / command->stiffness;
    }
    command->position += x->leap;
}

static void sample(step_study *study, const atemi_control_loop *loop, const stepped *x, int k)
{
    const int    q = joint_of(study, x->joint)->first_q;
    const double moved =
        atemi_whole_body_plant_q(atemi_control_loop_plant(loop))[q] - study->scenario.start.q[q];
    study->samples[x->joint][k] = moved / x->leap;
}

// The ticks of a step of the coordination, `age` ticks after the leap.
static atemi_status run_step(step_study *study, atemi_control_loop *loop, int age, int count,
                             const stepped *steps, atemi_error *error)
{
    const int    every = study->held->every;
    atemi_status status = ATEMI_OK;
    for (int k = 0; k < atemi_control_loop_tick_count(loop) && !status; ++k) {
        for (int i = 0; i < count && age >= 0 && (age + k) % every == 0; ++i) {
            sample(study, loop, &steps[i], (age + k) / every);
        }
        status = atemi_control_loop_tick(loop, error);
    }
    return status;
}

// Leaps of joints that do not feel each other, at the same time.
static atemi_status leap(step_study *study, atemi_control_loop *loop, int count, stepped *steps,
                         atemi_error *error)
{
    const int    after = SAMPLES * study->held->every / atemi_control_loop_tick_count(loop);
    atemi_status status = ATEMI_OK;
    for (int k = -SETTLING; k < after && !status; ++k) {
        atemi_control_loop_coordinate(loop);
        for (int i = 0; i < count && k >= 0; ++i) {
            displace(loop, k == 0, &steps[i]);
        }
        status =
            run_step(study, loop, k * atemi_control_loop_tick_count(loop), count, steps, error);
    }
    return status;
}

static atemi_status step_joints(step_study *study, int count, stepped *steps, atemi_error *error)
{
    const atemi_control_loop_options options = atemi_control_session_loop(&study->scenario);
    atemi_control_loop              *loop = NULL;
    atemi_status                     status =
        atemi_control_loop_create(study->scenario.robot.model, &options, &loop, error);
    status = status ? status : leap(study, loop, count, steps, error);
    atemi_control_loop_destroy(loop);
    for (int i = 0; i < count && !status; ++i) {
        identify(study, &steps[i]);
    }
    return status;
}

// The joints of the left leg one after the other, or of both legs in pairs.
static atemi_status step_posture(step_study *study, int posture, atemi_error *error)
{
    const int    legs = study->held->legs;
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < LEG && !status; ++i) {
        stepped *steps = &study->steps[study->count];
        for (int leg = 0; leg < legs; ++leg) {
            steps[leg] = (stepped){.posture = posture, .joint = leg * LEG + i};
        }
        study->count += legs;
        status = step_joints(study, legs, steps, error);
    }
    return status || legs > 1 ? status
                              : step_linear(study, &study->steps[study->count - LEG], error);
}

static atemi_status step_postures(step_study *study, double part, atemi_error *error)
{
    atemi_r2_study *of = study->of;
    uint64_t        seed = 3;
    atemi_status    status = ATEMI_OK;
    for (int i = 0; i < POSTURES && !status; ++i) {
        if (!atemi_reproduction_goes_on(of->reproduction, of->from)) {
            return ATEMI_OK;
        }
        choose_posture(study, i, &seed);
        status = step_posture(study, i, error);
        of->from += part / (double)POSTURES;
    }
    return status;
}

// ---- What came of it ------------------------------------------------------------------------

static double off(double value, double wanted)
{
    return fabs(value - wanted) / wanted;
}

static void add_rows(const step_study *study)
{
    const held_case *held = study->held;
    const double     stiff = held->frequency;
    const stepped   *w = &study->steps[0], *z = w;
    for (int i = 0; i < study->count; ++i) {
        const stepped *x = &study->steps[i];
        w = off(x->frequency, stiff) > off(w->frequency, stiff) ? x : w;
        z = off(x->ratio, ratio) > off(z->ratio, ratio) ? x : z;
    }
    atemi_reproduction *r = study->of->reproduction;
    atemi_reproduction_add(
        r, (atemi_printed){ATEMI_REPRODUCED_PREDICTED, stiff, 0.05 * stiff, "rad/s", held->note, 0},
        w->frequency, "%s: natural frequency", held->what);
    atemi_reproduction_add(
        r, (atemi_printed){ATEMI_REPRODUCED_PREDICTED, ratio, 0.05 * ratio, "-", held->note, 0},
        z->ratio, "%s: damping ratio", held->what);
}

static atemi_status add_table(const step_study *study, atemi_error *error)
{
    enum { COLUMNS = 7, LABEL_SIZE = 96 };
    static const atemi_recorded_column columns[COLUMNS] = {{"stiffness", "N m/rad"},
                                                           {"damping", "N m s/rad"},
                                                           {"promised", "rad/s"},
                                                           {"frequency", "rad/s"},
                                                           {"ratio", NULL},
                                                           {"frequency by eq. 1, 2 alone", "rad/s"},
                                                           {"ratio by eq. 1, 2 alone", NULL}};
    char                               labels[MAX_STEPS][LABEL_SIZE];
    const char                        *texts[MAX_STEPS];
    double                             values[MAX_STEPS][COLUMNS];
    for (int i = 0; i < study->count; ++i) {
        const stepped *x = &study->steps[i];
        const double   promised = 2.0 * ratio * x->stiffness / x->damping;
        const double   row[COLUMNS] = {x->stiffness,   x->damping, promised,
                                       x->frequency,   x->ratio,   x->linear_frequency,
                                       x->linear_ratio};
        snprintf(labels[i], LABEL_SIZE, "%d %.80s", x->posture, joint_of(study, x->joint)->name);
        texts[i] = labels[i];
        memcpy(values[i], row, sizeof row);
    }
    const atemi_recorded_table table = {.name = study->held->table,
                                        .title = study->held->title,
                                        .row_count = study->count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = texts,
                                        .values = &values[0][0]};
    return atemi_reproduction_add_figure(study->of->reproduction, &table, error);
}

// The responses of the last posture's left knee, and what it shall be.
static atemi_status add_response(const step_study *study, atemi_error *error)
{
    enum { CURVES = 5, KNEE = 3 };
    static const atemi_recorded_column columns[CURVES] = {
        {"t", "s"}, {"asked for", NULL}, {"hip", NULL}, {"knee", NULL}, {"ankle roll", NULL}};
    static const int y[] = {1, 2, 3, 4};
    double           values[SAMPLES][CURVES];
    for (int k = 0; k < SAMPLES; ++k) {
        const double t = k * study->held->every * tick;
        const double row[CURVES] = {t, second_order(study->held->frequency, ratio, t),
                                    study->samples[0][k], study->samples[KNEE][k],
                                    study->samples[LEG - 1][k]};
        memcpy(values[k], row, sizeof row);
    }
    const atemi_recorded_table figure = {
        .name = study->held->figure,
        .title = study->held->figure_title,
        .row_count = SAMPLES,
        .column_count = CURVES,
        .columns = columns,
        .values = &values[0][0],
        .plot = {.y_count = CURVES - 1, .y = y, .x = 0, .series = ATEMI_NONE}};
    return atemi_reproduction_add_figure(study->of->reproduction, &figure, error);
}

// ---- The robot, held in two ways ------------------------------------------------------------

static const held_case held_cases[] = {
    {"pelvis", 2, 20.0, 20, "20 rad/s and 1.2, legs that move themselves", WHOLE_CHAIN, "r2-steps",
     "[R2] Steps of joints of legs that move themselves, by posture", "r2-step-response",
     "[R2] Steps of a leg that moves itself, in one posture"},
    {"left_foot", 1, 4.0, 60, "4 rad/s and 1.2, a leg that carries 295 kg", CARRIER, "r2-carrier",
     "[R2] Steps of joints of the leg that carries the robot, by posture", "r2-carrier-response",
     "[R2] Steps of the leg that carries the robot, in one posture"},
};

static atemi_status step_held(step_study *study, double part, atemi_error *error)
{
    for (int i = 0; i < LEGS; ++i) {
        study->start[i] = study->scenario.start.q[joint_of(study, i)->first_q];
    }
    atemi_status status = step_postures(study, part, error);
    if (status || study->of->reproduction->stopped) {
        return status;
    }
    add_rows(study);
    status = add_table(study, error);
    return status ? status : add_response(study, error);
}

static void add_mass(const step_study *study)
{
    static const char NEARLY[] =
        "fitted: 'nearly 300 kg': r2_like has 213 kg; its backpack bears a battery of 82 kg";
    atemi_reproduction_add(study->of->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_FITTED, 300.0, 10.0, "kg", NEARLY, 0},
                           atemi_model_mass(study->scenario.robot.model), "mass of the robot");
}

static atemi_status read_and_step(step_study *study, double part, atemi_scenario_reader *reader,
                                  atemi_error *error)
{
    atemi_job_choice_read(reader, "control");
    atemi_status status = atemi_control_scenario_read(reader, NULL, &study->scenario, error);
    if (!status) {
        if (study->held == held_cases) {
            add_mass(study);
        }
        status = step_held(study, part, error);
    }
    atemi_control_scenario_destroy(&study->scenario);
    return status;
}

static atemi_status hold_and_step(step_study *study, double part, atemi_error *error)
{
    char                    holds[64], joints[128];
    const atemi_r2_scenario scenario = {
        "reach",
        {{"holds: [left_foot]", holds},
         {"duration: 12 s", "sensors: {noise: false}\n"
                            "coordination: {stiffness_step: 1e6, damping_step: 1e6}\n"},
         {"torque_limit: 20 N m, velocity: 0.5}\n"
          "  - {of: left_leg*, torque_limit: 100 N m, integral_rate: 1}\n"
          "  - {of: right_leg*, torque_limit: 20 N m, integral_rate: 1}\n",
          joints}}};
    snprintf(holds, sizeof holds, "holds: [%s]", study->held->link);
    snprintf(joints, sizeof joints,
             "torque_limit: 100 N m, velocity: 0.5}\n"
             "  - {of: left_leg*, natural_frequency: %g, damping_ratio: 1.2}\n",
             study->held->frequency);
    atemi_text             text;
    atemi_scenario_reader *reader;
    atemi_status           status = atemi_r2_write(&scenario, &text, error);
    status =
        status ? status : atemi_scenario_open_text(text.bytes, text.size, "reach", &reader, error);
    if (!status) {
        status = read_and_step(study, part, reader, error);
        atemi_scenario_close(reader);
    }
    atemi_text_destroy(&text);
    return status;
}

atemi_status atemi_reproduce_r2_steps(atemi_r2_study *study, double part, atemi_error *error)
{
    const int    count = sizeof held_cases / sizeof held_cases[0];
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < count && !status && !study->reproduction->stopped; ++i) {
        step_study steps = {.of = study, .held = &held_cases[i]};
        status = hold_and_step(&steps, part / count, error);
    }
    return status;
}
