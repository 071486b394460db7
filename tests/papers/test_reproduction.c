// SPDX-License-Identifier: Apache-2.0

#include "papers/reproduction.h"

#include "allocations.h"
#include "atemi/base.h"
#include "check.h"
#include "papers/reproduction_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static atemi_reproduction *reproduction_of(const char *paper)
{
    atemi_reproduction *reproduction;
    CHECK_STATUS(atemi_reproduce(paper, NULL, &reproduction, NULL), ATEMI_OK);
    return reproduction;
}

// Of what one computation is enough for; kept until the end.
static const atemi_reproduction *ene_once(void)
{
    static atemi_reproduction *ene = NULL;
    ene = ene ? ene : reproduction_of("ene");
    return ene;
}

static const atemi_reproduced *find_row(const atemi_reproduction *reproduction,
                                        const char               *quantity)
{
    for (int i = 0; i < atemi_reproduction_count(reproduction); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(reproduction, i);
        if (strcmp(row->quantity, quantity) == 0) {
            return row;
        }
    }
    check_fail(CHECK_PLACE("find_row"), "no row '%s'", quantity);
}

// ---- The papers

TEST(reproduction, of_ene_agrees_with_every_printed_number)
{
    const atemi_reproduction *ene = ene_once();
    for (int i = 0; i < atemi_reproduction_count(ene); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(ene, i);
        if (!row->ok) {
            check_fail(CHECK_PLACE("row->ok"), "%s: printed %g, ours %.9g, tolerance %g",
                       row->quantity, row->printed, row->ours, row->tolerance);
        }
    }
    CHECK(atemi_reproduction_ok(ene));
    CHECK_EQUAL_INT(atemi_reproduction_ok_count(ene), 102);
    CHECK_EQUAL_INT(atemi_reproduction_count(ene), 102);
}

// Copied from the paper a second time, some of each kind.
TEST(reproduction, of_ene_has_the_numbers_of_the_paper)
{
    static const struct {
        const char *quantity;
        double      printed, tolerance;
        const char *unit;
    } paper[] = {
        {"Fig. 6: largest height of the hand in 10 s", 0.015, 0.0, "m"},
        {"2-link, t = 0.10 s: joint force 1z", 10.252, 0.0005, "N"},
        {"2-link, t = 0.10 s: net force 2y", -0.027, 0.0005, "N"},
        {"2-link, t = 4.85 s: friction f_t", 0.095, 0.0005, "N"},
        {"2-link, t = 4.85 s: acceleration 2y", 0.006, 0.0005, "m/s^2"},
        {"2-link, t = 4.85 s: net force / mass 1z", 0.003, 0.0005, "m/s^2"},
        {"3-link, t = 3.01 s: joint force 3z", -2.134, 0.03, "N"},
        {"3-link, t = 3.95 s: normal force f_n", 12.658, 0.03, "N"},
        {"3-link, t = 3.95 s: acceleration 3y", -0.841, 0.03, "m/s^2"},
        {"Table II: angle 2 at rest", 2.0943951023931957 - 0.04, 1e-3, "rad"},
        {"Table IV: force at rest 3z", -4.9, 0.0005, "N"},
    };
    const atemi_reproduction *ene = ene_once();
    for (size_t i = 0; i < sizeof paper / sizeof paper[0]; ++i) {
        const atemi_reproduced *row = find_row(ene, paper[i].quantity);
        CHECK_EQUAL_STRING(row->paper, "ene");
        CHECK_EQUAL_STRING(row->unit, paper[i].unit);
        CHECK_NEAR(row->printed, paper[i].printed, 1e-15);
        CHECK_NEAR(row->tolerance, paper[i].tolerance, 0.0);
    }
}

// Forces come from the dynamics, accelerations from the kinematics, all masses are 1 kg.
TEST(reproduction, of_ene_keeps_newtons_law)
{
    const atemi_reproduction *ene = ene_once();
    int                       compared = 0;
    for (int i = 0; i < atemi_reproduction_count(ene); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(ene, i);
        const char             *found = strstr(row->quantity, "net force ");
        if (found && strcmp(row->unit, "N") == 0) {
            char quantity[128];
            snprintf(quantity, sizeof quantity, "%.*sacceleration %s", (int)(found - row->quantity),
                     row->quantity, found + strlen("net force "));
            CHECK_NEAR(row->ours, find_row(ene, quantity)->ours, 1e-12);
            ++compared;
        }
    }
    CHECK_EQUAL_INT(compared, 2 * 4 + 2 * 6);
}

static const double *figure_row(int table, const char *name, double time)
{
    const atemi_recording      *recording = atemi_reproduction_recording(ene_once());
    const atemi_recorded_table *figure = atemi_recording_table(recording, table);
    const int                   row = (int)lround(time / 0.02);
    CHECK_EQUAL_STRING(figure->name, name);
    CHECK_NEAR(figure->values[row * figure->column_count], time, 1e-12);
    return figure->values + (ptrdiff_t)row * figure->column_count;
}

// The postures of figure 2, the forces printed for instants that are drawn, and at rest.
TEST(reproduction, of_ene_draws_what_the_paper_draws)
{
    const double        pi = acos(-1.0);
    const double *const begin = figure_row(3, "ene-fig6", 0.0);
    CHECK_EQUAL_INT(atemi_recording_table_count(atemi_reproduction_recording(ene_once())), 8);
    CHECK_NEAR(figure_row(0, "ene-fig3", 0.0)[2], -2.0 * pi / 3.0, 1e-12);
    CHECK_NEAR(begin[1], -pi / 6.0, 1e-12);
    CHECK_NEAR(begin[3], -pi / 3.0, 1e-12);
    CHECK_NEAR(figure_row(3, "ene-fig6", 10.0)[4], 0.0, 1e-9);
    CHECK_NEAR(figure_row(4, "ene-fig9", 0.10)[1], -0.129, 0.0005);
    CHECK_NEAR(figure_row(4, "ene-fig9", 0.10)[3], 0.093, 0.0005);
    CHECK_NEAR(figure_row(5, "ene-fig10", 0.10)[2], 0.464, 0.0005);
    CHECK_NEAR(figure_row(5, "ene-fig10", 0.10)[3], 9.324, 0.0005);
    CHECK_NEAR(figure_row(6, "ene-fig14", 3.96)[3], -0.968, 0.03);
    CHECK_NEAR(figure_row(6, "ene-fig14", 3.96)[4], 0.127, 0.03);
    CHECK_NEAR(figure_row(7, "ene-fig15", 3.96)[1], 16.826, 0.03);
    CHECK_NEAR(figure_row(7, "ene-fig15", 3.96)[4], 12.658, 0.03);
}

TEST(reproduction, says_where_the_print_was_corrected)
{
    const atemi_reproduction *ene = ene_once();
    const atemi_reproduced   *friction = find_row(ene, "3-link, t = 3.95 s: friction f_t");
    CHECK_NEAR(friction->printed, 0.127, 0.0);
    CHECK_CONTAINS(friction->note, "printed -0.127");
    const atemi_reproduced *angle = find_row(ene, "Fig. 12: angle 3 at rest");
    CHECK_NEAR(angle->printed, 1.5707963267948966 - 0.015, 1e-15);
    CHECK_CONTAINS(angle->note, "printed 0");
    CHECK(!find_row(ene, "3-link, t = 3.01 s: friction f_t")->note);
}

// Where the rows of a paper begin among those of all.
static int first_row(const atemi_reproduction *all, const char *paper)
{
    int i = 0;
    while (i < atemi_reproduction_count(all) &&
           strcmp(atemi_reproduction_row(all, i)->paper, paper) != 0) {
        ++i;
    }
    return i;
}

// Goes on until the paper is strike's, which takes long.
typedef struct patience {
    bool is_over;
    int  calls;
} patience;

static void hear(void *context, const char *text)
{
    patience *p = (patience *)context;
    p->is_over = p->is_over || strncmp(text, "strike", strlen("strike")) == 0;
}

static bool go_on(void *context, double done)
{
    patience *p = (patience *)context;
    CHECK(done >= 0.0 && done <= 1.0);
    ++p->calls;
    return !p->is_over;
}

static atemi_reproduction *stopped_reproduction_of(const char *name)
{
    patience              context = {0};
    const atemi_job_hooks hooks = {.progress = go_on, .context = &context, .tell = hear};
    atemi_reproduction   *reproduction;
    CHECK_STATUS(atemi_reproduce(name, &hooks, &reproduction, NULL), ATEMI_OK);
    CHECK(atemi_reproduction_stopped(reproduction));
    CHECK(context.calls > 0);
    return reproduction;
}

TEST(reproduction, of_all_has_ene_bit_by_bit)
{
    const atemi_reproduction *ene = ene_once();
    atemi_reproduction       *all = stopped_reproduction_of("all");
    const int                 first = first_row(all, "ene");
    CHECK(atemi_reproduction_count(all) >= first + atemi_reproduction_count(ene));
    for (int i = 0; i < atemi_reproduction_count(ene); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(all, first + i);
        CHECK_EQUAL_STRING(row->quantity, atemi_reproduction_row(ene, i)->quantity);
        CHECK_NEAR(row->ours, atemi_reproduction_row(ene, i)->ours, 0.0);
    }
    atemi_reproduction_destroy(all);
}

// What does not agree hangs on gains that the paper does not print: tests/cli/test_reproduce.py
// names it.
TEST(reproduction, of_sdc_agrees_with_the_paper_but_for_impulses_of_its_estimate)
{
    atemi_reproduction *sdc = reproduction_of("sdc");
    CHECK(atemi_reproduction_count(sdc) > 80);
    for (int i = 0; i < atemi_reproduction_count(sdc); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(sdc, i);
        CHECK(row->ok || (row->kind == ATEMI_REPRODUCED_PREDICTED &&
                          strstr(row->quantity, "impulse") && strstr(row->quantity, "SDC")));
    }
    CHECK(atemi_recording_table_count(atemi_reproduction_recording(sdc)) >= 5);
    CHECK(atemi_recording_result_count(atemi_reproduction_recording(sdc)) ==
          atemi_reproduction_count(sdc));
    atemi_reproduction_destroy(sdc);
}

TEST(reproduction, that_is_stopped_has_the_rows_until_then)
{
    atemi_reproduction *strike = stopped_reproduction_of("strike");
    CHECK_EQUAL_INT(atemi_reproduction_count(strike), 0);
    CHECK_EQUAL_STRING(atemi_recording_outcome(atemi_reproduction_recording(strike)),
                       "interrupted; 0 predicted, 0 within tolerance; 0 of 0 numbers in all");
    atemi_reproduction_destroy(strike);
    CHECK(!atemi_reproduction_stopped(ene_once()));
}

TEST(reproduction, has_names_and_titles_of_papers)
{
    CHECK_EQUAL_STRING(atemi_papers_name(0), "sdc");
    CHECK_CONTAINS(atemi_papers_title(0), "Impact Dynamics");
    CHECK_EQUAL_STRING(atemi_papers_name(1), "ene");
    CHECK_CONTAINS(atemi_papers_title(1), "Extended Newton-Euler");
    CHECK_EQUAL_STRING(atemi_papers_name(2), "strike");
    CHECK_CONTAINS(atemi_papers_title(2), "Impact Motions");
}

TEST(reproduction, of_an_unknown_paper_is_refused_with_a_suggestion)
{
    atemi_reproduction *reproduction;
    atemi_error         error;
    CHECK_STATUS(atemi_reproduce("enf", NULL, &reproduction, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "did you mean 'ene'?");
    CHECK_STATUS(atemi_reproduce("al", NULL, &reproduction, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "did you mean 'all'?");
    CHECK(!reproduction);
    atemi_reproduction_destroy(reproduction);
}

// ---- Rows

static atemi_reproduction *made_reproduction(void)
{
    atemi_reproduction *made = atemi_allocate(sizeof *made);
    *made = (atemi_reproduction){.paper = "made"};
    return made;
}

static bool is_ok_as(atemi_reproduced_bound bound, double printed, double tolerance, double ours)
{
    atemi_reproduction *made = made_reproduction();
    const atemi_printed number = {ATEMI_REPRODUCED_PREDICTED, printed, tolerance, "N", NULL, bound};
    atemi_reproduction_add(made, number, ours, "number %d", 1);
    CHECK_EQUAL_STRING(atemi_reproduction_row(made, 0)->quantity, "number 1");
    const bool ok = atemi_reproduction_row(made, 0)->ok;
    atemi_reproduction_destroy(made);
    return ok;
}

static bool is_ok(double printed, double tolerance, double ours)
{
    return is_ok_as(ATEMI_REPRODUCED_EQUAL, printed, tolerance, ours);
}

TEST(reproduction, row_of_a_bound_is_ok_on_its_own_side)
{
    CHECK(is_ok_as(ATEMI_REPRODUCED_AT_MOST, 10.0, 0.0, -100.0));
    CHECK(is_ok_as(ATEMI_REPRODUCED_AT_MOST, 10.0, 0.0, 10.0));
    CHECK(!is_ok_as(ATEMI_REPRODUCED_AT_MOST, 10.0, 0.0, nextafter(10.0, 11.0)));
    CHECK(is_ok_as(ATEMI_REPRODUCED_AT_LEAST, 1.0, 0.0, 1e9));
    CHECK(!is_ok_as(ATEMI_REPRODUCED_AT_LEAST, 1.0, 0.0, 0.9999));
    CHECK(!is_ok_as(ATEMI_REPRODUCED_AT_MOST, 10.0, 0.0, (double)NAN));
    CHECK(!is_ok_as(ATEMI_REPRODUCED_AT_LEAST, 10.0, 0.0, (double)NAN));
}

TEST(reproduction, row_that_is_fitted_must_say_what_was)
{
    atemi_reproduction *made = made_reproduction();
    const atemi_printed number = {ATEMI_REPRODUCED_FITTED, 1.0, 0.1, "N", NULL,
                                  ATEMI_REPRODUCED_EQUAL};
    CHECK_BREAKS_CONTRACT(atemi_reproduction_add(made, number, 1.0, "number"));
    CHECK_EQUAL_INT(atemi_reproduction_count(made), 0);
    atemi_reproduction_destroy(made);
}

// Of a paper that computes the same model as its own, nothing but predictions and Newton's law.
TEST(reproduction, counts_kinds_apart)
{
    const atemi_reproduced_count predicted =
        atemi_reproduction_count_kind(ene_once(), ATEMI_REPRODUCED_PREDICTED);
    const atemi_reproduced_count identities =
        atemi_reproduction_count_kind(ene_once(), ATEMI_REPRODUCED_IDENTITY);
    CHECK_EQUAL_INT(predicted.rows + identities.rows, atemi_reproduction_count(ene_once()));
    CHECK_EQUAL_INT(identities.rows, 2 * 8 + 2 * 6);
    CHECK_EQUAL_INT(predicted.ok, predicted.rows);
}

TEST(reproduction, row_is_ok_up_to_its_tolerance_and_no_farther)
{
    CHECK(is_ok(1.0, 0.25, 1.25));
    CHECK(is_ok(1.0, 0.25, 0.75));
    CHECK(is_ok(1.0, 0.0, 1.0));
    CHECK(!is_ok(1.0, 0.25, nextafter(1.25, 2.0)));
    CHECK(!is_ok(1.0, 0.25, nextafter(0.75, 0.0)));
    CHECK(!is_ok(1.0, 0.25, -1.0));
    CHECK(!is_ok(0.0, 1e-9, (double)NAN));
    CHECK(!is_ok(0.0, 1e-9, HUGE_VAL));
}

// More rows than there is room for at first.
TEST(reproduction, with_one_wrong_number_is_not_ok)
{
    enum { ROWS = 1000 };
    atemi_reproduction *made = made_reproduction();
    const atemi_printed number = {ATEMI_REPRODUCED_PREDICTED, 10.252, 0.0005, "N", NULL,
                                  ATEMI_REPRODUCED_EQUAL};
    for (int i = 0; i < ROWS; ++i) {
        atemi_reproduction_add(made, number, 10.2524, "right %d", i);
    }
    CHECK(atemi_reproduction_ok(made));
    atemi_reproduction_add(made, number, 10.2526, "wrong");
    CHECK(!atemi_reproduction_ok(made));
    CHECK_EQUAL_INT(atemi_reproduction_ok_count(made), ROWS);
    CHECK_EQUAL_STRING(atemi_reproduction_row(made, 0)->quantity, "right 0");
    atemi_reproduction_destroy(made);
}

TEST(reproduction, breaks_its_contract_beyond_its_rows)
{
    const atemi_reproduction *ene = ene_once();
    CHECK_BREAKS_CONTRACT(atemi_reproduction_row(ene, -1));
    CHECK_BREAKS_CONTRACT(atemi_reproduction_row(ene, atemi_reproduction_count(ene)));
    CHECK_BREAKS_CONTRACT(atemi_papers_name(atemi_papers_count()));
    CHECK_BREAKS_CONTRACT(atemi_papers_title(-1));
    CHECK_BREAKS_CONTRACT(atemi_reproduce("ene", NULL, NULL, NULL));
}

// Each call that fails costs the run up to there, so not every one is tried.
TEST(reproduction, loses_nothing_when_memory_runs_out)
{
    bool failed = true;
    for (int n = 1; failed; n += 1 + n / 2) {
        atemi_reproduction *reproduction;
        failing_allocator_install(n);
        const atemi_status status = atemi_reproduce("ene", NULL, &reproduction, NULL);
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        atemi_reproduction_destroy(reproduction);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
}
