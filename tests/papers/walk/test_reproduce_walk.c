// SPDX-License-Identifier: Apache-2.0

#include "papers/reproduction.h"

#include "check.h"

#include <math.h>
#include <string.h>

// The falls are the first twentieth; the walks behind them take half a minute.
static bool stop_before_walks(void *context, double done)
{
    (void)context;
    return done < 0.05;
}

// Of what one computation is enough for; kept until the end.
static const atemi_reproduction *walk_once(void)
{
    static atemi_reproduction *walk = NULL;
    const atemi_job_hooks      hooks = {.progress = stop_before_walks};
    if (!walk) {
        CHECK_STATUS(atemi_reproduce("walk", &hooks, &walk, NULL), ATEMI_OK);
    }
    return walk;
}

static const atemi_recorded_table *figure_named(const char *name)
{
    const atemi_recording *recording = atemi_reproduction_recording(walk_once());
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        if (strcmp(atemi_recording_table(recording, i)->name, name) == 0) {
            return atemi_recording_table(recording, i);
        }
    }
    check_fail(CHECK_PLACE("figure_named"), "no figure '%s'", name);
}

TEST(reproduce_walk, agrees_with_every_printed_number)
{
    const atemi_reproduction *walk = walk_once();
    for (int i = 0; i < atemi_reproduction_count(walk); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(walk, i);
        if (!row->ok) {
            check_fail(CHECK_PLACE("row->ok"), "%s: printed %g, ours %.9g, tolerance %g",
                       row->quantity, row->printed, row->ours, row->tolerance);
        }
    }
    CHECK_EQUAL_INT(atemi_reproduction_count(walk), 3 * 11 + 2 + 4 + 2 + 2);
}

// Copied from the paper a second time, some of each kind.
TEST(reproduce_walk, has_the_numbers_of_the_paper)
{
    static const struct {
        const char *quantity;
        double      printed;
    } paper[] = {{"Table 1: upper body, m_i", 21.5}, {"Table 1: hand, d_i", 2.0},
                 {"Table 1: lower leg, l_i", 0.4},   {"Table 1: waist, l_i", 0.27},
                 {"Table 1: upper arm, d_i", 0.03},  {"Table 1: total length", 1.7},
                 {"Table 1: total mass", 64.2}};
    const atemi_reproduction *walk = walk_once();
    size_t                    found = 0;
    for (int i = 0; i < atemi_reproduction_count(walk); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(walk, i);
        for (size_t k = 0; k < sizeof paper / sizeof paper[0]; ++k) {
            if (strcmp(row->quantity, paper[k].quantity) == 0) {
                CHECK_NEAR(row->printed, paper[k].printed, 0.0);
                ++found;
            }
        }
    }
    CHECK_EQUAL_INT(found, sizeof paper / sizeof paper[0]);
}

// Potential energy becomes motion: the parts change by hundreds of joules while their sum stays.
TEST(reproduce_walk, draws_energies_that_change_into_each_other)
{
    static const char *const names[] = {"walk-fig4", "walk-fig5", "walk-fig6", "walk-fig7"};
    for (int f = 0; f < 4; ++f) {
        const atemi_recorded_table *figure = figure_named(names[f]);
        CHECK_EQUAL_INT(figure->column_count, 5);
        double least = figure->values[1], most = least;
        for (int i = 0; i < figure->row_count; ++i) {
            const double *row = figure->values + (ptrdiff_t)i * figure->column_count;
            least = fmin(least, row[1]);
            most = fmax(most, row[1]);
            CHECK_NEAR(row[1] + row[2] + row[3], row[4], 1e-9);
            CHECK(row[2] >= 0.0 && row[3] >= 0.0);
        }
        CHECK(most - least > 500.0);
    }
}

TEST(reproduce_walk, draws_the_center_of_mass_and_a_fall_with_collisions)
{
    const atemi_recorded_table *fall = figure_named("walk-fall");
    const double *end = fall->values + (ptrdiff_t)(fall->row_count - 1) * fall->column_count;
    CHECK_EQUAL_INT(figure_named("walk-fig8")->row_count, 101);
    CHECK_EQUAL_INT(figure_named("walk-fig9")->column_count, 2);
    CHECK_NEAR(end[0], 1.0, 1e-12);
    CHECK(end[4] < 0.3 * fall->values[4]);
}
