// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_scaled.h"

#include "strike_trial.h"

#include <math.h>

typedef struct scaled_trial {
    strike_trial         trial;
    atemi_strike_options options;
    strike_scaled        scaled;
    double               u[VARIABLES];
} scaled_trial;

static void begin(scaled_trial *t)
{
    trial_open(&t->trial);
    trial_evaluate(&t->trial);
    t->options = atemi_strike_options_default();
    CHECK_STATUS(
        strike_scaled_create(&t->trial.problem, &t->trial.meter, &t->options, &t->scaled, NULL),
        ATEMI_OK);
    strike_scaled_variables(&t->scaled, t->trial.x, t->u);
}

static void end(scaled_trial *t)
{
    strike_scaled_destroy(&t->scaled);
    trial_close(&t->trial);
}

// Each constraint from its parts, or from itself: the worst of its rows is its violation.
TEST(strike_scaled, has_a_row_for_each_bound_and_part)
{
    scaled_trial t;
    int          row = 1;
    begin(&t);
    strike_scaled_look(&t.scaled, t.u);
    CHECK_NEAR(-t.scaled.base[0] * t.scaled.unit, t.trial.result.at.objective, 1e-9);
    for (int i = 0; i < t.trial.problem.constraints.count; ++i) {
        const strike_constraint *c = &t.trial.problem.constraints.list[i];
        const double             value = t.trial.result.constraints[i];
        double                   worst = -INFINITY;
        for (int k = strike_scaled_rows(c); k > 0; --k, ++row) {
            bool is_upper;
            CHECK_EQUAL_INT(strike_scaled_constraint(&t.scaled, row, &is_upper), i);
            CHECK(isfinite(is_upper ? c->about.upper : c->about.lower));
            worst = fmax(worst, t.scaled.base[row]);
        }
        CHECK_NEAR(worst, fmax(c->about.lower - value, value - c->about.upper) / c->scale, 1e-9);
    }
    CHECK_EQUAL_INT(row, t.scaled.rows + 1);
    end(&t);
}

// Against differences that are a hundred times as long, to both sides: of second order in 1e-4 of
// a scale, where curvatures are up to a few hundred scales.
TEST(strike_scaled, has_the_slopes_of_its_rows)
{
    const double h = 1e-4;
    scaled_trial t;
    begin(&t);
    strike_scaled_find_slopes(&t.scaled, t.u);
    const int n = t.trial.problem.variables.count, count = t.trial.problem.constraints.count;
    for (int k = 0; k < n; ++k) {
        double       more[2], less[2];
        const double scale = t.trial.problem.variables.list[k].scale;
        const int    last = count - 1; // the edge of a sole at the end of the blow: of four parts
        const double x = t.trial.x[k];
        for (int sign = -1; sign <= 1; sign += 2) {
            double *to = sign < 0 ? less : more;
            t.trial.x[k] = x + sign * h * scale;
            trial_look(&t.trial);
            to[0] = -t.trial.result.at.objective / t.scaled.unit;
            to[1] = -t.trial.result.parts[t.trial.problem.constraints.list[last].first_part] /
                    t.trial.problem.constraints.list[last].scale;
        }
        t.trial.x[k] = x;
        const int row = t.scaled.rows - 3; // the first of the last four
        CHECK_NEAR(t.scaled.slopes[k], (more[0] - less[0]) / (2.0 * h), 1e-4);
        CHECK_NEAR(t.scaled.slopes[row * n + k], (more[1] - less[1]) / (2.0 * h), 2e-2);
    }
    end(&t);
}

TEST(strike_scaled, goes_from_values_to_scaled_variables_and_back)
{
    scaled_trial t;
    double       x[VARIABLES];
    begin(&t);
    strike_scaled_values(&t.scaled, t.u, x);
    CHECK_NEAR(largest_difference(x, t.trial.x, VARIABLES), 0.0, 1e-15);
    CHECK_NEAR(strike_scaled_upper(&t.scaled, 0) - strike_scaled_lower(&t.scaled, 0), 2.0, 1e-12);
    end(&t);
}
