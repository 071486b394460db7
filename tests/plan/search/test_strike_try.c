// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_try.h"

#include "strike_rig.h"

#include <math.h>

// At one posture, where the speed is decided: over both grids it goes to the bound of 0.5 m/s.
typedef struct bench {
    strike_rig           rig;
    strike_meter         meter;
    strike_problem       fine_problem, rough_problem;
    strike_solver        fine, rough;
    atemi_strike_options fine_options, rough_options;
    strike_worker        worker;
    strike_try           t;
} bench;

static void begin(bench *b)
{
    *b = (bench){.fine_options = atemi_strike_options_default()};
    b->rough_options = b->fine_options;
    b->rough_options.tolerance = strike_rough_tolerance;
    rig_open(&b->rig);
    rig_fix_posture(&b->rig, 0.5);
    CHECK_STATUS(
        strike_problem_create(b->rig.task, &strike_fine_grid, &b->meter, &b->fine_problem, NULL),
        ATEMI_OK);
    CHECK_STATUS(
        strike_problem_create(b->rig.task, &strike_rough_grid, &b->meter, &b->rough_problem, NULL),
        ATEMI_OK);
    CHECK_STATUS(
        strike_solver_create(&b->fine_problem, &b->meter, &b->fine_options, &b->fine, NULL),
        ATEMI_OK);
    CHECK_STATUS(
        strike_solver_create(&b->rough_problem, &b->meter, &b->rough_options, &b->rough, NULL),
        ATEMI_OK);
    b->worker = (strike_worker){&b->fine, &b->rough, b->fine_options.tolerance};
    b->t = (strike_try){.x = {0.1}, .is_rough = true};
    b->t.known.best.score = strike_score_none();
    b->t.known.hardest = -INFINITY;
}

static void end(bench *b)
{
    strike_solver_destroy(&b->rough);
    strike_solver_destroy(&b->fine);
    strike_problem_destroy(&b->rough_problem);
    strike_problem_destroy(&b->fine_problem);
    rig_close(&b->rig);
}

TEST(strike_try, goes_on_over_the_fine_grid_where_nothing_is_known)
{
    bench b;
    begin(&b);
    strike_try_run(&b.worker, &b.t);
    CHECK(b.t.met && !b.t.alike && b.t.has_fine && !b.t.came_back);
    CHECK_NEAR(b.t.rough.x[0], 0.5, 1e-4);
    CHECK_NEAR(b.t.fine.x[0], 0.5, 1e-9);
    CHECK(b.t.evaluations > 0 && b.t.gradients > 0);
    end(&b);
}

TEST(strike_try, ends_over_the_rough_grid_where_it_comes_back)
{
    bench b;
    begin(&b);
    strike_try_run(&b.worker, &b.t);
    b.t.known = (strike_standing){
        .best = b.t.fine, .source = b.t.rough, .hardest = b.t.rough.score.objective};
    strike_try_run(&b.worker, &b.t);
    CHECK(b.t.met && b.t.alike && !b.t.has_fine);
    end(&b);
}

TEST(strike_try, over_the_fine_grid_tells_that_it_came_back)
{
    bench b;
    begin(&b);
    b.t.is_rough = false;
    strike_try_run(&b.worker, &b.t);
    CHECK(b.t.has_fine && !b.t.came_back);
    b.t.known.best = b.t.fine;
    strike_try_run(&b.worker, &b.t);
    CHECK(b.t.has_fine && b.t.came_back);
    end(&b);
}

TEST(strike_try, stays_over_the_rough_grid_where_it_shall)
{
    bench b;
    begin(&b);
    b.t.stays_rough = true;
    strike_try_run(&b.worker, &b.t);
    CHECK(b.t.met && b.t.is_hard && !b.t.has_fine);
    end(&b);
}

// The best came from elsewhere, where the blow is a tenth less hard.
TEST(strike_try, goes_on_only_once_from_the_same_end_over_the_rough_grid)
{
    bench b;
    begin(&b);
    strike_try_run(&b.worker, &b.t);
    b.t.known = (strike_standing){
        .best = b.t.fine, .source = b.t.rough, .hardest = 0.9 * b.t.rough.score.objective};
    b.t.known.best.is_optimum = false;
    b.t.known.source.is_optimum = false;
    b.t.known.source.score.objective = b.t.known.hardest;
    strike_try_run(&b.worker, &b.t);
    CHECK(b.t.is_hard && !b.t.alike && b.t.has_fine);
    b.t.known.followed[0] = b.t.rough;
    b.t.known.follow_count = 1;
    strike_try_run(&b.worker, &b.t);
    CHECK(b.t.is_hard && !b.t.alike && !b.t.has_fine);
    end(&b);
}

// A blow whose motion is singular is none, however hard it is.
TEST(strike_try, ranks_what_is_sound_before_what_is_harder)
{
    const double           tolerance = 1e-6;
    const strike_candidate sound = {.score = {.objective = 1.0}};
    const strike_candidate harder = {.score = {.objective = 2.0}};
    const strike_candidate singular = {.score = {.objective = 3.0}, .is_singular = true};
    const strike_candidate violated = {.score = {.objective = 4.0, .violation = 1e-3}};
    CHECK(strike_candidate_is_better(&harder, &sound, tolerance));
    CHECK(strike_candidate_is_better(&sound, &singular, tolerance));
    CHECK(!strike_candidate_is_better(&singular, &harder, tolerance));
    CHECK(strike_candidate_is_better(&singular, &violated, tolerance));
    CHECK(strike_candidate_is_sound(&sound, tolerance));
    CHECK(!strike_candidate_is_sound(&singular, tolerance));
    CHECK(!strike_candidate_is_sound(&violated, tolerance));
}

// Another that is not singular may be as hard, and near.
TEST(strike_try, does_not_give_up_for_a_strike_that_is_singular)
{
    bench b;
    begin(&b);
    strike_try_run(&b.worker, &b.t);
    CHECK(!b.t.fine.is_singular);
    b.t.known.best = b.t.fine;
    b.t.known.best.is_singular = true;
    b.t.is_rough = false;
    strike_try_run(&b.worker, &b.t);
    CHECK(b.t.has_fine && !b.t.came_back && !b.t.fine.is_singular);
    CHECK_NEAR(b.t.fine.x[0], 0.5, 1e-9);
    end(&b);
}
