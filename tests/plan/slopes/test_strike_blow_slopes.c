// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_blow_slopes.h"

#include "check.h"
#include "jobs/job_choice.h"
#include "jobs/strike/strike_scenario.h"
#include "math/matrix.h"
#include "plan/doubt/strike_case.h"
#include "plan/problem/strike_problem.h"
#include "random.h"

#include <math.h>
#include <string.h>

// Central differences of fourth order: with h of a scaled variable, what is left of them is h^4,
// and the error of the inverse kinematics and of the blow, 1e-11, over h.
static const double h = 1e-4;

// Away from first touch feet have drifted by up to 1e-5 of their length, and the slopes of forces
// of the floor count their corners as level.
static const double drifted = 5e-4;

enum { POINTS = 4 };

typedef struct bench {
    atemi_strike_scenario   scenario;
    strike_meter            meter;
    strike_problem          problem;
    strike_workspace        work;
    strike_result           result, near[POINTS];
    strike_derivatives      derivatives;
    strike_blow_derivatives blow;
    strike_slopes           slopes;
    double                 *objective, *x;
    atemi_arena             arena;
} bench;

static void read_task(bench *b, const char *name)
{
    atemi_scenario_reader *reader;
    atemi_error            error = {0};
    char                   path[512] = ATEMI_SOURCE_DIR "/scenarios/";
    strncat(path, name, sizeof path - strlen(path) - 1);
    CHECK_STATUS(atemi_scenario_open(path, &reader, &error), ATEMI_OK);
    atemi_job_choice_read(reader, "strike");
    CHECK_STATUS(atemi_strike_scenario_read(reader, path, &b->scenario, &error), ATEMI_OK);
    atemi_scenario_close(reader);
}

static void take(bench *b, atemi_arena *arena)
{
    const strike_problem *p = &b->problem;
    strike_result_take(&b->result, arena, p);
    for (int i = 0; i < POINTS; ++i) {
        strike_result_take(&b->near[i], arena, p);
    }
    b->derivatives = strike_derivatives_take(arena, &p->setup, &p->variables, p->grid);
    b->blow = strike_blow_derivatives_take(arena, &p->setup, &b->derivatives.directions);
    b->slopes.stride = b->derivatives.directions.stride;
    b->slopes.values = atemi_arena_array(arena, double, p->constraints.count * b->slopes.stride);
    b->slopes.parts =
        atemi_arena_array(arena, double, p->constraints.part_count * b->slopes.stride);
    b->objective = atemi_arena_array(arena, double, b->slopes.stride);
    b->x = atemi_arena_array(arena, double, p->variables.count);
}

static void begin(bench *b)
{
    atemi_arena measuring = atemi_arena_measuring();
    CHECK_STATUS(
        strike_problem_create(&b->scenario.task, &strike_fine_grid, &b->meter, &b->problem, NULL),
        ATEMI_OK);
    CHECK_STATUS(
        strike_workspace_create(&b->problem.setup, &strike_fine_grid, &b->meter, &b->work, NULL),
        ATEMI_OK);
    take(b, &measuring);
    CHECK_STATUS(atemi_arena_create(&b->arena, measuring.used, NULL), ATEMI_OK);
    take(b, &b->arena);
}

static void end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    strike_workspace_destroy(&b->work);
    strike_problem_destroy(&b->problem);
    atemi_strike_scenario_destroy(&b->scenario);
}

// Near the start of the scenario, `higher` than that.
static void draw(bench *b, double higher, random_stream *stream)
{
    for (int i = 0; i < b->problem.variables.count; ++i) {
        const strike_variable *v = &b->problem.variables.list[i];
        b->x[i] = v->about.range.start + random_uniform(stream, -0.03, 0.03) * v->scale;
        if (v->about.kind == ATEMI_DECIDE_FOOT_POSITION && v->about.axis == 2) {
            b->x[i] -= higher;
        }
    }
}

static void look(bench *b, int variable, double step, strike_result *result)
{
    double *x = b->x, kept = x[variable];
    x[variable] += step * b->problem.variables.list[variable].scale;
    result->at.is_done = false;
    strike_problem_evaluate(&b->problem, x, &b->work, result);
    x[variable] = kept;
}

static double difference(const double at[POINTS], double scale)
{
    return (8.0 * (at[2] - at[1]) - (at[3] - at[0])) / (12.0 * h * scale);
}

static void check(const strike_constraint *c, double found, const double at[POINTS], double scale,
                  double tolerance)
{
    const double slope = difference(at, scale);
    CHECK_NEAR(found, slope, tolerance * (10.0 * c->scale / scale + fabs(slope)));
}

static void check_rows(const bench *b, int variable)
{
    const strike_constraints *constraints = &b->problem.constraints;
    const double              scale = b->problem.variables.list[variable].scale;
    const int                 stride = b->slopes.stride;
    for (int i = constraints->motion.end; i < constraints->count; ++i) {
        const strike_constraint *c = &constraints->list[i];
        const bool               moves = strike_case_moves(&c->about.deviation);
        for (int k = c->first_part; k < c->first_part + c->part_count; ++k) {
            double at[POINTS];
            for (int j = 0; j < POINTS; ++j) {
                at[j] = b->near[j].parts[k];
            }
            check(c, row_in(b->slopes.parts, stride, k)[variable], at, scale,
                  moves ? drifted : 1e-5);
        }
    }
}

static void check_objective(const bench *b, int variable)
{
    const double scale = b->problem.variables.list[variable].scale, size = b->result.at.objective;
    double       at[POINTS];
    for (int j = 0; j < POINTS; ++j) {
        at[j] = b->near[j].at.objective;
    }
    CHECK_NEAR(b->objective[variable], difference(at, scale), 1e-7 * size / scale);
}

static bool find_slopes(bench *b)
{
    const strike_problem *p = &b->problem;
    b->slopes.next = p->constraints.motion.end;
    b->slopes.next_part = p->constraints.motion.end_part;
    b->result.at.is_done = false;
    strike_problem_evaluate(p, b->x, &b->work, &b->result);
    return strike_derivatives_find(&p->setup, &p->variables, &b->result.at, &b->work,
                                   &b->derivatives) &&
           strike_blow_slopes(&p->setup, &b->result.at, &b->work, &b->derivatives, &b->blow,
                              &b->slopes, b->objective);
}

static void compare(bench *b)
{
    static const double steps[POINTS] = {-2.0 * 1e-4, -1e-4, 1e-4, 2.0 * 1e-4};
    CHECK(find_slopes(b));
    CHECK_EQUAL_INT(b->slopes.next, b->problem.constraints.count);
    CHECK_EQUAL_INT(b->slopes.next_part, b->problem.constraints.part_count);
    for (int variable = 0; variable < b->problem.variables.count; ++variable) {
        for (int j = 0; j < POINTS; ++j) {
            look(b, variable, steps[j], &b->near[j]);
        }
        check_objective(b, variable);
        check_rows(b, variable);
    }
}

TEST(strike_blow_slopes, of_the_shipped_strikes_are_those_of_differences)
{
    static const struct {
        const char *name;
        double      higher; // the punch starts in a squat that is too deep for the ankles
    } strikes[] = {
        {"strike.yaml", 0.08}, {"kick.yaml", 0.0}, {"hammer.yaml", 0.0}, {"door.yaml", 0.0}};
    random_stream stream = random_seeded(3);
    for (size_t i = 0; i < sizeof strikes / sizeof strikes[0]; ++i) {
        bench b = {0};
        read_task(&b, strikes[i].name);
        begin(&b);
        for (int k = 0; k < 3; ++k) {
            draw(&b, strikes[i].higher, &stream);
            compare(&b);
        }
        end(&b);
    }
}

// Earlier and later touches too, whose instants change with the hand's speed.
TEST(strike_blow_slopes, of_cases_in_doubt_are_those_of_differences)
{
    static const atemi_strike_deviation cases[] = {{0.2, 0.0, -0.02, -0.01, 0.2},
                                                   {-0.2, 0.0, 0.02, 0.01, -0.2},
                                                   {0.0, 0.0, 0.0, 0.005, 0.0},
                                                   {0.1, 0.0, 0.0, 0.0, 0.1}};
    random_stream                       stream = random_seeded(5);
    bench                               b = {0};
    read_task(&b, "kick.yaml");
    memcpy(b.scenario.task.cases, cases, sizeof cases);
    b.scenario.task.case_count = 4;
    begin(&b);
    for (int k = 0; k < 2; ++k) {
        draw(&b, 0.0, &stream);
        compare(&b);
    }
    end(&b);
}

// A round fist on a round target: by steps, with the peak in the middle of the blow.
TEST(strike_blow_slopes, by_hunt_and_crossley_are_those_of_differences)
{
    const atemi_hunt_crossley law = {.stiffness = 1e6, .dissipation = 0.3, .exponent = 1.5};
    random_stream             stream = random_seeded(5);
    bench                     b = {0};
    read_task(&b, "strike.yaml");
    b.scenario.task.surface = (atemi_blow_surface){.law = ATEMI_BLOW_OTHER_LAW,
                                                   .other = atemi_compliance_hunt_crossley(&law)};
    begin(&b);
    for (int k = 0; k < 3; ++k) {
        draw(&b, 0.08, &stream);
        compare(&b);
    }
    end(&b);
}

TEST(strike_blow_slopes, are_not_known_where_the_hand_goes_away)
{
    random_stream stream = random_seeded(4);
    bench         b = {0};
    read_task(&b, "kick.yaml");
    begin(&b);
    draw(&b, 0.0, &stream);
    b.x[b.derivatives.directions.speed] = -0.1;
    CHECK(!find_slopes(&b));
    end(&b);
}
