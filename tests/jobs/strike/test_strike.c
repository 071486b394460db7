// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "instrumented.h"
#include "strike_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHIPPED ATEMI_SOURCE_DIR "/scenarios/strike.yaml"
#define DOOR ATEMI_SOURCE_DIR "/scenarios/door.yaml"

// Whole searches take minutes where every access is watched; those of one posture run there too.
static bool takes_too_long(void)
{
    return SLOWED > 1.0;
}

// ---- The shipped strike

static void check_rest(const atemi_recording *recording)
{
    const int last = atemi_recording_row_count(recording) - 1;
    for (int i = 0; i < atemi_recording_channel_count(recording); ++i) {
        if (strncmp(atemi_recording_channel(recording, i)->name, "v.", 2) == 0) {
            CHECK_NEAR(atemi_recording_values(recording, i)[0], 0.0, 1e-9);
            CHECK_NEAR(atemi_recording_values(recording, i)[last], 0.0, 1e-9);
        }
    }
}

// Values, bounds and worths of all variables.
static void check_decided(const atemi_recorded_table *decided)
{
    CHECK_EQUAL_INT(decided->row_count, 22);
    CHECK_EQUAL_INT(decided->column_count, 4);
    for (int i = 0; i < decided->row_count; ++i) {
        const double *row = decided->values + (size_t)4 * (size_t)i;
        CHECK(!(row[0] < row[1] - 1e-9) && !(row[0] > row[2] + 1e-9));
        CHECK(row[3] >= 0.0);
    }
}

// Only what has a worth; what stands at its bound but for rounding has none.
static void check_limits(const atemi_recording *recording)
{
    const atemi_recorded_table *limits = table(recording, "limits");
    CHECK(limits->row_count > 0);
    CHECK(table(recording, "constraints")->row_count > limits->row_count);
    for (int i = 0; i < limits->row_count; ++i) {
        CHECK(limits->values[4 * i + 3] > 0.0);
    }
}

// The search is the paper's: from its start, with its bounds.
TEST(strike, of_the_shipped_scenario_is_hard_and_stands)
{
    if (takes_too_long()) {
        return;
    }
    atemi_recording *recording = NULL;
    atemi_error      error = {0};
    CHECK_STATUS(job_strike_file(SHIPPED, NULL, &recording, &error), ATEMI_OK);
    CHECK_NEAR(result(recording, "completed"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "feasible"), 1.0, 0.0);
    CHECK(result(recording, "violation") <= 1e-6);
    CHECK(result(recording, "speed") > 1.4);
    CHECK_NEAR(result(recording, "peak_force"), 300.0 * result(recording, "speed"), 1e-6);
    CHECK_NEAR(result(recording, "objective"), result(recording, "peak_force"), 0.0);
    CHECK(result(recording, "impact_margin") >= 0.05 - 1e-8);
    CHECK(result(recording, "motion_margin") >= 0.05 - 1e-8);
    CHECK(result(recording, "foot_drift") < 1e-6);
    CHECK(result(recording, "least_motion_margin") >= 0.045);
    CHECK(result(recording, "largest_torque_part") < 1.0);
    CHECK_NEAR(result(recording, "stands"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "verified_lift_offs"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "verified_slips"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "peak_force_error"), 0.0, 0.01);
    CHECK_NEAR(result(recording, "impulse_error"), 0.0, 0.05);
    CHECK(result(recording, "verified_margin") > 0.0);
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 1401);
    CHECK_CONTAINS(atemi_recording_outcome(recording), " N s; limited by ");
    CHECK_CONTAINS(atemi_recording_outcome(recording),
                   "the peak force is damping times speed for this contact law");
    // Nothing happens but the blow: no foot lifts or slips, no joint stops.
    CHECK_EQUAL_INT(atemi_recording_event_count(recording), 2);
    CHECK_EQUAL_STRING(atemi_recording_event(recording, 0)->kind, "touch");
    CHECK_EQUAL_STRING(atemi_recording_event(recording, 1)->kind, "release");
    check_rest(recording);
    check_decided(table(recording, "decided"));
    check_limits(recording);
    atemi_recording_destroy(recording);
}

// Both fists push; the estimate, which shares the force equally, is as near as that of one hand.
TEST(strike, with_both_hands_pushes_a_door_and_stands)
{
    if (takes_too_long()) {
        return;
    }
    atemi_recording *recording = NULL;
    CHECK_STATUS(job_strike_file(DOOR, NULL, &recording, NULL), ATEMI_OK);
    CHECK_NEAR(result(recording, "feasible"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "stands"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "verified_lift_offs"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "verified_slips"), 0.0, 0.0);
    CHECK(result(recording, "impulse") > 6.0);
    CHECK_NEAR(result(recording, "peak_force_error"), 0.0, 0.018); // the paper's own errors
    CHECK_NEAR(result(recording, "impulse_error"), 0.0, 0.126);
    CHECK(result(recording, "largest_torque_part") < 1.0);
    const double first = result(recording, "verified_first_hand_impulse");
    const double second = result(recording, "verified_second_hand_impulse");
    CHECK(first > 1.0 && second > 1.0);
    CHECK_NEAR(first + second, result(recording, "verified_impulse"), 1e-9);
    CHECK(result(recording, "target_width") > 0.45); // hands are 0.45 m apart
    atemi_recording_destroy(recording);
}

// ---- One posture

TEST(strike, records_the_motion_and_what_was_seen_of_it)
{
    const atemi_recording *recording = punch();
    const double          *t = column(recording, "t"), *force = column(recording, "verify.force");
    const int              touch = 140;
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 2 * touch + 1);
    CHECK_NEAR(t[0], -0.7, 1e-12);
    CHECK_NEAR(t[touch], 0.0, 1e-12);
    CHECK_NEAR(column(recording, "q.right_elbow")[touch], -1.249, 1e-12);
    CHECK_NEAR(force[touch - 10], 0.0, 0.0);
    CHECK(force[touch + 2] > 20.0);
    CHECK(isfinite(column(recording, "zmp.margin")[touch]));
    CHECK_NEAR(column(recording, "contact.right_sole.0.position_z")[touch], 0.0, 1e-4);
    CHECK(column(recording, "contact.left_sole.3.mode")[touch] > 0.0);
    CHECK(fabs(column(recording, "tau.right_knee")[touch]) > 1.0);
    check_rest(recording);
    CHECK_NEAR(result(recording, "completed"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "speed"), 0.5, 1e-9);
    CHECK_NEAR(result(recording, "verified_peak_force"), 150.0, 1.0);
    CHECK_EQUAL_INT(table(recording, "decided")->row_count, 1);
    CHECK_EQUAL_STRING(table(recording, "decided")->labels[0], "speed of the hand");
}

// Before the blow the servos keep to the plan; at first touch the plan has what was decided.
TEST(strike, records_momenta_and_zmp_as_planned_and_as_seen)
{
    const atemi_recording *recording = punch();
    const int              touch = 140, before = 100;
    CHECK_NEAR(column(recording, "momentum.linear_z")[touch], 0.0, 1e-9);
    CHECK_NEAR(column(recording, "momentum.angular_z")[touch], result(recording, "angular_z"),
               1e-9);
    CHECK_NEAR(column(recording, "verify.linear_momentum_x")[before],
               column(recording, "momentum.linear_x")[before], 1e-2);
    CHECK_NEAR(column(recording, "verify.angular_momentum_y")[before],
               column(recording, "momentum.angular_y")[before], 1e-2);
    CHECK_NEAR(column(recording, "zmp.x")[before], column(recording, "zmp.planned_x")[before],
               2e-3);
    CHECK_NEAR(column(recording, "zmp.y")[before], column(recording, "zmp.planned_y")[before],
               2e-3);
    const double least = fmin(fmin(result(recording, "verified_margin_before"),
                                   result(recording, "verified_margin_in_the_blow")),
                              result(recording, "verified_margin_after"));
    CHECK_NEAR(result(recording, "verified_margin"), least, 1e-3);
}

// All that the floor carries is the weight, as long as nothing moves.
TEST(strike, records_how_the_floor_carries_the_feet)
{
    static const char *const soles[] = {"right_sole", "left_sole"};
    const atemi_recording   *recording = punch();
    double                   carried = 0.0;
    char                     name[64];
    for (int i = 0; i < 8; ++i) {
        snprintf(name, sizeof name, "contact.%s.%d.force_z", soles[i / 4], i % 4);
        carried += column(recording, name)[1];
    }
    CHECK_NEAR(carried, 58.507 * 9.81, 5.0); // hrp2_like; it begins to move
    CHECK_EQUAL_INT(atemi_recording_surface_count(recording), 1);
}

// The impulse is the area under the force.
TEST(strike, records_the_blow_as_estimated_and_as_seen)
{
    enum { COLUMNS = 7 };
    const atemi_recording      *recording = punch();
    const atemi_recorded_table *blow = table(recording, "blow");
    double                      estimated = 0.0, seen = 0.0;
    CHECK_EQUAL_INT(blow->column_count, COLUMNS);
    CHECK_NEAR(blow->values[1], 150.0, 1e-9);
    for (int i = 1; i < blow->row_count; ++i) {
        const double *row = blow->values + (size_t)COLUMNS * (size_t)i, *last = row - COLUMNS;
        estimated += 0.5 * (row[0] - last[0]) * (row[1] + last[1]);
        seen += 0.5 * (row[0] - last[0]) * (row[2] + last[2]);
        CHECK_NEAR(row[3], row[4], 0.02);
    }
    CHECK_NEAR(estimated, result(recording, "impulse"), 0.01 * estimated);
    CHECK_NEAR(seen, result(recording, "verified_impulse"), 0.03 * seen);
}

// A name and an index say what a row is.
static double first_touch(const atemi_recording *recording, const char *label)
{
    const atemi_recorded_table *first = table(recording, "first_touch");
    for (int i = 0; i < first->row_count; ++i) {
        if (strcmp(first->labels[i], label) == 0) {
            return first->values[i];
        }
    }
    return NAN;
}

// The page estimates the blow anew from it, at the instants of the table "blow".
TEST(strike, records_what_the_estimate_of_its_blow_begins_with)
{
    const atemi_recording      *recording = punch();
    const atemi_recorded_table *blow = table(recording, "blow");
    const double *last = blow->values + (size_t)blow->column_count * (size_t)(blow->row_count - 1);
    CHECK_NEAR(first_touch(recording, "duration 0"), last[0], 1e-12);
    CHECK_NEAR(first_touch(recording, "every 0") * (blow->row_count - 1), last[0], 1e-12);
    CHECK(isnan(first_touch(recording, "speed 0"))); // it has joint velocities
    CHECK(!isnan(first_touch(recording, "rate 0")));
    CHECK(first_touch(recording, "rests 0") == 1.0);
    CHECK(first_touch(recording, "drift 0") < 0.0); // the hand slows down
}

// A free target begins to move as it is touched, along the direction; the impulse is what it has
// then. Its face is where the fist touches it.
TEST(strike, records_where_the_target_is)
{
    const atemi_recording *recording = punch();
    const double          *x = column(recording, "target.position_x");
    const int              touch = 140, last = 2 * touch;
    const double           speed = (x[last] - x[last - 1]) / 0.005;
    CHECK_NEAR(x[0], x[touch], 0.0);
    CHECK_NEAR(5.0 * speed, result(recording, "verified_impulse"), 1e-3);
    CHECK_NEAR(speed, result(recording, "verified_target_speed"), 1e-4);
    CHECK_NEAR(column(recording, "target.position_z")[0],
               column(recording, "target.position_z")[last], 0.0);
    CHECK_NEAR(result(recording, "direction_x"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "target_width"), 0.2154, 1e-4); // of 10 litres
}

// The same site, turned by a quarter about y: its x axis is where its -z axis was.
TEST(strike, reads_the_axis_of_a_hand_in_the_frame_of_its_site)
{
    static const char text[] = PUNCH_OF("{site: turned, axis: [1, 0, 0]}", WELL) //
        "sites: [{name: turned, link: right_hand, point: [0, 0, -0.174], rpy: [0, 90 deg, 0]}]\n"
        "verify: {run: false}\n";
    atemi_recording *straight = strike(PUNCH "verify: {run: false}\n", NULL);
    atemi_recording *turned = strike(text, NULL);
    CHECK_NEAR(result(turned, "feasible"), 1.0, 0.0);
    CHECK_NEAR(result(turned, "impulse"), result(straight, "impulse"), 1e-9);
    atemi_recording_destroy(straight);
    atemi_recording_destroy(turned);
}

// Servos too weak to hold the robot up.
TEST(strike, that_the_robot_does_not_stand_says_when_it_falls)
{
    atemi_recording *recording = strike(WEAK_PUNCH, NULL);
    CHECK_NEAR(result(recording, "completed"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "feasible"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "stands"), 0.0, 0.0);
    CHECK(result(recording, "largest_tilt") > 0.2);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "by full dynamics the robot falls at ");
    atemi_recording_destroy(recording);
}

TEST(strike, on_ice_tells_feet_that_slip)
{
    atemi_recording *recording = strike(PUNCH "verify: {friction: 0.02}\n", NULL);
    CHECK(result(recording, "verified_slips") > 0.0);
    CHECK(atemi_recording_event_count(recording) > 0);
    const atemi_recorded_event *first = atemi_recording_event(recording, 0);
    CHECK_EQUAL_STRING(first->kind, "slip");
    CHECK_CONTAINS(first->what, "_sole.");
    atemi_recording_destroy(recording);
}

TEST(strike, for_impulse_does_not_speak_of_the_damper)
{
    atemi_recording *recording =
        strike(PUNCH "objective: {peak_force: 0, impulse: 1}\nverify: {run: false}\n", NULL);
    CHECK_NEAR(result(recording, "objective"), result(recording, "impulse"), 0.0);
    CHECK(!strstr(atemi_recording_outcome(recording), "c v_c"));
    atemi_recording_destroy(recording);
}

TEST(strike, is_the_same_every_time)
{
    static const char text[] = PUNCH "verify: {run: false}\n";
    atemi_recording  *first = strike(text, NULL), *second = strike(text, NULL);
    const size_t      size = (size_t)atemi_recording_row_count(first) * sizeof(double);
    for (int i = 0; i < atemi_recording_channel_count(first); ++i) {
        CHECK(memcmp(atemi_recording_values(first, i), atemi_recording_values(second, i), size) ==
              0);
    }
    for (int i = 0; i < atemi_recording_result_count(first); ++i) {
        CHECK(memcmp(&atemi_recording_result(first, i)->value,
                     &atemi_recording_result(second, i)->value, sizeof(double)) == 0);
    }
    atemi_recording_destroy(first);
    atemi_recording_destroy(second);
}

TEST(strike, need_not_be_verified)
{
    atemi_recording *recording = strike(PUNCH "verify: {run: false}\n", NULL);
    CHECK_NEAR(result(recording, "completed"), 1.0, 0.0);
    CHECK(isnan(result(recording, "verified_impulse")));
    CHECK(isnan(column(recording, "verify.force")[140]));
    CHECK(isnan(column(recording, "zmp.margin")[140]));
    atemi_recording_destroy(recording);
}

// The same posture, no harder, for all that is in doubt.
TEST(strike, in_doubt_is_planned_for_cases_and_drawn)
{
    atemi_recording *sure = strike(PUNCH "verify: {run: false}\n", NULL);
    atemi_recording *recording =
        strike(PUNCH "doubt: {mass: 20 %, friction: 10 %, distance: 1 cm, timing: 5 ms, gains: 20 "
                     "%}\nverify: {draws: 200, full_draws: 1, attempts: 1}\n",
               NULL);
    CHECK(result(recording, "speed") <= result(sure, "speed"));
    CHECK_NEAR(result(recording, "draws"), 200.0, 0.0);
    CHECK(result(recording, "success_rate") > 0.9);
    CHECK(result(recording, "success_rate_lower") < result(recording, "success_rate"));
    CHECK_NEAR(result(recording, "full_draws"), 1.0, 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "; in doubt it keeps balance in ");
    atemi_recording_destroy(recording);
    atemi_recording_destroy(sure);
}

TEST(strike, at_a_target_out_of_reach_says_so)
{
    atemi_recording *recording = strike(PUNCH "hit: {z: 3 m}\nsearch: {iterations: 3}\n", NULL);
    CHECK_NEAR(result(recording, "completed"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "feasible"), 0.0, 0.0);
    CHECK(result(recording, "violation") > 100.0);
    CHECK(isnan(result(recording, "verified_impulse")));
    CHECK_CONTAINS(atemi_recording_outcome(recording), "no strike meets all constraints");
    CHECK_EQUAL_STRING(table(recording, "limits")->labels[0], "place of the hand, z");
    CHECK_EQUAL_STRING(table(recording, "conflicts")->labels[0], "place of the hand, z");
    CHECK_CONTAINS(atemi_recording_outcome(recording), "; where the hand hits along z: ");
    CHECK_CONTAINS(atemi_recording_outcome(recording), " m are missing");
    atemi_recording_destroy(recording);
}

static bool stop(void *context, double done)
{
    (void)done;
    ++*(int *)context;
    return false;
}

// How things stand; at last, what took how long.
static void hear(void *context, const char *text)
{
    (void)context;
    if (strstr(text, " ms an evaluation: posture ")) {
        return;
    }
    CHECK_CONTAINS(text, " N, ");
    CHECK_CONTAINS(text, strstr(text, "off by") ? ": " : "all constraints met");
}

TEST(strike, can_be_interrupted_and_keeps_the_best)
{
    int                   calls = 0;
    const atemi_job_hooks hooks = {.progress = stop, .context = &calls, .tell = hear};
    atemi_recording      *recording =
        strike(PUNCH "search: {starts: 5, threads: 1}\nverify: {run: false}\n", &hooks);
    CHECK_EQUAL_INT(calls, 1);
    CHECK_NEAR(result(recording, "completed"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "tries"), 1.0, 0.0);
    CHECK(result(recording, "peak_force") > 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "interrupted; the best so far: ");
    atemi_recording_destroy(recording);
}

TEST(strike, describes_itself)
{
    size_t           size;
    atemi_recording *recording = strike(PUNCH "verify: {run: false}\n", NULL);
    CHECK_EQUAL_STRING(atemi_recording_job(recording), "strike");
    CHECK_EQUAL_STRING(atemi_recording_robot(recording)->name, "hrp2_like");
    CHECK_CONTAINS(atemi_recording_scenario(recording, &size), "second_foot_y");
    CHECK_CONTAINS(atemi_recording_urdf(recording, &size), "<robot name=\"hrp2_like\"");
    atemi_recording_destroy(recording);
}

// ---- Explanations

TEST(strike, explains_every_key_without_a_scenario)
{
    static const char *const keys[] = {
        "robot:",       "start:",        "feet:",         "hand:",          "axis:",
        "with:",        "lead:",         "hit:",          "target:",        "servo:",
        "decide:",      "foot_about_y:", "third_foot_x:", "fourth_foot_y:", "second_foot_x:",
        "momentum_z:",  "com_x:",        "body_before:",  "objective:",     "impact_margin:",
        "edge_margin:", "search:",       "seed:",         "verify:",        "control_step:"};
    char *text;
    CHECK_STATUS(job_strike_explain(NULL, &text, NULL), ATEMI_OK);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        CHECK_CONTAINS(text, keys[i]);
    }
    atemi_release(text);
}

// Axes of the target that are left out stay free.
TEST(strike, is_explained_by_a_scenario_that_says_the_same)
{
    int                   calls = 0;
    const atemi_job_hooks hooks = {.progress = stop, .context = &calls};
    char                 *text;
    atemi_recording      *first = NULL;
    CHECK_STATUS(job_strike_explain(SHIPPED, &text, NULL), ATEMI_OK);
    atemi_recording *again = strike(text, &hooks);
    CHECK_STATUS(job_strike_file(SHIPPED, &hooks, &first, NULL), ATEMI_OK);
    CHECK_NEAR(result(again, "violation"), result(first, "violation"), 1e-9);
    CHECK_NEAR(result(again, "objective"), result(first, "objective"), 1e-9);
    CHECK_NEAR(result(again, "impact_margin"), result(first, "impact_margin"), 1e-9);
    CHECK_NEAR(result(again, "impulse"), result(first, "impulse"), 1e-9);
    atemi_release(text);
    atemi_recording_destroy(first);
    atemi_recording_destroy(again);
}
