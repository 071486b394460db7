// SPDX-License-Identifier: Apache-2.0

#include "strike_job.h"

#include <math.h>

static atemi_recording *verify(const atemi_recording *planned, atemi_strike_conditions conditions)
{
    atemi_recording   *recording = NULL;
    atemi_error        error = {0};
    const atemi_status status =
        atemi_strike_verify_recording(planned, &conditions, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return recording;
}

static void check_same_bits(const atemi_recording *first, const atemi_recording *second)
{
    const size_t size = (size_t)atemi_recording_row_count(first) * sizeof(double);
    CHECK_EQUAL_INT(atemi_recording_row_count(first), atemi_recording_row_count(second));
    CHECK_EQUAL_INT(atemi_recording_channel_count(first), atemi_recording_channel_count(second));
    CHECK_EQUAL_INT(atemi_recording_result_count(first), atemi_recording_result_count(second));
    for (int i = 0; i < atemi_recording_channel_count(first); ++i) {
        CHECK(memcmp(atemi_recording_values(first, i), atemi_recording_values(second, i), size) ==
              0);
    }
    for (int i = 0; i < atemi_recording_result_count(first); ++i) {
        const double a = atemi_recording_result(first, i)->value;
        const double b = atemi_recording_result(second, i)->value;
        CHECK(a == b || (isnan(a) && isnan(b)));
    }
}

TEST(strike_recorded, is_verified_again_with_the_same_bits)
{
    const atemi_recording *planned = punch();
    atemi_recording       *again = verify(planned, atemi_strike_conditions_default());
    check_same_bits(planned, again);
    CHECK_EQUAL_STRING(atemi_recording_job(again), "strike");
    CHECK_CONTAINS(atemi_recording_outcome(again), "the robot stands; 150 N and ");
    CHECK_EQUAL_INT(atemi_recording_table_count(again), atemi_recording_table_count(planned));
    CHECK_NEAR(table(again, "blow")->values[7 * 5 + 2], table(planned, "blow")->values[7 * 5 + 2],
               0.0);
    atemi_recording_destroy(again);
}

TEST(strike_recorded, is_verified_later_where_it_was_not)
{
    atemi_recording *planned = strike(PUNCH "verify: {run: false}\n", NULL);
    atemi_recording *later = verify(planned, atemi_strike_conditions_default());
    CHECK(isnan(result(planned, "verified_impulse")));
    check_same_bits(punch(), later);
    atemi_recording_destroy(planned);
    atemi_recording_destroy(later);
}

// Planned for 0.7: on such a floor nothing slips, on ice both feet do.
TEST(strike_recorded, stands_on_a_rough_floor_and_slips_on_ice)
{
    atemi_strike_conditions rough = atemi_strike_conditions_default(), ice = rough;
    atemi_recording        *planned = strike(PUNCH "verify: {run: false}\n", NULL);
    rough.friction = 0.7;
    ice.friction = 0.05;
    atemi_recording *stands = verify(planned, rough), *slips = verify(planned, ice);
    CHECK_NEAR(result(stands, "stands"), 1.0, 0.0);
    CHECK_NEAR(result(stands, "verified_slips"), 0.0, 0.0);
    CHECK_NEAR(result(stands, "verify_friction"), 0.7, 0.0);
    CHECK(result(slips, "verified_slips") > 0.0);
    CHECK(atemi_recording_event_count(slips) > 0);
    CHECK_NEAR(result(slips, "verify_friction"), 0.05, 0.0);
    atemi_recording_destroy(planned);
    atemi_recording_destroy(stands);
    atemi_recording_destroy(slips);
}

// A hand that goes on hits a heavier target with more impulse, and a nearer one earlier, while it
// still gathers speed: the damper's peak is less.
TEST(strike_recorded, meets_another_target_than_it_was_planned_for)
{
    atemi_strike_conditions heavy = atemi_strike_conditions_default(), near = heavy;
    const atemi_recording  *planned = punch();
    heavy.mass = INFINITY;
    near.distance = -0.02;
    atemi_recording *wall = verify(planned, heavy), *early = verify(planned, near);
    CHECK(result(wall, "verified_impulse") > 1.1 * result(planned, "verified_impulse"));
    CHECK_NEAR(result(wall, "verified_target_speed"), 0.0, 0.0);
    CHECK(isnan(result(wall, "verify_mass")));
    CHECK(result(early, "verified_peak_force") < 0.99 * result(planned, "verified_peak_force"));
    CHECK_NEAR(column(early, "target.position_x")[0],
               column(planned, "target.position_x")[0] - 0.02, 1e-12);
    atemi_recording_destroy(wall);
    atemi_recording_destroy(early);
}

// Of what was not planned, and for what cannot be.
static void check_refusal(const atemi_recording *planned, atemi_strike_conditions conditions,
                          const char *cause)
{
    atemi_recording *recording;
    atemi_error      error;
    CHECK_STATUS(atemi_strike_verify_recording(planned, &conditions, &recording, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, cause);
    CHECK(!recording);
}

static atemi_strike_conditions conditions(double friction, double mass, double distance)
{
    return (atemi_strike_conditions){.friction = friction, .mass = mass, .distance = distance};
}

TEST(strike_recorded, is_refused_where_it_makes_no_sense)
{
    const atemi_strike_conditions usual = atemi_strike_conditions_default();
    atemi_recording              *planned = strike(PUNCH "verify: {run: false}\n", NULL);
    atemi_recording    *far = strike(PUNCH "hit: {z: 3 m}\nsearch: {iterations: 3}\n", NULL);
    atemi_recording    *other;
    const atemi_channel time = {.name = "t", .unit = "s"};
    CHECK_STATUS(atemi_recording_create(1, &time, &other, NULL), ATEMI_OK);
    check_refusal(other, usual, "not of a strike");
    check_refusal(far, usual, "there is no strike to verify: no strike meets all constraints");
    check_refusal(planned, conditions(-0.1, NAN, NAN), "friction of the floor is -0.1");
    check_refusal(planned, conditions(NAN, 0.0, NAN), "more than 0 kg");
    check_refusal(planned, conditions(NAN, NAN, INFINITY), "infinitely far");
    check_refusal(planned, conditions(NAN, NAN, -0.5), "0.5 m nearer than planned");
    atemi_recording_destroy(planned);
    atemi_recording_destroy(far);
    atemi_recording_destroy(other);
}

TEST(strike_recorded, without_a_motion_is_refused)
{
    const atemi_channel time = {.name = "t", .unit = "s"};
    const double        row = 0.0;
    size_t              size;
    atemi_recording    *planned = strike(PUNCH "verify: {run: false}\n", NULL), *bare = NULL;
    atemi_recorded_job  job = {.name = "strike"};
    CHECK_STATUS(atemi_recording_create(1, &time, &bare, NULL), ATEMI_OK);
    job.urdf = atemi_recording_urdf(planned, &job.urdf_size);
    job.scenario = atemi_recording_scenario(planned, &size);
    job.scenario_size = size;
    CHECK_STATUS(atemi_recording_describe(bare, &job, NULL), ATEMI_OK);
    const atemi_recorded_result feasible = {.name = "feasible", .value = 1.0};
    CHECK_STATUS(atemi_recording_add_result(bare, &feasible, NULL), ATEMI_OK);
    check_refusal(bare, atemi_strike_conditions_default(), "rows of the recording are not those");
    CHECK_STATUS(atemi_recording_append(bare, &row, NULL), ATEMI_OK);
    check_refusal(bare, atemi_strike_conditions_default(), "has no 'q.base.x' in row 0");
    atemi_recording_destroy(planned);
    atemi_recording_destroy(bare);
}
