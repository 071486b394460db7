// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/sole_watch.h"

#include "check.h"

#include <math.h>
#include <string.h>

static const atemi_contact_mode O = ATEMI_CONTACT_OPEN, T = ATEMI_CONTACT_STICK,
                                S = ATEMI_CONTACT_SLIP;

// Corners: front left, back left, back right, front right; open, sTicking or slipping.
TEST(sole_watch, tells_sole_heel_toe_edge_and_corner_apart)
{
    static const char *const cases[][2] = {
        {"....", "air"},        {"TTTT", "sole stick"}, {"TTST", "sole slip"},
        {"TT.T", "sole stick"}, {"T.T.", "sole stick"}, {".TT.", "heel stick"},
        {".SS.", "heel slip"},  {"T..T", "toe stick"},  {"S..T", "toe slip"},
        {"TT..", "edge stick"}, {"..ST", "edge slip"},  {".T..", "corner stick"},
        {"...S", "corner slip"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        atemi_contact_mode modes[ATEMI_SOLE_CORNERS];
        for (int k = 0; k < ATEMI_SOLE_CORNERS; ++k) {
            const char c = cases[i][0][k];
            modes[k] = c == '.' ? O : c == 'T' ? T : S;
        }
        CHECK_EQUAL_STRING(atemi_sole_state_text(atemi_sole_state_of(modes)), cases[i][1]);
    }
}

// A sole of 0.2 m x 0.1 m with its middle at a place.
static void place(atemi_point_state *corners, double x, double y, atemi_contact_mode mode)
{
    memset(corners, 0, ATEMI_SOLE_CORNERS * sizeof *corners);
    for (int i = 0; i < ATEMI_SOLE_CORNERS; ++i) {
        corners[i].mode = mode;
        corners[i].position =
            (atemi_vec3){x + (i == 0 || i == 3 ? 0.1 : -0.1), y + (i < 2 ? 0.05 : -0.05), 0.0};
    }
}

// Along (3, 4) by 5 mm in ten ticks, on the way from 1 s to 1.01 s.
static atemi_sole_slip slide(const sole_surroundings *around, double by)
{
    atemi_point_state corners[ATEMI_SOLE_CORNERS];
    sole_watch        watch;
    place(corners, 2.0, 1.0, T);
    sole_watch_start(&watch, 0.999, corners);
    for (int i = 0; i <= 10; ++i) {
        place(corners, 2.0 + 0.06 * by * i, 1.0 + 0.08 * by * i, i < 10 ? S : T);
        const bool ended =
            sole_watch_look(&watch, ATEMI_SIDE_LEFT, 1.0 + 0.001 * i, corners, around);
        CHECK(ended == (i == 10 && by >= 1e-3));
    }
    return watch.slip;
}

TEST(sole_watch, measures_a_slip)
{
    const sole_surroundings around = {.load = 0.9};
    const atemi_sole_slip   slip = slide(&around, 5e-3);
    CHECK_EQUAL_INT(slip.foot, ATEMI_SIDE_LEFT);
    CHECK_NEAR(slip.start, 1.0, 0.0);
    CHECK_NEAR(slip.duration, 0.01, 1e-12);
    CHECK_NEAR(slip.place.x, 2.0, 1e-12);
    CHECK_NEAR(slip.place.y, 1.0, 1e-12);
    CHECK_NEAR(slip.distance, 5e-3, 1e-12);
    CHECK_NEAR(slip.direction, atan2(4.0, 3.0), 1e-9);
    slide(&around, 9e-4); // too short to count
}

TEST(sole_watch, finds_the_first_cause_that_holds)
{
    const sole_surroundings all = {.load = 0.05, .is_pushed = true, .is_on_ice = true};
    const sole_surroundings pushed = {.load = 0.05, .is_pushed = true};
    const sole_surroundings light = {.load = 0.05}, loaded = {.load = 0.5};
    CHECK_EQUAL_INT(slide(&all, 5e-3).cause, ATEMI_SLIP_PATCH);
    CHECK_EQUAL_INT(slide(&pushed, 5e-3).cause, ATEMI_SLIP_FORCE);
    CHECK_EQUAL_INT(slide(&light, 5e-3).cause, ATEMI_SLIP_LEAVING);
    CHECK_EQUAL_INT(slide(&loaded, 5e-3).cause, ATEMI_SLIP_LOAD);
}

TEST(sole_watch, a_foot_that_slips_as_it_lands_slips_from_landing)
{
    const sole_surroundings around = {.load = 0.05};
    atemi_point_state       corners[ATEMI_SOLE_CORNERS];
    sole_watch              watch;
    place(corners, 0.0, 0.0, O);
    sole_watch_start(&watch, 0.0, corners);
    place(corners, 0.1, 0.0, S); // it comes from afar
    sole_watch_look(&watch, ATEMI_SIDE_RIGHT, 0.5, corners, &around);
    CHECK_EQUAL_INT(watch.slip.cause, ATEMI_SLIP_LANDING);
}

// Half a millimetre a second is no slip; but one goes on at three quarters of one.
TEST(sole_watch, takes_creeping_for_sticking)
{
    const sole_surroundings around = {.load = 0.5};
    atemi_point_state       corners[ATEMI_SOLE_CORNERS];
    sole_watch              watch;
    place(corners, 0.0, 0.0, T);
    sole_watch_start(&watch, 0.0, corners);
    const struct {
        double           x; // m, after that many ms
        atemi_sole_state state;
    } looks[] = {{0.5e-6, ATEMI_SOLE_STICK},
                 {1.0e-6, ATEMI_SOLE_STICK},
                 {3.0e-6, ATEMI_SOLE_SLIP},
                 {3.75e-6, ATEMI_SOLE_SLIP},
                 {4.0e-6, ATEMI_SOLE_STICK}};
    for (int i = 0; i < 5; ++i) {
        place(corners, looks[i].x, 0.0, S);
        sole_watch_look(&watch, ATEMI_SIDE_LEFT, 0.001 * (i + 1), corners, &around);
        CHECK_EQUAL_INT(watch.state, looks[i].state);
    }
}
