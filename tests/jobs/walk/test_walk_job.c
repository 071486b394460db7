// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "check.h"
#include "recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static atemi_recording *walk_of(const char *text)
{
    atemi_recording *recording;
    atemi_error      error = {0};
    if (job_walk_text(text, strlen(text), NULL, NULL, &recording, &error)) {
        check_fail(CHECK_PLACE("walk_of"), "%s", error.message);
    }
    return recording;
}

static double sum_of(const atemi_recorded_table *t, int at)
{
    double sum = 0.0;
    for (int i = 0; i < t->row_count; ++i) {
        sum += t->values[(ptrdiff_t)i * t->column_count + at];
    }
    return sum;
}

// ---- A plain walk: of what one is enough for, kept until the end

static atemi_recording *shared_walk;

static void destroy_shared_walk(void)
{
    atemi_recording_destroy(shared_walk);
}

static const atemi_recording *plain(void)
{
    if (!shared_walk) {
        shared_walk = walk_of("steps: 4\n");
        atexit(destroy_shared_walk);
    }
    return shared_walk;
}

TEST(walk_job, walks_as_many_steps_as_asked_for)
{
    CHECK_NEAR(result(plain(), "completed"), 1.0, 0.0);
    CHECK_NEAR(result(plain(), "steps"), 4.0, 0.0);
    CHECK_NEAR(result(plain(), "fell"), 0.0, 0.0);
    CHECK(isnan(result(plain(), "fall_time")));
    CHECK_CONTAINS(atemi_recording_outcome(plain()), "done at ");
    CHECK_EQUAL_STRING(atemi_recording_job(plain()), "walk");
    CHECK_EQUAL_STRING(atemi_recording_robot(plain())->name, "humanoid17");
}

TEST(walk_job, results_agree_with_each_other)
{
    const double distance = result(plain(), "distance"), steps = result(plain(), "steps");
    CHECK(distance > 0.5);
    CHECK_NEAR(result(plain(), "step_length") * steps, distance, 1e-12);
    CHECK_NEAR(result(plain(), "speed") * result(plain(), "step_period"),
               result(plain(), "step_length"), 1e-12);
    CHECK_NEAR(result(plain(), "energy_per_metre") * distance, result(plain(), "positive_work"),
               1e-9);
    // Weight of 64.2 kg.
    CHECK_NEAR(result(plain(), "cost_of_transport") * 64.2 * 9.81,
               result(plain(), "energy_per_metre"), 1e-9);
}

TEST(walk_job, records_a_row_every_8_ms)
{
    const double *t = column(plain(), "t");
    const int     rows = atemi_recording_row_count(plain());
    for (int i = 0; i < rows; ++i) {
        CHECK_NEAR(t[i], 8e-3 * i, 1e-9);
    }
    CHECK_NEAR(t[rows - 1], result(plain(), "duration"), 8e-3);
}

// The floor carries the robot: the mean of all vertical forces is its weight.
TEST(walk_job, begins_at_rest_on_the_floor)
{
    static const char *const gaps[] = {"contact.left_heel.gap", "contact.left_toe.gap",
                                       "contact.right_heel.gap", "contact.right_toe.gap"};
    CHECK_NEAR(column(plain(), "t")[0], 0.0, 0.0);
    CHECK_NEAR(column(plain(), "q.base.x")[0], 0.0, 0.0);
    CHECK_NEAR(column(plain(), "v.left_knee")[0], 0.0, 0.0);
    CHECK_NEAR(column(plain(), "walk.step_length")[0], 0.1, 0.002);
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(column(plain(), gaps[i])[0], 0.0, 1e-12);
    }
}

TEST(walk_job, records_forces_that_carry_the_weight)
{
    static const char *const names[] = {"contact.left_heel.force_z", "contact.left_toe.force_z",
                                        "contact.right_heel.force_z", "contact.right_toe.force_z"};
    const int                rows = atemi_recording_row_count(plain());
    double                   sum = 0.0;
    for (int k = 0; k < 4; ++k) {
        const double *force = column(plain(), names[k]);
        for (int i = 0; i < rows; ++i) {
            CHECK(force[i] >= 0.0);
            sum += force[i];
        }
    }
    CHECK_NEAR(sum / rows, 64.2 * 9.81, 0.02 * 64.2 * 9.81);
}

TEST(walk_job, tables_account_for_all_time_and_all_collisions)
{
    const atemi_recorded_table *gait = table(plain(), "gait"),
                               *collisions = table(plain(), "collisions");
    CHECK_NEAR(sum_of(gait, 1), result(plain(), "duration"), 1e-9);
    CHECK_NEAR(sum_of(gait, 2), 1.0, 1e-9);
    CHECK_NEAR(sum_of(collisions, 0), result(plain(), "collisions"), 0.0);
    CHECK_EQUAL_INT(table(plain(), "slips")->row_count, 0);
}

TEST(walk_job, events_tell_every_change_of_the_feet)
{
    const atemi_recorded_table *arrows = table(plain(), "arrows");
    int                         changes = 0, touches = 0;
    for (int i = 0; i < atemi_recording_event_count(plain()); ++i) {
        const atemi_recorded_event *event = atemi_recording_event(plain(), i);
        touches += strcmp(event->kind, "touchdown") == 0;
        changes += strcmp(event->kind, "touchdown") != 0;
    }
    CHECK_EQUAL_INT(changes, (int)sum_of(arrows, 0));
    CHECK_EQUAL_INT(touches, (int)result(plain(), "collisions"));
}

TEST(walk_job, is_the_same_every_time)
{
    atemi_recording *again = walk_of("steps: 1\n");
    const int        rows = atemi_recording_row_count(again);
    CHECK(rows > 50 && rows < atemi_recording_row_count(plain()));
    CHECK(memcmp(column(again, "q.base.x"), column(plain(), "q.base.x"),
                 (size_t)rows * sizeof(double)) == 0);
    atemi_recording_destroy(again);
}

// ---- Other walks

TEST(walk_job, ends_where_the_distance_is_walked)
{
    atemi_recording *recording = walk_of("distance: 0.2 m\n");
    CHECK_NEAR(result(recording, "completed"), 1.0, 0.0);
    CHECK(result(recording, "distance") >= 0.2 && result(recording, "distance") < 0.6);
    atemi_recording_destroy(recording);
}

TEST(walk_job, tells_where_feet_slid)
{
    atemi_recording *r = walk_of("steps: 3\npatches: [{from: 0.1, to: 9, friction: 0.1}]\n");
    const atemi_recorded_table *slips = table(r, "slips");
    CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
    CHECK(slips->row_count > 0);
    CHECK_EQUAL_INT(slips->row_count, (int)result(r, "slips"));
    for (int i = 0; i < slips->row_count; ++i) {
        CHECK(slips->values[i * 4 + 1] > 0.1 - 0.2 && fabs(slips->values[i * 4 + 3]) >= 1e-3);
    }
    CHECK(result(r, "lost_in_slips") > 0.0);
    atemi_recording_destroy(r);
}

TEST(walk_job, tells_when_and_why_it_fell)
{
    atemi_recording *r = walk_of(
        "steps: 20\nforces: [{link: waist, force: [600, 0, 0], from: 0.2 s, until: 0.7 s}]\n");
    CHECK_NEAR(result(r, "completed"), 0.0, 0.0);
    CHECK_NEAR(result(r, "fell"), 1.0, 0.0);
    CHECK(result(r, "fall_time") > 0.2);
    CHECK_CONTAINS(atemi_recording_outcome(r), "it was pushed");
    atemi_recording_destroy(r);
}

// The pendulum on a slope is one on the flat, shifted: the pace is the same, the work is not.
TEST(walk_job, walks_up_and_down_slopes)
{
    static const char *const texts[] = {"steps: 3\nslope: -3 deg\n", "steps: 3\nslope: 3 deg\n"};
    double                   energies[2];
    for (int i = 0; i < 2; ++i) {
        atemi_recording *r = walk_of(texts[i]);
        CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
        CHECK_NEAR(result(r, "step_period"), 0.71, 0.05);
        energies[i] = result(r, "energy_per_metre");
        atemi_recording_destroy(r);
    }
    CHECK(energies[1] > energies[0] + 64.2 * 9.81 * sin(0.052));
}

// ---- Being stopped

static bool stop_at_a_third(void *context, double done)
{
    *(double *)context = done;
    return done < 1.0 / 3.0;
}

TEST(walk_job, keeps_what_was_walked_when_stopped)
{
    double                done = 0.0;
    const atemi_job_hooks hooks = {.progress = stop_at_a_third, .context = &done};
    atemi_recording      *recording;
    CHECK_STATUS(job_walk_text("steps: 3", 8, NULL, &hooks, &recording, NULL), ATEMI_OK);
    CHECK_NEAR(done, 1.0 / 3.0, 1e-12);
    CHECK_NEAR(result(recording, "completed"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "steps"), 1.0, 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "interrupted at ");
    CHECK(atemi_recording_row_count(recording) > 50);
    atemi_recording_destroy(recording);
}

TEST(walk_job, explains_every_gain)
{
    char *text;
    CHECK_STATUS(job_walk_explain(NULL, &text, NULL), ATEMI_OK);
    CHECK_CONTAINS(text, "capture_gain: 1.857");
    CHECK_CONTAINS(text, "arm_rate: 8");
    atemi_release(text);
}
