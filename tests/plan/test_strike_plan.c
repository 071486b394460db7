// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_plan.h"

#include "allocations.h"
#include "strike_rig.h"

#include <math.h>

TEST(strike_plan, tells_momenta_and_times_of_first_touch)
{
    strike_rig                 rig;
    double                     x[VARIABLES];
    atemi_strike_plan         *plan = rig_evaluate_start(&rig, x);
    const atemi_force          momentum = rig_momentum(&rig);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_NEAR(f.speed, 2.0, 0.0);
    CHECK_NEAR(f.momentum[0], momentum.linear.x, 1e-9);
    CHECK_NEAR(f.momentum[2], 2.68, 1e-9);
    CHECK_NEAR(f.angular[2], momentum.angular.z, 1e-9);
    CHECK_NEAR(f.com[1], -0.06, 1e-9);
    CHECK_NEAR(f.hand_rise, 0.7 / 4.0, 0.0);
    CHECK_NEAR(f.body_fall, 0.7, 0.0);
    CHECK_NEAR(rig_constraint(&rig, plan, "P_x"), f.momentum[0], 0.0);
    CHECK_NEAR(rig_constraint(&rig, plan, "L_z"), f.angular[2], 0.0);
    rig_end(&rig, plan);
}

// ---- The blow

// The compression damper is at its hardest at first touch.
TEST(strike_plan, of_the_paper_maximizes_damping_times_speed)
{
    strike_rig                 rig;
    double                     x[VARIABLES];
    atemi_strike_plan         *plan = rig_evaluate_start(&rig, x);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_NEAR(f.peak_force, 300.0 * 2.0, 1e-9);
    CHECK_NEAR(f.objective, f.peak_force, 0.0);
    CHECK(f.impulse > 5.0 && f.contact_time > 0.02);
    rig_end(&rig, plan);
}

TEST(strike_plan, weighs_peak_force_and_impulse)
{
    strike_rig rig;
    double     x[VARIABLES];
    rig_open(&rig);
    rig_posture(1.0, x);
    rig.task->peak_weight = 0.5;
    rig.task->impulse_weight = 20.0;
    atemi_strike_plan         *plan = rig_evaluate(&rig, x);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_NEAR(f.objective, 0.5 * f.peak_force + 20.0 * f.impulse, 1e-9);
    rig_end(&rig, plan);
}

TEST(strike_plan, tells_the_least_margins)
{
    strike_rig         rig;
    double             x[VARIABLES], blow = INFINITY, motion = INFINITY;
    atemi_strike_plan *plan = rig_evaluate_start(&rig, x);
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        blow = c->kind == ATEMI_CONSTRAIN_BLOW_ZMP ? fmin(blow, c->value) : blow;
        motion = c->kind == ATEMI_CONSTRAIN_MOTION_ZMP ? fmin(motion, c->value) : motion;
    }
    CHECK_NEAR(atemi_strike_plan_figures(plan).impact_margin, blow, 0.0);
    CHECK_NEAR(atemi_strike_plan_figures(plan).motion_margin, motion, 0.0);
    rig_end(&rig, plan);
}

// ---- The search

TEST(strike_plan, goes_to_the_bound_of_its_speed_and_tells_what_it_is_worth)
{
    strike_rig rig;
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    CHECK(atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_violation(plan) <= 1e-6);
    CHECK_EQUAL_INT(atemi_strike_plan_variable_count(plan), 1);
    CHECK_EQUAL_INT(atemi_strike_plan_variable(plan, 0)->kind, ATEMI_DECIDE_HAND_SPEED);
    CHECK_NEAR(atemi_strike_plan_variable(plan, 0)->value, 0.5, 1e-9);
    CHECK_NEAR(atemi_strike_plan_variable(plan, 0)->multiplier, 300.0, 1e-3);
    rig_end(&rig, plan);
}

// What ends it then is a constraint, by which it stands.
TEST(strike_plan, goes_as_far_as_its_constraints_allow)
{
    strike_rig rig;
    bool       stands = false;
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    CHECK(atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_variable(plan, 0)->value > 0.5);
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        stands = stands || (c->active && c->multiplier > 0.0);
        CHECK(c->multiplier >= 0.0);
    }
    CHECK(stands);
    rig_end(&rig, plan);
}

// The hand cannot be at 3 m; nothing that is decided would bring it there.
TEST(strike_plan, of_a_target_out_of_reach_is_not_feasible)
{
    strike_rig           rig;
    atemi_strike_options options = atemi_strike_options_default();
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    rig.task->hits[0].place[2] = 3.0;
    options.iterations = 5;
    atemi_strike_plan *plan = rig_search(&rig, &options);
    CHECK(!atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_violation(plan) > 100.0);
    CHECK_EQUAL_INT(atemi_strike_plan_figures(plan).searches, 11); // 10 starts, the own one twice
    CHECK_EQUAL_INT(atemi_strike_plan_figures(plan).feasible_searches, 0);
    rig_end(&rig, plan);
}

typedef struct listener {
    int calls, patience;
} listener;

static bool on_progress(void *context, double done, double objective, double violation)
{
    listener *l = (listener *)context;
    CHECK(done >= 0.0 && done <= 1.0 && isfinite(objective) && violation >= 0.0);
    return ++l->calls < l->patience;
}

static atemi_strike_options until(listener *l)
{
    atemi_strike_options options = atemi_strike_options_default();
    options.progress = on_progress;
    options.context = l;
    return options;
}

TEST(strike_plan, stops_when_progress_says_so_and_keeps_the_best)
{
    strike_rig           rig;
    listener             l = {.patience = 2};
    atemi_strike_options options = until(&l);
    options.starts = 3;
    rig_open(&rig);
    atemi_strike_plan *plan = rig_search(&rig, &options);
    CHECK_EQUAL_INT(l.calls, 2);
    CHECK_EQUAL_INT(atemi_strike_plan_figures(plan).searches, 1);
    CHECK(isfinite(atemi_strike_plan_violation(plan)));
    rig_end(&rig, plan);
}

TEST(strike_plan, is_the_same_every_time)
{
    strike_rig           rig;
    listener             l[2] = {{.patience = 4}, {.patience = 4}};
    atemi_strike_options options[2] = {until(&l[0]), until(&l[1])};
    rig_open(&rig);
    atemi_strike_plan *first = rig_search(&rig, &options[0]),
                      *second = rig_search(&rig, &options[1]);
    const size_t q = (size_t)atemi_model_q_count(rig.task->model) * sizeof(double);
    const size_t v = (size_t)atemi_model_v_count(rig.task->model) * sizeof(double);
    CHECK(memcmp(atemi_strike_plan_q(first), atemi_strike_plan_q(second), q) == 0);
    CHECK(memcmp(atemi_strike_plan_v(first), atemi_strike_plan_v(second), v) == 0);
    atemi_strike_plan_destroy(first);
    rig_end(&rig, second);
}

static double tick(void)
{
    static double now = 0.0;
    return now += 1.0;
}

TEST(strike_plan, measures_where_time_goes)
{
    strike_rig           rig;
    atemi_strike_options options = atemi_strike_options_default();
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    options.clock = tick;
    options.threads = 1;
    atemi_strike_plan       *plan = rig_search(&rig, &options);
    const atemi_strike_times t = atemi_strike_plan_figures(plan).times;
    CHECK(t.posture > 0.0 && t.velocities > 0.0 && t.motion > 0.0 && t.blow > 0.0 && t.zmp > 0.0);
    CHECK_NEAR(t.posture + t.velocities + t.motion + t.blow + t.zmp + t.solver, t.total, 1e-9);
    rig_end(&rig, plan);
}

TEST(strike_plan, has_no_variable_and_no_constraint_beyond_its_own)
{
    strike_rig         rig;
    double             x[VARIABLES];
    atemi_strike_plan *plan = rig_evaluate_start(&rig, x);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_strike_plan_variable(plan, VARIABLES)));
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_strike_plan_constraint(plan, -1)));
    rig_end(&rig, plan);
}

TEST(strike_plan, survives_that_memory_runs_out)
{
    strike_rig rig;
    double     x[VARIABLES];
    bool       failed = true;
    rig_open(&rig);
    rig_posture(1.0, x);
    for (int n = 1; failed; ++n) {
        atemi_strike_plan *plan = NULL;
        atemi_error        error = {0};
        failing_allocator_install(n);
        const atemi_status status = atemi_strike_plan_evaluate(rig.task, x, &plan, &error);
        failed = failing_allocator_failed();
        CHECK_EQUAL_INT(status == ATEMI_ERROR_MEMORY, failed);
        CHECK(!failed || (!plan && strlen(error.message) > 0));
        atemi_strike_plan_destroy(plan);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    rig_close(&rig);
}
