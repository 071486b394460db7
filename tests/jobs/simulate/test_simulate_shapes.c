// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"

#include "atemi/base.h"
#include "check.h"
#include "recorded.h"

#include <stdio.h>
#include <string.h>

static const double g = 9.81;

static atemi_recording *simulate(const char *text)
{
    atemi_recording   *recording = NULL;
    atemi_error        error = {0};
    const atemi_status status =
        job_simulate_text(text, strlen(text), "test.yaml", NULL, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return recording;
}

static void refuse(const char *text, const char *part)
{
    atemi_recording *recording = NULL;
    atemi_error      error = {0};
    CHECK_STATUS(job_simulate_text(text, strlen(text), "test.yaml", NULL, &recording, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, part);
    atemi_recording_destroy(recording);
}

static double at_end(const atemi_recording *recording, const char *name)
{
    return column(recording, name)[atemi_recording_row_count(recording) - 1];
}

#define BODIES "job: simulate\nrobot: none\nmethod: steps\ncontacts: shapes\nduration: 0.5\n"

// A ball on a box on the floor: each carries what is above it, and the columns say so.
TEST(simulate_shapes, are_recorded_by_link)
{
    atemi_recording *r = simulate(
        BODIES "bodies:\n"
               "  - {name: box, size: [0.4, 0.4, 0.2], mass: 3, position: [0, 0, 0.1]}\n"
               "  - {name: ball, shape: sphere, size: [0.1], mass: 2, position: [0, 0, 0.3]}\n");
    CHECK_NEAR(at_end(r, "touch.ball.force_z"), 2.0 * g, 1e-5);
    CHECK_NEAR(at_end(r, "touch.box.force_z"), 3.0 * g, 1e-5);
    CHECK_NEAR(at_end(r, "touch.box.places"), 5.0, 0.0);
    CHECK_NEAR(at_end(r, "q.ball.z"), 0.0, 1e-6); // above where it was put
    atemi_recording_destroy(r);
}

// The bodies' own friction counts: on the same floor one slides on and the other stops within
// v^2 / (2 mu g).
TEST(simulate_shapes, have_the_friction_of_their_body)
{
    atemi_recording *r = simulate(
        BODIES "bodies:\n"
               "  - {name: ice, friction: 0, position: [0, 0, 0.05], velocity: [1, 0, 0]}\n"
               "  - {name: rubber, friction: 1, position: [0, 1, 0.05], velocity: [1, 0, 0]}\n");
    CHECK_NEAR(at_end(r, "q.ice.x"), 0.5, 1e-6);
    CHECK_NEAR(at_end(r, "q.rubber.x"), 0.5 / g, 2e-3);
    atemi_recording_destroy(r);
}

// Without gravity, and with the robot's own start, a further robot and the names of its links.
TEST(simulate_shapes, of_two_robots_are_in_one_scene)
{
    atemi_recording *r =
        simulate("job: simulate\nrobot: hrp2_like\nmethod: steps\ncontacts: shapes\n"
                 "duration: 0.05\ngravity: [0, 0, 0]\n"
                 "start: {position: [0, 0, 1], velocity: [0.5, 0, 0]}\n"
                 "bodies:\n  - {name: twin, robot: hrp2_like, position: [3, 0, 1]}\n");
    CHECK_NEAR(at_end(r, "q.base.x"), 0.025, 1e-9);
    CHECK_NEAR(at_end(r, "q.twin.x"), 0.0, 1e-9);
    CHECK_NEAR(at_end(r, "q.twin/right_knee"), 0.0, 1e-9);
    atemi_recording_destroy(r);
}

// Boxes have no smooth distance. The key, the links and the cure are named.
TEST(simulate_shapes, without_a_smooth_distance_need_the_method_of_steps)
{
    refuse("job: simulate\nrobot: none\ncontacts: shapes\nbodies:\n  - {name: a}\n",
           "contacts: the box of link 'a'");
    refuse("job: simulate\nrobot: none\ncontacts: shapes\nbodies:\n  - {name: a}\n",
           "method: steps");
}

// A ball that rests on another one on the floor: both methods have the same columns, and the same
// forces there.
TEST(simulate_shapes, have_the_same_columns_by_both_methods)
{
    static const char *const text =
        "job: simulate\nrobot: none\nmethod: %s\ncontacts: shapes\nduration: 0.1\nbodies:\n"
        "  - {name: a, shape: sphere, size: [0.1], mass: 2, position: [0, 0, 0.1]}\n"
        "  - {name: b, shape: sphere, size: [0.05], mass: 0.5, position: [0, 0, 0.25]}\n";
    atemi_recording *recordings[2];
    for (int i = 0; i < 2; ++i) {
        char written[512];
        snprintf(written, sizeof written, text, i ? "events" : "steps");
        recordings[i] = simulate(written);
        CHECK_NEAR(at_end(recordings[i], "touch.a.force_z"), 2.0 * g, 1e-6);
        CHECK_NEAR(at_end(recordings[i], "touch.b.force_z"), 0.5 * g, 1e-6);
        CHECK_NEAR(at_end(recordings[i], "touch.a.places"), 2.0, 0.0);
        CHECK_NEAR(at_end(recordings[i], "touch.b.places"), 1.0, 0.0);
    }
    const int count = atemi_recording_channel_count(recordings[0]);
    CHECK_EQUAL_INT(atemi_recording_channel_count(recordings[1]), count);
    for (int i = 0; i < count; ++i) {
        CHECK_EQUAL_STRING(atemi_recording_channel(recordings[1], i)->name,
                           atemi_recording_channel(recordings[0], i)->name);
    }
    atemi_recording_destroy(recordings[0]);
    atemi_recording_destroy(recordings[1]);
}

TEST(simulate_shapes, are_refused_with_the_wrong_number_of_sizes)
{
    refuse(BODIES "bodies:\n  - {name: a, shape: sphere, size: [1, 2]}\n", "a sphere has 1");
    refuse(BODIES "bodies:\n  - {name: a}\n  - {name: a}\n", "a");
    refuse(BODIES, "no collision shapes");
}
