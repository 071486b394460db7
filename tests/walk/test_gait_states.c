// SPDX-License-Identifier: Apache-2.0

#include "atemi/walk.h"

#include "check.h"

TEST(gait_states, of_a_foot_are_told_by_the_modes_of_heel_and_toe)
{
    const atemi_contact_mode open = ATEMI_CONTACT_OPEN, stick = ATEMI_CONTACT_STICK,
                             slip = ATEMI_CONTACT_SLIP;
    CHECK_EQUAL_STRING(atemi_foot_state_text(atemi_foot_state_of(open, open)), "air");
    CHECK_EQUAL_STRING(atemi_foot_state_text(atemi_foot_state_of(stick, open)), "heel stick");
    CHECK_EQUAL_STRING(atemi_foot_state_text(atemi_foot_state_of(slip, open)), "heel slip");
    CHECK_EQUAL_STRING(atemi_foot_state_text(atemi_foot_state_of(open, stick)), "toe stick");
    CHECK_EQUAL_STRING(atemi_foot_state_text(atemi_foot_state_of(open, slip)), "toe slip");
    CHECK_EQUAL_STRING(atemi_foot_state_text(atemi_foot_state_of(stick, stick)), "sole stick");
    CHECK_EQUAL_STRING(atemi_foot_state_text(atemi_foot_state_of(slip, slip)), "sole slip");
}

// Whoever leaves a state does so because of something.
TEST(gait_states, have_a_condition_on_every_way_out)
{
    for (int from = 0; from < ATEMI_FOOT_STATES; ++from) {
        for (int to = 0; to < ATEMI_FOOT_STATES; ++to) {
            const atemi_gait_arrow arrow =
                atemi_gait_arrow_between((atemi_foot_state)from, (atemi_foot_state)to);
            const bool none = arrow.touch == ATEMI_GUARD_NONE && arrow.slide == ATEMI_GUARD_NONE;
            CHECK_EQUAL_INT(none, from == to);
        }
    }
}

TEST(gait_states, are_left_as_in_the_papers_figure)
{
    const atemi_gait_arrow landing =
        atemi_gait_arrow_between(ATEMI_FOOT_AIR, ATEMI_FOOT_HEEL_STICK);
    const atemi_gait_arrow lifting =
        atemi_gait_arrow_between(ATEMI_FOOT_SOLE_STICK, ATEMI_FOOT_TOE_STICK);
    const atemi_gait_arrow slipping =
        atemi_gait_arrow_between(ATEMI_FOOT_SOLE_STICK, ATEMI_FOOT_SOLE_SLIP);
    CHECK_EQUAL_STRING(atemi_gait_guard_text(landing.touch), "heel reaches the floor");
    CHECK_EQUAL_STRING(atemi_gait_guard_text(lifting.touch), "normal force of the heel vanishes");
    CHECK_EQUAL_STRING(atemi_gait_guard_text(slipping.slide), "|f_t| reaches K f_n");
    CHECK_EQUAL_STRING(atemi_gait_guard_text(slipping.touch), "");
}
