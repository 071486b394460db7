// SPDX-License-Identifier: Apache-2.0

#include "papers/reproduction.h"

#include "check.h"
#include "papers/r2/reproduce_r2_runs.h"

#include <string.h>

// Goes on for so many calls: the paper begins with the first; parts of its controller are tried
// before the second. All behind that is simulated, which takes half a minute.
static bool go_on(void *context, double done)
{
    int *calls = (int *)context;
    CHECK_NEAR(done, 0.0, 0.0);
    return (*calls)-- > 0;
}

static atemi_reproduction *stopped_after(int calls)
{
    const atemi_job_hooks hooks = {.progress = go_on, .context = &calls};
    atemi_reproduction   *r2 = NULL;
    CHECK_STATUS(atemi_reproduce("r2", &hooks, &r2, NULL), ATEMI_OK);
    CHECK(atemi_reproduction_stopped(r2));
    return r2;
}

TEST(reproduce_r2, finds_the_parts_of_the_controller_as_claimed)
{
    atemi_reproduction *r2 = stopped_after(1);
    for (int i = 0; i < atemi_reproduction_count(r2); ++i) {
        const atemi_reproduced *row = atemi_reproduction_row(r2, i);
        CHECK_EQUAL_STRING(row->paper, "r2");
        if (!row->ok) {
            check_fail(CHECK_PLACE("row->ok"), "%s: printed %g, ours %.9g, tolerance %g",
                       row->quantity, row->printed, row->ours, row->tolerance);
        }
    }
    CHECK_EQUAL_INT(atemi_reproduction_count(r2), 8 + 1); // and the robot's mass
    atemi_reproduction_destroy(r2);
}

TEST(reproduce_r2, stops_before_it_begins)
{
    atemi_reproduction *r2 = stopped_after(0);
    CHECK_EQUAL_INT(atemi_reproduction_count(r2), 0);
    atemi_reproduction_destroy(r2);
}

// ---- Scenarios

TEST(r2_scenario, is_the_shipped_one_with_its_changes)
{
    const atemi_r2_scenario plain = {.name = "reach"};
    const atemi_r2_scenario changed = {"reach",
                                       {{"holds: [left_foot]", "holds: [pelvis]"}, {"8 s", "9 s"}}};
    atemi_text              text, other;
    CHECK_STATUS(atemi_r2_write(&plain, &text, NULL), ATEMI_OK);
    CHECK_CONTAINS(text.bytes, "robot: r2_like\n");
    CHECK_CONTAINS(text.bytes, "holds: [left_foot]\n");
    CHECK_STATUS(atemi_r2_write(&changed, &other, NULL), ATEMI_OK);
    CHECK_CONTAINS(other.bytes, "holds: [pelvis]\n");
    CHECK_CONTAINS(other.bytes, "duration: 9 s\n");
    CHECK_EQUAL_INT(other.size, text.size - strlen("left_foot") + strlen("pelvis"));
    atemi_text_destroy(&text);
    atemi_text_destroy(&other);
}

TEST(r2_scenario, that_is_not_there_is_an_error_with_its_name)
{
    const atemi_r2_scenario unknown = {.name = "dance"};
    const atemi_r2_scenario elsewhere = {"reach", {{"holds: [tail]", ""}}};
    atemi_error             error;
    atemi_text              text;
    CHECK_STATUS(atemi_r2_write(&unknown, &text, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "'dance'");
    atemi_text_destroy(&text);
    CHECK_STATUS(atemi_r2_write(&elsewhere, &text, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "'holds: [tail]'");
    atemi_text_destroy(&text);
}
