// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_try.h"

#include "plan/motion/strike_motion.h"

#include <math.h>
#include <string.h>

// The rough grid is off by up to a hundredth of the objective, and a search over it does not go
// quite to the end: where it ends as near to the hardest blow there or beyond it, and not where
// another went on before, one goes on from there over the fine grid.

const double strike_rough_tolerance = 1e-4;
const double strike_alike = 1e-3;

static const double rough_gain = 1e-3;
static const double fine_gain = 1e-5; // the best goes on to the end, when all is over
static const double screened = 0.01;  // of an objective: by how much the rough grid is off
static const double near = 0.05;      // of two postures: half of a range
static const double flat = 0.25;      // of the variables, at most: of no effect

strike_candidate strike_solver_end(const strike_solver *solver)
{
    strike_candidate end = {.score = solver->scaled.score,
                            .is_optimum = solver->last.end == SQP_CONVERGED};
    memcpy(end.x, solver->scaled.best,
           (size_t)solver->scaled.problem->variables.count * sizeof *end.x);
    return end;
}

// The same optimum: harder by nothing, and in the same place, but for some variables that it does
// not depend on, such as how a foot is turned where its edges limit nothing.
static bool are_alike(const strike_variables *variables, const strike_candidate *a,
                      const strike_candidate *b)
{
    const double hardness = b->score.objective;
    if (!(fabs(a->score.objective - hardness) <= strike_alike * fabs(hardness))) {
        return false;
    }
    int postures = 0, apart = 0;
    for (int i = 0; i < variables->count; ++i) {
        const strike_variable *variable = &variables->list[i];
        postures += !variable->is_motion;
        apart += !variable->is_motion && fabs(a->x[i] - b->x[i]) > near * variable->scale;
    }
    return apart <= flat * postures;
}

// Where another went on over the fine grid before; what came of it is known.
static bool was_followed(const strike_variables *variables, const strike_try *t)
{
    const int count = t->known.follow_count;
    bool      found = false;
    for (int i = 0; i < count && i < STRIKE_FOLLOWED; ++i) {
        found = found || are_alike(variables, &t->rough, &t->known.followed[i]);
    }
    return found;
}

bool strike_candidate_is_sound(const strike_candidate *c, double tolerance)
{
    return c->score.violation <= tolerance && !c->is_singular;
}

bool strike_candidate_is_better(const strike_candidate *c, const strike_candidate *than,
                                double tolerance)
{
    const bool is_sound = strike_candidate_is_sound(c, tolerance);
    return is_sound == strike_candidate_is_sound(than, tolerance)
               ? strike_score_is_better(c->score, than->score, tolerance)
               : is_sound;
}

// Asked for where it matters: the end may be the best that is known.
static bool is_singular(const strike_worker *w, const strike_try *t)
{
    strike_scaled *scaled = &w->fine->scaled;
    if (t->fine.score.violation > w->tolerance ||
        !strike_candidate_is_better(&t->fine, &t->known.best, w->tolerance)) {
        return false;
    }
    strike_scaled_begin(scaled);
    strike_problem_evaluate(scaled->problem, t->fine.x, &scaled->work, &scaled->result);
    const strike_inside inside = {&scaled->problem->setup, &scaled->result.at, &scaled->work};
    return !strike_motion_exists(&inside);
}

// A strike that is singular is none to give up for.
static void run_finely(const strike_worker *w, const double *x, const strike_solver *before,
                       strike_try *t)
{
    const strike_candidate *best = &t->known.best;
    strike_solver_run(w->fine, x, t->is_whole ? 0.0 : fine_gain,
                      t->is_whole || !strike_candidate_is_sound(best, w->tolerance) ? NULL : best,
                      before);
    t->fine = strike_solver_end(w->fine);
    t->came_back = w->fine->last.end == SQP_KNOWN;
    t->fine.is_singular = is_singular(w, t);
    t->has_fine = true;
}

static void run_roughly(const strike_worker *w, strike_try *t)
{
    const strike_variables *variables = &w->rough->scaled.problem->variables;
    const bool              is_first = t->known.hardest == (double)-INFINITY;
    strike_candidate        least = t->known.source;
    least.score.objective = t->known.hardest - screened * fabs(t->known.hardest);
    strike_solver_run(w->rough, t->x, rough_gain, is_first && !t->stays_rough ? NULL : &least,
                      NULL);
    t->rough = strike_solver_end(w->rough);
    t->alike = w->rough->last.end == SQP_KNOWN ||
               (!is_first && are_alike(variables, &t->rough, &t->known.source));
    t->met = t->alike || t->rough.score.violation <= strike_rough_tolerance;
    t->is_hard =
        t->met && !t->alike && (is_first || t->rough.score.objective >= least.score.objective);
    if (t->is_hard && !t->stays_rough && !was_followed(variables, t)) {
        run_finely(w, t->rough.x, w->rough, t);
    }
}

static int evaluations_of(const strike_worker *w)
{
    return w->fine->scaled.work.meter->evaluations;
}

static int gradients_of(const strike_worker *w)
{
    return w->fine->scaled.gradients + w->rough->scaled.gradients;
}

void strike_try_run(const strike_worker *w, strike_try *t)
{
    const int evaluations = evaluations_of(w), gradients = gradients_of(w);
    t->has_fine = t->came_back = t->met = t->alike = t->is_hard = false;
    if (t->is_rough) {
        run_roughly(w, t);
    } else {
        run_finely(w, t->x, NULL, t);
    }
    t->evaluations = evaluations_of(w) - evaluations;
    t->gradients = gradients_of(w) - gradients;
}
